#!/usr/bin/env python3
"""servers_memory.py ASSAY ENGINE - bombs that fill the memory of a server, or
of the worker that has DuckDB in it.

    tests/servers/with_postgres.sh tests/servers/servers_memory.py build/assay postgres
    tests/servers/with_mariadb.sh tests/servers/servers_memory.py build/assay mariadb
    tests/servers/with_postgres.sh tests/servers/servers_memory.py build/assay postgres odbc
    tests/servers/with_duckdb.sh tests/servers/servers_memory.py build/assay duckdb

What a session can bound is bounded: the bomb ends, its neighbour is judged, and
the server never holds more than is said here. Each bomb is also run by the
server's own client, as the same login, without assay: there it takes more, or
the test says nothing; over ODBC the client has been asked by the other test.
DuckDB's comparison is a run with more memory. Speaks TAP.
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading

MEGABYTES = 64  # --memory
MORE = 768  # of DuckDB, to compare with

# name, the query, the most that it may take of the server in megabytes (None:
# it must not be run at all), the reasons that it may have.
BOMBS = {
    "postgres": [
        ("a hash table", "SELECT COUNT(*) FROM (SELECT DISTINCT md5(i::text) "
         "FROM generate_series(1, 800000) AS i) AS x", 60, {None, "timeout"}),
        ("a sort", "SELECT COUNT(*) FROM (SELECT md5(i::text) AS m "
         "FROM generate_series(1, 800000) AS i ORDER BY m OFFSET 0) AS x",
         60, {None, "timeout"}),
    ],
    "mariadb": [
        ("temporary tables", "SELECT 1 FROM " + ", ".join(
            "(SELECT DISTINCT a.i * 200 + b.i AS k, REPEAT('x', 60) AS v "
            f"FROM s AS a, s AS b) AS t{n}" for n in range(16)) + " LIMIT 1",
         95, {"memory", "timeout"}),
        ("JSON_OBJECTAGG", "SELECT LENGTH(JSON_OBJECTAGG(i, "
         "REPEAT('y', 7000000))) FROM s WHERE i <= 20", None, {"forbidden"}),
        ("REGEXP_REPLACE", "SELECT LENGTH(REGEXP_REPLACE(REPEAT('y', 130), "
         "'y', REPEAT('z', 1000000)))", None, {"forbidden"}),
    ],
    "duckdb": [(name, f"SELECT {sql}", 90, {"memory"}) for name, sql in [
        ("a hash table", "COUNT(*) FROM (SELECT DISTINCT md5(i::text) "
         "FROM range(1500000) AS r(i))"),
        ("a sort", "COUNT(*) FROM (SELECT md5(i::text) AS m "
         "FROM range(1800000) AS r(i) ORDER BY m OFFSET 0)"),
        ("a join", "COUNT(*) FROM (SELECT md5(i::text) AS m FROM "
         "range(2000000) AS r(i)) AS a JOIN (SELECT md5((i + 1)::text) AS m "
         "FROM range(2000000) AS r(i)) AS b USING (m)"),
        ("a window", "max(n) FROM (SELECT row_number() OVER (ORDER BY "
         "md5(i::text)) AS n FROM range(1200000) AS r(i))"),
        ("a list", "len(list(md5(i::text))) FROM range(1600000) AS r(i)"),
        ("a long text", "length(string_agg(md5(i::text), ',')) "
         "FROM range(3000000) AS r(i)"),
        ("a text that is repeated", "length(repeat(repeat('x', 100000), "
         "1200)) + length(lpad('x', 120000000, 'y'))"),
        ("texts that are replaced", "length(regexp_replace(repeat('y', "
         "1000000), 'y', repeat('z', 75), 'g'))"),
    ]],
}
# What a server takes is compared with this, where the client ran the query.
LEAST_WITHOUT = 100


def children(pid):
    """Of a process, those of its threads, too."""
    for task in pathlib.Path("/proc", pid, "task").glob("*/children"):
        try:
            yield from task.read_text(encoding="utf-8").split()
        except OSError:
            pass


def anonymous(pid):
    """Memory of a process that is no file's or shared, in kilobytes."""
    try:
        status = pathlib.Path("/proc", pid, "status").read_text(
            encoding="utf-8")
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in status.splitlines()
               if line.startswith("RssAnon:"))


class Watched:
    """Processes whose memory is looked at."""

    def private_bytes(self):
        """What they hold together."""
        raise NotImplementedError

    def watch(self, run):
        """What `run` gives, and by how many megabytes they grew."""
        before, most, ends = self.private_bytes(), [0], threading.Event()

        def look():
            while not ends.wait(0.01):
                most[0] = max(most[0], self.private_bytes())
        watcher = threading.Thread(target=look)
        watcher.start()
        try:
            return run(), (most[0] - before) >> 20
        finally:
            ends.set()
            watcher.join()


class Library(Watched):
    """DuckDB, in the workers of the assay that runs below this process."""

    def __init__(self, assay, folder):
        self.assay, self.folder = assay, folder
        self.url = "duckdb:" + folder + "/bombs.sql"

    def prepare(self):
        """A dump."""
        pathlib.Path(self.folder, "bombs.sql").write_text(
            "CREATE TABLE t(id INTEGER);", encoding="utf-8")

    def client(self, sql, _):
        """Runs it with more memory."""
        return judge(self.assay, self.url, sql, self.folder, MORE)

    def private_bytes(self):
        below = list(children(str(os.getpid())))
        for pid in below:
            below += children(pid)
        return sum(map(anonymous, below)) << 10


