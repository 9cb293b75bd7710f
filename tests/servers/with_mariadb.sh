#!/bin/sh
# with_mariadb.sh COMMAND [ARGUMENT...] - runs a command beside a MariaDB server
# of its own, and ends with what the command ended with.
#
# The server listens on a socket in a fresh temporary folder, nowhere else; the
# folder is gone afterwards, whatever happened. $ASSAY_MARIADB is its URL, with
# {db} for the database; $MARIADB_FOLDER/server stops and starts it. Where no
# server is installed, says so as a test in TAP would.
set -eu

PATH=$PATH:/usr/sbin
if ! command -v mariadbd >/dev/null ||
    ! command -v mariadb-install-db >/dev/null; then
    echo "1..0 # SKIP no MariaDB server here (Debian: mariadb-server)"
    exit 0
fi

# The path of a socket is at most 107 bytes long.
MARIADB_FOLDER=$(mktemp -d "${TMPDIR:-/tmp}/assay-my.XXXXXX")
stop() {
    "$MARIADB_FOLDER/server" stop >/dev/null 2>&1 || :
    rm -rf "$MARIADB_FOLDER"
}
trap stop EXIT
trap 'exit 130' INT TERM HUP
user=
if [ "$(id -u)" -eq 0 ]; then
    user=--user=root
fi
cat >"$MARIADB_FOLDER/server" <<END
#!/bin/sh
# start, stop, kill: what tests do to their server.
cd "$MARIADB_FOLDER"
case \$1 in
start)
    mariadbd --no-defaults $user --datadir="$MARIADB_FOLDER/data" \\
        --tmpdir="$MARIADB_FOLDER" --socket="$MARIADB_FOLDER/s" --pid-file="$MARIADB_FOLDER/pid" \\
        --skip-networking --lower-case-table-names=1 --innodb-flush-log-at-trx-commit=2 \\
        --innodb-buffer-pool-size=32M >>"$MARIADB_FOLDER/log" 2>&1 &
    n=0
    until mariadb-admin --no-defaults -u root -S "$MARIADB_FOLDER/s" ping \\
        >/dev/null 2>&1; do
        n=\$((n + 1))
        [ \$n -lt 300 ] || { cat "$MARIADB_FOLDER/log" >&2; exit 1; }
        sleep 0.1
    done
    ;;
stop | kill)
    pid=\$(cat "$MARIADB_FOLDER/pid")
    if [ \$1 = kill ]; then kill -9 \$pid; else kill \$pid; fi
    while kill -0 \$pid 2>/dev/null; do sleep 0.1; done
    ;;
esac
END
chmod +x "$MARIADB_FOLDER/server"
mariadb-install-db --no-defaults $user --datadir="$MARIADB_FOLDER/data" \
    --tmpdir="$MARIADB_FOLDER" --auth-root-authentication-method=normal --skip-test-db \
    >"$MARIADB_FOLDER/log" 2>&1 || {
    cat "$MARIADB_FOLDER/log" >&2
    exit 1
}
"$MARIADB_FOLDER/server" start
encoded=$(printf %s "$MARIADB_FOLDER/s" | sed 's,/,%2F,g')
export MARIADB_FOLDER
export ASSAY_MARIADB="mysql://root@$encoded/{db}"
export ASSAY_TEST_MARIADB="$ASSAY_MARIADB"
"$@"
