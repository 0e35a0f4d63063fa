#!/usr/bin/env bash
# package_test.sh SOURCE BUILD CMAKE GENERATOR CASE - Gradwright as other projects see it. Works in an empty
# folder.
set -uo pipefail
unset GW_PRECOMPILED # for one use of headers in a folder of its own
source=$1 build=$2 cmake=$3 generator=$4 case=$5
here=$source/tests/package
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

fail() {
  echo "case $case: $*" >&2
  [ -s log ] && tail -30 log | sed 's/^/  /' >&2
  exit 1
}
run() { "$@" >log 2>&1 || fail "fails: $*"; }
fails() { ! "$@" >log 2>&1 || fail "succeeds: $*"; }
says() { tr '\n' ' ' <log | tr -s ' ' | grep -qF -- "$1" || fail "does not say: $1"; }
made() { grep -qF "Differentiating" log; }
again() { run "$cmake" --build out; }
# Newer than what was built, also where a file's time has only whole seconds.
change() { sleep 1.1; sed -i "$2" "$1"; }

install_tree() {
  run "$cmake" --install "$build" --prefix "$folder/root"
  mv root moved # nothing may remember where it was installed
  [ "$(cd moved/include && find gradwright | sort)" = "$(cd "$build/include" && find gradwright | sort)" ] ||
      fail 'the headers that are installed are not those of the build'
  local file
  for file in README.md LICENSE docs/guide/memory.md docs/reference/options.md \
      examples/black_scholes/black_scholes.cu; do
    [ -s "moved/share/doc/gradwright/$file" ] || fail "$file is not installed"
  done
  [ ! -e moved/share/doc/gradwright/docs/internals ] || fail 'pages for maintainers are installed'
}

