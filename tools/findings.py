#!/usr/bin/env python3
"""findings.py ASSAY DATA PAGE - what assay finds in real runs: writes PAGE.

DATA is the folder that the tests call ASSAY_DATA: Spider's dev and test sets and
BIRD's superhero database with predictions of many systems. For each run the
metrics stand side by side, from string match to proof; then how many predictions
that execution calls right are wrong on another realistic database,
how that moves the ranking, and ten such predictions, the shortest ones, that
a reader can check by eye. `make findings` calls it.
"""
import datetime
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

# Predictions with values: those of 2019-20 that only have placeholders stay out.
DEV_RUNS = ["c3_chatgpt", "chatgpt_zero_shot", "dail_gpt4", "dbgpt_lora",
            "din_codex", "gpt4_few_shot", "tse_dev_01", "tse_dev_21"]
COLUMNS = ["string", "set", "exec", "suite", "pragmatic", "equiv"]
EXAMPLES = 10


class Clock:
    """Seconds of wall clock and of processors, of all commands that ran."""

    def __init__(self):
        self.wall = 0.0

    def run(self, command):
        start = time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True)
        self.wall += time.monotonic() - start
        if done.returncode != 0:
            sys.exit(f"findings.py: {' '.join(command)}\n{done.stderr}")

    @staticmethod
    def cpu():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime


def journal(path):
    """The cases of a journal; its first line is its head."""
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines][1:]


def verdict(case, metric):
    """The metric's verdict; under rules its key is `metric:rules`."""
    for key, value in case["verdicts"].items():
        if key == metric or key.startswith(metric + ":"):
            return value
    raise KeyError(metric)


class Set:
    """One set of questions: its databases, its suite, its runs."""

    def __init__(self, title, gold, preds, db, tables, rules):
        self.title = title
        self.gold = gold
        self.preds = preds  # prediction files; none: each gold file has its own
        self.db = db
        self.tables = ["--tables", tables] if tables else []
        self.rules = rules
        self.cases = []

    def measure(self, assay, work, clock):
        suite = os.path.join(work, "suite-" + re.sub(r"\W", "", self.title))
        golds = self.gold if isinstance(self.gold, list) else [self.gold]
        clock.run([assay, "distill", "--gold", golds[0], "--db", self.db,
                   "--out", suite, "--seed", "1", "-q"])
        for gold in golds if self.preds else golds[1:]:
            out = os.path.join(work, "run.jsonl")
            preds = ["--pred", *self.preds] if self.preds else []
            clock.run([assay, "score", "--gold", gold, *preds,
                       "--db", self.db, *self.tables, "--suite", suite,
                       "--metrics", ",".join(COLUMNS), "--rules", self.rules,
                       "--ignore-distinct", "--work", "auto", "--no-times",
                       "--force", "-q", "--out", out])
            self.cases += journal(out)

    def runs(self):
        return list(dict.fromkeys(case["run"] for case in self.cases))

    def of(self, run):
        return [case for case in self.cases if case["run"] == run]


