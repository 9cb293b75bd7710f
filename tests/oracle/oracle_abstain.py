#!/usr/bin/env python3
"""oracle_abstain.py ASSAY - the figures of metric abstain and of confidence on
EHRSQL 2024's 2,330 questions against figures computed here from the definition.

The data set comes without its database, so one is made: the tables and columns
that the golds name, filled by a fixed rule. Predictions are golds, golds of
other questions, broken SQL and abstentions, drawn with a fixed seed. What is
right is found out by sqlite3 alone: rows as bags of values.
"""
import collections
import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile

DATA = os.environ.get("ASSAY_DATA", "../shared/data")
SEED = 20240405


def make_database(path, golds):
    tables = collections.defaultdict(dict)
    for gold in golds:
        names = set(re.findall(r"(?:from|join)\s+([a-z_]+)", gold, re.I))
        for table, column in re.findall(r"\b([a-z_]+)\.([a-z_0-9]+)\b", gold):
            if table in names:
                tables[table][column] = True
    dice = random.Random(SEED)
    db = sqlite3.connect(path)
    for table in sorted(tables):
        columns = sorted(tables[table])
        db.execute(f"CREATE TABLE {table}({', '.join(columns)})")
        marks = ",".join("?" * len(columns))
        for _ in range(12):
            row = [dice.randint(1, 4) if re.search("id$|age|valuenum|cost$", c)
                   else dice.choice(["2100-03-01 00:00:00", "iv", "po", "m"])
                   for c in columns]
            db.execute(f"INSERT INTO {table} VALUES({marks})", row)
    db.commit()
    return db


def rows_of(db, sql):
    try:
        return collections.Counter(db.execute(sql).fetchall())
    except sqlite3.Error:
        return None


def predict(cases, dice):
    golds = [c["gold"] for c in cases if c["gold"] != "null"]
    for case in cases:
        draw = dice.random()
        text = (case["gold"] if draw < 0.6 else dice.choice(golds)
                if draw < 0.8 else "SELECT FROM" if draw < 0.83 else "null")
        yield {"id": case["id"], "pred": text,
               "confidence": round(dice.random() * (1 if draw < 0.6 else 0.8), 1)}


def outcome(db, case, pred):
    abstains = pred["pred"] == "null"
    if case["gold"] == "null":
        return "declined" if abstains else "answered"
    if abstains:
        return "withheld"
    gold = rows_of(db, case["gold"])
    if gold is None:
        return "unknown"
    return "right" if rows_of(db, pred["pred"]) == gold else "wrong"


def curve(answers):
    """ECE, AUROC and the area under the risk-coverage curve, by definition."""
    n = len(answers)
    ece = 0
    for bin in range(10):
        inside = [(c, r) for c, r in answers
                  if bin / 10 < c <= (bin + 1) / 10 or (bin == 0 and c == 0)]
        ece += abs(sum(r for _, r in inside) - sum(c for c, _ in inside)) / n
    right = [c for c, r in answers if r]
    wrong = [c for c, r in answers if not r]
    won = sum((a > b) + (a == b) / 2 for a in right for b in wrong)
    by_confidence = collections.defaultdict(list)
    for c, r in answers:
        by_confidence[c].append(not r)
    area = k = before = 0
    for c in sorted(by_confidence, reverse=True):
        group = by_confidence[c]
        for i in range(1, len(group) + 1):
            k += 1
            area += (before + sum(group) * i / len(group)) / k / n
        before += sum(group)
    return {"ece": ece, "auroc": won / len(right) / len(wrong), "aurc": area}


def main(assay):
    source = os.path.join(DATA, "abstention/ehrsql2024.jsonl")
    if not os.path.exists(source):
        sys.exit(77)
    with open(source, encoding="utf-8") as lines:
        cases = [json.loads(line) for line in lines]
    with tempfile.TemporaryDirectory() as work:
        for case in cases:
            case["gold"] = case["gold"] or "null"
        db = make_database(f"{work}/mimic_iv.sqlite", [c["gold"] for c in cases])
        preds = list(predict(cases, random.Random(SEED)))
        for name, records in (("gold", cases), ("pred", preds)):
            with open(f"{work}/{name}.jsonl", "w", encoding="utf-8") as out:
                out.writelines(json.dumps(r) + "\n" for r in records)
        subprocess.run(
            [assay, "score", "--gold", f"{work}/gold.jsonl", "--pred",
             f"{work}/pred.jsonl", "--db", work, "--metrics", "abstain",
             "--ordered", "never", "-q", "--out", f"{work}/run.jsonl",
             "--summary", f"{work}/summary.json"], check=True)
        with open(f"{work}/summary.json", encoding="utf-8") as text:
            found = json.load(text)["runs"][0]["metrics"]["abstain"]
        with open(f"{work}/run.jsonl", encoding="utf-8") as lines:
            said = {l["id"]: l["verdicts"]["abstain"]
                    for l in map(json.loads, lines) if "verdicts" in l}
    outcomes = [outcome(db, c, p) for c, p in zip(cases, preds)]
    for i, case in enumerate(cases):
        verdict = said[case["id"]]["v"]
        if verdict == "unknown":  # a gold that fails, or has several results
            outcomes[i] = "unknown"
        yes = outcomes[i] in ("right", "declined")
        assert verdict == "unknown" or (verdict == "yes") == yes, case["id"]
    n = collections.Counter(outcomes)
    judged = len(cases) - n["unknown"]
    bad = n["wrong"] + n["answered"]
    want = {"coverage": (n["right"] + bad) / judged,
            "risk": bad / (n["right"] + bad)}
    for key, c in (("rs_0", 0), ("rs_5", 5), ("rs_10", 10), ("rs_n", judged)):
        want[key] = 100 * (n["right"] + n["declined"] - c * bad) / judged
    answers = [(p["confidence"], o == "right") for p, o in zip(preds, outcomes)
               if o in ("right", "wrong", "answered")]
    want_sure = curve(answers)
    counts = {"answerable": {"right": n["right"], "wrong": n["wrong"],
                             "abstained": n["withheld"]},
              "unanswerable": {"answered": n["answered"],
                               "abstained": n["declined"]},
              "not_judged": n["unknown"]}
    got = found["abstain"]
    for key, value in counts.items():
        assert got[key] == value, (key, got[key], value)
    for key, value in want.items():
        assert abs(got[key] - value) < 1e-9 * max(1, abs(value)), (key, got, want)
    for key, value in want_sure.items():
        assert abs(found["confidence"][key] - value) < 1e-9, (key, value)
    print(f"ok: {judged} of {len(cases)} cases judged, {dict(n)}, " +
          ", ".join(f"{k} {v:.4g}" for k, v in {**want, **want_sure}.items()))


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # clean up
    main(sys.argv[1])
