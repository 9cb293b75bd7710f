#!/usr/bin/env python3
"""bench_score.py ASSAY BENCH_RAW [PART...] - speed and memory of assay score.

Parts (default: all):
  ratio    assay score against SQLite alone (bench_raw) on the same statements
  runs     all prediction files at once against each of them alone
  million  one million cases of the example shop as JSON lines

The first two need the data folder $ASSAY_DATA (default: ../shared/data) and
say so when it is absent. Times are the least of several tries: what disturbs
only ever adds. CPU is user and system time of a process and all its children.
Compare with bench/baseline.txt.
"""
import glob
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DATA = os.environ.get("ASSAY_DATA",
                      os.path.join(ROOT, "..", "shared", "data"))
SPIDER = os.path.join(DATA, "spider")
SHOP = os.path.join(ROOT, "examples", "shop")
PRED = "dail_gpt4.sql"  # none of its queries runs for long
SECONDS = 2             # time limit of a query, here and there
TRIES = 5
N_CASES = int(os.environ.get("ASSAY_BENCH_CASES", "1000000"))
SAMPLE_S = 0.1
# Answers of the example that run for as long as they may.
ENDLESS = {"s22", "s23", "s24"}


class Run:
    """A finished command: its times, and what memory it took meanwhile."""

    def __init__(self, command, watch_memory=False):
        self.peak_mb = 0.0
        start = time.monotonic()
        process = subprocess.Popen(command, stdout=subprocess.PIPE)
        watcher = threading.Thread(target=self._watch, args=(process.pid,))
        if watch_memory:
            watcher.start()
        self.out = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        self.wall = time.monotonic() - start
        self.cpu = used.ru_utime + used.ru_stime
        self.code = os.waitstatus_to_exitcode(status)
        process.returncode = self.code
        if watch_memory:
            watcher.join()

    def _watch(self, pid):
        """Keeps the largest sum of PSS over the process and its children."""
        while True:
            total = pss_kb(pid)
            if total is None:
                return
            for child in children(pid):
                total += pss_kb(child) or 0
            self.peak_mb = max(self.peak_mb, total / 1024)
            time.sleep(SAMPLE_S)


