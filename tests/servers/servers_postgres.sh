#!/bin/sh
# servers_postgres.sh ASSAY - what becomes of runs when their PostgreSQL server
# misbehaves, and what they leave on it. Runs under with_postgres.sh; speaks TAP.
set -u
assay=$1
PATH=$PG_BIN:$PATH
export PGDATABASE=postgres
. "$(dirname "$0")/servers_lib.sh"
same_data() { test "$(state)" = "$before" || { state; false; }; }
state() { psql -qAt shop -c 'SELECT md5(string_agg(t::text, chr(10) ORDER BY id)) FROM t'; }
databases() { psql -qAt -c "SELECT count(*) FROM pg_database WHERE datname LIKE 'assay_%'"; }
no_database_left() { test "$(databases)" -eq 0; }

createdb shop
psql -q shop -c 'CREATE TABLE t(id int PRIMARY KEY, s text);
    INSERT INTO t SELECT i, i::text FROM generate_series(1, 100) i'
before=$(state)
server=$(echo "$ASSAY_PG" | sed 's,/{db}$,,')

echo '{"id":"1","db":"shop","gold":"SELECT count(*) FROM t","pred":"SELECT 100"}' \
    >"$work/cases"
score --db "$ASSAY_PG"
check "a case is right" verdicts 1 '"exec":{"v":"yes"'
check "the journal names the server" verdicts 1 '"engine":"PostgreSQL '
score --db "$server/shop"
check "a URL without {db} is one database" verdicts 1 '"exec":{"v":"yes"'

score --db "$server/nowhere"
check "a database that is missing ends the run" exited 3
check "and is named" says 'database "nowhere" does not exist'
score --db "postgresql://user:s3cret@$(echo "$server" | sed 's,.*@,,')x/shop"
check "a server that is not there ends the run" exited 3
check "no password is shown" not says s3cret

