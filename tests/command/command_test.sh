#!/usr/bin/env bash
# command_test.sh GRADWRIGHT SOURCES CASE - what the command promises about its input, output and exit status.
# Each case runs in an empty folder and fails at the first promise that is not kept.
set -uo pipefail
. "$(dirname "$0")/helpers.sh"

passes() { "$gradwright" --list-passes | awk 'NR > 1 && !/^ / {print $1}'; }

case_information() {
  expect 0 --help && shows 'usage: gradwright FILE' && shows '--from-ir=FILE'
  local rung
  for rung in $(sed -n 's/^GW_RUNG[A-Z_]*([A-Z]*, "\([a-z-]*\)".*/\1/p' \
      "$sources/../../analysis/ir/rungs.def"); do
    shows "$rung" || fail "the help does not name the rung $rung"
  done
  expect 0 -h && shows 'usage:'
  expect 0 --version &&
      grep -qE '^gradwright [0-9]+\.[0-9]+\.[0-9]+ \(commit ([0-9a-f]+|unknown), LLVM [0-9.]+' out ||
      fail 'no version'
  expect 0 --list-passes
  [ "$(passes)" = \
      "$(sed -n 's/^GW_\(PASS\|GROUP\)("\([a-z-]*\)".*/\2/p' "$sources/../../analysis/ir/passes.def")" ] ||
    fail 'the list is not that of passes.def'
  [ "$(passes | head -1)" = front ] && [ "$(passes | tail -1)" = alone ] ||
      fail 'the passes do not lead from front to alone'
}

case_usage() {
  expect 2 && says 'no source file is given'
  expect 2 mixed.cu --explian && says "unknown option '--explian'; did you mean '--explain'?"
  expect 2 mixed.cu --something-else && says "unknown option '--something-else'"
  expect 2 mixed.cu "--$(printf 'a%.0s' $(seq 100))" && { ! grep -q 'did you mean' err ||
      fail 'a suggestion from afar'; }
  expect 2 mixed.cu -Ifolder && says 'flags for Clang stand behind --'
  expect 2 mixed.cu --explain=yes && says "option 'explain' takes no value"
  expect 2 mixed.cu -o && says "option 'output' needs a value"
  expect 2 mixed.cu --dump -- -I. && says "option 'dump' needs a value"
  expect 2 mixed.cu --dump=adjiont && says "unknown pass 'adjiont'; did you mean 'adjoint'?"
  expect 2 mixed.cu --stop-after=nothing && says "unknown pass 'nothing'"
  expect 2 mixed.cu --accumulate=atomics && says "did you mean 'atomic'?"
  expect 2 mixed.cu --without=wlak && says "unknown step 'wlak'; did you mean 'walk'?" &&
    says 'the steps are promote, originals, '
  expect 2 mixed.cu --smt=offf && says "unknown answer for --smt 'offf'; did you mean 'off'?"
  expect 2 mixed.cu --smt-budget=0 && says "--smt-budget is a number from 1 to 4000000, not '0'"
  expect 2 mixed.cu --smt-time=0 && says "--smt-time is a number from 1 to 3600000, not '0'"
  expect 2 mixed.cu --smt-time=3600001 && says "--smt-time is a number from 1 to 3600000, not '3600001'"
  expect 2 mixed.cu --gradient 'ns::f' && says "'ns::f' is no request"
  expect 2 mixed.cu --from-ir=x && says '--from-ir stands in place of a source file'
  expect 2 --from-ir=x --gradient 'f: wrt x' && says '--gradient does not go with --from-ir'
  silent
  only ''
}

case_names() {
  mkdir -p sub/dir
  cp square.cpp sub/dir/square.cc
  sed '/plain/d' square.cpp >sub/dir/square.c
  cp mixed.cu sub/dir/mixed.cu
  expect 0 sub/dir/square.cc && [ -f sub/dir/square.grad.hpp ] || fail 'no square.grad.hpp'
  expect 0 sub/dir/square.c && [ -f sub/dir/square.grad.h ] || fail 'no square.grad.h'
  expect 0 sub/dir/mixed.cu && [ -f sub/dir/mixed.grad.cuh ] || fail 'no mixed.grad.cuh'
  silent
  expect 0 square.cpp -o other.h && shows square_grad other.h
  expect 0 square.cpp --output=- && cmp out other.h || fail 'standard output differs from the file'
  expect 0 square.cpp --output third.h -- -DX=1 && cmp third.h other.h || fail 'third.h differs'
  only 'sub|other.h|third.h'
}

# What a gradient's file declares says nothing about the names of the next one; any other file does, whatever it
# is called.
case_taken() {
  cat >taken.cpp <<'END'
#include <gradwright/gradwright.h>
#include "part.grad.utils.h"
GW_GRADIENT("y wrt x")
void square(const float *x, float *y) { y[0] = x[0] * x[0]; }
#include "taken.grad.hpp"
END
  printf '#define d_x 3\n' >part.grad.utils.h
  expect 0 taken.cpp -- "-I$sources/../../include"
  shows 'd_x_2' taken.grad.hpp
  cp taken.grad.hpp first.hpp
  expect 0 taken.cpp -- "-I$sources/../../include"
  cmp -s taken.grad.hpp first.hpp || fail 'the second run has other names'
  expect 0 taken.cpp -o own.hpp -- "-I$sources/../../include" && sed -i 's/taken.grad.hpp/own.hpp/' taken.cpp
  cp own.hpp first.hpp
  expect 0 taken.cpp -o own.hpp -- "-I$sources/../../include"
  cmp -s own.hpp first.hpp || fail 'the second run into a file of that name has other names'
}

case_requests() {
  expect 0 square.cpp -o - --gradient 'plain: y wrt x' && shows plain_grad && shows square_grad
  sed -i '/GW_GRADIENT/d' square.cpp
  expect 1 square.cpp -o - && says 'no derivative is requested'
  expect 0 square.cpp -o - --gradient='square: wrt x' && shows square_grad
  expect 0 square.cpp -o - --derivative 'square: wrt x' && shows square_jvp
  expect 2 --from-ir=x --derivative 'f: wrt x' && says '--derivative does not go with --from-ir'
  expect 1 square.cpp -o - --gradient 'squared: wrt x' && says "no function 'squared'"
  expect 1 square.cpp -o - --gradient 'square: wrt z' && says "'z' names no parameter of 'square'"
  silent
}

case_checkpoints() { # of loops, from outside of the source
  cat >loops.c <<'END'
double f(double x, int n) {
  for (int k = 0; k < n; k++)
    x = x * x;
  for (int k = 0; k < n; k++) x = 2 - x * x;
  return x;
}
END
  expect 0 loops.c -o - --gradient 'f: wrt x' --explain --checkpoint f:2=25 --checkpoint 'f:4=binomial 7'
  says 'stores what this loop carries every 25 iterations'
  says 'stores what this loop carries at most 7 times'
  printf '%s\n' 'f: wrt x' 'checkpoint f:4=3 # the second' >list
  expect 0 loops.c -o - --requests list --explain && says 'every 3 iterations'
  printf '%s\n' 'f: wrt x' 'checkpoint f:3=3' >list
  expect 1 loops.c -o - --requests list &&
      says "list:2:1: error: 'f:3=3' names no loop of a function that is differentiated"
  expect 2 --from-ir=x --checkpoint f:2=25 && says '--checkpoint does not go with --from-ir'
  cat >halves.c <<'END'
void g(double *y, int n) {
  for (int k = 0; k < n; k++)
    y[k] *= y[k] * y[k + 1];
}
END
  expect 0 halves.c -o - --split 'g: y wrt y' --explain --checkpoint g:2=25
  says 'GW_CHECKPOINT has no effect here; all iterations are on the tape: the second half would not find again what a segment needs'
}

