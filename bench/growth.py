#!/usr/bin/env python3
"""growth.py ASSAY [--most SECONDS] [--series NAME] - cost as work grows, with its exponents.

Each thing that can grow does so alone, by steps of ten or of two; a series ends
when its next step would take more than SECONDS (120) of CPU by what the last
one took. For each step: processor time of all processes, the largest process,
the journal. The exponent is that of a step, of time without what a run on one
case costs: 1.0 is linear. docs/scale.md reckons with what it prints. Data are
made here, from nothing but numbers; one worker, so that steps can be compared.
"""
import argparse
import json
import math
import os
import pathlib
import shutil
import signal
import sqlite3
import sys
import tempfile
import time

BASE_CASES = 1000
ROWS = 100


def make_database(path, size=0):
    """A table to ask for rows by key; `size` bytes of others beside it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    c = sqlite3.connect(path, isolation_level=None)
    c.execute("CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT, x REAL)")
    c.execute("BEGIN")
    c.executemany("INSERT INTO item VALUES (?, ?, ?)",
                  [(i, f"item {i}", i / 7) for i in range(ROWS)])
    c.execute("CREATE TABLE ballast(id INTEGER PRIMARY KEY, x BLOB)")
    for _ in range(size // 1000000):
        c.execute("INSERT INTO ballast(x) VALUES (zeroblob(995000))")
    c.execute("COMMIT")
    c.close()


def gold_of(i):
    return (f"SELECT name, x FROM item WHERE id = {i % ROWS} AND x < {i} "
            f"ORDER BY name")


def write_gold(path, n_cases, n_databases):
    with open(path, "w", encoding="utf-8") as out:
        for i in range(n_cases):
            out.write(json.dumps({
                "id": str(i), "db": f"d{i % n_databases}",
                "question": f"Which item has number {i % ROWS}, below {i}?",
                "gold": gold_of(i)}) + "\n")


def write_run(path, n_cases, run):
    """Right in nine of ten cases, in words of its own."""
    with open(path, "w", encoding="utf-8") as out:
        for i in range(n_cases):
            wrong = (i + run) % 10 == 0
            out.write(json.dumps({
                "id": str(i),
                "pred": f"SELECT i.name, i.x FROM item AS i WHERE "
                        f"i.id = {(i + wrong) % ROWS} AND {run} = {run} "
                        f"AND i.x < {i} ORDER BY 1"}) + "\n")


def score_words(folder, preds, *others, gold="gold.jsonl"):
    return ["score", "--gold", folder / gold, "--jobs", "1", "-q", "--out",
            folder / "out.jsonl", *others, "--pred", *preds]


def measure(assay, folder, words):
    """Seconds of CPU and wall, bytes of the largest process, of the journal."""
    start = time.monotonic()
    pid = os.posix_spawn(assay, [assay, *map(str, words)], os.environ)
    _, status, used = os.wait4(pid, 0)
    if status != 0:
        sys.exit(f"growth.py: assay ended with {os.waitstatus_to_exitcode(status)}")
    out = folder / "out.jsonl"
    size = out.stat().st_size if out.exists() else 0
    return (used.ru_utime + used.ru_stime, time.monotonic() - start,
            used.ru_maxrss * 1024, size)


def prepare(folder, n_cases=BASE_CASES, n_databases=1, n_runs=1, size=0):
    for i in range(n_databases):
        to = folder / "dbs" / f"d{i}" / f"d{i}.sqlite"
        if i == 0:
            make_database(to, size)
        else:
            to.parent.mkdir(parents=True)
            shutil.copy(folder / "dbs/d0/d0.sqlite", to)
    write_gold(folder / "gold.jsonl", n_cases, n_databases)
    for r in range(n_runs):
        write_run(folder / f"run{r}.jsonl", n_cases, r)
    return score_words(folder, [folder / f"run{r}.jsonl" for r in range(n_runs)],
                       "--db", folder / "dbs")


def one_table(folder, columns=3, rows=10):
    path = folder / "t.sqlite"
    with sqlite3.connect(path) as db:
        db.execute(f"CREATE TABLE t({', '.join(f'c{i}' for i in range(columns))})")
        db.executemany(f"INSERT INTO t VALUES({', '.join('?' * columns)})",
                       ([r * (c + 1) % 97 for c in range(columns)]
                        for r in range(rows)))
    return path


def one_pair(folder, gold, pred, metrics, **table):
    """One question on one table."""
    (folder / "gold.sql").write_text(gold + "\n", encoding="utf-8")
    (folder / "pred.sql").write_text(pred + "\n", encoding="utf-8")
    return score_words(folder, [folder / "pred.sql"], "--db",
                       one_table(folder, **table), "--metrics", metrics,
                       gold="gold.sql")


def by_columns(folder, n):
    sql = "SELECT " + ", ".join(f"c{i}" for i in range(n)) + " FROM t"
    return one_pair(folder, sql, sql + " WHERE c0 < 1000",
                    "string,set,exec,pragmatic", columns=n)


def by_rows(folder, n):
    return one_pair(folder, "SELECT c0, c1 FROM t",
                    "SELECT c0, c1 FROM t ORDER BY c2 DESC", "exec,subset", rows=n)


def by_values(folder, n):
    values = [str(i) for i in range(n)]
    sql = "SELECT c0 FROM t WHERE c1 IN ({})"
    return one_pair(folder, sql.format(", ".join(values)),
                    sql.format(", ".join(reversed(values))),
                    "string,set,exec,pragmatic")


def by_samples(folder, n):
    sql = "SELECT c0 FROM t WHERE c1 > {}"
    words = one_pair(folder, sql.format(1), "", "string,set,exec,pragmatic")
    words[-1] = folder / "samples.jsonl"
    words[-1].write_text(json.dumps(
        {"id": "1", "pred": [sql.format(i) for i in range(n)]}) + "\n",
        encoding="utf-8")
    return words


def distill_words(folder, golds):
    (folder / "gold.sql").write_text("\n".join(golds) + "\n", encoding="utf-8")
    return ["distill", "-q", "--jobs", "1", "--gold", folder / "gold.sql",
            "--db", folder / "t.sqlite", "--out", folder / "suite"]


def by_golds(folder, n):
    one_table(folder)
    return distill_words(folder, [f"SELECT c{i % 3} FROM t WHERE "
                                  f"c{(i + 1) % 3} > {i}" for i in range(n)])


def by_tables(folder, n):
    with sqlite3.connect(one_table(folder)) as db:
        for i in range(n):
            db.execute(f"CREATE TABLE u{i}(a INTEGER PRIMARY KEY, b TEXT)")
    return distill_words(folder, ["SELECT c0 FROM t WHERE c1 > 5"])


SERIES = [
    ("cases", "10^3 .. 10^6", [10**3, 10**4, 10**5, 10**6],
     lambda folder, n: prepare(folder, n_cases=n)),
    ("databases", "a case on each", [10, 100, 1000, 10**4],
     lambda folder, n: prepare(folder, n_cases=n, n_databases=n)),
    ("runs", f"of {BASE_CASES} cases", [1, 10, 100],
     lambda folder, n: prepare(folder, n_runs=n)),
    ("MB", f"one database, {BASE_CASES} cases by key", [1, 10, 100, 1000],
     lambda folder, n: prepare(folder, size=n * 1000000)),
    ("columns", "of a table and a query", [400, 800, 1600], by_columns),
    ("rows", "of two results", [20000, 40000, 80000], by_rows),
    ("values", "of IN, in another order", [4000, 8000, 16000], by_values),
    ("samples", "of one question", [400, 800, 1600], by_samples),
    ("golds", "of one table, distilled", [64, 128, 256], by_golds),
    ("tables", "of a schema, one gold distilled", [25, 50, 100], by_tables),
]


def run_in(assay, make, n):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        return measure(assay, folder, make(folder, n))


def exponent(now, last, grown):
    """nan where there is nothing to measure."""
    return math.log(now / last) / grown if min(now, last) > 0 else math.nan


def show_series(assay, name, what, steps, make, most, base):
    print(f"\n{name} ({what})\n{name:>10}  CPU s   wall s   largest MB  "
          f"journal MB  exponent of CPU, of memory")
    last = None
    for n in steps:
        if last and last[1][0] * n / last[0] > most:
            print(f"{n:>10}  not run: it would take more than {most:g} s of CPU")
            break
        got = run_in(assay, make, n)
        line = (f"{n:>10}  {got[0]:6.2f}  {got[1]:6.2f}  "
                f"{got[2] / 1e6:10.1f}  {got[3] / 1e6:10.2f}")
        if last:
            grown = math.log(n / last[0])
            line += (f"  {exponent(got[0] - base, last[1][0] - base, grown):6.2f}"
                     f"  {exponent(got[2], last[1][2], grown):6.2f}")
        print(line, flush=True)
        last = n, got


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    words = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    words.add_argument("assay")
    words.add_argument("--most", type=float, default=120)
    words.add_argument("--series", choices=[s[0] for s in SERIES])
    given = words.parse_args()
    assay = os.path.abspath(given.assay)
    print("load", *os.getloadavg())
    base = min(run_in(assay, by_samples, 1)[0] for _ in range(5))
    for name, what, steps, make in SERIES:
        if given.series in (None, name):
            show_series(assay, name, what, steps, make, given.most, base)


if __name__ == "__main__":
    main()
