"""grammar.py - queries of a few pieces, so that many of them mean the same.

A round takes a few alternatives of each part of the grammar and makes hundreds
of queries of these alone. Those that have one canonical form are proved to be
equivalent, each with each, without a pair having been thought of: what no
identity of pairs.py says, such as a bare column beside an aggregate, meets here.

In a text, {V} is an alternative of V; {s:V} one whose columns are those of s: @a
is then s.a. An alternative without braces ends a derivation.
"""
import re
import sqlite3
import subprocess

import cases

LONGEST = 900

TYPES = ["INTEGER", "INTEGER NOT NULL", "TEXT", "TEXT COLLATE NOCASE", "REAL", "NUMERIC", "", "DATE", "BOOLEAN",
         "INTEGER UNIQUE", "INTEGER NOT NULL UNIQUE", "TEXT NOT NULL", "INTEGER CHECK (@ > 0)", "TEXT COLLATE RTRIM",
         "REAL CHECK (CAST(@ AS INTEGER) = 1)", "INTEGER CHECK (@ / 2 = 1)", "TEXT CHECK (@ LIKE 'a%')"]
SERVER_TYPES = ["INTEGER", "INTEGER NOT NULL", "TEXT", "DOUBLE PRECISION", "NUMERIC(10,2)", "DATE", "BIGINT", "VARCHAR(9)",
                "INTEGER UNIQUE", "CHAR(5)", "INTEGER NOT NULL UNIQUE", "VARCHAR(9) NOT NULL",
                "DOUBLE PRECISION CHECK (CAST(@ AS DECIMAL(9)) = 1)", "INTEGER CHECK (@ / 2 = 1)", "VARCHAR(9) CHECK (@ LIKE 'a%')"]
ENGINE_TYPES = {
    "duckdb": ["BOOLEAN", "SMALLINT", "TIMESTAMP", "DECIMAL(5,1)", "UTINYINT", "HUGEINT"],
    "mysql": ["BOOLEAN", "INT UNSIGNED", "YEAR", "VARBINARY(9)", "DATETIME", "FLOAT", "INT(5) ZEROFILL", "DECIMAL(5,1)", "SMALLINT"],
}
TABLES = [
    "CREATE TABLE t(id INTEGER PRIMARY KEY, a {T}, b {T}, c {T}){W}", "CREATE TABLE t(id INTEGER, a {T}, b {T}, c {T}, UNIQUE (a, b)){W}",
    "CREATE TABLE t(a {T}, id INTEGER, b {T}, c {T}, PRIMARY KEY (a, id)){W}", "CREATE TABLE t(id INT PRIMARY KEY, a {T}, b {T}, c {T}){W}",
    "CREATE TABLE t(id INTEGER PRIMARY KEY, a {T}, b INTEGER REFERENCES t(id), c INTEGER NOT NULL REFERENCES t(id))",
    "CREATE TABLE t(id INTEGER PRIMARY KEY REFERENCES t(id), a {T}, b {T}, c INTEGER GENERATED ALWAYS AS (id + 1)){W}",
]
OTHERS = [
    "CREATE TABLE u(id INTEGER PRIMARY KEY, a {T}, b {T}, c INTEGER)", "CREATE TABLE u(a {T}, b {T}, c {T}, id INTEGER)",
    "CREATE TABLE u(id INTEGER REFERENCES t(id), a {T} UNIQUE, b {T}, c INTEGER NOT NULL REFERENCES t(id))",
    "CREATE TABLE u(id INTEGER PRIMARY KEY, a {T}, b {T}, c INTEGER REFERENCES t(id) DEFERRABLE INITIALLY DEFERRED)",
    "CREATE TABLE u(id INTEGER UNIQUE, a {T}, b {T}, c {T}, UNIQUE (a, b))",
    "CREATE TABLE u(id INTEGER PRIMARY KEY, a {T}, b {T}, c INTEGER, FOREIGN KEY (a, b) REFERENCES t(a, b))",
]
INDEXES = ["CREATE UNIQUE INDEX ix ON t(a) WHERE b = 1", "CREATE UNIQUE INDEX ix ON u(a COLLATE NOCASE)", "CREATE UNIQUE INDEX ix ON t(b, a)",
           "CREATE UNIQUE INDEX ix ON t(ABS(a))"]