case_outside() { # requests on code that is not edited: by signature, on templates and members, from files
  cat >code.cpp <<'END'
namespace ns {
float f(float x) { return x * x; }
float f(float x, const float *y) { return x * *y; }
double f(double x) { return x * x * x; }
template <int N> double power(double x) { double p = 1; for (int i = 0; i < N; i++) p *= x; return p; }
template <class T> struct line { T k; T at(T x) const { return k * x; } T at(T x) { return k * x * x; } };
template <> struct line<long double> { long double k; long double at(long double x) const { return k * x; } };
struct point { double x; double twice() const { return 2 * x; } };
enum color { green, red };
struct cost {
  double k;
  template <class T> bool operator()(const T *const x, T *r) const { r[0] = k * x[0] * x[0]; return true; }
  double plain(double x) const { return k * x; }
  template <int N> double times(double x) const { return N * k * x; }
  template <color C, unsigned long N> static double picked(double x) { return C == red ? N * x : x * x; }
  template <class T> T made(double x) const { return (T)(k * x); }
};
double used(cost c, double x) { return c.times<2>(x); }
}
END
  printf '%s\n' '# requests' '' 'ns::f(float, const float *): wrt x, y # both' \
      'derivative ns::f(double): wrt x' \
    '  cubed = unknown' >list
  expect 1 code.cpp -o - --requests list && says 'list:5:1: error: cannot read the request'
  printf '%s\n' 'ns::f(float, const float *): wrt x, y' 'derivative ns::f( double ): wrt x' \
      'gradient ns::point::twice: wrt x' >list
  expect 0 code.cpp -o - --requests=list --gradient 'ns::f(float): square = wrt x' --gradient \
      'ns::power<3>: wrt x' \
    --gradient 'ns::power<4>: fourth = wrt x' --gradient 'ns::line<float>::at(float) const: wrt x, k'
  shows 'f_grad(float x, const float *y, ' && shows 'double f_jvp(double x, ' &&
      shows 'point_twice_grad(const ns::point &self, '
  shows 'inline void square(float x, ' && shows 'power_grad<3>(double x, ' && shows 'fourth<4>(double x, '
  shows 'line_at_grad(const ns::line<float> &self, '
  expect 0 code.cpp -o - --gradient 'ns::line<float>::at(float): wrt x' &&
      shows 'line_at_grad(ns::line<float> &self, '
  expect 0 code.cpp -o - --gradient 'ns::cost::operator()<double>: g = r wrt x, self' \
      --gradient 'ns::cost::operator()<float>: h = r wrt x' --gradient 'ns::cost::plain(double): wrt x' \
      --gradient 'ns::line<long double>::at(long double): wrt x'
  shows 'void g(const ns::cost &self, const double ' && shows 'void h(const ns::cost &self, const float '
  shows 'cost_plain_grad(const ns::cost &self, ' && shows 'line_at_grad(const ns::line<long double> &self, '
  expect 0 code.cpp -o - --gradient 'ns::cost::times<2>: twice = wrt x' \
      --gradient 'ns::cost::times<5>: wrt x, k' \
      --gradient 'ns::cost::picked<ns::red, 7>(double): wrt x' --gradient 'ns::cost::made<double>: m = wrt x'
  shows 'void twice(const ns::cost &self, ' && shows 'cost_times_grad(const ns::cost &self, '
  shows 'cost_picked_grad<ns::red, 7>(double x, ' && shows 'void m(const ns::cost &self, '
  expect 1 code.cpp -o - --gradient 'ns::cost::times<int>: wrt x' && says 'no instantiation of the template'
  expect 1 code.cpp -o - --gradient 'ns::line<int*>::at: wrt x' && says "no instantiation of the template"
  expect 0 code.cpp -o x.hpp -MD -MF deps --requests list && grep -q ' list$' deps ||
      fail "no dependency on the file of requests"
  expect 2 --from-ir=x --requests list && says '--requests does not go with --from-ir'
}

case_launches() { # facts about launches, from outside and in dumps
  cat >kernel.cu <<'END'
extern "C" __global__ void f(float *y, const float *x, int n) {
  y[blockIdx.x * 64 + threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x] * x[n];
}
END
  local include flags stage
  include=$(dirname "$gradwright")/../include
  flags=(-x cuda --cuda-device-only -nocudainc -nocudalib "-I$include" -include gradwright/cpu/cuda_runtime.h
    "-I$include/gradwright/cpu")
  expect 0 kernel.cu -o - --gradient 'f: y wrt x' --launch 'f: blockDim.x <= 64, n % 2 == 0' -- "${flags[@]}" &&
      shows 'block.x > 64' && shows 'n % 2 != 0'
  echo 'launch f: blockDim.x <= 64' >list
  expect 0 kernel.cu -o - --gradient 'f: y wrt x' --requests list -- "${flags[@]}" && shows 'block.x > 64'
  echo 'launch f: blockDim.w <= 64' >list
  expect 1 kernel.cu -o - --gradient 'f: y wrt x' --requests list -- "${flags[@]}" &&
      says 'list:1:1: error: GW_LAUNCH'
  expect 2 --from-ir=x --launch 'f: n == 1' && says '--launch does not go with --from-ir'
  cat >packed.cu <<'END'
extern "C" __global__ void f(float *y, const float *x, const float *z, const int *at) {
  y[threadIdx.x] = x[at[threadIdx.x]] * z[at[threadIdx.x]];
}
template <int N> __global__ void t(float *y, const float *x, const float *z, const int *at) {
  y[N * threadIdx.x] = x[at[threadIdx.x]] * z[at[threadIdx.x]];
}
END
  expect 0 packed.cu -o - --gradient 'f: y wrt x, z' --pack 'f: x, z' -- "${flags[@]}" &&
      shows 'f_grad_pack_bytes'
  expect 0 packed.cu -o - --gradient 't<3>: y wrt x, z' --gradient 't<2>: y wrt x, z' --pack 't<2>: x, z' \
      -- "${flags[@]}" && shows 't_grad_pack_bytes<2>' && shows 't_grad<3>(' &&
      ! grep -qF 't_grad_pack_bytes<3>' out
  echo 'pack f: x, z' >list
  expect 0 packed.cu -o - --gradient 'f: y wrt x, z' --requests list -- "${flags[@]}" &&
      shows 'f_grad_pack_bytes'
  echo 'pack g: x' >list
  expect 1 kernel.cu -o - --gradient 'f: y wrt x' --requests list -- "${flags[@]}" &&
      says "list:1:1: error: GW_PACK: 'x' cannot be part of a record: no derivative of 'g' is asked"
  expect 1 kernel.cu -o - --gradient 'f: y wrt x' --pack 'x' -- "${flags[@]}" && says 'it names no function'
  expect 2 --from-ir=x --pack 'f: x' && says '--pack does not go with --from-ir'
  expect 0 kernel.cu -o text --gradient 'f: y wrt x' --launch 'f: blockDim.x <= 64, n > 2 or atomic' \
    -- "${flags[@]}" && grep -q f_grad_or_atomic_launch text || fail 'no second form'
  for stage in front adjoint ownership; do
    expect 0 kernel.cu -o dump --dump=$stage --gradient 'f: y wrt x' \
      --launch 'f: blockDim.x <= 64, n > 2 or atomic' -- "${flags[@]}"
    grep -q '^  launch "blockDim.x <= 64" or_atomic$' dump || fail "no fact in the dump behind $stage"
    expect 0 --from-ir=dump -o again
    cmp -s <(grep -v '^/\*\|^//' text) <(grep -v '^/\*\|^//' again) || fail "another text from behind $stage"
  done
  sed 's/launch "n > 2"/launch "n > 2, n < 4"/' dump >two && expect 1 --from-ir=two -o - && says 'not two'
  sed 's/launch "n > 2"/launch "m > 2"/' dump >none && expect 1 --from-ir=none -o - &&
      says 'neither a dimension'
}

