#!/usr/bin/env python3
"""bench_check.py ASSAY [SET...] - what assay check decides, and how fast.

Runs the pairs of $ASSAY_DATA/equivalence (default: ../shared/data) and prints a
line a set: pairs by verdict, the share decided of those that run, processor
time of the refuted, the proved and the open ones, and for each pair its time in
ratio to opening the tables and running both queries once with SQLite alone.
Behind each set its slowest pairs, with what they took it for, and the open ones
by cause; with --list all of them. At the end the times of all pairs together,
beside what was aimed at.
"""
import collections
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DATA = os.path.join(
    os.environ.get("ASSAY_DATA", os.path.join(ROOT, "..", "shared", "data")),
    "equivalence")
SETS = ("spider_neq179", "spider_dev_pairs", "spider_natsql",
        "bird_mini_pairs", "literature64", "leetcode", "calcite232")
SHOWN = 3


def rows(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def percentile(numbers, share):
    numbers = sorted(numbers) or [0.0]
    return numbers[min(len(numbers) - 1, int(len(numbers) * share))]


def seconds_alone(ddl, pair):
    """To open the tables and run both queries once; None: they do not run."""
    start = time.process_time()
    db = sqlite3.connect(":memory:")
    try:
        db.executescript(ddl)
        for side in ("q1", "q2"):
            db.execute(pair[side]).fetchall()
        return time.process_time() - start
    except (sqlite3.Error, sqlite3.Warning):
        return None
    finally:
        db.close()


def baseline(pairs):
    """By id, milliseconds with SQLite alone of the pairs that it runs."""
    texts = {}
    alone = {}
    for pair in pairs:
        path = pair.get("schema")
        if path and path not in texts:
            with open(os.path.join(DATA, path), encoding="utf-8") as file:
                texts[path] = file.read()
        ddl = texts.get(path, pair.get("ddl", ""))
        # The better of two: the clock is coarse, the machine shared.
        both = [seconds_alone(ddl, pair) for _ in range(2)]
        if None not in both:
            alone[pair["id"]] = min(both) * 1000
    return alone


def cause(line):
    """Why a pair is open, in a few words."""
    if line.get("obstacle"):
        return "not treated: " + line["obstacle"]
    if line["reason"]:
        return line["reason"]
    return "vacuous" if line.get("vacuous") else "no proof, no witness"


def effort(line):
    """What a pair took its time for, in a few words."""
    if line["evidence"] == "proof":
        return f"proved in {len(line['proof'])} steps"
    if line["evidence"] in ("columns", "error"):
        return line["evidence"]
    words = f"{line['verdict']}, {line['databases']} databases"
    if line["unstable"]:
        words += f", {line['unstable']} of them with ties"
    if line.get("strength") == "stable":
        words += ", no certain witness"
    return words


def times(lines):
    ms = [line["ms"] for line in lines]
    return (f"{percentile(ms, 0.5):6.2f} {percentile(ms, 0.99):7.1f}"
            if ms else f"{'-':>6} {'-':>7}")


def check(assay, name, lists):
    pairs = [p for p in rows(os.path.join(DATA, name + ".jsonl"))
             if p.get("label") != "identical"]
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.jsonl")
        start = time.monotonic()
        subprocess.run([assay, "check", "--pairs",
                        os.path.join(DATA, name + ".jsonl"), "--jobs", "1",
                        "--now", "2026-11-20", "--out", out, "-q"], check=True)
        wall = time.monotonic() - start
        got = {line["id"]: line for line in rows(out)}
    lines = [got[p["id"]] for p in pairs]
    by = collections.defaultdict(list)
    for line in lines:
        by[line["verdict"]].append(line)
    broken = [line for line in lines if line["evidence"] == "error"
              or line["detail" if "detail" in line else "id"].startswith(
                  "both queries fail")]
    n_runs = len(lines) - len(broken)
    n_open = len([x for x in by["unknown"] if x not in broken])
    refuted = [x for x in by["different"] if x["evidence"] == "witness"]
    stable = sum(x["strength"] == "stable" for x in refuted)
    alone = baseline(pairs)
    ratios = [line["ms"] / alone[line["id"]] for line in lines
              if alone.get(line["id"])]
    print(f"{name:17} {n_runs:5} {len(by['equivalent']):5} "
          f"{len(by['different']):5} {stable:4} {n_open:4} "
          f"{100 * (1 - n_open / max(n_runs, 1)):6.2f} "
          f"{times(refuted)} {times(by['equivalent'])} "
          f"{times(by['unknown'])} {percentile(ratios, 0.5):6.1f} "
          f"{percentile(ratios, 0.99):6.0f} {wall:6.1f}")
    slow = sorted(lines, key=lambda line: -line["ms"])
    for line in slow if lists else slow[:SHOWN]:
        print(f"    {line['ms']:8.1f} ms {line['id']}: {effort(line)}")
    causes = collections.Counter(cause(x) for x in by["unknown"])
    for word, n in causes.most_common():
        print(f"    open, {word}: {n}")
        for line in by["unknown"] if lists else ():
            if cause(line) == word:
                print(f"        {line['id']}")
    return lines


def tell_aims(lines):
    every = [line["ms"] for line in lines]
    proved = [line["ms"] for line in lines if line["verdict"] == "equivalent"]
    print(f"all {len(lines)} pairs: median {percentile(every, 0.5):.2f} ms "
          f"(aim 0.40), p99 {percentile(every, 0.99):.1f} ms (aim 30); of the "
          f"proved ones {percentile(proved, 0.5):.3f} ms (aim 0.050)")


def main():
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # clean up
    words = [word for word in sys.argv[2:] if word != "--list"]
    if not os.path.isdir(DATA):
        print("no data: set ASSAY_DATA")
        return
    print("set                runs equal  diff stbl open      % "
          "refuted ms p99  proved ms p99    open ms p99  ratio    p99   wall")
    lines = []
    for name in words or SETS:
        lines += check(sys.argv[1], name, "--list" in sys.argv)
    tell_aims(lines)


main()
