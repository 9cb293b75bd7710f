#!/usr/bin/env python3
"""servers_duckdb.py ASSAY [SEED [ROUNDS]] - what `assay check` says of DuckDB's
queries holds in DuckDB.

    tests/servers/with_duckdb.sh tests/servers/servers_duckdb.py build/assay

Random tables, queries, and rewritings of them, many of which are wrong. What is
called equivalent must give the same on random databases; on each witness, as it
was printed, what is called different must differ. The library is asked here
through ctypes, without assay. Speaks TAP.
"""
import collections
import ctypes
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile

PAIRS = 50  # of a round
DATABASES = 20
VALUES = {
    "INTEGER": ["0", "1", "2", "3", "-1", "5"],
    "BIGINT": ["0", "1", "2", "10"],
    "VARCHAR": ["'a'", "'b'", "''", "'A'", "'1'", "'01'"],
    "DOUBLE": ["0.0", "1.0", "2.5", "-1.5"],
    "DECIMAL(10,2)": ["0.00", "1.00", "2.50"],
    "DECIMAL(8,1)": ["0.0", "1.0", "2.5"],
    "DATE": ["'2020-01-01'", "'2020-12-31'", "'2021-01-01'"],
    "TIMESTAMP": ["'2020-01-01 00:00:00'", "'2021-01-01 10:00:00'"],
    "BOOLEAN": ["true", "false"],
}
NUMBERS = {t for t in VALUES if t[:3] in ("INT", "BIG", "DOU", "DEC")}
Column = collections.namedtuple("Column", "name type never_null")


class Result(ctypes.Structure):
    """duckdb_result"""
    _fields_ = [("counts", ctypes.c_uint64 * 3), ("rest", ctypes.c_void_p * 3)]


class DuckDB:
    """A database in memory."""

    def __init__(self, library):
        self.lib = library
        self.db, self.conn = ctypes.c_void_p(), ctypes.c_void_p()
        assert library.duckdb_open(None, ctypes.byref(self.db)) == 0
        assert library.duckdb_connect(self.db, ctypes.byref(self.conn)) == 0
        self.rows("SET threads = 1")

    def rows(self, sql):
        """The rows as texts; None when it fails."""
        result = Result()
        at = ctypes.byref(result)
        failed = self.lib.duckdb_query(self.conn, sql.encode(), at)
        found = None if failed else [
            tuple(self.cell(at, column, row)
                  for column in range(self.lib.duckdb_column_count(at)))
            for row in range(self.lib.duckdb_row_count(at))]
        self.lib.duckdb_destroy_result(at)
        return found

    def cell(self, result, column, row):
        """A value; numbers by their value."""
        text = self.lib.duckdb_value_varchar(result, column, row)
        if not text:
            return None
        value = ctypes.cast(text, ctypes.c_char_p).value.decode()
        self.lib.duckdb_free(ctypes.c_void_p(text))
        if re.fullmatch(r"-?\d+(\.\d+)?(e[+-]\d+)?", value):
            return ("number", round(float(value), 9))
        return ("text", value)

    def close(self):
        """Gives it back."""
        self.lib.duckdb_disconnect(ctypes.byref(self.conn))
        self.lib.duckdb_close(ctypes.byref(self.db))


def load_library():
    """The library, with the types of what is called."""
    library = ctypes.CDLL(os.environ["ASSAY_DUCKDB"])
    library.duckdb_value_varchar.restype = ctypes.c_void_p
    library.duckdb_value_varchar.argtypes = [
        ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64]
    library.duckdb_row_count.restype = ctypes.c_uint64
    library.duckdb_column_count.restype = ctypes.c_uint64
    return library


def bag(rows, by_position):
    """Rows without their order; without that of their columns, too."""
    return sorted(repr(r if by_position else sorted(map(repr, r)))
                  for r in rows)


