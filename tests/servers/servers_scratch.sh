#!/bin/sh
# servers_scratch.sh ASSAY - queries refuted on scratch tables of a PostgreSQL
# server: what is found, and that nothing of it stays there. Runs under
# with_postgres.sh; speaks TAP.
set -u
assay=$1
table=goods
. "$(dirname "$0")/scratch_lib.sh"
compare() { # LEFT RIGHT [OPTION...]
    "$assay" check --db "$shop" --now 2026-11-20 "$@" >"$work/out" 2>"$work/err"
    echo $? >"$work/code"
}
# The statements of a witness, and its queries, by psql: do they differ there?
witness_holds() { # LEFT RIGHT
    dropdb --if-exists witness && createdb witness || return 1
    sed -n '/^CREATE/p; /^ALTER/p; /^INSERT/p' "$work/out" >"$work/witness.sql"
    psql -q -v ON_ERROR_STOP=1 witness -f "$work/witness.sql" || return 1
    psql -qAt witness -c "$1" | sort >"$work/left"
    psql -qAt witness -c "$2" | sort >"$work/right"
    not cmp "$work/left" "$work/right"
}
refutes() { # DESCRIPTION LEFT RIGHT
    compare "$2" "$3"
    check "$1: told apart" exited 1
    check "$1: the witness holds in psql" witness_holds "$2" "$3"
}

createdb shop
psql -q shop <<'END'
CREATE TYPE mood AS ENUM ('fine', 'sad');
CREATE DOMAIN price AS numeric(10,2) NOT NULL;
CREATE TABLE makers(id serial PRIMARY KEY, name varchar(8) NOT NULL UNIQUE);
CREATE TABLE goods(
    id int PRIMARY KEY, maker int REFERENCES makers, cost price CHECK (cost >= 0),
    mood mood, tags text[], sizes int[], note jsonb, ref uuid, wait interval,
    made date, sold timestamptz, opens time, good boolean, raw bytea, small smallint,
    "Odd name" text, host inet, twice int GENERATED ALWAYS AS (id * 2) STORED);
