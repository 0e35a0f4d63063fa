#!/bin/sh
# usage: stored.sh GRADWRIGHT GWCC SOURCE FOLDER
# What --explain says that each function of the source stores and keeps on a tape, and in which order it takes
# that, has to be what the source's lines "// says: ..." say. Its text compiles without a warning, by gcc and by
# clang.
set -e
gradwright=$1 gwcc=$2 source=$3 folder=$4
include=$(dirname "$source")/../../include
mkdir -p "$folder"
"$gradwright" --explain "$source" -o "$folder/stored.grad.h" -- $("$gwcc" --device=cpu --print-parse-flags \
    "$source") \
  >"$folder/explained"
sed -n 's/^\([a-z_]*_grad\) (.*/\1/p; s/^ *[0-9]* *\(stores\|takes\|keeps\) /\1 /p' \
  "$folder/explained" >"$folder/got"
sed -n 's,^// says: ,,p' "$source" >"$folder/wanted"
diff "$folder/wanted" "$folder/got"
printf '#include "%s"\n#include "%s"\n' "$source" "$folder/stored.grad.h" >"$folder/unit.c"
for compiler in gcc clang; do
  command -v $compiler >/dev/null || continue
  $compiler -std=c17 -Wall -Wextra -Werror -Wno-pragma-once-outside-header -Wno-unused-function -I"$include" \
    -fsyntax-only "$folder/unit.c"
done
