#!/usr/bin/env bash
# check_test.sh GRADWRIGHT SOURCES CASE - --check: whether a text is that of its source. Each case runs in an
# empty folder and fails at the first promise that is not kept.
set -uo pipefail
. "$(dirname "$0")/helpers.sh"

# What the cases change stands in these files.
checked_source() {
  printf '#pragma once\n#define SCALE 3.0\nstruct pair { double a, b; };\ndouble unused(double x);\n' >scale.h
  cat >code.cpp <<'END'
#include <gradwright/gradwright.h>
#include "scale.h"
#include <cmath>
static double inner(double x) { return x * SCALE; }
static double chain(double x, int n) { return n ? x * chain(x, n - 1) : inner(x); }
double other(double x) { return x; }
GW_GRADIENT("wrt x, y")
double f(double x, double y) {
  struct local { double cells[2]; } l = {{x, y}};
  auto add = [=](double z) { return z + l.cells[1]; };
  return chain(x, 3) + add(y);
}
GW_GRADIENT("y wrt p")
void g(double *y, const pair *p, int n) { for (int i = 0; i < n; i++) y[i] = p[i].a * p[i].b; }
GW_DERIVATIVE("wrt x") GW_GRADIENT("slope = wrt x")
double h(double x) { return std::sin(x); }
END
  expect 0 code.cpp && cp code.grad.hpp made
}
errors() { [ "$(grep -c 'error:' err)" = "$1" ] || fail "$1 errors are expected"; }
current() {
  expect 0 --check code.grad.hpp "$@" && silent
  [ ! -s err ] || fail "something is said of what is up to date"
}
# stale WHAT...: exactly these derivatives are out of date
stale() {
  expect 1 --check code.grad.hpp
  errors $#
  for what in "$@"; do says "error: the $what in 'code.grad.hpp' is out of date: "; done
}
# by a sed script
change() {
  cp code.cpp before && sed -i "$1" code.cpp
  ! cmp -s before code.cpp || fail "'$1' changes nothing"
}
edit() {
  sed "$1" made >code.grad.hpp
  ! cmp -s made code.grad.hpp || fail "'$1' changes nothing"
  expect 1 --check code.grad.hpp
}

case_functions() {
  checked_source
  local digest='// gradwright --check: [0-9a-f]\{16\}'
  grep -qx "$digest gradient g: y wrt p" made || fail 'the text does not say what g is made from'
  grep -qx "$digest gradient h: slope = wrt x" made || fail 'the text does not say what slope is made from'
  tail -1 made | grep -qx '// gradwright --check: text [0-9a-f]\{16\}' || fail 'no hash at the end of the text'
  current
  expect 0 code.cpp --check && expect 0 code.cpp --check -o ./code.grad.hpp -MD -MF rule --report=page --explain
  silent
  # comments, blanks, another spelling of a number, other functions and types, the order of names
  change 's,^static double inner.*,/* one */\n\n// two\n  static  double inner( double x )\n{ return\tx*3.0; },'
  change 's/^double other.*/struct more { double a; };\nstatic double inner(more m) { return m.a; }\n&/'
  change 's/^double other.*/double other(double x) { return 2 * x + inner(more{x}); }/'
  change 's/"wrt x, y"/"wrt y,x"/'
  echo 'struct local { int i; }; double last(local l) { return l.i; }' >>code.cpp
  current
  # what a function does, and what it calls
  change 's/std::sin/std::cos/' && stale "forward derivative of 'h'" "gradient 'slope' of 'h'"
  says 'code.cpp:22:8: error: ' && says '^'
  says "the function, what it calls, or what is stated of them has changed [stale-derivative]"
  says 'way out: make it anew: gradwright code.cpp -o code.grad.hpp'
  obey stale-derivative && current && cp made code.grad.hpp
  change 's/std::cos/std::sin/' && current
  change 's/chain(x, n - 1)/chain(2 * x, n - 1)/' && stale "gradient of 'f'"
  change 's/chain(2 . x, n - 1)/chain(x, n - 1)/' && current
  change 's/{ return\tx/{ return x*x/' && stale "gradient of 'f'"
  change 's/{ return x.x/{ return x/' && current
  change 's/z + l.cells/z - l.cells/' && stale "gradient of 'f'"
  change 's/z - l.cells/z + l.cells/' && current
  # the layout of a type
  sed -i 's/double a, b/double b, a/' scale.h && stale "gradient of 'g'"
  sed -i 's/double b, a/double a, b, c/' scale.h && stale "gradient of 'g'"
  sed -i 's/double a, b, c/float a; double b/' scale.h && stale "gradient of 'g'"
  sed -i 's/float a; double b/double a, b/' scale.h && current
  cmp -s made code.grad.hpp || fail 'the text was written over'
  only 'scale.h|code.cpp|before|made|code.grad.hpp'
}

