#!/usr/bin/env bash
# defects_test.sh GWCHECK SOURCES CASE - gwcheck ends with 1 and names the planted defect, or passes what has
# none.
set -uo pipefail
gwcheck=$1 sources=$2 case=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

check() { # STATUS FILE OPTION...
  local wanted=$1 file=$sources/$2
  shift 2
  "$gwcheck" "$file" "$@" -- -D"$case" >"$folder/log" 2>&1
  local status=$?
  [ $status = "$wanted" ] || fail "it ends with $status, not $wanted"
}
fail() {
  echo "case $case: $*" >&2
  cat "$folder/log" >&2
  exit 1
}
# A row of the table, with blanks as one.
says() { sed -E 's/ +/ /g' "$folder/log" | grep -qE -- "^ ?$1" || fail "no row says: $1"; }

case $case in
  WRONG_PULLBACK) check 1 defects.cu --set n=256; says 'differences fail d_x\[' ;;
  WRONG_CELL) check 1 defects.cu --set n=256; says 'differences fail d_x\[137\] .*halving' ;;
  RACE)
    check 1 defects.cu
    says "races fail .*defects.cu:31:12: error: reads byte 252 of 'all'"
    says 'orders fail .*: a race' ;;
  PROMISE)
    check 1 defects.cu --set n=256 --range 'list=[0, 9]'
    says 'races fail .* both touch d_x .* lines 39 and 39'
    check 0 defects.cu --set n=256 ;; # numbers that keep it
  OUTSIDE)
    check 1 defects.cu --set n=200 --size x=n --size y=n
    says 'bounds fail y\[200\] the primal writes outside of it: it has 200 elements' ;;
  READ_OUTSIDE) check 1 defects.cu --set n=256; says 'finite fail y\[255\] NaN' ;;
  NOT_A_NUMBER)
    check 1 defects.cu --set n=256
    says 'finite fail y\[[0-9]*\] NaN: what the function itself gives'
    check 0 defects.cu --set n=256 --range 'x=[2, 3]' ;;
  GRADIENT_NOT_A_NUMBER) check 1 defects.cu --set n=256; says 'finite fail d_x\[0\] .*the gradient' ;;
  KINK)
    check 0 defects.cu --set n=256
    says 'differences kink x\[[0-9]+\] one-sided slopes'
    says 'directions ok'
    check 1 defects.cu --set n=256 --gradwright-arg=--keep-seed # nobody zeroes what was consumed
    says 'differences fail d_y\[' ;;
  PRIMAL_BYTES) check 1 defects.cpp; says 'primal bytes fail x\[1\] the gradient changes it' ;;
  FORWARD) check 1 defects.cpp; says 'forward fail'; says 'differences ok d_x' ;;
  ADDED) check 1 defects.cpp; says 'added to fail d_x\[0\]' ;;
  CRASH) check 1 defects.cpp; says 'run fail it crashed \(Segmentation fault\) in the primal' ;;
  *) fail 'there is no such case' ;;
esac