CREATE TABLE sums(id int PRIMARY KEY, next int GENERATED ALWAYS AS (id + 1) STORED, n int);
CREATE TABLE sealed(id int PRIMARY KEY, sum text GENERATED ALWAYS AS (md5(id::text)) STORED);
CREATE TABLE either(id int PRIMARY KEY, a int, b int, CHECK (num_nonnulls(a, b) = 1));
CREATE FUNCTION doubled(int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT 2 * $1';
CREATE TABLE owned(id int PRIMARY KEY, sum int GENERATED ALWAYS AS (doubled(id)) STORED);
CREATE SCHEMA hidden;
CREATE TABLE hidden.plans(id int PRIMARY KEY, goods int REFERENCES goods);
CREATE TABLE members(id int PRIMARY KEY, name text NOT NULL, gone date);
CREATE UNIQUE INDEX ON members (lower(name), (id % 1)) WHERE gone IS NULL;
CREATE DOMAIN sign AS text CHECK (VALUE IN ('VALUE', 'it''s'));
CREATE TABLE signs(id int PRIMARY KEY, s sign NOT NULL);
CREATE TABLE lockers(id int PRIMARY KEY, room int, UNIQUE NULLS NOT DISTINCT (room));
CREATE VIEW dear AS SELECT id FROM goods WHERE cost > 10;
CREATE TABLE people(id int PRIMARY KEY, maker int NOT NULL REFERENCES makers);
CREATE TABLE pupils() INHERITS (people);
CREATE TABLE late(id int PRIMARY KEY, maker int NOT NULL);
ALTER TABLE late ADD FOREIGN KEY (maker) REFERENCES makers NOT VALID;
CREATE TABLE strays(id int PRIMARY KEY, maker int NOT NULL REFERENCES makers);
SET session_replication_role = replica; -- as pg_restore --disable-triggers does
INSERT INTO strays VALUES (1, 99);
SET session_replication_role = origin;
CREATE TABLE sales(id int, year int) PARTITION BY LIST (year);
CREATE TABLE sales_2026 PARTITION OF sales FOR VALUES IN (2026);
CREATE TABLE staff(id int PRIMARY KEY, name text NOT NULL UNIQUE,
    maker int NOT NULL REFERENCES makers, pay int CHECK (pay > 0),
    age int CHECK (age > 0) NO INHERIT);
CREATE UNIQUE INDEX ON staff (lower(name));
CREATE TABLE bosses(room int) INHERITS (staff);
CREATE TABLE chiefs() INHERITS (bosses);
CREATE TABLE rooms(id int, boss int REFERENCES staff);
CREATE TABLE seats(id int, room int NOT NULL);
CREATE TABLE best(number int NOT NULL) INHERITS (seats);
ALTER TABLE best ALTER room DROP NOT NULL;
CREATE TABLE parts(id int, kind int, PRIMARY KEY (id, kind)) PARTITION BY LIST (kind);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES IN (1);
CREATE TABLE labels(relname name, word text);
CREATE TABLE loose(id int, maker int);
ALTER TABLE loose ADD CHECK (id > 0) NOT VALID;
ALTER TABLE loose ADD FOREIGN KEY (maker) REFERENCES makers NOT VALID;
CREATE TYPE "Size" AS ENUM ('small', 'medium', 'large');
CREATE DOMAIN many AS int CHECK (VALUE > 1);
CREATE TABLE shirts(id int PRIMARY KEY, size "Size" NOT NULL, n many, span int4range);
INSERT INTO makers VALUES (1, 'a');
INSERT INTO goods(id, maker, cost, mood) SELECT i, 1, i, 'fine' FROM generate_series(1, 100) i;
END
before=$(state)
shop=$(echo "$ASSAY_PG" | sed 's,{db},shop,')

compare "SELECT cost / 3 * 3 FROM goods" "SELECT cost FROM goods"
check "a NUMERIC that was rounded is no counterexample" exited 4
refutes "a key does not bind the tables that inherit" \
    "SELECT DISTINCT id FROM people" "SELECT id FROM people"
refutes "nor does a foreign key" "SELECT p.id FROM people p JOIN makers m ON
    p.maker = m.id" "SELECT id FROM people"
refutes "one that is not valid binds no row that was there" \
    "SELECT l.id FROM late l JOIN makers m ON l.maker = m.id" "SELECT id FROM late"
refutes "one that the rows break is not assumed" \
    "SELECT s.id FROM strays s JOIN makers m ON s.maker = m.id" "SELECT id FROM strays"
check "and is named" says "strays (maker): a foreign key finds no parent in the data"
refutes "an enumeration has an order of its own" "SELECT id FROM shirts WHERE size > 'medium'" \
    "SELECT id FROM shirts WHERE size = 'small'"
check "its type is made first" grep -q '^CREATE TYPE "Size" AS ENUM' "$work/out"
compare "SELECT id FROM shirts WHERE size > 'medium'" "SELECT id FROM shirts WHERE size = 'large'"
check "and it is no text" exited 4
refutes "a query may name it" "SELECT id FROM shirts WHERE size = 'small'::\"Size\"" \
    "SELECT id FROM shirts"
compare "SELECT id FROM shirts WHERE n > 1" "SELECT id FROM shirts WHERE n IS NOT NULL"
check "a domain holds what it asks of its value" exited 4
compare "SELECT id FROM shirts WHERE span @> 3" "SELECT id FROM shirts WHERE id = 1 AND id = 2"
check "a range is no text" exited 4
refutes "a table of another schema" "SELECT goods FROM hidden.plans" \
    "SELECT DISTINCT goods FROM hidden.plans"
check "the schema is made first" grep -q '^CREATE SCHEMA hidden;' "$work/out"
check "the table is its table" grep -q '^CREATE TABLE hidden.plans ' "$work/out"
refutes "rows that a partial unique index allows" \
    "SELECT count(name) FROM members" "SELECT count(DISTINCT name) FROM members"
check "the index is made" grep -q '^CREATE UNIQUE INDEX .* WHERE gone IS NULL;' "$work/out"
refutes "a domain whose texts say VALUE" "SELECT s FROM signs" \
    "SELECT DISTINCT s FROM signs"
check "its condition is asked as it is" grep -q "IN *('VALUE'\\|ARRAY\['VALUE'" "$work/out"
compare "SELECT count(*) FROM lockers WHERE room IS NULL" \
    "SELECT CASE WHEN count(*) > 0 THEN 1 ELSE 0 END FROM lockers WHERE room IS NULL"
check "NULLs that are not distinct come once" exited 4
compare "SELECT count(name) FROM members WHERE gone IS NULL" \
    "SELECT count(DISTINCT name) FROM members WHERE gone IS NULL"
check "not those that it forbids" exited 4

# What is declared of a parent does not bind its children, whose rows it shows.
not_proved() { # DESCRIPTION LEFT RIGHT
    compare "$2" "$3"
    check "$1 proves nothing" not exited 0
}
proved() { # DESCRIPTION LEFT RIGHT
    compare "$2" "$3"
    check "$1 proves" exited 0
}
not_proved "a parent's primary key" "SELECT id FROM staff" "SELECT DISTINCT id FROM staff"
not_proved "a parent's unique column" "SELECT name FROM staff" "SELECT DISTINCT name FROM staff"
not_proved "a parent's unique index" "SELECT lower(name) FROM staff" \
    "SELECT DISTINCT lower(name) FROM staff"
not_proved "a parent's foreign key" "SELECT s.id FROM staff s" \
    "SELECT s.id FROM staff s JOIN makers m ON m.id = s.maker"
not_proved "a foreign key to a parent" "SELECT r.id FROM rooms r WHERE boss IS NOT NULL" \
    "SELECT r.id FROM rooms r JOIN staff s ON s.id = r.boss"
not_proved "a condition that is not inherited" "SELECT id FROM staff WHERE age IS NOT NULL" \
    "SELECT id FROM staff WHERE age > 0"
not_proved "a parent of a parent" "SELECT id FROM bosses" "SELECT DISTINCT id FROM bosses"
not_proved "NOT NULL that a child dropped" "SELECT id FROM seats" \
    "SELECT id FROM seats WHERE room IS NOT NULL"
not_proved "a condition that was never checked" \
    "SELECT id FROM loose WHERE id IS NOT NULL" "SELECT id FROM loose WHERE id > 0"
not_proved "a foreign key that was never checked" \
    "SELECT l.id FROM loose l WHERE maker IS NOT NULL" \
    "SELECT l.id FROM loose l JOIN makers m ON m.id = l.maker"
not_proved "text beside a type that scratch tables lack" \
    "SELECT relname FROM labels UNION ALL SELECT word FROM labels" \
    "SELECT word FROM labels UNION ALL SELECT relname FROM labels"
proved "NOT NULL that children inherit" "SELECT id FROM staff" \
    "SELECT id FROM staff WHERE name IS NOT NULL"
proved "the key of partitions" "SELECT id, kind FROM parts" "SELECT DISTINCT id, kind FROM parts"
proved "the key of what has no children" "SELECT id FROM makers" "SELECT DISTINCT id FROM makers"
refutes "FILTER" \
    "SELECT count(*) FILTER (WHERE cost > 10) FROM goods" \
    "SELECT count(*) FILTER (WHERE cost >= 10) FROM goods"
refutes "date_trunc" \
    "SELECT date_trunc('month', made), count(*) FROM goods GROUP BY 1" \
    "SELECT date_trunc('year', made), count(*) FROM goods GROUP BY 1"
refutes "ILIKE" \
    "SELECT id FROM goods WHERE \"Odd name\" ILIKE 'ab%'" \
    "SELECT id FROM goods WHERE \"Odd name\" LIKE 'ab%'"
refutes "percentile_cont" \
    "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) FROM goods" \
    "SELECT avg(cost) FROM goods"
refutes "DISTINCT ON" \
    "SELECT DISTINCT ON (maker) maker, cost FROM goods ORDER BY maker, cost" \
    "SELECT maker, max(cost) FROM goods GROUP BY maker"
refutes "arrays" \
    "SELECT id FROM goods WHERE 'x' = ANY(tags)" \
    "SELECT id FROM goods WHERE tags[1] = 'x'"
refutes "JSON" "SELECT note->>'a' FROM goods" "SELECT note->>'b' FROM goods"
refutes "UUIDs" "SELECT ref FROM goods" "SELECT DISTINCT ref FROM goods"
refutes "intervals" "SELECT wait FROM goods" \
    "SELECT wait * 2 FROM goods"
refutes "times" "SELECT opens, sold::date, good FROM goods" \
    "SELECT opens, made, good FROM goods"
refutes "bytes, small numbers, addresses" \
    "SELECT length(raw), small, host FROM goods" \
    "SELECT small, small, host FROM goods"
refutes "an enumeration" "SELECT id FROM goods WHERE mood = 'sad'" \
    "SELECT id FROM goods WHERE mood = 'fine'"
refutes "integer division" "SELECT sum(small) / count(*) FROM goods" \
    "SELECT avg(small) FROM goods"
refutes "a table with keys" \
    "SELECT m.name FROM makers m LEFT JOIN goods g ON g.maker = m.id" \
    "SELECT m.name FROM makers m JOIN goods g ON g.maker = m.id"

refutes "what is computed stands in a witness as the system computes it" \
    "SELECT next, n FROM sums" "SELECT next, n FROM sums WHERE n > 2"
compare "SELECT next FROM sums WHERE id > 0" "SELECT id + 1 FROM sums WHERE id > 0"
check "so it is no counterexample" not exited 1
refutes "so does what only the system computes" \
    "SELECT sum FROM sealed" "SELECT sum FROM sealed WHERE sum > 'a'"
compare "SELECT id FROM either WHERE a > 1" \
    "SELECT id FROM either WHERE a > 1 AND b IS NULL"
check "and every row obeys its checks" not exited 1
compare "SELECT sum FROM owned" "SELECT sum FROM owned WHERE sum > 2"
check "what a user's function computes is not modelled" says "not_modelled (owned is a"
compare "SELECT made FROM goods WHERE made = '2020-01-01'" \
    "SELECT '2020-01-01' FROM goods WHERE made = '2020-01-01'"
check "a day against the same text is no counterexample" exited 4
for column in opens ref tags; do
    compare "SELECT $column FROM goods WHERE id > 1" "SELECT $column::text FROM goods WHERE id > 1"
    check "nor is $column" exited 4
done
compare "SELECT sold::date::timestamp FROM goods" "SELECT sold::date FROM goods"
check "nor is a midnight against its day" exited 4

compare "SELECT count(*) FROM public.goods" "SELECT 100"
check "the name of a schema does not lead to the user's rows" exited 1
compare "SELECT count(*) FROM public.goods WHERE id OPERATOR(pg_catalog.>) 0 AND ((1)" "SELECT 100"
check "nor does one in a text that nobody can read" not exited 0
compare "SELECT p.id FROM hidden.plans p" "SELECT id FROM hidden.plans WHERE id > 1"
check "a table of another schema" exited 1
compare "SELECT count(*) FROM goods g" "SELECT count(id) FROM public.goods"
check "equal for a reason of the prover" exited 0
refutes "a table whose name a WITH has, too" \
    "WITH makers AS (SELECT id FROM goods) SELECT id FROM public.makers" "SELECT id FROM goods"
compare "WITH makers AS (SELECT id FROM goods) SELECT id FROM public.makers" "SELECT id FROM makers"
check "it is not that of the WITH" exited 0
compare "SELECT made FROM goods WHERE made = CURRENT_DATE" \
    "SELECT made FROM goods WHERE made = DATE '2026-11-20'"
check "the clock stands still" not exited 1
compare "SELECT a FROM goods" "SELECT id FROM goods"
check "a column that is not there" says 'no_such_column (left: column "a" does not'
compare "SELECT id FROM dear" "SELECT id FROM goods WHERE cost > 10"
check "a view is not modelled" says "not_modelled (dear is a view"
check "and nothing is said of it" exited 4
compare "SELECT id FROM sales" "SELECT id FROM sales WHERE id IN (SELECT id FROM public.sales_2026)"
check "nor is a part of a table" says "not_modelled (sales_2026 is a view, or a table made"
compare "SELECT 1 / (id - id) FROM goods" "SELECT id FROM goods"
check "a query that fails on rows" says "division by zero"
compare "WITH d AS (DELETE FROM goods RETURNING id) SELECT id FROM d" \
    "SELECT id FROM goods"
check "a query that writes is not run" says "a query that writes is not allowed"
compare "SELECT pg_sleep(100), id FROM goods" "SELECT id + 1, id FROM goods" --seconds 3
check "a query that sleeps ends" exited 4
compare "SELECT id FROM goods" "SELECT id FROM goods" --dialect mysql
check "another dialect is not run" says "PostgreSQL does not run the dialect mysql"

cat >"$work/ddl.sql" <<'END'
CREATE TABLE t(id serial PRIMARY KEY, x varchar(3), d date NOT NULL);
END
"$assay" check --schema "$work/ddl.sql" --db "$shop" "SELECT x FROM t" \
    "SELECT x FROM t WHERE d > '2020-01-01'" >"$work/out" 2>"$work/err"
echo $? >"$work/code"
check "tables of a file, on a server" exited 1

for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
    echo "{\"id\":\"$i\",\"left\":\"SELECT id FROM goods WHERE cost > $i\",\"right\":\"SELECT id FROM goods WHERE cost >= $i\"}"
    echo "{\"id\":\"s$i\",\"left\":\"SELECT id FROM goods WHERE id < $i\",\"right\":\"SELECT id FROM goods WHERE $i > id\"}"
done >"$work/pairs"
pairs() {
    "$assay" check --db "$shop" --pairs "$work/pairs" --no-times "$@" \
        2>"$work/err"
}
pairs --jobs 1 >"$work/one"
pairs --jobs 3 >"$work/three"
check "any number of workers gives the same bytes" cmp "$work/one" "$work/three"
check "all pairs are decided" test "$(grep -c -e '"different"' -e '"equivalent"' "$work/one")" -eq 24

psql -q -c "CREATE ROLE reader LOGIN; GRANT pg_read_all_data TO reader;
    ALTER ROLE reader SET default_transaction_read_only = on"
owner=$shop
shop=$(echo "$shop" | sed 's,//[^@]*@,//reader@,')
compare "SELECT id FROM goods" "SELECT maker FROM goods"
check "a role that may only read can do it" exited 1
psql -q -c "REVOKE TEMPORARY ON DATABASE shop FROM PUBLIC"
compare "SELECT id FROM goods" "SELECT maker FROM goods"
check "a role without the right to make temporary tables cannot" exited 3
check "and is told which right is missing" says "GRANT TEMPORARY ON DATABASE"
psql -q -c "GRANT TEMPORARY ON DATABASE shop TO PUBLIC"
psql -q -c "CREATE ROLE poor LOGIN"
psql -q shop -c "GRANT SELECT ON goods, makers TO poor"
shop=$(echo "$owner" | sed 's,//[^@]*@,//poor@,')
for list in pg_class pg_index pg_constraint; do
    psql -q shop -c "REVOKE SELECT ON pg_catalog.$list FROM PUBLIC"
    compare "SELECT id FROM goods" "SELECT maker FROM goods"
    check "$list may not be read: no verdict" exited 3
    check "$list: the server's words" says "permission denied for table $list"
    psql -q shop -c "GRANT SELECT ON pg_catalog.$list TO PUBLIC"
done
shop=$owner

check "the user's tables are as they were" same_data
check "no scratch table is left" nothing_left

slow="SELECT count(*) FROM goods a, goods b, goods c, goods d WHERE a.cost > 1
    AND pg_sleep(0.05) IS NOT NULL"
begun() {
    for i in $(seq 300); do
        n=$(psql -qAt shop -c "SELECT count(*) FROM pg_class
            WHERE relpersistence = 't' AND relname = 'goods'")
        test "$n" -gt 0 && return 0
        sleep 0.2
    done
    return 1
}
for signal in INT KILL; do
    "$assay" check --db "$shop" "$slow" "$slow AND a.id > 1" --seconds 60 \
        >"$work/out" 2>"$work/err" &
    parent=$!
    check "$signal: scratch tables are there" begun
    kill -$signal $(pgrep -P $parent) $parent
    wait $parent
    check "$signal: and gone afterwards" nothing_left
done
(begun && psql -q -c "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'assay'" >/dev/null) &
compare "SELECT id FROM goods WHERE cost > 3 AND pg_sleep(0.02) IS NOT NULL" \
    "SELECT id FROM goods WHERE cost >= 3"
wait
check "a connection that is cut is made anew" exited 1
check "still the user's tables are as they were" same_data
echo "1..$count"
