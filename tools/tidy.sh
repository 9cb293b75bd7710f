#!/bin/sh
# tidy.sh BUILD [FILE...] - clang-tidy 14 over the sources of src/ (or FILEs),
# with the flags of the build folder, two at a time. Ends with 1 on a finding.
#
# The analyzer looks at each function by itself; with DEEP=yes it follows calls,
# which takes ten times as long.
set -eu
cd "$(dirname "$0")/.."
build=$1
shift
if [ $# -eq 0 ]; then
    # Sources that this build compiles: a feature may leave some out.
    set -- $(tools/files.sh c | grep '^src/' | while IFS= read -r file; do
        if grep -q "/$file\"" "$build/compile_commands.json"; then
            echo "$file"
        fi
    done)
fi
mode=shallow
if [ "${DEEP:-}" = yes ]; then
    mode=deep
fi
status=0
printf '%s\n' "$@" | xargs -P 2 -n 1 \
    clang-tidy-14 --quiet -p "$build" --extra-arg=-Xclang \
    --extra-arg=-analyzer-config --extra-arg=-Xclang \
    --extra-arg=mode=$mode 2>"$build/tidy.err" || status=1
if [ "$status" -ne 0 ]; then
    grep -v 'warnings\? generated\|warnings\? treated' "$build/tidy.err" || true
fi
exit "$status"
