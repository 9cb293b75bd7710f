#!/usr/bin/env python3
"""hostile_worker.py ASSAY-LIAR ASSAY [--engine NAME] [--messages N] [--cases N]
[--seed N] - commands whose workers lie.

    tests/servers/with_postgres.sh tests/hostile/hostile_worker.py \\
        build/tests/hostile/assay-liar build/assay --engine postgres

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
import http.client
import json
import mmap
import os
import pathlib
import re
import shutil
import signal
import socket
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
DATABASE = "liar"  # the only one of a server
# What stands for the databases, and for one of them.
ALL, ONE = "ALL", "ONE"
ENGINES = {"sqlite": ("db", "db/d0.sqlite"),
           "duckdb": ("duckdb:db/{db}.sql", "duckdb:db/d0.sql"),
           "postgres": ("", ""), "mariadb": ("", "")}
SERVERS = {"postgres", "mariadb"}
SCORE = ["score", "--gold", "gold.jsonl", "--pred", "pred.jsonl", "--db", ALL,
         "--now", "2026-01-01", "--no-times", "-q", "-j", "2"]
REQUESTS = ["--db", ALL, "--metrics", "exec", "-j", "2"]

# The files that are lines of what workers said, an item each.
COMMANDS = {
    "score": (SCORE + ["--metrics", "string,exec", "--out", "out.jsonl", "--csv", "o.csv",
                       "--summary", "o.json", "--junit", "o.xml", "--html", "o.html"],
              "out.jsonl"),
    "lint": (["lint", "--gold", "gold.jsonl", "--db", ALL, "--out", "out.jsonl", "-j", "2"],
             None),
    "check": (["check", "--pairs", "pairs.jsonl", "--no-times", "--solver", "none",
               "--out", "out.jsonl", "-q", "-j", "2"], "out.jsonl"),
    # The item of a request is a place that it has for a while.
    "worker": (["worker", *REQUESTS, "--ordered"], None),
    "serve": (["serve", *REQUESTS, "--listen", "unix:s"], None),
    "export": (["distill", "--gold", "few.jsonl", "--db", ALL, "--out", "suite",
                "--no-times", "-q", "-j", "2", "--layout", "spider"], None),
    "distill": (["distill", "--gold", "few.jsonl", "--db", ALL, "--out", "suite",
                 "--no-times", "-q", "-j", "2"], None),
    "neighbors": (["neighbors", "--gold", "few.jsonl", "--db", ALL], None),
    "facts": (["facts", "--db", ONE], None),
    "filter": (["score", "--gold", "gold.jsonl", "--pred", "pred.jsonl", "--db", ALL,
                "--metrics", "string", "--filter", "hardness=easy", "--dry-run"], None),
    "judge": (["judge", "--pairs", "pairs.jsonl", "--limit", "100", "--prompt", "grounded",
               "--replay", "script.jsonl", "--out", "out.jsonl"], None),
    # Of files the bytes are compared, and no worker is asked.
    "unchanged": (["score", "--gold", "few.jsonl", "--pred", "few_pred.jsonl", "--db", ALL,
                   "--metrics", "exec", "-q", "--verify-unchanged"], None),
}
# Those that open no database of the engine; of MariaDB no database is made.
FILES_ONLY = {"check", "judge", "export"}
LEFT_OUT = {"sqlite": {"unchanged"}, "duckdb": FILES_ONLY | {"unchanged"},
            "postgres": FILES_ONLY, "mariadb": FILES_ONLY | {"distill", "neighbors"}}

# What reads a journal that liars wrote.
READ = [["report", "out.jsonl"], ["show", "out.jsonl"],
        ["report", "out.jsonl", "--format", "github"]]


def lines_of(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def server_of(engine):
    """A private one, and its databases as --db names them."""
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "servers"))
    import servers_sealed  # pylint: disable=import-outside-toplevel
    server = {"postgres": servers_sealed.Postgres, "mariadb": servers_sealed.Mariadb}[engine]()
    server.sql(f"CREATE DATABASE {DATABASE}",
               {"postgres": "postgres", "mariadb": "information_schema"}[engine])
    server.sql(DDL + "COMMIT;" * (engine == "mariadb"), DATABASE)
    return server.pattern, server.pattern.replace("{db}", DATABASE)


def make_databases(engine, folder):
    """What stands for ALL and ONE; the names of the databases."""
    names = [f"d{i}" for i in range(N_DATABASES)]
    folder.mkdir()
    for name in names:
        if engine == "duckdb":
            (folder / f"{name}.sql").write_text(DDL)
        elif engine == "sqlite":
            base = sqlite3.connect(folder / f"{name}.sqlite")
            base.executescript(DDL)
            base.close()
    if engine in SERVERS:
        return server_of(engine), [DATABASE]
    return ENGINES[engine], names


def write_inputs(folder, databases, n_cases):
    n = len(databases)
    rows = [{"id": f"c{i}", "db": databases[i // HONEST % n], "question": "How many?",
             "gold": QUERIES[i % 3][0], "pred": QUERIES[i % 3][1],
             "left": QUERIES[i % 3][0], "right": QUERIES[i % 3][1],
             "ddl": DDL.split("INSERT", maxsplit=1)[0]} for i in range(n_cases)]
    keep = {"gold.jsonl": ("id", "db", "question", "gold"), "pred.jsonl": ("id", "pred"),
            "pairs.jsonl": ("id", "left", "right", "ddl"),
            "requests.jsonl": ("id", "db", "gold", "pred")}
    for name, keys in keep.items():
        (folder / name).write_text(lines_of({k: row[k] for k in keys} for row in rows))
    few = [{"id": f"f{i}", "db": databases[i % n], "gold": QUERIES[1][0],
            "pred": QUERIES[1][0]} for i in range(N_DATABASES)]
    for name, key in ("few.jsonl", "gold"), ("few_pred.jsonl", "pred"):
        (folder / name).write_text(lines_of({k: row[k] for k in ("id", "db", key)}
                                            for row in few))
    (folder / "script.jsonl").write_text(lines_of(
        {"id": row["id"], "response": text} for row in rows[:100] for text in (
            '{"t": [{"id": 1, "a": 1, "b": null}]}', 'decision = "equivalent"',
            'decision = "equivalent"')))


class Served(http.client.HTTPConnection):
    """A call to a Unix socket."""
    def __init__(self, path):
        super().__init__("localhost", timeout=LATEST)
        self.path = str(path)

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self.path)


class Bench:
    def __init__(self, folder, engine, seed, n_cases):
        self.folder = folder
        self.state = folder / "liar"
        self.state.write_bytes(struct.pack("<qq", 0, seed))
        with open(self.state, "r+b") as f:
            self.map = mmap.mmap(f.fileno(), 0)
        self.noise = NOISE + (() if engine in SERVERS else ("the server",))
        (every, one), names = make_databases(engine, folder / "db")
        self.where = {ALL: every, ONE: one}
        write_inputs(folder, names, n_cases)

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
        said = b""
        with open(stdin, "rb") as lines, subprocess.Popen(
                [program, *(self.where.get(word, word) for word in words)], cwd=self.folder,
                env=env, stdin=lines, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                start_new_session=True) as p:
            try:
                if words[0] == "serve":
                    said = self.call(p)
                out, err = p.communicate(timeout=LATEST)
            except subprocess.TimeoutExpired:
                os.killpg(p.pid, signal.SIGABRT)
                p.communicate()
                return None, "", b""
        return p.returncode, err.decode(errors="replace"), said + out

    def call(self, server):
        """What a server says to all requests, which ends it."""
        while b"listening" not in server.stderr.readline() and server.poll() is None:
            pass
        said = b""
        try:
            call = Served(self.folder / "s")
            call.request("POST", "/v1/score", (self.folder / "requests.jsonl").read_bytes())
            answer = call.getresponse()
            said = answer.read() if answer.status == 200 else b""
            call.close()
        except (OSError, http.client.HTTPException):
            pass  # it ended: its exit code says how
        server.terminate()
        return said

    def lines(self, name):
        return (self.folder / name).read_bytes().split(b"\n")


def belong(name, said, lines):
    """What is wrong with whom the lines are about."""
    about = [re.match(rb'{(?:"run":"[^"]*",)?"(id":"c|line":)(\d+)', line)
             for line in lines if line and not line.startswith(b'{"journal')]
    if None in about:
        return [f"about nobody: {lines[about.index(None)][:200]!r}"]
    # A line without an id is counted from 1.
    ids = [int(m[2]) - (m[1] == b'line":') for m in about]
    if name == "worker":
        is_right = ids == list(range(len(ids)))
    elif name == "serve":
        is_right = len(ids) == len(set(ids))
    else:
        is_right = said and ids == sorted(set(ids))
    return [] if is_right else [f"about others: {ids}"]


def misfits(bench, name, said, truth, got):
    code, err, out = got
    wrong = [] if code in CODES else [f"ended with {code}: {err[-2000:]}"]
    wrong += [f"{what}: {err[-3000:]}" for what in bench.noise if what in err]
    if said and not wrong and (bench.folder / said).exists():
        wrong += belong(name, said, bench.lines(said))
    # Who dies of every lie is given up, and the rest goes on.
    if said and not wrong and (code in (0, 1) or "could not be" in err):
        there = set(bench.lines(said))
        wrong += [f"not said: {line[:200]!r}" for line in truth if line not in there]
    if name in ("worker", "serve") and not wrong:
        wrong += belong(name, said, out.split(b"\n"))
    return wrong


def main():
    p = argparse.ArgumentParser()
    p.add_argument("liar")
    p.add_argument("assay")
    p.add_argument("--engine", default="sqlite", choices=list(ENGINES))
    p.add_argument("--messages", type=int, default=20000)
    p.add_argument("--cases", type=int, default=1600, help="of a command")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--only", action="append", choices=list(COMMANDS))
    o = p.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    liar, assay = (str(pathlib.Path(x).resolve()) for x in (o.liar, o.assay))
    names = o.only or [x for x in COMMANDS if x not in LEFT_OUT[o.engine]]
    n_wrong = 0
    with tempfile.TemporaryDirectory() as work:
        bench = Bench(pathlib.Path(work), o.engine, o.seed, o.cases)
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
