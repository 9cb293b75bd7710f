#!/usr/bin/env python3
"""live.py ASSAY - databases that another program has open and writes to.

A writer moves money between accounts, in transactions that leave the sum as it
is, with the log copied into the file every few pages. `assay score --wal copy`
must see one moment: each run finds the sum right, every page in its place, and
no file changed by assay. TAP.
"""
import json
import os
import pathlib
import signal
import sqlite3
import subprocess
import sys
import tempfile

ACCOUNTS = 2000
RUNS = 12
WRITER = """
import random, sqlite3, sys
c = sqlite3.connect(sys.argv[1], isolation_level=None)
c.execute('PRAGMA wal_autocheckpoint=7')
c.execute('PRAGMA synchronous=OFF')
dice = random.Random(1)
while True:
    c.execute('BEGIN')
    for _ in range(dice.randrange(1, 40)):
        n = dice.randrange(1, 100)
        c.execute('UPDATE account SET x = x - ? WHERE id = ?', (n, dice.randrange(2000)))
        c.execute('UPDATE account SET x = x + ? WHERE id = ?', (n, dice.randrange(2000)))
    c.execute('INSERT INTO grows VALUES (hex(randomblob(500)))')
    c.execute('COMMIT' if dice.randrange(4) else 'ROLLBACK')
    if dice.randrange(50) == 0:
        c.execute('DELETE FROM grows')
        c.execute('VACUUM')
"""


class Tap:
    """Numbers of checks and whether all held."""

    def __init__(self):
        self.n = 0
        self.failed = 0

    def check(self, holds, what):
        self.n += 1
        self.failed += not holds
        print(f"{'ok' if holds else 'not ok'} {self.n} - {what}", flush=True)


def new_database(path):
    """In WAL mode, with all of its rows in the log."""
    c = sqlite3.connect(path, isolation_level=None)
    c.execute("PRAGMA journal_mode=WAL")
    c.execute("PRAGMA wal_autocheckpoint=0")
    c.execute("CREATE TABLE account(id INTEGER PRIMARY KEY, x INTEGER)")
    c.execute("CREATE INDEX by_x ON account(x)")
    c.execute("CREATE TABLE grows(x TEXT)")
    c.execute("BEGIN")
    c.executemany("INSERT INTO account VALUES (?, 100)",
                  [(i,) for i in range(ACCOUNTS)])
    c.execute("COMMIT")
    return c


def write_cases(path):
    cases = [
        ("sum", "SELECT sum(x), count(*) FROM account",
         f"SELECT {100 * ACCOUNTS}, {ACCOUNTS}"),
        # The index and the table were written at the same moment.
        ("index", "SELECT x, count(*) FROM account INDEXED BY by_x GROUP BY x",
         "SELECT x, count(*) FROM account NOT INDEXED GROUP BY x"),
        ("grows", "SELECT count(*) FROM grows WHERE length(x) = 1000",
         "SELECT count(*) FROM grows"),
    ]
    path.write_text("".join(
        json.dumps({"id": i, "db": "bank", "gold": g, "pred": p}) + "\n"
        for i, g, p in cases), encoding="utf-8")


def score(assay, folder, *options):
    """Exit code, verdicts by id, standard error."""
    done = subprocess.run(
        [assay, "score", "--gold", folder / "cases.jsonl", "--db",
         folder / "dbs", "--metrics", "exec", "--jobs", "2", "-q", "--out", "-",
         *options], capture_output=True, text=True, check=False)
    lines = [json.loads(line) for line in done.stdout.splitlines()[1:]]
    return done.returncode, {v["id"]: v["verdicts"]["exec"] for v in lines}, \
        done.stderr


def at_rest(tap, assay, folder, database):
    log = pathlib.Path(f"{database}-wal")
    before = database.read_bytes(), log.read_bytes()
    code, verdicts, said = score(assay, folder)
    tap.check(code == 3 and "--wal copy" in said,
              "without the option it is refused, and the option is named")
    code, verdicts, _ = score(assay, folder, "--wal", "copy")
    tap.check(code == 0 and all(v["v"] == "yes" for v in verdicts.values()),
              "a log that holds all rows is read")
    tap.check((database.read_bytes(), log.read_bytes()) == before,
              "neither file changed")
    # A frame that was not written as a whole ends the log before it.
    whole = log.read_bytes()
    log.write_bytes(whole[:-100])
    code, verdicts, _ = score(assay, folder, "--wal", "copy")
    tap.check(code == 0 and verdicts["sum"]["v"] == "no",
              "a transaction that is torn did not happen")
    log.write_bytes(whole[:200] + b"\xff" + whole[201:])
    code, verdicts, said = score(assay, folder, "--wal", "copy")
    tap.check(code != 0 or verdicts["sum"]["v"] != "yes",
              "nor one whose bytes do not give the sums in the log")
    log.write_bytes(b"x" * 5000)
    code, _, said = score(assay, folder, "--wal", "copy")
    tap.check(code == 3 and "is not a write-ahead log" in said,
              "a file that is no log is not read as one")
    log.write_bytes(whole)


def while_written(tap, assay, folder, database):
    with subprocess.Popen([sys.executable, "-c", WRITER, database]) as writer:
        wrong = []
        for _ in range(RUNS):
            code, verdicts, said = score(assay, folder, "--wal", "copy")
            if code or any(v["v"] != "yes" for v in verdicts.values()):
                wrong.append((code, verdicts, said))
        tap.check(writer.poll() is None, "the writer goes on")
        tap.check(not wrong, f"{RUNS} runs each see one moment {wrong[:1] or ''}")
        writer.kill()
    c = sqlite3.connect(database)
    tap.check(c.execute("PRAGMA integrity_check").fetchone() == ("ok",),
              "the database is whole")
    c.close()


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    assay = os.path.abspath(sys.argv[1])
    tap = Tap()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        database = folder / "dbs" / "bank.sqlite"
        database.parent.mkdir()
        write_cases(folder / "cases.jsonl")
        keeper = new_database(database)
        at_rest(tap, assay, folder, database)
        keeper.execute("PRAGMA wal_checkpoint")
        while_written(tap, assay, folder, database)
        keeper.close()
    print(f"1..{tap.n}")
    return tap.failed > 0


if __name__ == "__main__":
    sys.exit(main())
