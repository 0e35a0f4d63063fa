#!/bin/sh
# usage: libraries_test.sh COMMAND-DIRECTORY CLANG++ PLUGIN INCLUDE CASE
# The libraries of the installed toolkit without a flag that names their folder: toolkit/libraries_kernel.cu.
# What nvcc has for the host, too: toolkit/host_functions.cu.
set -u
here=$(cd "$(dirname "$0")" && pwd)
bin=$1 clang=$2 plugin=$3 include=$4 case=$5
toolkit=${CUDA_PATH:-/usr/local/cuda}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
cp "$here/toolkit/libraries_kernel.cu" "$here/toolkit/host_functions.cu" .
skip() { echo "SKIPPED: $1"; exit 77; }
must() { "$@" >log 2>&1 || { echo "FAILED: $*"; cat log; exit 1; }; }

[ -d "$toolkit/include/cccl/thrust" ] || skip "no CUDA toolkit with a folder cccl in '$toolkit'"
case $case in
command)
  must "$bin/gradwright" libraries_kernel.cu -- -DWITH_CLUSTERS
  grep -q square_grad_launch libraries_kernel.grad.cuh || { echo "FAILED: no gradient"; exit 1; }
  must "$bin/gradwright" host_functions.cu
  grep -q square_grad_launch host_functions.grad.cuh ||
      { echo "FAILED: no gradient of host_functions.cu"; exit 1; }
  must "$bin/gradwright" libraries_kernel.cu
  grep -q tiles_grad_launch libraries_kernel.grad.cuh || { echo "FAILED: no gradient of groups"; exit 1; } ;;
nvcc)
  command -v "$toolkit/bin/nvcc" >log || skip "no nvcc in '$toolkit/bin'"
  export GW_NVCC="$toolkit/bin/nvcc"
  must "$bin/gwcc" --device=cuda -DWITH_CLUSTERS -c libraries_kernel.cu -o out.o
  must "$bin/gwcc" --device=cuda -c libraries_kernel.cu -o out.o
  must "$bin/gwcc" --device=cuda -c host_functions.cu -o out.o ;;
plugin)
  set -- "--cuda-path=$toolkit" --cuda-gpu-arch=sm_90 -Wno-unknown-cuda-version
  "$clang" "$@" --cuda-device-only -S -x cuda /dev/null -o /dev/null 2>log ||
    skip "$clang does not read this toolkit: $(head -1 log)"
  must "$clang" "-fplugin=$plugin" "-I$include" "$@" --cuda-device-only -fsyntax-only libraries_kernel.cu
  must "$clang" "-fplugin=$plugin" "-I$include" "$@" --cuda-host-only -fsyntax-only libraries_kernel.cu ;;
each) # Thrust's public headers, each alone: one that is read in the middle of another is incomplete there.
  for header in "$toolkit"/include/cccl/thrust/*.h; do
    printf '#include <thrust/%s>\nint main() { return 0; }\n' "${header##*/}" >one.cu
    must "$bin/gwcc" --device=cpu -c one.cu -o one.o
  done ;;
esac