GRAMMAR = {
    "L": ["0", "1", "2", "NULL", "1.0", "0.5", "'a'", "'A'", "'1'", "''", "-1", "'a '", "9223372036854775807", "x'61'", "'2020-01-01'"],
    "V": ["@a", "@b", "@c", "@id", "{L}", "{V} + {V}", "{V} * 2", "-{V}", "{V} - {V}", "COALESCE({V}, {V})", "NULLIF({V}, {V})", "CASE WHEN {P} THEN {V} END",
          "CASE WHEN {P} THEN {V} ELSE {V} END", "CASE WHEN {P} THEN NULL ELSE {V} END", "IIF({P}, {V}, {V})", "CASE {V} WHEN {L} THEN {V} ELSE {V} END",
          "CAST({V} AS TEXT)", "CAST({V} AS INTEGER)", "CAST({V} AS REAL)", "CAST({V} AS NUMERIC)", "{V} || ''", "{V} || 'a'", "'a' || {V}", "LOWER({V})", "UPPER({V})",
          "SUBSTR({V}, 1, 1)", "SUBSTR({V}, 2)", "ABS({V})", "ROUND({V})", "ROUND({V}, 1)", "{V} / 2", "{V} / {V}", "{V} * 1.0", "{V} % 2", "({P})", "MAX({V}, {V})",
          "LENGTH({V})", "TRIM({V})", "REPLACE({V}, 'a', 'b')", "TYPEOF({V})", "{V} COLLATE NOCASE", "+{V}", "(SELECT {s:A} FROM u AS s WHERE {s:P})",
          "(SELECT {s:A} FROM u AS s WHERE s.b = @b)", "(SELECT s.{C} FROM u AS s WHERE s.id = @id)", "(SELECT {s:V} FROM t AS s WHERE s.id = @id)", "(SELECT {V})",
          "strftime('%Y', {V})", "date({V})", "julianday({V})", "strftime('%Y-%m', {V})", "INSTR({V}, 'a')", "IFNULL({V}, {V})", "{V} * {V}", "{V} & 1", "~{V}", "1 - {V}"],
    "C": ["a", "b", "c", "id"],
    "O": ["=", "<>", "<", ">", "<=", ">=", "IS", "IS NOT"],
    "P": ["@a IS NULL", "@b = 1", "@a > 1", "1", "{V} {O} {V}", "{V} {O} {L}", "{L} {O} {V}", "{V} IN ({L}, {L})", "{V} NOT IN ({L}, {V})", "{V} IS NULL", "{V} IS NOT NULL",
          "{V} BETWEEN {V} AND {L}", "{V} NOT BETWEEN {L} AND {L}", "{P} AND {P}", "({P} OR {P})", "NOT ({P})", "{V} LIKE 'a%'", "{V} LIKE 'A'", "{V} LIKE '_%' ESCAPE '_'", "{V} GLOB 'a*'",
          "EXISTS (SELECT 1 FROM u AS s WHERE s.b = @b AND {s:P})", "EXISTS (SELECT 1 FROM t AS s WHERE s.a = @a AND s.id <> @id)", "{V} IN (SELECT {s:V} FROM u AS s)",
          "{V} NOT IN (SELECT {s:V} FROM u AS s WHERE {s:P})", "({V}, {V}) = ({V}, {V})", "({V}, {V}) < ({V}, {L})", "({V}, {V}) IN (SELECT {s:V}, {s:V} FROM u AS s)", "({V}, {V}) IN ((1, 2), ({L}, {L}))",
          "COALESCE({P}, 0)", "CASE WHEN {P} THEN {P} ELSE {P} END", "{V} = (SELECT MAX({s:V}) FROM t AS s)", "@a = (SELECT MAX(s.a) FROM t AS s WHERE s.b = @b)", "{V}", "({P}) IS TRUE",
          "({P}) IS NOT TRUE", "({P}) IS FALSE", "({P}) = ({P})", "{V} = {V} = {V}", "{V} IN (SELECT {s:A} FROM u AS s)", "{V} IN (SELECT {s:A} FROM u AS s GROUP BY s.b)", "{V} IN ()",
          "NOT EXISTS (SELECT 1 FROM u AS s WHERE s.a = @a)", "NOT EXISTS (SELECT 1 FROM t AS s WHERE s.b = @b AND s.a > @a)", "(SELECT COUNT(*) FROM u AS s WHERE s.a = @a) > 0", "@id IN (SELECT s.c FROM u AS s)"],
    "A": ["COUNT(*)", "COUNT({V})", "SUM({V})", "MAX({V})", "MIN({V})", "AVG({V})", "TOTAL({V})", "COUNT(DISTINCT {V})", "SUM(DISTINCT {V})", "SUM(CASE WHEN {P} THEN 1 ELSE 0 END)",
          "SUM({P})", "COUNT(CASE WHEN {P} THEN {V} END)", "SUM(CASE WHEN {P} THEN {V} ELSE 0 END)", "COUNT(*) FILTER (WHERE {P})", "MAX({V}) FILTER (WHERE {P})",
          "COUNT(DISTINCT {V}) FILTER (WHERE {P})", "AVG(DISTINCT {V})", "{A} + {A}", "{A} - {A}", "{A} / {A}", "{A} * 1.0 / {A}", "COALESCE({A}, 0)", "CASE WHEN {H} THEN {A} END", "CASE WHEN {H} THEN NULL ELSE {A} END",
          "CASE WHEN {H} THEN {A} ELSE {A} END", "NULLIF({A}, {A})", "NULLIF({A}, 0)", "{A} || ''", "ROUND({A}, 1)", "-{A}", "COALESCE({A}, {A})", "{B}", "CASE WHEN {P} THEN {A} END", "{A} + {B}", "CASE WHEN {B} = {L} THEN NULL ELSE {A} END",
          "COALESCE({B}, {A})", "NULLIF({B}, {A})", "100.0 * {A} / {A}", "MAX(MIN({V}), 1)", "(SELECT {A})", "{A} COLLATE NOCASE", "CAST({A} AS INTEGER)", "({H})"],
    "B": ["@b", "@a", "{V}"],
    "H": ["COUNT(*) > 1", "{A} > 1", "{A} = {A}", "{A} {O} {L}", "{H} AND {H}", "({H} OR {H})", "NOT ({H})", "{A} IS NULL", "{A} IS NOT NULL", "{P}", "{A} IN ({L}, 2)", "{A} BETWEEN 1 AND 2",
          "COUNT({V}) = COUNT(*)", "MIN({V}) = MAX({V})", "COUNT(DISTINCT {V}) = 2", "{A} IN (SELECT {s:V} FROM u AS s)", "{A} = (SELECT {s:A} FROM t AS s)"],
    "W": ["ROW_NUMBER() OVER (ORDER BY @id)", "RANK() OVER ({N})", "DENSE_RANK() OVER ({N})", "ROW_NUMBER() OVER ({N})", "{A} OVER ({N})", "SUM({V}) OVER ({N})", "MAX({V}) OVER (PARTITION BY @b)", "COUNT(*) OVER (PARTITION BY {V})",
          "FIRST_VALUE({V}) OVER ({N})", "LAST_VALUE({V}) OVER ({N})", "LAG({V}) OVER ({N})", "LAG({V}, 1, {V}) OVER ({N})", "LEAD({V}) OVER ({N})", "NTILE(2) OVER ({N})", "NTH_VALUE({V}, 2) OVER ({N})", "COUNT({V}) OVER ()", "CUME_DIST() OVER ({N})", "PERCENT_RANK() OVER ({N})",
          "SUM({V}) OVER ({N} ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)", "SUM({V}) OVER ({N} ROWS UNBOUNDED PRECEDING)", "SUM({V}) OVER ({N} RANGE UNBOUNDED PRECEDING)", "MIN({V}) OVER ({N} GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING)", "MAX({V}) OVER ({N} ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)",
          "COUNT({V}) FILTER (WHERE {P}) OVER ({N})", "MAX({V}) OVER ({N} ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE CURRENT ROW)"],
    "N": ["ORDER BY @id", "PARTITION BY @b ORDER BY @id", "PARTITION BY {V} ORDER BY {V}", "ORDER BY {V}", "ORDER BY {V} DESC", "PARTITION BY @b ORDER BY @a", "PARTITION BY @b ORDER BY @a DESC, @id", "ORDER BY @a, @id", "PARTITION BY @a, @b ORDER BY @id DESC"],
    "F": ["t AS r", "u AS r", "(SELECT * FROM t WHERE a > 1) AS r", "(SELECT {s:V} AS a, s.b, s.c, s.id FROM t AS s WHERE {s:P}) AS r", "(SELECT DISTINCT {s:V} AS a, s.b, 1 AS c, 2 AS id FROM t AS s) AS r",
          "(SELECT {s:A} AS a, s.b, {s:A} AS c, 1 AS id FROM t AS s GROUP BY s.b) AS r", "(SELECT {s:A} AS a, {s:V} AS b, s.c, 1 AS id FROM t AS s WHERE {s:P} GROUP BY s.c, 2) AS r",
          "(SELECT {s:A} AS a, {s:A} AS b, 1 AS c, 1 AS id FROM t AS s) AS r", "(SELECT a, b, c, id FROM t UNION ALL SELECT a, b, c, id FROM u) AS r", "(SELECT a, b, c, id FROM t WHERE a = 1 UNION SELECT a, b, c, id FROM t WHERE b > 1) AS r",
          "(SELECT a, b, c, id FROM t EXCEPT SELECT a, b, c, id FROM u) AS r", "(SELECT a, b, c, id FROM u INTERSECT SELECT {s:V}, s.b, s.c, s.id FROM t AS s) AS r",           "(SELECT * FROM t ORDER BY id LIMIT 2) AS r", "(SELECT * FROM t ORDER BY a, id LIMIT 1) AS r", "v AS r", "(SELECT s.a, s.b, s.c, s.id FROM t AS s JOIN u AS q ON s.id = q.c) AS r",
          "t AS r JOIN u AS q ON r.id = q.c", "t AS r JOIN t AS q ON r.id = q.id", "u AS r JOIN t AS q ON r.c = q.id", "u AS r LEFT JOIN t AS q ON r.c = q.id", "t AS r LEFT JOIN u AS q ON r.a = q.a", "t AS r LEFT JOIN u AS q ON r.a = q.a AND {q:P}",
          "t AS r LEFT JOIN (SELECT * FROM u WHERE b = 1) AS q ON q.a = r.a", "t AS r FULL JOIN u AS q ON r.a = q.a", "u AS r RIGHT JOIN t AS q ON q.id = r.c", "t AS r CROSS JOIN (SELECT MAX(a) AS a, 1 AS b, 2 AS c, 3 AS id FROM u) AS q",
          "t AS r JOIN (SELECT b, MAX(a) AS a, COUNT(*) AS c, 1 AS id FROM t GROUP BY b) AS q ON q.b = r.b AND q.a = r.a", "t AS r JOIN t AS q ON r.a = q.a AND r.b = q.b", "u AS r JOIN t AS q ON r.a = q.a AND r.b = q.b", "u AS r LEFT JOIN t AS q ON r.a = q.a AND r.b = q.b",
          "t AS r JOIN t AS q ON r.b = q.id", "t AS r LEFT JOIN t AS q ON r.b = q.id", "t AS r LEFT JOIN t AS q ON r.c = q.id", "t AS r JOIN t AS q ON r.c = q.id JOIN t AS w ON w.id = q.b",
          "t AS r JOIN u AS q ON r.a IS q.a", "t AS r JOIN t AS q ON r.a = q.a AND r.id <> q.id", "t AS r, u AS q", "t AS r LEFT JOIN (SELECT c, SUM(a) AS a, COUNT(*) AS b, 1 AS id FROM u GROUP BY c) AS q ON q.c = r.id"],
    "K": ["@b", "@a", "{V}", "@a, @b", "@id", "@b, {V}", "@id, @a"],
    "I": ["{r:V}", "r.a, r.b", "r.id, {r:V}", "{r:V}, {r:V}"],
    "E": ["", " ORDER BY 1", " ORDER BY r.id LIMIT 1", " ORDER BY {r:V}, r.id LIMIT 2", " ORDER BY {r:V} DESC"],
    "M": ["", " LIMIT 1", " ORDER BY 1 LIMIT 2 OFFSET 1"],
    "S": ["UNION", "UNION ALL", "INTERSECT", "EXCEPT"],
    "Q": ["SELECT {I} FROM {F}", "SELECT {I} FROM {F} WHERE {r:P}", "SELECT {I} FROM {F} WHERE {r:P}{E}", "SELECT DISTINCT {I} FROM {F} WHERE {r:P}", "SELECT {r:A} FROM {F}", "SELECT {r:A} FROM {F} WHERE {r:P}", "SELECT {r:A}, {r:A} FROM {F} WHERE {r:P}",
          "SELECT {r:A} FROM {F} HAVING {r:H}", "SELECT {r:K}, {r:A} FROM {F} GROUP BY {r:K}", "SELECT r.b, {r:A} FROM {F} WHERE {r:P} GROUP BY r.b", "SELECT r.b, {r:A} FROM {F} WHERE {r:P} GROUP BY r.b HAVING {r:H}", "SELECT {r:V}, {r:A} FROM {F} GROUP BY 1 HAVING {r:H}",
          "SELECT {r:A} FROM {F} GROUP BY {r:K} HAVING {r:H}", "SELECT r.b FROM {F} GROUP BY r.b HAVING {r:H}", "SELECT {r:W} FROM {F}", "SELECT r.id, {r:W} FROM {F} WHERE {r:P}", "SELECT DISTINCT r.b, {r:W} FROM {F}", "SELECT r.b, r.a FROM (SELECT {s:W} AS a, s.b, s.c, s.id FROM t AS s WHERE {s:P}) AS r WHERE r.a {O} {L}",
          "SELECT DISTINCT r.b FROM (SELECT {s:W} AS a, s.b, s.c, s.id FROM t AS s WHERE {s:P}) AS r WHERE {r:P}", "SELECT r.b, {r:A}, RANK() OVER (ORDER BY {r:A}) FROM {F} GROUP BY r.b",
          "SELECT {I} FROM {F} {S} SELECT {I} FROM {F} WHERE {r:P}", "SELECT {I} FROM {F} WHERE {r:P} {S} SELECT {I} FROM {F} WHERE {r:P}", "SELECT r.a FROM {F} WHERE {r:P} GROUP BY r.a ORDER BY {r:A}, r.a LIMIT 1", "SELECT k FROM ({X}) AS z WHERE k {O} {L}", "SELECT COUNT(*), MAX(k) FROM ({X}) AS z",
          "SELECT k, COUNT(*) FROM ({X}) AS z GROUP BY k", "SELECT DISTINCT k FROM ({X}) AS z", "WITH z AS ({X}) SELECT p.k FROM z AS p JOIN z AS q ON p.k = q.k", "WITH z AS ({X}) SELECT p.k, COUNT(q.k) FROM z AS p LEFT JOIN z AS q ON p.k < q.k GROUP BY p.k", "SELECT {r:V} FROM {F} WHERE {r:V} IN ({X})",
          "SELECT {r:V} FROM {F} WHERE {r:V} = (SELECT {r:A} FROM {F})", "SELECT (SELECT {r:A} FROM {F} WHERE {r:P})", "SELECT r.b, q.b FROM {F}", "SELECT q.a, {r:V} FROM {F} WHERE {q:P}", "SELECT r.id, {q:A} FROM {F} GROUP BY r.id", "SELECT r.id, {q:A} FROM {F} WHERE {r:P} GROUP BY r.id HAVING {q:H}", "SELECT {r:A}, {q:A} FROM {F}", "SELECT SUM(k) FROM ({X}) AS z",
          "SELECT {q:A} FROM {F} WHERE {q:P}", "SELECT a FROM t NATURAL JOIN u", "SELECT a, t.b FROM t JOIN u USING (a)", "SELECT a, {t:V} FROM t LEFT JOIN u USING (a, b)", "SELECT EXISTS ({X})", "SELECT k FROM ({X}) AS z {S} SELECT {r:V} FROM {F}"],
    "X": ["SELECT {r:V} AS k FROM {F}", "SELECT {r:V} AS k FROM {F} WHERE {r:P}", "SELECT {r:A} AS k FROM {F}", "SELECT {r:A} AS k FROM {F} GROUP BY {r:K}", "SELECT DISTINCT {r:V} AS k FROM {F}", "SELECT {r:A} AS k FROM {F} GROUP BY r.b HAVING {r:H}", "SELECT {r:W} AS k FROM {F}",
          "SELECT r.a AS k FROM {F} ORDER BY r.a LIMIT 1", "SELECT r.a AS k FROM {F} UNION SELECT {r:V} FROM {F}", "SELECT r.a AS k FROM {F} UNION ALL SELECT {r:V} FROM {F} WHERE {r:P}", "SELECT {r:V} AS k FROM {F} WHERE {r:P} EXCEPT SELECT r.b FROM {F}"],
}
# What SQLite has other words for, or none.
ELSEWHERE = {
    "L": ["TRUE", "DATE '2020-01-01'", "5", "1e0", "'1.0'"],
    "V": ["CAST({V} AS CHAR(1))", "CAST({V} AS DATE)", "CAST({V} AS DECIMAL(9,1))", "EXTRACT(YEAR FROM {V})", "MOD({V}, 2)", "CONCAT({V}, 'a')", "LEFT({V}, 1)", "GREATEST({V}, {V})",
          "LEAST({V}, {V})", "EXTRACT(MONTH FROM {V})", "FLOOR({V})", "CEIL({V})"],
    "P": ["{V} LIKE {V}", "{V} IS DISTINCT FROM {V}", "{V} ILIKE 'A%'", "{V} LIKE '1%'", "{V} >= ALL (SELECT {s:V} FROM u AS s)", "{V} = ANY (SELECT {s:V} FROM u AS s)", "({P}) IS UNKNOWN", "NOT {V}"],
    "W": ["MAX({V}) OVER ({N} ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE TIES)", "FIRST_VALUE({V} IGNORE NULLS) OVER ({N})"],
    "N": ["ORDER BY {V} NULLS FIRST", "ORDER BY {V} DESC NULLS LAST", "PARTITION BY @a ORDER BY @b DESC NULLS LAST, @id"],
    "E": [" ORDER BY {r:V} NULLS FIRST, r.id LIMIT 2", " ORDER BY {r:V} DESC NULLS LAST, r.id LIMIT 1"],
    "F": ["t AS r, LATERAL (SELECT * FROM u WHERE u.a = r.a ORDER BY id LIMIT 1) AS q", "(VALUES (1, 2, 3, 4), (1, NULL, 2, 3)) AS r(a, b, c, id)", "(SELECT DISTINCT ON (a) * FROM t ORDER BY a, id) AS r"],
    "Q": ["SELECT r.b, {r:A} FROM {F} GROUP BY ROLLUP (r.b)", "SELECT r.b, {r:A} FROM {F} GROUP BY r.b WITH ROLLUP", "SELECT r.b, {r:A} FROM {F} GROUP BY ALL", "SELECT {I} FROM {F} QUALIFY {r:W} = 1",
          "SELECT r.a FROM t AS r SEMI JOIN u AS q ON r.a = q.a AND {r:P}", "SELECT r.a FROM t AS r ANTI JOIN u AS q ON r.a = q.a"],
    "S": ["INTERSECT ALL", "EXCEPT ALL"],
}