# A request, a promise or a checkpoint from outside means one function; the same source read by any spelling of
# its language.
case_targets() {
  cat >kernels.cuh <<'END'
#pragma once
namespace k {
template <int N> __global__ void scaled(float *y, const float *x, const int *list) { y[threadIdx.x] = N * x[list[threadIdx.x]]; }
__global__ void squares(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }
struct line { double k; double at(double x) const { return k * x; } };
}
END
  cat >own.cu <<'END'
#include "kernels.cuh"
#include <cstdio>
struct A { double k; double f(double x) const { return k * x * x; } operator double() const { return k * k; } };
double f(double x) { return x * x * x; }
namespace lib { inline namespace v1 {
double g(double x) { return x * x; }
template <class T> struct box { T k; double at(double x) const { return k * x * x; } };
} }
double use(lib::box<float> b) { return b.at(1); }
double operator*(A a, A b) { return a.k * b.k; }
#include "own.grad.cuh"
int main() {
  float y[2], x[2] = {3, 4}, d_y[2] = {1, 1}, d_x[2] = {0, 0}, e_y[2] = {1, 2}, e_x[2] = {0, 0};
  int list[2] = {1, 0};
  k::squares_grad<<<1, 2>>>(y, x, d_y, d_x);
  k::scaled_grad<3><<<1, 2>>>(y, x, list, e_y, e_x);
  cudaDeviceSynchronize();
  A a{2}, d_a{0}, d_b{0}, d_c{0};
  k::line m{2}, d_m{0};
  lib::box<float> b{2}, d_box{0};
  double d = 0, d_f = 0, d_g = 0, d_k = 0, d_at = 0;
  A_f_grad(a, 3.0, &d_a, &d), f_grad(3.0, &d_f), lib::g_grad(3.0, &d_g), k::line_at_grad(m, 3.0, &d_m, &d_k);
  product(a, A{5}, &d_b), squared(a, &d_c), lib::box_at_grad(b, 3.0, &d_box, &d_at);
  printf("%g %g %g %g %g %g %g %g ", d_x[0], d_x[1], e_x[0], e_x[1], d_a.k, d, d_f, d_g);
  printf("%g %g %g %g %g %g\n", d_m.k, d_k, d_b.k, d_c.k, d_box.k, d_at);
}
END
  printf '%s\n' 'squares: y wrt x' 'scaled<3>: y wrt x' 'f: wrt x' 'A::f: wrt x, k' 'lib::v1::g: wrt x' \
      'line::at: wrt x, k' \
    'operator*(A, A): product = wrt a' 'A::operator double: squared = wrt k' 'box<float>::at: wrt x, k' >list
  local gwcc flags language of
  gwcc=$(dirname "$gradwright")/gwcc
  "$gwcc" --device=cpu own.cu -o own --gradwright-arg=--requests=list >out 2>err && ./own >out ||
      fail 'the program does not build and run'
  [ "$(cat out)" = '6 8 6 3 9 12 27 6 3 2 5 4 9 12' ] || fail "the program prints $(cat out)"
  read -ra flags <<<"$("$gwcc" --device=cpu --print-parse-flags)"
  sed '/own.grad/,$d' own.cu >alone.cu
  for of in '::f|x' 'f(double)|x' 'v1::g|x' 'A::operator double() const|k' 'operator * ( A , A )|a' \
      'lib::box<float>::at(double) const|x' \
    'lib::v1::box<float>::at|k'; do
    expect 0 alone.cu -o - --gradient "${of%|*}: made = wrt ${of#*|}" -- "${flags[@]}"
  done
  cp kernels.cuh plain.h
  expect 0 kernels.cuh -o - --gradient 'squares: y wrt x' -- "${flags[@]}"
  for language in '-x cuda' -xcuda --language=cuda; do
    expect 0 plain.h -o - --gradient 'squares: y wrt x' -- "${flags[@]}" $language &&
        shows '__global__ void squares_grad'
  done
  cp square.cpp square.text
  for language in '-x c++' -xc++; do expect 0 square.text -o - -- $language && shows square_grad; done
  # A promise is about what a request of that text is about.
  for of in 'k::scaled<3>' 'scaled<3>' 'k::scaled' 'scaled<3>(float *, const float *, const int *)'; do
    expect 0 alone.cu -o - --gradient 'scaled<3>: y wrt x' --promise "$of: injective list" --explain -- \
        "${flags[@]}"
    ! grep -q 'index-from-memory' err || fail "the promise of '$of' is not taken"
  done
  expect 1 alone.cu -o - --gradient 'scaled<3>: y wrt x' --promise 'scaled<4>: injective list' -- "${flags[@]}"
  says 'of which no derivative is asked'
}

case_sources() {
  older missing.grad.cuh
  expect 1 missing.cu && says "cannot read 'missing.cu': No such file or directory"
  # No plain file: refused before anybody waits for its text or its end.
  mkfifo pipe.cu
  expect 1 /dev/zero -o - -- -x cuda && says "cannot read '/dev/zero': it is a device"
  expect 1 . && says "cannot read '.': it is a directory"
  expect 1 pipe.cu &&
      says "cannot read 'pipe.cu': it is a pipe, and a source is read more than once: write it to a file"
  expect 1 /dev/fd/5 -o - -- -x c++ 5< <(cat square.cpp) && says 'it is a pipe'
  expect 0 /dev/fd/5 -o - -- -x c++ 5<square.cpp && shows 'd_x'
  # What is read once may come from a pipe.
  expect 0 square.cpp -o x.h --requests=/dev/fd/5 5< <(echo '# none')
  expect 0 square.cpp --dump=front -o dump
  expect 0 --from-ir=/dev/fd/5 5< <(cat dump) && shows 'd_x'
  expect 1 --from-ir=. && says "cannot read '.': Is a directory"
  # A dump names what it likes as its source.
  for it in /dev/zero pipe.cu; do
    sed "s#\"square.cpp\"#\"$it\"#g" dump >named
    expect 0 --from-ir=named --explain -o x.h
    expect 1 --from-ir=named --report=page.html -o x.h && says "cannot read '$it': it is a "
  done
  rm -f pipe.cu x.h dump named
  survives missing.grad.cuh
  mkdir folder.cu
  expect 1 folder.cu && says "cannot read 'folder.cu'"
  cp square.cpp square.text
  expect 1 square.text && says 'knows no language by its name'
  expect 0 square.text -o - -- -x c++ && shows square_grad && rm out square.text
  older wrong.grad.cuh
  expect 1 wrong.cu && says "wrong.cu:2:1: error: 'z' names no parameter of 'f'" &&
      says 'GW_GRADIENT("y wrt z")' && says '^'
  survives wrong.grad.cuh
  printf 'int f( { return 1; }\n' >>wrong.cu
  expect 1 wrong.cu && says 'wrong.cu:4:' && says 'error:'
  survives wrong.grad.cuh
  silent
  # A gradient that is called and not included; then by the way out.
  printf '%s\n' '#include <gradwright/gradwright.h>' \
      'GW_GRADIENT("wrt x") double twice(double x) { return 2 * x; }' \
      'double use(double x) { double d = 0; twice_grad(x, &d); return d; }' >calls.cpp
  expect 1 calls.cpp && says 'calls.cpp:3:38: error:' && says '[missing-include]' &&
      says "write '#include \"calls.grad.hpp\"' below the function and above this line"
  include_it() { sed -i '2a #include "calls.grad.hpp"' calls.cpp && "$gradwright" calls.cpp; }
  obey missing-include include_it && shows twice_grad calls.grad.hpp && rm calls.cpp calls.grad.hpp
  only 'folder.cu|missing.grad.cuh|wrong.grad.cuh'
}

