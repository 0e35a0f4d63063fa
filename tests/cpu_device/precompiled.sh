#!/bin/sh
# usage: precompiled.sh GWCC CLANG
# Precompiled headers: the same programs with them, made anew when a header changes, and nothing lost where
# there can be none.
set -u
gwcc=$1 clang=$2
unset GW_PRECOMPILED
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
fail() { echo "FAILED: $1"; cat log; exit 1; }
made() { ls pre 2>/dev/null | grep -c '\.pch$'; }
says() { # TEXT FLAG...: the program, compiled with the flags, prints the text
  text=$1
  shift
  "$gwcc" --device=cpu --precompile="$work/frame.cuh" "$@" x.cu -o x >log 2>&1 || fail "gwcc $*"
  [ "$(./x)" = "$text" ] || fail "gwcc $*: '$(./x)', not '$text'"
}

cat >frame.cuh <<'END'
#ifndef FRAME
#define FRAME
#include <cstdio>
#include <gradwright/gradwright.h>
#include <gradwright/runtime.h>
template <class T> __device__ T times(T x) { return FACTOR * x; }
static const char *frame() { return "first"; }
#endif
END
cat >x.cu <<'END'
#include "frame.cuh"
GW_GRADIENT("y wrt x") __global__ void f(double *y, const double *x) { *y = times(*x); }
#include "x.grad.cuh"
int main() {
  double *d, h[3] = {3, 1, 0};
  cudaMalloc(&d, 4 * sizeof *d);
  cudaMemcpy(d + 1, h, sizeof h, cudaMemcpyHostToDevice);
  f_grad_launch(1, 1, 0, 0, d, d + 1, d + 2, d + 3, nullptr, 0);
  cudaMemcpy(h, d + 3, sizeof *h, cudaMemcpyDeviceToHost);
  printf("%g %s", h[0], frame());
}
END
says "2 first" -DFACTOR=2 --precompiled=pre
[ "$(made)" = 1 ] || fail "made for one use, beside gradwright's"
says "2 first" -DFACTOR=2 --precompiled=pre
[ "$(made)" = 3 ] ||
    fail "$(made) precompiled headers, not 3: gradwright's, the host pass's and the device pass's"
"$gwcc" --device=cpu --precompile="$work/frame.cuh" -DFACTOR=2 --precompiled=pre --verbose x.cu -o x >log 2>&1
[ "$(grep -c -- '-include-pch pre/' log)" = 2 ] || fail "not taken"
grep -q -- "--precompiled=pre --precompile=$work/frame.cuh" log || fail "not handed on to gradwright"
[ "$(made)" = 3 ] || fail "made twice"
says "3 first" -DFACTOR=3 --precompiled=pre
GW_PRECOMPILED=pre says "3 first" -DFACTOR=3
[ "$(made)" = 6 ] || fail "other flags took the same precompiled headers, or GW_PRECOMPILED is not the option"

# A header that changed, of the same size too.
sed -i 's/first/other/' frame.cuh
touch -d '+2 seconds' frame.cuh
says "2 other" -DFACTOR=2 --precompiled=pre

# libclang crashes on one of C++20 that has no record of what was preprocessed; gradwright's has one.
for run in 1 2 3; do says "2 other" -DFACTOR=2 -std=c++20 --precompiled=pre; done

# Through ccache, which does not see a macro in preprocessed text.
if command -v ccache >/dev/null; then
  mkdir cached
  ln -s "$(command -v ccache)" "cached/clang++-$(basename "$clang" | sed 's/.*-//')"
  sed -i '$d' frame.cuh
  printf '#ifdef SECOND\n#define WORD "second"\n#else\n#define WORD "plain"\n#endif\n#endif\n' >>frame.cuh
  sed -i 's/, frame()/, WORD/' x.cu
  touch -d '-60 seconds' frame.cuh
  export GW_CLANG=$work/cached/$(ls cached) CCACHE_DIR=$work/ccache CCACHE_SLOPPINESS=pch_defines,time_macros
  for round in 1 2 3; do
    says "2 plain" -DFACTOR=2 --precompiled=through
    says "2 second" -DFACTOR=2 -DSECOND --precompiled=through
  done
  unset GW_CLANG
fi

# None can be there.
: >file
last="2 $(grep -q WORD frame.cuh && echo plain || echo other)"
says "$last" -DFACTOR=2 --precompiled=file
before=$(made)
says "$last" -DFACTOR=2 --precompiled=pre -include cstdint
says "$last" -DFACTOR=2 --precompiled=pre -include cstdint
[ "$(made)" = "$before" ] || fail "headers of the user's were precompiled"
echo '#error broken' >>frame.cuh
"$gwcc" --device=cpu --precompile="$work/frame.cuh" -DFACTOR=2 --precompiled=pre x.cu -o x >log 2>&1 &&
    fail "a broken header"
grep -q broken log || fail "the header's error is not told"
[ -z "$(ls . pre | grep gwcc-)" ] || fail "staging files left: $(ls . pre)"
echo "all good"