class Pieces:
    """A few alternatives of each part, and queries of them."""

    def __init__(self, rnd, most, is_home):
        self.rnd = rnd
        self.parts = {}
        for name, every in GRAMMAR.items():
            every = every + ([] if is_home else ELSEWHERE.get(name, []))
            ends = [x for x in every if "{" not in x]
            some = rnd.sample(every, min(len(every), rnd.randint(1, most)))
            self.parts[name] = some + rnd.sample(ends, min(len(ends), 2))
        # Which queries there are at all must not hang on luck.
        every = GRAMMAR["Q"] + ([] if is_home else ELSEWHERE["Q"])
        self.parts["Q"] = rnd.sample(every, rnd.randint(2, 5))

    def made(self, name, depth):
        """A derivation."""
        every = self.parts[name]
        text = self.rnd.choice(every if depth > 0 else [x for x in every if "{" not in x] or every[:1])
        return re.sub(r"\{(\w:)?(\w)\}", lambda m: self.of(m[1], m[2], depth - 1), text)

    def of(self, source, name, depth):
        """The same, of the columns of a source."""
        text = self.made(name, depth)
        return text.replace("@", source[0] + ".") if source else text


def statements(rnd, engine):
    """Of two tables and a view."""
    is_home, made = engine == "sqlite", []
    types = TYPES if is_home else SERVER_TYPES + ENGINE_TYPES.get(engine, [])
    for text in (rnd.choice(TABLES if is_home else TABLES[:3]), rnd.choice(OTHERS if is_home else OTHERS[:2])):
        text = text.replace("{W}", rnd.choice(["", "", "", " WITHOUT ROWID"]) if is_home else "")
        text = text.replace("TEXT", "VARCHAR(9)") if engine == "mysql" else text
        made.append(re.sub(r"(\w+) \{T\}", lambda m: f"{m[1]} {rnd.choice(types)}".replace("@", m[1]), text))
    made += rnd.sample(INDEXES, is_home and rnd.random() < 0.3)
    return made + ["CREATE VIEW v AS SELECT * FROM t WHERE b = " + ("1" if is_home else "a")]


