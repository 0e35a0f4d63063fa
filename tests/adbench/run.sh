#!/bin/sh
# run.sh GRADWRIGHT COMPILER RUNTIME ROOT FOLDER plain|restrict REFUSED,...: generates the derivatives of
# ADBench's problems but the refused ones, compiles everything without warnings, and runs the test.
set -e
gradwright=$1 compiler=$2 runtime=$3 root=$4 folder=$5 variant=$6 refused=,$7,
sources=$root/benchmarks/adbench
mkdir -p "$folder"
flags="-std=c17 -D_POSIX_C_SOURCE=200809L -I$root/include -I$sources"
[ "$variant" = plain ] || flags="$flags -DADBENCH_RESTRICT"
objects=
for source in "$sources"/*.c; do
  name=$(basename "$source" .c)
  problem=${name%%_*} more=
  case $refused in *,$problem,*) more=-DADBENCH_REFUSED ;; esac
  case $name in
    harness) continue ;;
    gmm | ba | lstm | hand) [ "$more" ] || "$gradwright" "$source" -o "$folder/$name.grad.h" -- $flags ;;
  esac
  "$compiler" -O1 -Wall -Wextra -Werror $flags $more "-I$folder" -c "$source" -o "$folder/$name.o"
  for other in gcc clang; do # by both
    command -v $other >/dev/null || continue
    $other -Wall -Wextra -Werror $flags $more "-I$folder" -fsyntax-only "$source"
  done
  objects="$objects $folder/$name.o"
done
"$compiler" $objects "$runtime" -lm -o "$folder/adbench_test"
"$folder/adbench_test"
