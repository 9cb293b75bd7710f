#!/usr/bin/env python3
"""sound.py ASSAY [SEED [SECONDS [away]]] - what `assay check` says holds, types included.

    tests/sound/sound.py build/assay 7 3600
    tests/servers/with_postgres.sh tests/sound/sound.py build/assay 7 1800
    tests/servers/with_duckdb.sh tests/sound/sound.py build/assay 7 1800

Identities that hold for some types only, in contexts where a type shows, over
tables of many types (pairs.py); queries of a grammar that have one canonical
form (grammar.py); for SQLite also the text cases of proofs, changed (cases.py).
Mostly the rules prove alone: a database of assay's own that refutes what they
proved would hide that they did. What is proved must give the same rows on
databases full of values that types tell apart, and on PostgreSQL and DuckDB
columns of the same types. A witness must be legal, and its results must differ
by more than the tolerance. Which engine: that of the environment, else SQLite
(engines.py). Speaks TAP.
"""
import collections
import functools
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

import cases
import grammar
from engines import Away, DuckDB, MariaDB, Postgres, Sqlite
from pairs import Tables

PAIRS = 120  # of a round
WITNESSES = 0.1  # of the rounds look for witnesses, too
FAULTS = ("crash", "memory", "internal", "engine_failed")
KINDS = ("identities", "cases", "grammar")
CASES = os.path.join(os.path.dirname(__file__), "../cases/proof")


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
        self.rules = collections.Counter()

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
                    if self.is_choice(engine, rows, r, left, right):
                        self.counts["choices"] += 1
                        engine.fill(rows)
                        continue
                    self.tell("unsound", r, rows, (left, right))

    def is_choice(self, engine, rows, r, left, right):
        """Have both queries one result, where the rows come in another order?"""
        if engine.name == "sqlite":  # which may return what the other one may
            is_alike = functools.partial(same, r, has_collation=False, is_away=False)
            lefts, rights = (list(engine.orders(rows, r[side])) for side in ("left", "right"))
            if all(any(is_alike(one, other) for other in rights) for one in lefts) \
                    and all(any(is_alike(one, other) for one in lefts) for other in rights):
                return True
            # Which of the rows that sort alike comes first.
            if left[1] != right[1] and bag(left[1]) == bag(right[1]) and any(
                    one != side[0] for side in (lefts, rights) for one in side):
                return True
            # Groups come as they are sorted: all of those of which LIMIT takes some.
            whole = [re.sub(r"LIMIT \d+( OFFSET \d+)?", "", r[side]) for side in ("left", "right")]
            return whole != [r["left"], r["right"]] and is_alike(*engine.ask(whole))
        everything = ["SELECT * FROM t", "SELECT * FROM u"]
        before = engine.ask(everything)
        tables = list(dict.fromkeys(map(table_of, rows)))
        engine.fill([row for table in tables for row in reversed(rows)
                     if table_of(row) == table])
        left, *after = engine.ask([r["left"], *everything])
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

    def tables(self):
        """Of identities, or of a grammar; for SQLite also of cases."""
        rnd, forms = self.rnd, os.path.join(os.path.dirname(self.assay), "tests/forms")
        kind = rnd.choice(KINDS)
        return cases.Tables(rnd, CASES) if kind == "cases" and self.make_engine is Sqlite \
            else grammar.Tables(rnd, forms, self.make_engine) if kind == "grammar" and os.path.exists(forms) \
            else Tables(rnd, self.make_engine.name)

    def round(self):
        """One pair of tables."""
        tables = self.tables()
        self.ddl = tables.ddl()
        engine = self.make_engine(self.ddl)
        # To look for witnesses takes far longer than to prove, and a database
        # that refutes what the rules proved would hide that they did.
        tries = engine.tries if self.rnd.random() < WITNESSES else 0
        told = check(self.assay, engine, tables.make(PAIRS), tries)
        for r in told:
            if r.get("reason") in FAULTS:
                self.tell("faults", r, [], (r["reason"], r.get("detail")))
        proved = [r for r in told if r["verdict"] == "equivalent"]
        refuted = [r for r in told if r.get("evidence") == "witness"]
        self.rules.update(name for r in proved for name in {step["rule"] for step in r["proof"]})
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
    print(f"# {len(hunt.rules)} rules:", *(f"{name} {n}" for name, n in hunt.rules.most_common()))
    bad = sum(hunt.counts[k] for k in ("unsound", "illegal", "refuted", "faults"))
    print("not ok" if bad else "ok", f"1 - {engine.name}:",
          ", ".join(f"{n} {k}" for k, n in sorted(hunt.counts.items())),
          f"(seed {seed})")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
