#!/bin/sh
# distributed_postgres.sh ASSAY - scores on a database that lies on two servers
# and is asked through a third, all of them standard PostgreSQL with
# postgres_fdw. A test (TAP), and the set-up that docs/servers.md describes.
#
# Three private servers: this script starts itself under with_postgres.sh once
# for each, the innermost is the coordinator.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
case ${DISTRIBUTED:-0} in
0) DISTRIBUTED=1 exec "$here/with_postgres.sh" "$here/$(basename "$0")" "$@" ;;
1) DISTRIBUTED=2 SHARD_1=$PGHOST \
    exec "$here/with_postgres.sh" "$here/$(basename "$0")" "$@" ;;
2) DISTRIBUTED=3 SHARD_2=$PGHOST \
    exec "$here/with_postgres.sh" "$here/$(basename "$0")" "$@" ;;
esac

assay=$1
PATH=$PG_BIN:$PATH
. "$here/servers_lib.sh"

# The data servers have a part of the table each.
columns='id int, cust int, amount numeric, d date'
psql -q -h "$SHARD_1" postgres -c "CREATE TABLE orders_p1($columns)"
psql -q -h "$SHARD_2" postgres -c "CREATE TABLE orders_p2($columns)"

# The coordinator knows where they are, and a role that may only read.
psql -q postgres <<END
CREATE EXTENSION postgres_fdw;
CREATE SERVER s1 FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '$SHARD_1',
    dbname 'postgres', async_capable 'true', fetch_size '10000',
    use_remote_estimate 'true');
CREATE SERVER s2 FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '$SHARD_2',
    dbname 'postgres', async_capable 'true', fetch_size '10000',
    use_remote_estimate 'true');
CREATE USER MAPPING FOR "$PGUSER" SERVER s1 OPTIONS (user '$PGUSER');
CREATE USER MAPPING FOR "$PGUSER" SERVER s2 OPTIONS (user '$PGUSER');
CREATE TABLE orders($columns) PARTITION BY HASH (cust);
CREATE FOREIGN TABLE orders_p1 PARTITION OF orders
    FOR VALUES WITH (MODULUS 2, REMAINDER 0) SERVER s1;
CREATE FOREIGN TABLE orders_p2 PARTITION OF orders
    FOR VALUES WITH (MODULUS 2, REMAINDER 1) SERVER s2;
CREATE ROLE reader LOGIN;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader;
CREATE USER MAPPING FOR reader SERVER s1
    OPTIONS (user '$PGUSER', password_required 'false');
CREATE USER MAPPING FOR reader SERVER s2
    OPTIONS (user '$PGUSER', password_required 'false');
ALTER ROLE reader SET enable_partitionwise_aggregate = on;
ALTER ROLE reader SET enable_partitionwise_join = on;
INSERT INTO orders SELECT i, i % 1000, (i % 777) / 7.0,
    date '2020-01-01' + i % 365 FROM generate_series(1, 20000) i;
END

cat >"$work/cases" <<'END'
{"id":"best","gold":"SELECT cust, sum(amount) FROM orders GROUP BY cust ORDER BY 2 DESC LIMIT 3","pred":"SELECT cust, total FROM (SELECT cust, sum(amount) AS total, rank() OVER (ORDER BY sum(amount) DESC) AS place FROM orders GROUP BY cust) r WHERE place <= 3 ORDER BY total DESC"}
{"id":"days","gold":"SELECT count(DISTINCT d) FROM orders","pred":"SELECT 365"}
{"id":"self join","gold":"SELECT count(*) FROM orders a JOIN orders b ON a.cust = b.cust","pred":"SELECT sum(n * n) FROM (SELECT count(*) AS n FROM orders GROUP BY cust) g"}
{"id":"wrong","gold":"SELECT avg(amount) FROM orders","pred":"SELECT max(amount) FROM orders"}
{"id":"hostile","gold":"SELECT 1","pred":"WITH gone AS (DELETE FROM orders RETURNING 1) SELECT count(*) FROM gone"}
END
plan='EXPLAIN (COSTS OFF) SELECT cust, count(*), sum(amount) FROM orders
    GROUP BY cust ORDER BY 3 DESC LIMIT 3'
psql -qAt -U reader postgres -c "$plan" | sed 's/^/# /'
psql -qAt -U reader postgres -c "$plan" >"$work/out"
check "the data servers compute the groups" says 'Aggregate on (orders_p1'
rows() { test "$(psql -qAt -h "$1" postgres -c "SELECT count(*) FROM $2")" -gt 9000; }
check "the first server has its half" rows "$SHARD_1" orders_p1
check "the second server has its half" rows "$SHARD_2" orders_p2
reader=$(echo "$ASSAY_PG" | sed "s,//[^@]*@,//reader@,; s,{db},postgres,")
score --db "$reader"
sed 's/^/# /' "$work/out"
check "right predictions are right" verdicts 3 '"exec":{"v":"yes"'
check "the wrong one is wrong" verdicts 1 '"exec":{"v":"no","reason":"rows_differ"'
check "writing is refused" verdicts 1 '"pred_status":"forbidden"'
total() { test "$(psql -qAt postgres -c 'SELECT count(*) FROM orders')" -eq 20000; }
check "nothing was changed" total
echo "1..$count"
