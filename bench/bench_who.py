#!/usr/bin/env python3
"""How often `assay lint --rank` says what people say of golds.

Three sets of human labels: spotit50 (who is wrong, gold, prediction or
question?), bird_gold_audit_186 (is the gold right?) and the gold rows of
Pourreza and Rafiei. BIRD's databases are not there, their schemas are: what
the data would tell is missing. --without leaves signals out, one by one.
"""

import argparse
import collections
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

CLASSES = {"gold_wrong": "gold_suspect", "prediction_wrong": "prediction_suspect",
           "ambiguous": "question_ambiguous"}


def rows_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def write_rows(path, rows):
    path.write_text("".join(json.dumps(r) + "\n" for r in rows))


def auc(scores):
    """Of (score, is_bad): how often a bad one is above a good one."""
    bad = [s for s, b in scores if b]
    good = [s for s, b in scores if not b]
    won = sum((b > g) + (b == g) / 2 for b in bad for g in good)
    return won / (len(bad) * len(good)) if bad and good else float("nan")


def lint(assay, gold, db, preds, out):
    command = [assay, "lint", "--rank", "--gold", gold, "--db", db, "--quiet",
               "--fail-on", "never", "--out", out]
    if preds:
        command += ["--pred", *preds]
    done = subprocess.run([str(c) for c in command], stderr=subprocess.PIPE,
                          text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr}")
    lines = out.read_text().splitlines()[1:]
    return {r["id"]: r for r in map(json.loads, lines)}


def sums(said, without):
    """Gold's and prediction's weights, without these signals."""
    both = {"gold": 0, "prediction": 0}
    for r in said["reasons"]:
        if r["signal"] not in without:
            for side in both:
                both[side] += r["weight"] if r["on"] in (side, "both") else 0
    return both["gold"], both["prediction"]


def class_of(said, without):
    gold, pred = sums(said, without)
    return ("gold_suspect" if gold > pred else "prediction_suspect" if pred > gold
            else "question_ambiguous" if gold else "no_evidence")


def suspicion(said, without):
    whole = sums(said, ())
    left = sums(said, without)
    return said["suspicion"] - whole[0] + left[0]


def spotit(a, folder):
    rows = rows_of(a.data / "human/spotit50_bird.jsonl")
    for r in rows:
        r["db"] = r.pop("db_id")
    write_rows(folder / "gold.jsonl", rows)
    said = lint(a.assay, folder / "gold.jsonl", folder / "schemas", [], folder / "out")
    return [(r, said[r["id"]], CLASSES[r["class"]]) for r in rows]


def audit(a, folder):
    rows = rows_of(a.data / "human/bird_gold_audit_186.jsonl")
    write_rows(folder / "gold2.jsonl",
               [{"id": r["id"], "db": r["db_id"], "question": r["question"],
                 "evidence": r["evidence"], "gold": r["pred"]} for r in rows])
    said = lint(a.assay, folder / "gold2.jsonl", folder / "schemas", [], folder / "out2")
    return [(r, said[r["id"]], r["label"] == "no") for r in rows]


def pourreza(a, folder):
    by = collections.defaultdict(list)
    for r in rows_of(a.data / "human/pourreza_spider_dev.jsonl"):
        by[r["index"]].append(r)
    golds, runs, labels = [], [[], []], {}
    for index, rows in by.items():
        text = {" ".join(r["pred"].split()): r for r in rows}
        gold = text.get(" ".join(rows[0]["gold"].split()))
        if not gold:
            continue
        one = {"id": str(index), "db": gold["db_id"]}
        golds.append({**one, "question": gold["question"], "gold": gold["gold"]})
        others = [r["pred"] for r in text.values() if r is not gold]
        for run, pred in zip(runs, others):
            run.append({**one, "pred": pred})
        labels[str(index)] = gold
    write_rows(folder / "gold3.jsonl", golds)
    for i, run in enumerate(runs):
        write_rows(folder / f"run{i}.jsonl", run)
    both = []
    for preds in ([], [folder / "run0.jsonl", folder / "run1.jsonl"]):
        out = folder / f"out3{len(preds)}"
        said = lint(a.assay, folder / "gold3.jsonl", a.data / "spider/database", preds, out)
        both.append([(r, said[i], r["label"] == "no") for i, r in labels.items()])
    return both


