#!/usr/bin/env python3
"""kills.py ASSAY [--kills N] [--seed N] - runs that are killed at random moments.

Each run of `assay score` is struck once, at a moment drawn by dice: its parent
or one of its workers gets SIGKILL, its parent SIGINT or SIGTERM, one of them or
all are stopped (SIGSTOP) for longer than a query may run and go on. Then it is
resumed, and struck again, until a run ends by itself. Promised is then:

  - the journal is byte by byte that of a run that nothing struck, and the run
    ended with 0;
  - no process outlives its parent by more than a second; in the folder lies the
    journal and nothing else.

Last, the same with a disk that is full: the run says so and ends with 3, and
where there is room again it can be resumed. Nothing else needs root. TAP.
"""
import argparse
import collections
import ctypes
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

import fault

N_CASES = 120
TIMEOUT_S = 2
# About one run in so many is stopped: it takes its time.
STOPS_ONE_IN = 12
DDL = """CREATE TABLE t(id INTEGER PRIMARY KEY, s TEXT);
WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 500)
INSERT INTO t SELECT i, 'row ' || i % 7 FROM r;
"""


def write_inputs(folder):
    (folder / "db").mkdir()
    for name in ("one", "two"):
        (folder / f"db/{name}.sql").write_text(DDL)
    work = "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < %d) " \
           "SELECT count(*) + %d FROM r"
    rows = []
    for i in range(N_CASES):
        gold = work % (20000, i) if i % 3 else f"SELECT s FROM t WHERE id > {i * 4}"
        pred = gold if i % 5 else f"SELECT s FROM t WHERE id > {i}"
        rows.append({"id": f"c{i}", "db": ("one", "two")[i % 2], "gold": gold,
                     "pred": "SELECT nope FROM t" if i % 11 == 0 else pred})
    (folder / "gold.jsonl").write_text(fault.lines_of(rows))


class Runs:
    """Runs of one command in one folder."""

    def __init__(self, assay, folder):
        self.assay, self.folder = assay, folder
        self.words = ["score", "--gold", "gold.jsonl", "--db", "db", "--now", "2026-01-01",
                      "--no-times", "-j", "3", "--timeout", str(TIMEOUT_S), "-q"]

    def start(self, out, *more):
        return subprocess.Popen([self.assay, *self.words, "--out", out, *more],
                                cwd=self.folder, stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                start_new_session=True)


def workers_of(pid):
    try:
        text = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text()
    except OSError:
        return []
    return [int(word) for word in text.split()]


def send(pid, what):
    try:
        os.kill(pid, what)
    except ProcessLookupError:
        pass


def stop(dice, pid):
    """Stops some of a run for longer than a query may take."""
    workers = workers_of(pid)
    some = dice.choice([[pid], workers[:1], workers, [pid, *workers]])
    for one in some:
        send(one, signal.SIGSTOP)
    time.sleep(TIMEOUT_S + 0.5)
    for one in reversed(some):
        send(one, signal.SIGCONT)


def strike(dice, pid):
    """Does one of them to the run; its name."""
    if dice.randrange(STOPS_ONE_IN) == 0:
        stop(dice, pid)
        return "stop"
    how = dice.choice(["parent", "parent", "worker", "interrupt", "end"])
    if how == "worker":
        workers = workers_of(pid)
        if workers:
            send(dice.choice(workers), signal.SIGKILL)
    else:
        send(pid, {"parent": signal.SIGKILL, "interrupt": signal.SIGINT,
                   "end": signal.SIGTERM}[how])
    return how


