#!/usr/bin/env python3
"""sound.py ASSAY [SEED [SECONDS [away]]] - what `assay check` says holds, types included.

    tests/sound/sound.py build/assay 7 3600
    tests/servers/with_postgres.sh tests/sound/sound.py build/assay 7 1800
    tests/servers/with_duckdb.sh tests/sound/sound.py build/assay 7 1800

Identities that hold for some types only, in contexts where a type shows, over
tables of many types (pairs.py). What is proved must give the same rows on
databases full of values that types tell apart, and on PostgreSQL and DuckDB
columns of the same types. A witness must be legal, and its results must differ
by more than the tolerance. Which engine: that of the environment, else SQLite
(engines.py). Speaks TAP.
"""
import collections
import json
import math
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

from engines import Away, DuckDB, MariaDB, Postgres, Sqlite
from pairs import Tables, make

PAIRS = 120  # of a round


def check(assay, engine, pairs, tries):
    """What assay says of them."""
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/p.jsonl", "w", encoding="utf-8") as out:
            for i, (_, left, right) in enumerate(pairs):
                line = {"id": str(i), "left": left, "right": right}
                out.write(json.dumps(line) + "\n")
        subprocess.run([assay, "check", "--pairs", f"{folder}/p.jsonl", "--out",
                        f"{folder}/o.jsonl", "-q", "-j1", "--databases",
                        str(tries), *engine.options(folder)],
                       check=False, stdout=subprocess.DEVNULL)
        with open(f"{folder}/o.jsonl", encoding="utf-8") as lines:
            return [json.loads(line) for line in lines]


def same(told, left, right, has_collation, is_away):
    """Are both results one, in any order, columns as the proof has them?"""
    if left is None or right is None:
        return left is right or told["verdict"] != "equivalent"
    order = told.get("columns")
    types, rows = right
    if order:
        types = [types[i] for i in order] if types else types
        rows = [tuple(row[i] for i in order) for row in rows]
    return (is_away or left[0] == types) and alike(
        told, left[1], rows, has_collation)


def alike(told, left, right, has_collation):
    """Are these the same rows, in one order where both queries ask for one?"""
    if has_order(told["left"]) and has_order(told["right"]):
        return near(left, right)
    one, other = sorted(left, key=repr), sorted(right, key=repr)
    return near(one, other) or (
        # Which of equal spellings is shown is the engine's choice.
        has_collation and sorted(map(spelling, one)) == sorted(
            map(spelling, other)))


def bag(rows):
    """Rows without their order."""
    return sorted(map(repr, rows))


def equal(told, one, other):
    """The same rows, in their order where both queries ask for one."""
    is_list = has_order(told["left"]) and has_order(told["right"])
    return one == other if is_list else bag(one) == bag(other)


def near(one, other):
    """The same values, numbers but for their last digits: 0 may be 5e-18 then."""
    return len(one) == len(other) and all(
        a == b or (isinstance(a, float) and isinstance(b, float)
                   and math.isclose(a, b, rel_tol=1e-7, abs_tol=1e-12))
        for left, right in zip(one, other) for a, b in zip(left, right))


def spelling(row):
    """A row without what NOCASE and RTRIM overlook, and lengths of intervals."""
    text = re.sub(" +'", "'", repr(row).lower())
    return text.replace("'24:00:00'", "'1 day'").replace("'1 mon'", "'30 days'")


def picks(told):
    """Does one of several equal values show, in both queries?"""
    return all(re.search("GROUP BY|DISTINCT|UNION (?!ALL)|INTERSECT|EXCEPT|MAX|MIN",
                         told[side]) for side in ("left", "right"))


def table_of(insert):
    """Where an INSERT puts its row."""
    return insert.split("(")[0]


def has_order(sql):
    """Has the query itself an ORDER BY?"""
    inner = None
    while inner != sql:
        inner, sql = sql, re.sub(r"\([^()]*\)", "", sql)
    return "ORDER BY" in sql


