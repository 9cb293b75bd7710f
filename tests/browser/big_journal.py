#!/usr/bin/env python3
"""big_journal.py CASES RUNS - prints a journal with that many cases and runs.

The words of questions and queries are drawn from lists, by a fixed seed; every
third prediction is wrong, with the evidence that a test suite gives.
"""
import json
import random
import sys

NOUNS = ("customer order product invoice city country flight airport singer concert "
         "student course teacher department employee salary stadium team player match "
         "book author publisher loan member branch car maker model engine").split()
COLUMNS = "id name year price age weight status stars quantity country city total rank kind".split()
VALUES = "Berlin Oslo Lima Kyoto Accra Turin Quito Porto Malmo Perth Dakar Natal".split()
REASONS = "missing_rows extra_rows rows_differ columns_differ duplicates_differ order_differs no_such_column syntax_error".split()
METRICS = "string edit set exec exec:strict exec:bird subset suite pragmatic equiv".split()


def query(r, noun):
    one, two = r.sample(COLUMNS, 2)
    where = f"t.{two} {r.choice(['=', '>', '<', '<>'])} {r.choice([repr(r.choice(VALUES)), str(r.randint(1, 2000))])}"
    tail = r.choice(["", f" ORDER BY t.{one} DESC", f" GROUP BY t.{one} HAVING count(*) > {r.randint(1, 9)}", " LIMIT 5"])
    join = r.choice(["", f" JOIN {r.choice(NOUNS)}s AS u ON u.{noun}_id = t.id"])
    return f"SELECT t.{one}, count(*) FROM {noun}s AS t{join} WHERE {where}{tail}"


def evidence(r, noun):
    rows = "\n".join(f"INSERT INTO {noun}s VALUES ({r.randint(1, 99)}, '{r.choice(VALUES)}', {r.randint(1900, 2030)}, {r.random():.3f});" for _ in range(r.randint(2, 5)))
    return {"database": f"{noun}.{r.randint(0, 64):03}", "killed_by": r.randint(1, 9), "neighbor": query(r, noun),
            "gold_result": f"('{r.choice(VALUES)}', {r.randint(1, 99)})", "pred_result": "no rows", "rows": rows}


def verdicts(r, noun, right):
    found = {}
    for i, metric in enumerate(METRICS):
        yes = right if i > 2 else right and r.random() < 0.4
        v = {"v": "yes", "variant": 0} if yes else {"v": "no", "reason": r.choice(REASONS) if i > 2 else "text_differs"}
        if not yes and i > 2:
            v["detail"] = f"row {r.randint(1, 40)}: '{r.choice(VALUES)}' != '{r.choice(VALUES)}'"
        if metric == "edit":
            v |= {"distance": 0 if yes else 7, "similarity": 1.0 if yes else round(r.random(), 3)}
        if metric == "suite" and not yes:
            v |= evidence(r, noun)
        found[metric] = v
    return found


def main(n_cases, n_runs):
    r = random.Random(1)
    runs = [f"model_{chr(97 + i)}" for i in range(n_runs)]
    print(json.dumps({"journal": 1, "assay": "0", "engine": "SQLite", "command": "score",
                      "gold": {"file": "dev.json", "hash": "0"}, "runs": {run: None for run in runs},
                      "metrics": METRICS, "rules": ["assay"], "limits": {"timeout_ms": 30000, "max_rows": 1000000, "max_bytes": 1073741824}, "clock": "2026-06-30T00:00:00Z"}, separators=(",", ":")))
    for i in range(n_cases):
        noun = NOUNS[i * 20 // n_cases]
        gold = query(r, noun)
        case = {"id": f"q{i:05}", "db": f"{noun}_db", "category": r.choice(COLUMNS), "hardness": r.choice(["easy", "medium", "medium", "hard", "extra"]),
                "features": {"tables": r.randint(1, 3), "join": r.randint(0, 2), r.choice(["group_by", "order_by", "limit", "having"]): 1},
                "question": f"How many {noun}s with {r.choice(COLUMNS)} {r.choice(VALUES)} have a {r.choice(COLUMNS)} above {r.randint(1, 9999)}, and which {r.choice(COLUMNS)} is it?", "gold": gold}
        for k, run in enumerate(runs):
            right = r.random() < 0.5 + 0.08 * k
            pred = gold.lower() if right and r.random() < 0.5 else query(r, noun)
            print(json.dumps({"run": run, **case, "pred": pred, "verdicts": verdicts(r, noun, right), "gold_status": "ok", "pred_status": "ok",
                              "gold_ms": None, "pred_ms": None, "interaction": None, "turn": None}, separators=(",", ":")))


main(int(sys.argv[1]), int(sys.argv[2]))
