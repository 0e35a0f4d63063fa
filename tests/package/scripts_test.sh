#!/usr/bin/env bash
# What scripts/install-deps asks for and scripts/build hands to cmake, with stand-ins for the system's commands.
# usage: scripts_test.sh SOURCE
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin"
for name in bash env dirname mkdir touch rm; do ln -s "$(command -v $name)" "$folder/bin"; done
stand_in() {
  printf '#!%s\n%s\n' "$(command -v bash)" "$2" >"$folder/bin/$1"
  chmod +x "$folder/bin/$1"
}
fail() {
  echo "$1" >&2
  exit 1
}
run() { PATH=$folder/bin GW_BUILD=$folder/build "$@"; }

# Nobody is root, nothing can be installed, and all but python3-numpy and PyTorch is there.
stand_in id 'echo 1000'
stand_in apt-get 'exit 1'
stand_in apt-cache 'exit 1'
stand_in dpkg-query 'case ${!#} in python3-numpy | python3-torch) exit 1 ;; esac; printf installed'
[ "$(run "$1/scripts/install-deps")" = "install-deps: everything is there" ] || fail "the demo needs NumPy"
run "$1/scripts/install-deps" --tests >"$folder/said" 2>&1 && fail "the tests need no NumPy"
grep -q 'not root and no sudo; please install: python3-numpy$' "$folder/said" || fail "$(cat "$folder/said")"
# PyTorch is asked for where the lists have it.
stand_in apt-cache 'exit 0'
run "$1/scripts/install-deps" --tests >"$folder/said" 2>&1 && fail "the tests need no PyTorch"
grep -q 'please install: python3-numpy python3-torch$' "$folder/said" || fail "$(cat "$folder/said")"

# Without tests only where nothing is configured yet, and the whole build has them again.
stand_in cmake "echo \"\$*\"; [ \"\$1\" = --build ] || : >'$folder/build/build.ninja'"
said() { run "$1/scripts/build" "${@:2}" | tr '\n' ';'; }
commands="--build $folder/build --target gw_commands;"
configure="-S . -B $folder/build -G Ninja"
[ "$(said "$1" --commands)" = "$configure -DGW_BUILD_TESTS=OFF;$commands" ] || fail "a bare folder"
[ "$(said "$1" --commands)" = "$commands" ] || fail "a folder for the commands"
[ "$(said "$1")" = "$configure -UGW_BUILD_TESTS;--build $folder/build;" ] || fail "the whole build has no tests"
[ "$(said "$1")" = "--build $folder/build;" ] || fail "a folder that has all"
[ "$(said "$1" --commands)" = "$commands" ] || fail "the tests are gone"
