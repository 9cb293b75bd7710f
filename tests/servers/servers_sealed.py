#!/usr/bin/env python3
"""servers_sealed.py ASSAY postgres|mariadb - what assay leaves on a server.

    tests/servers/with_postgres.sh tests/servers/servers_sealed.py build/assay postgres
    tests/servers/with_mariadb.sh tests/servers/servers_sealed.py build/assay mariadb

The server itself is asked: what is locked while assay waits for work, what
runs and who is logged in while it gets queries that no cancel stops and
afterwards. Speaks TAP.
"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

COUNT = 0


def check(what, ok, why=""):
    """A line of TAP."""
    global COUNT
    COUNT += 1
    print("ok" if ok else "not ok", COUNT, "-", what, flush=True)
    for line in [] if ok else str(why).splitlines()[:20]:
        print("#", line[:400])


class Postgres:
    """A private PostgreSQL."""
    word = "postgres"
    own_databases = ["template1", "Template0"]
    ours = ("FROM pg_stat_activity WHERE usename = 'assay'"
            " AND backend_type = 'client backend'")
    alter = "SET lock_timeout = '3s'; ALTER TABLE t ADD COLUMN n%d int"

    def __init__(self):
        self.path = os.environ["PG_BIN"] + ":" + os.environ["PATH"]
        self.pattern = os.environ["ASSAY_PG"]

    def sql(self, text, base="shop"):
        """What the superuser is told."""
        done = subprocess.run(
            ["psql", "-qAtX", "-v", "ON_ERROR_STOP=1", base], input=text,
            text=True, check=False, capture_output=True,
            env={**os.environ, "PATH": self.path})
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        return done.stdout.strip()

    def make(self):
        """Database shop."""
        self.sql("CREATE DATABASE shop", "postgres")
        self.sql("CREATE TABLE t(id int PRIMARY KEY, s text);"
                 "INSERT INTO t VALUES (1, 'one'), (2, 'two')")
        self.sql("ALTER ROLE assay SET idle_in_transaction_session_timeout ="
                 " '200ms'")

    def open_transactions(self):
        """Sessions of ours that are in one."""
        return self.sql("SELECT pid, state, query " + self.ours
                        + " AND xact_start IS NOT NULL")

    def locks(self):
        """Of our sessions, but for that of the look itself."""
        return self.sql("SELECT l.* FROM pg_locks l JOIN pg_stat_activity"
                        " USING (pid) WHERE usename = 'assay'")

    def running(self):
        """How many sessions of ours run a query, and how many there are."""
        return tuple(map(int, self.sql(
            "SELECT count(*) FILTER (WHERE state <> 'idle'), count(*) "
            + self.ours).split("|")))


class Mariadb:
    """A private MariaDB."""
    word = "mariadb"
    own_databases = ["mysql", "MySQL", "performance_schema", "sys",
                     "information_schema", "Information_Schema"]
    alter = "SET lock_wait_timeout = 3; ALTER TABLE t ADD COLUMN n%d int"

    def __init__(self):
        self.folder = os.environ["MARIADB_FOLDER"]
        self.pattern = os.environ["ASSAY_MARIADB"]

    def sql(self, text, base="shop"):
        """What root is told."""
        done = subprocess.run(
            ["mariadb", "--no-defaults", "-u", "root", "-S",
             self.folder + "/s", "-BN", base], input=text, text=True,
            check=False, capture_output=True)
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        return done.stdout.strip()

    def make(self):
        """Database shop, on a server whose sessions commit when told to."""
        self.sql("CREATE DATABASE shop; USE shop; CREATE TABLE t(id int"
                 " PRIMARY KEY, s text); INSERT INTO t VALUES (1, 'one'),"
                 " (2, 'two'); COMMIT; SET GLOBAL autocommit = 0",
                 "information_schema")

    def open_transactions(self):
        """Transactions of ours."""
        return self.sql("SELECT trx_mysql_thread_id FROM"
                        " information_schema.innodb_trx")

    @staticmethod
    def locks():
        """What ALTER TABLE finds out."""
        return ""

    def running(self):
        """How many sessions of ours run a query, and how many there are."""
        return tuple(map(int, self.sql(
            "SELECT COALESCE(SUM(command <> 'Sleep'), 0), COUNT(*) FROM"
            " information_schema.processlist WHERE user = 'tester'").split()))


def cases_of(path, cases, base="shop"):
    """A file of cases (gold, prediction)."""
    with open(path, "w", encoding="utf-8") as out:
        for i, (gold, pred) in enumerate(cases):
            out.write(json.dumps({"id": str(i), "db": base, "gold": gold,
                                  "pred": pred}) + "\n")


def score(assay, server, work, cases, *options, base="shop"):
    """The run, and the lines of its journal by id."""
    cases_of(work / "cases.jsonl", cases, base)
    out = work / "out.jsonl"
    out.unlink(missing_ok=True)
    done = subprocess.run(
        [assay, "score", "--gold", work / "cases.jsonl", "--db",
         server.pattern, "--out", out, "--metrics", "exec", "-q", *options],
        text=True, capture_output=True, check=False)
    lines = out.read_text(encoding="utf-8").splitlines() if out.exists() else []
    return done, {line["id"]: line for line in map(json.loads, lines)
                  if "id" in line}


def test_databases(assay, server, work):
    """{db} may not stand for what is the server's own."""
    for name in server.own_databases:
        done, lines = score(assay, server, work, [("SELECT 1", "SELECT 1")],
                            base=name)
        said = done.stderr + json.dumps(lines)
        check(f"{{db}} may not be {name}",
              "is the server's own" in said and '"v": "yes"' not in said, said)
    if server.word == "mariadb":
        for name in server.own_databases:
            url = server.pattern.replace("{db}", name)
            done = subprocess.run([assay, "score", "--gold",
                                   work / "cases.jsonl", "--db", url, "--out",
                                   "-", "--metrics", "exec"], text=True,
                                  capture_output=True, check=False)
            check(f"nor may the database of the URL be {name}",
                  done.returncode == 3
                  and "is the server's own" in done.stderr,
                  done.stdout + done.stderr)


