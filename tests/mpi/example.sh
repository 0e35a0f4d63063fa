#!/bin/sh
# usage: example.sh GWCC SOURCE FOLDER PROCESSES...
# Builds the example with Open MPI and OpenMP, and runs it by so many processes of two threads each.
set -e
gwcc=$1 source=$2 folder=$3
shift 3
command -v mpicc.openmpi >/dev/null && command -v mpirun.openmpi >/dev/null || { echo "no Open MPI"; exit 77; }
rm -rf "$folder"
mkdir -p "$folder"
CC=mpicc.openmpi "$gwcc" -O2 -fopenmp -Wall -Wextra -Werror "$source" -o "$folder/example"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive
for processes in "$@"; do
  timeout 100 mpirun.openmpi -n "$processes" "$folder/example"
done
