#!/bin/sh
# tap.sh PROGRAM - runs a cmocka program whose TAP says `not ok N # SKIP` of a
# skipped test, which TAP takes for a failure: it shall be `ok N # SKIP`.
out=$(mktemp)
trap 'rm -f "$out"' EXIT
trap 'exit 130' HUP INT TERM
"$@" >"$out"
status=$?
sed 's/^not ok \([0-9]* # SKIP\)/ok \1/' "$out"
exit "$status"
