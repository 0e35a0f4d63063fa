#!/bin/sh
# usage: run.sh GRADWRIGHT INCLUDE RUNTIME FOLDER SOURCE COMPILER FLAGS...
# Makes the gradients of the source, compiles them with the compiler into one program and runs it. FOLDER is
# this test's own. A first line "// standard: c++20" asks for another standard than C++17.
set -e
gradwright=$1 include=$2 runtime=$3 folder=$4 source=$5 compiler=$6
shift 6
standard=$(sed -n '1s/^\/\/ standard: //p' "$source")
standard=-std=${standard:-c++17}
rm -rf "$folder"
mkdir -p "$folder"
name=$(basename "$source" .cpp)
here=$(dirname "$source")
"$gradwright" "$source" -o "$folder/$name.grad.hpp" -- "$standard" -I"$include" -I"$here"
# shellcheck disable=SC2068
exec sh "$(dirname "$0")/../support/compiled.sh" "$folder" "$include" "$here" "$runtime" \
  $compiler "$standard" $@ -Wall -Wextra -Werror -Wno-missing-field-initializers "$source"
