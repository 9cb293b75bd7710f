#!/usr/bin/env python3
"""sound.py ASSAY [SEED [SECONDS]] - what `assay check` proves holds, types included.

    tests/sound/sound.py build/assay 7 3600
    tests/servers/with_postgres.sh tests/sound/sound.py build/assay 7 1800

Forms that mean the same only where types allow it (sides of a union exchanged, a
list for comparisons, an aggregate of aggregates, ...), in contexts where a type
shows (under ||, divided, in HAVING, in a join), over columns of many types. What
is proved must give the same rows on tables full of values that types tell apart,
and on PostgreSQL columns of the same types. SQLite is Python's own; PostgreSQL is
that of $ASSAY_PG. Speaks TAP.
"""
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

PAIRS = 60  # of a round
TYPES = {
    "sqlite": ["INTEGER", "REAL", "TEXT", "NUMERIC", "TEXT COLLATE NOCASE", "",
               "DATE", "BIT", "BOOLEAN"],
    "postgres": ["INTEGER", "BIGINT", "SMALLINT", "REAL", "DOUBLE PRECISION",
                 "NUMERIC", "NUMERIC(10,2)", "TEXT", "VARCHAR(9)", "CHAR(5)",
                 "BOOLEAN", "DATE"],
}
NUMBERS = {"INTEGER", "BIGINT", "SMALLINT", "REAL", "DOUBLE PRECISION",
           "NUMERIC", "NUMERIC(10,2)"}
TEXTS = {"TEXT", "VARCHAR(9)", "CHAR(5)", "TEXT COLLATE NOCASE"}
VALUES = {
    "number": ["0", "1", "2", "3", "-1", "7"],
    "decimal": ["0.0", "0.1", "0.5", "1.0", "2.5", "16777217", "0.3"],
    "text": ["'a'", "'A'", "'a '", "'b'", "''", "'01'", "'1'"],
    "DATE": ["'2020-01-01'", "'2020-12-31'"],
    "BOOLEAN": ["true", "false"],
}


def kind_of(column_type):
    """Which values a column may hold."""
    if column_type in TEXTS:
        return "text"
    if column_type in ("DATE", "BOOLEAN"):
        return column_type
    whole = column_type in ("INTEGER", "BIGINT", "SMALLINT", "BIT")
    return "number" if whole else "decimal"


class Tables:
    """Two tables of random types, and rows for them."""

    def __init__(self, rnd, engine):
        self.rnd = rnd
        self.columns = {}
        for table in ("t", "u"):
            types = [rnd.choice(TYPES[engine]) for _ in range(4)]
            self.columns[table] = dict(zip("abcd", types))

    def ddl(self):
        """Their statements."""
        made = []
        for table, columns in self.columns.items():
            list_ = ", ".join(f"{c} {t}" for c, t in columns.items())
            made.append(f"CREATE TABLE {table}(id INTEGER PRIMARY KEY, "
                        f"g INTEGER, {list_})")
        return made

    def inserts(self):
        """Rows of legal values."""
        made = []
        for table, columns in self.columns.items():
            for i in range(self.rnd.choice([0, 1, 2, 3, 5])):
                row = [str(i + 1), self.rnd.choice(["1", "2", "NULL"])]
                for column_type in columns.values():
                    null = self.rnd.random() < 0.15
                    row.append("NULL" if null else self.rnd.choice(
                        VALUES[kind_of(column_type)]))
                made.append(f"INSERT INTO {table} VALUES ({', '.join(row)})")
        return made

    def pick(self, *kinds):
        """A table and a column of it whose values are of a kind; None."""
        found = [(t, c) for t, columns in self.columns.items()
                 for c, type_ in columns.items() if kind_of(type_) in kinds]
        return self.rnd.choice(found) if found else None


def unions(tables, rnd):
    """A union of two columns, its sides exchanged, read in a context."""
    one, other = rnd.choice("abcd"), rnd.choice("abcd")
    word = rnd.choice(["UNION", "UNION ALL", "INTERSECT"])
    sides = [f"SELECT {one} AS k, g FROM t", f"SELECT {other}, g FROM u"]
    turned = [f"SELECT {other} AS k, g FROM u", f"SELECT {one}, g FROM t"]
    for context in ["{0}", "SELECT k FROM ({0}) AS z",
                    "SELECT k || 'z' FROM ({0}) AS z",
                    "SELECT p.id, z.k FROM t AS p JOIN ({0}) AS z ON z.g = p.g",
                    "SELECT COUNT(DISTINCT k) FROM ({0}) AS z",
                    "SELECT id FROM t WHERE g IN (SELECT g FROM ({0}) AS z)"]:
        yield (context.format(f" {word} ".join(sides)),
               context.format(f" {word} ".join(turned)))
    join = "SELECT p.id, x.{0} FROM t AS p JOIN {1} AS x ON x.g = p.g"
    yield ("SELECT p.id, z.k FROM t AS p JOIN ("
           + " UNION ALL ".join(sides) + ") AS z ON z.g = p.g",
           join.format(one, "t") + " UNION ALL " + join.format(other, "u"))
    yield ("WITH z AS MATERIALIZED (" + f" {word} ".join(sides)
           + ") SELECT k, g FROM z", f" {word} ".join(sides))
    yield ("SELECT k, g FROM (" + f" {word} ".join(sides) + ") AS z",
           f" {word} ".join(sides))


