#!/usr/bin/env python3
"""peers.py ASSAY - the reference evaluators beside assay, where you have them.

    ASSAY_PEER_SPIDER=…/test-suite-sql-eval/evaluation.py
    ASSAY_DATA=…        the data: spider/{dev_gold.sql,database,predictions}
    ASSAY_PEER_TABLES=… its tables.json; PEER_PYTHON=… the Python that has nltk

Runs Spider's evaluator (`--etype all`) and `assay score --like spider` on the
same files, one after the other in this session, and compares the printed
tables line by line: they are the same, or the lines that differ are shown. The
ratio is of processor time, all processes counted. Nothing of the evaluators is
part of assay. Without a peer it says so and ends with 0.
"""
import os
import pathlib
import resource
import signal
import subprocess
import sys


def run(words):
    """What it printed on standard output, and seconds of CPU."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(w) for w in words], check=False,
                          capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if done.returncode != 0:
        sys.exit(f"peers.py: {words[0]} {words[1]} ended with "
                 f"{done.returncode}: {done.stderr[-500:]}")
    return done.stdout, cpu


def table(text):
    """The lines of numbers, their words by one space."""
    lines = (" ".join(line.split()) for line in text.splitlines())
    return [line for line in lines if line and line[-1].isdigit()]


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    assay = sys.argv[1]
    peer = os.environ.get("ASSAY_PEER_SPIDER")
    data = pathlib.Path(os.environ.get("ASSAY_DATA", "../shared/data"),
                        "spider")
    if not peer or not (data / "dev_gold.sql").exists():
        print("peers.py: no reference evaluator (ASSAY_PEER_SPIDER) or no data "
              "(ASSAY_DATA): nothing to compare")
        return 0
    tables = os.environ.get("ASSAY_PEER_TABLES", data / "tables.json")
    gold, db = data / "dev_gold.sql", data / "database"
    differ = 0
    print("run  peer CPU s  assay CPU s  ratio  tables")
    for pred in sorted((data / "predictions").glob("*.sql")):
        theirs, their_cpu = run(
            [os.environ.get("PEER_PYTHON", sys.executable), peer, "--gold",
             gold, "--pred", pred, "--db", db, "--table", tables, "--etype",
             "all"])
        ours, our_cpu = run([assay, "score", "--gold", gold, "--pred", pred,
                             "--db", db, "--tables", tables, "--like",
                             "spider"])
        pairs = list(zip(table(theirs), table(ours)))
        same = table(theirs) == table(ours)
        differ += not same
        print(f"{pred.stem}  {their_cpu:.1f}  {our_cpu:.1f}  "
              f"{their_cpu / our_cpu:.0f}  {'same' if same else 'DIFFER'}",
              flush=True)
        for left, right in pairs:
            if left != right:
                print(f"    peer:  {left}\n    assay: {right}")
    return differ > 0


if __name__ == "__main__":
    sys.exit(main())
