#!/bin/sh
# usage: threads.sh GRADWRIGHT INCLUDE RUNTIME FOLDER SOURCE COMPILER
# The source and its gradients under ThreadSanitizer, which must find nothing; and once more with plain
# additions in the place of atomic ones, of which it must find some.
set -e
gradwright=$1 include=$2 runtime=$3 folder=$4 source=$5 compiler=$6
name=$(basename "$source" .cpp)
here=$(dirname "$source")
rm -rf "$folder"
mkdir -p "$folder/plain"
"$gradwright" "$source" -o "$folder/$name.grad.hpp" -- -std=c++20 -I"$include" -I"$here"
sed 's/gw_atomic_add(&\(.*\), \([^;]*\));/\1 += \2;/' "$folder/$name.grad.hpp" > "$folder/plain/$name.grad.hpp"
cmp -s "$folder/$name.grad.hpp" "$folder/plain/$name.grad.hpp" && echo "nothing is atomic" && exit 1
for way in . plain; do
  $compiler -std=c++20 -O1 -g -fsanitize=thread -D_GLIBCXX_USE_TBB_PAR_BACKEND=0 -include "$here/threads.h" \
    -I"$folder/$way" -I"$include" -I"$here" "$source" "$runtime" -lm -pthread -o "$folder/$way/program"
done
timeout 120 "$folder/program"
if timeout 120 "$folder/plain/program" > "$folder/plain/log" 2>&1; then
  echo "plain additions in the place of atomic ones were not found"
  exit 1
fi
grep -q "ThreadSanitizer: data race" "$folder/plain/log"
