#!/bin/sh
# servers_duckdb_suite.sh ASSAY - suites distilled on a DuckDB file, and scored
# on there. Runs under with_duckdb.sh; speaks TAP.
set -u
assay=$1
. "$(dirname "$0")/servers_lib.sh"
cat >"$work/make.py" <<'END'
import ctypes, os, sys
duck = ctypes.CDLL(os.environ["ASSAY_DUCKDB"])
db, conn = ctypes.c_void_p(), ctypes.c_void_p()
assert duck.duckdb_open(sys.argv[1].encode(), ctypes.byref(db)) == 0
assert duck.duckdb_connect(db, ctypes.byref(conn)) == 0
assert duck.duckdb_query(conn, sys.stdin.read().encode(), None) == 0
duck.duckdb_disconnect(ctypes.byref(conn))
duck.duckdb_close(ctypes.byref(db))
END
distill() { # FOLDER [OPTION...]
    folder=$1
    shift
    "$assay" distill --gold "$work/cases" --db "$work/shop.db" \
        --out "$folder" --now 2026-11-20 --no-times --tries 60 "$@" \
        >"$work/out" 2>"$work/err"
    echo $? >"$work/code"
}
on_suite() {
    score --db "$work/shop.db" --suite "$work/suite" --metrics exec,suite \
        --now 2026-11-20 "$@"
}
manifest() { # KEY: its number
    sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p" "$work/suite/manifest.json" | head -n 1
}
suite_says() { grep -q -F -e "$1" "$work/suite/shop.suite"; }

python3 -B "$work/make.py" "$work/shop.db" <<'END'
CREATE TYPE mood AS ENUM ('fine', 'sad');
CREATE TABLE buyers(id INTEGER PRIMARY KEY, name VARCHAR NOT NULL, born DATE,
    mood mood);
CREATE TABLE orders(id INTEGER PRIMARY KEY,
    buyer INTEGER NOT NULL REFERENCES buyers(id),
    total DECIMAL(8,2) CHECK (total >= 0), placed TIMESTAMP, tags VARCHAR[]);
CREATE TABLE parcels(id INTEGER PRIMARY KEY, size STRUCT(x INTEGER));
CREATE TABLE labels(parcel INTEGER REFERENCES parcels(id), word VARCHAR);
CREATE VIEW dear AS SELECT * FROM orders WHERE total > 10;
CREATE SCHEMA hidden;
CREATE TABLE hidden.plans(id INTEGER);
INSERT INTO buyers VALUES (1, 'Ann', '1990-05-01', 'fine');
INSERT INTO orders VALUES (1, 1, 12.50, '2026-01-02 10:00', ['a']);
INSERT INTO labels VALUES (NULL, '12');
END
before=$(cksum <"$work/shop.db")
cat >"$work/cases" <<'END'
{"id":"1","db":"shop","gold":"SELECT date_trunc('month', placed), count(*) FILTER (WHERE total > 10) FROM orders GROUP BY 1","pred":"SELECT date_trunc('month', placed), count(*) FILTER (WHERE total >= 10) FROM orders GROUP BY 1"}
{"id":"2","db":"shop","gold":"SELECT name FROM main.buyers WHERE name ILIKE 'a%'","pred":"SELECT name FROM buyers WHERE name LIKE 'A%'"}
{"id":"3","db":"shop","gold":"SELECT DISTINCT ON (b.id) b.name, o.total FROM buyers b JOIN orders o ON o.buyer = b.id ORDER BY b.id, o.placed DESC NULLS LAST, o.id","pred":"SELECT b.name, max(o.total) FROM buyers b JOIN orders o ON o.buyer = b.id GROUP BY b.name"}
{"id":"4","db":"shop","gold":"SELECT median(total) FROM orders","pred":"SELECT avg(total) FROM orders"}
{"id":"5","db":"shop","gold":"SELECT id FROM orders WHERE tags[1] = 'a'","pred":"SELECT id FROM orders WHERE tags IS NOT NULL"}
{"id":"6","db":"shop","gold":"SELECT count(*) FROM buyers WHERE mood = 'fine'","pred":"SELECT count(*) FROM buyers"}
END
distill "$work/suite" --jobs 1
check "golds of DuckDB are distilled" exited 0
check "the manifest names the engine" grep -q '"engine":"duckdb"' "$work/suite/manifest.json"
check "every gold can be used" test "$(manifest unused_golds)" -eq 0
check "nine neighbors of ten are killed" \
    test $((10 * $(manifest killed))) -ge $((9 * ($(manifest neighbors) - $(manifest equivalent))))
