#!/bin/sh
# usage: run.sh GRADWRIGHT GWCC RUNTIME INCLUDE FOLDER COMPILER FLAGS... -- SOURCE...
# Makes the gradients of the sources, compiles them with this compiler and flags into one program and runs it.
# FOLDER is this test's own.
set -e
gradwright=$1 gwcc=$2 runtime=$3 include=$4 folder=$5 compiler=$6
shift 6
flags=
while [ "$1" != -- ]; do flags="$flags $1"; shift; done
shift
rm -rf "$folder"
mkdir -p "$folder"
first=$1
for source; do
  case $source in *.cpp) to=hpp ;; *) to=h ;; esac
  name=$(basename "${source%.*}").grad.$to
  grep -q "\"$name\"" "$source" || continue
  "$gradwright" "$source" -o "$folder/$name" -- $("$gwcc" --device=cpu --print-parse-flags "$source") \
    -I"$(dirname "$first")"
done
exec sh "$(dirname "$0")/../support/compiled.sh" "$folder" "$include" "$(dirname "$1")" "$runtime" \
  $compiler $flags -Wall -Wextra -Werror "$@"