class Server(Watched):
    """What the test needs of a server."""

    def __init__(self, engine):
        self.engine = engine
        if engine == "postgres":
            self.url = os.environ["ASSAY_PG"].replace("{db}", "bombs")
            folder = os.environ["PG_FOLDER"]
            pid = pathlib.Path(folder, "data", "postmaster.pid").read_text(
                encoding="utf-8").split()[0]
        else:
            self.url = os.environ["ASSAY_MARIADB"].replace("{db}", "bombs")
            folder = os.environ["MARIADB_FOLDER"]
            pid = pathlib.Path(folder, "pid").read_text(
                encoding="utf-8").split()[0]
        self.folder, self.pid = folder, pid

    def client(self, sql, user=None):
        """Runs it with the server's client."""
        if self.engine == "postgres":
            run = [os.path.join(os.environ["PG_BIN"], "psql"), "-XqAt",
                   "-d", "bombs"] + (["-U", user] if user else [])
        else:
            run = ["mariadb", "--no-defaults", "-N", "-S", self.folder + "/s",
                   "-u", user or "root", "bombs"]
        return subprocess.run(run, input=sql, capture_output=True, text=True,
                              check=False)

    def prepare(self):
        """A database, and a login whose own settings bound nothing."""
        if self.engine == "postgres":
            subprocess.run([os.path.join(os.environ["PG_BIN"], "createdb"),
                            "bombs"], check=True)
            self.client("ALTER ROLE assay SET work_mem = '2GB';"
                        "ALTER ROLE assay SET hash_mem_multiplier = 100;")
        else:
            subprocess.run(["mariadb", "--no-defaults", "-u", "root", "-S",
                            self.folder + "/s", "-e", "CREATE DATABASE bombs"],
                           check=True)
            self.client("CREATE TABLE s(i INTEGER PRIMARY KEY) AS "
                        "SELECT seq AS i FROM seq_1_to_200;")

    def private_bytes(self):
        """Of the server and its children."""
        return sum(map(anonymous, [self.pid, *children(self.pid)])) << 10


def judge(assay, url, sql, folder, megabytes=MEGABYTES):
    """The reasons of the bomb and of its neighbour."""
    cases, out = folder + "/cases.jsonl", folder + "/out.jsonl"
    with open(cases, "w", encoding="utf-8") as lines:
        lines.write(json.dumps({"id": "bomb", "gold": "SELECT 800000",
                                "pred": sql}) + "\n")
        lines.write(json.dumps({"id": "neighbour", "gold": "SELECT 1",
                                "pred": "SELECT 1"}) + "\n")
    subprocess.run([assay, "score", "--gold", cases, "--db", url, "--metrics",
                    "exec", "--memory", str(megabytes), "--timeout", "60",
                    "--out", out, "--force", "-q", "--jobs", "1"],
                   check=False, stdout=subprocess.DEVNULL)
    with open(out, encoding="utf-8") as lines:
        said = {r["id"]: r["verdicts"]["exec"]
                for r in map(json.loads, lines) if "verdicts" in r}
    return said


def odbc_url(engine, work, server):
    """The same server through Debian's driver."""
    name = "psqlodbcw.so" if engine == "postgres" else "libmaodbc.so"
    driver = next(pathlib.Path("/usr/lib").glob("*/odbc/" + name), None)
    if not driver:
        print(f"1..0 # SKIP no ODBC driver {name} here")
        sys.exit(0)
    pathlib.Path(work, "odbcinst.ini").write_text(
        f"[PostgreSQL Unicode]\nDriver={driver}\nCommLog=0\nDebug=0\n",
        encoding="utf-8")
    os.environ["ODBCSYSINI"] = work
    return f"odbc:Driver={driver};" + (
        f"Server={server};Port=5432;Uid=assay;Database=bombs"
        if engine == "postgres" else
        f"Socket={server}/s;Uid=tester;Database=bombs")


def main():
    """A test for each bomb."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # clean up
    assay, engine = sys.argv[1:3]
    over_odbc = "odbc" in sys.argv[3:]
    if engine == "duckdb" and b"__asan_init" in pathlib.Path(assay).read_bytes():
        print("1..0 # SKIP the sanitizer takes memory and the address space")
        return
    user = "assay" if engine == "postgres" else "tester"
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        server = (Library(assay, folder) if engine == "duckdb"
                  else Server(engine))
        server.prepare()
        if over_odbc:
            server.url = odbc_url(engine, folder, server.folder)
        for n, (name, sql, most, reasons) in enumerate(BOMBS[engine], 1):
            without = LEAST_WITHOUT + 1
            if not over_odbc:
                _, without = server.watch(lambda s=sql: server.client(s, user))
            said, grew = server.watch(
                lambda s=sql: judge(assay, server.url, s, folder))
            bomb, neighbour = said.get("bomb", {}), said.get("neighbour", {})
            ok = (bomb.get("reason") in reasons and neighbour.get("v") == "yes"
                  and grew < (most or 20) and without > LEAST_WITHOUT)
            failed += not ok
            print("ok" if ok else "not ok", n, "-", name)
            print(f"# {grew} MB" + (
                "" if over_odbc else f", without the bound {without} MB") + f"; {bomb}")
    print(f"1..{len(BOMBS[engine])}")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