case_unwritable() {
  expect 1 square.cpp -o no/such/folder/x.h &&
      says "cannot write 'no/such/folder/x.h': No such file or directory"
  mkdir taken
  expect 1 square.cpp -o taken && says "cannot write 'taken': it is a directory"
  expect 1 square.cpp -o square.cpp/x.h && says "cannot write 'square.cpp/x.h': Not a directory"
  older x.sarif
  cp square.cpp kept && printf 'square: wrt x\n' >list && ln -s square.cpp link.h
  for place in square.cpp ./square.cpp link.h list; do
    expect 1 square.cpp --requests=list -o $place --sarif=x.sarif &&
        says "cannot write '$place': this run reads it"
  done
  expect 1 square.cpp --report=square.cpp && says "cannot write 'square.cpp': this run reads it"
  expect 1 square.cpp -o x.sarif --sarif=x.sarif &&
      says "cannot write 'x.sarif': this run writes something else there"
  expect 1 square.cpp -o x.h --report=x.h && says "cannot write 'x.h': this run writes something else there"
  expect 1 square.cpp -o x.h -MD -MF x.h && says "cannot write 'x.h': this run writes something else there"
  expect 0 square.cpp -o /dev/null --report=/dev/null
  cmp -s square.cpp kept || fail 'the source was written over'
  survives x.sarif
  rm kept list link.h x.sarif
  if [ "$(id -u)" -ne 0 ]; then
    older fixed.h
    chmod 400 fixed.h
    expect 1 square.cpp -o fixed.h && says "cannot write 'fixed.h': Permission denied"
    survives fixed.h
    rm -f fixed.h
    older locked/x.h
    chmod 500 locked
    expect 1 square.cpp -o locked/x.h && says "cannot write 'locked/x.h': Permission denied"
    chmod 700 locked
    survives locked/x.h
  fi
  only 'taken|locked'
}

# No room: a device that is full, and a limit on the size of files for a regular one.
case_full_disk() {
  expect 1 square.cpp -o /dev/full && says "cannot write '/dev/full': No space left on device"
  "$gradwright" square.cpp -o - >/dev/full 2>err && fail 'success on a full standard output'
  says "cannot write '-': No space left on device"
  older small/x.h
  (
    trap '' XFSZ
    ulimit -f 0
    "$gradwright" square.cpp -o small/x.h 2>&1
    echo "status $?"
  ) | cat >err
  says "cannot write 'small/x.h': File too large"
  says 'status 1'
  survives small/x.h
  [ "$(ls -A small)" = x.h ] || fail "left behind: $(ls -A small)"
}

case_unchanged() {
  expect 0 square.cpp
  touch -d '2001-02-03 04:05:06' square.grad.hpp
  expect 0 square.cpp
  [ "$(stat -c %Y square.grad.hpp)" = "$(date -d '2001-02-03 04:05:06' +%s)" ] ||
      fail 'the same text was written again'
  printf '// more\n' >>square.grad.hpp
  chmod 640 square.grad.hpp
  expect 0 square.cpp
  ! grep -q '// more' square.grad.hpp || fail 'the changed file was kept'
  [ "$(stat -c %a square.grad.hpp)" = 640 ] || fail 'the mode was changed'
  mv square.grad.hpp target.hpp
  printf 'old\n' >target.hpp
  ln -s target.hpp square.grad.hpp
  expect 0 square.cpp
  [ -L square.grad.hpp ] && shows square_grad target.hpp
  only 'square.grad.hpp|target.hpp'
}

case_stages() {
  expect 0 mixed.cu -o direct --verify
  expect 0 mixed.cu --dump=front --verify && mv out front.gwir
  for pass in $(passes | grep -vxE 'emit|alone'); do
    [ $pass = front ] || { expect 0 --from-ir=front.gwir --dump=$pass --verify && mv out $pass.gwir; }
    shows "stage \"$pass\"" $pass.gwir
    expect 0 --from-ir=$pass.gwir --verify && cmp -s out direct || fail "from $pass another gradient comes out"
  done
  expect 0 --from-ir front.gwir -o again && cmp -s again direct ||
      fail 'from the first dump another file comes out'
  expect 0 mixed.cu --dump=emit && cmp -s out direct || fail 'the last dump is not the gradient'
  expect 0 mixed.cu --dump=reduce && cmp -s out reduce.gwir || fail 'the dump of a source differs'
  expect 0 --from-ir=simplify.gwir --dump=reduce && cmp -s out reduce.gwir || fail 'a dump of a dump differs'
  expect 0 --from-ir=front.gwir --stop-after=reduce --dump=reduce && cmp -s out reduce.gwir ||
      fail 'stopped dump differs'
  older mixed.grad.cuh
  expect 0 mixed.cu --stop-after=tape && silent && survives mixed.grad.cuh
  expect 0 mixed.cu --dump=adjoint && survives mixed.grad.cuh
  expect 1 --from-ir=reduce.gwir --dump=simplify &&
      says '--dump=simplify: the dump that is read is from a later stage'
  [ ! -c /dev/zero ] || { expect 1 --from-ir=/dev/zero && says "cannot read '/dev/zero': File too large"; }
  expect 1 mixed.cu --stop-after=simplify --dump=tape && says '--dump=tape: the run stops before it'
  silent
}

# The example of the manual is legal, and the manual names every op, flag and kind.
case_manual() {
  local manual=$sources/../../docs/internals/ir.md
  awk '/^```$/ {inside++; next} inside == 1' "$manual" >example.gwir
  expect 0 --from-ir=example.gwir --verify && shows scale_grad
  sed -n 's/^GW_OP([A-Z0-9]*, "\([a-z0-9]*\)".*/\1/p' "$sources/../../analysis/ir/ops.def" >ops
  sed -n '/^GW_OP(SQRT/,/^GW_OP(RINT/s/^GW_OP([A-Z0-9]*, "\([a-z0-9]*\)".*/\1/p' \
    "$sources/../../analysis/ir/ops.def" >mathematics
  local word
  for word in $(grep -vxFf mathematics ops); do grep -qw -- "$word" "$manual" ||
      fail "docs/internals/ir.md does not name '$word'"; done
  for word in $(sed -n 's/^static const char \*const gw_[a-z]*_words\[\] = {\(.*\)};.*/\1/p' \
      "$sources/../../analysis/ir/words.h" | tr -d '",'); do
    grep -qw -- "$word" "$manual" || fail "docs/internals/ir.md does not name '$word'"
  done
}

