#!/usr/bin/env python3
"""hostile_worker.py ASSAY-LIAR ASSAY [--messages N] [--cases N] [--seed N] -
commands whose workers lie.

Every command that has workers is run with those of tests/hostile/liar.c, again
and again until they have sent N messages; one whose workers send few of them is
run every FEW_ROUNDS-th time. Whatever they send,

  - the command ends by itself, within LATEST seconds, with a documented exit
    code, and no sanitizer has anything to say;
  - what a worker said honestly is what the command says, byte by byte;
  - a line is about the case that was asked for: no case has two, and answers in
    order are in order.

Speaks TAP, one test a command.
"""
import argparse
import json
import mmap
import os
import pathlib
import re
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile

LATEST = 600
HONEST = 16  # as in liar.c
N_DATABASES = 48
FEW = 1000  # messages of a run
FEW_ROUNDS = 10
CODES = {0, 1, 3, 4}
NOISE = ("Sanitizer", "runtime error:", "Assertion")
DDL = """CREATE TABLE t(id INTEGER PRIMARY KEY, a INTEGER NOT NULL, b TEXT);
INSERT INTO t VALUES (1, 10, 'x'), (2, 20, 'y'), (3, 30, NULL);
CREATE TABLE u(id INTEGER PRIMARY KEY, t INTEGER REFERENCES t(id));
INSERT INTO u VALUES (1, 1), (2, 3);
"""
QUERIES = [
    ("SELECT a FROM t WHERE a > 10", "SELECT a FROM t WHERE a >= 20"),
    ("SELECT count(*) FROM t", "SELECT count(b) FROM t"),
    ("SELECT b FROM t", "SELECT nope FROM t"),
]
SCORE = ["score", "--gold", "gold.jsonl", "--pred", "pred.jsonl", "--db", "db",
         "--now", "2026-01-01", "--no-times", "-q", "-j", "2"]

# The files that are lines of what workers said, an item each.
COMMANDS = {
    "score": (SCORE + ["--metrics", "string,exec", "--out", "out.jsonl", "--csv", "o.csv",
                       "--summary", "o.json", "--junit", "o.xml", "--html", "o.html"],
              "out.jsonl"),
    "lint": (["lint", "--gold", "gold.jsonl", "--db", "db", "--out", "out.jsonl", "-j", "2"],
             None),
    "check": (["check", "--pairs", "pairs.jsonl", "--no-times", "--solver", "none",
               "--out", "out.jsonl", "-q", "-j", "2"], "out.jsonl"),
    # The item of a request is a place that it has for a while.
    "worker": (["worker", "--db", "db", "--metrics", "exec", "-j", "2", "--ordered"], None),
    "distill": (["distill", "--gold", "few.jsonl", "--db", "db", "--out", "suite",
                 "--no-times", "-q", "-j", "2", "--layout", "spider"], None),
    "neighbors": (["neighbors", "--gold", "few.jsonl", "--db", "db"], None),
    "facts": (["facts", "--db", "db/d0.sqlite"], None),
    "filter": (["score", "--gold", "gold.jsonl", "--pred", "pred.jsonl", "--db", "db",
                "--metrics", "string", "--filter", "hardness=easy", "--dry-run"], None),
    "judge": (["judge", "--pairs", "pairs.jsonl", "--limit", "100", "--prompt", "grounded",
               "--replay", "script.jsonl", "--out", "out.jsonl"], None),
}

# What reads a journal that liars wrote.
READ = [["report", "out.jsonl"], ["show", "out.jsonl"],
        ["report", "out.jsonl", "--format", "github"]]