check "a view is left out" says "dear: a view, or of columns"
check "so is a table of nested columns" says "parcels: a view, or of columns"
check "and one that refers to it" says "labels: refers to a table that is left out"
check "and one of another schema" says "hidden.plans: in a schema other than main"
check "rows hold lists" suite_says '"['
distill "$work/again" --jobs 2
check "any number of workers gives the same suite" cmp "$work/suite/shop.suite" "$work/again/shop.suite"
distill "$work/suite" --jobs 1
check "what is done is not done again" says "1 schema was done before"
distill "$work/suite" --layout spider
check "they are no SQLite files" says "this suite is for DuckDB"

on_suite
check "wrong predictions that one database does not show" verdicts 6 '"exec":{"v":"yes"'
check "are wrong on the suite" verdicts 6 '"suite":{"v":"no"'
check "with the rows that show it" verdicts 6 '"rows":"INSERT INTO '
sed 's/"pred":.*/"x":1}/; s/"gold"/"pred"/' "$work/cases" >"$work/preds"
on_suite --pred "$work/preds"
check "the golds are right on their suite" verdicts 6 '"suite":{"v":"yes"'

mv "$work/cases" "$work/all"
buyers="SELECT name FROM main.buyers WHERE name ILIKE 'a%'"
add same "SELECT name FROM buyers WHERE lower(name) LIKE 'a%'" "$buyers"
add view "SELECT id FROM dear" "SELECT id FROM orders WHERE total > 10"
add of-view "SELECT id FROM orders WHERE total > 10" "SELECT id FROM dear"
add cast "SELECT name FROM buyers WHERE name ILIKE 'a%' AND (born IS NULL OR strftime(born, '%Y')::INTEGER > 0)" "$buyers"
add plan "SELECT name FROM buyers WHERE name ILIKE 'a%' AND (length(name) > 0 OR name::INTEGER = 1)" "$buyers"
add nothing "SELECT id FROM nothing" "$buyers"
add slow "SELECT name FROM buyers WHERE name ILIKE 'a%' AND (SELECT count(*) FROM range(1000000000000)) > 1" "$buyers"
add file "SELECT * FROM read_csv('/etc/passwd')" "$buyers"
add drop "SELECT name FROM buyers; DROP TABLE buyers" "$buyers"
on_suite --timeout 5
check "another way to write it is right" verdict same '"suite":{"v":"yes"'
check "a suite says nothing of views" verdict view '"suite":{"v":"unknown","reason":"no_reference"'
check "nor of golds that read them" verdict of-view '"suite":{"v":"unknown","reason":"gold_failed"'
check "a condition that always holds changes nothing" verdict cast '"suite":{"v":"yes"'
check "nor does a cast that fails, or not, as rows are planned" \
    not verdict plan '"suite":{"v":"no"'
check "a table that is nowhere is wrong" verdict nothing '"suite":{"v":"no","reason":"no_such_table"'
check "files are not read" verdict file '"suite":{"v":"no","reason":"forbidden"'
check "nothing is dropped" verdict drop '"suite":{"v":"no","reason":"several_statements"'

on_suite --timeout 1 --only slow
check "what runs too long is stopped, its worker lives" \
    verdict slow '"suite":{"v":"no","reason":"timeout","detail":"INTERRUPT'

mkdir "$work/sqlite"
echo 'CREATE TABLE buyers(id int, name text);' >"$work/sqlite/shop.sql"
score --db "$work/sqlite" --suite "$work/suite" --metrics suite
check "such a suite needs DuckDB" verdicts 9 "it needs a DuckDB database in --db"

cp "$work/all" "$work/cases"
mkdir "$work/dumps"
cat >"$work/dumps/shop.sql" <<'END'
CREATE TABLE orders(id INTEGER PRIMARY KEY, total DECIMAL(8,2));
END
echo '{"id":"1","db":"shop","gold":"SELECT median(total) FROM orders"}' >"$work/cases"
"$assay" distill --gold "$work/cases" --db "duckdb:$work/dumps/{db}.sql" \
    --out "$work/both" --tries 20 --jobs 1 >"$work/out" 2>"$work/err"
