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

. "$(dirname "$0")/with_lib.sh"
folder_begin my
user=
if [ "$(id -u)" -eq 0 ]; then
    user=--user=root
fi
script server <<END
# start, stop, kill: what tests do to their server.
cd "$folder"
case \$1 in
start)
    mariadbd --no-defaults $user --datadir="$folder/data" --tmpdir="$folder/full" \\
        --socket="$folder/s" --pid-file="$folder/pid" --skip-networking \\
        --lower-case-table-names=1 --innodb-flush-log-at-trx-commit=2 \\
        --innodb-buffer-pool-size=32M >>"$folder/log" 2>&1 &
    echo \$! >"$folder/pid"
    n=0
    until mariadb-admin --no-defaults -u root -S "$folder/s" ping \\
        >/dev/null 2>&1; do
        n=\$((n + 1))
        [ \$n -lt 1800 ] || { cat "$folder/log" >&2; exit 1; }
        sleep 0.1
    done
    ;;
stop | kill)
    pid=\$(cat "$folder/pid")
    if [ \$1 = kill ]; then kill -9 \$pid; else kill \$pid; fi
    while kill -0 \$pid 2>/dev/null; do sleep 0.1; done
    ;;
esac
END
script end <<END
exec "$folder/server" kill
END
mariadb-install-db --no-defaults $user --datadir="$folder/data" \
    --tmpdir="$folder" --auth-root-authentication-method=normal --skip-test-db \
    >"$folder/log" 2>&1 || {
    cat "$folder/log" >&2
    exit 1
}
"$folder/server" start
# Not root, for whom nothing is a fence; but one who makes databases (--setup).
mariadb --no-defaults -u root -S "$folder/s" <<END
CREATE USER tester@localhost;
GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, DROP, ALTER, INDEX, REFERENCES,
    CREATE VIEW, SHOW VIEW, TRIGGER, CREATE ROUTINE, ALTER ROUTINE, EXECUTE,
    EVENT, LOCK TABLES, SHOW DATABASES ON *.* TO tester@localhost;
END
export MARIADB_FOLDER="$folder"
export ASSAY_MARIADB="mysql://tester@$(encoded "$folder/s")/{db}"
export ASSAY_TEST_MARIADB="$ASSAY_MARIADB"
beside "$@"
