#!/bin/sh
# usage: run.sh GRADWRIGHT INCLUDE RUNTIME FOLDER SOURCE STANDARD COMPILER FLAGS...
# Makes the gradients of the source, asks which have a pragma, and runs them by one thread and by four.
set -e
gradwright=$1 include=$2 runtime=$3 folder=$4 source=$5 standard=$6
shift 6
rm -rf "$folder"
mkdir -p "$folder"
ending=h copy=$folder/loops.c
case $standard in *c++*) ending=hpp copy=$folder/loops.cpp ;; esac
sed "s/loops[.]grad[.]h/loops.grad.$ending/" "$source" > "$copy"
here=$(dirname "$source")
text=$folder/loops.grad.$ending
"$gradwright" "$copy" -o "$text" -- -fopenmp "$standard" -I"$include" -I"$here"
of() { # the text of one function's gradient
  sed -n "/^\/\/ Gradient of $1 /,/^}/p" "$text"
}
shared_out=true
sed -n 's/^void \([a-z_]*\)(.*/\1/p; /^\/\* ---- in order/p' "$source" > "$folder/names"
while read -r name rest; do
  if [ "$name" = "/*" ]; then
    shared_out=false
  elif $shared_out; then
    of "$name" | grep -q '#pragma omp parallel for' || { echo "$name has no pragma"; exit 1; }
  elif of "$name" | grep '#pragma'; then
    echo "$name has a pragma: its iterations meet" && exit 1
  fi
done < "$folder/names"
[ "$(grep -c . "$folder/names")" -gt 12 ] || { echo "too few functions"; exit 1; }
"$@" "$standard" -fopenmp -Wall -Wextra -Werror -I"$include" -I"$here" "$copy" "$runtime" -lm -o "$folder/loops"
for threads in 1 4; do
  OMP_NUM_THREADS=$threads "$folder/loops"
done
