#!/usr/bin/env python3
"""bench_rewards.py ASSAY LIBRARY [PART...] - speed and memory of assay.rewards.

Parts (default: all):
  repeated   8 candidates for each question of Spider dev, of 3 different texts, as
             a model in training gives them; then three more epochs, in which one
             question in 4 gets texts that are new. Again without wta_1, whose 62
             questions join tables of 20,000 and 60,000 rows
  different  8 candidates for each question on small databases, all different
  suite      the same with the metrics exec and suite; assay distill makes the suite
  memory     what a million rewards take (ASSAY_BENCH_REWARDS)

The first two stand beside the plain way in the same run, one process that does
what the rewards of published trainings do: for each candidate, a connection and a
thread with a time limit for its query, the same for its gold, whose result nobody
keeps, and sets of rows compared. Rewards a second of wall time (assay has two
workers), and of processor time of all processes, where cores do not count. `all`
is the mean over the epochs. The candidates are real predictions from $ASSAY_DATA
(default: ../shared/data), of which it says so when it is absent.
Compare with bench/baseline.txt.
"""
import glob
import itertools
import json
import multiprocessing
import os
import pathlib
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
DATA = pathlib.Path(os.environ.get("ASSAY_DATA", ROOT / "../shared/data"))
SPIDER = DATA / "spider"
N_REWARDS = int(os.environ.get("ASSAY_BENCH_REWARDS", "1000000"))
SAMPLES = 8
EPOCHS = 4
SMALL = 1_000_000  # bytes of a small database
BATCH = 2048       # completions a call
PLAIN = 600        # candidates that the plain way is timed on
SECONDS = 2        # time limit of a query, here and there


def cases():
    """(question, gold, db) of Spider dev, and its predictions by system."""
    golds = [line.rstrip("\n").split("\t")
             for line in open(SPIDER / "dev_gold.sql", encoding="utf-8") if line.strip()]
    systems = [open(path, encoding="utf-8").read().splitlines()
               for path in sorted(glob.glob(str(SPIDER / "predictions/*.sql")))]
    systems = [lines for lines in systems if len(lines) == len(golds)]
    questions = [case["question"] for case in json.load(open(SPIDER / "dev.json", encoding="utf-8"))]
    return list(zip(questions, (g[0] for g in golds), (g[1] for g in golds))), systems


def batch_of(columns, n=BATCH):
    for at in range(0, len(columns["completions"]), n):
        yield {name: values[at:at + n] for name, values in columns.items()}


def columns_of(rows):
    names = ("completions", "gold", "db", "question")
    return dict(zip(names, map(list, zip(*rows))))


def repeated(all_cases, systems, but=()):
    dice = random.Random(1)
    texts = {}
    for epoch in range(EPOCHS):
        rows = []
        for number, (question, gold, db) in enumerate(all_cases):
            if db in but:
                continue
            if epoch == 0 or dice.randrange(4) == 0:
                texts[number] = [lines[number] for lines in dice.sample(systems, 3)]
            rows += [(f"```sql\n{dice.choice(texts[number])}\n```", gold, db, question)
                     for _ in range(SAMPLES)]
        yield columns_of(rows)


def different(all_cases, systems):
    small = {db for _, _, db in all_cases
             if (SPIDER / f"database/{db}/{db}.sqlite").stat().st_size < SMALL}
    rows = []
    for number, (question, gold, db) in enumerate(all_cases):
        if db in small:
            rows += [(f"{lines[number]} -- {k}", gold, db, question)
                     for k, lines in enumerate(itertools.islice(itertools.cycle(systems), SAMPLES))]
    yield columns_of(rows)


def plain_result(path, sql):
    """The rows as a set, or None: it failed or took too long."""
    box = []

    def work():
        connection = sqlite3.connect(path)
        try:
            connection.execute("BEGIN")  # a prediction may write: rolled back
            box.append(frozenset(connection.execute(sql).fetchall()))
        except (sqlite3.Error, sqlite3.Warning):
            pass
        finally:
            connection.rollback()
            connection.close()
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(SECONDS)
    return box[0] if box else None


def plain_reward(completion, gold, db):
    path = str(SPIDER / f"database/{db}/{db}.sqlite")
    sql = completion.removeprefix("```sql\n").removesuffix("\n```")
    found, wanted = plain_result(path, sql), plain_result(path, gold)
    return float(found is not None and found == wanted)


class Clock:
    """Wall time, and processor time of this process and its finished children."""

    def __init__(self):
        self.wall, self.cpu = time.monotonic(), cpu_seconds()

    def rates(self, n):
        wall, cpu = time.monotonic() - self.wall, cpu_seconds() - self.cpu
        return n / wall, n / max(cpu, 1e-9)


def plain_rewards(rows):
    """Rewards of the plain way, and how many a second and a CPU second."""
    clock = Clock()
    return [plain_reward(*row) for row in rows], clock.rates(len(rows))