class Tables(cases.Rows):
    """Two tables and a view, and queries over them."""

    def __init__(self, rnd, program, make_engine):
        self.program, self.make_engine = program, make_engine
        while True:
            try:
                super().__init__(rnd, statements(rnd, make_engine.name), ["0.5", "'2020-01-01'"])
                make_engine(self.statements).close()
                break
            except (sqlite3.Error, AssertionError):
                pass

    def queries(self, count):
        """Different ones that the engine takes."""
        is_home = self.make_engine.name == "sqlite"
        pieces = Pieces(self.rnd, self.rnd.choice([2, 3, 4, 6]), is_home)
        made = {pieces.made("Q", self.rnd.choice([2, 3, 4])) for _ in range(count)}
        made = sorted(sql for sql in made if len(sql) < LONGEST)
        engine = self.make_engine(self.statements)
        takes = engine.takes(made)
        engine.close()
        return [sql for sql, takes_it in zip(made, takes) if takes_it]

    def make(self, count):
        """(kind, left, right) of a round: two of one form."""
        every = self.queries(8 * count)
        done = subprocess.run([self.program, ";\n".join(self.statements), self.make_engine.name],
                              input="\n".join(every), capture_output=True, text=True, check=True)
        first, made = {}, []
        for sql, form in zip(every, done.stdout.split("\n")):
            if form and first.setdefault(form, sql) != sql:
                made.append(("form", first[form], sql))
        return made
