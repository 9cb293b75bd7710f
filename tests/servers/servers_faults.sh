#!/bin/sh
# servers_faults.sh ASSAY postgres|mariadb - what becomes of runs when their
# server misbehaves, and what they leave on it. Runs under with_postgres.sh or
# with_mariadb.sh.
set -u
assay=$1
. "$(dirname "$0")/servers_lib.sh"

# What differs between the two.
if [ "$2" = postgres ]; then
    PATH=$PG_BIN:$PATH
    url=$ASSAY_PG folder=$PG_FOLDER engine=PostgreSQL
    other_user() { echo "$server" | sed "s,//[^@]*@,//$1@,"; } # USER[:PASSWORD]
    sql() { psql -qAt "${2:-postgres}" -c "$1"; }
    restart() { "$PG_FOLDER/pg_ctl" restart -m immediate; }
    stop() { "$PG_FOLDER/pg_ctl" stop -m immediate; }
    no_database='database "nowhere" does not exist'
    wrong_password='password authentication failed'
    wrong_row='shop.sql:1:.*relation "nowhere" does not exist'
    sleeping='SELECT id FROM t, pg_sleep(0.1) WHERE id = %'
    sleep='SELECT pg_sleep(1)'
    all_rows="SELECT md5(string_agg(t::text, chr(10) ORDER BY id)) FROM t"
    databases="SELECT datname FROM pg_database WHERE datname LIKE 'assay\_%'"
    running="SELECT query FROM pg_stat_activity WHERE application_name = 'assay'"
    cut="SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'assay'"
    rows='SELECT generate_series(1, %)'
    sort='SELECT i FROM generate_series(1, 500000) i ORDER BY -i LIMIT 1'
else
    url=$ASSAY_MARIADB folder=$MARIADB_FOLDER engine=MariaDB
    other_user() { echo "$server" | sed "s,//[^@]*@,//$1@,"; } # USER[:PASSWORD]
    sql() {
        mariadb --no-defaults -u root -S "$folder/s" -BN ${2:+"$2"} -e "$1"
    }
    restart() { "$folder/server" kill && "$folder/server" start; }
    stop() { "$folder/server" kill; }
    no_database="Unknown database 'nowhere'"
    wrong_password='Access denied'
    wrong_row="shop.sql:1:.*nowhere' doesn't exist"
    sleeping='SELECT id FROM t WHERE id = % AND sleep(0.1) = 0'
    sleep='SELECT sleep(1)'
    all_rows='SELECT md5(group_concat(id, s ORDER BY id)) FROM t'
    databases="SHOW DATABASES LIKE 'assay\_%'"
    running="SELECT info FROM information_schema.processlist
        WHERE id <> connection_id() AND info IS NOT NULL"
    cut="SELECT concat('KILL ', id, ';') FROM information_schema.processlist
        WHERE id <> connection_id() AND db = 'shop'"
    rows='SELECT seq FROM seq_1_to_%'
    sort="SELECT a.seq, count(*) AS n FROM seq_1_to_300000 a GROUP BY
        concat(a.seq, repeat('x', 300)) ORDER BY n, 1 DESC LIMIT 1"
