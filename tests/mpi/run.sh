#!/bin/sh
# usage: run.sh GRADWRIGHT INCLUDE RUNTIME FOLDER SOURCE STANDARD COMPILER RUN PROCESSES...
# Makes the gradients of the source, compiles it with an MPI's compiler, and runs it by so many processes each.
set -e
gradwright=$1 include=$2 runtime=$3 folder=$4 source=$5 standard=$6 compiler=$7 run=$8
shift 8
command -v "$compiler" >/dev/null && command -v "$run" >/dev/null || { echo "no $compiler"; exit 77; }
rm -rf "$folder"
mkdir -p "$folder"
ending=h copy=$folder/calls.c
case $standard in *c++*) ending=hpp copy=$folder/calls.cpp ;; esac
sed "s/calls[.]grad[.]h/calls.grad.$ending/" "$source" > "$copy"
"$gradwright" "$copy" -o "$folder/calls.grad.$ending" -- "$standard" -I"$include" -I"$(dirname "$source")"
# what MPI includes is none of the text's
"$compiler" "$standard" -O1 -Wall -Wextra -Werror -Wno-cast-function-type -Wno-stringop-overflow \
  -I"$include" -I"$(dirname "$source")" "$copy" "$runtime" -lm -o "$folder/calls"
# A process that waits sleeps, so that more of them than cores get on.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_rmaps_base_oversubscribe=1
for processes in "$@"; do
  timeout 100 "$run" -n "$processes" "$folder/calls"
done
# Nothing hangs: 124 would be the limit's status.
for how in killed other; do
  status=0
  timeout 60 "$run" -n 2 "$folder/calls" "$how" > "$folder/said" 2>&1 || status=$?
  [ $status != 0 ] && [ $status != 124 ] || { echo "$how: status $status"; cat "$folder/said"; exit 1; }
done
grep -q 'does not run the same derivative' "$folder/said" || { cat "$folder/said"; exit 1; }
