#!/bin/sh
# t_temporary.sh ASSAY_TEST - assay-test leaves nothing in the folder for
# temporary files: not at its end, not when it is interrupted, not when it is
# killed. Speaks TAP.
set -eu
assay_test=$1
TMPDIR=$(mktemp -d)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
trap 'exit 130' HUP INT TERM

cases=$TMPDIR/cases.test
cat >"$cases" <<'END'
#! kind: cli

=== a folder, a file, and no end
--- files cases.jsonl
{"gold":"SELECT 1"}
--- run
$ mktemp >/dev/null && touch ../../started && [ -n "$SHORT" ] || sleep 60
END
entries() { find "$TMPDIR" -mindepth 1 ! -path "$cases"; }
is_empty() { # within 10 s
    n=0
    while [ -n "$(entries)" ] && [ $n -lt 100 ]; do
        n=$((n + 1))
        sleep 0.1
    done
    [ -z "$(entries)" ]
}
count=0
check() { # DESCRIPTION COMMAND...
    count=$((count + 1))
    what=$1
    shift
    if "$@"; then
        echo "ok $count - $what"
    else
        echo "not ok $count - $what"
        entries | sed 's/^/# /'
    fi
}

SHORT=yes "$assay_test" "$cases" >/dev/null
check "nothing is left at the end" test -z "$(entries)"
for signal in INT TERM KILL; do
    # A shell's background processes ignore INT; what ends must not.
    env --default-signal=INT SHORT= "$assay_test" "$cases" >/dev/null 2>&1 &
    n=0
    until find "$TMPDIR" -name started | grep -q . || [ $n -eq 100 ]; do
        n=$((n + 1))
        sleep 0.1
    done
    check "a case is running" [ -n "$(entries)" ]
    kill -s $signal $!
    wait $! 2>/dev/null || :
    check "nothing is left after SIG$signal" is_empty
done
echo "1..$count"