def lines_of(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def write_inputs(folder, n_cases):
    (folder / "db").mkdir()
    for i in range(N_DATABASES):
        base = sqlite3.connect(folder / f"db/d{i}.sqlite")
        base.executescript(DDL)
        base.close()
    rows = [{"id": f"c{i}", "db": f"d{i // HONEST % N_DATABASES}", "question": "How many?",
             "gold": QUERIES[i % 3][0], "pred": QUERIES[i % 3][1],
             "left": QUERIES[i % 3][0], "right": QUERIES[i % 3][1],
             "ddl": DDL.split("INSERT", maxsplit=1)[0]} for i in range(n_cases)]
    keep = {"gold.jsonl": ("id", "db", "question", "gold"), "pred.jsonl": ("id", "pred"),
            "pairs.jsonl": ("id", "left", "right", "ddl"),
            "requests.jsonl": ("id", "db", "gold", "pred")}
    for name, keys in keep.items():
        (folder / name).write_text(lines_of({k: row[k] for k in keys} for row in rows))
    (folder / "few.jsonl").write_text(lines_of(
        {"id": f"f{i}", "db": f"d{i}", "gold": QUERIES[1][0]} for i in range(N_DATABASES)))
    (folder / "script.jsonl").write_text(lines_of(
        {"id": row["id"], "response": text} for row in rows[:100] for text in (
            '{"t": [{"id": 1, "a": 1, "b": null}]}', 'decision = "equivalent"',
            'decision = "equivalent"')))


class Bench:
    def __init__(self, folder, seed, n_cases):
        self.folder = folder
        self.state = folder / "liar"
        self.state.write_bytes(struct.pack("<qq", 0, seed))
        with open(self.state, "r+b") as f:
            self.map = mmap.mmap(f.fileno(), 0)
        write_inputs(folder, n_cases)

    def n_sent(self):
        return struct.unpack_from("<q", self.map)[0]

    def run(self, program, words):
        """Exit code (None: it did not end), standard error, standard output."""
        for name in os.listdir(self.folder):
            is_made = name in ("out.jsonl", "suite") or name.startswith("o.")
            if is_made and words[0] not in ("report", "show"):
                path = self.folder / name
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        env = {**os.environ, "ASSAY_LIAR": str(self.state), "LC_ALL": "C",
               "UBSAN_OPTIONS": "print_stacktrace=1:" + os.environ.get("UBSAN_OPTIONS", "")}
        stdin = self.folder / ("requests.jsonl" if words[0] == "worker" else "liar")
        with open(stdin, "rb") as lines, subprocess.Popen(
                [program, *words], cwd=self.folder, env=env, stdin=lines,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as p:
            try:
                out, err = p.communicate(timeout=LATEST)
            except subprocess.TimeoutExpired:
                os.killpg(p.pid, signal.SIGABRT)
                p.communicate()
                return None, "", b""
        return p.returncode, err.decode(errors="replace"), out

    def lines(self, name):
        return (self.folder / name).read_bytes().split(b"\n")


def belong(name, said, lines):
    """What is wrong with whom the lines are about."""
    about = [re.match(rb'{(?:"run":"[^"]*",)?"(?:id":"c|line":)(\d+)', line)
             for line in lines if line and not line.startswith(b'{"journal')]
    if None in about:
        return [f"about nobody: {lines[about.index(None)][:200]!r}"]
    ids = [int(m[1]) for m in about]
    if name == "worker":  # a line without an id is counted from 1
        is_right = all(k in (n, n + 1) for n, k in enumerate(ids))
    else:
        is_right = said and ids == sorted(set(ids))
    return [] if is_right else [f"about others: {ids}"]


def misfits(bench, name, said, truth, got):
    code, err, out = got
    wrong = [] if code in CODES else [f"ended with {code}: {err[-2000:]}"]
    wrong += [f"{what}: {err[-3000:]}" for what in NOISE if what in err]
    if said and not wrong and (bench.folder / said).exists():
        wrong += belong(name, said, bench.lines(said))
    # Who dies of every lie is given up, and the rest goes on.
    if said and not wrong and (code in (0, 1) or "could not be" in err):
        there = set(bench.lines(said))
        wrong += [f"not said: {line[:200]!r}" for line in truth if line not in there]
    if name == "worker" and not wrong:
        wrong += belong(name, said, out.split(b"\n"))
    return wrong


def main():
    p = argparse.ArgumentParser()
    p.add_argument("liar")
    p.add_argument("assay")
    p.add_argument("--messages", type=int, default=20000)
    p.add_argument("--cases", type=int, default=1600, help="of a command")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--only", action="append", choices=list(COMMANDS))
    o = p.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    liar, assay = (str(pathlib.Path(x).resolve()) for x in (o.liar, o.assay))
    names = o.only or list(COMMANDS)
    n_wrong = 0
    with tempfile.TemporaryDirectory() as work:
        bench = Bench(pathlib.Path(work), o.seed, o.cases)
        truths, wrong, sent = {}, {name: [] for name in names}, {name: 0 for name in names}
        sends_few, rounds = set(), 0
        for name in names:
            words, said = COMMANDS[name]
            if said:
                bench.run(assay, words)
                # The first line of a journal is its head.
                lines = [x for x in bench.lines(said) if b'"id"' in x]
                truths[name] = lines[HONEST::HONEST]
                assert len(lines) == o.cases, (name, len(lines))
        while bench.n_sent() < o.messages and not any(wrong.values()):
            left_out = sends_few if rounds % FEW_ROUNDS else set()
            for name in (x for x in names if x not in left_out or len(names) == 1):
                words, said = COMMANDS[name]
                before = bench.n_sent()
                wrong[name] += misfits(bench, name, said, truths.get(name),
                                       bench.run(liar, words))
                if name == "score":
                    for more in READ:
                        wrong[name] += misfits(bench, None, None, None, bench.run(liar, more))
                sent[name] += bench.n_sent() - before
                if bench.n_sent() - before < FEW:
                    sends_few.add(name)
            rounds += 1
        for i, name in enumerate(names):
            n_wrong += bool(wrong[name])
            print(f"{'not ' if wrong[name] else ''}ok {i + 1} - {name} "
                  f"({sent[name]} messages)")
            for line in wrong[name][:5]:
                print("# " + line.replace("\n", "\n#   "))
        print(f"1..{len(names)}")
    return n_wrong > 0


if __name__ == "__main__":
    sys.exit(main())