def lists(tables, rnd):
    """IN beside its comparisons, NOT IN likewise."""
    place = tables.pick("number", "decimal")
    if not place:
        return
    table, column = place
    a, b = rnd.sample(["0.1", "5", "1", "0.3", "16777217", "2.5"], 2)
    head = f"SELECT id FROM {table} WHERE "
    yield (f"{head}{column} IN ({a}, {b})",
           f"{head}{column} = {a} OR {column} = {b}")
    yield (f"{head}{column} NOT IN ({a}, {b})",
           f"{head}{column} <> {a} AND {column} <> {b}")
    yield (f"{head}{column} IN ({a}, {a})", f"{head}{column} = {a}")
    yield (f"{head}{column} IN ({a}, {b}) AND {column} = {a}",
           f"{head}{column} = {a}")


def aggregates(tables, rnd):
    """An aggregate of aggregates, an average as a quotient."""
    place = tables.pick("number", "decimal")
    if not place:
        return
    table, column = place
    other = rnd.choice("abcd")
    for inner, outer in [("COUNT(*)", "COUNT(*)"),
                         (f"COUNT({column})", f"COUNT({column})"),
                         (f"SUM({column})", f"SUM({column})")]:
        derived = (f"(SELECT g, {other}, {inner} AS k FROM {table} "
                   f"GROUP BY g, {other}) AS z")
        for use in ["{0}", "{0} / 2", "{0} * 1.0", "{0} || 'x'"]:
            yield (f"SELECT g, {use.format('SUM(k)')} FROM {derived} GROUP BY g",
                   f"SELECT g, {use.format(outer)} FROM {table} GROUP BY g")
        yield (f"SELECT g FROM {derived} GROUP BY g HAVING SUM(k) / 2 > 0.4",
               f"SELECT g FROM {table} GROUP BY g HAVING {outer} / 2 > 0.4")
    for quotient in ["SUM({0}) / COUNT({0})", "SUM({0}) * 1.0 / COUNT({0})",
                     "SUM({0} * 1.0) / COUNT({0})"]:
        yield (f"SELECT AVG({column}) FROM {table}",
               f"SELECT {quotient.format(column)} FROM {table}")
    yield (f"SELECT {column} * 1.0 / {column} FROM {table} WHERE {column} > 0",
           f"SELECT {column} / {column} FROM {table} WHERE {column} > 0")


def joins(tables, rnd):
    """Of columns that are held equal the one or the other."""
    one, other = rnd.choice("abcd"), rnd.choice("abcd")
    on = f"t.{one} = u.{other}"
    for use in ["{0}", "{0} || 'x'", "{0} / 2", "SUM({0}) / 2", "MAX({0})",
                "COUNT(DISTINCT {0})"]:
        yield (f"SELECT {use.format('t.' + one)} FROM t JOIN u ON {on}",
               f"SELECT {use.format('u.' + other)} FROM t JOIN u ON {on}")
    yield (f"SELECT DISTINCT {one} FROM t", f"SELECT {one} FROM t GROUP BY {one}")
    yield (f"SELECT {one} || 'x' FROM t GROUP BY {one}",
           f"SELECT DISTINCT {one} || 'x' FROM t")
    yield (f"SELECT {one} FROM t WHERE {one} IN (SELECT {other} FROM u)",
           f"SELECT {one} FROM t WHERE EXISTS (SELECT 1 FROM u WHERE "
           f"u.{other} = t.{one})")
    yield (f"SELECT id FROM t WHERE {one} <> 0", f"SELECT id FROM t WHERE {one} = 1")
    yield (f"SELECT CASE WHEN {one} IS NULL THEN 0.5 ELSE 1 END FROM t",
           f"SELECT COALESCE(CASE WHEN {one} IS NOT NULL THEN 1 END, 0.5) FROM t")


def make(rnd, tables):
    """Pairs of a round."""
    made = []
    while len(made) < PAIRS:
        for form in (unions, lists, aggregates, joins):
            made += form(tables, rnd)
    rnd.shuffle(made)
    return made[:PAIRS]