def bird_set(data, work):
    """BIRD's superhero: one file of golds, then one file a system."""
    path = os.path.join(data, "bird", "minidev_runs_ex.jsonl")
    with open(path, encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    rows = [row for row in rows if row["db_id"] == "superhero"]
    files = {"golds": {}}
    for row in rows:
        case = {"id": str(row["question_id"]), "db": row["db_id"],
                "question": row["question"], "gold": row["gold"]}
        files["golds"][case["id"]] = case
        files.setdefault(row["run"], {})[case["id"]] = {**case, "pred": row["pred"]}
    paths = []
    for name, cases in files.items():
        paths.append(os.path.join(work, name + ".jsonl"))
        with open(paths[-1], "w", encoding="utf-8") as out:
            out.writelines(json.dumps(case) + "\n" for case in cases.values())
    return Set("BIRD mini-dev, superhero", paths, [],
               os.path.join(data, "bird", "database"), None, "bird")


def sets_of(data, work):
    dev = os.path.join(data, "spider")
    test = os.path.join(data, "spider_test")
    names = sorted(os.listdir(os.path.join(test, "predictions")))
    return [
        Set("Spider dev", os.path.join(dev, "dev_gold.sql"),
            [os.path.join(dev, "predictions", name + ".sql") for name in DEV_RUNS],
            os.path.join(dev, "database"), os.path.join(dev, "tables.json"),
            "spider"),
        Set("Spider test, 19 databases", os.path.join(test, "test_gold.sql"),
            [os.path.join(test, "predictions", name) for name in names],
            os.path.join(test, "database"), os.path.join(test, "tables.json"),
            "spider"),
        bird_set(data, work),
    ]


def share(part, whole):
    return 100 * part / whole if whole else 0.0


def count(cases, **answers):
    """How many cases have these verdicts: exec="yes", suite="no"."""
    return sum(all(verdict(case, metric)["v"] == v for metric, v in answers.items())
               for case in cases)


def ranks(values):
    """By value, largest first; equal ones share the best place."""
    ordered = sorted(values.values(), reverse=True)
    return {run: ordered.index(value) + 1 for run, value in values.items()}


def tau_b(x, y):
    """Kendall's tau-b of two lists."""
    def sign(a, b):
        return (a > b) - (a < b)
    pairs = [(i, j) for i in range(len(x)) for j in range(i)]
    products = sum(sign(x[i], x[j]) * sign(y[i], y[j]) for i, j in pairs)
    untied_x = sum(x[i] != x[j] for i, j in pairs)
    untied_y = sum(y[i] != y[j] for i, j in pairs)
    return products / (untied_x * untied_y) ** 0.5 if untied_x and untied_y else 1.0


def table_of(one):
    lines = [f"## {one.title}", ""]
    lines.append("| run | cases | string | exact set | execution | test suite | pragmatic "
                 "| proved | refuted | right by luck | rank: execution, suite |")
    lines.append("|---|---|---|---|---|---|---|---|---|---|---|")
    runs = one.runs()
    by = {metric: {run: share(count(one.of(run), **{metric: "yes"}), len(one.of(run)))
                   for run in runs} for metric in COLUMNS}
    places = {metric: ranks(by[metric]) for metric in ("exec", "suite")}
    for run in sorted(runs, key=lambda r: -by["suite"][r]):
        cases = one.of(run)
        right = count(cases, exec="yes")
        luck = count(cases, exec="yes", suite="no")
        refuted = count(cases, equiv="no")
        cells = [f"{by[metric][run]:.1f}" for metric in COLUMNS]
        lines.append(f"| {run} | {len(cases)} | " + " | ".join(cells)
                     + f" | {share(refuted, len(cases)):.1f} | {luck} of {right}"
                     f" ({share(luck, right):.1f} %) |"
                     f" {places['exec'][run]}, {places['suite'][run]} |")
    right = count(one.cases, exec="yes")
    luck = count(one.cases, exec="yes", suite="no")
    tau = tau_b([by["exec"][r] for r in runs], [by["suite"][r] for r in runs])
    moved = sum(places["exec"][r] != places["suite"][r] for r in runs)
    lines += ["", f"{luck:,} of {right:,} predictions ({share(luck, right):.1f} %) return the right rows "
              f"on the database of the case and wrong rows on one that", "looks "
              f"like its data. {moved} of {len(runs)} runs change their rank; Kendall's tau-b of the two "
              f"rankings is {tau:.2f}.", ""]
    return lines


def fits_a_page(case):
    suite = verdict(case, "suite")
    return ("rows" in suite and len(suite["rows"]) <= 400
            and len(suite["gold_result"]) + len(suite["pred_result"]) <= 160)


def examples_of(sets):
    """The shortest pairs, one a gold, no two of a database."""
    found = [(len(case["gold"]) + len(case["pred"]), one.title, case)
             for one in sets for case in one.cases
             if verdict(case, "exec")["v"] == "yes"
             and verdict(case, "suite")["v"] == "no" and fits_a_page(case)]
    found.sort(key=lambda item: (item[0], item[1], item[2]["run"], item[2]["id"]))
    chosen, databases = [], set()
    for _, title, case in found:
        if case["db"] not in databases:
            databases.add(case["db"])
            chosen.append((title, case))
    return chosen[:EXAMPLES]


def code(text):
    return ["    " + line for line in text.splitlines() if line.strip()]


def examples_page(sets):
    lines = ["## Ten to check by eye", "",
             "These are the shortest such predictions, one per database. The rows shown are all that the "
             "database contains.", ""]
    for title, case in examples_of(sets):
        suite = verdict(case, "suite")
        lines += [f"**{case['db']}**, {title}, {case['run']}, case {case['id']}: "
                  f"`{suite['reason']}`", ""]
        lines += code("gold:       " + " ".join(case["gold"].split()))
        lines += code("prediction: " + " ".join(case["pred"].split()))
        lines += code(suite["rows"])
        lines += code("gold returns       " + suite["gold_result"])
        lines += code("prediction returns " + suite["pred_result"])
        lines.append("")
    return lines


def page(sets, version, wall, cpu):
    n = sum(len(one.cases) for one in sets)
    today = datetime.date.today().isoformat()
    lines = ["# Findings", "",
             f"{n:,} predictions of {sum(len(one.runs()) for one in sets)} systems, each by six metrics: "
             f"`make findings`, {today}, {version}.", "",
             "The tables show the percentage of cases that each metric calls right. *Execution* compares results as the reference evaluator of",
             "the data set does (rules `spider`, `bird`). *Exact set* is that of Spider's evaluator on Spider, and assay's own on BIRD.",
             "*Test suite* requires the same result on distilled databases that look like the data ([two",
             "readings](suites.md#two-readings)). Both ignore DISTINCT and repeated rows, as both reference evaluators do",
             "(`--ignore-distinct`). *Pragmatic*: the person who asked [would be satisfied](metrics/pragmatic.md).",
             "*Proved*: equivalent on every database that the schema allows; *refuted*: assay found a counterexample among them;",
             "the rest is undecided. *Right by luck*: of the predictions that execution calls right, how many the suite refutes.",
             "", "[003] found 6.5 % of all questions right by luck, on average over 21 submissions of 2019-20; for",
             "those, measured as in the paper, see [suites](suites.md#the-tables-of-the-paper).", ""]
    every = [case for one in sets for case in one.cases]
    right = count(every, exec="yes")
    luck = count(every, exec="yes", suite="no")
    lines += [f"Of the {right:,} predictions that execution calls right, {luck:,} ({share(luck, right):.1f} %) are right "
              "by luck.", ""]
    for one in sets:
        lines += table_of(one)
    lines += examples_page(sets)
    lines += ["## Time", "",
              f"Distilling three suites and giving {n * len(COLUMNS):,} verdicts took {wall:.0f} s on "
              f"{os.cpu_count()} cores, {cpu:.0f} s of processor time.", "",
              "The data are Spider's and BIRD's (CC BY-SA 4.0); the runs are those that their authors published."]
    return "\n".join(lines) + "\n"


def main():
    if len(sys.argv) != 4:
        sys.exit("usage: findings.py ASSAY DATA PAGE")
    assay, data, out = sys.argv[1:]
    if not os.path.isdir(os.path.join(data, "spider_test")):
        sys.exit(f"findings.py: no data in {data}: set ASSAY_DATA")
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # clean up
    clock = Clock()
    with tempfile.TemporaryDirectory() as work:
        sets = sets_of(data, work)
        for one in sets:
            one.measure(assay, work, clock)
    version = subprocess.run([assay, "--version"], capture_output=True, text=True,
                             check=True).stdout.split("\n")[0]
    with open(out, "w", encoding="utf-8") as written:
        written.write(page(sets, version, clock.wall, clock.cpu()))


if __name__ == "__main__":
    main()