case_bad_dumps() {
  expect 1 --from-ir=missing.gwir && says "cannot read 'missing.gwir'"
  expect 0 square.cpp --dump=simplify && cp out good.gwir
  sed 's/: f64 = mul/: f32 = mul/' good.gwir >types.gwir
  expect 1 --from-ir=types.gwir && says 'types.gwir:' && says 'is of type f32 instead of f64 [bad-ir]'
  sed 's/^stage .*/stage "later"/' good.gwir >stage.gwir
  expect 1 --from-ir=stage.gwir && says "no pass is named 'later'"
  sed 's/^stage .*/stage "alone"/' good.gwir >last.gwir
  expect 1 --from-ir=last.gwir && says "after 'alone' there is no pass left to run"
  head -c 300 good.gwir >part.gwir
  expect 1 --from-ir=part.gwir && says 'part.gwir:' && says 'found the end of the text'
  expect 0 square.cpp --dump=digest && grep -q ' digest "[0-9a-f]\{16\}"' out || fail 'the dump has no digest'
  sed 's/ digest "./ digest "/' out >digest.gwir
  expect 1 --from-ir=digest.gwir && says 'digest.gwir:' && says 'a digest has 16 hexadecimal digits'
  expect 1 --from-ir=square.cpp &&
      says "square.cpp:1:1: error: not legal IR: expected 'gradwright_ir', found '#'"
  silent
}

# Whatever is said of a call whose derivative is differences says so, and by which step; dumps keep it.
case_numeric() {
  cat >numeric.c <<'EOF'
#include <gradwright/gradwright.h>
GW_NUMERIC("y[0:n], f wrt x[0:n] step 1e-3") double f(double *y, const double *x, int n, double held);
GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x") double g(const double *x) {
    double y[3] = {0};
    return f(y, x, 3, x[0]) * y[1];
}
#include "numeric.grad.h"
EOF
  local said='the derivative of f is central differences of step 1e-3 * max(|x|, 1)'
  local form
  expect 0 numeric.c --explain --report=page.html --sarif=log.sarif -- "-I$sources/../../include"
  says "numeric.c:5:12: remark: $said"
  for form in g_grad g_jvp; do
    sed -n "/^$form/,/^g_/p" out err | grep -qF "$said" || fail "--explain does not say it of $form"
    sed -n "/<h3>$form/,/<.section>/p" page.html | grep -qF "$said" ||
      fail "the report does not say it of $form"
  done
  [ "$(grep -c '^    // the derivative of f is central differences' numeric.grad.h)" = 2 ] ||
    fail 'the text does not say it of each call'
  shows "$said" log.sarif
  mv numeric.grad.h direct
  expect 0 numeric.c --dump=front -- "-I$sources/../../include" && mv out front.gwir
  expect 0 --from-ir=front.gwir -o again && cmp -s again direct || fail 'from the dump another text comes out'
}

case_explain() {
  expect 0 mixed.cu && cp mixed.grad.cuh direct
  expect 0 mixed.cu --explain && cmp -s mixed.grad.cuh direct || fail 'explaining changes the gradient'
  shows atomic && shows plain && says 'remark:' && says 'd_out[i]: plain (one thread per cell'
  [ -z "$(grep remark: err | sort | uniq -d)" ] || fail 'a remark is made twice'
  grep -q owned out err && fail '"plain" and "owned" say one thing'
  expect 0 mixed.cu --explain -o - && cmp -s out direct || fail 'the table stands in the gradient'
  says atomic
  expect 0 mixed.cu --accumulate=atomic -o - && ! cmp -s out direct ||
      fail '--accumulate=atomic changes nothing'
  expect 0 mixed.cu --prefer=owned -o - && ! cmp -s out direct || fail '--prefer=owned changes nothing'
  cp direct mixed.grad.cuh && expect 1 mixed.cu --accumulate=owned && cmp -s mixed.grad.cuh direct ||
      fail 'an older gradient is gone'
  says "mixed.cu:19:13: error: --accumulate=owned: the addition to 'd_points[index[i]].weight[1]' cannot take this rung: the index index[i] is read from memory and may repeat [rung-refused]"
  says 'way out: write --prefer=owned: then additions that cannot take it take another one; or GW_ACCUMULATE(x, owned) before a kernel whose addition to the adjoint of x can take it'
  [ ! -s out ] && [ "$(grep -c rung-refused err)" = 2 ] || fail 'not one error for each array'
  expect 2 mixed.cu --accumulate=owned --prefer=warp &&
      says '--prefer does not go with --accumulate: both say how to add'
  expect 2 mixed.cu --prefer=wrap && says "did you mean 'warp'?"
  expect 0 mixed.cu --keep-seed -o - && ! cmp -s out direct || fail '--keep-seed changes nothing'
  expect 0 mixed.cu --deterministic -o - && ! grep -q 'gw_atomic_add\|gw_warp_add\|gw_block_add' out ||
      fail '--deterministic lets an atomic pass'
  expect 0 "$sources/../../examples/black_scholes/black_scholes.cu" --deterministic -o - ||
      fail '--deterministic refuses what is owned'
  expect 0 mixed.cu --accumulate=auto --verify -o - && cmp -s out direct || fail 'the defaults change something'
}

# A gradient as a source of its own, called from other files by its declarations; no compiler has a warning
# about it.
case_standalone() {
  local include=$sources/../../include warnings='-Wall -Wextra -Wshadow -Werror'
  mkdir -p lib made
  printf '%s\n' '#ifndef BODY_H' '#define BODY_H' 'struct body { double mass, at[3]; };' \
    'double energy(const struct body *b, int n);' '#endif' >lib/body.h
  cat >lib/body.c <<'END'
#include "body.h"
#include <math.h>
struct hidden { double k; };
static const struct hidden table = {2.0};
static double square(double x) { return table.k * x * x; }
double energy(const struct body *b, int n) {
  double e = 0;
  for (int i = 0; i < n; i++) e += b[i].mass * sqrt(square(b[i].at[0]) + 1);
  return e;
}
static double scaled(double x) { return x * square(x); }
double walk(double x, int n) {
  for (int i = 0; i < n; i++) x = sin(x) * scaled(x);
  return x;
}
END
  expect 0 lib/body.c --standalone -o made/b.c --declarations made/b.h --gradient 'energy: wrt b' \
    --gradient 'scaled: wrt x' --gradient 'walk: wrt x' --derivative 'walk: wrt x'
  silent
  [ "$(sed -n 2p made/b.c)" = '#include "../lib/body.h"' ] && fail 'the header instead of the source'
  [ "$(sed -n 2p made/b.c)" = '#include "../lib/body.c"' ] ||
      fail 'the source is not included by its relative path'
  shows '#include "../lib/body.h"' made/b.h && shows '#include <math.h>' made/b.h
  cat >made/main.c <<'END'
#include "b.h"
#include <stdio.h>
int main(void) {
  struct body b = {3, {2, 0, 0}}, d = {0, {0, 0, 0}};
  double x = 0, w = 0;
  energy_grad(&b, 1, &d);
  scaled_grad(2, &x);
  gw_status status = walk_grad(0.8, 2, &w);
  double t;
  walk_jvp(0.8, 2, 1, &t);
  printf("%.9f %.9f %.9f %d %d\n", d.mass, d.at[0], x, status, fabs(w - t) < 1e-12);
  return 0;
}
END
  local wanted='3.000000000 4.000000000 24.000000000 0 1' compiler
  for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    $compiler -std=c17 $warnings -I"$include" -c made/b.c -o made/b.o 2>err ||
        fail "$compiler does not compile b.c"
    $compiler -std=c17 $warnings -I"$include" made/main.c made/b.o \
        "$(dirname "$gradwright")/../lib/libgwruntime.a" -lm -o made/app 2>err ||
      fail "$compiler does not link"
    [ "$(made/app)" = "$wanted" ] || fail "$compiler: $(made/app)"
  done
  cp made/main.c made/main.cpp
  g++ -std=c++17 $warnings -I"$include" made/main.cpp made/b.o \
      "$(dirname "$gradwright")/../lib/libgwruntime.a" -o made/app 2>err ||
    fail 'C++ does not link with the gradient of a C source'
  [ "$(made/app)" = "$wanted" ] || fail "C++: $(made/app)"
  standalone_cxx
  expect 2 mixed.cu --declarations=x.h && says '--declarations needs --standalone'
  expect 2 mixed.cu --standalone --dump=front && says '--standalone does not go with --dump'
  expect 2 --from-ir=x --standalone && says '--standalone does not go with --from-ir'
}