def test_idle(assay, server, work):
    """Nothing is held between two requests."""
    queries = ["SELECT id, s FROM t", "SELECT count(*) FROM t",
               "SELECT nothing FROM t", "SELECT id FROM t ORDER BY id LIMIT 1",
               "SELECT 1 / 0 FROM t", "SELECT t.id FROM t JOIN t u ON true",
               "SELECT nosuch(id) FROM t", "WITH t2 AS (TABLE t) TABLE t2",
               "SELECT id FROM t FOR JSON"]
    with subprocess.Popen(
            [assay, "worker", "--db", server.pattern, "--metrics",
             "exec,equiv" if server.word == "postgres" else "exec",
             "--jobs", "1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True) as worker:
        for i, query in enumerate(queries):
            worker.stdin.write(json.dumps(
                {"id": str(i), "db": "shop", "gold": "SELECT id, s FROM t",
                 "pred": query}) + "\n")
            worker.stdin.flush()
            worker.stdout.readline()
            held = server.open_transactions() + server.locks()
            check(f"an idle worker is in no transaction after {query}",
                  held == "", held)
            try:
                server.sql(server.alter % i)
                check("and its tables can be altered", True)
            except RuntimeError as e:
                check("and its tables can be altered", False, e)
        time.sleep(0.5)
        worker.stdin.write(json.dumps(
            {"id": "last", "db": "shop", "gold": "SELECT id FROM t",
             "pred": "SELECT id FROM t"}) + "\n")
        worker.stdin.close()
        last = worker.stdout.readline()
    check("a limit of the login's for idle transactions does not end it",
          '"v":"yes"' in last, last)
    if server.word == "postgres":
        own = [("SELECT 200", "SELECT extract(epoch FROM current_setting("
                "'idle_in_transaction_session_timeout')::interval) * 1000")]
        done, lines = score(assay, server, work, own)
        check("and stays as it was", lines["0"]["verdicts"]["exec"]["v"]
              == "yes", done.stderr + json.dumps(lines))


SERVERS = {"postgres": Postgres, "mariadb": Mariadb}


def main():
    """All tests."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # clean up
    assay, server = sys.argv[1], SERVERS[sys.argv[2]]()
    server.make()
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        test_databases(assay, server, work)
        test_idle(assay, server, work)
    print(f"1..{COUNT}")


if __name__ == "__main__":
    main()
