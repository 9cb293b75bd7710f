#!/bin/sh
# servers_suite.sh ASSAY - suites distilled on a PostgreSQL server, and scored
# on there. Runs under with_postgres.sh; speaks TAP.
set -u
assay=$1
table=orders
. "$(dirname "$0")/scratch_lib.sh"
distill() { # FOLDER [OPTION...]
    folder=$1
    shift
    "$assay" distill --gold "$work/cases" --db "$ASSAY_PG" --out "$folder" \
        --now 2026-11-20 --no-times --tries 60 "$@" >"$work/out" 2>"$work/err"
    echo $? >"$work/code"
}
on_suite() {
    score --db "$ASSAY_PG" --suite "$work/suite" --metrics exec,suite \
        --now 2026-11-20 "$@"
}
manifest() { # KEY: its number
    sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p" "$work/suite/manifest.json" | head -n 1
}

createdb shop
psql -q shop <<'END'
CREATE TABLE buyers(id int PRIMARY KEY, name varchar(20) NOT NULL, born date);
CREATE TABLE orders(id int PRIMARY KEY, buyer int NOT NULL REFERENCES buyers,
    total numeric(8,2) CHECK (total >= 0), placed timestamp, tags text[]);
INSERT INTO buyers VALUES (1, 'Ann', '1990-05-01');
INSERT INTO orders VALUES (1, 1, 12.50, '2026-01-02 10:00', '{a}');
END
createdb other
psql -q other -c 'CREATE TABLE t("Key" int PRIMARY KEY, "user" text)'
before=$(state)
cat >"$work/cases" <<'END'
{"id":"1","db":"shop","gold":"SELECT date_trunc('month', placed), count(*) FILTER (WHERE total > 10) FROM orders GROUP BY 1","pred":"SELECT date_trunc('month', placed), count(*) FILTER (WHERE total >= 10) FROM orders GROUP BY 1"}
{"id":"2","db":"shop","gold":"SELECT name FROM public.buyers WHERE name ILIKE 'a%'","pred":"SELECT name FROM buyers WHERE name LIKE 'A%'"}
{"id":"3","db":"shop","gold":"SELECT DISTINCT ON (b.id) b.name, o.total FROM buyers b JOIN orders o ON o.buyer = b.id ORDER BY b.id, o.placed DESC NULLS LAST, o.id","pred":"SELECT b.name, max(o.total) FROM buyers b JOIN orders o ON o.buyer = b.id GROUP BY b.name"}
{"id":"4","db":"shop","gold":"SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY total) FROM orders","pred":"SELECT avg(total)::float8 FROM orders"}
{"id":"5","db":"shop","gold":"SELECT count(*) FROM orders WHERE placed::date >= DATE '2026-11-20' - INTERVAL '1 year'","pred":"SELECT count(*) FROM orders"}
{"id":"6","db":"other","gold":"SELECT \"user\" FROM t WHERE \"Key\" > 3","pred":"SELECT \"user\" FROM t WHERE \"Key\" >= 3"}
END
distill "$work/suite" --jobs 1
check "golds of PostgreSQL are distilled" exited 0
check "the manifest names the engine" grep -q '"engine":"postgres"' "$work/suite/manifest.json"
check "every gold can be used" test "$(manifest unused_golds)" -eq 0
check "nine neighbors of ten are killed" \
    test $((10 * $(manifest killed))) -ge $((9 * ($(manifest neighbors) - $(manifest equivalent))))
distill "$work/again" --jobs 2
check "any number of workers gives the same suite" cmp "$work/suite/shop.suite" "$work/again/shop.suite"
distill "$work/suite" --jobs 1
check "what is done is not done again" says "2 schemas were done before"

sed 's/"pred":.*/"x":1}/; s/"gold"/"pred"/' "$work/cases" >"$work/preds"
on_suite --pred "$work/preds"
check "the golds are right on their suite" verdicts 6 '"suite":{"v":"yes"'
on_suite
check "wrong predictions that one database does not show" verdicts 6 '"exec":{"v":"yes"'
check "are wrong on the suite" verdicts 6 '"suite":{"v":"no"'
check "with the rows that show it" verdicts 6 '"rows":"INSERT INTO '
on_suite --metrics exec,equiv
check "and are refuted one by one" verdicts 6 '"equiv":{"v":"no"'

