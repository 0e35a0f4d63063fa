#!/usr/bin/env bash
# plugin_test.sh CLANG++ PLUGIN GRADWRIGHT INCLUDE CASE - Clang with the plugin, from source to object or
# program.
set -uo pipefail
clang=$1 plugin=$2 gradwright=$3 include=$4 case=$5
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$here"/self.cpp "$here"/self.cu .

fail() {
  echo "case $case: $*" >&2
  [ -s err ] && sed 's/^/  stderr: /' err >&2
  exit 1
}
expect() { # STATUS COMMAND...
  local wanted=$1 status
  shift
  "$@" >out 2>err
  status=$?
  [ "$status" -eq "$wanted" ] || fail "exit status $status instead of $wanted: $*"
}
says() { grep -qF -- "$1" err || fail "Clang does not say: $1"; }
says_not() { ! grep -qF -- "$1" err || fail "Clang says: $1"; }
with_plugin=("$clang" "-fplugin=$plugin" "-I$include" -DSCALE=0.5 -std=c++17)
# The CPU device's headers in place of a CUDA toolkit.
as_cuda=(-x cuda --cuda-host-only -nocudainc -nocudalib --cuda-path=/nonexistent -Xclang
    -target-sdk-version=11.8
  -Xclang -aux-triple -Xclang "$("$clang" -print-target-triple)" -Xclang -fcuda-allow-variadic-functions
  -isystem "$include/gradwright/cpu" -include "$include/gradwright/cpu/cuda_runtime.h")
older() {
  printf '#error the older text\n' >"$1"
  touch -d '2001-02-03 04:05:06' "$1"
}
survives() {
  [ "$(cat "$1")" = '#error the older text' ] || fail "$1 was changed"
  [ "$(stat -c %Y "$1")" = "$(date -d '2001-02-03 04:05:06' +%s)" ] || fail "the time of $1 was changed"
}

# One call generates, compiles and links; what comes out is right, and is what the command makes.
case_program() {
  older self.grad.hpp
  expect 0 "${with_plugin[@]}" -O1 -g -Wall -Wextra -Werror -MD -o self self.cpp
  says_not warning
  expect 0 ./self
  [ "$(cat out)" = '6.000 22.086 3.0 12.0 27.0' ] || fail "the program prints $(cat out)"
  grep -q self.grad.hpp self.d || fail 'the gradient is no dependency'
  expect 0 "$gradwright" self.cpp -o - -- -DSCALE=0.5 -std=c++17
  cmp -s out self.grad.hpp || fail 'the command makes another gradient'
  touch -d '2001-02-03 04:05:06' self.grad.hpp
  expect 0 "${with_plugin[@]}" -c self.cpp
  [ "$(stat -c %Y self.grad.hpp)" = "$(date -d '2001-02-03 04:05:06' +%s)" ] ||
      fail 'the same gradient was written again'
}

case_cuda() {
  expect 0 "${with_plugin[@]}" "${as_cuda[@]}" -Wall -c self.cu
  [ -s self.o ] || fail 'no object'
  grep -q lookup_grad_launch self.grad.cuh || fail 'no launch function'
  says_not remark
}

# With a toolkit: one pass for the device, then one for the host, and one gradient.
case_toolkit() {
  local toolkit=${CUDA_PATH:-/usr/local/cuda}
  [ -f "$toolkit/include/cuda_runtime.h" ] || exit 77
  local flags=("--cuda-path=$toolkit" --cuda-gpu-arch=sm_80 -Wno-unknown-cuda-version)
  "$clang" "${flags[@]}" --cuda-device-only -S -x cuda /dev/null -o /dev/null 2>/dev/null || exit 77
  expect 0 "${with_plugin[@]}" "${flags[@]}" -Rpass=gradwright --cuda-device-only -S self.cu -o device.s
  local remarks
  remarks=$(grep -c 'remark:' err)
  grep -q lookup_grad device.s || fail 'no kernel for the device'
  rm self.grad.cuh
  expect 0 "${with_plugin[@]}" "${flags[@]}" --cuda-host-only -c self.cu
  rm self.grad.cuh
  if command -v ptxas >/dev/null || [ -x "$toolkit/bin/ptxas" ]; then
    expect 0 "${with_plugin[@]}" "${flags[@]}" -Rpass=gradwright -c self.cu
    [ "$(grep -c 'remark:' err)" = "$remarks" ] || fail 'the gradient was made more than once'
  fi
}

case_remarks() {
  expect 0 "${with_plugin[@]}" "${as_cuda[@]}" -c self.cu
  says_not remark:
  for flag in -fplugin-arg-gradwright-explain -Rpass=gradwright; do
    expect 0 "${with_plugin[@]}" "${as_cuda[@]}" $flag -c self.cu
    says 'self.cu:6:21: remark: d_x[i]: plain'
    says 'remark: d_table[index[i]]: atomic'
    says 'if (i < n) y[i] = x[i] * table[index[i]];'
  done
  expect 0 "${with_plugin[@]}" "${as_cuda[@]}" -Rpass=inline -c self.cu
  says_not remark:
}

