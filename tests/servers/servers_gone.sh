#!/bin/sh
# servers_gone.sh STARTER - the private server of with_*.sh is gone, and its
# folder with it, when what runs beside it ends, is interrupted or killed.
set -eu
starter=$1
TMPDIR=$(mktemp -d)
chmod 755 "$TMPDIR" # the user of the server shall get through
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
trap 'exit 130' HUP INT TERM

if "$starter" true | grep -q '^1..0 # SKIP'; then
    "$starter" true
    exit 0
fi
# Processes that have the folder in their command lines, and what is in it.
left() {
    find "$TMPDIR" -mindepth 1
    grep -lzF "$TMPDIR/assay-" /proc/[0-9]*/cmdline 2>/dev/null || :
}
is_gone() { # within a minute
    n=0
    while [ -n "$(left)" ] && [ $n -lt 600 ]; do
        n=$((n + 1))
        sleep 0.1
    done
    [ -z "$(left)" ]
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
        left | sed 's/^/# /' | head -n 20
    fi
}

check "nothing is left at the end" is_gone
for signal in TERM KILL; do
    setsid "$starter" sh -c 'touch "$TMPDIR/started" && exec sleep 100' \
        >/dev/null 2>&1 &
    n=0
    until [ -e "$(echo "$TMPDIR"/*/t/started)" ] || [ $n -eq 1200 ]; do
        n=$((n + 1))
        sleep 0.1
    done
    check "a server is running" [ -n "$(left)" ]
    kill -s $signal -- -$!
    wait $! 2>/dev/null || :
    check "nothing is left after SIG$signal" is_gone
done
echo "1..$count"
