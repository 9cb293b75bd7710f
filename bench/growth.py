#!/usr/bin/env python3
"""growth.py ASSAY [--most SECONDS] - cost as work grows, with its exponents.

Cases, databases, runs and the size of one database grow by steps of ten, each
alone; a series ends when its next step would take more than SECONDS (120) of CPU by
what the last one took. For each step: processor time of all processes, the
largest process, the journal. The exponent is that of the last step: 1.0 is
linear. docs/scale.md reckons with what it prints. Data are made here, from
nothing but numbers; one worker, so that steps can be compared.
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


def measure(assay, folder, n_runs):
    """Seconds of CPU and wall, bytes of the largest process, of the journal."""
    out = folder / "out.jsonl"
    words = [assay, "score", "--gold", folder / "gold.jsonl", "--db",
             folder / "dbs", "--jobs", "1", "-q", "--out", out, "--pred"]
    words += [folder / f"run{r}.jsonl" for r in range(n_runs)]
    start = time.monotonic()
    pid = os.posix_spawn(assay, [str(w) for w in words], os.environ)
    _, status, used = os.wait4(pid, 0)
    if status != 0:
        sys.exit(f"growth.py: assay ended with {os.waitstatus_to_exitcode(status)}")
    size = out.stat().st_size
    out.unlink()
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
    return n_runs


SERIES = [
    ("cases", "10^3 .. 10^6", [10**3, 10**4, 10**5, 10**6],
     lambda folder, n: prepare(folder, n_cases=n)),
    ("databases", "a case on each", [10, 100, 1000, 10**4],
     lambda folder, n: prepare(folder, n_cases=n, n_databases=n)),
    ("runs", f"of {BASE_CASES} cases", [1, 10, 100],
     lambda folder, n: prepare(folder, n_runs=n)),
    ("MB", f"one database, {BASE_CASES} cases by key", [1, 10, 100, 1000],
     lambda folder, n: prepare(folder, size=n * 1000000)),
]


def show_series(assay, name, what, steps, make, most):
    print(f"\n{name} ({what})\n{name:>10}  CPU s   wall s   largest MB  "
          f"journal MB  exponent of CPU, of memory")
    last = None
    for n in steps:
        if last and last[1][0] * 10 > most:
            print(f"{n:>10}  not run: it would take more than {most:g} s of CPU")
            break
        with tempfile.TemporaryDirectory() as name_of:
            folder = pathlib.Path(name_of)
            got = measure(assay, folder, make(folder, n))
        line = (f"{n:>10}  {got[0]:6.2f}  {got[1]:6.2f}  "
                f"{got[2] / 1e6:10.1f}  {got[3] / 1e6:10.2f}")
        if last:
            grown = math.log(n / last[0])
            line += (f"  {math.log(got[0] / last[1][0]) / grown:6.2f}"
                     f"  {math.log(got[2] / last[1][2]) / grown:6.2f}")
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
    for name, what, steps, make in SERIES:
        if given.series in (None, name):
            show_series(assay, name, what, steps, make, given.most)


if __name__ == "__main__":
    main()
