#!/bin/bash
# usage: precompiled_test.sh GRADWRIGHT FOLDER CASE
# Headers that are read once (--precompiled): the same text and the same rule for make with them, made anew when
# one changes, and nothing lost where there can be none.
. "$(dirname "$0")/helpers.sh"
unset GW_PRECOMPILED
export CUDA_PATH=/nonexistent # the CPU device's headers, which are read faster
made() { ls -i pre/*.pch 2>/dev/null; }
files() { tr -s ' \\' '\n' <"$1" | sort; }
cat >first.cuh <<'END'
#pragma once
#include <cmath>
#include <gradwright/gradwright.h>
template <class T> __device__ T times(T x) { return 3 * std::sin(x); }
END
cat >x.cu <<'END'
#include "first.cuh"
GW_GRADIENT("y wrt x") __global__ void f(double *y, const double *x) { y[threadIdx.x] = times(x[threadIdx.x]); }
END
plain() { expect 0 x.cu -o plain -MD -MF rule -MT x -- "${flags[@]}"; }
same() { # OPTION...: with them, text and rule are those of plain
  expect 0 x.cu -o text -MD -MF other_rule -MT x "$@" -- "${flags[@]}"
  cmp plain text || fail "another text with $*"
  diff <(files rule) <(files other_rule) || fail "another rule with $*"
}
for flags in -std=c++20 -std=c++17; do
  plain
  same --precompiled=pre
  before=$(made)
  same --precompiled=pre
  [ -n "$before" ] && [ "$(made)" = "$before" ] || fail "not made once: $before, then $(made)"
done
[ "$(made | wc -l)" = 2 ] || fail "$(made | wc -l) headers for two standards"
GW_PRECOMPILED=pre same
[ "$(made | wc -l)" = 2 ] || fail 'the variable is not the option'

# One of the user's own in it, which changes, of the same size.
same --precompiled=pre --precompile=first.cuh
[ "$(made | wc -l)" = 3 ] || fail 'none is made of first.cuh'
before=$(made)
sed -i 's/3 \*/5 */' first.cuh
plain
same --precompiled=pre --precompile=first.cuh
shows '5' text && [ "$(made)" != "$before" ] || fail 'what changed is not seen'

# A mistake in the source is said as ever; in the header, too, and nothing is kept of it.
sed 's/times(x/tines(x/' x.cu >wrong_name.cu
expect 1 wrong_name.cu --precompiled=pre -- "${flags[@]}" && says "undeclared identifier 'tines'"
cp first.cuh good.cuh && echo '#error broken' >>first.cuh
before=$(made | wc -l)
expect 1 x.cu --precompiled=pre --precompile=first.cuh -- "${flags[@]}" && says broken
[ "$(made | wc -l)" = "$before" ] || fail 'a broken header is kept'
cp good.cuh first.cuh

# Damaged, not a folder, or what the user's flags include first: read as without.
for header in pre/*.pch; do head -c 1000 "$header" >part && cat part >"$header"; done
same --precompiled=pre
: >file && same --precompiled=file
[ -z "$(ls pre | grep -v '^[0-9a-f]*\.\(pch\|list\)$' | grep -v '^begin.cu$')" ] || fail "left: $(ls pre)"
flags=(-std=c++17 -include cstdint)
plain
same --precompiled=none
[ ! -e none ] || fail 'headers of the flags were precompiled'
echo good