# Headers have namespaces, references and instantiations; in each file that includes them.
standalone_cxx() {
  cat >lib/shape.hpp <<'END'
#pragma once
namespace geo {
struct point { double x, y; };
inline double area(const point &p) { return p.x * p.y * p.y; }
template <int N> double power(double x) { double p = 1; for (int i = 0; i < N; i++) p *= x; return p; }
}
END
  expect 0 lib/shape.hpp --standalone --declarations lib/shape.grad.h --gradient 'geo::area: wrt p' --gradient \
      'geo::power<3>: wrt x'
  shows '#include "shape.hpp"' lib/shape.grad.cpp && shows '#include "shape.hpp"' lib/shape.grad.h
  shows '// power_grad: not for other files (of a template' lib/shape.grad.h
  cat >made/use.cpp <<'END'
#include "shape.grad.h"
#include <cstdio>
int main() {
  geo::point p = {2, 3}, d = {0, 0};
  geo::area_grad(p, &d);
  std::printf("%g %g %g\n", geo::area(p), d.x, d.y);
}
END
  for compiler in g++ clang++; do
    command -v $compiler >/dev/null || continue
    $compiler -std=c++17 $warnings -I"$include" -Ilib made/use.cpp lib/shape.grad.cpp -o made/app 2>err ||
        fail "$compiler does not link"
    [ "$(made/app)" = '18 9 12' ] || fail "$compiler: $(made/app)"
  done
  printf '%s\n' 'static inline float twice(float x) { return 2 * x; }' >lib/twice.h
  expect 0 lib/twice.h --standalone --declarations lib/twice.grad.h --gradient 'twice: wrt x'
  printf '%s\n' '#include "twice.grad.h"' 'int main(void) { float d = 0; twice_grad(1, &d); return d != 2; }' \
      >made/two.c
  gcc -std=c17 $warnings -I"$include" -Ilib made/two.c lib/twice.grad.c -lm -o made/app 2>err && made/app ||
      fail 'C header'
}

# A kernel's launch and workspace from a file that has only their declarations.
case_standalone_kernel() {
  local gwcc; gwcc=$(dirname "$gradwright")/gwcc
  printf '%s\n' '#pragma once' 'struct weight { float k; };' >weight.cuh
  cat >map.cu <<'END'
#include "weight.cuh"
__device__ float helper(float x, weight w) { return x * x * w.k; }
__global__ void map(float *out, const float *x, weight w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = helper(x[i], w);
}
__global__ void repeat(float *out, const float *x, int steps) {
  float v = x[threadIdx.x];
  for (int k = 0; k < steps; ++k) v = v * v + x[threadIdx.x];
  out[threadIdx.x] = v;
}
END
  expect 0 map.cu --standalone -o map_all.cu --declarations map.h --gradient 'map: out wrt x' --gradient \
      'repeat: out wrt x'
  cat >main.cu <<'END'
#include "map.h"
#include <cstdio>
#include <vector>
int main() {
  float *x, *d_x, *out, *d_out;
  cudaMalloc((void **)&x, 4), cudaMalloc((void **)&d_x, 4), cudaMalloc((void **)&out, 4), cudaMalloc((void **)&d_out, 4);
  float two = 2, zero = 0, one = 1, a, b;
  cudaMemcpy(x, &two, 4, cudaMemcpyHostToDevice), cudaMemcpy(d_x, &zero, 4, cudaMemcpyHostToDevice);
  cudaMemcpy(d_out, &one, 4, cudaMemcpyHostToDevice);
  weight w = {3};
  gw_status first = map_grad_launch(dim3(1), dim3(1), 0, 0, out, x, w, 1, d_out, d_x, nullptr, 0);
  cudaMemcpy(&a, d_x, 4, cudaMemcpyDeviceToHost);
  cudaMemcpy(d_x, &zero, 4, cudaMemcpyHostToDevice), cudaMemcpy(d_out, &one, 4, cudaMemcpyHostToDevice);
  size_t bytes = repeat_workspace_bytes(dim3(1), dim3(1), out, x, 2);
  void *space;
  cudaMalloc(&space, bytes + 1);
  gw_status second = repeat_grad_launch(dim3(1), dim3(1), 0, 0, out, x, 2, d_out, d_x, space, bytes);
  cudaMemcpy(&b, d_x, 4, cudaMemcpyDeviceToHost);
  std::printf("%d %g %d %g\n", (int)first, a, (int)second, b);
}
END
  "$gwcc" --device=cpu -Wall -Wextra -Werror main.cu map_all.cu -o app 2>err || fail 'does not compile and link'
  [ "$(./app)" = '0 12 0 61' ] || fail "$(./app)"
}

