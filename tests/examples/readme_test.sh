#!/usr/bin/env bash
# readme_test.sh SOURCE BUILD CASE - the README's first example and its commands, out of its own text.
set -uo pipefail
source=$1 build=$2 case=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
ln -s "$build" build
ln -s "$source/include" include
PATH=$build/bin:$PATH
fail() { echo "case $case: $*" >&2; exit 1; }

# The first block of code.
awk '/^```/ { if (inside) exit; inside = 1; next } inside' "$source/README.md" >map.cu
grep -q 'int main' map.cu || fail 'the first example has no main'
# The command of "Ways to use it" that begins so, with the lines that go on, without its remark.
command_of() {
  sed -n '/^## Ways to use it/,/^## /p' "$source/README.md" | sed -e ':a' -e '/\\$/{N;s/\\\n//;ba' -e '}' |
      grep -F -- "    $1" | head -1 | sed 's/ # .*//'
}
run() {
  local command
  command=$(command_of "$1")
  [ -n "$command" ] || fail "the README has no command that begins with '$1'"
  eval "$command" || fail "$command"
}
prints() { [ "$(./map)" = '1 3 5 7 ' ] || fail "the program prints: $(./map)"; }

case $case in
  cpu)
    run 'gwcc map.cu -o map'
    if [ ! -e /dev/nvidia0 ]; then prints; fi
    run 'gradwright map.cu -o map.grad.cuh --explain' 2>said
    grep -q 'd_x\[i\]: plain' said && [ -s map.grad.cuh ] || fail 'nothing is explained'
    run 'gradwright map.cu --report=map.html'
    [ -s map.html ] || fail 'no page'
    ;;
  cuda) # built, and run where there is a GPU
    command -v nvcc >/dev/null || PATH=$PATH:/usr/local/cuda/bin
    command -v nvcc >/dev/null || exit 77
    run 'gwcc --device=cuda map.cu -o map'
    if [ -e /dev/nvidia0 ]; then prints; fi
    ;;
  plugin)
    printf '%s\n' '#include <gradwright/gradwright.h>' '#include <cstdio>' \
        'GW_GRADIENT("wrt x") double f(double x) { return x * x + x; }' \
      '#include "map.grad.hpp"' \
      'int main() { const double at[] = {0, 1, 2, 3}; for (double x : at) { double d = 0; f_grad(x, &d); std::printf("%g ", d); } }' >map.cpp
    run 'clang++-22 -fplugin=build/lib/ClangGradwright-22.so -Iinclude map.cpp'
    prints
    ;;
  plugin_cuda)
    [ -x /usr/local/cuda/bin/ptxas ] || exit 77
    run 'clang++-22 -fplugin=build/lib/ClangGradwright-22.so -Iinclude --cuda-path'
    if [ -e /dev/nvidia0 ]; then prints; fi
    ;;
esac
