#!/usr/bin/env bash
# subject_test.sh PYTHON STYLE.PY FOLDER: of a history, style.py names the subject that is too long, and no
# other one.
set -euo pipefail
command -v git >/dev/null || exit 77
rm -rf "$3" && mkdir -p "$3" && cd "$3"
commit() {
  git -c user.name=x -c user.email=x@example.org -c commit.gpgsign=false commit -q --allow-empty -m "$1"
}
long=$(printf 'x%.0s' $(seq 73))
git init -q .
echo 'int x;' >x.c
git add x.c
commit "before $long"
base=$(git rev-parse HEAD)
commit "${long:1}"
"$1" "$2" . "$base"
commit "$long"
commit 'short'
said=$("$1" "$2" . "$base" 2>&1) && { echo "a long subject passes"; exit 1; }
[ "$said" = "commit $(git rev-parse --short HEAD~1): its subject has 73 characters: $long" ] ||
    { echo "$said"; exit 1; }
