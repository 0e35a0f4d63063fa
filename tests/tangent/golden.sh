#!/bin/sh
# golden.sh GRADWRIGHT GWCC INCLUDE SCRATCH SOURCE: the derivatives of SOURCE must be SOURCE.golden, and compile
# without a warning behind it, C with gcc and clang, CUDA for the CPU device. With GW_UPDATE=1 they become the
# golden. The lines that say what a text was made from are left out: they change with all that the front end
# does.
set -e
gradwright=$1 gwcc=$2 include=$3 scratch=$4 source=$5
cd "$(dirname "$source")"
name=$(basename "$source")
rm -rf "$scratch"
mkdir -p "$scratch"
# shellcheck disable=SC2046
"$gradwright" "$name" -o "$scratch/made" -- $("$gwcc" --device=cpu --print-parse-flags "$name")
grep -q '^// gradwright --check: text [0-9a-f]\{16\}$' "$scratch/made"
sed '/^\/\/ gradwright --check: /d' "$scratch/made" | sed '${/^$/d}' >"$scratch/bare"
[ "$GW_UPDATE" = 1 ] && cp "$scratch/bare" "$name.golden"
diff -u "$name.golden" "$scratch/bare"
unit=$scratch/unit.${name##*.}
printf '#include "%s"\n#include "%s"\n' "$PWD/$name" "$scratch/made" >"$unit"
case $name in
*.cu) "$gwcc" --device=cpu -Wall -Wextra -Werror -c "$unit" -o "$scratch/unit.o" ;;
*) for compiler in gcc clang; do
       command -v $compiler >/dev/null || continue
       $compiler -std=c17 -Wall -Wextra -Werror -Wno-pragma-once-outside-header -Wno-unused-function \
           -I"$include" -c "$unit" -o "$scratch/unit.o"
   done ;;
esac
