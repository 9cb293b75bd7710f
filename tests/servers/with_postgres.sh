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

. "$(dirname "$0")/with_lib.sh"
folder_begin pg
user=$(id -un)
as_user=
if [ "$(id -u)" -eq 0 ]; then
    user=postgres
    as_user="setpriv --reuid=postgres --regid=postgres --init-groups"
    chown postgres: "$folder"
fi
script pg_ctl <<END
# start, stop, restart: what tests do to their server.
cd "$folder"
# Plans, and with them the order of ties, would change while autovacuum counts.
exec $as_user "$PG_BIN/pg_ctl" -t 180 -D "$folder/data" -l "$folder/log" -w \\
    -o "-k $folder -c listen_addresses= -c fsync=off -c autovacuum=off" "\$@"
END
script end <<END
exec "$folder/pg_ctl" stop -m immediate
END
(
    cd "$folder"
    $as_user "$PG_BIN/initdb" -D "$folder/data" -A trust -U "$user" -E UTF8 \
        --locale=C.UTF-8 --no-sync
    "$folder/pg_ctl" start
) >"$folder/start.log" 2>&1 || {
    cat "$folder/start.log" "$folder/log" >&2
    exit 1
}
# assay comes as a role that may read, and make databases for --setup.
PGHOST="$folder" PGUSER="$user" "$PG_BIN/psql" -qX postgres -c "CREATE ROLE assay
    LOGIN CREATEDB; GRANT pg_read_all_data TO assay"
export PG_BIN PG_FOLDER="$folder"
export ASSAY_PG="postgresql://assay@$(encoded "$folder")/{db}"
export ASSAY_TEST_POSTGRES="$ASSAY_PG"
export PGHOST="$folder" PGUSER="$user"
beside "$@"
