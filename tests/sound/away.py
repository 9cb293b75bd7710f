#!/usr/bin/env python3
"""away.py ASSAY [SEED [SECONDS]] - what `assay check -d DIALECT` says without a
server, asked of the server.

    tests/servers/with_postgres.sh tests/sound/away.py build/assay 7 600
    tests/servers/with_mariadb.sh tests/sound/away.py build/assay 7 600

An expression of awkward literals and columns, and beside it the value that the
server gives, the value that SQLite gives, or an expression that is nearly the
same. What is proved must hold on the server; where a counterexample is found the
server must tell the two apart on its rows. Speaks TAP.
"""
import collections
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

from engines import Away, MariaDB, plain

PAIRS = 400  # of a round
TEXTS = ["a", "A", "ab", "aB", "é", "É", "ß", "a ", " a", "", "0", "1", " 1", "1x",
         "01", "1e1", "+1", "-", ".5", "1.5", "0x1", "b", "abcabc", "%", "a_", "a%b",
         "2020-01-31", "2020-02-30", "x", "ñ", "ＡＢ", "😀a", "e\u0301", "\ta"]
WHOLE = ["0", "1", "2", "3", "-1", "7", "-7", "10", "2147483647", "100"]
PARTS = ["0.5", "1.5", "2.5", "-0.5", "-2.5", "0.1", "1.005", "2.675", "0.0", "3.999", "1.10"]
DAYS = ["2020-01-31", "2020-02-29", "2019-12-31", "1999-03-01"]
PATTERNS = ["a%", "A%", "_", "%", "", "%b", "a\\%b", "a\\_", "É", "é%", "[a]%", "a", "__", "%a%", "a "]
# Kind of the value, form; s: a text, i: a whole number, f: a fraction, n: any
# number, d: a day, p: a pattern, c: a condition, t: a whole number from -2 to 9.
FORMS = {
    "s": ["UPPER({s})", "LOWER({s})", "TRIM({s})", "LTRIM({s})", "RTRIM({s})", "TRIM(BOTH 'a' FROM {s})",
          "TRIM(LEADING ' ' FROM {s})", "REPLACE({s}, {s}, {s})", "REPLACE({s}, '', 'x')", "SUBSTR({s}, {t})",
          "SUBSTR({s}, {t}, {t})", "SUBSTRING({s} FROM {t} FOR 2)", "{s} || {s}", "CONCAT({s}, {s})",
          "CONCAT({s}, NULL)", "CONCAT_WS('-', {s}, {s})", "COALESCE({s}, {s})", "NULLIF({s}, {s})",
          "CASE WHEN {c} THEN {s} ELSE {s} END", "CAST({i} AS CHAR)", "CAST({n} AS VARCHAR(3))", "CAST({s} AS CHAR(2))",
          "CONCAT({i}, {s})", "CAST({n} AS TEXT)", "MIN({s})", "MAX({s})", "LEFT({s}, 1)"],
    "i": ["LENGTH({s})", "CHAR_LENGTH({s})", "OCTET_LENGTH({s})", "ABS({i})", "{i} + {i}", "{i} - {i}", "{i} * {i}",
          "{i} % {t}", "MOD({i}, {t})", "SIGN({n})", "CAST({f} AS INTEGER)", "CAST({s} AS INTEGER)", "CAST({f} AS SIGNED)",
          "CAST({s} AS SIGNED)", "CASE WHEN {c} THEN {i} ELSE {i} END", "COALESCE({i}, 0)", "NULLIF({i}, {i})",
          "POSITION({s} IN {s})", "INSTR({s}, {s})", "LOCATE({s}, {s})", "EXTRACT(YEAR FROM {d})", "EXTRACT(DAY FROM {d})",
          "YEAR({d})", "DAYOFWEEK({d})", "DATEDIFF({d}, {d})", "COUNT({s})", "-{i}", "ASCII({s})", "SUM({i})",
          "COUNT(DISTINCT {s})", "{i} DIV {t}", "FLOOR({f})", "CEIL({f})",
          "~{i}", "{i} & {i}", "{i} | {i}", "{i} << {t}", "{i} >> {t}", "{d} + {t}"],
    "f": ["ROUND({f})", "ROUND({f}, 1)", "ROUND({f}, 2)", "ROUND({i} / 2.0)", "{i} / {t}", "{f} * {f}", "{f} / {f}",
          "{f} + {i}", "AVG({i})", "CAST({i} AS DECIMAL(10,2))", "CAST({f} AS DECIMAL(10,1))", "{f} % 2", "POWER({n}, 2)",
          "SQRT({i})", "ABS({f})", "{f} - {f}", "COALESCE({f}, 0)", "CAST({f} AS DOUBLE PRECISION)", "-{f}",
          "CAST({s} AS DECIMAL(10,2))", "ROUND({f}, -1)", "SUM({f})", "TRUNCATE({f}, 1)", "MOD({f}, 2)"],
    "c": ["{s} = {s}", "{s} < {s}", "{s} <> {s}", "{s} LIKE {p}", "{s} NOT LIKE {p}", "{s} LIKE {p} ESCAPE '!'",
          "{s} IN ({s}, {s})", "{i} = {i}", "{i} < {n}", "{n} = {n}", "{s} BETWEEN {s} AND {s}", "{i} = {s}", "{s} IS NULL",
          "{d} < {d}", "NOT ({c})", "({c}) AND ({c})", "({c}) OR ({c})", "{d} = {s}", "{s} ILIKE {p}", "{n} BETWEEN {i} AND {i}",
          "({c}) = ({c})", "COALESCE({c}, FALSE)", "{i} IN ({i}, NULL)", "({c}) IS NOT TRUE", "{s} = {i}",
          "{d} + INTERVAL '1' MONTH = {d}", "{d} + INTERVAL '3' DAY > {d}", "({s}, {i}) = ({s}, {i})"],
    "d": ["CAST({d} AS DATE)", "DATE({d})", "DATE {d}", "COALESCE({d}, {d})", "DATE_ADD({d}, INTERVAL 1 MONTH)"],
}
COLUMNS = {"s": ["s", "v"], "i": ["id", "a"], "f": ["r", "n"], "d": ["d"], "n": ["a", "n"], "c": ["b"]}
TYPES = {"postgres": ("TEXT", "VARCHAR(9)", "DOUBLE PRECISION", "NUMERIC(10,2)"),
         "mysql": ("VARCHAR(20)", "VARCHAR(9)", "DOUBLE", "DECIMAL(10,2)")}


