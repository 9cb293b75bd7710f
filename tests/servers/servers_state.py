#!/usr/bin/env python3
"""servers_state.py ASSAY - metric state on PostgreSQL: pairs of scripts whose
verdicts are known, hostile ones among them, and what they leave on the server.

    tests/servers/with_postgres.sh tests/servers/servers_state.py build/assay

Speaks TAP.
"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

DUMP = """
CREATE TYPE mood AS ENUM ('fine', 'sad');
CREATE TABLE dept(id int PRIMARY KEY, name varchar(9), mood mood);
INSERT INTO dept VALUES (1, 'it', 'fine'), (2, 'hr', 'sad');
CREATE TABLE emp(id int PRIMARY KEY, name text, dept int REFERENCES dept ON DELETE CASCADE,
    pay numeric(8,2) CHECK (pay > 0), twice numeric GENERATED ALWAYS AS (pay * 2) STORED);
INSERT INTO emp VALUES (1, 'ann', 1, 10), (2, 'bob', 1, 20), (3, 'cy', 2, 30);
CREATE TABLE log(id serial, what text DEFAULT 'x');
INSERT INTO log(what) VALUES ('begun');
CREATE TABLE child(emp int REFERENCES emp);
CREATE SCHEMA one;
CREATE SCHEMA two;
CREATE TABLE one.t(a int);
CREATE TABLE two.t(a int);
INSERT INTO one.t VALUES (1);
"""
POINTS = """
CREATE TABLE "a.b"(x int);
CREATE SCHEMA "s.t";
CREATE TABLE "s.t".u(x int);
CREATE TABLE log(x int);
"""
TRIGGERS = """
CREATE TABLE t(a int);
CREATE TABLE seen(a int);
CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN INSERT INTO seen VALUES (NEW.a); RETURN NEW; END';
CREATE TRIGGER notes AFTER INSERT ON t FOR EACH ROW EXECUTE FUNCTION note();
CREATE VIEW few AS SELECT a FROM t WHERE a < 10;
"""
RAISE = "UPDATE emp SET pay = pay + 10 WHERE dept = 1"
# Verdict, gold, prediction; a case is known by its prediction.
PAIRS = [
    ("yes", RAISE, "update public.emp e set pay = 10 + e.pay where dept < 2"),
    ("no", RAISE, "UPDATE emp SET pay = pay + 10 WHERE dept = 2"),
    ("no", RAISE, "SELECT 1"),
    ("yes", RAISE, ["BEGIN", RAISE, "COMMIT"]),
    ("no", RAISE, ["BEGIN", RAISE]),
    ("no", RAISE, ["BEGIN", RAISE, "ROLLBACK"]),
    ("no", RAISE, RAISE + "; DELETE FROM log"),
    ("yes", "DELETE FROM emp WHERE id > 1", "WITH gone AS (DELETE FROM emp WHERE id IN (2, 3) "
     "RETURNING id) SELECT count(*) FROM gone"),
    ("yes", "DELETE FROM log", "TRUNCATE log"),
    ("no", "DELETE FROM log", ["CREATE TEMP TABLE log AS SELECT 1 AS id, '' AS what",
                               "DELETE FROM log"]),
    ("yes", ["DELETE FROM emp WHERE dept = 2", "DELETE FROM dept WHERE id = 2"],
     "DELETE FROM dept WHERE id = 2"),
    ("no", "UPDATE dept SET name = 'x' WHERE id = 2",
     ["DELETE FROM dept WHERE id = 2", "INSERT INTO dept VALUES (2, 'x', 'sad')"]),
    ("yes", "INSERT INTO dept VALUES (9, 'x', NULL)",
     "INSERT INTO dept(name, id) SELECT 'x', 9 ON CONFLICT DO NOTHING"),
    ("no", "INSERT INTO dept VALUES (9, NULL, 'sad')", "INSERT INTO dept VALUES (9, '', 'sad')"),
    ("yes", "UPDATE dept SET name = 'x' WHERE id = 1", "INSERT INTO dept VALUES (1, 'x') "
     "ON CONFLICT (id) DO UPDATE SET name = excluded.name"),
    ("yes", "UPDATE dept SET name = 'x' WHERE id = 1", "MERGE INTO dept USING (SELECT 1 AS i) v "
     "ON i = dept.id WHEN MATCHED THEN UPDATE SET name = 'x'"),
    ("yes", "DELETE FROM emp WHERE id = 1 RETURNING name",
     "DELETE FROM emp WHERE id < 2 RETURNING name"),
    ("no", "DELETE FROM emp WHERE id = 1 RETURNING name",
     "DELETE FROM emp WHERE id = 1 RETURNING pay"),
    ("yes", "INSERT INTO log(what) VALUES ('a')", "INSERT INTO log VALUES (DEFAULT, 'a')"),
    ("no", "INSERT INTO log(what) VALUES ('a')", "INSERT INTO log(what) VALUES ('a'), ('a')"),
    ("no", "TRUNCATE child", "TRUNCATE emp CASCADE"),
    ("yes", "CREATE TABLE n(a int PRIMARY KEY, b varchar(9) NOT NULL)",
     "create table N (a integer, b character varying(9) not null, primary key (a))"),
    ("no", "CREATE TABLE n(a int, b text)", "CREATE TABLE n(a int, b varchar)"),
    ("no", "CREATE TABLE n(a int)", "CREATE TABLE n(a int NOT NULL)"),
    ("no", "CREATE TABLE n(a int)", "CREATE TABLE n(a int DEFAULT 1)"),
    ("no", "CREATE TABLE n(a int CHECK (a > 0))", "CREATE TABLE n(a int CHECK (a >= 0))"),
    ("no", "CREATE TABLE n(a int REFERENCES dept)", "CREATE TABLE n(a int UNIQUE)"),
    ("no", "CREATE TABLE n(a int)", 'CREATE TABLE "N"(a int)'),
    ("yes", "CREATE TABLE n AS SELECT id FROM emp", "CREATE TABLE n AS TABLE emp; "
     "ALTER TABLE n DROP name, DROP dept, DROP pay, DROP twice"),
    ("unknown", "CREATE TABLE n AS SELECT id FROM emp", "SELECT id INTO n FROM emp"),
    ("no", "CREATE TABLE n AS SELECT id FROM emp", "CREATE TABLE n AS SELECT dept AS id FROM emp"),
    ("yes", "ALTER TABLE log ADD COLUMN note text", "ALTER TABLE log ADD note text DEFAULT NULL"),
    ("no", "ALTER TABLE emp DROP COLUMN pay CASCADE", "ALTER TABLE emp DROP COLUMN name"),
    ("yes", "CREATE INDEX i ON emp(dept)", "CREATE INDEX CONCURRENTLY by_dept ON emp (dept)"),
    ("no", "CREATE INDEX i ON emp(dept)", "CREATE UNIQUE INDEX i ON emp(dept, id)"),
    ("yes", "CREATE VIEW v AS SELECT id FROM emp", "CREATE VIEW v AS SELECT emp.id FROM public.emp"),
    ("no", "CREATE VIEW v AS SELECT id FROM emp", "CREATE VIEW v AS SELECT id FROM dept"),
    ("no", "CREATE VIEW v AS SELECT id FROM emp", "CREATE MATERIALIZED VIEW v AS SELECT id FROM emp"),
    ("no", "CREATE VIEW v AS SELECT id FROM emp", "CREATE VIEW v WITH (check_option=local) AS SELECT id FROM emp"),
    ("no", "CREATE TABLE n(a int)", "CREATE TABLE n(a int) PARTITION BY RANGE (a)"),
    ("no", "CREATE TABLE n(a int)", "CREATE UNLOGGED TABLE n(a int)"),
    ("no", "CREATE TABLE n(a text)", 'CREATE TABLE n(a text COLLATE "POSIX")'),
    ("no", "CREATE TABLE n(a int)", "CREATE TABLE n(a int); ALTER TABLE n ENABLE ROW LEVEL SECURITY"),
    ("no", "CREATE SEQUENCE q", "CREATE SEQUENCE q OWNED BY emp.id"),
    ("no", "CREATE SCHEMA s", "CREATE TABLE s(a int)"),
    ("no", "CREATE TYPE p AS ENUM ('a', 'b')", "CREATE TYPE p AS ENUM ('a')"),
    ("no", "CREATE SEQUENCE q", "CREATE SEQUENCE q START 2"),
    ("no", "DROP TABLE child", "DROP TABLE log"),
    ("no", "DELETE FROM log WHERE id = 9",
     "ALTER SCHEMA one RENAME TO x; ALTER SCHEMA two RENAME TO one; ALTER SCHEMA x RENAME TO two"),
    ("no", RAISE, "UPDATE emp SET pay = -1"),
    ("no", RAISE, "UPDATE emp SET nothing = 1"),
    ("unknown", "UPDATE emp SET nothing = 1", RAISE),
    ("unknown", "INSERT INTO log(what) VALUES (now()::text)", "INSERT INTO log(what) SELECT current_timestamp"),
    ("yes", "INSERT INTO log(what) SELECT (random() * 1e9)::int::text",
     "INSERT INTO log(what) VALUES (((random() * 1e9)::int)::text)"),
]
# Of the database with a trigger, a view and functions of its own.
FAR = [
    ("no", "INSERT INTO t VALUES (1)", "INSERT INTO t VALUES (1); DELETE FROM seen"),
    ("yes", "INSERT INTO t VALUES (1)", "INSERT INTO few VALUES (1)"),
    ("no", "SELECT 1", ["INSERT INTO few VALUES (1)", "DROP VIEW few"]),
    ("no", "DELETE FROM t", ["INSERT INTO t VALUES (1)", "DROP TRIGGER notes ON t", "DELETE FROM t"]),
]
# Of the database whose names have points in them: which table is meant is not known.
NAMES = [
    ("unknown", 'INSERT INTO "a.b" VALUES (1)', "DELETE FROM log"),
    ("unknown", 'INSERT INTO "s.t".u VALUES (1)', "DELETE FROM log"),
    ("no", "INSERT INTO log VALUES (1)", "INSERT INTO log VALUES (2)"),
]
# What must not be run; nothing of it shows on the server.
HOSTILE = """
DROP DATABASE bystander | ALTER DATABASE bystander RENAME TO b | CREATE DATABASE mine
COMMENT ON DATABASE bystander IS 'x' | COMMENT ON ROLE assay IS 'x' | CREATE ROLE r
ALTER ROLE assay SET search_path = x | ALTER ROLE assay SUPERUSER | DROP ROLE assay
GRANT ALL ON emp TO PUBLIC | ALTER SYSTEM SET work_mem = '1GB' | SET work_mem = '1GB' | SET ROLE postgres
RESET ALL | DISCARD ALL | COPY emp TO 'FOLDER/made' | COPY emp TO PROGRAM 'touch FOLDER/made'
COPY emp FROM '/etc/passwd' | COPY emp TO STDOUT | DO $$ BEGIN PERFORM 1; END $$ | CALL f()
CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1' | CREATE EXTENSION dblink
CREATE TRIGGER g AFTER INSERT ON emp EXECUTE FUNCTION suppress_redundant_updates_trigger()
CREATE RULE r AS ON INSERT TO emp DO ALSO DELETE FROM log | CREATE EVENT TRIGGER e ON ddl_command_end EXECUTE FUNCTION f()
CREATE PUBLICATION p | CREATE SUBSCRIPTION s CONNECTION 'host=x' PUBLICATION p | CREATE SERVER s FOREIGN DATA WRAPPER w
CREATE FOREIGN TABLE f(a int) SERVER s | CREATE TABLESPACE t LOCATION 'FOLDER' | CREATE CAST (int AS text) WITH INOUT
CREATE DOMAIN d AS int CHECK (pg_sleep(1) IS NULL) | CREATE OPERATOR = (FUNCTION = texteq, LEFTARG = text)
LISTEN x | NOTIFY x | LOCK TABLE emp | VACUUM | CHECKPOINT | CLUSTER | REINDEX TABLE emp | LOAD 'x' | PREPARE p AS DELETE FROM emp
EXPLAIN ANALYZE DELETE FROM emp | SECURITY LABEL ON TABLE emp IS 'x' | REASSIGN OWNED BY assay TO postgres | DROP OWNED BY assay
INSERT INTO log(what) SELECT pg_read_file('PG_VERSION') | INSERT INTO log(what) SELECT lo_import('/etc/passwd')::text
UPDATE emp SET name = set_config('work_mem', '1GB', false) | INSERT INTO log SELECT pg_terminate_backend(1)::int
INSERT INTO log(what) SELECT passwd FROM pg_shadow | DELETE FROM pg_catalog.pg_class | SELECT pg_notify('a', 'b')
SELECT setseed(0.5) | SELECT pg_advisory_lock(1) | CREATE VIEW v AS SELECT pg_ls_dir('.') | SELECT query_to_xml('DELETE FROM emp', true, true, '')
CREATE TABLE n(a text DEFAULT pg_read_file('PG_VERSION')) | CREATE INDEX i ON emp(lo_create(id)) | PREPARE TRANSACTION 'x'
SELECT dblink_exec('dbname=bystander', 'DROP TABLE kept') | UPDATE bystander.public.kept SET a = 2
INSERT INTO log SELECT pg_sleep(9)::text::int | INSERT INTO log(id) SELECT i FROM generate_series(1, 100000000000) i
"""


def sql(text, base="postgres"):
    return subprocess.run([os.environ["PG_BIN"] + "/psql", "-qAtX", "-v", "ON_ERROR_STOP=1", base],
                          input=text, text=True, check=True, stdout=subprocess.PIPE).stdout


def server():
    """What is there, but for the tables of one's own."""
    return sql("SELECT datname, shobj_description(oid, 'pg_database') FROM pg_database ORDER BY 1;"
               "SELECT rolname, rolsuper, shobj_description(oid, 'pg_authid') FROM pg_roles ORDER BY 1;"
               "SELECT setdatabase, setconfig FROM pg_db_role_setting; SELECT spcname FROM pg_tablespace;"
               "SELECT gid FROM pg_prepared_xacts") + sql("SELECT * FROM kept", "bystander")


