#!/bin/sh
# warnings.sh GRADWRIGHT GWCC SOURCE: what is said about SOURCE, which is accepted, must be SOURCE.out. With
# GW_UPDATE=1 it becomes so.
gradwright=$1 gwcc=$2 source=$3
cd "$(dirname "$source")" || exit 1
name=$(basename "$source")
now=$(mktemp)
trap 'rm -f "$now"' EXIT
# shellcheck disable=SC2046
"$gradwright" "$name" -o - -- $("$gwcc" --device=cpu --print-parse-flags "$name") 2>"$now" >/dev/null ||
    { echo "it is refused"; cat "$now"; exit 1; }
[ "$GW_UPDATE" = 1 ] && cp "$now" "$name.out"
diff -u "$name.out" "$now"