# A constant of a header, and flags.
case_header() {
  checked_source
  sed -i 's/SCALE 3.0/SCALE 4.0/' scale.h && stale "gradient of 'f'"
  sed -i 's/#define SCALE 4.0//' scale.h
  expect 1 --check code.grad.hpp && says "undeclared identifier 'SCALE'"
  expect 1 --check code.grad.hpp -- -DSCALE=2.5 && says "gradient of 'f'" && current -- -DSCALE=3.0
  printf '%s\n' -DSCALE=3.0 >flags && current --flags=flags
  printf '%s\n' '#define SCALE 3.0' 'inline double one(double x) { return x; }' >>scale.h
  current
}

# Overloads, instantiations, a derivative of the user's, requests that come and go.
case_requests() {
  checked_source
  cat >>code.cpp <<'END'
GW_GRADIENT("wrt x") double over(double x) { return x * x; }
GW_GRADIENT("wrt x") double over(double x, int n) { return x * n; }
template <int N> GW_GRADIENT("wrt x") double power(double x) {
  double p = x;
  for (int i = 0; i < N; i++) p *= x;
  return p;
}
double use(double x) { return power<2>(x) + power<3>(x); }
double ruled(double x);
GW_DERIVATIVE_OF("pullback of ruled") void back(double x, double d, double *d_x) { *d_x += d * x; }
GW_GRADIENT("wrt x") double calls(double x) { return ruled(x); }
END
  expect 0 code.cpp && current
  change 's/return x \* n/return x + n/' && stale "gradient of 'over'" && says 'code.cpp:18:29'
  change 's/return x + n/return x * n/' && current
  change 's/i = 0; i < N/i = 1; i < N/' && stale "gradient of 'power<2>'" "gradient of 'power<3>'"
  change 's/i = 1; i < N/i = 0; i < N/' && current
  change 's/+= d \* x/+= 2 * d * x/' && current # the text calls it
  change 's/void back/void forth/' && stale "gradient of 'calls'"
  change 's/void forth/void back/' && current
  change '17{h;d};18G' && current # the overloads change places
  change 's/power<3>(x)/power<4>(x)/' && expect 1 --check code.grad.hpp
  says "code.cpp:19:46: error: 'code.grad.hpp' has no gradient of 'power<4>' [missing-derivative]"
  says "'code.grad.hpp' was made for a request that is gone: 'gradient power<3>: wrt x' [unasked-derivative]"
  grep -qE '^code.grad.hpp:[0-9]+:1: error: ' err || fail 'the place in the text is not said'
  errors 2
  cp code.grad.hpp old
  obey missing-derivative && current
  cp old code.grad.hpp && expect 1 --check code.grad.hpp
  obey unasked-derivative && current
  mv old code.grad.hpp
  change 's/power<4>(x)/power<3>(x)/' && current
  change 's/"slope = wrt x"/"tilt = wrt x"/' && expect 1 --check code.grad.hpp
  says "has no gradient 'tilt' of 'h'" && says "'gradient h: slope = wrt x'"
  change 's/"tilt = wrt x"/"slope = wrt x"/' && current
  change 's/GW_GRADIENT("slope = wrt x")/GW_GRADIENT("wrt x")/' && expect 1 --check code.grad.hpp
  says "has no gradient of 'h'" && says "'gradient h: slope = wrt x'"
  cp before code.cpp && change 's/"wrt x, y"/"wrt x"/' && expect 1 --check code.grad.hpp
  says "code.cpp:7:1: error: the gradient of 'f' in 'code.grad.hpp' is out of date: "
  says "it was asked for as 'wrt x, y', and is as 'wrt x' [stale-derivative]"
  cp before code.cpp && current
  expect 1 --check code.grad.hpp --gradient 'other: wrt x'
  says "code.cpp:6:8: error: 'code.grad.hpp' has no gradient of 'other'"
  echo 'derivative other: wrt x' >list && expect 0 code.cpp --requests=list && current --requests=list
  expect 1 --check code.grad.hpp && says "'derivative other: wrt x'"
}