class Sqlite:
    """The engine of Python."""

    name = "sqlite"

    def __init__(self, tables):
        self.db = sqlite3.connect(":memory:")
        for statement in tables.ddl():
            self.db.execute(statement)

    def options(self, folder, tables):
        """Where assay finds the tables."""
        with open(f"{folder}/t.sql", "w", encoding="utf-8") as out:
            out.write(";\n".join(tables.ddl()) + ";\n")
        return ["--schema", f"{folder}/t.sql"]

    def fill(self, inserts):
        """Other rows."""
        self.db.execute("DELETE FROM t")
        self.db.execute("DELETE FROM u")
        for statement in inserts:
            self.db.execute(statement)

    def ask(self, sql):
        """(types, rows in any order); None: it fails."""
        try:
            rows = self.db.execute(sql).fetchall()
        except sqlite3.Error:
            return None
        # 1 and 1.0 are one number; a text is none.
        return (), sorted(repr(tuple(plain(v) for v in row)) for row in rows)


def plain(value):
    """A number by its value, but for the last digits."""
    if isinstance(value, (int, float)):
        return float(f"{value:.9g}") + 0.0
    return value


class Postgres:
    """The server of $ASSAY_PG."""

    name = "postgres"

    def __init__(self, tables):
        self.url = os.environ["ASSAY_PG"].replace("{db}", "sound")
        psql(self.url.replace("/sound", "/postgres"),
             ["DROP DATABASE IF EXISTS sound", "CREATE DATABASE sound"])
        psql(self.url, tables.ddl())

    def options(self, _folder, _tables):
        """Where assay finds the tables."""
        return ["--db", self.url]

    def fill(self, inserts):
        """Other rows."""
        psql(self.url, ["DELETE FROM t", "DELETE FROM u"] + inserts)

    def ask(self, sql):
        """(types, rows in any order); None: it fails."""
        out = psql(self.url, [sql])
        types = psql(self.url, [sql + " \\gdesc"], end="\n")
        if out is None or types is None:
            return None
        rows = [[plain(number(v)) for v in row.split("|")]
                for row in out.splitlines()]
        return ([alike(line.split("|")[-1]) for line in types.splitlines()],
                sorted(map(repr, rows)))


def number(text):
    """A number where it is one."""
    try:
        return float(text)
    except ValueError:
        return text


def alike(type_name):
    """Types that are one: the length of a text belongs to the column."""
    name = type_name.split("(")[0]
    return {"character varying": "text"}.get(name, name)


def psql(url, statements, end=";\n"):
    """What it prints; None: a statement fails."""
    done = subprocess.run(
        [os.path.join(os.environ["PG_BIN"], "psql"), "-XqAt", "-v",
         "ON_ERROR_STOP=1", "-d", url],
        input="".join(s + end for s in statements), capture_output=True,
        text=True, check=False)
    return done.stdout if done.returncode == 0 else None


def check(assay, engine, tables, pairs):
    """Those that assay proves."""
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/p.jsonl", "w", encoding="utf-8") as out:
            for i, (left, right) in enumerate(pairs):
                line = {"id": str(i), "left": left, "right": right}
                out.write(json.dumps(line) + "\n")
        subprocess.run([assay, "check", "--pairs", f"{folder}/p.jsonl", "--out",
                        f"{folder}/o.jsonl", "-q", "--databases", "1",
                        *engine.options(folder, tables)],
                       check=False, stdout=subprocess.DEVNULL)
        with open(f"{folder}/o.jsonl", encoding="utf-8") as lines:
            told = [json.loads(line) for line in lines]
    return [r for r in told if r.get("verdict") == "equivalent"]


def round_of(assay, make_engine, rnd, databases):
    """(proved, wrong) of one pair of tables."""
    tables = Tables(rnd, make_engine.name)
    engine = make_engine(tables)
    proved = check(assay, engine, tables, make(rnd, tables))
    wrong = {}
    for _ in range(databases):
        rows = tables.inserts()
        engine.fill(rows)
        for r in proved:
            left, right = engine.ask(r["left"]), engine.ask(r["right"])
            if left is not None and right is not None and left != right:
                wrong.setdefault(r["id"], (r, rows, left, right))
    for r, rows, left, right in wrong.values():
        print("#", "; ".join(tables.ddl()))
        print("#", "; ".join(rows))
        print(f"#   {r['left']}\n#   {r['right']}\n#   {left}\n#   {right}")
    return len(proved), len(wrong)


def main():
    """One test an engine."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    assay = sys.argv[1]
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 10
    postgres = "ASSAY_PG" in os.environ
    engine, databases = (Postgres, 4) if postgres else (Sqlite, 60)
    rnd = random.Random(seed)
    proved = wrong = 0
    start = time.monotonic()
    print("1..1", flush=True)
    while proved == 0 or time.monotonic() - start < seconds:
        some, bad = round_of(assay, engine, rnd, databases)
        proved += some
        wrong += bad
    print("ok" if not wrong else "not ok", f"1 - {engine.name}: {proved} proofs,"
          f" {wrong} of them wrong (seed {seed})")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