def pss_kb(pid):
    """Memory of a process, shared pages by their share; None: it is gone."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
            for line in file:
                if line.startswith("Pss:"):
                    return int(line.split()[1])
    except OSError:
        pass
    return None


def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children",
                  encoding="ascii") as file:
            return [int(word) for word in file.read().split()]
    except OSError:
        return []


def best(command, tries=TRIES):
    """Least wall and least CPU time of some tries, and the last output."""
    runs = [Run(command) for _ in range(tries)]
    for run in runs:
        if run.code != 0:
            sys.exit(f"bench_score: {' '.join(command)}: exit {run.code}")
    return (min(r.wall for r in runs), min(r.cpu for r in runs), runs[-1].out)


def score(assay, gold, preds, db, jobs, *more):
    return [assay, "score", "--gold", gold, "--db", db, "--jobs", str(jobs),
            "--quiet", *(word for p in preds for word in ("--pred", p)), *more]


def spider_score(assay, preds, jobs, *more):
    return score(assay, os.path.join(SPIDER, "dev_gold.sql"), preds,
                 os.path.join(SPIDER, "database"), jobs, "--metrics", "exec",
                 "--timeout", str(SECONDS), *more)


def has_spider(part):
    if os.path.isfile(os.path.join(SPIDER, "dev_gold.sql")):
        return True
    print(f"{part}: skipped, there is no data in {DATA} (set ASSAY_DATA)")
    return False


def line(name, wall, cpu, note=""):
    print(f"  {name:<24} {wall:8.3f} s wall {cpu:8.3f} s CPU  {note}".rstrip(),
          flush=True)


def part_ratio(assay, raw):
    """The same 2 x 1,034 statements, by SQLite alone and by assay."""
    if not has_spider("ratio"):
        return
    pred = os.path.join(SPIDER, "predictions", PRED)
    print(f"ratio: Spider dev, {PRED}, least of {TRIES}")
    raw_wall, raw_cpu, out = best([raw, os.path.join(SPIDER, "dev_gold.sql"),
                                   pred, os.path.join(SPIDER, "database"),
                                   str(SECONDS)])
    about = json.loads(out)
    line("SQLite alone", raw_wall, raw_cpu,
         f"{about['statements']} statements, {about['rows']} rows")
    for jobs in (1, 2):
        wall, cpu, _ = best(spider_score(assay, [pred], jobs))
        line(f"assay --jobs {jobs}", wall, cpu,
             f"wall x {wall / raw_wall:.2f}, CPU x {cpu / raw_cpu:.2f}")


def part_runs(assay, _):
    """What several runs share is not done again."""
    if not has_spider("runs"):
        return
    preds = sorted(glob.glob(os.path.join(SPIDER, "predictions", "*.sql")))
    print(f"runs: {len(preds)} prediction files, --jobs 2, "
          f"--timeout {SECONDS}, once")
    more = ["--allow-missing"]
    alone = [Run(spider_score(assay, [p], 2, *more)) for p in preds]
    wall = sum(r.wall for r in alone)
    cpu = sum(r.cpu for r in alone)
    line("one after another", wall, cpu)
    together = Run(spider_score(assay, preds, 2, *more))
    line("at once", together.wall, together.cpu,
         f"wall x {together.wall / wall:.2f}, CPU x {together.cpu / cpu:.2f}")


def write_cases(path, is_distinct):
    """Questions and answers of the example, over and over, as JSON lines."""
    with open(os.path.join(SHOP, "questions.jsonl"), encoding="utf-8") as file:
        cases = [json.loads(text) for text in file]
    with open(os.path.join(SHOP, "model_b.sql"), encoding="utf-8") as file:
        for case, answer in zip(cases, file):
            case["pred"] = answer.rstrip("\n")
    cases = [case for case in cases if case["id"] not in ENDLESS]
    with open(path, "w", encoding="utf-8") as file:
        for i in range(N_CASES):
            case = dict(cases[i % len(cases)], id=str(i))
            if is_distinct and case["pred"]:
                case["pred"] += f" -- {i}"
            file.write(json.dumps(case) + "\n")


def part_million(assay, _):
    """Many small cases: speed, and memory that does not grow with them."""
    print(f"million: {N_CASES} cases of the example, gold and answer in one "
          "file of JSON lines")
    for what, is_distinct in (("answers repeat", False),
                              ("each answer differs", True)):
        with tempfile.TemporaryDirectory(prefix="assay-bench-") as folder:
            cases = os.path.join(folder, "cases.jsonl")
            write_cases(cases, is_distinct)
            run = Run(score(assay, cases, [], SHOP, 2, "--metrics",
                            "string,exec,subset", "--now", "2026-06-30",
                            "--out", os.path.join(folder, "out.jsonl")),
                      watch_memory=True)
            size = os.path.getsize(cases) >> 20
        if run.code != 0:
            sys.exit(f"bench_score: million cases: exit {run.code}")
        line(what, run.wall, run.cpu,
             f"{3 * N_CASES / run.wall:.0f} verdicts a second, "
             f"{run.peak_mb:.0f} MB at most ({size} MB of cases)")


PARTS = {"ratio": part_ratio, "runs": part_runs, "million": part_million}


def main():
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # clean up
    words = sys.argv[3:] or list(PARTS)
    if len(sys.argv) < 3 or any(word not in PARTS for word in words):
        print(f"usage: bench_score.py ASSAY BENCH_RAW [{'|'.join(PARTS)}]...",
              file=sys.stderr)
        return 2
    cores = os.cpu_count()
    print(f"{cores} cores, load {os.getloadavg()[0]:.1f} (wall times mean "
          "something only where it is near 0)")
    for word in words:
        PARTS[word](sys.argv[1], sys.argv[2])
    return 0


if __name__ == "__main__":
    sys.exit(main())
