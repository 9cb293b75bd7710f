#!/usr/bin/env python3
"""servers_hostile.py ASSAY ENGINE - the attacks of tests/hostile/ENGINE.txt.

    tests/servers/with_postgres.sh tests/servers/servers_hostile.py build/assay postgres
    tests/servers/with_postgres.sh tests/servers/servers_hostile.py build/assay postgres_own
    tests/servers/with_postgres.sh tests/servers/servers_hostile.py build/assay odbc
    tests/servers/with_mariadb.sh tests/servers/servers_hostile.py build/assay mariadb
    tests/servers/with_duckdb.sh tests/servers/servers_hostile.py build/assay duckdb

Each statement is a prediction, and after each stands a neighbour: an honest
prediction that is right as long as nothing was done to its session or its
database. Looked at are the verdict of each attack, those of the neighbours,
and afterwards the database, the locks and the files. The file is played by
one worker and by two, and, where there is one, as a superuser.

A case of such a file, in the format of tests/cases:

    === title
    want: forbidden          the status of the prediction; several: a|b
    says: words              that stand in its detail (may be left out)
    widened: ok              the status where the user allows more functions
    --- sql
    the statement

Control characters are written as their pictures: U+240D for a carriage return,
U+2400 for NUL and so on, U+2421 for DEL, and a letter that is repeated with the
number behind it: a×30000. Speaks TAP.
"""
import collections
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
Case = collections.namedtuple("Case", "title want says widened sql line")


def unpictured(text):
    """What pictures stand for."""
    text = re.sub("(.)\u00d7([0-9]+)", lambda m: m[1] * int(m[2]), text)
    return re.sub("[\u2400-\u241f\u2421]", lambda m: chr(
        127 if m[0] == "\u2421" else ord(m[0]) - 0x2400), text)


def read_cases(path):
    """The cases of a file, each with its line."""
    text = path.read_text(encoding="utf-8")
    parts = re.split(r"^=== (.*)\n", text, flags=re.M)
    line = parts[0].count("\n") + 1
    for title, body in zip(parts[1::2], parts[2::2]):
        head, sql = body.split("--- sql\n", 1)
        keys = dict(re.findall(r"^(\w+): (.*)$", head, flags=re.M))
        yield Case(title, keys["want"].split("|"), keys.get("says", ""),
                   keys.get("widened", ""), unpictured(sql.rstrip("\n")), line)
        line += 1 + body.count("\n")


class Postgres:
    """A private PostgreSQL, where the attacks run as its reader."""
    neighbour = ("SELECT id, s, note FROM t ORDER BY id",
                 "SELECT id, s, note FROM t WHERE %d > 0 AND current_setting("
                 "'transaction_read_only') = 'on' AND NOT EXISTS (SELECT 1 "
                 "FROM pg_locks WHERE locktype = 'advisory') ORDER BY id")
    options = [[], ["--allow-superuser"]]
    made_by = "hostile_postgres.sql"

    def __init__(self):
        self.env = {**os.environ,
                    "PATH": os.environ["PG_BIN"] + ":" + os.environ["PATH"]}
        self.sql("CREATE DATABASE hostile", "postgres")
        self.sql((HERE / self.made_by).read_text())

    def sql(self, text, base="hostile"):
        return subprocess.run(["psql", "-qAtX", "-v", "ON_ERROR_STOP=1", base],
                              input=text, text=True, check=True, env=self.env,
                              stdout=subprocess.PIPE).stdout

    def url(self, more):
        url = os.environ["ASSAY_PG"].replace("{db}", "hostile")
        if "--allow-superuser" in more:
            url = re.sub("//[^@]*@", "//" + os.environ["PGUSER"] + "@", url)
        return url

    def state(self):
        dump = subprocess.run(["pg_dump", "--inserts", "hostile"], check=True,
                              env=self.env, stdout=subprocess.PIPE).stdout
        dump = re.sub(rb"^.(un)?restrict .*$", b"", dump, flags=re.M)
        return dump, self.sql(
            "SELECT string_agg(last_value::text || is_called, ' ') FROM q;"
            "SELECT rolname, rolsuper FROM pg_roles ORDER BY 1;"
            "SELECT datname FROM pg_database ORDER BY 1;"
            "SELECT count(*) FROM pg_largeobject_metadata;"
            "SELECT setdatabase, setconfig FROM pg_db_role_setting;"
            "SELECT slot_name FROM pg_replication_slots;"
            "SELECT gid FROM pg_prepared_xacts;"
            "SELECT count(*) FROM pg_class WHERE relpersistence = 't';"
            "SELECT objid, mode FROM pg_locks WHERE locktype = 'advisory'")


