#!/usr/bin/env bash
# debian_test.sh BUILD CMAKE SOURCE - the Debian package: made by CPack, what it needs, and that what is in it
# works from a root of its own, without environment, the build or the source tree. Where this may be done the
# package is installed by dpkg into a copy-on-write copy of this system whose source and build trees are hidden;
# elsewhere it is unpacked into an empty root and used from there. The first line of the output says which.
set -uo pipefail
unset GW_PRECOMPILED # for one use of headers in a folder of its own
build=$1 cmake=$2 source=$3
command -v dpkg-deb >/dev/null && command -v dpkg-shlibdeps >/dev/null || exit 77
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
fail() {
  echo "$*" >&2
  [ -s log ] && tail -20 log >&2
  exit 1
}

"$(dirname "$cmake")/cpack" --config "$build/CPackConfig.cmake" -G DEB -B "$folder/made" >log 2>&1 ||
    fail 'cpack fails'
package=$(ls made/*.deb) || fail 'no package'
needs=$(dpkg-deb -f "$package" Depends)
major=$(sed -n 's/^GW_LLVM_MAJOR:[A-Z]*=//p' "$build/CMakeCache.txt")
for need in "clang-$major" "libclang1-$major" "libclang-common-$major-dev" binutils libc6-dev libstdc++-dev \
    libc6; do
  grep -qE "(^|, )${need//+/\\+}( |,|\$)" <<<"$needs" || fail "it does not depend on $need but on: $needs"
done
if command -v apt-get >/dev/null; then
  apt-get -s install "./$package" >log 2>&1 || fail 'apt cannot satisfy its dependencies'
fi

cat >use.sh <<'USE'
set -eu
bin=$1
cd "$(mktemp -d)"
cat >map.cu <<'CODE'
#include <gradwright/gradwright.h>
#include <cstdio>
GW_GRADIENT("y wrt x")
__global__ void map(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }
#include "map.grad.cuh"
int main() {
    float *d, host[4] = {0, 3, 1, 0};
    cudaMalloc(&d, sizeof host);
    cudaMemcpy(d, host, sizeof host, cudaMemcpyHostToDevice);
    map_grad_launch(1, 1, 0, 0, d, d + 1, d + 2, d + 3, nullptr, 0);
    cudaMemcpy(host, d, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("%g\n", host[3]);
}
CODE
"$bin/gwcc" --device=cpu -MD map.cu -o map
[ "$(./map)" = 6 ]
grep -q "$(cd "$bin/.." && pwd)/include/gradwright/emitted/device.cuh" map.d
PATH="$bin:$PATH" gradwright map.cu -o out.cuh -MD
grep -q gradwright/gradwright.h out.cuh.d
! grep -q "$HIDDEN" map.d out.cuh.d
echo works
USE

# In the copy: dpkg itself, and no trace of where it was built.
cat >install.sh <<'INSTALL'
set -eu
mkdir upper work root
mount -t tmpfs none upper
mkdir upper/files upper/work
mount -t overlay overlay -o lowerdir=/,upperdir=upper/files,workdir=upper/work root
mount -t proc none root/proc
mount --bind /dev root/dev
mount -t tmpfs none root/tmp
cp "$1" use.sh root/tmp
for tree in "$2" "$3"; do [ ! -d "root$tree" ] || mount -t tmpfs none "root$tree"; done
echo ready
chroot root env -i PATH=/usr/bin:/bin:/usr/sbin:/sbin dpkg -i "/tmp/$(basename "$1")"
chroot root env -i PATH=/usr/bin:/bin HIDDEN="$3" sh /tmp/use.sh /usr/bin
INSTALL
for isolate in "unshare -m" "unshare -rm"; do
  rm -rf upper work root
  $isolate bash install.sh "$package" "$build" "$source" >log 2>&1 && grep -qx works log &&
      echo 'installed by dpkg into a copy of this system' && exit 0
  ! grep -qx ready log || fail 'the installed package does not work'
done
echo 'unpacked into an empty root: no mounts allowed here'
mkdir unpacked && dpkg-deb -x "$package" unpacked || fail 'it cannot be unpacked'
for file in unpacked/usr/bin/* unpacked/usr/lib*/*.so unpacked/usr/lib/*/*.so; do
  [ ! -f "$file" ] || ! ldd "$file" 2>&1 | grep 'not found' | grep -vqi clang || fail "$file lacks a library"
done
env -i PATH=/usr/bin:/bin HIDDEN="$source" sh use.sh "$folder/unpacked/usr/bin" >log 2>&1 &&
    grep -qx works log || fail 'the unpacked package does not work'