class Maker:
    """Tables, rows, queries and rewritings, drawn from a seed."""

    def __init__(self, dice):
        self.dice = dice
        self.tables = []
        for no in range(dice.randint(2, 3)):
            columns = [Column("id", "INTEGER", True)]
            columns += [Column(f"c{i}", dice.choice(list(VALUES)),
                               dice.random() < .4)
                        for i in range(dice.randint(2, 4))]
            if no > 0:
                columns.append(Column("up", "INTEGER", dice.random() < .5))
            self.tables.append((f"t{no}", columns))

    def ddl(self):
        """CREATE statements."""
        made = []
        for no, (name, columns) in enumerate(self.tables):
            items = [f"{c.name} {c.type}"
                     + (" PRIMARY KEY" if c.name == "id"
                        else " NOT NULL" if c.never_null else "")
                     for c in columns]
            if no > 0:
                items.append(f"FOREIGN KEY (up) REFERENCES t{no - 1}(id)")
            made.append(f"CREATE TABLE {name}({', '.join(items)})")
        return made

    def rows(self):
        """INSERT statements of a legal database."""
        made, parents = [], []
        for name, columns in self.tables:
            kept = []
            for no in range(1, self.dice.choice([0, 1, 2, 3, 5]) + 1):
                cells = [str(no) if c.name == "id"
                         else self.cell(c, parents) for c in columns]
                if None not in cells:
                    kept.append((no, f"({', '.join(cells)})"))
            parents = [no for no, _ in kept]
            if kept:
                made.append(f"INSERT INTO {name} VALUES "
                            + ", ".join(row for _, row in kept))
        return made

    def cell(self, column, parents):
        """A value of a row; None: there can be no such row."""
        if not column.never_null and self.dice.random() < .3:
            return "NULL"
        if column.name == "up":
            return str(self.dice.choice(parents)) if parents else None
        return self.dice.choice(VALUES[column.type])

    def column(self, sources, types=None):
        """(text, type) of a column of the sources; None: there is none."""
        found = [(f"{alias}.{c.name}", c.type) for alias, columns in sources
                 for c in columns if not types or c.type in types]
        return self.dice.choice(found) if found else None

    def literal(self, of_type):
        """Mostly of the type."""
        other = self.dice.choice(list(VALUES))
        return self.dice.choice(
            VALUES[of_type if self.dice.random() < .93 else other])

    def condition(self, sources, depth=0):
        """A condition on a row."""
        dice = self.dice
        x, kind = self.column(sources)
        name, columns = dice.choice(self.tables)
        inner = dice.choice(columns)
        y, _ = self.column(sources, {inner.type}) or (x, kind)
        forms = [
            f"{x} {dice.choice(['=', '<>', '<', '<=', '>', '>='])} "
            f"{self.literal(kind)}",
            f"{x} IS {dice.choice(['', 'NOT '])}NULL",
            f"{x} {dice.choice(['=', '<', '<>'])} "
            f"{self.column(sources, {kind})[0]}",
            f"{x} IN ({self.literal(kind)}, {self.literal(kind)})",
            f"{x} BETWEEN {self.literal(kind)} AND {self.literal(kind)}",
            f"{y} {dice.choice(['', 'NOT '])}IN "
            f"(SELECT {inner.name} FROM {name})",
            f"{dice.choice(['', 'NOT '])}EXISTS (SELECT 1 FROM {name} z "
            f"WHERE z.{inner.name} = {y})",
        ]
        if kind == "VARCHAR":
            forms.append(f"{x} LIKE {dice.choice(['%a%', 'a', 'A_'])!r}")
        if kind == "BOOLEAN":
            forms.append(x)
        if depth < 2:
            both = [self.condition(sources, depth + 1) for _ in range(2)]
            forms += [f"({both[0]} {dice.choice(['AND', 'OR'])} {both[1]})",
                      f"NOT ({both[0]})"]
        return dice.choice(forms)

    def value(self, sources):
        """A value of a row."""
        x, kind = self.column(sources)
        forms = [x] * 6
        if kind in NUMBERS:
            forms += [f"{x} + 1", f"{x} / 2", f"{x} % 2", f"abs({x})",
                      f"coalesce({x}, 0)", f"-{x}",
                      f"CASE WHEN {self.condition(sources, 2)} "
                      f"THEN {x} ELSE 0 END"]
        if kind == "VARCHAR":
            forms += [f"upper({x})", f"{x} || 'x'", f"length({x})"]
        return self.dice.choice(forms)

    def source(self):
        """A FROM, and its tables by alias."""
        dice = self.dice
        no = dice.randint(1, len(self.tables) - 1)
        child, parent = self.tables[no], self.tables[no - 1]
        if dice.random() < .5:
            name, columns = dice.choice(self.tables)
            return f"{name} a", [("a", columns)]
        join = dice.choice(["JOIN", "LEFT JOIN"])
        if dice.random() < .5:
            return (f"{child[0]} a {join} {parent[0]} b ON a.up = b.id",
                    [("a", child[1]), ("b", parent[1])])
        return (f"{parent[0]} a {join} {child[0]} b ON b.up = a.id",
                [("a", parent[1]), ("b", child[1])])

    def query(self):
        """A query."""
        dice = self.dice
        text, sources = self.source()
        asked = [self.condition(sources)
                 for _ in range(dice.choice([0, 0, 1, 1, 2]))]
        rest = f" FROM {text}"
        rest += " WHERE " + " AND ".join(asked) if asked else ""
        if dice.random() < .5:
            items = ", ".join(self.value(sources)
                              for _ in range(dice.randint(1, 2)))
            distinct = dice.choice(["", "", "DISTINCT "])
            return f"SELECT {distinct}{items}{rest}"
        key, _ = self.column(sources)
        number, _ = self.column(sources, NUMBERS)
        made = dice.choice([
            "count(*)", f"count({key})", f"sum({number})", f"min({key})",
            f"max({key})", f"avg({number})", f"count(DISTINCT {key})",
            f"sum(CASE WHEN {self.condition(sources, 2)} THEN 1 ELSE 0 END)"])
        if dice.random() < .6:
            having = dice.choice(["", f" HAVING {made} >= 1"])
            having = "" if made.startswith(("min", "max")) else having
            return f"SELECT {key}, {made}{rest} GROUP BY {key}{having}"
        return f"SELECT {made}{rest}"

    def rewritten(self, query):
        """The query with a step that may or may not keep its meaning."""
        rules = [
            (r"count\(\w\.\w+\)", "count(*)"),
            (r"LEFT JOIN", "JOIN"),
            (r"DISTINCT ", ""),
            (r"^SELECT ", "SELECT DISTINCT "),
            (r"(\w\.\w+) (=|<>) (\w\.\w+|'[^']*'|\d+)", r"\3 \2 \1"),
            (r"(\w\.\w+) < (\w\.\w+|'[^']*'|\d+)", r"\2 > \1"),
            (r" WHERE (.*?)(?= GROUP|$)", r" WHERE NOT (NOT (\1))"),
            (r"< (\d+)\b(?!\.)", "<= 1"),
            (r"<= (\d+)\b(?!\.)", "< 3"),
            (r"< '2021-01-01'", "<= '2020-12-31'"),
            (r"(\w\.\w+) BETWEEN (\S+) AND (\S+)", r"\1 >= \2 AND \1 <= \3"),
            (r"(\w\.\w+) IN \(([^S,]+), ([^)]+)\)", r"(\1 = \2 OR \1 = \3)"),
            (r"(\w\.\w+) IN \(SELECT (\w+) FROM (\w+)\)",
             r"EXISTS (SELECT 1 FROM \3 y WHERE y.\2 = \1)"),
            (r"(\w\.\w+) NOT IN \(SELECT (\w+) FROM (\w+)\)",
             r"NOT EXISTS (SELECT 1 FROM \3 y WHERE y.\2 = \1)"),
            (r" b ON (\S+ = \S+)", r" b ON \1 AND b.id IS NOT NULL"),
            (r" a JOIN \w+ b ON a.up = b.id", " a"),
            (r"sum\(CASE WHEN (.*?) THEN 1 ELSE 0 END\)",
             r"count(CASE WHEN \1 THEN 1 END)"),
            (r" HAVING \S+ >= 1", ""),
            (r"NOT \((\w\.\w+) = (\S+)\)", r"\1 <> \2"),
            (r"(\w\.\w+) / 2", r"\1 * 0.5"),
        ]
        for _ in range(self.dice.randint(1, 2)):
            before, after = self.dice.choice(rules)
            query = re.sub(before, after, query, count=1)
        return query

    def pairs(self):
        """Pairs as `assay check` reads them."""
        ddl = ";\n".join(self.ddl()) + ";"
        made = []
        while len(made) < PAIRS:
            left = self.query()
            right = self.rewritten(left)
            if left != right:
                made.append({"id": len(made), "left": left, "right": right,
                             "ddl": ddl, "dialect": "duckdb"})
        return made


