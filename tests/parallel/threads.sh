#!/bin/sh
# usage: threads.sh GRADWRIGHT INCLUDE RUNTIME FOLDER SOURCE COMPILER
# The source and its gradients under ThreadSanitizer, which must find nothing; and once more with plain
# additions in the place of atomic ones, of which it must find some. Under LeakSanitizer, which must find
# nothing; and once more without what frees a tape.
set -e
gradwright=$1 include=$2 runtime=$3 folder=$4 source=$5 compiler=$6
name=$(basename "$source" .cpp)
here=$(dirname "$source")
rm -rf "$folder"
mkdir -p "$folder/plain" "$folder/kept"
"$gradwright" "$source" -o "$folder/$name.grad.hpp" -- -std=c++20 -I"$include" -I"$here"
sed 's/gw_atomic_add(&\(.*\), \([^;]*\));/\1 += \2;/' "$folder/$name.grad.hpp" > "$folder/plain/$name.grad.hpp"
cmp -s "$folder/$name.grad.hpp" "$folder/plain/$name.grad.hpp" && echo "nothing is atomic" && exit 1
sed '/gw_host_tape_free(/d' "$folder/$name.grad.hpp" > "$folder/kept/$name.grad.hpp"
cmp -s "$folder/$name.grad.hpp" "$folder/kept/$name.grad.hpp" && echo "nothing is freed" && exit 1
build() {  # SANITIZER WAY PROGRAM
  $compiler -std=c++20 -O1 -g "-fsanitize=$1" -D_GLIBCXX_USE_TBB_PAR_BACKEND=0 -include "$here/threads.h" \
    -I"$folder/$2" -I"$include" -I"$here" "$source" "$runtime" -lm -pthread -o "$folder/$2/$3"
}
# finds WAY PROGRAM WHAT: the program ends with that report.
finds() {
  if timeout 120 "$folder/$1/$2" > "$folder/$1/log" 2>&1; then
    echo "$1: nothing was found"
    exit 1
  fi
  grep -q "$3" "$folder/$1/log"
}
build thread . threads
build thread plain threads
build leak . leaks
build leak kept leaks
timeout 120 "$folder/threads"
finds plain threads "ThreadSanitizer: data race"
timeout 120 "$folder/leaks"
finds kept leaks "LeakSanitizer: detected memory leaks"
