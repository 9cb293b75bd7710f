#!/bin/sh
# servers_odbc.sh ASSAY postgres|mariadb - scoring through ODBC, with Debian's
# driver of the server. Runs under with_postgres.sh or with_mariadb.sh.
set -u
assay=$1
case $2 in
postgres) name=psqlodbcw.so package=odbc-postgresql ;;
mariadb) name=libmaodbc.so package=odbc-mariadb ;;
esac
driver=$(find /usr/lib -name "$name" 2>/dev/null | head -n 1)
if [ -z "$driver" ]; then
    echo "1..0 # SKIP no ODBC driver $name here (Debian: $package)"
    exit 0
fi
. "$(dirname "$0")/servers_lib.sh"

# Debian's odbcinst.ini lets the driver of PostgreSQL write a log of each process.
printf '[PostgreSQL Unicode]\nDriver=%s\nCommLog=0\nDebug=0\n' "$driver" \
    >"$work/odbcinst.ini"
export ODBCSYSINI="$work"

# What differs: SQL of the set-up, what asks for the data, and some queries.
if [ "$2" = postgres ]; then
    PATH=$PG_BIN:$PATH
    settings="Driver=$driver;Server=$PG_FOLDER;Port=5432"
    url="odbc:$settings;Uid=assay;Database={db}"
    sql() { psql -qAt "${2:-postgres}" -c "$1"; }
    utf8='' bytes=bytea real=float8 time=timestamp hex="'\\x0aff'"
    one=1::bool wide="repeat('lang ', 3000)" rows='generate_series(1, 100000000)'
    sleep='pg_sleep(30)' running="SELECT query FROM pg_stat_activity
        WHERE datname = 'shop' AND state = 'active' AND pid <> pg_backend_pid()"
else
    settings="Driver=$driver;Socket=$MARIADB_FOLDER/s"
    url="odbc:$settings;Uid=tester;Database={db}"
    sql() {
        mariadb --no-defaults --default-character-set=utf8mb4 -u root \
            -S "$MARIADB_FOLDER/s" -BN ${2:+"$2"} -e "$1"
    }
    utf8='CHARACTER SET utf8mb4' bytes='varbinary(9)' real=double time='datetime(2)' hex="x'0aff'"
    one=true wide="repeat('lang ', 3000)" rows=seq_1_to_100000000
    sleep='sleep(30)' running="SELECT info FROM information_schema.processlist
        WHERE id <> connection_id() AND info IS NOT NULL"
fi
state() { sql 'SELECT * FROM t ORDER BY id' shop | cksum; }

sql "CREATE DATABASE shop $utf8"
sql "CREATE TABLE t(id int PRIMARY KEY, n numeric(10,2), s text, d date, ts $time,
        b $bytes, f $real, ok boolean, c char(5));
    INSERT INTO t VALUES (1, 2.50, 'grün 🙂', '2023-01-31',
        '2023-01-31 10:00:00.25', $hex, 0.1, $one, 'x'),
    (2, -0.05, $wide, NULL, NULL, NULL, NULL, NULL, NULL);
    CREATE SEQUENCE q" shop
before=$(state)

: >"$work/cases"
add same "SELECT id, n, s, d, ts, f FROM t WHERE id > 0" \
    "SELECT id, n, s, d, ts, f FROM t"
add exact "SELECT sum(n) FROM t" "SELECT 2.45"
add unicode "SELECT s FROM t WHERE id = 1" "SELECT 'grün 🙂'"
add long "SELECT s FROM t WHERE id = 2" "SELECT $wide"
add huge "SELECT repeat('x', 9000000)"
add padded "SELECT c FROM t WHERE id = 1" "SELECT 'x'"
add bytes "SELECT b FROM t WHERE id = 1" "SELECT s FROM t WHERE id = 1"
add null "SELECT d FROM t WHERE id = 2" "SELECT NULL"
add column "SELECT nix FROM t"
add table "SELECT 1 FROM nowhere"
add function "SELECT nofunction(1)"
add syntax "SELECT FROM WHERE"
add late "SELECT $sleep"
add rows "SELECT * FROM $rows"
add drop "DROP TABLE t"
add two "SELECT 1; DELETE FROM t"
add cte "WITH x AS (DELETE FROM t RETURNING 1) SELECT 1"
add lock "SELECT id FROM t WHERE id = 1 FOR UPDATE"
if [ "$2" = postgres ]; then
    sql "CREATE FUNCTION stubborn() RETURNS int LANGUAGE plpgsql AS 'BEGIN LOOP
        BEGIN PERFORM pg_sleep(100); EXCEPTION WHEN query_canceled THEN NULL;
        END; END LOOP; END'" shop
    add write "WITH x AS (SELECT 1) DELETE FROM t"
    add date "SELECT d FROM t WHERE id = 1" "SELECT d::timestamp FROM t WHERE id = 1"
    add settings "SELECT set_config('statement_timeout', '0', false)"
    add file "SELECT pg_stat_file('postgresql.conf')"
    add passwords "SELECT passwd FROM pg_shadow"
    add sequence "SELECT nextval('q')"
    add stubborn "SELECT stubborn()"
