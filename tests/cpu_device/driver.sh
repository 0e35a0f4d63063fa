#!/bin/sh
# usage: driver.sh GWCC
# What gwcc does with files, flags and the gradwright command (a stand-in of it, here).
set -u
gwcc=$1
unset GW_PRECOMPILED
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir tmp src
export TMPDIR="$work/tmp"
fail() { echo "FAILED: $1"; cat log; exit 1; }
good() { "$gwcc" --device=cpu "$@" >log 2>&1 || fail "gwcc $*"; tidy; }
bad() { # TEXT ARGUMENT...: must fail with the text
  text=$1
  shift
  "$gwcc" "$@" >log 2>&1 && fail "gwcc $* did not fail"
  grep -qF -- "$text" log || fail "no '$text' from gwcc $*"
  tidy
}
tidy() {
  [ -z "$(ls -A tmp)" ] || fail "files left in TMPDIR: $(ls tmp)"
  [ -z "$(ls | grep gwcc-)" ] || fail "staging files left: $(ls)"
}

cat >src/g.cu <<'END'
#include <cstdio>
#include "g.grad.cuh"
#define WITH_GRADIENT
int helper();
extern "C" int c_helper(void);
__global__ void k(int *p) { *p = VALUE; }
int main() {
  int *p, h;
  cudaMalloc(&p, 4);
  k<<<1, 1>>>(p);
  cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost);
  printf("%d %d %d", h, helper(), c_helper());
#ifdef WITH_GRADIENT
  printf(" %d", gradient_version);
#endif
  printf("\n");
}
END
sed '/grad.cuh/d; /define WITH/d' src/g.cu >src/k.cu
echo '#include <vector>
int helper() { return (int)std::vector<int>(3).size(); }' >src/helper.cpp
echo 'int c_helper(void) { int *restrict p = 0; return p ? 0 : 4; }' >src/c_helper.c

# One step; several kinds of input; nvcc's flags are taken.
good -DVALUE=2 src/k.cu src/helper.cpp src/c_helper.c -o all -O2 -g -arch=sm_80 -Xcompiler -Wall,-O1 \
  --expt-relaxed-constexpr -lineinfo -lm -Wl,--as-needed
[ "$(./all)" = "2 3 4" ] || fail "all printed $(./all)"

# Objects and an archive.
good -c -DVALUE=5 src/k.cu
good -c src/helper.cpp -o h.o
good -c src/c_helper.c
ar rc libhelp.a h.o c_helper.o
good k.o libhelp.a -o parts
[ "$(./parts)" = "5 3 4" ] || fail "parts printed $(./parts)"
good k.o -L. -lhelp -o parts2 -MD
[ "$(./parts2)" = "5 3 4" ] || fail "parts2 printed $(./parts2)"
good -c -DVALUE=5 src/k.cu -o dep.o -MD -MF dep.d
grep -q 'src/k.cu' dep.d || fail "no dependency file"

# A library that is loaded late, and more than once.
cat >src/late.cu <<'END'
__global__ void fill(int *p) { p[threadIdx.x] = (int)(threadIdx.x + blockDim.x); }
extern "C" int late(void) {
  int *p, r;
  if (cudaMalloc(&p, 400) != cudaSuccess)
    return -1;
  fill<<<1, 100>>>(p);
  cudaMemcpy(&r, p + 99, 4, cudaMemcpyDeviceToHost);
  cudaFree(p);
  return r;
}
END
cat >src/loader.cpp <<'END'
#include <dlfcn.h>
int main() {
  for (int i = 0; i < 3; ++i) {
    void *library = dlopen("./liblate.so", RTLD_NOW);
    if (!library || ((int (*)())dlsym(library, "late"))() != 199)
      return 1;
    dlclose(library);
  }
  return 0;
}
END
good -shared -fPIC -O2 src/late.cu -o liblate.so
good -c src/loader.cpp -o loader.o
"${CXX:-c++}" loader.o -o loader -ldl >log 2>&1 || fail "linking the loader"
./loader || fail "a library loaded late"

# Equal builds give equal objects.
cp k.o first.o
good -c -DVALUE=5 src/k.cu
cmp -s first.o k.o || fail "two builds differ"

# A failure leaves the output as it was, and nothing else.
cp all before
mkfifo src/pipe.cu
bad "cannot read 'src/pipe.cu': not a plain file" --device=cpu -c src/pipe.cu -o pipe.o
rm src/pipe.cu
bad "undeclared identifier 'VALUE'" --device=cpu src/k.cu src/helper.cpp src/c_helper.c -o all
cmp -s all before || fail "a failed compilation changed its output"
bad "c_helper" --device=cpu -DVALUE=1 src/k.cu src/helper.cpp -o all
cmp -s all before || fail "a failed link changed its output"
bad "is not supported" --device=cpu -E src/k.cu
bad "is not supported" --device=cpu -S src/k.cu
bad "relocatable" --device=cpu -DVALUE=1 -fgpu-rdc -c src/k.cu
bad "no such file: 'none.cu'" --device=cpu none.cu
bad "no input files" --device=cpu -O2
bad "unknown device 'gpu'" --device=gpu src/k.cu
bad "takes one source file" --device=cpu -c src/helper.cpp src/c_helper.c -o x.o
bad "takes one source file" --device=cpu --gradient 'k: p' src/k.cu src/k.cu
bad "'-o' needs a value" src/k.cu -o
GW_NVCC=/none bad "needs nvcc" --device=cuda -DVALUE=1 -c src/k.cu
GW_CLANG=/none/clang bad "cannot run '/none/clang'" --device=cpu -DVALUE=1 -c src/k.cu

# The gradient.
GW_GRADWRIGHT=/none/gradwright bad "no gradwright command" --device=cpu -DVALUE=1 \
  src/g.cu -o all
