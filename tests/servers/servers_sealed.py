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
    stuck = ("SELECT length(translate(s, s2, '')) FROM (SELECT string_agg('a',"
             " '') s, string_agg('b', '') s2 FROM generate_series(1, %d)) x")
    long, short = 150000, 20000

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
        self.sql("CREATE FUNCTION lock(n int) RETURNS bool LANGUAGE sql AS"
                 " 'SELECT pg_try_advisory_lock(n)';"
                 "CREATE DOMAIN locking AS int CHECK (lock(VALUE));"
                 "CREATE VIEW locked AS SELECT id, lock(id) AS is FROM t;"
                 "CREATE TABLE guarded AS TABLE t;"
                 "ALTER TABLE guarded ENABLE ROW LEVEL SECURITY;"
                 "CREATE POLICY p ON guarded USING (lock(id))")
        self.sql("ALTER ROLE assay SET idle_in_transaction_session_timeout ="
                 " '200ms'")

    def restart(self):
        """Ends whatever runs."""
        subprocess.run([os.environ["PG_FOLDER"] + "/pg_ctl", "restart", "-m",
                        "immediate"], check=True, stdout=subprocess.DEVNULL)

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
    stuck = ("SELECT INSTR(x, CONCAT(LEFT(x, LENGTH(x) / 2), 'b')) FROM"
             " (SELECT GROUP_CONCAT('a' SEPARATOR '') x FROM seq_1_to_%d) y")
    long, short = 250000, 70000

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

    def restart(self):
        """Ends whatever runs."""
        for word in "kill", "start":
            subprocess.run([self.folder + "/server", word], check=True,
                           stdout=subprocess.DEVNULL)

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
              "is a system database" in said and '"v": "yes"' not in said, said)
    if server.word == "mariadb":
        for name in server.own_databases:
            url = server.pattern.replace("{db}", name)
            done = subprocess.run([assay, "score", "--gold",
                                   work / "cases.jsonl", "--db", url, "--out",
                                   "-", "--metrics", "exec"], text=True,
                                  capture_output=True, check=False)
            check(f"nor may the database of the URL be {name}",
                  done.returncode == 3
                  and "is a system database" in done.stderr,
                  done.stdout + done.stderr)


def test_idle(assay, server, work):
    """Nothing is held between two requests."""
    queries = ["SELECT id, s FROM t", "SELECT count(*) FROM t",
               "SELECT nothing FROM t", "SELECT id FROM t ORDER BY id LIMIT 1",
               "SELECT 1 / 0 FROM t", "SELECT t.id FROM t JOIN t u ON true",
               "SELECT nosuch(id) FROM t", "WITH t2 AS (TABLE t) TABLE t2",
               "SELECT id FROM t FOR JSON"]
    if server.word == "postgres":
        queries += ["SELECT 7::locking", "SELECT * FROM locked",
                    "SELECT id FROM guarded", "SELECT 'x'::locking",
                    "SELECT lock(id) FROM t"]
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