def cpu_seconds():
    """Also of children that live: the workers of a Scorer."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    tick = os.sysconf("SC_CLK_TCK")
    total = sum(u.ru_utime + u.ru_stime for u in used)
    for pid in descendants(os.getpid()):
        try:
            fields = open(f"/proc/{pid}/stat", encoding="ascii").read().rpartition(")")[2].split()
        except OSError:
            continue
        total += sum(map(int, fields[11:15])) / tick
    return total


def descendants(pid):
    out = []
    for path in glob.glob(f"/proc/{pid}/task/*/children"):
        try:
            kids = open(path, encoding="ascii").read().split()
        except OSError:
            continue
        for kid in map(int, kids):
            out += [kid, *descendants(kid)]
    return out


def resident_mb():
    total = 0
    for pid in (os.getpid(), *descendants(os.getpid())):
        try:
            text = open(f"/proc/{pid}/smaps_rollup", encoding="ascii").read()
            total += int(text.split("Pss:")[1].split()[0])
        except (OSError, IndexError):
            continue
    return total / 1024


def print_rates(title, ours, plain, more=""):
    print(f"  {title:13} {ours[0]:9.0f} {ours[1]:9.0f}   ratio {ours[0] / plain[0]:.1f}, "
          f"of CPU {ours[1] / plain[1]:.1f}   {more}".rstrip(), flush=True)


def compare(title, epochs, Reward):
    first = next(epochs)
    n = len(first["completions"])
    picked = random.Random(2).sample(range(n), min(PLAIN, n))
    rows = [[first[name][i] for name in ("completions", "gold", "db")] for i in picked]
    # Queries that the plain way cannot stop end with their process.
    with multiprocessing.get_context("fork").Pool(1) as pool:
        plain, rates = pool.apply(plain_rewards, (rows,))
    print(f"{title}, {n} rewards an epoch: a second, a CPU second\n"
          f"  plain sqlite3  {rates[0]:9.0f} {rates[1]:9.0f}   {len(picked)} of them")
    Reward(SPIDER / "database", timeout=SECONDS, jobs=2)(**next(batch_of(first, 64)))  # warms up
    reward = Reward(SPIDER / "database", timeout=SECONDS, jobs=2)
    known = set()
    spent, n_all = (0.0, 0.0), 0
    for number, columns in enumerate(itertools.chain([first], epochs), start=1):
        texts = set(zip(columns["completions"], columns["gold"], columns["db"]))
        clock = Clock()
        found = [value for batch in batch_of(columns) for value in reward(**batch)]
        ours = clock.rates(n)
        print_rates(f"epoch {number}", ours, rates, f"{len(texts - known)} new texts")
        known |= texts
        spent, n_all = [s + n / rate for s, rate in zip(spent, ours)], n_all + n
        if number == 1:
            same = sum(found[i] == value for i, value in zip(picked, plain))
            print(f"  {same} of the {len(picked)} rewards equal")
    if n_all > n:
        print_rates("all", [n_all / s for s in spent], rates)


def with_suite(columns, Reward):
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as folder:
        subprocess.run([os.environ["ASSAY_PROGRAM"], "distill", "-q", "--gold",
                        SPIDER / "dev_gold.sql", "--db", SPIDER / "database", "--out", folder],
                       check=True)
        reward = Reward(SPIDER / "database", weights={"exec": 0.5, "suite": 0.5},
                        suite=folder, timeout=SECONDS, jobs=2)
        clock = Clock()
        for batch in batch_of(columns):
            reward(**batch)
        wall, cpu = clock.rates(len(columns["completions"]))
    print(f"suite: {wall:.0f} a second, {cpu:.0f} a CPU second (aim 8000 a second)", flush=True)


def memory(Reward):
    shop = ROOT / "examples/shop"
    reward = Reward(shop, jobs=2, timeout=SECONDS)
    gold = "SELECT count(*) FROM customers"
    step, done, shown = 4096, 0, 0
    print(f"memory: {N_REWARDS} rewards, of which one in 4 is new")
    clock = Clock()
    while done < N_REWARDS:
        texts = [f"SELECT {(done + i) // 4 * 4}" for i in range(step)]
        reward(completions=texts, gold=[gold] * step, db=["shop"] * step)
        done += step
        if done * 5 // N_REWARDS > shown:
            shown = done * 5 // N_REWARDS
            print(f"  {done:8} rewards  {resident_mb():6.1f} MB", flush=True)
    wall, cpu = clock.rates(done)
    print(f"  {wall:.0f} a second, {cpu:.0f} a CPU second")


def main():
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # clean up
    os.environ["ASSAY_PROGRAM"], os.environ["ASSAY_LIBRARY"] = map(os.path.abspath, sys.argv[1:3])
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(ROOT / "python"))
    from assay.rewards import Reward
    parts = sys.argv[3:] or ["repeated", "different", "suite", "memory"]
    if SPIDER.exists():
        all_cases, systems = cases()
        if "repeated" in parts:
            compare("repeated", repeated(all_cases, systems), Reward)
            compare("repeated, without wta_1", repeated(all_cases, systems, ("wta_1",)), Reward)
        if "different" in parts:
            compare("different", different(all_cases, systems), Reward)
        if "suite" in parts:
            with_suite(next(different(all_cases, systems)), Reward)
    else:
        print(f"no data in {SPIDER}: 'repeated', 'different' and 'suite' are skipped")
    if "memory" in parts:
        memory(Reward)
    return 0


if __name__ == "__main__":
    sys.exit(main())
