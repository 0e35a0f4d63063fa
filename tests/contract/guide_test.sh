#!/bin/sh
# usage: guide_test.sh GRADWRIGHT GWCC PAGE FOLDER. The blocks of the page that are marked cuda, in their order, are one program: it is
# built without a warning, and exits with 0. What the page says of --explain is what that says.
set -e
gradwright=$1 gwcc=$2 page=$3 folder=$4
rm -rf "$folder"
mkdir -p "$folder"
awk '/^```cuda$/ { inside = 1; next } /^```$/ { inside = 0; next } inside' "$page" >"$folder/memory.cu"
"$gwcc" --device=cpu -Wall -Wextra -Werror "$folder/memory.cu" -o "$folder/memory"
"$folder/memory"
"$gradwright" "$folder/memory.cu" -o "$folder/explained.grad.cuh" --explain -- $("$gwcc" --device=cpu --print-parse-flags) >"$folder/explained" 2>&1
said=$(sed -n 's/.*`\(memory: [^`]*\)`.*/\1/p' "$page")
[ -n "$said" ] || { echo "$page quotes nothing of --explain"; exit 1; }
grep -qF "$said" "$folder/explained" || { cat "$folder/explained"; echo "--explain does not say: $said"; exit 1; }
