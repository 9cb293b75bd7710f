#!/usr/bin/env python3
"""servers_dialect.py - what src/sql/semantics.def and function.def say of PostgreSQL,
MariaDB and DuckDB, asked of them.

    tests/servers/with_postgres.sh tests/servers/servers_dialect.py
    tests/servers/with_mariadb.sh tests/servers/servers_dialect.py
    tests/servers/with_duckdb.sh tests/servers/servers_dialect.py

A query for each point; its answer is a word of the table. A call of each function
that the system has. Speaks TAP.
"""
import itertools
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "sound"))
from engines import DuckDB  # noqa: E402 pylint: disable=wrong-import-position

TABLE = HERE.parents[1] / "src/sql/semantics.def"
FUNCTIONS = TABLE.with_name("function.def")
# Point, query, what its one value means; None: the query fails.
POINTS = [
    ("like", "SELECT CASE WHEN 'z' LIKE 'Z%' THEN 1 ELSE 0 END",
     {"1": "FOLDED", "0": "SENSITIVE"}),
    ("escape", r"SELECT CASE WHEN 'a_' LIKE 'a\_' THEN 1 ELSE 0 END",
     {"1": "BACKSLASH", "0": "NOTHING"}),
    ("texts", "SELECT CASE WHEN b = 'A' THEN 1 ELSE 0 END FROM t WHERE id = 1",
     {"1": "FOLDED", "0": "BYTES"}),
    ("chars", "SELECT CASE WHEN CAST('a' AS CHAR(5)) = 'a  ' THEN 1 ELSE 0 END",
     {"1": "DROPPED", "0": "KEPT"}),
    ("nulls", "SELECT id FROM t ORDER BY a LIMIT 1",
     {"2": "LEAST", "1": "GREATEST"}),
    ("division", "SELECT CASE WHEN 3 / 2 > 1 THEN 1 ELSE 0 END",
     {"1": "REAL", "0": "WHOLE"}),
    ("zero", "SELECT CASE WHEN 1 / (id - id) IS NULL THEN 1 END FROM t WHERE id = 1",
     {"1": "NULL", "": "OTHER", None: "OTHER"}),
    ("concat", "SELECT CASE WHEN concat('a', NULL) IS NULL THEN 1 ELSE 0 END",
     {"1": "NULL", "0": "OUT"}),
    ("decimals", "SELECT 1.0 / 3",
     {"0.33333": "FOUR", "0.33333333333333333333": "ENOUGH",
      "0.3333333333333333": "FLOATS"}),
    ("cast", "SELECT CASE WHEN CAST(1.6 AS {whole}) = 2 THEN 1 ELSE 0 END",
     {"1": "ROUNDS", "0": "CUTS"}),
    ("values", "SELECT SUM(b) FROM t", {"0": "CONVERTS", None: "STRICT"}),
    ("truths", "SELECT CASE WHEN CAST((1 = 1) AS CHAR) = '1' THEN 1 ELSE 0 END",
     {"1": "NUMBERS", "0": "TYPED"}),
    ("days", "SELECT CASE WHEN CAST('2020-01-31' AS DATE) + 1 = 20200132 THEN 1 ELSE 0 END",
     {"1": "DIGITS", None: "DAY"}),
    ("bits", "SELECT CASE WHEN ~1 < 0 THEN 1 ELSE 0 END", {"1": "SIGNED", "0": "UNSIGNED"}),
    ("key", "SELECT CASE WHEN COUNT(*) > 1 THEN 1 ELSE 0 END "
     "FROM (SELECT 1 AS a FROM t GROUP BY a) x", {"1": "COLUMN", "0": "NAME"}),
    ("names", 'SELECT COUNT("B") FROM t', {"2": "ALIKE", None: "LOWER"}),
]
PLACES = [  # from the narrowest; the last that works counts
    ("ORDER", "SELECT a + 1 AS n FROM t ORDER BY n LIMIT 1"),
    ("GROUP", "SELECT a + 1 AS n FROM t GROUP BY n LIMIT 1"),
    ("HAVING", "SELECT a + 1 AS n FROM t GROUP BY a HAVING n > 0 LIMIT 1"),
    ("WHERE", "SELECT a + 1 AS n FROM t WHERE n > 0 LIMIT 1"),
]
BARE = [  # from the strictest; MariaDB takes all
    ("REFUSED", "SELECT id FROM t GROUP BY id"),
    ("KEY", "SELECT a FROM t GROUP BY id"),
    ("TOLD", "SELECT x.a FROM t x, t y WHERE x.id = y.id GROUP BY y.id"),
]
ROWS = re.compile(r'^[A-Z]+\("(\w+)",.*\.takes = "(.*?)"', re.M)
FIRST = {"NUMBER": "id", "EXACT": "id", "REAL": "CAST(id AS {real})", "TEXT": "b", "PLAIN": "b",
         "TRUTH": "(id = 1)", "SORTED": "b"}