# Rules for make and ninja: what was included, and nothing that this run makes.
case_dependencies() {
  mkdir 'a b'
  printf '#define TWICE 2\n' >'a b/twice$.h'
  sed -i '1i #include "a b/twice$.h"' square.cpp
  printf '#include "square.grad.hpp"\n' >>square.cpp
  expect 0 square.cpp -MD && [ -f square.grad.hpp.d ] || fail 'no square.grad.hpp.d'
  [ "$(head -2 square.grad.hpp.d)" = "square.grad.hpp: \\
  square.cpp \\" ] || fail "the rule begins with $(head -2 square.grad.hpp.d)"
  grep -qF 'a\ b/twice$$.h' square.grad.hpp.d || fail 'the header is missing'
  [ "$(grep -c 'square.grad' square.grad.hpp.d)" = 1 ] || fail 'the gradient depends on itself'
  expect 0 square.cpp -o other.h -MD -MF rules -MT 'one two' -MT three -MP
  [ "$(head -1 rules)" = 'one two three: \' ] || fail "the targets are $(head -1 rules)"
  grep -qF 'a\ b/twice$$.h:' rules || fail 'no empty rule for the header'
  ! grep -q '^square.cpp:' rules || fail 'an empty rule for the source'
  printf 'all: one\none two three: ; @echo made\ninclude rules\n' >Makefile
  [ "$(make -s)" = made ] || fail 'make cannot read the rule'
  touch one && [ -z "$(make -s)" ] || fail 'make finds a file missing'
  sleep 1.1 && touch 'a b/twice$.h' && [ "$(make -s)" = made ] || fail 'make does not see the header change'
  expect 0 square.cpp -o - -MD -MF rules && shows '-: \' rules
  older x.h
  expect 1 square.cpp -o x.h -MD -MF no/such/folder/x.d &&
      says "cannot write 'no/such/folder/x.d': No such file or directory"
  survives x.h
}

# A compilation database: the entry by what it leads to, the flags that count, the way that nvcc spells them.
case_database() {
  mkdir build include 'with blanks'
  printf '#include "inner.h"\nGW_GRADIENT("wrt x") double g(double x) { return FACTOR * x * x; }\n' >code.cpp
  printf '#include <gradwright/gradwright.h>\n' >include/inner.h
  local here flags
  here=$(pwd)
  database() { printf '[{"directory": "%s/build", "file": "%s", %s}]' "$here" "$1" "$2" \
      >build/compile_commands.json; }
  for flags in '-I../include -DFACTOR=2' '-I ../include -D FACTOR=2' "-isystem$here/include -UX -DFACTOR=1+1" \
    '-isystem=../include --define-macro=FACTOR=2 -arch=sm_90 -gencode arch=compute_90,code=sm_90 --expt-relaxed-constexpr -Xcompiler -fPIC' \
    '-Xcompiler=-fPIC,-I../include,-DFACTOR=2 -forward-unknown-to-host-compiler -MD -MT x -MF x.d' \
    '--options-file flags.rsp -Winvalid-pch -fdevirtualize-at-ltrans' '@flags.rsp' \
    "'-DFACTOR=(2)' -I\\\"../include\\\" -iquote ../include"; do
    printf '%s\n' '-I../include' '-DFACTOR=2' >build/flags.rsp
    database ../code.cpp "\"command\": \"/usr/bin/ccache c++ $flags -O2 -o code.o -c ../code.cpp\""
    expect 0 code.cpp -p build -o - && shows g_grad
    expect 0 "$here/code.cpp" -p build/compile_commands.json -o - && shows g_grad
  done
  database "$here/code.cpp" \
      '"arguments": ["c++", "-I", "../include", "-DFACTOR=2", "-DTEXT=\"a \u00e9\"", "-c", "../code.cpp"], "output": [{"a": null}]'
  expect 0 code.cpp -p build -o - && shows g_grad
  expect 0 code.cpp -p build -o - -- -UFACTOR -DFACTOR=3 && shows 3.0
  printf '%s\n' -Iinclude '' '-DFACTOR=(1 + 1)' >flags
  expect 0 code.cpp --flags=flags -o - && shows g_grad
  # what is wrong with it
  older code.grad.hpp
  expect 1 square.cpp -p build && says "'build/compile_commands.json' has no command for 'square.cpp'"
  expect 1 code.cpp -p nowhere && says "cannot read 'nowhere': No such file or directory"
  expect 1 code.cpp -p include && says "cannot read 'include/compile_commands.json': No such file or directory"
  expect 1 code.cpp --flags=nowhere && says "cannot read 'nowhere': No such file or directory"
  database ../code.cpp '"command": "c++ -I"'
  expect 1 code.cpp -p build && says "the flag '-I' at the end of a command has no value"
  database ../code.cpp '"command": "c++ @none.rsp"'
  expect 1 code.cpp -p build && says "none.rsp': No such file or directory"
  printf '@flags.rsp' >build/flags.rsp
  database ../code.cpp '"command": "c++ @flags.rsp"'
  expect 1 code.cpp -p build && says 'it leads to itself'
  for text in '' '{' '[{"file": 3}]' '[{"file": "x' '[{"file": "\q"}]' '[,]' '[{"a": [[[}]' 'int f();' \
      "$(printf '[%.0s' $(seq 3000))"; do
    printf '\n%s' "$text" >build/compile_commands.json
    expect 1 code.cpp -p build && says 'build/compile_commands.json:2: this is no compilation database'
  done
  survives code.grad.hpp
}

case_bad_use() {
  older square.grad.hpp
  expect 2 square.cpp -MF x.d && says '-MF needs -MD'
  expect 2 square.cpp -MT x && says '-MT needs -MD'
  expect 2 square.cpp -MP && says '-MP needs -MD'
  expect 2 square.cpp -MD -MF && says "option 'dependency-file' needs a value: FILE"
  expect 2 square.cpp -MD -o - && says '-MD needs -MF where the gradient goes to standard output'
  expect 2 square.cpp -MD --dump=tape && says '-MD does not go with --dump and --stop-after'
  expect 2 --from-ir=x -MD && says '-MD does not go with --from-ir: no source is parsed'
  expect 2 --from-ir=x -p . && says '-p does not go with --from-ir'
  expect 2 --from-ir=x --flags=x && says '--flags does not go with --from-ir'
  expect 2 square.cpp -p && says "option 'compile-commands' needs a value: PATH"
  expect 2 square.cpp --flags= && says "option 'flags' needs a value: FILE"
  expect 2 square.cpp --sarif && says "option 'sarif' needs a value: FILE"
  expect 2 square.cpp --gradient= && says "option 'gradient' needs a value"
  expect 2 square.cpp --from-ir && says "option 'from-ir' needs a value: FILE"
  expect 2 square.cpp --checked=1 && says "option 'checked' takes no value"
  expect 2 square.cpp --keep-seed=1 && says "option 'keep-seed' takes no value"
  expect 2 square.cpp --verify=1 && says "option 'verify' takes no value"
  expect 2 square.cpp --list-passes=1 && says "option 'list-passes' takes no value"
  expect 2 square.cpp --version=1 && says "option 'version' takes no value"
  expect 2 square.cpp --help=1 && says "option 'help' takes no value"
  expect 2 square.cpp --phony-headers=1 && says "option 'phony-headers' takes no value"
  expect 1 square.cpp --sarif=no/such/x.sarif &&
      says "cannot write 'no/such/x.sarif': No such file or directory"
  survives square.grad.hpp
  silent
  only 'square.grad.hpp'
}

# What --explain advises is what would help.
case_advice() {
  cat >ranges.cu <<'END'
#include <gradwright/gradwright.h>
GW_GRADIENT("y wrt values")
__global__ void rows(float *y, const float *values, const int *begin) {
    float sum = 0;
    for (int k = begin[threadIdx.x]; k < begin[threadIdx.x + 1]; k++) sum += values[k];
    y[threadIdx.x] = sum;
}
GW_GRADIENT("y wrt x")
__global__ void staged(float *y, const float *x, int n) {
    __shared__ float s[64][2];
    s[threadIdx.x][n & 1] = x[threadIdx.x];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < n; k++) sum = sum * s[k][0] + s[k][1];
    y[threadIdx.x] = sum;
}
END
  expect 0 ranges.cu --explain
  says 'is read from memory and may repeat) [range-from-memory]'
  says 'state it: GW_SORTED(offsets) where one begins as the one before ends, GW_DISJOINT_RANGES(ranges) of pairs'
  says 'all threads run over the same cells) [same-shared-cells]'
  if grep -q 'stage these cells' err; then fail 'advises to stage what is staged'; fi
  only 'ranges.cu|ranges.grad.cuh'
}

# SARIF of a good run and of bad ones, each against the required structure of the standard.
case_sarif() {
  expect 0 mixed.cu -o - --sarif=good.sarif
  python3 "$sources/sarif_check.py" good.sarif none decisions || fail 'good.sarif'
  shows '"ruleId": "index-from-memory"' good.sarif
  python3 "$sources/sarif_check.py" --spoil good.sarif || fail 'a spoilt log is passed'
  expect 1 wrong.cu --sarif=wrong.sarif
  python3 "$sources/sarif_check.py" wrong.sarif error unknown-name:wrong.cu:2 || fail 'wrong.sarif'
  mkdir 'a b' && cp wrong.cu 'a b/wr"ong.cu'
  expect 1 'a b/wr"ong.cu' --sarif=blank.sarif
  python3 "$sources/sarif_check.py" blank.sarif error 'unknown-name:a%20b/wr%22ong.cu:2' || fail 'blank.sarif'
  # Columns are characters (columnKind), of which each byte of no UTF-8 is one; so is the caret's.
  printf '%s\n' '#include <gradwright/gradwright.h>' 'GW_GRADIENT("y wrt x")' \
      '__global__ void f(float *y, const float *x, const int *q) {' \
    $'    /* \xc3\xa9\xc3\xa9\xf0\x9f\x98\x80\xff a<b>&c */ y[threadIdx.x] = x[q[threadIdx.x]];' '}' \
    >$'na\xc3\xafve.cu'
  expect 0 $'na\xc3\xafve.cu' -o - --sarif=wide.sarif --explain
  python3 "$sources/sarif_check.py" wide.sarif none 'index-from-memory:na%C3%AFve.cu:4:40' || fail 'wide.sarif'
  grep -a -A2 'index-from-memory' err | grep -aqx ' \{39\}^' || fail 'the caret is not below the character'
  # The normal form of a path; what ".." leads to is known here alone.
  mkdir -p sub link.d && ln -s ../sub link.d/far && cp wrong.cu sub/
  expect 1 .//sub/./wrong.cu --sarif=dots.sarif
  python3 "$sources/sarif_check.py" dots.sarif error unknown-name:sub/wrong.cu:2 || fail 'dots.sarif'
  expect 1 link.d/far/../wrong.cu --sarif=up.sarif
  python3 "$sources/sarif_check.py" up.sarif error "unknown-name:file://$(pwd -P)/wrong.cu:2" || fail 'up.sarif'
  # Braces would be placeholders, and "[0](1)" a link; a byte order mark is no column.
  printf '\xef\xbb\xbfint f() { return a[0](1);\n' >braces.cu
  expect 1 braces.cu --sarif=braces.sarif
  python3 "$sources/sarif_check.py" braces.sarif error syntax:braces.cu:1:18 || fail 'braces.sarif'
  shows "expected '}}'" braces.sarif
  expect 1 wrong.cu --gradient 'f[0](x): wrt x' --sarif=link.sarif
  python3 "$sources/sarif_check.py" link.sarif error bad-request || fail 'link.sarif'
  expect 1 $'no\xff.cu' --sarif=bytes.sarif
  python3 "$sources/sarif_check.py" bytes.sarif error cannot-read || fail 'bytes.sarif'
  expect 1 missing.cu --sarif=missing.sarif
  python3 "$sources/sarif_check.py" missing.sarif error cannot-read || fail 'missing.sarif'
  expect 1 square.cpp -o no/such/x --sarif=late.sarif
  python3 "$sources/sarif_check.py" late.sarif error cannot-write || fail 'late.sarif'
}

# The page: written whole after a good run, before the gradient, or not at all. What is in it: tests/report.
case_report() {
  expect 0 mixed.cu --report=page.html && silent && shows walk_grad mixed.grad.cuh && shows '</html>' page.html
  touch -d '2001-02-03 04:05:06' page.html
  expect 0 mixed.cu --report=page.html
  [ "$(stat -c %Y page.html)" = "$(date -d '2001-02-03 04:05:06' +%s)" ] ||
      fail 'the same page was written again'
  expect 0 mixed.cu --dump=tape -o dump && expect 0 --from-ir=dump -o again --report=other.html
  cmp -s page.html other.html || fail 'a dump has not all that is told'
  expect 0 mixed.cu -o - --report=/dev/stdout && shows '</html>' && shows walk_grad
  older page.html
  expect 1 wrong.cu --report=page.html && survives page.html
  older square.grad.hpp
  for place in no/such/x.html square.cpp/x.html; do
    expect 1 square.cpp --report=$place && says "cannot write '$place'"
  done
  expect 1 square.cpp --report=. && says "cannot write '.': it is a directory"
  expect 1 square.cpp --report=/dev/full && says "cannot write '/dev/full': No space left on device"
  cp square.cpp gone.cpp && expect 0 gone.cpp --dump=ownership -o dump && rm gone.cpp
  expect 1 --from-ir=dump -o square.grad.hpp --report=page.html &&
      says "cannot read 'gone.cpp': No such file or directory"
  (
    trap '' XFSZ
    ulimit -f 0
    "$gradwright" square.cpp --report=page.html 2>&1
    echo "status $?"
  ) | cat >err
  says "cannot write 'page.html': File too large"
  says 'status 1'
  survives page.html
  survives square.grad.hpp
  expect 2 mixed.cu --report && says "option 'report' needs a value: FILE"
  expect 2 mixed.cu --report=x --dump=tape && says '--report does not go with --dump: it tells of a gradient'
  expect 2 mixed.cu --report=x --stop-after=tape &&
      says '--report does not go with --stop-after: it tells of a gradient'
  local gwcc; gwcc=$(dirname "$gradwright")/gwcc
  rm page.html mixed.grad.cuh square.grad.hpp
  "$gwcc" --device=cpu --report=page.html -c mixed.cu -o x.o 2>err && shows '</html>' page.html ||
      fail 'gwcc writes no page'
  "$gwcc" --device=cpu --report page.html -c mixed.cu square.cpp 2>err && fail 'one page for two sources'
  says '--report takes one source file; there are 2'
  grep -v 'grad.cuh' mixed.cu >silent.cu
  "$gwcc" --device=cpu --report=other.html -c silent.cu 2>err && fail 'a page of nothing'
  says "--report tells of a gradient, and 'silent.cu' asks for none"
  "$gwcc" --device=cpu --report=other.html --no-gradients -c mixed.cu 2>err && fail 'a page without a gradient'
  rm silent.cu
  only 'page.html|other.html|again|dump|x.o'
}

# What loops and branches only hand on is what it was at first.
case_handed_on() {
  cat >handed.c <<'EOF'
#include <gradwright/gradwright.h>
#include <math.h>
GW_DERIVATIVE("y wrt x")
void f(double *y, const double *x, const int *list, int n, unsigned count) {
    short same = count, other = count;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 4; ++j) {
            if (x[list[j]] < x[0]) same = count;
            if (x[list[j] + 1] < x[0]) other = i;
        }
        y[i] = sin(x[i]) * same * other;
    }
}
EOF
  expect 0 handed.c -o handed.grad.h && grep -q 'x\[list\[j\] + 1\] < ' handed.grad.h ||
    fail 'a branch that decides is not there'
  ! grep -q 'x\[list\[j\]\] < ' handed.grad.h || fail 'a branch that decides nothing is there'
}

