#!/bin/sh
# servers_odbc.sh ASSAY - scoring through ODBC, on a PostgreSQL server with its
# own driver. Runs under with_postgres.sh; speaks TAP.
set -u
assay=$1
driver=$(find /usr/lib -name psqlodbcw.so 2>/dev/null | head -n 1)
if [ -z "$driver" ]; then
    echo "1..0 # SKIP no ODBC driver of PostgreSQL here (Debian: odbc-postgresql)"
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
PATH=$PG_BIN:$PATH
export PGDATABASE=postgres
# Debian's own file makes the driver leave a log in /tmp.
export ODBCSYSINI="$work"
printf '[PostgreSQL Unicode]\nDriver=%s\nDebug=0\nCommLog=0\n' "$driver" \
    >"$work/odbcinst.ini"
url="odbc:Driver=$driver;Server=$PG_FOLDER;Port=5432;Uid=$PGUSER;Database={db}"
count=0

check() { # DESCRIPTION COMMAND...
    count=$((count + 1))
    what=$1
    shift
    if "$@" >"$work/check.log" 2>&1; then
        echo "ok $count - $what"
    else
        echo "not ok $count - $what"
        sed 's/^/# /' "$work/check.log" "$work/err" "$work/journal" 2>/dev/null |
            head -n 40
    fi
}
score() {
    rm -f "$work/journal"
    "$assay" score --gold "$work/cases" --out "$work/journal" --metrics exec \
        --jobs 2 "$@" >"$work/out" 2>"$work/err"
    echo $? >"$work/code"
}
# Adds a case: ID PRED [GOLD]
add() {
    printf '{"id":"%s","db":"shop","gold":"%s","pred":"%s"}\n' "$1" \
        "${3:-SELECT count(*) FROM t}" "$2" >>"$work/cases"
}
verdict() { # ID TEXT
    grep "\"id\":\"$1\"" "$work/journal" | grep -q -e "$2"
}

createdb shop
psql -q shop -c "CREATE TABLE t(id int PRIMARY KEY, n numeric(10,2),
    s text, d date, ts timestamp, b bytea, f float8, ok boolean, c char(5));
    INSERT INTO t VALUES (1, 2.50, 'grün 🙂', '2023-01-31',
    '2023-01-31 10:00:00.25', '\\x0aff', 0.1, true, 'x'),
    (2, -0.05, repeat('lang ', 3000), NULL, NULL, NULL, NULL, false, NULL)"
before=$(psql -qAt shop -c 'SELECT md5(string_agg(t::text, chr(10))) FROM t')

: >"$work/cases"
add same "SELECT id, n, s, d, ts, f FROM t WHERE id > 0" \
    "SELECT id, n, s, d, ts, f FROM t"
add exact "SELECT sum(n) FROM t" "SELECT 2.45"
add date "SELECT d::timestamp FROM t WHERE id = 1" "SELECT d FROM t WHERE id = 1"
add unicode "SELECT 'grün 🙂'" "SELECT s FROM t WHERE id = 1"
add long "SELECT repeat('lang ', 3000)" "SELECT s FROM t WHERE id = 2"
add padded "SELECT 'x'" "SELECT c FROM t WHERE id = 1"
add bytes "SELECT '\\\\\\\\x0afe'::bytea" "SELECT b FROM t WHERE id = 1"
add null "SELECT NULL::int" "SELECT d FROM t WHERE id = 2"
add column "SELECT nix FROM t"
add table "SELECT 1 FROM nowhere"
add syntax "SELECT FROM WHERE"
add late "SELECT pg_sleep(30)"
add rows "SELECT * FROM generate_series(1, 100000000)"
add drop "DROP TABLE t"
add two "SELECT 2; DELETE FROM t"
add cte "WITH x AS (DELETE FROM t RETURNING 1) SELECT 2"
add settings "SELECT set_config('statement_timeout', '0', false)"
add after "SELECT 2"
start=$(date +%s)
score --db "$url" --timeout 1
check "values of many types are the same" verdict same '"v":"yes"'
check "numbers are exact" verdict exact '"v":"yes"'
check "a date is its midnight" verdict date '"v":"yes"'
check "texts are UTF-8" verdict unicode '"v":"yes"'
check "long texts are whole" verdict long '"v":"yes"'
check "padding does not count" verdict padded '"v":"yes"'
check "bytes are compared" verdict bytes '"reason":"rows_differ"'
check "NULL is NULL" verdict null '"v":"yes"'
check "a column that is not there" verdict column no_such_column
check "a table that is not there" verdict table no_such_table
check "broken SQL" verdict syntax syntax_error
check "a query that sleeps is stopped" verdict late '"pred_status":"timeout"'
check "a result that goes on is cut" verdict rows '"v":"no"'
check "DROP is refused" verdict drop forbidden
check "two statements are refused" verdict two several_statements
check "a query that deletes is refused" verdict cte forbidden
check "settings are refused" verdict settings forbidden
check "and the connection goes on" verdict after '"v":"yes"'
check "all in time" test $(($(date +%s) - start)) -lt 40
check "nothing was changed" test "$before" = \
    "$(psql -qAt shop -c 'SELECT md5(string_agg(t::text, chr(10))) FROM t')"
check "the journal names the system" grep -q '"engine":"PostgreSQL .* through ODBC' \
    "$work/journal"

score --db "odbc:Driver=$driver;Server=$PG_FOLDER;Uid=x;Pwd=s3cret;Database=no"
check "a database that is missing ends the run" test "$(cat "$work/code")" -eq 3
check "no password is shown" sh -c "! grep -q s3cret '$work/err' '$work/out'"
echo "1..$count"