class Judge:
    """Counts what was looked at, and tells what is wrong."""

    def __init__(self, library):
        self.library = library
        self.counts = collections.Counter()
        self.wrong = []

    def look_at_witness(self, verdict):
        """Different: on the printed database, too."""
        db = DuckDB(self.library)
        made = db.rows(verdict["witness"]["sql"])
        left, right = db.rows(verdict["left"]), db.rows(verdict["right"])
        db.close()
        differ = (left is None) != (right is None) or (
            left is not None and right is not None
            and bag(left, True) != bag(right, True))
        self.counts["witnesses"] += 1
        if made is None or not differ:
            self.wrong.append(("no witness", verdict["left"],
                               verdict["right"], verdict["witness"]["sql"]))

    def look_at_proofs(self, proved, maker):
        """Equivalent: on random databases."""
        db = DuckDB(self.library)
        for statement in maker.ddl():
            assert db.rows(statement) is not None, statement
        for _ in range(DATABASES if proved else 0):
            rows = maker.rows()
            assert all(db.rows(r) is not None for r in rows), rows
            for verdict in proved:
                left, right = db.rows(verdict["left"]), db.rows(
                    verdict["right"])
                self.counts["runs"] += 1
                is_one = left is None and right is None or (
                    left is not None and right is not None
                    and bag(left, "columns" not in verdict)
                    == bag(right, "columns" not in verdict))
                if not is_one:
                    self.wrong.append(("unsound", verdict["left"],
                                       verdict["right"], maker.ddl(), rows))
            for name, _ in reversed(maker.tables):
                db.rows(f"DELETE FROM {name}")
        db.close()