class PostgresOwn(Postgres):
    """The same where the owner's functions, operators and casts take the
    names and signs of the system's."""
    options = [[], ["--allow-superuser"],
               ["--allow-functions", "public.left,xor_of"]]
    made_by = "hostile_postgres_own.sql"


class Odbc(Postgres):
    """The same server through Debian's driver."""
    options = [[]]

    def __init__(self):
        super().__init__()
        found = list(pathlib.Path("/usr/lib").glob("*/odbc/psqlodbcw.so"))
        if not found:
            skip("no ODBC driver psqlodbcw.so here (Debian: odbc-postgresql)")
        self.driver = found[0]
        folder = pathlib.Path(os.environ["TMPDIR"])
        (folder / "odbcinst.ini").write_text(
            f"[PostgreSQL Unicode]\nDriver={self.driver}\nCommLog=0\nDebug=0\n")
        os.environ["ODBCSYSINI"] = str(folder)

    def url(self, more):
        return (f"odbc:Driver={self.driver};Server={os.environ['PG_FOLDER']};"
                "Port=5432;Uid=assay;Database=hostile")


class Mariadb:
    """A private MariaDB, whose modes change how a text is read."""
    neighbour = ("SELECT id, s, note FROM t ORDER BY id",
                 "SELECT id, s, note FROM t WHERE %d > 0 AND @a IS NULL AND "
                 "@@tx_read_only = 1 AND @@in_transaction = 1 AND "
                 " 'a\\'b' = \"a'b\" ORDER BY id")
    options = [[], ["--allow-superuser"]]

    def __init__(self):
        self.sql((HERE / "hostile_mariadb.sql").read_text())

    @staticmethod
    def sql(text):
        return subprocess.run(
            ["mariadb", "--no-defaults", "-u", "root", "-S",
             os.environ["MARIADB_FOLDER"] + "/s", "-BN"], input=text, text=True,
            check=True, stdout=subprocess.PIPE).stdout

    @staticmethod
    def url(more):
        url = os.environ["ASSAY_MARIADB"].replace("{db}", "hostile")
        return re.sub("//[^@]*@", "//root@", url) if more else url

    def state(self):
        written = pathlib.Path(os.environ["MARIADB_FOLDER"], "data").rglob(
            "assay_hostile*")
        return "", sorted(map(str, written)), self.sql(
            "SELECT * FROM hostile.t ORDER BY id; SELECT * FROM hostile.q;"
            "SHOW DATABASES; SHOW TABLES FROM hostile;"
            "SELECT User, Host FROM mysql.user ORDER BY 1, 2;"
            "SELECT @@global.sql_mode, @@global.max_connections,"
            " IS_USED_LOCK('a')")


class Duckdb:
    """A dump, in the memory of a worker."""
    neighbour = ("SELECT id, s, note FROM t ORDER BY id",
                 "SELECT id, s, note FROM t WHERE %d > 0 ORDER BY id")
    options = [[]]

    def __init__(self):
        self.dump = pathlib.Path(tempfile.gettempdir(), "hostile.sql")
        self.dump.write_text(
            "CREATE TABLE t(id int PRIMARY KEY, s text, note text);"
            "INSERT INTO t VALUES (1, 'one', ''), (2, 'two', NULL),"
            " (3, 'three', 'x'); CREATE SEQUENCE q;"
            "CREATE MACRO half(n) AS n / 2;"
            "CREATE MACRO quarter_of(n) AS half(half(n));"
            "CREATE MACRO above(n) AS TABLE SELECT * FROM t WHERE id > n;"
            "CREATE MACRO counting() AS nextval('q');"
            "CREATE MACRO logging(n) AS write_log('x');"
            "CREATE MACRO hiding(n) AS (SELECT logging(n));"
            "CREATE MACRO asking() AS TABLE FROM query('SELECT 1');"
            "CREATE MACRO either(n) AS n, (n, m) AS logging(n);")

    def url(self, _):
        return f"duckdb:{self.dump}"

    def state(self):
        return self.dump.read_bytes(), os.path.exists("assay_hostile")


