#!/usr/bin/env python3
"""hostile_files.py ASSAY [--long] [--seed N] - files that mean harm.

    dumps/*.sql     opened as --db
    schemas/*.sql   read as --schema of a check that has to try databases
    images          SQLite files, broken by dice: 200 of them, with --long 2,000
    inputs          golds, predictions, pairs and journals, made below

The first line of a dump or schema says what it must end as: the exit code and
words of the output, several apart by `|`; those of an input stand beside it. No
program may end by a signal, stop later than LATEST seconds, take more memory than
MOST_MB, change the canary that lies beside the files, or print what is in it.
Speaks TAP.
"""
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SECRET = "canary-5f2c"
LATEST = 60
MOST_MB = 3000
CASE = '{"id": "1", "gold": "SELECT count(*) FROM t", "pred": "SELECT 1"}\n'
QUERIES = ["SELECT x FROM t", "SELECT x FROM t WHERE x IS NOT NULL"]


class Report:
    """TAP, one line a file."""
    count = 0

    def check(self, title, wrong):
        self.count += 1
        print(f"{'not ' if wrong else ''}ok {self.count} - {title}")
        for line in wrong:
            print(f"# {line[:300]}")


def limit():
    """For the program that is run: no core, so that it is no file of ours."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(assay, *args, timeout=LATEST):
    """Exit code and output; the code is None for a program that did not end."""
    with subprocess.Popen([assay, *map(str, args)], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          preexec_fn=limit, start_new_session=True) as p:
        try:
            out, _ = p.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            os.killpg(p.pid, signal.SIGKILL)
            p.communicate()
            return None, ""
    return p.returncode, out.decode("utf-8", "replace")


def misfits(want, code, out):
    """What is not as it must be; `want` is the line of a file."""
    wrong = []
    if code is None:
        wrong.append(f"ran for more than {LATEST} s")
    elif code < 0 or code > 128:
        wrong.append(f"ended by a signal: {code}")
    fits = False
    for one in want.split("|"):
        exit_code, _, words = one.strip().partition(" ")
        fits |= str(code) == exit_code and words in out
    if not fits:
        wrong.append(f"wanted {want}, got {code}: {out[-250:]!r}")
    if SECRET in out:
        wrong.append("what is in the canary was printed")
    return wrong


def score(assay, *args):
    return run(assay, "score", "--metrics", "exec", "-q", "--no-times", "--out", "-",
               "--timeout", "3", "--jobs", "2", *args)


def wanted(path):
    """The first line of a dump or a schema."""
    return path.read_text(encoding="utf-8").split("\n")[0].partition("want: ")[2]


def play_dumps(report, assay):
    for path in sorted((HERE / "dumps").glob("*.sql")):
        shutil.copy(path, "dump.sql")
        code, out = score(assay, "--gold", "gold.jsonl", "--db", "dump.sql")
        report.check(f"dump {path.stem}", misfits(wanted(path), code, out))


def play_schemas(report, assay):
    for path in sorted((HERE / "schemas").glob("*.sql")):
        shutil.copy(path, "schema.sql")
        code, out = run(assay, "check", "--schema", "schema.sql", *QUERIES,
                        "--seconds", "5", "--solver", "none")
        report.check(f"schema {path.stem}", misfits(wanted(path), code, out))


def base_image():
    """A database with some of everything, as bytes."""
    pathlib.Path("base.sqlite").unlink(missing_ok=True)
    base = sqlite3.connect("base.sqlite")
    base.executescript("""
        CREATE TABLE t(x INTEGER PRIMARY KEY, y TEXT, z BLOB);
        CREATE TABLE w(a TEXT, b INT, PRIMARY KEY (a, b)) WITHOUT ROWID;
        CREATE INDEX i ON t(y, x);
        CREATE VIEW v AS SELECT y, count(*) AS n FROM t GROUP BY y;
        WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 400)
        INSERT INTO t SELECT i, 'text ' || i % 7, zeroblob(i * 13 % 500) FROM r;
        INSERT INTO w SELECT y, x FROM t;
        DELETE FROM t WHERE x % 5 = 0;""")
    base.close()
    return pathlib.Path("base.sqlite").read_bytes()


def broken(image, dice):
    """The image with a few things wrong."""
    data = bytearray(image)
    how = dice.randrange(6)
    if how == 0:
        del data[dice.randrange(len(data)):]
    elif how == 1:
        data[:100] = bytes(dice.choice((0, 1, 127, 255, b)) if dice.random() < .1 else b
                           for b in data[:100])
    elif how == 2:
        at = dice.randrange(0, len(data), 4096)
        to = dice.randrange(0, len(data), 4096)
        data[to:to + 4096] = data[at:at + 4096]
    else:
        for _ in range(dice.choice((1, 4, 40))):
            # Headers of pages and of the file weigh more than their bytes do.
            at = dice.randrange(0, len(data), 4096) + dice.choice(
                (dice.randrange(12), dice.randrange(4096), dice.randrange(200)))
            if at < len(data):
                data[at] = dice.choice((0, 1, 127, 128, 255, dice.randrange(256)))
    return bytes(data)


def play_images(report, assay, n, seed):
    """All as databases of one run, and beside them one that is whole."""
    dice = random.Random(seed)
    image = base_image()
    folder = pathlib.Path("images")
    folder.mkdir()
    cases = []
    for i in range(n):
        (folder / f"d{i}.sqlite").write_bytes(broken(image, dice))
        for gold in ("SELECT count(*), sum(x), max(y) FROM t WHERE y > 'text 3'",
                     "SELECT y, n FROM v", "SELECT b FROM w WHERE a = 'text 1'"):
            cases.append({"id": f"{i}-{len(cases)}", "db_id": f"d{i}", "gold": gold,
                          "pred": gold.replace("x", "x + 0")})
    (folder / "whole.sqlite").write_bytes(image)
    cases += [{"id": f"whole{i}", "db_id": "whole", "gold": "SELECT count(*) FROM t",
               "pred": "SELECT 320"} for i in range(10)]
    dice.shuffle(cases)
    pathlib.Path("images.jsonl").write_text("".join(json.dumps(c) + "\n" for c in cases),
                                            encoding="utf-8")
    code, out = run(assay, "score", "--gold", "images.jsonl", "--db", "images",
                    "--metrics", "exec", "-q", "--no-times", "--out", "images.out",
                    "--timeout", "3", timeout=60 + n)
    wrong = misfits("0|3", code, out)
    lines = []
    if pathlib.Path("images.out").exists():
        lines = [json.loads(line) for line in open("images.out", encoding="utf-8")][1:]
    got = {line["id"]: line["verdicts"]["exec"]["v"] for line in lines if "id" in line}
    if len(got) != len(cases):
        wrong.append(f"{len(got)} verdicts of {len(cases)}")
    wrong += [f"the whole database: {got.get(f'whole{i}')}" for i in range(10)
              if got.get(f"whole{i}") != "yes"]
    report.check(f"{n} broken images, seed {seed}", wrong)


def write(name, data):
    if isinstance(data, str):
        data = data.encode("utf-8")
    pathlib.Path(name).write_bytes(data)


def line(**fields):
    return json.dumps({"id": "1", "gold": "SELECT x FROM t", "pred": "SELECT x FROM t",
                       **fields}) + "\n"


def pair(**fields):
    return json.dumps({"id": "1", "left": QUERIES[0], "right": QUERIES[1],
                       **fields}) + "\n"


# Golds with predictions: name, bytes, what score must end as.
GOLDS = [
    ("NUL in a query", line(pred="SELECT x FROM t\0; DROP TABLE t"), "0 NUL"),
    ("NUL bytes all over", b"\0" * 5000, "3"),
    ("a line of 3 MB", line(pred="SELECT " + "1," * 1500000 + "1"), "0 too_long"),
    ("3 MB of semicolons", line(pred="SELECT x FROM t" + ";" * 3000000),
     "0 too_long|0 \"v\""),
    ("100,000 brackets", "[" * 100000, "3"),
    ("objects 50,000 deep", '{"id":' * 50000, "3"),
    ("a depth below a field", '{"id": "1", "gold": "SELECT 1", "x": '
     + "[" * 100000 + "]" * 100000 + "}\n", "3|0"),
    ("an object that does not end", '{"id": "1", "gold": "SELECT', "3"),
    ("a number too large", '{"id": 1e99999, "gold": "SELECT 1", "pred": "SELECT 1"}\n',
     "0|3"),
    ("half a surrogate", '{"id": "1", "gold": "SELECT \'\\ud800\'", "pred": "SELECT 1"}\n',
     "0|3"),
    ("a field twice", '{"id": "1", "gold": "SELECT 1", "gold": "SELECT 2", '
     '"pred": "SELECT 1"}\n', "0|3"),
    ("UTF-16", line().encode("utf-16"), "0"),
    ("Latin-1", line(gold="SELECT '\u00e9' FROM t").encode("utf-8")
     .decode("unicode_escape").encode("latin-1", "replace"), "0|3"),
    ("bytes that are no text", bytes(range(128, 256)) * 50, "3"),
    ("nothing", b"", "3"),
    ("blank lines only", "\n\n\n", "3"),
    ("a byte order mark only", b"\xef\xbb\xbf", "3"),
    ("a database above the folder", line(db_id="../canary"), "3|0 no_database"),
    ("a database by its path", line(db_id="/etc/passwd"), "3|0 no_database"),
    ("a database with a NUL", line(db_id="t\0x"), "3|0 no_database"),
    ("an id of 1 MB", line(id="i" * 1000000), "0 \"v\""),
    ("an id that moves the cursor", line(id="\x1b[2J\x1b]0;x\x07"), "0 \"v\""),
    ("20,000 times one id", line() * 20000, "3|0"),
    ("a comment that is not closed", line(pred="SELECT x FROM t /*" + "/*" * 50000),
     "0 \"v\""),
    ("200,000 quotes", line(pred="SELECT x FROM t WHERE x = " + "'" * 200000),
     "0 \"v\""),
    ("100,000 parentheses", line(pred="SELECT " + "(" * 100000), "0 \"v\""),
    ("a gold of 50,000 braces", line(gold="SELECT {" + "a," * 50000 + "b} FROM t"),
     "0|3"),
    ("braces in braces", line(gold="SELECT " + "{a," * 3000 + "}" * 3000), "0|3"),
    ("CSV of 20,000 columns", ",".join(f"c{i}" for i in range(20000)) + "\n" + "1," * 20000,
     "2|3"),
    ("CSV with a quote that is open", 'id,gold,pred\n1,"SELECT 1,SELECT 1\n' * 3000,
     "0|2|3"),
]

# Pairs: name, bytes, what check must end as.
PAIRS = [
    ("a schema above the folder", pair(schema="../canary"), "0 missing_rows"),
    ("a schema by its path", pair(schema="/etc/passwd"), "3 cannot be read as CREATE"),
    ("a schema behind a link", pair(schema="link.sql"), "0 missing_rows"),
    ("a schema above the folder, misspelt", pair(schema="../broken"),
     "3 cannot be read as CREATE statements"),
    ("a schema that is a pipe", pair(schema="pipe"), "3"),
    ("a schema that is a device", pair(schema="/dev/zero"), "3"),
    ("a schema that is a folder", pair(schema="."), "3"),
    ("a schema that is itself a link to itself", pair(schema="loop.sql"), "3"),
    ("a database above the folder", pair(db="../canary"), "3 is outside"),
    ("100,000 brackets", "[" * 100000, "3"),
    ("a ddl of 2 MB", pair(ddl="CREATE TABLE t(x INTEGER);" * 80000), "0 missing_rows"),
    ("a ddl of 3,000 columns", pair(ddl="CREATE TABLE t(x INTEGER, "
     + ", ".join(f"c{i} TEXT" for i in range(3000)) + ");"), "0|1|3|4"),
    ("a ddl of 10,000 parentheses", pair(ddl="CREATE TABLE t(x INTEGER CHECK "
     + "(" * 10000 + "x" + ")" * 10000 + ");"), "0|1|3|4"),
    ("a NUL in a query", pair(left="SELECT x FROM t\0", ddl="CREATE TABLE t(x);"),
     "0|1|3|4"),
    ("29 levels of CTE", pair(ddl="CREATE TABLE t(x);", left="WITH c0 AS (SELECT x FROM t), "
     + ", ".join(f"c{i} AS (SELECT a.x FROM c{i - 1} a, c{i - 1} b)" for i in range(1, 30))
     + " SELECT x FROM c29"), "0|1|4"),
    ("40 views on top of each other", pair(ddl="CREATE TABLE t(x);CREATE VIEW v0 AS SELECT x"
     " FROM t;" + "".join(f"CREATE VIEW v{i} AS SELECT a.x FROM v{i - 1} a, v{i - 1} b;"
                          for i in range(1, 40)), left="SELECT x FROM v39"), "0|1|4"),
]


def play_inputs(report, assay):
    for title, data, want in GOLDS:
        write("input", data)
        one = "db" if "database" in title else "db/t.sqlite"
        code, out = score(assay, "--gold", "input", "--db", one)
        report.check(f"gold: {title}", misfits(want, code, out))
    os.symlink("../canary", "link.sql")
    os.symlink("loop.sql", "loop.sql")
    os.mkfifo("pipe")
    for title, data, want in PAIRS:
        write("pairs.jsonl", data)
        code, out = run(assay, "check", "--pairs", "pairs.jsonl", "--out", "-", "--no-times",
                        "--seconds", "5", "--solver", "none", "-q")
        report.check(f"pairs: {title}", misfits(want, code, out))
    for title, args, want in (
            ("gold is a folder", ["--gold", ".", "--db", "db"], "2|3"),
            ("gold is a link to itself", ["--gold", "loop.sql", "--db", "db"], "3"),
            ("gold has no end", ["--gold", "/dev/zero", "--db", "db"], "3"),
            ("the database is a pipe", ["--gold", "gold.jsonl", "--db", "pipe"], "3"),
            ("the database is a device", ["--gold", "gold.jsonl", "--db", "/dev/zero"], "3"),
            ("the database is a link to itself", ["--gold", "gold.jsonl", "--db", "loop.sql"],
             "3"),
            ("the database is a text", ["--gold", "gold.jsonl", "--db", "gold.jsonl"], "3")):
        code, out = score(assay, *args)
        report.check(f"file: {title}", misfits(want, code, out))
    for title, data in (("brackets", "[" * 100000), ("NUL bytes", b"\0" * 1000),
                        ("a head and no lines", '{"journal":1}\n'),
                        ("lines of other types", '{"journal":1}\n{"run":[],"id":{},'
                         '"verdicts":"x"}\n'),
                        ("another version", '{"journal":99999999999999999999}\n')):
        write("journal", data)
        for command in ("show", "compare"):
            code, out = run(assay, command, *["journal"] * (1 + (command == "compare")))
            report.check(f"journal of {title}: {command}", misfits("0|1|2|3", code, out))
    os.symlink("../canary", "taken.jsonl.part")
    code, out = run(assay, "score", "--gold", "gold.jsonl", "--db", "db/t.sqlite", "--metrics", "exec",
                    "-q", "--out", "taken.jsonl")
    report.check("OUT.part is a link", misfits("0|3", code, out))


def main():
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # clean up
    assay = str(pathlib.Path(sys.argv[1]).resolve())
    is_long = "--long" in sys.argv
    seed = int(sys.argv[sys.argv.index("--seed") + 1]) if "--seed" in sys.argv else 1122
    report = Report()
    with tempfile.TemporaryDirectory() as above:
        canary = pathlib.Path(above) / "canary"
        canary.write_text(f"CREATE TABLE t(x); -- {SECRET}\n", encoding="utf-8")
        (pathlib.Path(above) / "broken").write_text(f"CREATE TABLE t {SECRET}\n",
                                                    encoding="utf-8")
        work = pathlib.Path(above) / "work"
        work.mkdir()
        os.chdir(work)
        write("gold.jsonl", CASE)
        (work / "db").mkdir()
        base = sqlite3.connect("db/t.sqlite")
        base.executescript("CREATE TABLE t(x INTEGER); INSERT INTO t VALUES (1)")
        base.close()
        play_dumps(report, assay)
        play_schemas(report, assay)
        play_images(report, assay, 2000 if is_long else 200, seed)
        play_inputs(report, assay)
        changed = canary.read_text(encoding="utf-8") != f"CREATE TABLE t(x); -- {SECRET}\n"
        beside = sorted(os.listdir(above))
        report.check("nothing changed beside the folder",
                     [str(beside)] if changed or beside != ["broken", "canary", "work"] else [])
        stolen = [name for name in os.listdir(work) if "stolen" in name]
        report.check("no file was made that an attack asked for", stolen)
        most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
        report.check(f"memory below {MOST_MB} MB",
                     [f"{most} MB"] if most > MOST_MB else [])
        os.chdir("/")
    print(f"1..{report.count}")


if __name__ == "__main__":
    main()
