#!/usr/bin/env python3
"""bench_aims.py ASSAY BENCH_RAW - what was aimed at beside what is reached.

CPU times, as ratios to SQLite alone (bench_raw) where that is the aim; those on
Spider dev need the data folder $ASSAY_DATA. CPU is user and system time of a
process and all its children, the least of some tries; wall times mean something
on two idle cores. How cost grows is measured by growth.py, rewards by
bench_rewards.py, checks by bench_check.py, parsing by bench_sql.c.
"""
import glob
import math
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SPIDER = os.path.join(
    os.environ.get("ASSAY_DATA", os.path.join(ROOT, "..", "shared", "data")),
    "spider")
TRIES = 2


def timed(command, tries=TRIES):
    """Least CPU and wall seconds of some tries."""
    least = least_wall = math.inf
    for _ in range(tries):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.monotonic()
        run = subprocess.run(command, capture_output=True, text=True,
                             check=False)
        least_wall = min(least_wall, time.monotonic() - start)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if run.returncode != 0:
            sys.exit(f"bench_aims: {' '.join(command)}: {run.stderr}")
        least = min(least, after.ru_utime + after.ru_stime
                    - before.ru_utime - before.ru_stime)
    return least, least_wall


def write(path, lines):
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in lines)


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
    start = min(timed([assay, "--version"], 20)[0] for _ in range(3))
    tell("start-up", start * 1000, 1, "ms")
    if not os.path.isdir(SPIDER):
        print(f"  the others are skipped: no data in {SPIDER}")
        return
    db = os.path.join(SPIDER, "database")
    all_golds = os.path.join(SPIDER, "dev_gold.sql")
    all_preds = os.path.join(SPIDER, "predictions", "dail_gpt4.sql")
    score = [assay, "score", "-q", "--db", db]
    one, two, many = ["--jobs", "1"], ["--jobs", "2"], ["--jobs", "16"]
    files = ["--gold", all_golds, "--pred", all_preds, "--metrics", "exec"]
    alone, alone_wall = timed([raw, all_golds, all_preds, db, "30"])
    tell("Spider dev, exec / SQLite alone",
         timed(score + files + one)[0] / alone, 0.7, "x CPU")
    tell("the same with two jobs",
         timed(score + files + two)[1] / alone_wall, 0.4, "x wall")
    gold, pred = without_wta(folder)
    alone = timed([raw, gold, pred, db, "30"])[0]
    files = ["--gold", gold, "--pred", pred]
    plain = timed(score + files + one + ["--metrics", "exec"])[0]
    tell("without wta_1, exec / SQLite alone", plain / alone, 1.2, "x CPU")
    suite = os.path.join(folder, "suite")
    made = timed([assay, "distill", "-q", "--jobs", "2", "--gold", all_golds,
                  "--db", db, "--out", suite], 1)[0]
    both = timed(score + files + one + ["--metrics", "exec,suite", "--suite",
                                        suite])[0]
    tell("without wta_1, exec,suite / SQLite alone", both / alone, 2.5,
         "x CPU")
    tell("distill", made, 10, "s CPU")
    runs = sorted(glob.glob(os.path.join(SPIDER, "predictions", "*.sql")))
    files = ["--gold", all_golds, "--pred", *runs, "--metrics", "exec"]
    costs, walls = zip(*(timed(score + files + n) for n in (one, two, many)))
    tell(f"{len(runs)} runs at once, default limits", costs[1], 15, "s CPU")
    tell("wall of two jobs / of one", walls[1] / walls[0], 1 / 1.9, "x wall")
    tell("CPU of 16 jobs / of two", costs[2] / costs[1], 1.1, "x CPU")


def main(assay, raw):
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # clean up
    print("load", *os.getloadavg())
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as folder:
        aims(assay, raw, folder)


main(*sys.argv[1:])