def main():
    """One line of TAP for the proofs, one for the witnesses."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    assay = sys.argv[1]
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 17
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 2
    judge = Judge(load_library())
    with tempfile.TemporaryDirectory() as folder:
        pairs = pathlib.Path(folder, "pairs.jsonl")
        for no in range(rounds):
            maker = Maker(random.Random(seed * 1000 + no))
            pairs.write_text("\n".join(map(json.dumps, maker.pairs())))
            done = subprocess.run(
                [assay, "check", "--pairs", pairs, "--no-times", "--quiet",
                 "--databases", "40"], capture_output=True, text=True,
                check=False)
            verdicts = [json.loads(line) for line in done.stdout.splitlines()]
            for verdict in verdicts:
                judge.counts[verdict["verdict"]] += 1
                if "witness" in verdict:
                    judge.look_at_witness(verdict)
            judge.look_at_proofs([v for v in verdicts
                                  if v["verdict"] == "equivalent"], maker)
    print("1..2")
    print("#", dict(judge.counts))
    for wrong in judge.wrong:
        print("#", *wrong)
    unsound = [w for w in judge.wrong if w[0] == "unsound"]
    enough = judge.counts["equivalent"] >= rounds * 5
    bad = len(unsound) < len(judge.wrong)
    print("not ok" if unsound or not enough else "ok",
          "- what is proved holds on random databases")
    print("not ok" if bad or not judge.counts["witnesses"] else "ok",
          "- what is refuted differs on its witness")


if __name__ == "__main__":
    main()