else
    add date "SELECT d FROM t WHERE id = 1" \
        "SELECT cast(d AS datetime) FROM t WHERE id = 1"
    add settings "SELECT 1 /*! INTO @@max_statement_time */"
    add file "SELECT 1 INTO OUTFILE '$work/written'"
    add hidden "SELECT '\\\\'', load_file('/etc/passwd') -- '"
    add passwords "SELECT authentication_string FROM mysql.user"
    add sequence "SELECT NEXT VALUE FOR q"
    add variable "SELECT @a := 5"
    add variable_gone "SELECT @a" "SELECT NULL"
    add busy "SELECT benchmark(1000000000000, md5('x'))"
fi
add after "SELECT 1"
start=$(date +%s)
score --db "$url" --timeout 1 --allow-functions stubborn
check "values of many types are the same" verdict same '"v":"yes"'
check "numbers are exact" verdict exact '"v":"yes"'
check "a date is its midnight" verdict date '"v":"yes"'
check "texts are UTF-8" verdict unicode '"v":"yes"'
check "long texts are whole" verdict long '"v":"yes"'
check "texts of megabytes, too" not verdict huge '"pred_status":"crash"'
check "padding does not count" verdict padded '"v":"yes"'
check "bytes are no text" verdict bytes '"v":"no"'
check "NULL is NULL" verdict null '"v":"yes"'
check "a column that is not there" verdict column no_such_column
check "a table that is not there" verdict table no_such_table
check "a function that is not there, or not known" verdict function forbidden
check "broken SQL" verdict syntax syntax_error
check "a query that sleeps is stopped" verdict late '"pred_status":"timeout"'
check "a result that goes on is cut" verdict rows '"v":"no"'
for id in drop cte lock settings file passwords sequence; do
    check "what may not be done is refused: $id" verdict $id forbidden
done
check "two statements are refused" verdict two several_statements
if [ "$2" = postgres ]; then
    check "the session may only read" verdict write forbidden
    check "a query that nothing stops is given up with its worker" \
        verdict stubborn '"pred_status":"timeout"'
else
    check "quotes are read as the server reads them" verdict hidden forbidden
    check "no file was written" not test -e "$work/written"
    check "no variable outlives its query" verdict variable_gone '"v":"yes"'
    check "what is interrupted has no result" verdict busy '"pred_status":"timeout"'
fi
check "and the connection goes on" verdict after '"v":"yes"'
check "all in time" test $(($(date +%s) - start)) -lt 40
check "nothing was changed" test "$before" = "$(state)"
is_at_rest() { test -z "$(sql "$running")"; }
is_asleep() { sql "$running" | grep -q sleep; }  # the look before it is over
check "nothing goes on in the server" until_so is_at_rest
check "the journal names the system" grep -q '"engine":"[A-Z][A-Za-z]* .* through ODBC' \
    "$work/journal"

: >"$work/cases"
add slow "SELECT ${sleep%(*}(2)" "SELECT ${sleep%(*}(0)"
score --db "$url" --verify-unchanged
check "a fresh look finds nothing changed" exited 0
(until_so is_asleep && sql "UPDATE t SET s = 'new' WHERE id = 2" shop) &
score --db "$url" --verify-unchanged
wait
check "nor does it overlook a change" exited 3
check "and says where" says "database 'shop' was changed"

score --db "odbc:$settings;Uid=x;Pwd=s3cret;Database=no"
check "a database that is missing ends the run" exited 3
check "no password is shown" not says s3cret
echo "1..$count"
