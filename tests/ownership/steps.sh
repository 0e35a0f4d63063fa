#!/usr/bin/env bash
# usage: steps.sh GRADWRIGHT GWCC SOURCE.cu
# The reverse of out_of_step with both barriers of its loop, and with one: then an iteration's second addition
# meets the first one of another iteration or thread, and neither may be plain.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags=$("$2" --device=cpu --print-parse-flags)
"$1" "$3" --dump=phases --prefer=owned -o "$work/both.ir" -- $flags
for drop in 0 1 2; do
    awk -v drop=$drop \
        '/^func/ { here = /@out_of_step_grad/ } /for lt/ && here { inside = 1 } /yield/ { inside = 0 }
        inside && $1 == "barrier" && ++seen == drop { next } { print }' "$work/both.ir" > "$work/less.ir"
    [ $drop = 0 ] || ! cmp -s "$work/both.ir" "$work/less.ir"
    "$1" "--from-ir=$work/less.ir" --prefer=owned --explain -o "$work/x.cuh" > "$work/table" 2> "$work/said" ||
        { cat "$work/said"; exit 1; }
    how=$(awk '/^[a-z_]+_grad \(/ { here = /^out_of_step_grad/ } here && /d_s\[.*8 \*.*\+=/ { for (i = 1; i < NF; i++) if ($i == "+=") print $(i + 1) }' "$work/table" "$work/said" | sort | uniq -c | xargs)
    want=$([ $drop = 0 ] && echo "2 plain" || echo "2 atomic")
    [ "$how" = "$want" ] || { echo "without barrier $drop: '$how', not '$want'"; exit 1; }
done
