#!/bin/sh
# usage: run.sh GWCC SOURCE [FLAG...]
# Builds and runs a test program. Its first lines say what to expect:
#   // sources: FILE...      more files of the same program
#   // flags: FLAG...        for gwcc
#   // environment: A=B...   for the run
#   // seeds: N...            run again with these as GW_CPU_SEED
#   // expect: TEXT          a part of what the run prints
#   // refused: TEXT         the build must fail, with this in its messages
set -u
gwcc=$1 source=$2
shift 2
folder=$(dirname "$source")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

field() { sed -n "s|^// $1: ||p" "$source"; }
fail() { echo "FAILED: $1"; cat "$work/log"; exit 1; }
expect_all() {
  field "$1" >"$work/wanted"
  while IFS= read -r text; do
    grep -qF -- "$text" "$work/log" || fail "no '$text' in:"
  done <"$work/wanted"
}

set -- "$@" $(field flags) "$source"
for more in $(field sources); do set -- "$@" "$folder/$more"; done
"$gwcc" --device=cpu -o "$work/program" "$@" >"$work/log" 2>&1
status=$?
if [ -n "$(field refused)" ]; then
  [ $status -eq 1 ] || fail "the build ended with $status, not 1"
  [ ! -e "$work/program" ] || fail "a refused program was written"
  expect_all refused
  exit 0
fi
[ $status -eq 0 ] || fail "the build ended with $status"
[ ! -s "$work/log" ] || fail "the build is not silent"
for seed in 0 $(field seeds); do
  env GW_CPU_SEED="$seed" $(field environment) "$work/program" >"$work/log" 2>&1
  status=$?
  [ $status -eq 0 ] || fail "the program ended with $status (seed $seed)"
  expect_all expect
done