psql -q -c "CREATE ROLE locked LOGIN PASSWORD 'r1ght'; GRANT pg_read_all_data TO locked"
sed -i '1i local all locked scram-sha-256' "$PG_FOLDER/data/pg_hba.conf"
psql -q -c 'SELECT pg_reload_conf()' >/dev/null
host=${server##*@}
score --db "postgresql://locked:wr0ng@$host/shop"
check "a wrong password ends the run" exited 3
check "and is told" says 'password authentication failed'
check "without the password" not says wr0ng
score --db "postgresql://locked:r1ght@$host/shop"
check "a right password works" verdicts 1 '"exec":{"v":"yes"'
check "and is not in the journal" not grep -q r1ght "$work/journal"
echo '*:*:*:locked:r1ght' >"$work/pgpass"
chmod 600 "$work/pgpass"
PGPASSFILE=$work/pgpass
export PGPASSFILE
score --db "postgresql://locked@$host/shop"
check "nor is one from a file of passwords needed in the URL" \
    verdicts 1 '"exec":{"v":"yes"'

psql -q -c "CREATE ROLE small LOGIN; GRANT pg_read_all_data TO small;
    ALTER ROLE small SET temp_file_limit = '1MB'; ALTER ROLE small SET work_mem = '64kB'"
echo '{"id":"1","db":"shop","gold":"SELECT 1","pred":"SELECT i FROM generate_series(1, 500000) i ORDER BY -i LIMIT 1"}' >"$work/cases"
score --db "$(echo "$server" | sed 's,//[^@]*@,//small@,')/shop"
check "a server that has no room says memory" verdicts 1 '"pred_status":"memory"'

many_cases 30 'SELECT id FROM t WHERE id = %' \
    'SELECT id FROM t, pg_sleep(0.1) WHERE id = %'
(sleep 0.7 && "$PG_FOLDER/pg_ctl" restart -m immediate >/dev/null 2>&1) &
score --db "$ASSAY_PG"
wait
check "a server that is started anew costs no verdict" \
    verdicts 30 '"exec":{"v":"yes"'
(sleep 0.7 && psql -q -c "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'assay'" >/dev/null) &
score --db "$ASSAY_PG"
wait
check "nor do connections that are cut" verdicts 30 '"exec":{"v":"yes"'

cat >"$work/cases" <<'END'
{"id":"1","db":"shop","gold":"SELECT 1","pred":"SELECT 1; COMMIT; DELETE FROM t"}
{"id":"2","db":"shop","gold":"SELECT 1","pred":"COMMIT; DELETE FROM t"}
{"id":"3","db":"shop","gold":"SELECT 1","pred":"COPY (SELECT 1) TO PROGRAM 'sleep 100'"}
{"id":"4","db":"shop","gold":"SELECT 1","pred":"SELECT pg_sleep(100)"}
{"id":"5","db":"shop","gold":"SELECT 1","pred":"SELECT count(*) FROM generate_series(1, 100000000) a, generate_series(1, 10) b"}
{"id":"6","db":"shop","gold":"SELECT 1","pred":"WITH x AS (UPDATE t SET s = 'x' RETURNING 1) SELECT 1 FROM x"}
{"id":"7","db":"shop","gold":"SELECT 1","pred":"SELECT 1 FROM t WHERE lo_import('x') > 0"}
{"id":"8","db":"shop","gold":"SELECT 1","pred":"SELECT 1"}
END
start=$(date +%s)
score --db "$ASSAY_PG" --timeout 1
check "hostile queries end in time" test $(($(date +%s) - start)) -lt 20
check "and each gets its verdict" verdicts 8 '"exec":{"v"'
check "none of them passes" verdicts 1 '"exec":{"v":"yes"'
check "those that run on are stopped" verdicts 2 '"pred_status":"timeout"'
check "nothing was changed" same_data
sleep 0.2
check "nothing goes on in the server" test -z "$(psql -qAt -c \
    "SELECT query FROM pg_stat_activity WHERE application_name = 'assay'")"

cat >"$work/cases" <<'END'
{"id":"ties","db":"shop","gold":"SELECT s FROM t ORDER BY id % 2 LIMIT 3"}
{"id":"empty","db":"shop","gold":"SELECT s FROM t WHERE id > 1000"}
{"id":"clock","db":"shop","gold":"SELECT current_date"}
{"id":"random","db":"shop","gold":"SELECT random()"}
{"id":"fails","db":"shop","gold":"SELECT nme FROM t"}
{"id":"fine","db":"shop","gold":"SELECT count(*) FROM t"}
END
"$assay" lint --gold "$work/cases" --db "$ASSAY_PG" >"$work/out" 2>"$work/err"
check "lint finds ties at LIMIT" says 'case ties .*tie_at_limit'
check "and empty results" says 'case empty .*empty'
check "and what reads the clock" says 'case clock .*clock'
check "and what differs between two runs" says 'case random .*two_runs'
check "and what fails" says 'case fails .*gold_failed.*nme'
check "and nothing where nothing is" not says 'case fine'

many_cases 5 'SELECT %' 'SELECT % FROM pg_sleep(0.2)'
score --db "$ASSAY_PG" --verify-unchanged
check "a fresh look finds nothing changed" exited 0
(sleep 0.5 && psql -q shop -c "UPDATE t SET s = 'new' WHERE id = 50") &
score --db "$ASSAY_PG" --verify-unchanged
wait
check "nor does it overlook a change" exited 3
check "and says where" says "database 'shop' was changed"

echo 'CREATE TABLE t(id int); INSERT INTO t VALUES (1), (2);' >"$work/shop.sql"
echo '{"id":"1","db":"shop","gold":"SELECT count(*) FROM t","pred":"SELECT 2"}' \
    >"$work/cases"
score --db "$ASSAY_PG" --setup "$work/shop.sql"
check "databases are made from dumps" verdicts 1 '"exec":{"v":"yes"'
check "and dropped" no_database_left
echo 'CREATE TABLE t(id int); INSERT INTO nowhere VALUES (1);' >"$work/shop.sql"
score --db "$ASSAY_PG" --setup "$work/shop.sql"
check "a dump that is wrong ends the run" exited 3
check "with its place" says 'shop.sql:1:.*relation "nowhere" does not exist'
check "and what was made of it is dropped" no_database_left
echo 'CREATE TABLE t(id int); SELECT pg_sleep(1);' >"$work/shop.sql"
"$assay" score --gold "$work/cases" --db "$ASSAY_PG" --setup "$work/shop.sql" \
    >/dev/null 2>&1 &
sleep 0.5
kill -TERM $!
wait
check "an interrupt leaves nothing either" no_database_left
score --setup "$work/shop.sql" --db "$work/shop.sql"
check "SQLite needs no --setup" says 'needs the URL of a server'
many_cases 30 'SELECT id FROM t WHERE id = %' \
    'SELECT id FROM t, pg_sleep(0.1) WHERE id = %'
(sleep 0.7 && "$PG_FOLDER/pg_ctl" stop -m immediate >/dev/null 2>&1) &
score --db "$ASSAY_PG" --timeout 2
wait
check "a server that stays away ends no run" verdicts 30 '"exec":{"v"'
check "and is no fault of the predictions" verdicts 0 '"exec":{"v":"no"'
check "what was asked before counts" not verdicts 0 '"exec":{"v":"yes"'
echo "1..$count"
