"""cases.py - the pairs of the text cases of proofs, changed, and rows for them.

Every rule has cases, and a case is written where the rule stops. A pair is one
of them with a change to its tables, with changes to both queries that keep what
they have in common, and perhaps with one to a single query; what is then still
proved must hold. The changes are data: what fails in SQLite fails on both sides
and costs nothing.
"""
import collections
import functools
import glob
import re
import sqlite3

from engines import is_date

# What is written for what else: in the tables, ...
IN_TABLES = [
    (r" NOT NULL", ["", " UNIQUE"]), (r" UNIQUE(?! *\()", ["", " NOT NULL"]),
    (r" PRIMARY KEY(?! *\()", ["", " UNIQUE", " NOT NULL"]),
    (r" REFERENCES \w+ *\(\w+\)", ["", " NOT NULL"]),
    (r"\bINTEGER\b(?! PRIMARY)", ["TEXT", "REAL", "NUMERIC", "", "INTEGER UNIQUE",
                                  "TEXT COLLATE NOCASE", "INTEGER NOT NULL", "BOOLEAN"]),
    (r"\bTEXT\b", ["TEXT COLLATE NOCASE", "TEXT COLLATE RTRIM", "INTEGER", "", "TEXT UNIQUE",
                   "TEXT NOT NULL", "BLOB", "NUMERIC", "VARCHAR(9)", "DATE"]),
    (r"\bREAL\b", ["INTEGER", "NUMERIC", ""]), (r"\bDATE\b", ["TEXT", "TIMESTAMP", "DATE NOT NULL"]),
    (r" COLLATE \w+", ["", " COLLATE RTRIM"]), (r", *UNIQUE *\([^()]*\)", [""]),
    (r"(UNIQUE|KEY) *\((\w+), *(\w+)\)", [r"\1(\2)", r"\1(\3)"]),
    (r"\(id INTEGER PRIMARY KEY", ["(id INTEGER", "(id INT PRIMARY KEY", "(id TEXT PRIMARY KEY"]),
]
# ... in one query, once (whatever a case says there), ...
IN_ONE = [
    (r"\bMAX\(", ["MIN(", "SUM(", "COUNT("]), (r"\bMIN\(", ["MAX(", "AVG("]),
    (r"\bSUM\(", ["TOTAL(", "MAX(", "COUNT(", "SUM(DISTINCT "]), (r"\bAVG\(", ["SUM(", "AVG(DISTINCT "]),
    (r"\bCOUNT\((?!DISTINCT)", ["COUNT(DISTINCT ", "SUM("]), (r"\bCOUNT\(\*\)", ["COUNT({x})", "SUM({x})", "1"]),
    (r"\bDISTINCT ", [""]), (r"\bSELECT (?!DISTINCT)", ["SELECT DISTINCT "]),
    (r"\bLEFT JOIN\b", ["JOIN", "FULL JOIN", "RIGHT JOIN"]), (r"(?<!LEFT )\bJOIN\b", ["LEFT JOIN"]),
    (r"\bUNION ALL\b", ["UNION", "INTERSECT"]), (r"\bUNION\b(?! ALL)", ["UNION ALL", "EXCEPT", "INTERSECT"]),
    (r"\bAND\b", ["OR"]), (r"\bOR\b", ["AND"]), (r"\bNOT (?=IN|EXISTS|NULL)", [""]),
    (r"\bIN \(SELECT", ["NOT IN (SELECT"]), (r"(?<!NOT )\bEXISTS\b", ["NOT EXISTS"]),
    (r">=", [">", "="]), (r"<=", ["<", "="]), (r"(?<![<>])=", [">=", "<>", "IS"]), (r"<>", ["=", "<", "IS NOT"]),
    (r"(?<!<)>(?!=)", [">=", "<>"]), (r"<(?![=>])", ["<=", ">"]),
    (r"\b0\b", ["1", "NULL"]), (r"\b1\b", ["0", "2", "1.0", "NULL", "'1'"]), (r"\b2\b", ["1", "3", "'2'"]),
    (r"'(\w)'", [r"'\1 '", "'b'", "1", "''", "NULL"]), (r" DESC\b", [""]), (r"(ORDER BY [\w.]+)(?! DESC)", [r"\1 DESC"]),
    (r" LIMIT \d+", ["", " LIMIT 1", " LIMIT 2", " LIMIT 1 OFFSET 1"]), (r" GROUP BY [\w.]+(?=,)", [" GROUP BY {x}"]),
    (r" GROUP BY [\w.]+, *", [" GROUP BY "]), (r" GROUP BY (?=\w)", [" GROUP BY {x}, "]), (r" HAVING .*$", [""]),
    (r"\bWHERE (?=\w)", ["WHERE {c} AND "]), (r" ON (?=\w)", [" ON {c} AND "]), (r"\bRANK\(", ["DENSE_RANK(", "ROW_NUMBER("]),
    (r"\bPARTITION BY [\w.]+", ["", "PARTITION BY {x}"]), (r"\bELSE 0 END", ["END", "ELSE NULL END"]), (r"(?<!ELSE \w) END\b", [" ELSE 0 END"]),
]
# ... and in both alike: a condition or a value for a column {x}, ...
CONDITIONS = [
    "{x} IS NOT NULL", "{x} IS NULL", "{x} > 1", "{x} = 1", "{x} <> 2", "{x} IN (1, 2)", "{x} = {y}", "NOT {x} > {y}",
    "{x} LIKE 'a%'", "{x} = 'a'", "{x} < 'b'", "COALESCE({x}, 1) > 1", "({x} = 1 OR {y} = 2)", "({x} IS NULL OR {y} > 0)",
    "{x} NOT IN (1, 2)", "({x} > 0) = ({y} > 0)", "{x} BETWEEN 0 AND {y}", "{x} IS {y}", "{x} + {y} > 1", "{x} = '1'",
    "{x} LIKE 'A_' ESCAPE '_'", "({x}, {y}) = (1, 2)", "({x}, {y}) > (1, 1)", "{x} COLLATE NOCASE = 'A'", "{x} IS NOT TRUE",
    "CASE WHEN {x} = 1 THEN {y} > 1 ELSE {y} IS NULL END", "{x} = {x}", "0", "NULL", "{x} > 9223372036854775807", "{x} = x'61'",
]
VALUES = [
    "COALESCE({x}, 0)", "-{x}", "({x} + 1)", "({x} || '')", "LOWER({x})", "ABS({x})", "NULLIF({x}, 1)", "CAST({x} AS TEXT)",
    "CASE WHEN {x} > 1 THEN {x} END", "CASE WHEN {x} = 1 THEN NULL ELSE {x} END", "({x} IS NULL)", "({x} = 1)", "({x} / 2)",
    "({x} * 1.0)", "({x} COLLATE NOCASE)", "(SELECT {x})", "IIF({x} > 1, {y}, {x})", "SUBSTR({x}, 1, 1)", "(+{x})", "({x} + {y})",
    "ROUND({x}, 1)", "CASE {x} WHEN 1 THEN 'a' ELSE {y} END", "MAX({x}, {y})", "COALESCE({x}, {y})", "CAST({x} AS INTEGER)",
    "strftime('%Y', {x})", "date({x})", "1", "NULL", "({x} % 2)", "LENGTH({x})", "TYPEOF({x})", "({x} * {x})", "({x} > {y})",
]
# ... or another query around them.
AROUND = [
    "SELECT COUNT(*) FROM ({0}) AS zz", "SELECT DISTINCT * FROM ({0}) AS zz", "WITH zz AS ({0}) SELECT * FROM zz",
    "SELECT * FROM ({0}) AS zz UNION SELECT * FROM ({0}) AS zy", "SELECT 1 WHERE EXISTS ({0})",
    "SELECT * FROM ({0}) AS zz EXCEPT SELECT * FROM ({0}) AS zy", "SELECT * FROM ({0}) AS zz UNION ALL SELECT * FROM ({0}) AS zy",
    "WITH zz(k) AS ({0}) SELECT k, COUNT(*) FROM zz GROUP BY k", "WITH zz(k, g) AS ({0}) SELECT g, MAX(k) FROM zz GROUP BY g",
    "WITH zz(k) AS ({0}) SELECT SUM(k), COUNT(DISTINCT k) FROM zz", "WITH zz(k) AS ({0}) SELECT k || 'z' FROM zz WHERE k > 1",
    "WITH zz(k, g) AS ({0}) SELECT k, COUNT(*) FROM zz GROUP BY k HAVING COUNT(*) > 1 OR k IS NULL",
    "WITH zz(k, g) AS ({0}) SELECT k FROM zz WHERE k = (SELECT MAX(k) FROM zz)", "WITH zz(k) AS ({0}) SELECT k FROM zz ORDER BY k LIMIT 2",
    "WITH zz(k, g) AS ({0}) SELECT a.k, b.g FROM zz AS a JOIN zz AS b ON a.k = b.k", "WITH zz(k) AS ({0}) SELECT k / 2 FROM zz",
    "WITH zz(k, g) AS ({0}) SELECT a.k, b.g FROM zz AS a LEFT JOIN zz AS b ON a.k = b.k AND b.g > 1", "WITH zz(k) AS ({0}) SELECT k FROM zz WHERE k IN (1, 2)",
    "WITH zz(k, g) AS ({0}) SELECT k, RANK() OVER (PARTITION BY k ORDER BY g) FROM zz", "WITH zz(k, g) AS ({0}) SELECT DISTINCT k FROM zz WHERE g > 0",
    "WITH zz(k, g) AS ({0}) SELECT k, g, COUNT(*) FROM zz GROUP BY k", "WITH zz(k, g) AS ({0}) SELECT CASE WHEN g = 1 THEN NULL ELSE MAX(k) END FROM zz",
    "WITH zz(k, g) AS ({0}) SELECT k, SUM(g) OVER (PARTITION BY k ORDER BY g ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM zz",
    "WITH zz(k, g) AS ({0}) SELECT k, LAG(g) OVER (ORDER BY g, k) FROM zz", "SELECT * FROM ({0}) AS zz ORDER BY 1",
    "WITH zz(k, g) AS ({0}) SELECT k, NTILE(2) OVER (ORDER BY g, k) FROM zz", "WITH zz(k) AS ({0}) SELECT COUNT(DISTINCT k) FILTER (WHERE k > 1) FROM zz",
]
NUMBERS = [0, 1, 2, 3, -1]
TEXTS = ["a", "A", "a ", "b", "", "1", "ab"]
DAYS = ["2020-01-01", "2020-12-31", "2020-02-29", "2021-01-01"]


