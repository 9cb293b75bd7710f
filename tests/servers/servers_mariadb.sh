#!/bin/sh
# servers_mariadb.sh ASSAY - what becomes of runs when their MariaDB server
# misbehaves, and what they leave on it. Runs under with_mariadb.sh; speaks TAP.
set -u
assay=$1
. "$(dirname "$0")/servers_lib.sh"

sql() { mariadb --no-defaults -u root -S "$MARIADB_FOLDER/s" -BN -e "$1"; }
state() { sql 'SELECT md5(group_concat(id, s ORDER BY id)) FROM shop.t'; }
same_data() { test "$(state)" = "$before" || { state; false; }; }
no_database_left() { test -z "$(sql "SHOW DATABASES LIKE 'assay\_%'")"; }
none_running() {
    test -z "$(sql "SELECT info FROM information_schema.processlist
        WHERE id <> connection_id() AND info IS NOT NULL")"
}

sql 'CREATE DATABASE shop; USE shop;
    CREATE TABLE t(id int PRIMARY KEY, s varchar(20));
    INSERT INTO t SELECT seq, seq FROM seq_1_to_100'
before=$(state)
server=${ASSAY_MARIADB%/*}
host=${server##*@}

echo '{"id":"1","db":"shop","gold":"SELECT count(*) FROM t","pred":"SELECT 100"}' \
    >"$work/cases"
score --db "$ASSAY_MARIADB"
check "a case is right" verdicts 1 '"exec":{"v":"yes"'
check "the journal names the server" verdicts 1 '"engine":"MariaDB '
score --db "mysql://root@localhost/shop?socket=$MARIADB_FOLDER/s"
check "a socket may be an option of the URL" verdicts 1 '"exec":{"v":"yes"'
score --db "$server/nowhere"
check "a database that is missing ends the run" exited 3
check "and is named" says "Unknown database 'nowhere'"
score --db "mysql://root:s3cret@${host}x/shop"
check "a server that is not there ends the run" exited 3
check "no password is shown" not says s3cret
sql "CREATE USER locked IDENTIFIED BY 'r1ght'; GRANT SELECT ON shop.* TO locked"
score --db "mysql://locked:wr0ng@$host/shop"
check "a wrong password ends the run" exited 3
check "and is told" says 'Access denied'
score --db "mysql://locked:r1ght@$host/shop"
check "a right password works" verdicts 1 '"exec":{"v":"yes"'
check "and is not in the journal" not grep -q r1ght "$work/journal"

many_cases 30 'SELECT id FROM t WHERE id = %' \
    'SELECT id FROM t WHERE id = % AND sleep(0.1) = 0'
(sleep 0.7 && "$MARIADB_FOLDER/server" kill && "$MARIADB_FOLDER/server" start) &
score --db "$ASSAY_MARIADB"
wait
check "a server that is started anew costs no verdict" \
    verdicts 30 '"exec":{"v":"yes"'

cat >"$work/cases" <<'END'
{"id":"1","db":"shop","gold":"SELECT 1","pred":"SELECT 1; COMMIT; DELETE FROM t"}
{"id":"2","db":"shop","gold":"SELECT 1","pred":"COMMIT; DELETE FROM t"}
{"id":"3","db":"shop","gold":"SELECT 1","pred":"LOAD DATA LOCAL INFILE 'x' INTO TABLE t"}
{"id":"4","db":"shop","gold":"SELECT 1","pred":"SELECT sleep(100)"}
{"id":"5","db":"shop","gold":"SELECT 1","pred":"SELECT count(a.seq + b.seq) FROM seq_1_to_1000000 a, seq_1_to_1000000 b"}
{"id":"6","db":"shop","gold":"SELECT 1","pred":"SELECT a.seq + b.seq FROM seq_1_to_1000000 a, seq_1_to_1000000 b"}
{"id":"7","db":"shop","gold":"SELECT 1","pred":"SELECT * FROM t INTO OUTFILE 'x'"}
{"id":"8","db":"shop","gold":"SELECT 1","pred":"SELECT 1"}
END
start=$(date +%s)
score --db "$ASSAY_MARIADB" --timeout 1
check "hostile queries end in time" test $(($(date +%s) - start)) -lt 20
check "and each gets its verdict" verdicts 8 '"exec":{"v"'
check "none of them passes" verdicts 1 '"exec":{"v":"yes"'
check "those that run on are stopped" verdicts 2 '"pred_status":"timeout"'
check "nothing was changed" same_data
sleep 0.3
check "nothing goes on in the server" none_running

many_cases 5 'SELECT %' 'SELECT % FROM t WHERE id = % AND sleep(0.2) = 0'
score --db "$ASSAY_MARIADB" --verify-unchanged
check "a fresh look finds nothing changed" exited 0
(sleep 0.5 && sql "UPDATE shop.t SET s = 'new' WHERE id = 50") &
score --db "$ASSAY_MARIADB" --verify-unchanged
wait
check "nor does it overlook a change" exited 3
check "and says where" says "database 'shop' was changed"

echo 'CREATE TABLE t(id int); INSERT INTO t VALUES (1), (2);' >"$work/shop.sql"
echo '{"id":"1","db":"shop","gold":"SELECT count(*) FROM t","pred":"SELECT 2"}' \
    >"$work/cases"
score --db "$ASSAY_MARIADB" --setup "$work/shop.sql"
check "databases are made from dumps" verdicts 1 '"exec":{"v":"yes"'
check "and dropped" no_database_left
echo 'CREATE TABLE t(id int); INSERT INTO nowhere VALUES (1);' >"$work/shop.sql"
score --db "$ASSAY_MARIADB" --setup "$work/shop.sql"
check "a dump that is wrong ends the run" exited 3
check "and what was made of it is dropped" no_database_left
echo "1..$count"