case_installed() {
  install_tree
  cp -r "$here/consumer" app
  run "$cmake" -G "$generator" -S app -B out -DCMAKE_PREFIX_PATH="$folder/moved" -DCMAKE_BUILD_TYPE=Release
  again
  made || fail 'the log does not name the gradients'
  says 'one thread per cell' # EXPLAIN
  grep -q '</html>' out/gradients/kernels/square.report.html || fail 'no page' # REPORT
  grep -q GW_CHECKED out/gradients/kernels/square.grad.cuh || fail 'OPTIONS --checked is lost'
  [ "$(./out/consumer)" = '12 20 12 -6' ] || fail "the program prints: $(./out/consumer)"
  ! grep -q "$source" out/gradients/*/*.d || fail 'a gradient was made with headers of the source tree'
  (cd out && ctest --output-on-failure) >log 2>&1 || fail 'gwcheck does not pass'
  says '100% tests passed, 0 tests failed out of 3'
  [ -s out/gwcheck.kernels.square.cu.xml ] || fail 'no JUnit'
  again
  ! made || fail 'a second build makes gradients again'
  # a header that a source includes
  change "app/headers with blanks/factor.h" 's/2.0f/3.0f/'
  again
  grep -q 'Differentiating.*square.cu' log || fail 'a changed header does not lead to a new gradient'
  ! grep -q 'Differentiating.*energy.cpp' log || fail 'a header of another target leads to a new gradient'
  [ "$(./out/consumer)" = '12 30 12 -6' ] || fail "with the other header: $(./out/consumer)"
  again
  ! made || fail 'a build after a change of a header makes gradients again'
  # a definition
  sleep 1.1
  sed -i 's/POWER=3/POWER=4/' app/CMakeLists.txt
  again
  grep -q 'Differentiating.*energy.cpp' log || fail 'a changed definition does not lead to a new gradient'
  [ "$(./out/consumer)" = '12 30 32 -6' ] || fail "with another definition: $(./out/consumer)"
  # an error: the build fails, what was made stays, and the next build makes it
  cp out/gradients/consumer/energy.grad.hpp older
  change app/energy.cpp 's/"wrt x"/"wrt z"/'
  fails "$cmake" --build out
  says "'z' names no parameter of 'energy'"
  cmp -s older out/gradients/consumer/energy.grad.hpp || fail 'the older gradient was changed'
  fails "$cmake" --build out
  change app/energy.cpp 's/"wrt z"/"wrt x"/'
  again
  [ "$(./out/consumer)" = '12 30 32 -6' ] || fail "after an error: $(./out/consumer)"
}

# Gradients beside their sources, which the build only checks.
case_committed() {
  install_tree
  cp -r "$here/committed" app
  cp "$here/consumer/square.cu" app
  cp -r "$here/consumer/headers with blanks" app/headers
  run "$cmake" -G "$generator" -S app -B out -DCMAKE_PREFIX_PATH="$folder/moved" -DCMAKE_BUILD_TYPE=Release
  stale() { # TESTS... are those that fail
    (cd out && ctest --output-on-failure) >log 2>&1
    local wanted=$# one
    [ "$(grep -c '(Failed)' log)" = "$wanted" ] || fail "$wanted tests are expected to fail"
    for one in "$@"; do grep -q "gradwright.$one (Failed)" log || fail "gradwright.$one does not fail"; done
  }
  stale app.wave.cpp model.spring.c kernels.square.cu # there are none yet
  says "cannot read '$folder/app/wave.grad.hpp': No such file or directory"
  run "$cmake" --build out --target app_gradients model_gradients kernels_gradients
  [ -s app/wave.grad.hpp ] && [ -s app/spring.grad.c ] && [ -s app/square.grad.cuh ] || fail 'not all are made'
  again
  ! made || fail 'the build makes gradients that are committed'
  [ "$(./out/app)" = '12 5 20' ] || fail "the program prints: $(./out/app)"
  stale
  says '100% tests passed, 0 tests failed out of 3'
  change app/wave.cpp 's,^double wave,// a comment\n&,'
  stale
  change app/wave.cpp 's/FACTOR \* x/FACTOR * x * x/'
  stale app.wave.cpp
  says "the gradient of 'wave' in '$folder/app/wave.grad.hpp' is out of date: the function, what it calls, "
  run "$cmake" --build out --target app_gradients
  stale
  change app/CMakeLists.txt 's/FACTOR=2/FACTOR=3/'
  run "$cmake" out
  stale app.wave.cpp
  sed -i 's/"wrt x/"wrt k, x/' app/spring.c
  change app/headers/factor.h 's/2.0f/3.0f/'
  stale app.wave.cpp model.spring.c kernels.square.cu
  says "'$folder/app/spring.grad.h' is out of date: it was asked for as 'wrt x', and is as 'wrt k, x'"
  # one that lies there would be taken in place of the one that is made
  sed -i 's/ COMMITTED//' app/CMakeLists.txt
  fails "$cmake" out
  says "'$folder/app/square.grad.cuh' lies beside its source, which would include it in place of the gradient"
}

# The form of target_link_libraries without a keyword, and flags from everywhere; what is not handed on is said.
case_plain() {
  install_tree
  cp -r "$here/plain" app
  run "$cmake" -G "$generator" -S app -B out -DCMAKE_PREFIX_PATH="$folder/moved" -DCMAKE_BUILD_TYPE=Release
  again
  says "the flag '-fpermissive' is not passed on"
  ! grep -q "flag '-W" log || fail 'warnings are reported as flags that are not passed on'
  [ "$(./out/plain)" = '-3.142 168' ] || fail "the program prints: $(./out/plain)"
  ! grep -q '#pragma omp\|omp_get' out/gradients/plain/sums.grad.hpp ||
      fail 'the gradient is not that of one thread'
  run "$cmake" -S app -B out -DCMAKE_BUILD_TYPE=Debug
  again
  [ "$(./out/plain)" = '-3.142 120' ] || fail "in another configuration: $(./out/plain)"
}

# The function's own messages.
case_misuse() {
  install_tree
  local line
  refuse() { # ARGUMENTS MESSAGE
    rm -rf bad out
    mkdir -p bad/sub
    printf 'cmake_minimum_required(VERSION 3.20)\nproject(Bad LANGUAGES CXX)\nfind_package(Gradwright CONFIG REQUIRED)\nadd_library(t x.cpp sub/x.cpp)\n%s\n' "$1" >bad/CMakeLists.txt
    touch bad/x.cpp bad/sub/x.cpp bad/x.f90 bad/x.cu
    [ ! -d bad/sub ] || printf '%s\n' "${3:-}" >bad/sub/CMakeLists.txt
    fails "$cmake" -G "$generator" -S bad -B out -DCMAKE_PREFIX_PATH="$folder/moved"
    says "$2"
  }
  refuse 'gradwright_target_gradients(u SOURCES x.cpp)' \
      'gradwright_target_gradients(u): there is no such target'
  refuse 'gradwright_target_gradients(t)' 'SOURCES names no file'
  refuse 'gradwright_target_gradients(t SOURCES)' 'SOURCES names no file'
  refuse 'gradwright_target_gradients(t EXPLIAN SOURCES x.cpp)' "unknown argument 'EXPLIAN'"
  refuse 'gradwright_target_gradients(t SOURCES y.cpp)' "there is no file '$folder/bad/y.cpp'"
  refuse 'gradwright_target_gradients(t SOURCES x.f90)' 'is no CUDA, C++ or C source'
  refuse 'gradwright_target_gradients(t SOURCES x.cpp sub/x.cpp)' "'t' has two sources whose gradient would be"
  refuse 'gradwright_target_gradients(t SOURCES x.cu DEVICE gpu)' "DEVICE is cuda or cpu, not 'gpu'"
  refuse 'gradwright_target_gradients(t SOURCES x.cu DEVICE cuda)' \
      'DEVICE cuda needs the language CUDA: enable_language(CUDA)'
  refuse 'gradwright_add_check(u)' 'gradwright_add_check(u): there is no such target, and no such file'
  refuse 'gradwright_add_check(t)' 'the target has no gradients'
  refuse 'gradwright_add_check(x.cpp SIZE x=n)' "unknown argument 'SIZE;x=n'"
  refuse 'gradwright_add_check(x.cpp DEVICE gpu)' "DEVICE is cpu or cuda, not 'gpu'"
  refuse 'add_subdirectory(sub)' 'call it where the target is made' \
      'gradwright_target_gradients(t SOURCES x.cpp)'
}

case_fetched() {
  cp -r "$here/fetched" app
  cp "$here/consumer/square.cu" app
  cp -r "$here/consumer/headers with blanks" app/headers
  printf '#include <cstdio>\nfloat square_slope(float x);\nint main() { std::printf("%%g\\n", square_slope(5)); }\n' >app/main.cpp
  run "$cmake" -G "$generator" -S app -B out -DGRADWRIGHT_SOURCE="$source" "${launchers[@]}"
  run "$cmake" --build out --target fetched -j2
  [ "$(./out/fetched)" = 20 ] || fail "the program prints: $(./out/fetched)"
  (cd out && ctest -N >../log)
  says 'Total Tests: 0'
}

# A project with the language CUDA; what is built is not run.
cuda_project() { # LANGUAGE-FLAGS...
  local toolkit=${CUDA_HOME:-/usr/local/cuda}
  [ -x "$toolkit/bin/nvcc" ] || exit 77
  install_tree
  cp -r "$here/cuda" app
  cp "$here/consumer/square.cu" app
  cp -r "$here/consumer/headers with blanks" app/headers
  run "$cmake" -G "$generator" -S app -B out -DCMAKE_PREFIX_PATH="$folder/moved" -DCMAKE_CUDA_ARCHITECTURES=90 \
    -DCUDAToolkit_ROOT="$toolkit" "$@"
  run "$cmake" --build out -- -v
  [ -s out/gradients/kernels/square.grad.cuh ] && [ -s out/gradients/kernels/cube.grad.cu ] ||
      fail 'a gradient is not made'
  nm -C out/libkernels.a >log
  says square_slope
  says cube_grad_launch
}

case_nvcc() {
  cuda_project -DCMAKE_CUDA_COMPILER="${CUDA_HOME:-/usr/local/cuda}/bin/nvcc"
}

# CMake 3.25 identifies Clang by code for sm_52, which CUDA 13 no longer has.
case_clang_cuda() {
  cuda_project -DCMAKE_CUDA_COMPILER="$(command -v "clang++-$major")" \
      -DCMAKE_CUDA_FLAGS=-Wno-unknown-cuda-version \
    -DCMAKE_CUDA_COMPILER_ID_TEST_FLAGS_FIRST="--cuda-path=${CUDA_HOME:-/usr/local/cuda} --cuda-gpu-arch=sm_90"
}

launchers=()
for language in C CXX; do
  launcher=$(sed -n "s/^CMAKE_${language}_COMPILER_LAUNCHER:[A-Z]*=//p" "$build/CMakeCache.txt")
  [ -z "$launcher" ] || launchers+=("-DCMAKE_${language}_COMPILER_LAUNCHER=$launcher")
done
major=$(sed -n 's/^GW_LLVM_MAJOR:[A-Z]*=//p' "$build/CMakeCache.txt")
launchers+=("-DGW_LLVM_MAJOR=$major")
"case_$case"