cat >gradwright <<'END'
#!/bin/sh
echo "$@" >"$RECORD"
[ -z "${REFUSE:-}" ] || { echo "g.cu:1:1: error: cannot differentiate" >&2; exit 1; }
while [ "$1" != -o ]; do shift; done
echo "static const int gradient_version = $VERSION;" >"$2"
END
chmod +x gradwright
export GW_GRADWRIGHT="$work/gradwright" RECORD="$work/record" VERSION=7
all="src/g.cu src/helper.cpp src/c_helper.c"
good -DVALUE=1 $all -o all --checked --gradwright-arg=--explain
[ "$(./all)" = "1 3 4 7" ] || fail "with a gradient: $(./all)"
[ ! -e src/g.grad.cuh ] || fail "a gradient was left beside the source"
grep -q -- "^$all -o .*/g.grad.cuh --checked --explain -- -x cuda .*-DVALUE=1" record ||
  { cp record log; fail "wrong arguments for gradwright"; }
# Flags of code generation that change what a source means are the parse's, too.
good -c -DVALUE=1 src/g.cu -o g.o -fopenmp-simd -funsigned-char -Xcompiler -mavx2 -fno-plt -O2
grep -q -- ' -- .*-fopenmp-simd .*-funsigned-char .*-mavx2' record ||
  { cp record log; fail "the parse lacks flags"; }
grep -q -- '-fno-plt\|-O2' record && { cp record log; fail "the parse has flags that mean nothing"; }
good -DVALUE=1 $all -o all --save-emitted
grep -q 'version = 7' src/g.grad.cuh || fail "the gradient was not saved"
VERSION=8
good -DVALUE=1 $all -o all
[ "$(./all)" = "1 3 4 8" ] || fail "a stale gradient was compiled"
grep -q "refreshed 'src/g.grad.cuh'" log || fail "the refreshed file was not named"
mkdir kept
good -DVALUE=1 $all -o all --save-emitted=kept
grep -q 'version = 8' kept/g.grad.cuh || fail "the gradient was not saved in the folder"
rm src/g.grad.cuh
# For nvcc the gradient is made with the toolkit's headers, not the CPU device's, and for the same architecture.
printf '#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\n: >"$2"\n' >nvcc
chmod +x nvcc
GW_NVCC="$work/nvcc" "$gwcc" --device=cuda -gencode arch=compute_80,code=sm_80 -DVALUE=1 -c src/g.cu \
  -o g.o >log 2>&1 || fail "nvcc"
grep -q -- '/g.grad.cuh -- --cuda-gpu-arch=sm_80 -DVALUE=1 -std=c++17$' record ||
  { cp record log; fail "wrong arguments for nvcc"; }
tidy
cp all before
REFUSE=1 bad "cannot differentiate" --device=cpu -DVALUE=1 $all -o all
cmp -s all before || fail "a failed gradient changed the output"
echo '__global__ void f(int *p) { *p = 1; } int main() {}' >src/plain.cu
rm -f record
good src/plain.cu -o plain
[ ! -e record ] || fail "gradwright ran for a source that does not ask"
good src/plain.cu -o plain --gradient 'f: p wrt p'
grep -q -- '--gradient f: p wrt p' record || fail "the request was not handed on"

# What is read, and what is no file, is not replaced.
cp src/plain.cu before
for place in src/plain.cu ./src/plain.cu; do
  bad "cannot write '$place': it is an input" --device=cpu src/plain.cu -o $place
  bad "cannot write '$place': it is an input" --device=cpu -c src/plain.cu -o $place
done
cmp -s src/plain.cu before || fail "the source was written over"
mkfifo pipe
cat pipe >through &
good src/plain.cu -o pipe
wait $!
[ -p pipe ] && [ -s through ] || fail "a pipe was replaced by a file"

# The user's own host compilers, with their words; CUDA sources and linking stay Clang's.
mkdir bin
printf '#!/bin/sh\necho "$@" >"$0.words"\nexec gcc "$@"\n' >bin/mycc
printf '#!/bin/sh\necho "$@" >"$0.words"\nexec g++ "$@"\n' >bin/mycxx
chmod +x bin/mycc bin/mycxx
echo 'int one(void) { return EXTRA; }' >src/one.c
echo 'extern "C" int one(); int two() { return one() + EXTRA; }' >src/two.cpp
echo 'int two(); __global__ void f(int *p) { *p = 1; } int main() { return two() - 2; }' >src/hosts.cu
CC="$work/bin/mycc -DEXTRA=1" CXX="$work/bin/mycxx  -DEXTRA=1" good src/hosts.cu src/one.c src/two.cpp -o hosts
./hosts || fail "sources compiled by CC and CXX"
grep -q -- '^-DEXTRA=1 .*-c src/one.c' bin/mycc.words || fail "CC did not compile the C source"
grep -q -- '^-DEXTRA=1 .*-c src/two.cpp' bin/mycxx.words || fail "CXX did not compile the C++ source"
CC=/none/cc bad "cannot run '/none/cc'" --device=cpu -DEXTRA=1 -c src/one.c

# Talk.
"$gwcc" --version | grep -qE '^gwcc [0-9.]+ \(commit ([0-9a-f]+|unknown), LLVM [0-9.]+' || fail "--version"
"$gwcc" --help | grep -q -- '--save-emitted' || fail "--help"
"$gwcc" --print-parse-flags -DX=1 -std=c++20 | grep -q -- '^-x cuda .*-DX=1 -std=c++20$' ||
  fail "--print-parse-flags"
"$gwcc" --device=cpu --verbose src/plain.cu -o plain 2>&1 | grep -q 'gwcc: device: cpu' ||
  fail "--verbose"
echo "all good"
