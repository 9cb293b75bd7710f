#!/usr/bin/env python3
"""oracle_circle.py ASSAY [N] - answers to one question agree with each other:
two queries that equal the same gold equal each other, and a query that equals
the gold differs from one that does not.

Of real pairs, N a file (default 150) are checked, and then what shares a gold.
A proof and a witness that contradict each other through a third query are a
wrong rule or a wrong witness; what is proved twice and is unknown once shows a
normal form that depends on the way, and may be 1 in 50. The order of rows is no
part of it: a query with ORDER BY may equal one without, and so do two whose
orders differ.
"""
import collections
import json
import os
import random
import signal
import subprocess
import sys
import tempfile

DATA = os.path.abspath(os.environ.get("ASSAY_DATA", "../shared/data"))
FILES = ["leetcode", "spider_dev_pairs", "bird_mini_pairs"]
UNKNOWN_SHARE = 0.02


def checked(assay, folder, pairs):
    source = os.path.join(folder, "pairs.jsonl")
    out = os.path.join(folder, "answers.jsonl")
    with open(source, "w") as file:
        file.writelines(json.dumps(pair) + "\n" for pair in pairs)
    if os.path.exists(out):
        os.remove(out)
    done = subprocess.run([assay, "check", "--pairs", source, "--out", out],
                          capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise SystemExit(f"check failed: {done.stderr}")
    with open(out) as file:
        answers = [json.loads(line) for line in file]
    return {a["id"]: a for a in answers if "id" in a}


def pairs_of(name, n, dice):
    folder = os.path.join(DATA, "equivalence")
    by_gold = collections.defaultdict(list)
    with open(os.path.join(folder, name + ".jsonl")) as file:
        for line in file:
            row = json.loads(line)
            by_gold[row["q1"], row["schema"]].append(row)
    golds = [rows for rows in by_gold.values() if len(rows) > 1]
    dice.shuffle(golds)
    rows = [row for rows in golds for row in rows[:12]][:n]
    return [{"id": row["id"], "left": row["q1"], "right": row["q2"],
             "dialect": row.get("dialect", "sqlite"),
             "schema": os.path.join(folder, row["schema"])} for row in rows]


def circles(pairs, answers, dice):
    by_gold = collections.defaultdict(list)
    for pair in pairs:
        by_gold[pair["left"], pair["schema"]].append(pair)
    out = []
    for group in by_gold.values():
        told = {"equivalent": [], "different": [], "unknown": []}
        for pair in group:
            told[answers[pair["id"]]["verdict"]].append(pair)
        same = told["equivalent"]
        two = [(a, b, "equivalent") for i, a in enumerate(same)
               for b in same[:i]]
        two += [(a, b, "different") for a in same for b in told["different"]]
        dice.shuffle(two)
        out += [dict(a, id=f"{a['id']} {b['id']} {want}", left=a["right"],
                     right=b["right"]) for a, b, want in two[:12]]
    return out


def main():
    assay = sys.argv[1]
    n = int(sys.argv[2]) if len(sys.argv) > 2 else 150
    if not os.path.isdir(os.path.join(DATA, "equivalence")):
        print("no ASSAY_DATA: skipped")
        return 77
    dice = random.Random(1)
    failures = 0
    for name in FILES:
        with tempfile.TemporaryDirectory() as folder:
            pairs = pairs_of(name, n, dice)
            pairs = circles(pairs, checked(assay, folder, pairs), dice)
            answers = checked(assay, folder, pairs)
        told = collections.Counter()
        for pair in pairs:
            got, want = answers[pair["id"]], pair["id"].split()[-1]
            told[want, got["verdict"]] += 1
            wrong = {got["verdict"], want} == {"equivalent", "different"}
            if wrong and got["reason"] != "order_differs":
                failures += 1
                print(f"not ok - {pair['id']}: {got['verdict']}\n"
                      f"  {pair['left']}\n  {pair['right']}")
        lost, of = told["equivalent", "unknown"], sum(
            k for (want, _), k in told.items() if want == "equivalent")
        if not of or lost > UNKNOWN_SHARE * of:
            failures += 1
            print(f"not ok - {name}: {lost} of {of} are not proved again")
        print(f"{name}: {len(pairs)} pairs of answers, {of - lost} of {of} "
              f"proved again, {told['different', 'different']} of "
              f"{sum(told.values()) - of} refuted again")
    return 1 if failures else 0


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # clean up
    sys.exit(main())
