#!/usr/bin/env bash
# command_test.sh GWCHECK SOURCES PYTHON CASE - gwcheck's options, inputs and reports.
set -uo pipefail
gwcheck=$1 sources=$2 python=$3 case=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

fail() {
  echo "case $case: $*" >&2
  cat log >&2
  exit 1
}
ends() { # STATUS WORDS...
  local wanted=$1
  shift
  "$@" >log 2>&1
  local status=$?
  [ $status = "$wanted" ] || fail "'$*' ends with $status, not $wanted"
}
says() { grep -qF -- "$1" log || fail "it does not say: $1"; }
wrong() { # WHAT IT SAYS, WORDS...
  local words=$1
  shift
  ends 2 "$gwcheck" "$@"
  says "gwcheck: error: $words"
}

cat >plain.cpp <<'C'
#include <gradwright/gradwright.h>
GW_GRADIENT("y wrt x") void scale(double *y, const double *x, double k, int n) {
    for (int i = 0; i < n; i++) y[i] = k * x[i] * x[i];
}
C

case $case in
  cuda) # compiled by nvcc; where there is no GPU, that is said
    command -v nvcc >/dev/null || exit 77
    cat >device.cu <<'C'
#include <gradwright/gradwright.h>
GW_GRADIENT("y wrt x") __global__ void squares(double *y, const double *x) {
    y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x];
}
C
    "$gwcheck" device.cu --device=cuda >log 2>&1
    case $? in
      0) says 'device.cu: 1 gradient, all checks agree' ;;
      2) says 'gwcheck: error: it compiles, but there is no GPU to run it: ' ;;
      *) fail 'it neither agrees nor has no GPU' ;;
    esac ;;
  options)
    wrong 'no source'
    wrong "unknown option '--colour'" plain.cpp --colour
    wrong "unknown option '-O2'; flags of the compiler stand behind --" plain.cpp -O2
    wrong 'two sources' plain.cpp plain.cpp
    wrong "option 'size' needs a value" plain.cpp --size
    wrong "there is no device 'tpu'" plain.cpp --device=tpu
    wrong '--seed=one is no number' plain.cpp --seed=one
    wrong "there is no file 'none.cpp'" none.cpp
    wrong "cannot read '.'" .
    ends 0 "$gwcheck" --help; says '--launch'
    ends 0 "$gwcheck" --version; says 'gwcheck ' ;;
  given)
    wrong "--set='n' has no 'name=value'" plain.cpp --set n
    wrong "--set='m=4': no function that is checked has a parameter 'm'" plain.cpp --set m=4
    wrong "--set='n=4; exit(0)': '4; exit(0)' is no expression" plain.cpp --set 'n=4; exit(0)'
    wrong "--size='x=(3': '(3' is no expression" plain.cpp --size 'x=(3'
    wrong "--size='z=3': no function" plain.cpp --size z=3
    wrong "--range='x=[1': '[1' is no expression" plain.cpp --range 'x=[1'
    wrong "--range='x=3': '3' is no [low, high]" plain.cpp --range x=3
    wrong "--range='x=[2,1]': 2 is more than 1" plain.cpp --range 'x=[2,1]'
    wrong "--launch='grid=4': write 'f: grid=..., block=...'" plain.cpp --launch grid=4
    wrong "--launch='scale: blocks=4': 'blocks=4' is no part of it" plain.cpp --launch 'scale: blocks=4'
    wrong "--launch='scale: grid=4': no kernel that is checked is called 'scale'" \
      plain.cpp --launch 'scale: grid=4'
    printf '%s\n' '# a file' -DUNUSED '-Ino such' -DBAD=error >flags
    ends 0 "$gwcheck" plain.cpp --flags=flags
    wrong "cannot read 'none'" plain.cpp --flags=none
    ends 2 "$gwcheck" plain.cpp --size 'x=2 * m'
    says "--size='x=2 * m'"; says "undeclared identifier 'm'"
    ends 0 "$gwcheck" plain.cpp --set 'scale: n=5' --size 'x=n' --size 'y=n'
    says 'of 5 cells' ;;
  sources)
    echo 'void f(int n);' >none.cpp
    ends 2 "$gwcheck" none.cpp; says 'no derivative is requested'
    head='#include <gradwright/gradwright.h>'
    printf '%s\nGW_GRADIENT("y wrt z") void f(double *y, const double *x) { *y = *x; }\n' "$head" >bad.cpp
    ends 2 "$gwcheck" bad.cpp; says 'bad.cpp:2:'
    printf 'void f(double *y, const double *x) { *y = *x * *x; }\n' >bare.cpp
    ends 0 "$gwcheck" bare.cpp --gradient 'f: y wrt x'
    says 'bare.cpp: 1 gradient, all checks agree'
    printf '%s\nGW_GRADIENT("y wrt x") void f(double *y, const double *const *x) { *y = **x; }\n' \
      "$head" >rows.cpp
    wrong "no gradient of 'rows.cpp' can be checked" rows.cpp
    says "skip"; says "'x' leads to what gwcheck cannot make"
    # one that lies beside its source is not what is checked
    cp plain.cpp beside.cpp
    echo '#include "beside.grad.hpp"' >>beside.cpp
    echo '#error stale' >beside.grad.hpp
    ends 0 "$gwcheck" beside.cpp
    ends 0 "$gwcheck" plain.cpp --keep=kept; [ -s kept/plain/plain.grad.hpp ] || fail 'nothing is kept'
    wrong "cannot make the folder 'kept'" plain.cpp --keep=kept ;;
  inputs)
    "$python" "$sources/arrays.py" good.npz packed.npz short.npz other.npz || fail 'no arrays'
    for file in good packed; do
      ends 0 "$gwcheck" plain.cpp --inputs=$file.npz
      [ "$(grep -c '6 of 6 cells' log)" = 2 ] || fail 'x and y do not have 6 numbers'
    done
    wrong '--inputs=none.npz: ' plain.cpp --inputs=none.npz
    wrong '--inputs=plain.cpp: it is no .npz' plain.cpp --inputs=plain.cpp
    wrong "--inputs=other.npz: no function that is checked has a parameter 'z'" \
      plain.cpp --inputs=other.npz
    head -c 300 good.npz >cut.npz; wrong '--inputs=cut.npz: ' plain.cpp --inputs=cut.npz
    ends 1 "$gwcheck" plain.cpp --inputs=short.npz --size x=6
    says '--inputs has 3 numbers for it, 6 are wanted' ;;
  reports)
    ends 0 "$gwcheck" plain.cpp --json=all.json --junit=all.xml
    ends 0 "$python" -c '
import json, xml.etree.ElementTree as tree
told = json.load(open("all.json"))
assert told["failed"] == 0 and told["source"] == "plain.cpp", told
rows = [row for row in told["checks"] if row["check"] == "differences"]
assert [row["cell"][:4] for row in rows] == ["d_y[", "d_x["]
assert abs(rows[1]["got"] - rows[1]["expected"]) < 1e-6
suite = tree.parse("all.xml").getroot()[0]
assert suite.get("failures") == "0" and int(suite.get("tests")) == len(told["checks"]) == len(suite)'
    wrong "cannot write '/none/all.json'" plain.cpp --json=/none/all.json
    ends 1 "$gwcheck" "$sources/defects.cpp" --json=all.json --junit=all.xml
    ends 0 "$python" -c '
import json, xml.etree.ElementTree as tree
assert json.load(open("all.json"))["failed"] == 6
failed = tree.parse("all.xml").getroot()[0].findall("testcase/failure")
assert len(failed) == 6 and "is to be added to" in failed[2].get("message"), failed' ;;
  *) fail 'there is no such case' ;;
esac
