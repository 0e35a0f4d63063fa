#!/usr/bin/env bash
# pages_test.sh MAN GRADWRIGHT GWCC GWCHECK - each page is legal roff and has every option of its command's
# help; gwcc knows each option that its help lists.
set -euo pipefail
man=$1 gradwright=$2 gwcc=$3 gwcheck=$4
for command in "$gradwright" "$gwcc" "$gwcheck"; do
  page=$man/$(basename "$command").1
  if command -v groff >/dev/null; then
    said=$(groff -man -Tutf8 -ww -z "$page" 2>&1)
    [ -z "$said" ] || { echo "$said"; exit 1; }
  fi
  options=$("$command" --help | sed -nE 's/^  (-[^ ,=[]*).*/\1/p')
  [ "$(wc -w <<<"$options")" -gt 10 ] || { echo "$command: too few options in its help"; exit 1; }
  for option in $options; do
    grep -qE -- "^\.B .*$option" <<<"$(sed 's|\\-|-|g' "$page")" || { echo "$page lacks $option"; exit 1; }
  done
done
for option in $("$gwcc" --help | sed -nE 's/^  (--[^ =[]*).*/\1/p'); do
  said=$("$gwcc" --device=cpu "$option=nonsense" 2>&1 || true)
  grep -qE "is not supported|unknown (option|argument)" <<<"$said" &&
      { echo "gwcc does not know $option: $said"; exit 1; }
done
exit 0