class Hunt:
    """Counts what was looked at, and tells what is wrong."""

    def __init__(self, assay, make_engine, seed):
        self.assay, self.make_engine = assay, make_engine
        self.rnd = random.Random(seed)
        self.counts = collections.Counter()

    def tell(self, what, told, rows, results):
        """A finding."""
        self.counts[what] += 1
        rules = [step["rule"] for step in told.get("proof", [])]
        print(f"# {what} {told.get('assumptions')} {rules}")
        print("#", "; ".join(self.ddl))
        print("#", "; ".join(rows))
        for key, result in zip(("left", "right"), results):
            print(f"#   {told[key]}\n#   {result}", flush=True)

    def look_at_proofs(self, engine, tables, proved):
        """Equivalent: on databases full of values that types tell apart."""
        found = set()
        for _ in range(engine.databases if proved else 0):
            rows = tables.inserts()
            engine.fill(rows)
            told = engine.ask([r[k] for r in proved for k in ("left", "right")])
            for r, left, right in zip(proved, told[::2], told[1::2]):
                # What fails on one side only may fail for the data.
                errs = getattr(engine, "errs", None)
                if errs and errs.search(r["left"] + r["right"]):
                    continue
                if r["id"] not in found and left and right and not same(
                        r, left, right, engine.name == "mysql"
                        or "COLLATE" in str(self.ddl)
                        or ("INTERVAL" in str(self.ddl) and picks(r)),
                        engine.is_away):
                    found.add(r["id"])
                    if self.is_choice(engine, rows, r, right):
                        self.counts["choices"] += 1
                        engine.fill(rows)
                        continue
                    self.tell("unsound", r, rows, (left, right))

    def is_choice(self, engine, rows, r, right):
        """Have both queries one result, where the rows come in another order?"""
        everything = ["SELECT * FROM t", "SELECT * FROM u"]
        before = engine.ask(everything)
        tables = list(dict.fromkeys(map(table_of, rows)))
        engine.fill([row for table in tables for row in reversed(rows)
                     if table_of(row) == table])
        left, *after = engine.ask([r["left"], *everything])
        if engine.name == "sqlite" and any(
                same(r, one, other, False, False)
                for one in engine.orders(rows, r["left"])
                for other in [right, *engine.orders(rows, r["right"])]):
            return True
        return bool(left) and all(
            one and other and bag(one[1]) == bag(other[1])
            for one, other in zip(before, after)) and same(
                r, left, right, False, engine.is_away)

    def look_at_witness(self, engine, r):
        """Different: the rows are legal, the results are not the same."""
        statements = re.split(r";(?: --.*)?\n", r["witness"]["sql"])
        inserts = [s for s in statements if s.startswith("INSERT")]
        bad, told = engine.witness(inserts, (r["left"], r["right"]))
        if bad:
            self.tell("illegal", r, inserts, (bad, ""))
        elif not any(told) and engine.is_away:
            self.counts["fails there"] += 1
        elif not any(told) or (
                all(told) and "interval" not in str(told).lower()
                and (engine.is_away or told[0][0] == told[1][0])
                and equal(r, told[0][1], told[1][1])):
            self.tell("refuted", r, inserts, told)

    def round(self):
        """One pair of tables."""
        tables = Tables(self.rnd, self.make_engine.name)
        self.ddl = tables.ddl()
        engine = self.make_engine(self.ddl)
        # To look for witnesses takes far longer than to prove.
        tries = engine.tries if self.rnd.random() < 0.25 else 1
        told = check(self.assay, engine, make(self.rnd, tables, PAIRS), tries)
        proved = [r for r in told if r["verdict"] == "equivalent"]
        refuted = [r for r in told if r.get("evidence") == "witness"]
        self.counts.update(proofs=len(proved), witnesses=len(refuted))
        self.look_at_proofs(engine, tables, proved)
        for r in refuted[:20]:
            self.look_at_witness(engine, r)
        engine.close()


def main():
    """One test an engine."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    assay = sys.argv[1]
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 10
    engine = ((Away if "away" in sys.argv else Postgres) if "ASSAY_PG" in os.environ
              else MariaDB if "ASSAY_MARIADB" in os.environ else DuckDB if "ASSAY_TEST_DUCKDB" in os.environ else Sqlite)
    hunt = Hunt(assay, engine, seed)
    start = time.monotonic()
    print("1..1", flush=True)
    while hunt.counts["proofs"] == 0 or time.monotonic() - start < seconds:
        hunt.round()
    bad = sum(hunt.counts[k] for k in ("unsound", "illegal", "refuted"))
    print("not ok" if bad else "ok", f"1 - {engine.name}:",
          ", ".join(f"{n} {k}" for k, n in sorted(hunt.counts.items())),
          f"(seed {seed})")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