# What is stated of a kernel and its loops.
case_kernel() {
  cat >kernel.cu <<'END'
#include <gradwright/gradwright.h>
GW_GRADIENT("y wrt x")
__global__ void rows(float *y, const float *x, const int *list, int n) {
  float s = 0;
  for (int k = 0; k < n; k++) s = s * s + x[list[threadIdx.x] + k];
  y[threadIdx.x] = s;
}
#include "kernel.grad.cuh"
END
  local text=kernel.grad.cuh it changed='the function, what it calls, or what is stated of them has changed'
  expect 0 kernel.cu && expect 0 --check $text
  cp kernel.cu kept
  for it in 's/^GW_GRAD/GW_INJECTIVE(list) &/' 's/^GW_GRAD/GW_COARSEN(2) &/' 's/  for/  GW_CHECKPOINT(4) for/' \
    's/^GW_GRAD/GW_ACCUMULATE(x, match) &/' 's/^GW_GRAD/GW_LAUNCH("blockDim.x == 64") &/' \
    's/^GW_GRAD/GW_LAUNCH("blockDim.x == 64 or atomic") &/' 's/__global__ void/& __launch_bounds__(64)/' \
    's/float .y/double *y/' 's/threadIdx.x\] = /threadIdx.y] = /'; do
    sed "$it" kept >kernel.cu && ! cmp -s kernel.cu kept || fail "'$it' changes nothing"
    expect 1 --check $text && errors 1
    grep -q '^kernel.cu:3:' err || fail 'the place of the function is not said'
    says "error: the gradient of 'rows' in '$text' is out of date: $changed"
  done
  cp kept kernel.cu && expect 1 --check $text --coarsen=2 && errors 1 # the option, and nothing of the function
  sed 's/GW_GRADIENT/GW_SPLIT_GRADIENT/' kept >kernel.cu
  expect 1 --check $text && says "has no split gradient of 'rows'" && says "'gradient rows: y wrt x'"
  cp kept kernel.cu
  for it in --promise='rows: injective list' --checkpoint=rows:5=4 --launch='rows: blockDim.x == 64'; do
    expect 1 --check $text "$it" && says "$changed"
    expect 0 kernel.cu "$it" -o other && expect 0 kernel.cu -o other --check "$it"
    expect 1 kernel.cu -o other --check && says "$changed"
  done
}

case_options() {
  local it
  expect 0 square.cpp
  for it in --checked --accumulate=atomic --prefer=warp --coarsen=2 --smt=off --smt-budget=5 --proof-budget=5 \
    --deterministic --keep-seed; do
    expect 1 square.cpp --check "$it" && errors 1
    says "'square.grad.hpp' is out of date: it was made without options that change it, and this call has '$it'"
  done
  expect 0 square.cpp --check --accumulate=auto --smt=on --smt-time=70 --smt-budget=75 --proof-budget 1000
  expect 0 square.cpp --keep-seed --coarsen 2 --checked
  expect 0 square.cpp --check --checked --coarsen=2 --keep-seed
  shows '// gradwright --check: options --checked --coarsen=2 --keep-seed' square.grad.hpp
  expect 1 square.cpp --check
  says "it was made with '--checked --coarsen=2 --keep-seed', and this call has no such options"
}

case_text() {
  checked_source
  edit 's/cos(x)/sin(x)/' && says "'code.grad.hpp' was changed after it was made [edited-text]" && errors 1
  obey edited-text && current
  edit '$a more' && says '[edited-text]' && errors 1
  edit '4i //' && says '[edited-text]' && errors 1
  edit '/gradient g:/d' && says '[edited-text]' && says "has no gradient of 'g'"
  edit 's/\(gradient g: y wrt p\)/\1, n/' && says '[edited-text]'
  says "code.cpp:13:1: error: the gradient of 'g' in" && says "as 'y wrt p, n', and is as 'y wrt p'"
  edit 's/ text ./ text /' && errors 1
  says "'code.grad.hpp' does not say what it was made from: its last lines are missing [no-stamp]"
  obey no-stamp && current
  edit '/gradwright --check/d' && says 'its last lines are missing' && says 'way out: make it anew: gradwright'
  edit '1s/Gradwright [^ ]*/Gradwright 0.0.1/' && errors 1
  says "'code.grad.hpp' is out of date: Gradwright 0.0.1 made it, and this is " && says '[stale-text]'
  obey stale-text && current
  sed 's/$/\r/' made >code.grad.hpp && current
  cp made code.grad.hpp && current
  expect 0 code.cpp -o other.hpp && expect 0 code.cpp -o other.hpp --check
  cp code.cpp else.cpp && expect 1 else.cpp --check -o code.grad.hpp
  says "'code.grad.hpp' is out of date: it was made from 'code.cpp', and this call names 'else.cpp'"
  # by gwcc
  cp code.cpp kept && echo '#include "code.grad.hpp"' >>code.cpp
  "$(dirname "$gradwright")/gwcc" --save-emitted -c code.cpp -o code.o 2>err || fail 'gwcc does not compile it'
  cp kept code.cpp && cmp -s code.grad.hpp made || fail 'gwcc makes another text'
  # as a source of its own, with its declarations
  expect 0 code.cpp --standalone --declarations code.h
  expect 0 --check code.grad.cpp --standalone --declarations code.h
  grep -q 'gradient f: wrt x, y' code.h || fail 'the declarations do not say what they are of'
  expect 1 --check code.grad.cpp && says "it was made with '--standalone', and this call has no such options"
  expect 1 code.cpp --check -o code.grad.cpp --standalone --declarations made
  says "'made' is out of date: it was made without options that change it" && errors 1
  change 's/"wrt x, y"/"wrt x"/'
  expect 1 --check code.grad.cpp --standalone --declarations code.h && errors 2
  says "in 'code.grad.cpp' is out of date: it was asked" && says "in 'code.h' is out of date: it was asked"
}

