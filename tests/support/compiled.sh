#!/bin/sh
# usage: compiled.sh FOLDER INCLUDE HERE RUNTIME COMMAND...
# Compiles with COMMAND, to which what all hosts' tests need is added, and runs the program. FOLDER has the
# emitted gradients. All of it is left out while they, the headers, the test's folder HERE, the runtime, the
# compiler and its flags are what they were when it last went well (stamped.py).
set -e
folder=$1 include=$2 here=$3 runtime=$4
if [ "$5" = -- ]; then
  shift 5
  "$@" -I"$folder" -I"$include" -I"$here" "$runtime" -lm -pthread -o "$folder/program"
  exec timeout 120 "$folder/program"
fi
shift 4
{
  find "$folder" "$include" "$here" -type f ! -name program ! -name files
  echo "$runtime"
  command -v "$1"
} >"$folder/files"
exec python3 -S "$(dirname "$0")/stamped.py" "$folder.stamp" "$folder/files" -- \
  sh "$0" "$folder" "$include" "$here" "$runtime" -- "$@"
