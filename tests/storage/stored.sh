#!/bin/sh
# usage: stored.sh GRADWRIGHT GWCC SOURCE FOLDER
# What --explain says that each function of the source stores, and in which order it takes that, has to be what the
# source's lines "// says: ..." say.
set -e
gradwright=$1 gwcc=$2 source=$3 folder=$4
mkdir -p "$folder"
"$gradwright" --explain "$source" -o "$folder/stored.grad.h" -- $("$gwcc" --device=cpu --print-parse-flags "$source") \
  >"$folder/explained"
sed -n 's/^\([a-z_]*_grad\) (.*/\1/p; s/^ *[0-9]* *\(stores\|takes\) /\1 /p' "$folder/explained" >"$folder/got"
sed -n 's,^// says: ,,p' "$source" >"$folder/wanted"
diff "$folder/wanted" "$folder/got"