case_bad() {
  checked_source
  expect 1 --check none.grad.hpp && says "cannot read 'none.grad.hpp': No such file or directory"
  expect 1 square.cpp --check && says "cannot read 'square.grad.hpp': No such file or directory"
  expect 1 code.cpp --check -o . && says "cannot read '.': Is a directory"
  expect 1 code.cpp --check -o code.cpp && says 'this run reads it'
  for it in '' '/* Generated by Gradwright' '/* Generated by Gradwright 1 from ; do not edit. */' \
    $'/* Generated by Gradwright 1 from\n x; do not edit. */' \
    '/* Generated by Gradwright  from x; do not edit. */' \
    '/* Generated by another tool from x.cpp; do not edit. */' "$(head -c 100 /dev/zero | tr '\0' x)"; do
    printf '%s' "$it" >else.grad.hpp
    expect 1 --check else.grad.hpp && says "'else.grad.hpp' is no text of Gradwright's"
    expect 1 code.cpp --check -o else.grad.hpp
    says "'else.grad.hpp' does not say what it was made from: it is no text of Gradwright's [no-stamp]"
  done
  mkdir far && cp code.grad.hpp far && expect 1 --check far/code.grad.hpp
  says "'far/code.grad.hpp' was made from 'code.cpp', which is not beside it: "
  says "'gradwright SOURCE -o far/code.grad.hpp --check'"
  expect 0 code.cpp --check -o far/code.grad.hpp
  cp code.cpp scale.h far && expect 0 --check far/code.grad.hpp && expect 0 --check "$PWD/far/code.grad.hpp"
  change 's/return chain/return undeclared/'
  expect 1 --check code.grad.hpp && says "undeclared identifier 'undeclared'"
  cp before code.cpp && change 's/GW_[A-Z]*("[^"]*")//g'
  expect 1 --check code.grad.hpp && says "no derivative is requested in 'code.cpp'"
  expect 2 --check && says 'no source file is given'
  expect 2 code.cpp --check=x && says "option 'check' takes no value"
  expect 2 code.cpp --check -o - && says '--check reads the gradient that -o names: a file'
  expect 2 code.cpp --check --dump=front && says '--check does not go with --dump'
  expect 2 code.cpp --check --stop-after=front && says '--check does not go with --stop-after'
  expect 2 --from-ir=x --check && says '--check does not go with --from-ir: a dump is no source'
  silent
}

# Nothing is written but a log that is asked for; the command that is named makes the text anew.
case_outputs() {
  checked_source
  mkdir 'a b' && cp code.cpp "a b/it's.cpp" && cp scale.h 'a b'
  expect 0 "a b/it's.cpp" -- '-DTEXT=" $x"'
  sed -i 's/std::sin/std::cos/' "a b/it's.cpp"
  expect 1 --check "a b/it's.grad.hpp" --sarif=log --report=page -MD -MF rule -- '-DTEXT=" $x"'
  [ -s log ] && [ ! -e page ] && [ ! -e rule ] || fail 'other files than the log'
  python3 "$sources/sarif_check.py" log error 'stale-derivative:a%20b/it%27s.cpp:16' || fail 'the log'
  sed -n 's/.*make it anew: gradwright //p' err | head -1 >again
  (eval "\"$gradwright\" $(cat again)") || fail "this does not run: $(cat again)"
  [ -s page ] && [ -s rule ] || fail "not the whole command: $(cat again)"
  expect 0 --check "a b/it's.grad.hpp" && expect 0 --check "a b/it's.grad.hpp" --sarif=log
  python3 "$sources/sarif_check.py" log none || fail 'the log of a good run'
  expect 1 code.cpp --check --sarif=code.grad.hpp && says 'this run writes something else there'
  cmp -s made code.grad.hpp || fail 'the text was written over'
}

"case_$case"
