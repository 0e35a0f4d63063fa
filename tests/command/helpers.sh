# helpers.sh - what the command's tests share, which read it: an empty folder for the case, and words for what
# is expected. GRADWRIGHT SOURCES CASE are their arguments.
gradwright=$1 sources=$2 case=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$sources"/*.cu "$sources"/*.cpp .

fail() {
  echo "case $case: $*" >&2
  [ -s err ] && sed 's/^/  stderr: /' err >&2
  exit 1
}
# expect STATUS ARGUMENTS...: runs the command; output in out and err
expect() {
  local wanted=$1 status
  shift
  "$gradwright" "$@" >out 2>err
  status=$?
  [ "$status" -eq "$wanted" ] || fail "exit status $status instead of $wanted: gradwright $*"
}
says() { grep -qF -- "$1" err || fail "stderr does not say: $1"; }
shows() { grep -qF -- "$1" "${2:-out}" || fail "${2:-out} does not show: $1"; }
# obey CODE [COMMAND...]: does what the way out of [CODE] says, by COMMAND, which is how it is done here;
# without one, by what stands behind "make it anew: ". It goes through, and the code is said no more.
# The test refused.coverage looks for such lines.
obey() {
  local code=$1 way
  shift
  way=$(awk -v code="[$code]" 'index($0, code) { is = 1 } is && /^  way out: / { print; exit }' err)
  [ -n "$way" ] || fail "[$code] is not said with a way out"
  [ $# -gt 0 ] || set -- eval "${way##*make it anew: }"
  PATH=$(dirname "$gradwright"):$PATH "$@" >out 2>err || fail "what $way says fails"
  ! grep -qF "[$code]" err || fail "[$code] is said of what obeys it"
}
silent() { [ ! -s out ] || fail "something is on standard output"; }
only() { # the files that may be there beside the sources
  local rest
  rest=$(ls -A | grep -vxE "mixed.cu|square.cpp|wrong.cu|out|err|$1" || true)
  [ -z "$rest" ] || fail "left behind: $rest"
}
# An older output that must survive byte for byte, with its time.
older() {
  mkdir -p "$(dirname "$1")"
  printf 'the older text\n' >"$1"
  touch -d '2001-02-03 04:05:06' "$1"
}
survives() {
  [ "$(cat "$1")" = 'the older text' ] || fail "$1 was changed"
  [ "$(stat -c %Y "$1")" = "$(date -d '2001-02-03 04:05:06' +%s)" ] || fail "the time of $1 was changed"
}