def quoted(text, dialect):
    """A literal."""
    if dialect == "mysql":
        text = text.replace("\\", "\\\\")
    return "'" + text.replace("'", "''") + "'"


class Forms:
    """Expressions of a dialect."""

    def __init__(self, rnd, dialect):
        self.rnd, self.dialect = rnd, dialect
        self.columns = 0.0  # how many leaves are columns

    def leaf(self, kind):
        """A literal, or a column."""
        pick = self.rnd.choice
        if kind == "t":
            return str(self.rnd.randint(-2, 6))
        if kind == "p":
            return quoted(pick(PATTERNS), self.dialect)
        if kind in COLUMNS and self.rnd.random() < self.columns:
            return pick(COLUMNS[kind])
        if self.rnd.random() < 0.03:
            return "NULL"
        return {"s": lambda: quoted(pick(TEXTS), self.dialect), "i": lambda: pick(WHOLE),
                "f": lambda: pick(PARTS), "d": lambda: f"'{pick(DAYS)}'",
                "n": lambda: pick(WHOLE + PARTS), "c": lambda: pick(["TRUE", "FALSE", "1 = 1"]),
                }[kind]()

    def make(self, kind, depth):
        """An expression."""
        if depth == 0 or kind in "tp":
            return self.leaf(kind)
        form = self.rnd.choice(FORMS[self.rnd.choice("if") if kind == "n" else kind])
        out, rest = "", form
        while "{" in rest:
            head, rest = rest.split("{", 1)
            hole, rest = rest.split("}", 1)
            is_deep = self.rnd.random() < 0.35
            out += head + self.make(hole, depth - 1 if is_deep else 0)
        return out + rest


