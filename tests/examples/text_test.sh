#!/usr/bin/env bash
# text_test.sh GRADWRIGHT GWCC EXAMPLES - the text of the examples' gradients as a reader finds it.
set -euo pipefail
gradwright=$1 gwcc=$2 examples=$3
read -ra flags <<<"$("$gwcc" --device=cpu --print-parse-flags)"
splatting=$("$gradwright" "$examples/gaussian_splatting/gaussian_splatting.cu" -o - -- "${flags[@]}")
contraction=$("$gradwright" "$examples/tensor_contraction/tensor_contraction.cu" -o - -- "${flags[@]}")
explained=$("$gradwright" "$examples/gaussian_splatting/gaussian_splatting.cu" -o /dev/null --explain -- \
    "${flags[@]}" 2>&1)

# has COUNT TEXT PATTERN: so many lines of the text match.
has() {
  local found
  found=$(grep -cE "$3" <<<"$2" || true)
  [ "$found" = "$1" ] || { echo "$found lines with '$3', not $1"; exit 1; }
}
# The text has six reverse sweeps: joined, as a half, and the halves by_two and by_four, each along y and along
# x.
has 6 "$splatting" ' float d_conic_w_term = 0\.0f;'
has 6 "$splatting" "// warp: .* 's_color', 's_conic',"
has 0 "$splatting" "'s_mean' holds copies"
# One for each instance of a coarsened thread.
has 14 "$splatting" '// undoes line [0-9]+ of the primal: nothing was stored'
has 6 "$splatting" '// counts how often this loop ran'
has 10 "$splatting" '// a warp asks by bounds over its lanes' # in both sweeps
has 4 "$splatting" '^ +T_2 = T;' # where the thread is done, in the joined form and the three first halves
has 0 "$splatting" '^ +d_red(_2)? = 0\.0f;'
has 0 "$explained" 'GW_INJECTIVE' # lanes have one splat: distinct entries would not help
has 4 "$contraction" 'start_[ab] = 0;'
has 0 "$splatting" '^ *[^ /#"][^"]{125}' # longer lines hold a string
