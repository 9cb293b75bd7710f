#!/usr/bin/env python3
"""bench_aims.py ASSAY BENCH_RAW [aims|growth] - what was aimed at beside what
is reached, and how the cost grows with the input.

aims    CPU times, as ratios to SQLite alone (bench_raw) where that is the aim;
        those on Spider dev need the data folder $ASSAY_DATA
growth  CPU time at a size, at twice and at four times that size, without what
        the smallest run costs; the exponent is that of the last doubling: 1 is
        linear

CPU is user and system time of a process and all its children, the least of
some tries.
"""
import json
import math
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SPIDER = os.path.join(
    os.environ.get("ASSAY_DATA", os.path.join(ROOT, "..", "shared", "data")),
    "spider")
TRIES = 2
BENT = 1.25  # an exponent above it is called superlinear


def cpu(command, tries=TRIES):
    """Least CPU seconds of some tries, and the last output."""
    least = math.inf
    for _ in range(tries):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run = subprocess.run(command, capture_output=True, text=True,
                             check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if run.returncode != 0:
            sys.exit(f"bench_aims: {' '.join(command)}: {run.stderr}")
        least = min(least, after.ru_utime + after.ru_stime
                    - before.ru_utime - before.ru_stime)
    return least, run.stdout


def write(path, lines):
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in lines)


# Aims.

def tell(name, reached, aim, unit):
    word = "reached" if reached <= aim else f"{reached / aim:.1f} x the aim"
    print(f"  {name:<44} {reached:8.2f} {unit:<8} aim {aim:6.2f}  {word}",
          flush=True)


def without_wta(folder):
    """Gold and prediction without the database whose queries run for long."""
    names = []
    with open(os.path.join(SPIDER, "dev_gold.sql"), encoding="utf-8") as file:
        golds = file.read().splitlines()
    with open(os.path.join(SPIDER, "predictions", "dail_gpt4.sql"),
              encoding="utf-8") as file:
        preds = file.read().splitlines()
    kept = [(g, p) for g, p in zip(golds, preds) if not g.endswith("\twta_1")]
    for name, lines in (("gold.sql", [g for g, _ in kept]),
                        ("pred.sql", [p for _, p in kept])):
        names.append(os.path.join(folder, name))
        write(names[-1], lines)
    return names


def aims(assay, raw, folder):
    print("aims")
    start = min(cpu([assay, "--version"], 20)[0] for _ in range(3))
    tell("start-up", start * 1000, 1, "ms")
    if not os.path.isdir(SPIDER):
        print(f"  the others are skipped: no data in {SPIDER}")
        return
    db = os.path.join(SPIDER, "database")
    all_golds = os.path.join(SPIDER, "dev_gold.sql")
    all_preds = os.path.join(SPIDER, "predictions", "dail_gpt4.sql")
    score = [assay, "score", "-q", "--jobs", "1", "--db", db]
    alone = cpu([raw, all_golds, all_preds, db, "30"], 1)[0]
    with_wta = cpu(score + ["--gold", all_golds, "--pred", all_preds,
                            "--metrics", "exec"], 1)[0]
    tell("Spider dev, exec / SQLite alone", with_wta / alone, 0.7, "x CPU")
    gold, pred = without_wta(folder)
    alone = cpu([raw, gold, pred, db, "30"])[0]
    files = ["--gold", gold, "--pred", pred]
    plain = cpu(score + files + ["--metrics", "exec"])[0]
    tell("without wta_1, exec / SQLite alone", plain / alone, 1.2, "x CPU")
    suite = os.path.join(folder, "suite")
    made = cpu([assay, "distill", "-q", "--jobs", "2", "--gold", all_golds,
                "--db", db, "--out", suite], 1)[0]
    both = cpu(score + files + ["--metrics", "exec,suite", "--suite",
                                suite])[0]
    tell("without wta_1, exec,suite / SQLite alone", both / alone, 2.5,
         "x CPU")
    tell("distill", made, 10, "s CPU")


# Growth.

def one_table(folder, name, columns=3, rows=10):
    path = os.path.join(folder, f"{name}.sqlite")
    with sqlite3.connect(path) as db:
        names = [f"c{i}" for i in range(columns)]
        db.execute(f"CREATE TABLE t({', '.join(names)})")
        marks = ", ".join("?" * columns)
        db.executemany(f"INSERT INTO t VALUES({marks})",
                       ([r * (c + 1) % 97 for c in range(columns)]
                        for r in range(rows)))
    return path


