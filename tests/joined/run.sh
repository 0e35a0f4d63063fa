#!/bin/sh
# Makes the gradients of sources that call each other, each with the others named behind it, compiles, links and
# runs all; asks what a rule of make has; of C, whether --check sees a change in another file, and gwcc does it.
#
# usage: run.sh GRADWRIGHT GWCC INCLUDE RUNTIME WORK 'COMPILER FLAGS' SOURCE...
set -eu
gradwright=$1 gwcc=$2 include=$3 runtime=$4 work=$5 compiler=$6
shift 6
rm -rf "$work"
mkdir -p "$work/copy"
for source; do cp "$(dirname "$source")"/*.h* "$source" "$work/copy"; done
cd "$work/copy"
names=
for source; do names="$names $(basename "$source")"; done
first=${names# } first=${first%% *} last=${names##* }
flags="-I$include -I."

gradient() { # SOURCE OPTION...: with the others behind it
  source=$1
  shift
  end=hpp
  case $source in *.c) end=h ;; esac
  others=$(for name in $names; do [ "$name" = "$source" ] || echo "$name"; done)
  "$gradwright" "$source" $others -o "${source%.*}.grad.$end" "$@"
}
for name in $names; do
  ! grep -q 'grad\.h' "$name" || gradient "$name" -MD -MF "$name.d"
done
for name in $names; do
  grep -q "$name" "$first.d" || { echo "the rule does not have $name" >&2; exit 1; }
done
"$gradwright" "$first" >/dev/null 2>&1 && { echo 'taken without the others' >&2; exit 1; }
$compiler $flags $names "$runtime" -lm -o app
./app

# A request from outside, of which the caller stands in the source.
case $first in *.cpp)
  echo 'double asked(double x) { return x * x; }' >asked.cpp
  cat >asks.cpp <<'END'
double asked(double x);
double asks(double x) { return asked(x) * x; }
#include "asks.grad.hpp"
int main() {
    double d_x = 0;
    asks_grad(2, &d_x);
    return d_x != 12;
}
END
  "$gradwright" asks.cpp asked.cpp --gradient 'asks: wrt x'
  $compiler $flags asks.cpp asked.cpp -o asks
  ./asks
  exit 0
  ;;
esac
gradient "$first" --check
sed 's/x \* x/x * x * 1.25/' "$last" >changed && mv changed "$last"
if gradient "$first" --check 2>stale; then
  echo "a change of $last is not seen" >&2
  exit 1
fi
grep -q 'has changed' stale
rm -f ./*.grad.*
CC=gcc CXX=g++ "$gwcc" --device=cpu -O1 $names -lm -o app
./app
