#!/bin/sh
# usage: meaning_wrong.sh PYTHON MEANING.PY ARGUMENT...
# The fuzzer of meaning finds what is wrong: forward and reverse mode say different things.
said=$("$@")
status=$?
[ "$status" = 77 ] && { echo "$said"; exit 77; }
[ "$status" = 1 ] || { echo "FAILED: status $status: $said"; exit 1; }
case $said in
*"forward mode says"*"1 sources differ"*) echo "all good" ;;
*) echo "FAILED: another difference: $said"; exit 1 ;;
esac