@functools.cache
def read(folder):
    """{tables: [(left, right)]} of the cases for SQLite."""
    found = collections.defaultdict(list)
    for path in sorted(glob.glob(f"{folder}/*.test")):
        with open(path, encoding="utf-8") as file:
            for case in re.split(r"^=== ", file.read(), flags=re.M)[1:]:
                head, *rest = re.split(r"^--- (\w+).*\n", case, flags=re.M)
                parts = dict(zip(rest[::2], rest[1::2]))
                if re.search("^(dialect|elsewhere|assume|solver):", head, re.M) \
                        or not {"ddl", "left", "right"} <= set(parts):
                    continue
                ddl = tuple(s.strip() for s in parts["ddl"].split(";") if s.strip())
                found[ddl].append((parts["left"].strip(), parts["right"].strip()))
    return dict(found)


def changed(rnd, changes, text):
    """One of these changes where it can be made; else the text."""
    some = [(form, what) for form, what in changes if re.search(form, text)]
    if not some:
        return text
    form, what = rnd.choice(some)
    at = rnd.choice(list(re.finditer(form, text)))
    return text[:at.start()] + at.expand(rnd.choice(what)) + text[at.end():]


class Rows:
    """Tables of any columns, and legal rows for them."""

    def __init__(self, rnd, ddl, literals=()):
        self.rnd, self.statements, self.literals = rnd, list(ddl), literals
        self.columns = columns_of(ddl)

    def ddl(self):
        """Their statements."""
        return self.statements

    def value(self, declared):
        """A legal one."""
        pick, name = self.rnd.choice, declared.upper()
        texts = TEXTS + [x[1:-1] for x in self.literals if x[0] == "'"]
        numbers = [n for x in self.literals if x[0] != "'"
                   for n in (float(x) if "." in x else int(x),) if n < 1e5]
        whole = NUMBERS + [int(n) + d for n in numbers for d in (-1, 0, 1)]
        if "BOOL" in name:
            return pick([0, 1])
        if name in ("DATE", "TIMESTAMP", "DATETIME"):
            days = DAYS + [t for t in texts if is_date(t, "DATE")]
            return pick(days) + ("" if name == "DATE" else pick(["", " 00:00:00", " 10:00:00"]))
        if name == "YEAR":
            return pick([2005, 2020, 1999, 1970])
        if name[:1] == "U" or "UNSIGNED" in name or "ZEROFILL" in name:
            return pick([0, 1, 2, 5])
        if "INT" in name:
            return pick(whole)
        if re.search("CHAR|TEXT|CLOB|BINARY", name):
            return pick(texts)
        if re.search("REAL|FLOA|DOUB", name):
            return float(pick(whole + [0.5, 2.5]))
        return pick(whole + [0.5] + (texts + [b"a"] if name in ("", "BLOB") else []))

    def inserts(self):
        """Rows, of few values or of many."""
        rnd, made = self.rnd, []
        most, nulls, few = rnd.choice([1, 2, 3, 5]), rnd.choice([0, 0.1, 0.4]), {}
        for table, columns in self.columns.items():
            for _ in range(rnd.randint(0, most)):
                row = []
                for _, declared, key in columns:
                    pool = few.setdefault(declared, [self.value(declared) for _ in range(rnd.choice([2, 3, 9]))])
                    row.append("NULL" if not key and rnd.random() < nulls else literal(rnd.choice(pool)))
                made.append(f'INSERT INTO "{table}"({", ".join(c[0] for c in columns)})'
                            f' VALUES ({", ".join(row)})')
        return made