case_profile() {
  older page.html
  expect 2 square.cpp --profile=x && says '--profile needs --report'
  expect 1 square.cpp --report=page.html --profile=none && says "cannot read 'none': No such file or directory"
  bad() { # LINE MESSAGE
    printf 'square.cpp:3 samples 1e3 # good\n%s\n' "$1" >profile
    expect 1 square.cpp --report=page.html --profile=profile &&
        says "profile:2:1: error: cannot read the profile: $2 [bad-profile]"
  }
  bad 'square.cpp:4 samples' "a line is 'FILE:LINE METRIC VALUE'"
  bad 'square.cpp:4 samples 4 5' "a line is 'FILE:LINE METRIC VALUE'"
  for place in square.cpp :4 square.cpp:0 square.cpp:4x; do bad "$place samples 4" \
      "the place is no 'FILE:LINE'"; done
  for value in 4k nan; do bad "square.cpp:4 samples $value" 'the value is no number'; done
  survives page.html
  [ ! -e square.grad.hpp ] || fail 'a gradient in spite of the error'
  printf '%s\n' '# by the way out' 'square.cpp:4 samples 4' 'square.grad.hpp:20 samples 5e-1 # more' >profile
  obey bad-profile "$gradwright" square.cpp --report=page.html --profile=profile
  grep -q samples page.html || fail 'a page without the measures'
}

"case_$case"