def skip(why):
    """Ends as a test in TAP that cannot be run here."""
    print("1..0 # SKIP", why)
    sys.exit(0)


def journal(assay, cases, engine, options, jobs, work):
    """The lines of the journal by id: an attack, a neighbour and so on."""
    given, out = work / "cases.jsonl", work / "journal.jsonl"
    gold, pred = engine.neighbour
    rows = []
    for i, case in enumerate(cases):
        rows.append({"id": f"a{i}", "gold": gold, "pred": case.sql})
        rows.append({"id": f"n{i}", "gold": gold, "pred": pred % (i + 1)})
    given.write_text("".join(json.dumps(row) + "\n" for row in rows))
    out.unlink(missing_ok=True)
    done = subprocess.run(
        [assay, "score", "--gold", given, "--db", engine.url(options), "--out",
         out, "--metrics", "exec", "--jobs", str(jobs), "--timeout", "1", "--work",
         "none", "-q", *options], stderr=subprocess.PIPE, text=True, check=False)
    if not out.exists():
        print("#", done.returncode, done.stderr)
        return {}
    with open(out, encoding="utf-8") as file:
        return {line["id"]: line for line in map(json.loads, file)
                if "id" in line}


class Report:
    """Numbered lines of TAP."""
    count = 0

    def check(self, what, wrong):
        self.count += 1
        print("not ok" if wrong else "ok", self.count, "-", what)
        for line in wrong[:80]:
            print("#", line)


def play(report, assay, cases, engine, name, options, jobs, work):
    """One pass over all attacks."""
    lines = journal(assay, cases, engine, options, jobs, work)
    wrong, hurt = [], []
    for i, case in enumerate(cases):
        line = lines.get(f"a{i}", {})
        detail = json.dumps(line.get("verdicts", {}), ensure_ascii=False)
        want, says = case.want, case.says
        if case.widened and "--allow-functions" in options:
            want, says = [case.widened], ""
        if line.get("pred_status") not in want or says not in detail:
            wrong.append(f"{name}.txt:{case.line}: {case.title}: "
                         f"{line.get('pred_status')} {detail[:160]}")
        near = lines.get(f"n{i}", {})
        if near.get("verdicts", {}).get("exec", {}).get("v") != "yes":
            hurt.append(f"{name}.txt:{case.line}: {case.title}: "
                        f"{json.dumps(near.get('verdicts'))[:200]}")
    how = f"{jobs} at a time {' '.join(options)}".rstrip()
    report.check(f"{len(cases)} attacks end as they should, {how}", wrong)
    report.check(f"and hurt none of their neighbours, {how}", hurt)
    return lines


ENGINES = {"postgres": Postgres, "postgres_own": PostgresOwn, "mariadb": Mariadb, "duckdb": Duckdb,
           "odbc": Odbc}


def main():
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # clean up
    assay, name = sys.argv[1:3]
    report = Report()
    cases = list(read_cases(HERE.parent / "hostile" / f"{name}.txt"))
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        engine = ENGINES[name]()
        before = engine.state()
        for options in engine.options:
            for jobs in 1, 2:
                play(report, assay, cases, engine, name, options, jobs, work)
        after = engine.state()
        report.check("the database, its locks and files are as they were",
                     [] if before == after else [str(before[1:]), str(after[1:])])
    print(f"1..{report.count}")


if __name__ == "__main__":
    main()