class Tables(Rows):
    """The tables of a case, perhaps changed."""

    def __init__(self, rnd, folder):
        every = read(folder)
        while True:
            ddl = rnd.choice(list(every))
            self.pairs = every[ddl]
            while rnd.random() < 0.6:
                ddl = tuple(changed(rnd, IN_TABLES, s) if s.startswith("CREATE TABLE") else s for s in ddl)
            try:
                super().__init__(rnd, ddl, sorted({
                    one for pair in self.pairs for sql in pair
                    for one in re.findall(r"'[^']*'|\b\d+(?:\.\d+)?\b", sql)}))
                break
            except sqlite3.Error:
                pass

    def change(self, left, right):
        """Both, changed alike, and perhaps one of them by itself."""
        rnd = self.rnd
        names = [c[0].strip('"') for columns in self.columns.values() for c in columns]
        refs = sorted(r for r in set(re.findall(r"\b[a-z]\w*(?:\.\w+)?\b(?!\()", left + " " + right))
                      if r.split(".")[-1] in names)

        def filled(text):
            return re.sub(r"\{[xyc]\}", lambda m: rnd.choice(CONDITIONS) if m[0] == "{c}" else rnd.choice(refs or names), text)

        while rnd.random() < 0.5:
            roll = rnd.random()
            if roll < 0.25:
                one, other = rnd.choice(names), rnd.choice(names)
                left, right = (re.sub(rf"\b{one}\b", other, s) for s in (left, right))
            elif roll < 0.5:
                one = rnd.choice(names)
                form, y = rnd.choice(VALUES), rnd.choice(names)
                left, right = (re.sub(rf"(?<!AS )((?:\b\w+\.)?)\b{one}\b(?!\()", lambda m: form.format(
                    x=m[0], y=m[1] + y), s) for s in (left, right))
            elif roll < 0.7:
                form, x, y = rnd.choice(CONDITIONS), rnd.choice(refs or names), rnd.choice(refs or names)
                asked = form.format(x=x, y=y)
                left, right = (re.sub(r"\bWHERE (?=[^()]*$|[^()]*\([^()]*\)[^()]*$)", lambda m: f"WHERE {asked} AND ", s, count=1)
                               for s in (left, right))
            elif roll < 0.85:
                form, what = rnd.choice(IN_ONE)
                what = filled(filled(rnd.choice(what)))
                left, right = (re.sub(form, what, s) for s in (left, right))
            else:
                around = rnd.choice(AROUND)
                left, right = (around.format(s) for s in (left, right))
        if rnd.random() < 0.5:
            right = filled(filled(changed(rnd, IN_ONE, right)))
        return left, right

    def make(self, count):
        """(kind, left, right) of a round."""
        made = [self.change(*self.rnd.choice(self.pairs)) for _ in range(count)]
        return [("case", left, right) for left, right in made if left != right]


def columns_of(ddl):
    """{table: [(column, declared type, is it of the key)]}."""
    db = sqlite3.connect(":memory:")
    try:
        for statement in ddl:
            db.execute(statement)
        db.execute("PRAGMA foreign_key_check")  # fails where a parent has no key
        names = [n for n, in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")]
        return {name: [(f'"{r[1]}"', r[2], r[5]) for r in db.execute(f'PRAGMA table_xinfo("{name}")') if r[6] == 0]
                for name in names}
    finally:
        db.close()


def literal(value):
    """As SQL."""
    if isinstance(value, bytes):
        return f"x'{value.hex()}'"
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else repr(value)