OTHERS = ["1", "'a'", "CURRENT_TIMESTAMP"]
MYSQL_ONLY = {"any_value, 1 of ANY", "lag, 3 of ANY", "lead, 3 of ANY",
              *(f"grouping, {count} of ANY" for count in range(1, 10))}
# Names that are volatile, and those of aggregates.
CATALOGUE = {
    "POSTGRES": ("SELECT string_agg(DISTINCT proname, ' ') FROM pg_proc WHERE provolatile = 'v'",
                 "SELECT string_agg(DISTINCT proname, ' ') FROM pg_proc WHERE prokind = 'a'"),
    "DUCKDB": ("SELECT string_agg(DISTINCT function_name, ' ') FROM duckdb_functions() "
               "WHERE stability = 'VOLATILE'",
               "SELECT string_agg(DISTINCT function_name, ' ') FROM duckdb_functions() "
               "WHERE function_type = 'aggregate'")}
RETURNED = ("SELECT string_agg(name || '|' || types, ';') FROM (SELECT proname AS name, string_agg("
            "DISTINCT typname, ',') AS types FROM pg_proc p JOIN pg_type t ON t.oid = prorettype "
            "GROUP BY proname) f")
# They sleep, or tell sizes, a number of the session, an error.
HARMLESS = {"pg_sleep", "pg_sleep_for", "pg_sleep_until", "sleep_ms", "pg_database_size",
            "pg_indexes_size", "pg_relation_size", "pg_table_size", "pg_total_relation_size",
            "current_connection_id", "error"}
SETUP = ["CREATE TABLE t(id INTEGER PRIMARY KEY, a INTEGER, b VARCHAR(9))",
         "INSERT INTO t VALUES (1, 1, 'a'), (2, NULL, 'b')"]


def said(dialect):
    """The row of the table, by point."""
    text = TABLE.read_text(encoding="utf-8")
    names = re.search(r"SEMANTICS\(dialect, (.*?)\)", text, re.S).group(1)
    names = names.replace("*", "").replace("\n", " ").split(",")
    cells = re.search(rf"^SEMANTICS\({dialect},(.*)\)$", text, re.M).group(1)
    return {n.strip(): c.strip() for n, c in zip(names, cells.split(","))}


def calls(letter):
    """(name, calls of which one must work) of each row of function.def."""
    text = FUNCTIONS.read_text(encoding="utf-8")
    rows = ROWS.findall(text)
    assert len(rows) == text.count(".takes = "), "a row that is not read"
    for name, takes, counts, where in [(name, *way.split()) for name, ways in rows
                                       for way in ways.split(",")]:
        for count in counts if letter in where.lower() else "":
            firsts = [FIRST[takes]] if takes in FIRST else ["id", "b", "'2020-01-01'",
                                                            "(id = 1)"]
            yield f"{name}, {count} of {takes}", [
                f"SELECT {name}({', '.join(([first] + list(others))[:int(count)])})"
                f"{over} FROM t{none}"
                for first in firsts
                for others in itertools.product(OTHERS + [first], repeat=max(0, min(int(count), 3) - 1))
                for over in ("", " OVER (ORDER BY id)") for none in ("", " WHERE id < 0")
                if len(others) + 1 >= int(count)] + [
                f"SELECT {name}({firsts[0]} IN 'a') FROM t"] + [
                f"SELECT {name}({', '.join([first] * int(count))}) FROM t GROUP BY {first}"
                for first in firsts]