def show_classes(cases, without):
    table = collections.Counter((want, class_of(said, without)) for _, said, want in cases)
    right = sum(n for (want, got), n in table.items() if want == got)
    print(f"spotit50: class right {right} of {len(cases)} ({100 * right / len(cases):.0f} %)")
    for (want, got), n in sorted(table.items()):
        print(f"  people {want:20} assay {got:20} {n}")


def show_auc(name, cases, without):
    scores = [(suspicion(said, without), bad) for _, said, bad in cases]
    plain = [(sums(said, without)[0], bad) for _, said, bad in cases]
    length = [(len(said["gold"]), bad) for _, said, bad in cases]
    print(f"{name}: AUC {auc(scores):.3f} of {sum(b for _, b in scores)} bad in {len(scores)}"
          f" (signals alone {auc(plain):.3f}, length of the text alone {auc(length):.3f})")


def show_signals(sets):
    """What each is worth: right and wrong where it fires, and without it."""
    spot, rest = sets
    names = sorted({r["signal"] for cases in [spot, *rest] for _, s, _ in cases
                    for r in s["reasons"]})
    base = sum(class_of(s, ()) == w for _, s, w in spot)
    print("signal              spotit: for, against, without; golds: bad, good, ...")
    for n in names:
        fires = [(r["on"], w) for _, s, w in spot for r in s["reasons"] if r["signal"] == n]
        good = sum(w.startswith(on) for on, w in fires)
        right = sum(class_of(s, (n,)) == w for _, s, w in spot)
        text = f"{n:18} {good:3} {len(fires) - good:3} {right - base:+3} "
        for cases in rest:
            on = [b for _, s, b in cases if any(
                r["signal"] == n and r["on"] != "prediction" for r in s["reasons"])]
            text += f" | {sum(on):2} {len(on) - sum(on):2}"
        print(text)


def show_mistakes(spot, rest):
    for r, s, want in spot:
        if class_of(s, ()) != want:
            print(f"\n{r['id']}: people {want}, assay {s['who']}\n  Q {r['question']}\n"
                  f"  E {r['evidence']}\n  G {r['gold']}\n  P {r['pred']}")
            print("  ", [(x["signal"], x["on"], x.get("detail")) for x in s["reasons"]])
    for cases in rest:
        for r, s, bad in sorted(cases, key=lambda c: -c[1]["suspicion"]):
            gold = sums(s, ())[0]
            if bool(gold) != bad:
                print(f"\n{r['id']}: people {'bad' if bad else 'good'} {s['suspicion']}"
                      f" {r['comment']}\n  Q {r['question']}\n  E {r.get('evidence')}\n"
                      f"  G {s['gold']}")
                print("  ", [(x["signal"], x["on"], x.get("detail")) for x in s["reasons"]])


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--assay", default="build/assay", type=pathlib.Path)
    p.add_argument("--data", type=pathlib.Path,
                   default=os.environ.get("ASSAY_DATA", "../shared/data"))
    p.add_argument("--without", nargs="*", default=[], help="signals")
    p.add_argument("--mistakes", action="store_true")
    a = p.parse_args()
    a.data = pathlib.Path(a.data)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # clean up
    if not (a.data / "human").is_dir():
        sys.exit(f"{a.data}: no human labels there")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "schemas").mkdir()
        for f in (a.data / "equivalence/schemas").glob("bird_*.sql"):
            (folder / "schemas" / f.name[5:]).symlink_to(f.resolve())
        spot, golds = spotit(a, folder), audit(a, folder)
        alone, beside = pourreza(a, folder)
    without = tuple(a.without)
    show_classes(spot, without)
    show_auc("bird_gold_audit_186", golds, without)
    show_auc("Pourreza's golds alone", alone, without)
    show_auc("Pourreza's golds beside two predictions", beside, without)
    show_signals((spot, [golds, alone, beside]))
    if a.mistakes:
        show_mistakes(spot, [golds, beside])


if __name__ == "__main__":
    main()