def test_log(assay, server, work):
    """What PostgreSQL writes to its log of a prediction."""
    log = pathlib.Path(os.environ["PG_FOLDER"], "log")
    server.sql("CREATE FUNCTION round(double precision, int) RETURNS numeric"
               " LANGUAGE sql AS 'SELECT 1.0'")
    for size, want in (1000000, "too_long"), (100000, "too_long"), (20000, "ok"):
        pred = ("SELECT id FROM t WHERE round(id::numeric, 1) IN (1, 2"
                + ", 3" * (size // 3) + ")")
        before = log.stat().st_size
        _, lines = score(assay, server, work, [("SELECT id FROM t", pred)])
        grew = (log.stat().st_size - before) / 1e6
        said = lines["0"]["pred_status"]
        check(f"a prediction of {size} bytes that must be shown to the server "
              "writes little to its log", said == want and grew < 4, f"{said}, {grew} MB")


def test_messages(assay, server, work):
    """Errors quote values, and are kept short."""
    pred = ("SELECT string_agg(repeat('a', 1000), '')::int"
            " FROM generate_series(1, 5000)")
    _, lines = score(assay, server, work, [("SELECT id FROM t", pred)])
    size = (work / "out.jsonl").stat().st_size
    check("a message of megabytes is cut",
          lines["0"]["pred_status"] == "runtime_error" and size < 50000, size)


def watched(server, run):
    """What `run` gives, and the most that ran and were there meanwhile."""
    most, ends = [0, 0], threading.Event()

    def look():
        while not ends.wait(0.2):
            seen = server.running()
            most[:] = map(max, most, seen)
    watcher = threading.Thread(target=look)
    watcher.start()
    try:
        return run(), most
    finally:
        ends.set()
        watcher.join()


def nothing_runs(server, seconds):
    """Does the server come to rest in that time?"""
    ends = time.monotonic() + seconds
    while server.running()[0] and time.monotonic() < ends:
        time.sleep(0.3)
    return server.running()[0] == 0


def test_stuck(assay, server, work):
    """Queries that no cancel stops are few, and are told of."""
    honest = ("SELECT id FROM t", "SELECT id + 0 FROM t WHERE id < %d")
    cases = []
    for i in range(8):
        cases += [(honest[0], server.stuck % (server.long + i)),
                  (honest[0], honest[1] % (90 + i))]
    (done, lines), most = watched(server, lambda: score(
        assay, server, work, cases, "--timeout", "1", "--jobs", "2"))
    check("a server that does not stop its queries ends the run",
          done.returncode == 3 and "still running" in done.stderr,
          f"{done.returncode} {done.stderr}")
    check("two for each worker go on in it, no more", most[0] <= 6, most)
    check("and assay holds few connections", most[1] <= 8, most)
    said = {n: line["verdicts"]["exec"]["v"] for n, line in lines.items()}
    check("what was judged was judged right", len(said) > 3 and all(
        v == ("yes" if int(n) % 2 else "no") for n, v in said.items()), said)
    server.restart()

    cases = [(honest[0], server.stuck % server.short),
             (honest[0], honest[1] % 80), (honest[0], honest[1] % 81)]
    (done, lines), most = watched(server, lambda: score(
        assay, server, work, cases, "--timeout", "1", "--jobs", "1"))
    said = [line["verdicts"]["exec"]["v"] for line in lines.values()]
    check("one that ends late costs the others nothing",
          done.returncode == 0 and said == ["no", "yes", "yes"],
          f"{done.returncode} {said} {done.stderr}")
    check("and nothing of ours goes on afterwards", nothing_runs(server, 60),
          server.running())

    with subprocess.Popen(
            [assay, "worker", "--db", server.pattern, "--metrics", "exec",
             "--timeout", "1", "--jobs", "1"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True) as worker:
        def ask(number, pred):
            worker.stdin.write(json.dumps(
                {"id": str(number), "db": "shop", "gold": honest[0],
                 "pred": pred}) + "\n")
            worker.stdin.flush()
            return json.loads(worker.stdout.readline())
        said = [ask(i, server.stuck % (server.long + i)) for i in range(5)]
        verdicts = [line["verdicts"]["exec"] for line in said]
        check("a worker answers all the same, and blames no query for it",
              all(v["v"] == "no" and v["reason"] == "timeout"
                  or v["v"] == "unknown" for v in verdicts), verdicts)
        check("and says why",
              any(line["pred_status"] == "server_busy"
                  or line["gold_status"] == "server_busy" for line in said),
              said)
        check("two go on, no more", server.running()[0] <= 2, server.running())
        server.restart()
        time.sleep(2)
        ask(8, honest[1] % 70)
        last = ask(9, honest[1] % 71)
        check("and it is right again when the server is",
              last["verdicts"]["exec"]["v"] == "yes", last)
        worker.stdin.close()


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
        if server.word == "postgres":
            test_log(assay, server, work)
            test_messages(assay, server, work)
        test_stuck(assay, server, work)
    print(f"1..{COUNT}")


if __name__ == "__main__":
    main()