def misread(dialect, ask):
    """Functions that a query may call and that the catalogue says to be something else."""
    if dialect not in CATALOGUE:
        return []
    text = FUNCTIONS.read_text(encoding="utf-8")
    rows = {name: (kind, members) for kind, name, systems, members in re.findall(
        r'^([A-Z]+)\("(\w+)", +"(\w*)", +(.*)\)$', text, re.M) if dialect[0] in systems}
    listed = {name for systems, names in re.findall(
        r'^NAMES\("(\w+)",\s*((?:"[^"]*"\s*)+)\)$', text, re.M) if dialect[0] in systems
        for name in names.replace('"', " ").split()}
    volatile, aggregates = (set(ask(sql).split()) for sql in CATALOGUE[dialect])
    windows = {name for name, (_, members) in rows.items()
               if ".is_frameless" in members or ".tells_ties" in members} | {"cume_dist"}
    steady = {name for name in set(rows) | listed
              if not re.search(r"\.(random|clock) = ", rows.get(name, ("", ""))[1])}
    scalars = {name for name in set(rows) | listed if rows.get(name, ("SCALAR",))[0] == "SCALAR"}
    types = {} if dialect != "POSTGRES" else {
        name: set(found.split(",")) for name, found in
        (one.split("|") for one in ask(RETURNED).split(";"))}
    mistyped = {name for name, (_, members) in rows.items()
                for told in re.findall(r'\.type = "(\w+)"', members)
                if types.get(name, {told}) != {told} and ".is_of_text = true" not in members}
    return sorted(f"{name}: of another type" for name in mistyped) + sorted(
        f"{name}: volatile" for name in volatile & steady - HARMLESS) + sorted(
        f"{name}: an aggregate" for name in aggregates & scalars - windows)


def client(command):
    """A function that asks a server through its client."""
    def ask(sql):
        done = subprocess.run(command, input=sql + ";\n", text=True,
                              capture_output=True, check=False)
        lines = done.stdout.splitlines()
        return None if done.returncode else lines[0] if lines else ""
    return ask


def engine():
    """(dialect, type of whole numbers in CAST, how to ask)."""
    if "ASSAY_PG" in os.environ:
        tool = os.path.join(os.environ["PG_BIN"], "psql")
        return "POSTGRES", "INTEGER", client(
            [tool, "-XqAt", "-v", "ON_ERROR_STOP=1", "postgres"])
    if "ASSAY_MARIADB" in os.environ:
        return "MYSQL", "SIGNED", client(
            ["mariadb", "--no-defaults", "-u", "root", "-NB", "-S",
             os.path.join(os.environ["MARIADB_FOLDER"], "s"), "dialect"])
    db = DuckDB([])

    def ask(sql):
        rows = db.rows(sql)
        return None if rows is None else rows[0][0] or "" if rows else ""
    return "DUCKDB", "INTEGER", ask


def main():
    """One test a point."""
    dialect, whole, ask = engine()
    row = said(dialect)
    if dialect == "MYSQL":
        subprocess.run(["mariadb", "--no-defaults", "-u", "root", "-S",
                        os.path.join(os.environ["MARIADB_FOLDER"], "s")],
                       input="CREATE DATABASE dialect;", text=True, check=True)
    for statement in SETUP:
        ask(statement)
    found = {}
    for point, sql, words in POINTS:
        answer = ask(sql.replace("{whole}", whole))
        found[point] = words.get(answer, answer)
    found["alias"] = [p for p, sql in PLACES if ask(sql) is not None][-1]
    if dialect != "MYSQL":
        found["bare"] = [p for p, sql in BARE if ask(sql) is not None][-1]
    real = "DOUBLE" if dialect == "MYSQL" else "DOUBLE PRECISION"
    wrong = misread(dialect, ask)
    lacks = [name for name, forms in calls(dialect[0].lower())
             if name not in (MYSQL_ONLY if dialect == "MYSQL" else ()) and all(ask(f.replace("{real}", real)) is None for f in forms)]
    print(f"1..{len(found) + 2}")
    bad = len(lacks) + len(wrong)
    for no, (point, word) in enumerate(found.items(), 1):
        bad += word != row[point]
        print("ok" if word == row[point] else "not ok",
              f"{no} - {dialect} {point}: {word}, {row[point]} in the table")
    print("not ok" if lacks else "ok", f"{len(found) + 1} - functions", *lacks)
    print("not ok" if wrong else "ok", f"{len(found) + 2} - what the catalogue says", *wrong)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
