#!/usr/bin/env python3
"""hostile_sqlite.py ASSAY [--timed] - the attacks of tests/hostile/sqlite.txt.

Each statement is a prediction, and after each stands a neighbour, an honest
prediction. Looked at are the verdict of each attack, those of the neighbours,
and afterwards the database, byte by byte, and the folder. The file is played
by one worker and by two. With --timed each must also have ended within its
limit and 0.2 s: that says something on a machine that does nothing else. What
was killed is for that played once more, alone, and the whole run is timed.

The format is that of tests/servers/servers_hostile.py, and {{N*text}} stands for
N times the text. --bless writes down what the attacks end as now. Speaks TAP.
"""
import hashlib
import json
import os
import pathlib
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "servers"))
import servers_hostile as hostile  # noqa: E402

LIMIT_MS = 1000
GRACE_MS = 200


def unrolled(text):
    """The text with what is repeated written out."""
    return re.sub(r"\{\{(\d+)\*(.*?)\}\}", lambda m: int(m[1]) * m[2], text,
                  flags=re.S)


class Sqlite:
    """A database in a folder that nothing may change."""
    neighbour = ("SELECT x FROM t ORDER BY x",
                 "SELECT x FROM t WHERE %d > 0 ORDER BY x")
    options = [[]]

    def __init__(self, folder):
        self.folder = folder
        self.file = folder / "db.sqlite"
        base = sqlite3.connect(self.file)
        base.executescript(
            "CREATE TABLE t(x INTEGER); INSERT INTO t VALUES (1), (2), (3);"
            "CREATE TABLE b(x INTEGER); WITH RECURSIVE r(i) AS (SELECT 1 UNION "
            "ALL SELECT i + 1 FROM r WHERE i < 1000) INSERT INTO b SELECT i FROM r;"
            "CREATE VIRTUAL TABLE f5 USING fts5(w);"
            "CREATE VIRTUAL TABLE f4 USING fts4(w);"
            "INSERT INTO f5 VALUES ('hello world'); INSERT INTO f4 SELECT w FROM f5;"
            "CREATE VIRTUAL TABLE r USING rtree(id, x0, x1);"
            "INSERT INTO r VALUES (1, 0, 1)")
        base.close()

    def url(self, _):
        return str(self.file)

    def state(self):
        digest = hashlib.sha256(self.file.read_bytes()).hexdigest()
        return digest, sorted(os.listdir(self.folder)), self.file.stat().st_mtime_ns


def bless(path, cases, lines):
    """Writes the status of each attack into the file."""
    status = iter([lines.get(f"a{i}", {}).get("pred_status", "lost")
                   for i in range(len(cases))])
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"^want: .*$", lambda m: f"want: {next(status)}", text, flags=re.M)
    path.write_text(text, encoding="utf-8")


def slow(cases, lines):
    """What took longer than its limit and the grace."""
    times = [(lines.get(f"a{i}", {}).get("pred_ms") or 0, case.title)
             for i, case in enumerate(cases)]
    print("# slowest:", "; ".join(f"{ms:.0f} ms {title}"
                                  for ms, title in sorted(times)[-5:]))
    return [f"{title}: {ms:.0f} ms" for ms, title in times
            if ms > LIMIT_MS + GRACE_MS]


def run_ms(assay, sql, url, work):
    """A run of one prediction, from the program's start to its end."""
    (work / "one").write_text(json.dumps({"id": "1", "gold": "SELECT 1", "pred": sql}) + "\n",
                              encoding="utf-8")
    start = time.monotonic()
    subprocess.run([assay, "score", "--gold", work / "one", "--db", url, "--metrics", "exec",
                    "--timeout", str(LIMIT_MS / 1000), "--work", "none", "-q",
                    "--out", work / "one.out"],
                   stderr=subprocess.DEVNULL, check=False)
    return (time.monotonic() - start) * 1000


def killed_late(assay, cases, lines, url, work):
    """What nothing could interrupt, and how long it took more than a run of nothing."""
    killed = [case for i, case in enumerate(cases)
              if "killed" in json.dumps(lines.get(f"a{i}", {}))]
    empty = min(run_ms(assay, "SELECT 1", url, work) for _ in range(5))
    times = [(run_ms(assay, case.sql, url, work) - empty, case.title) for case in killed]
    print("# killed:", "; ".join(f"{ms:.0f} ms {title}" for ms, title in sorted(times)[-5:]))
    return [f"{title}: killed after {ms:.0f} ms" for ms, title in times
            if ms > LIMIT_MS + GRACE_MS]


def main():
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # clean up
    assay = str(pathlib.Path(sys.argv[1]).resolve())
    path = HERE / "sqlite.txt"
    cases = [case._replace(sql=unrolled(case.sql)) for case in hostile.read_cases(path)]
    report = hostile.Report()
    with tempfile.TemporaryDirectory() as work, tempfile.TemporaryDirectory() as home:
        work, engine = pathlib.Path(work), Sqlite(pathlib.Path(home))
        os.chdir(home)
        before = engine.state()
        for jobs in (1,) if "--bless" in sys.argv else (1, 2):
            lines = hostile.play(report, assay, cases, engine, "sqlite", [], jobs, work)
            if "--bless" in sys.argv:
                bless(path, cases, lines)
            wrong = slow(cases, lines)
            if "--timed" in sys.argv:
                if jobs == 1:
                    wrong += killed_late(assay, cases, lines, engine.url(None), work)
                report.check("each within its limit and 0.2 s", wrong)
        after = engine.state()
        report.check("the database and its folder are as they were",
                     [] if before == after else [str(before), str(after)])
    print(f"1..{report.count}")


if __name__ == "__main__":
    main()
