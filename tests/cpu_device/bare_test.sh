#!/bin/sh
# usage: bare_test.sh COMMAND-DIRECTORY CLANG++ CASE
# A machine without a CUDA toolkit: one that is installed is hidden, on the system's include path too.
set -u
here=$(cd "$(dirname "$0")" && pwd)
bin=$1 clang=$2 case=$3
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
fail() { echo "FAILED: $1"; cat log; exit 1; }
must() { "$@" >log 2>&1 || fail "$*"; }
refuse() { # TEXT COMMAND...
  text=$1
  shift
  ! "$@" >log 2>&1 || fail "succeeds: $*"
  grep -qF -- "$text" log || fail "does not say '$text': $*"
}
obey() { # CODE COMMAND...: what was refused last by the way out of it
  code=$1
  shift
  grep -qF -- "[$code]" log || fail "does not say [$code]"
  must "$@"
  ! grep -qF -- "[$code]" log || fail "says [$code] of what obeys it"
}

export CUDA_PATH=/nonexistent
flags=-nostdinc
for folder in $("$clang" -E -v -x c++ /dev/null 2>&1 | sed -n '/^#include </,/^End/s/^ //p'); do
  [ -e "$folder/cuda_runtime.h" ] || flags="$flags -isystem $folder"
done
cat >square.cu <<'END'
#include <gradwright/gradwright.h>
#include <cooperative_groups.h>
#include <cuda_fp16.h>
#ifdef HEADER
#include HEADER
#endif
GW_GRADIENT("y wrt x")
__global__ void square(float *y, const float *x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] * x[i];
}
#include "square.grad.cuh"
int main() {
    float *memory;
    cudaMallocManaged(&memory, 16);
    memory[0] = 3, memory[1] = 0, memory[2] = 1, memory[3] = 0;
    square_grad<<<1, 32>>>(memory + 1, memory, 1, memory + 2, memory + 3);
    cudaDeviceSynchronize();
    return memory[3] != 6;
}
END
case $case in
plain)
  must "$bin/gwcc" --device=cpu $flags square.cu -o square
  must ./square
  must "$bin/gradwright" square.cu -- $flags
  must "$bin/gwcc" --device=cpu $flags '-DHEADER=<cub/cub.cuh>' -c square.cu -o square.o # one of our own
  missing="square.cu:5:10: error: 'cusolverDn.h' file not found"
  refuse "$missing: it is a CUDA toolkit's header, and there is no toolkit [no-toolkit]" \
    "$bin/gwcc" --device=cpu $flags '-DHEADER=<cusolverDn.h>' -c square.cu -o square.o
  [ "$(grep -c error: log)" = 2 ] || fail 'what follows from it is said too'
  mkdir -p toolkit/include && touch toolkit/include/cuda_runtime.h toolkit/include/cusolverDn.h
  obey no-toolkit env CUDA_PATH="$work/toolkit" \
    "$bin/gwcc" --device=cpu $flags '-DHEADER=<cusolverDn.h>' -c square.cu -o square.o
  printf '#include <cublas_v2.h>\n' >blas.cu
  refuse "note: 'cublas_v2.h' is a CUDA toolkit's header, and there is no toolkit" \
    "$bin/gwcc" --device=cpu $flags -c blas.cu -o blas.o ;;
thrust)
  thrust=${GW_THRUST:-/usr/include}
  [ -e "$thrust/thrust/version.h" ] ||
    { echo "SKIPPED: no Thrust in '$thrust': install libthrust-dev, or name its folder by GW_THRUST"; exit 77; }
  printf '#include "thrust.h"\nint main() { try_thrust(); }\n' >program.cu
  cat square.cu >>program.cu
  sed -i 's/int main() {$/int other() {/; s/square\.grad/program.grad/' program.cu
  must "$bin/gwcc" --device=cpu $flags -isystem "$thrust" "-I$here" program.cu -o program
  must ./program ;;
esac