def spelled(value, is_text, dialect):
    """A value of a server as a literal."""
    if value is None:
        return "NULL"
    if isinstance(value, float):
        return repr(int(value)) if value == int(value) and abs(value) < 1e15 else f"{value:.9g}"
    if value in ("t", "f") and dialect == "postgres" and not is_text:
        return {"t": "TRUE", "f": "FALSE"}[value]
    return quoted(value, dialect)


def check(assay, engine, pairs, tries):
    """What assay says of them, without the server."""
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/p.jsonl", "w", encoding="utf-8") as out:
            for i, (left, right) in enumerate(pairs):
                line = {"id": str(i), "left": left, "right": right}
                out.write(json.dumps(line) + "\n")
        subprocess.run([assay, "check", "--pairs", f"{folder}/p.jsonl", "--out",
                        f"{folder}/o.jsonl", "-q", "-j1", "--databases", str(tries),
                        *engine.options(folder)],
                       check=False, stdout=subprocess.DEVNULL)
        with open(f"{folder}/o.jsonl", encoding="utf-8") as lines:
            return [json.loads(line) for line in lines]


def values(told):
    """Rows without what spellings of a value add."""
    return None if told is None else sorted(map(repr, told[1]))


class Hunt:
    """Counts what was looked at, and tells what is wrong."""

    def __init__(self, assay, make_engine, seed):
        self.assay, self.rnd = assay, random.Random(seed)
        dialect = make_engine.name
        text, short, real, exact = TYPES[dialect]
        self.engine = make_engine([
            f"CREATE TABLE t(id INTEGER PRIMARY KEY, a INTEGER, s {text}, v {short}, "
            f"r {real}, n {exact}, d DATE, b BOOLEAN)",
            "CREATE TABLE u(id INTEGER PRIMARY KEY)"])
        self.sqlite = sqlite3.connect(":memory:")
        self.sqlite.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, a INTEGER, s TEXT)")
        self.sqlite.execute("INSERT INTO t VALUES (1, 1, 'a')")
        self.forms = Forms(self.rnd, dialect)
        self.counts = collections.Counter()
        self.told = set()

    def home_value(self, sql):
        """What SQLite gives."""
        try:
            (value,), *_ = self.sqlite.execute(sql).fetchall() or [(None,)]
        except (sqlite3.Error, ValueError, OverflowError):
            return None
        return plain(value)

    def twins(self, count):
        """Constants beside their values, there and here."""
        self.forms.columns = 0
        made = []
        while len(made) < count:
            sql = "SELECT " + self.forms.make(self.rnd.choice("sifcn"), 2)
            made.append(sql)
        pairs = []
        for sql, told in zip(made, self.engine.ask(made)):
            if told is None or len(told[1]) != 1 or len(repr(told[1][0][0])) > 9:
                continue
            is_text = "char" in str(told[0]) or "text" in str(told[0])
            away = spelled(told[1][0][0], is_text, self.engine.name)
            here = self.home_value(sql)
            pairs.append((sql, "SELECT " + away))
            here = spelled(here, True, self.engine.name)
            if here != away:
                pairs.append((sql, "SELECT " + here))
        return pairs

    def conditions(self, count):
        """Conditions beside others with one leaf changed, or their values."""
        made = []
        forms = self.forms
        while len(made) < count:
            forms.columns = 0.5
            one = forms.make("c", 2)
            column = self.rnd.choice(["s", "v"])
            leaf = forms.leaf("s")
            other = one.replace(leaf, forms.leaf("s"), 1) if leaf in one else \
                f"{column} = {leaf}"
            roll = self.rnd.random()
            if roll < 0.3:
                kind = self.rnd.choice("sif")
                value = forms.make(kind, 1)
                column = self.rnd.choice(COLUMNS[kind])
                one = f"{value} = {forms.leaf(kind)}"
                other = f"{column} = {forms.leaf(kind)}"
                if self.rnd.random() < 0.5:
                    constant = one.rsplit(" = ", 1)[1]
                    other = f"{column} = {constant}"
            elif roll < 0.5:
                kind = self.rnd.choice("sif")
                made.append((f"SELECT {forms.make(kind, 1)} FROM t", f"SELECT {forms.make(kind, 1)} FROM t"))
                continue
            elif roll < 0.7:
                forms.columns = 0
                constant = forms.make("c", 2)
                other = self.rnd.choice([one, f"{one} AND {constant}", f"({one}) OR {constant}"])
                one = self.rnd.choice([one, f"({one}) AND {constant}"])
            made.append((f"SELECT id FROM t WHERE {one}", f"SELECT id FROM t WHERE {other}"))
        return [p for p in made if p[0] != p[1]]

    def rows(self):
        """Rows of awkward values."""
        pick, made = self.rnd.choice, []
        for i in range(self.rnd.choice([1, 3, 6])):
            row = [pick([str(i + 1)]), pick(WHOLE[:8]), quoted(pick(TEXTS), self.engine.name),
                   quoted(pick(TEXTS), self.engine.name), pick(PARTS), pick(PARTS[:6]),
                   f"'{pick(DAYS)}'", pick(["TRUE", "FALSE"])]
            row = [row[0]] + [x if self.rnd.random() > 0.1 else "NULL" for x in row[1:]]
            made.append(f"INSERT INTO t VALUES ({', '.join(row)})")
        return made

    def tell(self, what, told, rows, results):
        """A finding."""
        self.counts[what] += 1
        rules = [step["rule"] for step in told.get("proof", [])]
        print(f"# {what} {told['verdict']} {told.get('reason')} {rules}")
        print("#", "; ".join(rows))
        for key, result in zip(("left", "right"), results):
            print(f"#   {told[key]}\n#   {result}", flush=True)

    def look(self, told):
        """Is what is said so there?"""
        proved = [r for r in told if r["verdict"] == "equivalent"]
        refuted = [r for r in told if r.get("evidence") == "witness"]
        self.counts.update(pairs=len(told), proofs=len(proved), witnesses=len(refuted))
        self.counts.update(errors=sum(r.get("evidence") == "error" for r in told))
        found = set()
        for _ in range(12 if proved else 0):
            rows = self.rows()
            self.engine.fill(rows)
            results = self.engine.ask([r[k] for r in proved for k in ("left", "right")])
            for r, left, right in zip(proved, results[::2], results[1::2]):
                if r["id"] not in found and (left is None) != (right is None):
                    self.counts["fails on one side"] += 1
                if r["id"] not in found and left and right and values(left) != values(right):
                    found.add(r["id"])
                    self.tell("unsound", r, rows, (left, right))
        for r in refuted:
            statements = r["witness"]["sql"].split(";\n")
            inserts = [s for s in statements if s.startswith("INSERT")]
            bad, results = self.engine.witness(inserts, (r["left"], r["right"]))
            if bad:
                self.tell("illegal", r, inserts, (bad, ""))
            elif None in results:
                self.counts["fails there"] += 1
            elif values(results[0]) == values(results[1]):
                self.tell("refuted", r, inserts, results)

    def round(self):
        """Pairs of one kind."""
        pairs = (self.twins(PAIRS) if self.rnd.random() < 0.5 else self.conditions(PAIRS))
        self.engine.fill(["INSERT INTO t(id, a, s) VALUES (1, 1, 'a')"])
        self.look(check(self.assay, self.engine, pairs, self.rnd.choice([1, 30])))


def main():
    """One test an engine."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 10
    engine = Away if "ASSAY_PG" in os.environ else MariaDB
    hunt = Hunt(sys.argv[1], engine, seed)
    start = time.monotonic()
    print("1..1", flush=True)
    while not hunt.counts or time.monotonic() - start < seconds:
        hunt.round()
    bad = sum(hunt.counts[k] for k in ("unsound", "illegal", "refuted"))
    print("not ok" if bad else "ok", f"1 - {engine.name}:",
          ", ".join(f"{n} {k}" for k, n in sorted(hunt.counts.items())), f"(seed {seed})")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
