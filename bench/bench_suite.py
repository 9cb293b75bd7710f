#!/usr/bin/env python3
"""bench_suite.py ASSAY - suites of Spider dev: time and memory by the number of
golds, and what scoring on a suite adds to the databases alone. CPU times are
those of all processes."""
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time


def run(*words):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    out = subprocess.run(words, check=False, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return out.stdout, time.monotonic() - start, cpu


def totals(text):
    wanted = ("neighbors", "killed", "databases", "size")
    return "; ".join(" ".join(line.split()) for line in text.splitlines()
                     if line.startswith(wanted))


def main(assay):
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # clean up
    data = os.path.join(os.environ.get("ASSAY_DATA", "../shared/data"),
                        "spider")
    gold = os.path.join(data, "dev_gold.sql")
    db = os.path.join(data, "database")
    if not os.path.exists(gold):
        print("no Spider data: skipped")
        return
    print("load", *os.getloadavg())
    with tempfile.TemporaryDirectory() as folder:
        for golds in (100, 300, 1034):
            suite = os.path.join(folder, str(golds))
            text, wall, cpu = run(assay, "distill", "--gold", gold, "--db", db,
                                  "--out", suite, "--limit", str(golds))
            print(f"{golds:5} golds {wall:7.1f} s wall {cpu:6.1f} s CPU  "
                  f"{totals(text)}")
        pred = os.path.join(data, "predictions", "dail_gpt4.sql")
        for metrics in ("exec", "exec,suite"):
            where = ("--suite", suite) if "suite" in metrics else ()
            _, wall, cpu = run(assay, "score", "--gold", gold, "--pred", pred,
                               "--db", db, *where, "--metrics", metrics, "-q")
            print(f"score {metrics:10} {wall:7.1f} s wall {cpu:6.1f} s CPU")


main(*sys.argv[1:])