cp "$work/cases" "$work/all"
cat >"$work/cases" <<'END'
{"id":"1","db":"shop","gold":"SELECT name FROM public.buyers WHERE name ILIKE 'a%'","pred":"WITH d AS (DELETE FROM buyers RETURNING name) SELECT name FROM d"}
{"id":"2","db":"shop","gold":"SELECT name FROM public.buyers WHERE name ILIKE 'a%'","pred":"SELECT name FROM buyers; DROP TABLE buyers"}
{"id":"3","db":"shop","gold":"SELECT name FROM public.buyers WHERE name ILIKE 'a%'","pred":"SELECT name FROM public.buyers WHERE pg_sleep(100) IS NOT NULL"}
{"id":"4","db":"shop","gold":"SELECT name FROM public.buyers WHERE name ILIKE 'a%'","pred":"SELECT set_config('search_path', 'public', false)"}
{"id":"5","db":"shop","gold":"SELECT name FROM public.buyers WHERE name ILIKE 'a%'","pred":"SELECT 'Ann' FROM generate_series(1, 100000000)"}
{"id":"6","db":"shop","gold":"SELECT name FROM public.buyers WHERE name ILIKE 'a%'","pred":"SELECT name FROM buyers WHERE lower(name) LIKE 'a%'"}
END
cp "$work/cases" "$work/hostile"
on_suite --timeout 3
check "hostile predictions are wrong" verdicts 5 '"suite":{"v":"no"'
check "and hurt nobody" verdicts 1 '"suite":{"v":"yes"'
(sleep 0.3 && psql -q -c "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'assay'" >/dev/null) &
on_suite --timeout 3
wait
# Whatever was cut off may be unknown.
neither() {
    verdicts 6 '"suite":{' || return 1
    verdict 6 '"suite":{"v":"no"' && return 1
    sed '/"id":"6"/d' "$work/journal" | grep '"suite":{"v":"yes"' && return 1
    return 0
}
check "connections that are cut make no prediction right or wrong" neither

psql -q shop -c "CREATE VIEW named AS SELECT name FROM buyers"
buyers="SELECT name FROM public.buyers WHERE name ILIKE 'a%'"
rm "$work/cases"
add view "SELECT name FROM named WHERE name ILIKE 'a%'" "$buyers"
add nothing "SELECT name FROM nothing" "$buyers"
on_suite --timeout 3
check "a suite says nothing of views" verdict view '"suite":{"v":"unknown","reason":"no_reference"'
check "a table that is nowhere is wrong" verdict nothing '"suite":{"v":"no","reason":"no_such_table"'
psql -q shop -c "DROP VIEW named"
cp "$work/hostile" "$work/cases"

mkdir "$work/db"
echo 'CREATE TABLE buyers(id int, name text);' >"$work/db/shop.sql"
score --db "$work/db" --suite "$work/suite" --metrics suite
check "such a suite needs a server" verdicts 6 'it needs a server in --db'
"$assay" neighbors --db "$(echo "$ASSAY_PG" | sed 's,{db},shop,')" \
    "SELECT name FROM buyers WHERE name ILIKE 'a%'" >"$work/out" 2>"$work/err"
check "neighbors of a query on a server" grep -q "LIKE 'a%'" "$work/out"
"$assay" neighbors --db "$(echo "$ASSAY_PG" | sed 's,{db},other,')" \
    "SELECT 1 FROM t WHERE t <> ROW(1, 'x')" >"$work/out" 2>"$work/err"
check "neighbors of a query that compares whole rows" \
    grep -q "t = ROW(1, 'x')" "$work/out"
distill "$work/suite" --layout spider
check "they are no SQLite files" exited 3

psql -q -c "CREATE ROLE reader LOGIN; GRANT pg_read_all_data TO reader;
    ALTER ROLE reader SET default_transaction_read_only = on"
owner=$ASSAY_PG
ASSAY_PG=$(echo "$ASSAY_PG" | sed 's,//[^@]*@,//reader@,')
distill "$work/reader" --jobs 1
check "a role that may only read can distill" exited 0
check "and score" on_suite --timeout 3
check "with the same verdicts" verdicts 1 '"suite":{"v":"yes"'
psql -q -c "REVOKE TEMPORARY ON DATABASE shop FROM PUBLIC"
distill "$work/none"
check "without the right to make temporary tables it cannot" exited 3
check "and is told which right is missing" says "GRANT TEMPORARY ON DATABASE"
on_suite --timeout 3
check "nor can it score" verdicts 6 'GRANT TEMPORARY ON DATABASE'
psql -q -c "GRANT TEMPORARY ON DATABASE shop TO PUBLIC"
ASSAY_PG=$owner

"$assay" distill --gold "$work/all" --db "$ASSAY_PG" --out "$work/killed" \
    --tries 100000 --jobs 1 >"$work/out" 2>&1 &
parent=$!
sleep 1
kill -KILL $(pgrep -P $parent) $parent
wait $parent 2>/dev/null
check "a distiller that is killed leaves no table" nothing_left
check "the user's tables are as they were" same_data
echo "1..$count"