def orphans():
    """Processes that were left to us, a second later."""
    left = []
    end = time.monotonic() + 1
    while time.monotonic() < end:
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return []
        time.sleep(0.005)
    for pid in workers_of(os.getpid()):
        left.append(f"process {pid} is left")
        send(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    return left


def size_of(path):
    return path.stat().st_size if path.exists() else 0


def play(runs, dice, out, whole, length_s, counts):
    """Strikes a run and its successors until one ends by itself; what is wrong.

    `whole` is the size of a whole journal.
    """
    wrong = []
    journal = pathlib.Path(runs.folder, out)
    for attempt in range(1000):
        before = size_of(journal)
        p = runs.start(out, *(["--resume"] if attempt else []))
        try:
            p.wait(timeout=dice.random() * length_s)
            how = ""
        except subprocess.TimeoutExpired:
            how = strike(dice, p.pid)
            counts[how] += 1
        err = p.communicate(timeout=fault.LIMIT_S)[1].decode(errors="replace")
        wrong += orphans()
        if p.returncode == 0:
            return wrong
        # Signals are heeded while there are verdicts to be lost: struck before, it
        # has at most cut off what a predecessor left unfinished; struck after,
        # the journal is whole.
        loses_nothing = (p.returncode in (-signal.SIGINT, -signal.SIGTERM)
                         and (size_of(journal) <= before
                              or size_of(journal) == whole))
        if how in ("", "stop", "worker") or not loses_nothing and p.returncode not in (
                -signal.SIGKILL, 130, 128 + signal.SIGTERM):
            return wrong + [f"ends with {p.returncode} after '{how}': {err[-300:]}"]
    return wrong + ["never ends"]


def full_disk(runs, folder, want):
    """A journal on a disk that has no room for it, then has."""
    disk = folder / "full"
    disk.mkdir()
    size = max(len(want) // 2 // 4096 * 4096, 4096)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", disk],
                             stderr=subprocess.DEVNULL, check=False).returncode == 0
    if not mounted:
        return None
    try:
        p = runs.start("full/out.jsonl")
        err = p.communicate(timeout=fault.LIMIT_S)[1].decode(errors="replace")
        wrong = [] if p.returncode == 3 and "No space left" in err else [
            f"a full disk ends with {p.returncode}: {err[-300:]}"]
        subprocess.run(["mount", "-o", "remount,size=64m", disk], check=True)
        p = runs.start("full/out.jsonl", "--resume")
        err = p.communicate(timeout=fault.LIMIT_S)[1].decode(errors="replace")
        got = (disk / "out.jsonl").read_bytes()
        if p.returncode != 0 or got != want:
            wrong.append(f"and with room for it: {p.returncode}, {len(got)} bytes of "
                         f"{len(want)}: {err[-300:]}")
        return wrong + [f"left: {f}" for f in os.listdir(disk) if f != "out.jsonl"]
    finally:
        subprocess.run(["umount", disk], check=False)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("assay")
    p.add_argument("--kills", type=int, default=15)
    p.add_argument("--seed", type=int, default=1)
    o = p.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    ctypes.CDLL(None).prctl(fault.SUBREAPER, 1, 0, 0, 0)
    tap = fault.Tap()
    dice = random.Random(o.seed)
    counts = collections.Counter()
    n_runs = 0
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work)
        write_inputs(folder)
        runs = Runs(str(pathlib.Path(o.assay).resolve()), folder)
        start = time.monotonic()
        base = runs.start("base.jsonl")
        base.communicate()
        length_s = time.monotonic() - start
        want = (folder / "base.jsonl").read_bytes()
        before = set(os.listdir(folder))
        tap.test("a run that nothing strikes",
                 [] if base.returncode == 0 and want.count(b"\n") == N_CASES + 1
                 else [f"ends with {base.returncode}"])
        wrong = []
        while sum(counts.values()) < o.kills and not wrong:
            n_runs += 1
            wrong = play(runs, dice, "out.jsonl", len(want), length_s, counts)
            out = folder / "out.jsonl"
            if not wrong and out.read_bytes() != want:
                wrong.append("another journal")
            wrong += [f"left: {f}" for f in set(os.listdir(folder)) - before - {"out.jsonl"}]
            out.unlink(missing_ok=True)
        told = ", ".join(f"{how} {n}" for how, n in sorted(counts.items()))
        tap.test(f"journals of runs that are struck, seed {o.seed}", wrong,
                 f" ({n_runs} journals; {told})")
        wrong = full_disk(runs, folder, want)
        if wrong is None:
            tap.test("a disk that is full # SKIP nothing can be mounted", [])
        else:
            tap.test("a disk that is full", wrong)
    print(f"1..{tap.n}")
    sys.exit(tap.n_wrong > 0)


if __name__ == "__main__":
    main()