class Report:
    """Numbered lines of TAP."""

    def __init__(self):
        self.count = 0

    def check(self, what, is_well, why=""):
        self.count += 1
        print(f"{'ok' if is_well else 'not ok'} {self.count} - {what}")
        if not is_well:
            print(re.sub("^", "# ", str(why), flags=re.M))


def main():
    assay = sys.argv[1]
    report = Report()
    # It belongs to the role that scripts run as, who could drop it.
    sql("CREATE DATABASE bystander OWNER assay")
    sql("CREATE TABLE kept(a int); INSERT INTO kept VALUES (1); ALTER TABLE kept OWNER TO assay", "bystander")
    before = server()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # clean up
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        work.chmod(0o777)
        hostile = [("unknown", s.strip().replace("FOLDER", str(work)), RAISE)
                   for s in re.split(r"[|\n]", HOSTILE.strip())]
        (work / "dumps").mkdir()
        (work / "dumps/d.sql").write_text(DUMP)
        (work / "dumps/far.sql").write_text(TRIGGERS)
        (work / "dumps/points.sql").write_text(POINTS)
        cases = [("d", *p) for p in PAIRS + hostile] + [("far", *p) for p in FAR]
        cases += [("points", *p) for p in NAMES]
        (work / "cases.jsonl").write_text("".join(json.dumps(
            {"id": str(i), "db": db, "gold": gold, "pred": pred}) + "\n"
            for i, (db, want, gold, pred) in enumerate(cases)))

        def score(url, *more):
            ran = subprocess.run(
                [assay, "score", "--gold", work / "cases.jsonl", "--db", url, "--metrics", "state", "-q", "--force",
                 "--timeout", "4", "--out", work / "out.jsonl", *more], stderr=subprocess.PIPE, text=True)
            lines = (work / "out.jsonl").read_text().splitlines()[1:]
            return ran, [json.loads(line)["verdicts"]["state"] for line in lines]

        url = os.environ["ASSAY_PG"]
        ran, verdicts = score(url, "--setup", work / "dumps", "--jobs", "2")
        for (_, want, gold, pred), got in zip(cases, verdicts):
            what = str(gold if want == "unknown" else pred)
            report.check(f"{what[:70]!r} is {want}", got["v"] == want, f"{gold}\n{got} {ran.stderr}")
        report.check("all are judged", len(verdicts) == len(cases))
        report.check("nothing of it stays on the server", server() == before, server())
        report.check("no file was written", not (work / "made").exists())

        first = json.dumps({"id": "1", "db": "bystander", "gold": "DELETE FROM kept", "pred": "DELETE FROM kept"})
        (work / "cases.jsonl").write_text(first)
        _, verdicts = score(url)
        report.check("a database that --setup did not make is not written to",
                     "--setup" in verdicts[0]["detail"] and server() == before, verdicts)
        (work / "dumps/bystander.sql").write_text("CREATE TABLE kept(a int);")
        _, verdicts = score(re.sub("//[^@]*@", f"//{os.environ['PGUSER']}@", url), "--setup", work / "dumps",
                            "--allow-superuser")
        report.check("a superuser runs no script", "superuser" in verdicts[0]["detail"], verdicts)

        (work / "cases.jsonl").write_text("\n".join(
            first.replace('"1"', f'"{i}"').replace("DELETE FROM kept\"}", "INSERT INTO kept SELECT i FROM "
                                                   "generate_series(1, 9000000) i\"}") for i in range(9)))
        run = subprocess.Popen([assay, "score", "--gold", work / "cases.jsonl", "--db", url, "--metrics", "state",
                                "--setup", work / "dumps", "-q", "--force", "--out", work / "out.jsonl"])
        time.sleep(2)
        run.terminate()
        run.wait()
        report.check("a run that was stopped leaves nothing", server() == before, server())

        def begin():
            """A run, and the database that its own are copied from, as soon as it is there."""
            run = subprocess.Popen([assay, "score", "--gold", work / "cases.jsonl", "--db", url, "--metrics", "state",
                                    "--jobs", "1", "--setup", work / "dumps", "-q", "--force", "--out", work / "out.jsonl"])
            model = ""
            while not model and run.poll() is None:
                model = sql("SELECT datname FROM pg_database WHERE datname LIKE 'assay_scratch_%_bystander.model'").strip()
            return run, model

        for wait in range(10):
            run, model = begin()
            time.sleep(wait / 200)
            run.terminate()
            run.wait()
        report.check("nor does one that was stopped before its workers began", server() == before, server())

        # A copy waits while somebody is connected to what is copied.
        run, model = begin()
        with subprocess.Popen([os.environ["PG_BIN"] + "/psql", "-qX", "-U", "assay", model], stdin=subprocess.PIPE,
                              stderr=subprocess.DEVNULL) as guest:
            waits = ("SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND usename = 'assay' AND"
                     f" query LIKE 'CREATE DATABASE%TEMPLATE \"{model}\"' AND now() - query_start > '0.5 s'")
            ends = time.monotonic() + 60
            while sql(waits) == "0\n" and time.monotonic() < ends:
                time.sleep(0.05)
            report.check("a worker waits for its copy", sql(waits) == "1\n")
            run.terminate()
            run.wait()
            guest.stdin.close()
        ends = time.monotonic() + 60
        while server() != before and time.monotonic() < ends:
            time.sleep(0.1)
        report.check("nor does one whose worker waited for its copy", server() == before, server())
    print(f"1..{report.count}")


main()
