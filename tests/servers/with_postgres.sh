#!/bin/sh
# with_postgres.sh COMMAND [ARGUMENT...] - runs a command beside a PostgreSQL
# server of its own, and ends with what the command ended with.
#
# The server listens on a socket in a fresh temporary folder, nowhere else; the
# folder is gone afterwards, whatever happened. $ASSAY_PG is its URL, with {db}
# for the database; $PG_FOLDER/pg_ctl stops and starts it, $PG_BIN has psql and
# the like. Where no server is installed, says so as a test in TAP would.
set -eu

PG_BIN=${PG_BIN:-}
for folder in /usr/lib/postgresql/*/bin "$(dirname "$(command -v postgres ||
    echo /nowhere/x)")"; do
    if [ -z "$PG_BIN" ] && [ -x "$folder/initdb" ]; then
        PG_BIN=$folder
    fi
done
if [ -z "$PG_BIN" ]; then
    echo "1..0 # SKIP no PostgreSQL server here (Debian: postgresql)"
    exit 0
fi

# The path of a socket is at most 107 bytes long.
PG_FOLDER=$(mktemp -d "${TMPDIR:-/tmp}/assay-pg.XXXXXX")
user=$(id -un)
as_user() {
    if [ "$(id -u)" -eq 0 ]; then
        setpriv --reuid=postgres --regid=postgres --init-groups "$@"
    else
        "$@"
    fi
}
stop() {
    as_user "$PG_BIN/pg_ctl" -D "$PG_FOLDER/data" -m immediate -w stop \
        >/dev/null 2>&1 || :
    rm -rf "$PG_FOLDER"
}
trap stop EXIT
trap 'exit 130' INT TERM HUP
if [ "$(id -u)" -eq 0 ]; then
    chown postgres: "$PG_FOLDER"
    user=postgres
fi
cd "$PG_FOLDER"
as_user "$PG_BIN/initdb" -D "$PG_FOLDER/data" -A trust -U "$user" -E UTF8 \
    --locale=C.UTF-8 --no-sync >"$PG_FOLDER/initdb.log" 2>&1 || {
    cat "$PG_FOLDER/initdb.log" >&2
    exit 1
}
cat >"$PG_FOLDER/pg_ctl" <<END
#!/bin/sh
# start, stop, restart: what tests do to their server.
set -- -D "$PG_FOLDER/data" -l "$PG_FOLDER/log" -w \\
    -o "-k $PG_FOLDER -c listen_addresses= -c fsync=off" "\$@"
if [ "\$(id -u)" -eq 0 ]; then
    exec setpriv --reuid=postgres --regid=postgres --init-groups \\
        "$PG_BIN/pg_ctl" "\$@"
fi
exec "$PG_BIN/pg_ctl" "\$@"
END
chmod +x "$PG_FOLDER/pg_ctl"
"$PG_FOLDER/pg_ctl" start >/dev/null 2>"$PG_FOLDER/start.log" || {
    cat "$PG_FOLDER/start.log" "$PG_FOLDER/log" >&2
    exit 1
}
cd "$OLDPWD"
encoded=$(printf %s "$PG_FOLDER" | sed 's,/,%2F,g')
export PG_BIN PG_FOLDER
export ASSAY_PG="postgresql://$user@$encoded/{db}"
export ASSAY_TEST_POSTGRES="$ASSAY_PG"
export PGHOST="$PG_FOLDER" PGUSER="$user"
"$@"
