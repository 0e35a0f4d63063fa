#!/usr/bin/env bash
# llvm_test.sh SOURCE BUILD CMAKE MAJOR - Gradwright built with another LLVM, and tests of what depends on it:
# the front end against compiled code, the plugin in that Clang, gradients on the CPU device.
set -uo pipefail
source=$1 build=$2 cmake=$3 major=$4
[ -x "/usr/lib/llvm-$major/bin/llvm-config" ] && [ -x "/usr/lib/llvm-$major/bin/clang++" ] &&
  [ -f "/usr/lib/llvm-$major/include/clang-c/Index.h" ] || exit 77
launchers=()
for language in C CXX; do
  launcher=$(sed -n "s/^CMAKE_${language}_COMPILER_LAUNCHER:[A-Z]*=//p" "$build/CMakeCache.txt")
  [ -z "$launcher" ] || launchers+=("-DCMAKE_${language}_COMPILER_LAUNCHER=$launcher")
done
out=$build/llvm$major
"$cmake" -G Ninja -S "$source" -B "$out" -DGW_LLVM_MAJOR="$major" "${launchers[@]}" &&
  "$cmake" --build "$out" &&
  ctest --test-dir "$out" --output-on-failure --no-tests=error -E sanitized \
    -R '^(frontend\.(semantics|semantics_c|refusals)|plugin\.|command\.(names|database|sarif)|adjoint\.(loops|math_calls)|cpu_device\.(kernels|math|device_printf))'