fi
server=${url%/*}
state() { sql "$all_rows" shop; }
same_data() { test "$(state)" = "$before" || { state; false; }; }
no_database_left() { test -z "$(sql "$databases")"; }
is_at_rest() { test -z "$(sql "$running")"; }
none_running() { until_so is_at_rest; }
# COMMAND..., while the next run goes on: as soon as it has a verdict.
amid() {
    rm -f "$work/journal"
    (until_so grep -qs '"verdicts"' "$work/journal" && "$@" >/dev/null 2>&1) &
}
cut_off() { # the connections of assay
    if [ "$2" = postgres ]; then sql "$1"; else sql "$(sql "$1")"; fi
}
one_case() { # PRED [GOLD]
    : >"$work/cases"
    add 1 "$@"
}

sql 'CREATE DATABASE shop'
sql 'CREATE TABLE t(id int PRIMARY KEY, s varchar(20))' shop
i=0
values=
while [ $i -lt 100 ]; do
    i=$((i + 1))
    values="$values,($i, '$i')"
done
sql "INSERT INTO t VALUES ${values#,}" shop
before=$(state)

# --- who can be reached, and how

one_case 'SELECT 100' 'SELECT count(*) FROM t'
score --db "$url"
check "a case is right" verdicts 1 '"exec":{"v":"yes"'
check "the journal names the server" verdicts 1 "\"engine\":\"$engine "
score --db "$server/shop"
check "no word about a role that may only read" not says 'owns tables'
if [ "$2" = postgres ]; then
    sql "CREATE ROLE owner LOGIN"
    sql "CREATE TABLE owned(a int); ALTER TABLE owned OWNER TO owner;
        GRANT SELECT ON t TO owner" shop
    score --db "$(other_user owner)/shop"
    check "an owner passes" verdicts 1 '"exec":{"v":"yes"'
    check "with a note" says "the login 'owner' owns tables"
    score --db "$(other_user "$PGUSER")/shop"
    check "a superuser does not" exited 3
    check "and is told what to do" says 'GRANT SELECT ON ALL TABLES'
    score --db "$(other_user "$PGUSER")/shop" --allow-superuser
    check "unless the user says so" verdicts 1 '"exec":{"v":"yes"'
    sql "DROP TABLE owned; REVOKE SELECT ON t FROM owner" shop
fi
score --db "$server/shop"
check "a URL without {db} is one database" verdicts 1 '"exec":{"v":"yes"'
score --db "$server/nowhere"
check "a database that is missing ends the run" exited 3
check "and is named" says "$no_database"
score --db "$(other_user user:s3cret)x/shop"
check "a server that is not there ends the run" exited 3
check "no password is shown" not says s3cret
if [ "$2" = postgres ]; then
    sql "CREATE ROLE locked LOGIN PASSWORD 'r1ght'; GRANT pg_read_all_data TO locked"
    sed -i '1i local all locked scram-sha-256' "$folder/data/pg_hba.conf"
    sql 'SELECT pg_reload_conf()' >/dev/null
else
    sql "CREATE USER locked IDENTIFIED BY 'r1ght'; GRANT SELECT ON shop.* TO locked"
    score --db "mysql://tester@localhost/shop?socket=$folder/s"
    check "a socket may be an option of the URL" verdicts 1 '"exec":{"v":"yes"'
    root="mysql://root@localhost/shop?socket=$folder/s"
    score --db "$root"
    check "a login that may do anything ends the run" exited 3
    check "with what makes one that may read" says 'GRANT SELECT, SHOW VIEW ON'
    score --db "$root" --allow-superuser
    check "but with leave" verdicts 1 '"exec":{"v":"yes"'
    sql "CREATE USER 'a@b'; GRANT FILE, SELECT ON *.* TO 'a@b'"
    score --db "mysql://a%40b@localhost/shop?socket=$folder/s"
    check "a login with an @ in its name is known, too" exited 3
    sql "CREATE ROLE power; GRANT FILE, SELECT ON *.* TO power; CREATE USER lent;
        GRANT SELECT ON shop.* TO lent; GRANT power TO lent"
    score --db "mysql://lent@localhost/shop?socket=$folder/s"
    check "a role that is not in effect gives no power" verdicts 1 '"exec":{"v":"yes"'
    sql "SET DEFAULT ROLE power FOR lent"
    score --db "mysql://lent@localhost/shop?socket=$folder/s"
    check "one that is in effect does" exited 3
fi
score --db "$(other_user locked:wr0ng)/shop"
check "a wrong password ends the run" exited 3
check "and is told" says "$wrong_password"
check "without the password" not says wr0ng
score --db "$(other_user locked:r1ght)/shop"
check "a right password works" verdicts 1 '"exec":{"v":"yes"'
check "and is not in the journal" not grep -q r1ght "$work/journal"
if [ "$2" = postgres ]; then
    echo '*:*:*:locked:r1ght' >"$work/pgpass"
    chmod 600 "$work/pgpass"
    PGPASSFILE=$work/pgpass
    export PGPASSFILE
    what="nor is one from a file of passwords needed in the URL"
else
    printf '[client]\npassword=r1ght\n' >"$work/.my.cnf"
    HOME=$work
    export HOME
    what="nor is one from ~/.my.cnf needed in the URL"
fi
score --db "$(other_user locked)/shop"
check "$what" verdicts 1 '"exec":{"v":"yes"'
rm -f "$work/.my.cnf"

# --- servers that go away, and come back

many_cases 30 'SELECT id FROM t WHERE id = %' "$sleeping"
amid restart
score --db "$url"
wait
check "a server that is started anew costs no verdict" \
    verdicts 30 '"exec":{"v":"yes"'
amid cut_off "$cut" "$2"
score --db "$url"
wait
check "nor do connections that are cut" verdicts 30 '"exec":{"v":"yes"'

# --- tables that are not all here

sql 'CREATE DATABASE parts'
if [ "$2" = postgres ]; then
    login=assay:s3cret
    sql "CREATE DATABASE far"
    sql "CREATE TABLE near(a int, b int); INSERT INTO near VALUES (1, 0)" far
    sql "CREATE EXTENSION postgres_fdw; CREATE EXTENSION file_fdw;
        CREATE SERVER away FOREIGN DATA WRAPPER postgres_fdw OPTIONS
            (host '/nowhere', dbname 'x');
        CREATE SERVER far FOREIGN DATA WRAPPER postgres_fdw OPTIONS
            (host '$folder', dbname 'far');
        CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;
        CREATE USER MAPPING FOR PUBLIC SERVER away OPTIONS
            (user 'assay', password_required 'false');
        CREATE USER MAPPING FOR PUBLIC SERVER far OPTIONS
            (user 'assay', password_required 'false');
        CREATE FOREIGN TABLE away(a int) SERVER away;
        CREATE FOREIGN TABLE near(a int, b int) SERVER far;
        CREATE FOREIGN TABLE gone(a int) SERVER far;
        CREATE FOREIGN TABLE no_file(a int) SERVER files OPTIONS
            (filename '/nowhere/x.csv')" parts
    divided='SELECT a / b FROM near'
else
    login=tester
    sql "INSTALL SONAME 'ha_federatedx'; CREATE USER far IDENTIFIED BY 'pw';
        GRANT ALL ON parts.* TO far; CREATE SERVER far FOREIGN DATA WRAPPER mysql
        OPTIONS (HOST 'localhost', USER 'far', PASSWORD 'pw', DATABASE 'parts',
        SOCKET '$folder/s')" 2>/dev/null
    sql "CREATE TABLE near(a int); INSERT INTO near VALUES (1);
        CREATE TABLE part(a int) ENGINE=MyISAM;
        CREATE TABLE gone(a int) ENGINE=MERGE UNION=(part); DROP TABLE part;
        CREATE TABLE no_file(a int) ENGINE=MyISAM; FLUSH TABLES;
        CREATE TABLE away(a int) ENGINE=FEDERATED CONNECTION='far/near'" parts
    rm "$folder"/*/parts/no_file.MYD
    sql "DROP USER far; FLUSH TABLES"
    divided='SELECT nothing FROM near'
fi
: >"$work/cases"
add 1 'SELECT a FROM away'
add 2 'SELECT a FROM gone'
add 3 'SELECT a FROM no_file'
add 4 "$divided"
add 5 'SELECT a FROM near'
score --db "$(other_user $login)/parts"
check "what another server or a file lacks is no fault of a prediction" \
    verdicts 3 '"exec":{"v":"unknown","reason":"no_database"'
check "its own faults are" verdict 4 '"exec":{"v":"no"'
check "and the others are judged" verdict 5 '"exec":{"v":"yes"'
check "without a password" not grep -q s3cret "$work/journal" "$work/err"

# --- a disk that is full

one_case "$(echo $sort)"
if "$folder/small" 6m 2>/dev/null; then
    if [ "$2" = postgres ]; then
        chmod 777 "$folder/full"
        mkdir "$folder/full/t"
        chown --reference="$folder/data" "$folder/full/t"
        sql "CREATE TABLESPACE small LOCATION '$folder/full/t'"
        sql "CREATE ROLE small LOGIN; GRANT pg_read_all_data TO small;
            GRANT CREATE ON TABLESPACE small TO small;
            ALTER ROLE small SET temp_tablespaces = small;
            ALTER ROLE small SET work_mem = '64kB'"
        score --db "$(other_user small)/shop"
    else
        score --db "$url" --timeout 5
    fi
    check "a disk of the server that is full" \
        verdict 1 '"pred_status":"\(memory\|timeout\)"'
    check "ends no run" exited 0
    one_case 'SELECT 1'
    score --db "$url"
    check "and the next query runs" verdict 1 '"exec":{"v":"yes"'
    sql 'DROP TABLESPACE IF EXISTS small' >/dev/null 2>&1
    umount "$folder/full"
else
    check "a disk of the server that is full # SKIP nothing can be mounted" true
fi
if [ "$2" = postgres ]; then
    sql "CREATE ROLE limited LOGIN; GRANT pg_read_all_data TO limited;
        ALTER ROLE limited SET temp_file_limit = '1MB';
        ALTER ROLE limited SET work_mem = '64kB'"
    one_case "$sort"
    score --db "$(other_user limited)/shop"
    check "a server that gives no room says memory" \
        verdict 1 '"pred_status":"memory"'
fi

# --- hostile queries

cat >"$work/cases" <<'END'
{"id":"1","db":"shop","gold":"SELECT 1","pred":"SELECT 1; COMMIT; DELETE FROM t"}
{"id":"2","db":"shop","gold":"SELECT 1","pred":"COMMIT; DELETE FROM t"}
END
add 3 "SELECT 1"
if [ "$2" = postgres ]; then
    sql "CREATE FUNCTION stubborn() RETURNS int LANGUAGE plpgsql AS 'BEGIN LOOP
        BEGIN PERFORM pg_sleep(100); EXCEPTION WHEN query_canceled THEN NULL;
        END; END LOOP; END'" shop
    add 4 "COPY (SELECT 1) TO PROGRAM 'sleep 100'"
    add 5 "SELECT pg_sleep(100)"
    add 6 "SELECT count(*) FROM generate_series(1, 100000000) a, generate_series(1, 10) b"
    add 7 "WITH x AS (UPDATE t SET s = 'x' RETURNING 1) SELECT 1 FROM x"
    add 8 "SELECT 1 FROM t WHERE lo_import('x') > 0"
    add 9 "SELECT stubborn()"
    late=3
else
    add 4 "LOAD DATA LOCAL INFILE 'x' INTO TABLE t"
    add 5 "SELECT sleep(100)"
    add 6 "SELECT count(a.seq + b.seq) FROM seq_1_to_1000000 a, seq_1_to_1000000 b"
    add 7 "SELECT a.seq + b.seq FROM seq_1_to_1000000 a, seq_1_to_1000000 b"
    add 8 "SELECT * FROM t INTO OUTFILE 'x'"
    add 9 "SELECT benchmark(1000000000000, md5('x'))"
    late=3
fi
start=$(date +%s)
score --db "$url" --timeout 1 --allow-functions stubborn
check "hostile queries end in time" test $(($(date +%s) - start)) -lt 30
check "and each gets its verdict" verdicts 9 '"exec":{"v"'
check "none of them passes" verdicts 1 '"exec":{"v":"yes"'
check "those that run on are stopped" verdicts $late '"pred_status":"timeout"'
check "nothing was changed" same_data
check "nothing goes on in the server" none_running

# A hundred million rows, in a worker that has no room for them.
one_case "$(echo "$rows" | sed s/%/100000000/)" "$(echo "$rows" | sed s/%/200000/)"
score --db "$url" --memory 256
check "a result without end is read as far as is needed" \
    verdict 1 '"exec":{"v":"no","reason":"extra_rows"'
one_case "SELECT 1" "$(echo "$rows" | sed s/%/100000000/)"
score --db "$url" --memory 256 --max-rows 300000
check "or as far as it may be" verdict 1 '"gold_status":"gold_failed"'
check "and says so" verdict 1 'more than 300000 rows'
check "and the server knows" none_running

# --- what lint finds

cat >"$work/cases" <<'END'
{"id":"empty","db":"shop","gold":"SELECT s FROM t WHERE id > 1000"}
{"id":"clock","db":"shop","gold":"SELECT current_date"}
{"id":"fails","db":"shop","gold":"SELECT nme FROM t"}
{"id":"fine","db":"shop","gold":"SELECT count(*) FROM t"}
{"id":"ties","db":"shop","gold":"SELECT s FROM t ORDER BY id % 2 LIMIT 3"}
{"id":"braces","db":"shop","gold":"SELECT {s FROM t"}
{"id":"same","db":"shop","gold":"SELECT {id,id + 0} FROM t"}
END
[ "$2" = postgres ] && f=random || f=uuid
echo "{\"id\":\"random\",\"db\":\"shop\",\"gold\":\"SELECT $f()\"}" >>"$work/cases"
"$assay" lint --gold "$work/cases" --db "$url" --verbose >"$work/out" 2>"$work/err"
check "lint finds ties at LIMIT" says 'case ties .*tie_at_limit'
check "and empty results" says 'case empty .*empty'
check "and what reads the clock" says 'case clock .*clock'
check "and what differs between two runs" says 'case random .*two_runs'
check "and what fails" says 'case fails .*gold_failed.*nme'
check "and braces that are wrong" says 'case braces .*template'
check "and variants that never differ" says 'case same .*variants_equal'
check "and nothing where nothing is" not says 'case fine'

# --- a fresh look

many_cases 20 'SELECT id FROM t WHERE id = %' "$sleeping"
score --db "$url" --verify-unchanged
check "a fresh look finds nothing changed" exited 0
amid sql "UPDATE t SET s = 'new' WHERE id = 50" shop
score --db "$url" --verify-unchanged --jobs 1
wait
check "nor does it overlook a change" exited 3
check "and says where" says "database 'shop' was changed"

# --- databases made for the run

echo 'CREATE TABLE t(id int); INSERT INTO t VALUES (1), (2);' >"$work/shop.sql"
one_case 'SELECT 2' 'SELECT count(*) FROM t'
score --db "$url" --setup "$work/shop.sql"
check "databases are made from dumps" verdicts 1 '"exec":{"v":"yes"'
check "and dropped" no_database_left
echo 'CREATE TABLE t(id int); INSERT INTO nowhere VALUES (1);' >"$work/shop.sql"
score --db "$url" --setup "$work/shop.sql"
check "a dump that is wrong ends the run" exited 3
check "with its place" says "$wrong_row"
check "and what was made of it is dropped" no_database_left
echo "CREATE TABLE t(id int); $sleep;" >"$work/shop.sql"
"$assay" score --gold "$work/cases" --db "$url" --setup "$work/shop.sql" \
    >/dev/null 2>&1 &
sleep 0.5
kill -TERM $!
wait
check "an interrupt leaves nothing either" no_database_left
score --setup "$work/shop.sql" --db "$work/shop.sql"
check "SQLite needs no --setup" says 'needs the URL of a server'

# --- a server that stays away

many_cases 30 'SELECT id FROM t WHERE id = %' "$sleeping"
amid stop
score --db "$url" --timeout 2
wait
check "a server that stays away ends no run" verdicts 30 '"exec":{"v"'
check "and is no fault of the predictions" verdicts 0 '"exec":{"v":"no"'
check "what was asked before counts" not verdicts 0 '"exec":{"v":"yes"'
echo "1..$count"