echo $? >"$work/code"
check "a dump is distilled" exited 0
"$assay" distill --gold "$work/cases" --db "$work/dumps" \
    --out "$work/both" --tries 20 --jobs 1 >"$work/out" 2>"$work/err"
check "SQLite's suite of the same dump is another" not says "done before"
"$assay" neighbors --db "$work/shop.db" "$buyers" >"$work/out" 2>"$work/err"
check "neighbors of a query on DuckDB" grep -q "LIKE 'a%'" "$work/out"
check "the file is as it was" test "$(cksum <"$work/shop.db")" = "$before"

# One value that DuckDB refuses costs the rows of all tables.
python3 -B "$work/make.py" "$work/odd.db" <<'END'
CREATE TYPE "odd mood" AS ENUM ('it''s', 'a,b', '');
CREATE TABLE "my table"("a b" INTEGER, " " VARCHAR, "q""uote" VARCHAR,
    mood "odd mood", PRIMARY KEY ("a b", " "));
CREATE TABLE "child's"(x INTEGER, y VARCHAR,
    FOREIGN KEY (x, y) REFERENCES "my table"("a b", " "));
CREATE TABLE nodes(id INTEGER PRIMARY KEY, up INTEGER REFERENCES nodes(id));
CREATE TABLE parts(small DECIMAL(3,3) PRIMARY KEY, tiny UTINYINT);
CREATE TABLE times(s TIMESTAMP_S, ms TIMESTAMP_MS, ns TIMESTAMP_NS, id UUID);
CREATE TABLE lists(id UBIGINT, l VARCHAR[][], n HUGEINT[], i INTERVAL[]);
CREATE TABLE bare(id INTEGER);
CREATE TABLE "a.b"(id INTEGER);
CREATE TABLE worked(id INTEGER, twice INTEGER GENERATED ALWAYS AS (2 * id));
INSERT INTO parts VALUES (0.999, 255);
INSERT INTO times VALUES ('infinity', '1970-01-01', '2020-01-01 00:00:00.000000001', NULL);
INSERT INTO lists VALUES (18446744073709551615, [['it''s'], NULL], [1], [NULL]);
END
cat >"$work/cases" <<'END'
{"id":"1","db":"odd","gold":"SELECT \"a b\" FROM \"my table\" WHERE \"q\"\"uote\" = 'b'"}
{"id":"2","db":"odd","gold":"SELECT count(*) FROM \"my table\" JOIN \"child's\" ON x = \"a b\" AND y = \" \""}
{"id":"3","db":"odd","gold":"SELECT a.id FROM nodes a JOIN nodes b ON a.up = b.id WHERE b.up IS NULL"}
{"id":"4","db":"odd","gold":"SELECT tiny FROM parts WHERE small > 0.5"}
{"id":"5","db":"odd","gold":"SELECT count(DISTINCT id) FROM times WHERE s > '2020-01-01' AND ns > ms"}
{"id":"6","db":"odd","gold":"SELECT id FROM lists WHERE len(l) > 0"}
{"id":"7","db":"odd","gold":"SELECT id FROM bare WHERE id > 3"}
END
chmod a-w "$work/odd.db"
odd() { # FOLDER JOBS
    "$assay" distill --gold "$work/cases" --db "$work/odd.db" --out "$1" \
        --now 2026-11-20 --tries 20 --jobs "$2" >"$work/out" 2>"$work/err"
    echo $? >"$work/code"
}
fewest_killed() { # the least share of killed neighbors of a gold, in percent
    sed -n 's/^{"gold".*"neighbors":\([0-9]*\),"killed":\([0-9]*\),.*/\1 \2/p' \
        "$work/odd/odd.suite" | awk '{ p = 100 * $2 / ($1 + !$1); if (NR == 1 || p < least)
        least = p } END { print int(least) }'
}
odd "$work/odd" 2
check "a file that cannot be written is distilled" exited 0
check "a point in a name" says "a.b: in a schema other than main, or with a point"
check "computed columns" says "worked: a view, or of columns"
check "rows of every type go in: each gold has most neighbors killed" \
    test "$(fewest_killed)" -ge 60
check "rows of a tree have parents" grep -q '"nodes":\[\[[0-9]*,null\],\[[0-9]*,[0-9]' \
    "$work/odd/odd.suite"
odd "$work/odd-again" 1
check "the same bytes of one worker" cmp "$work/odd/odd.suite" "$work/odd-again/odd.suite"
echo "1..$count"