def scored(assay, folder, golds, preds, db, metrics="string,set,exec,pragmatic"):
    gold = os.path.join(folder, "gold.sql")
    write(gold, golds)
    words = [assay, "score", "-q", "--jobs", "1", "--gold", gold, "--db", db,
             "--metrics", metrics]
    for i, lines in enumerate(preds):
        path = os.path.join(folder, f"pred{i}.sql")
        write(path, lines)
        words += ["--pred", path]
    return words


def question(i):
    return f"SELECT c0 FROM t WHERE c1 > {i}"


def by_cases(assay, folder, n):
    return scored(assay, folder, [question(i) for i in range(n)],
                  [[question(i + 1) for i in range(n)]],
                  one_table(folder, "cases"))


def by_columns(assay, folder, n):
    sql = "SELECT " + ", ".join(f"c{i}" for i in range(n)) + " FROM t"
    return scored(assay, folder, [sql], [[sql + " WHERE c0 < 1000"]],
                  one_table(folder, f"columns{n}", n))


def by_rows(assay, folder, n):
    return scored(assay, folder, ["SELECT c0, c1 FROM t"],
                  [["SELECT c0, c1 FROM t ORDER BY c2 DESC"]],
                  one_table(folder, f"rows{n}", rows=n), "exec,subset")


def by_values(assay, folder, n):
    values = [str(i) for i in range(n)]
    sql = "SELECT c0 FROM t WHERE c1 IN ({})"
    return scored(assay, folder, [sql.format(", ".join(values))],
                  [[sql.format(", ".join(reversed(values)))]],
                  one_table(folder, "values"))


def by_databases(assay, folder, n):
    place = os.path.join(folder, f"databases{n}")
    os.mkdir(place)
    first = one_table(place, "d0")
    for i in range(1, n):
        os.link(first, os.path.join(place, f"d{i}.sqlite"))
    return scored(assay, folder, [f"{question(1)}\td{i}" for i in range(n)],
                  [[question(2)] * n], place)


def by_files(assay, folder, n):
    golds = [question(i) for i in range(40)]
    return scored(assay, folder, golds,
                  [[question(i + k) for i in range(40)] for k in range(n)],
                  one_table(folder, "files"))


def by_samples(assay, folder, n):
    db = one_table(folder, "samples")
    words = scored(assay, folder, [question(1)], [], db)
    path = os.path.join(folder, "samples.jsonl")
    write(path, [json.dumps({"id": "1",
                             "pred": [question(i) for i in range(n)]})])
    return words + ["--pred", path]


def suite_of(assay, folder, golds, path, n):
    gold = os.path.join(folder, "gold.sql")
    write(gold, golds)
    return [assay, "distill", "-q", "--jobs", "1", "--gold", gold, "--db",
            path, "--out", os.path.join(folder, f"suite{n}")]


def by_golds(assay, folder, n):
    golds = [f"SELECT c{i % 3} FROM t WHERE c{(i + 1) % 3} > {i}"
             for i in range(n)]
    return suite_of(assay, folder, golds, one_table(folder, "golds"), n)


def by_tables(assay, folder, n):
    path = one_table(folder, f"tables{n}")
    with sqlite3.connect(path) as db:
        for i in range(n):
            db.execute(f"CREATE TABLE u{i}(a INTEGER PRIMARY KEY, b TEXT)")
    return suite_of(assay, folder, [question(5)], path, n)


GROWTH = (("cases", by_cases, 1000), ("columns", by_columns, 200),
          ("rows", by_rows, 20000), ("values of IN", by_values, 4000),
          ("databases", by_databases, 400),
          ("prediction files", by_files, 16), ("samples", by_samples, 400),
          ("golds (distill)", by_golds, 4), ("tables (distill)", by_tables, 25))


def growth(assay, _, folder):
    print("growth: s CPU at n, 2 n, 4 n")
    base = cpu(by_cases(assay, folder, 1), 5)[0]
    for name, command, n in GROWTH:
        sizes = (n, 2 * n, 4 * n)
        spent = []
        for size in sizes:
            with tempfile.TemporaryDirectory(dir=folder) as place:
                words = command(assay, place, size)
                tries = 1 if "distill" in words else TRIES
                spent.append(cpu(words, tries)[0] - base)
        exponent = (math.log2(spent[2] / spent[1])
                    if min(spent) > 0 else math.nan)
        word = "  superlinear" if exponent > BENT else ""
        print(f"  {name:<17} n = {n:<6}" + "".join(f"{s:8.3f}" for s in spent)
              + f"   exponent {exponent:5.2f}{word}", flush=True)


def main(assay, raw, *parts):
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # clean up
    print("load", *os.getloadavg())
    for part in (aims, growth):
        if not parts or part.__name__ in parts:
            with tempfile.TemporaryDirectory(prefix="assay-bench-") as folder:
                part(assay, raw, folder)


main(*sys.argv[1:])