# The page is the command's, and is left alone where there is no gradient.
case_report() {
  expect 0 "${with_plugin[@]}" "${as_cuda[@]}" -fplugin-arg-gradwright-report=page.html -c self.cu
  grep -q '</html>' page.html && grep -q lookup_grad page.html || fail 'no page'
  older page.html
  sed -i 's/GW_GRADIENT("/GW_GRADIENT("nothing /' self.cu
  expect 1 "${with_plugin[@]}" "${as_cuda[@]}" -fplugin-arg-gradwright-report=page.html -c self.cu
  survives page.html
}

# The arguments that libclang gets do not depend on chance (address layout, uninitialised fields of Clang's).
case_stable() {
  local i
  for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
    rm -f self.grad.hpp
    expect 0 "${with_plugin[@]}" -fsyntax-only self.cpp
  done
}

# Nothing is made, Clang fails at the user's line, and the older file is as it was.
case_errors() {
  older self.grad.hpp
  sed -i 's/GW_GRADIENT("wrt x, y")/GW_GRADIENT("wrt x, z")/' self.cpp
  expect 1 "${with_plugin[@]}" -c self.cpp
  says "self.cpp:8:1: error: 'z' names no parameter of 'model::energy'"
  says 'GW_GRADIENT("wrt x, z")'
  says "no gradient was made for 'self.cpp'"
  says_not 'older text'
  [ ! -e self.o ] || fail 'an object in spite of the error'
  survives self.grad.hpp
  sed -i 's/wrt x, z/wrt x, y/; s/return SCALE/return SCALES/' self.cpp
  expect 1 "${with_plugin[@]}" -c self.cpp
  says "self.cpp:9:44: error: use of undeclared identifier 'SCALES'"
  survives self.grad.hpp
  rm self.grad.hpp
  expect 1 "${with_plugin[@]}" -c self.cpp
  [ ! -e self.grad.hpp ] || fail 'a gradient in spite of the error'
  sed -i 's/SCALES/SCALE/' self.cpp
  expect 1 "${with_plugin[@]}" -fplugin-arg-gradwright-output=no/such/folder/x.hpp -c self.cpp
  says "cannot write 'no/such/folder/x.hpp': No such file or directory"
}

case_options() {
  mkdir made
  expect 0 "${with_plugin[@]}" -Imade -fplugin-arg-gradwright-output=made/self.grad.hpp -c self.cpp
  [ -s made/self.grad.hpp ] && [ ! -e self.grad.hpp ] || fail 'the output is somewhere else'
  expect 0 "${with_plugin[@]}" "${as_cuda[@]}" -fplugin-arg-gradwright-accumulate=atomic -c self.cu
  mv self.grad.cuh atomic.cuh
  expect 0 "${with_plugin[@]}" "${as_cuda[@]}" -fplugin-arg-gradwright-verify -c self.cu
  ! cmp -s atomic.cuh self.grad.cuh || fail 'accumulate=atomic changes nothing'
  sed -i '/GW_GRADIENT/d' self.cu
  expect 0 "${with_plugin[@]}" "${as_cuda[@]}" '-fplugin-arg-gradwright-gradient=lookup: y wrt x, table' -c \
      self.cu
  expect 1 "${with_plugin[@]}" -fplugin-arg-gradwright-explian -c self.cpp
  says "unknown option 'explian'; did you mean 'explain'?"
  expect 1 "${with_plugin[@]}" -fplugin-arg-gradwright-dump=emit -c self.cpp
  says "unknown option 'dump'"
}

# A source that asks for nothing is compiled as without the plugin.
case_others() {
  printf '#include <vector>\nint f() { return 0; }\n' >plain.cpp
  printf 'int f(void) { return 0; }\n' >plain.c
  expect 0 "${with_plugin[@]}" -c plain.cpp
  expect 0 "${clang%++*}${clang##*++}" "-fplugin=$plugin" -c plain.c
  expect 0 "${with_plugin[@]}" -E plain.cpp
  printf 'inline void energy_grad(double, double, double *, double *) {}\n' >stub.hpp
  sed -e 's/self.grad.hpp/stub.hpp/' -e '/cube_grad/d' -e 's/model::energy_grad/energy_grad/' self.cpp >once.cpp
  expect 0 "$clang" "-I$include" -DSCALE=1 -E once.cpp -o once.ii
  expect 0 "${with_plugin[@]}" -c once.ii # preprocessed: its includes are behind it
  [ -z "$(ls | grep grad)" ] || fail "made without being asked: $(ls | grep grad)"
}

# A Clang of another major is told so and fails; where one is installed it is tried, else one is pretended.
case_other_major() {
  older self.grad.hpp
  GW_TEST_CLANG_VERSION='clang version 18.1.7' expect 1 "${with_plugin[@]}" -c self.cpp
  says 'was loaded by Clang 18; build Gradwright with -DGW_LLVM_MAJOR=18'
  local own other
  own=$("$clang" -dumpversion | cut -d. -f1)
  for other in 14 15 16 17 18 19 20 21 23; do
    command -v "clang++-$other" >/dev/null && [ "$other" != "$own" ] || continue
    expect 1 "clang++-$other" "-fplugin=$plugin" "-I$include" -DSCALE=1 -c self.cpp
    grep -qE "was loaded by Clang $other;|unable to load plugin" err || fail "clang++-$other does not say why"
  done
  survives self.grad.hpp
}

"case_$case"
