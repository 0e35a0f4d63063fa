#!/usr/bin/env bash
# kept_answers.sh GRADWRIGHT GWCC SOURCE: with --smt-cache the decisions are those without, whatever lies in the
# folder; and what lies there is what is taken: an answer that was spoilt by hand shows.
set -eu
gradwright=$1 gwcc=$2 source=$3
unset GW_SMT_CACHE
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
read -ra flags <<< "$("$gwcc" --device=cpu --print-parse-flags)"
decide() { # NAME OPTION...
  "$gradwright" "$source" "${@:2}" --explain -o "$1.cuh" -- "${flags[@]}" >"$1" 2>&1
  sed 's/^.*grad.cuh//' "$1.cuh" >>"$1"
}
fail() { echo "FAILED: $1" >&2; exit 1; }
decide without
decide first --smt-cache=kept
cmp without first
count=$(ls kept | wc -l)
[ "$count" -gt 3 ] || fail "$count answers were kept"
decide second --smt-cache=kept
cmp without second
[ "$(ls kept | wc -l)" = "$count" ] || fail "questions were asked again"
# 3 is "they meet", 2 is "never".
grep -lq '^3 ' kept/* || fail "no meeting was kept"
sed -i '1s/^3 /2 /' kept/*
decide spoilt --smt-cache=kept
! cmp -s without spoilt || fail "the answers are not taken"
# Answers to other questions, cut ones, and a folder that is none.
cut=
for file in kept/*; do
  if [ -n "$cut" ]; then truncate -s 40 "$file" && cut=; else echo more >>"$file" && cut=1; fi
done
decide other --smt-cache=kept
cmp without other
: >file
decide none --smt-cache=file
cmp without none
echo "$count answers"
