#!/bin/sh
# golden.sh GRADWRIGHT GWCC FOLDER NAME: the IR of FOLDER/NAME must be FOLDER/NAME.gwir. With GW_UPDATE=1 it
# becomes so. Device sources are read with the CPU device's headers; locations inside headers are left out.
gradwright=$1 gwcc=$2 folder=$3 name=$4
cd "$folder" || exit 1
now=$(mktemp) new=$(mktemp)
trap 'rm -f "$now" "$new"' EXIT
case $name in
*.cu) flags=$("$gwcc" --device=cpu --print-parse-flags "$name") || exit 1 ;;
*) flags= ;;
esac
# shellcheck disable=SC2086
"$gradwright" "$name" --dump=front -- $flags >"$now" 2>&1 || { cat "$now"; exit 1; }
sed 's/ !"[^"]*":[0-9:]*//' "$now" >"$new"
if [ "$GW_UPDATE" = 1 ]; then
    cp "$new" "$name.gwir"
    exit 0
fi
diff -u "$name.gwir" "$new"
