#!/usr/bin/env python3
"""undecided.py ASSAY DATA OUT [BEFORE] - what assay check leaves open, and why.

DATA is the folder that the tests call ASSAY_DATA; OUT gets the verdicts, a file for
each set of pairs. Prints how many pairs of each set are decided, then by what is
in the queries that stay open: a pair counts in the first row that fits. With
BEFORE, an OUT of another program, also what changed, and names each change that is
not from unknown to decided.
"""
import collections
import json
import os
import re
import signal
import subprocess
import sys
import tempfile

SETS = ["spider_dev_pairs", "spider_natsql", "spider_neq179", "bird_mini_pairs",
        "bird_ex_pairs", "literature64", "leetcode", "calcite232"]

# What the answer says comes first, then what stands in the queries.
CAUSES = [
    ("order of ties", lambda r, text: r.get("reason") == "order_tied"),
    ("both queries fail", lambda r, text: r.get("reason") == "both_fail"),
    ("not SQLite's words", lambda r, text: r.get("reason") == "dialect"),
    ("not modelled", lambda r, text: r.get("reason") in (
        "not_modelled", "nondeterministic", "too_complex", "forbidden")),
    ("limit of the solver", lambda r, text: r.get("solver") == "limit"),
]
WORDS = [
    ("VALUES as a table", r"\(\s*values\b"),
    ("dates as text", r"strftime|julianday|\bdate\s*\(|datetime\s*\("
                      r"|datediff|date_(add|sub)|current_(date|timestamp)"),
    ("ratio or average", r"[/]|\bavg\s*\("),
    ("window", r"\bover\s*\("),
    ("set operation", r"\b(union|except|intersect)\b"),
    ("cast", r"\bcast\s*\("),
    ("text function", r"\b(trim|substr\w*|upper|lower|replace|instr)\s*\("),
    ("CASE or IIF", r"\bcase\b|\biif?\s*\("),
    ("CTE", r"^\s*with\b"),
    ("outer join", r"\b(left|right|full)\b.*\bjoin\b"),
    ("ORDER BY ... LIMIT", r"\blimit\b"),
    ("subquery", r"\(\s*select\b"),
    ("HAVING", r"\bhaving\b"),
]


def rows(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def pairs_of(data, name):
    """The pairs of a set as lines for assay check."""
    folder = os.path.join(data, "equivalence")
    if name == "bird_ex_pairs":
        runs = rows(os.path.join(data, "bird/minidev_runs_ex.jsonl"))
        told = {(r["db_id"], r["gold"], r["pred"]): r for r in runs
                if r["ex_recorded"] == 1 and r["gold"].strip() != r["pred"].strip()}
        for i, r in enumerate(told.values()):
            path = f"schemas/bird_{r['db_id']}.sql"
            yield {"id": f"{i}", "left": r["gold"], "right": r["pred"],
                   "schema": os.path.join(folder, path)}
        return
    for p in rows(os.path.join(folder, name + ".jsonl")):
        if p.get("label") == "identical":
            continue
        tables = ({"schema": os.path.join(folder, p["schema"])}
                  if p.get("schema") else {"ddl": p.get("ddl", "")})
        yield {"id": p["id"], "left": p["q1"], "right": p["q2"],
               "dialect": p.get("dialect") or "sqlite", **tables}


def check(assay, data, name, out):
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as lines:
        for pair in pairs_of(data, name):
            lines.write(json.dumps(pair, ensure_ascii=False) + "\n")
        lines.flush()
        if os.path.exists(out):
            os.remove(out)
        done = subprocess.run([assay, "check", "--pairs", lines.name, "--out", out,
                               "--any-path"], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"undecided.py: {name}\n{done.stderr}")
    return {r["id"]: r for r in rows(out) if "verdict" in r}


def cause_of(r):
    text = (r["left"] + "\n" + r["right"]).lower()
    for name, fits in CAUSES:
        if fits(r, text):
            return name
    for name, words in WORDS:
        if re.search(words, text, re.DOTALL):
            return name
    return "plain"


def print_share(name, got):
    by = collections.Counter(r["verdict"] for r in got.values())
    n = len(got)
    ms = sorted(r.get("ms", 0) for r in got.values())
    open_ = by["unknown"]
    print(f"{name:18} {n:6} {by['equivalent']:6} {by['different']:6} {open_:6}"
          f" {100 * (n - open_) / n:6.2f} % {ms[n // 2]:8.2f} {ms[n * 99 // 100]:8.1f}")


def print_causes(opened):
    names = [n for n in SETS if opened[n]]
    print("\n" + " " * 20 + "".join(f"{n[:15]:>17}" for n in names))
    for cause in [c for c, _ in CAUSES] + [w for w, _ in WORDS] + ["plain"]:
        counts = [opened[n][cause] for n in names]
        if any(counts):
            print(f"{cause:20}" + "".join(f"{c:17}" for c in counts))


def print_changes(name, before, got):
    changes = collections.Counter()
    for key, r in got.items():
        old = before.get(key, {}).get("verdict", "missing")
        if old != r["verdict"]:
            changes[old, r["verdict"]] += 1
            if old != "unknown":
                print(f"  {name} {key}: {old} became {r['verdict']}")
    for (old, new), n in sorted(changes.items()):
        print(f"  {name}: {n} {old} became {new}")


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # clean up
    assay, data, out = sys.argv[1:4]
    os.makedirs(out, exist_ok=True)
    print(f"{'set':18} {'pairs':>6} {'equal':>6} {'differ':>6} {'open':>6}"
          f" {'decided':>8} {'ms p50':>8} {'ms p99':>8}")
    opened, changed = {}, []
    for name in SETS:
        got = check(assay, data, name, os.path.join(out, name + ".jsonl"))
        print_share(name, got)
        opened[name] = collections.Counter(
            cause_of(r) for r in got.values() if r["verdict"] == "unknown")
        if len(sys.argv) == 5:
            old = rows(os.path.join(sys.argv[4], name + ".jsonl"))
            changed.append((name, {r["id"]: r for r in old if "verdict" in r}, got))
    print_causes(opened)
    for change in changed:
        print_changes(*change)


if __name__ == "__main__":
    main()
