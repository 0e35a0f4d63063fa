#!/bin/sh
# refusals.sh GRADWRIGHT GWCC FOLDER SOURCE: the source gives exactly SOURCE.out, status 1 and no output file.
# With GW_UPDATE=1 the expectation is written.
gradwright=$1 gwcc=$2 folder=$3 source=$4
cd "$folder" || exit 1
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
flags=$("$gwcc" --device=cpu --print-parse-flags "$source") || exit 1
# shellcheck disable=SC2086
"$gradwright" "$source" -o "$work/x" -- $flags >"$work/out" 2>&1
status=$?
[ "$status" = 1 ] || { echo "status $status, not 1"; cat "$work/out"; exit 1; }
[ ! -e "$work/x" ] || { echo "a file was written"; exit 1; }
[ "$GW_UPDATE" = 1 ] && cp "$work/out" "$source.out"
diff -u "$source.out" "$work/out"
