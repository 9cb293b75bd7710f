#!/usr/bin/env python3
"""servers_defog.py ASSAY postgres|mariadb|sqlite - Defog's questions.

    tests/servers/with_postgres.sh tests/servers/servers_defog.py build/assay postgres
    tests/servers/with_mariadb.sh tests/servers/servers_defog.py build/assay mariadb
    tests/servers/servers_defog.py build/assay sqlite

Every gold against its own first variant must be right, and the table by category
of each file is printed; so it must be as `assay fmt` lays that out. On PostgreSQL
the recorded transformations of the golds must be judged as their labels say, and
where the verdict on a recorded answer of a model is another than that of a strict
comparison of bags, the reason is listed. Some
golds for MySQL 8 are none for MariaDB: those may fail, as golds. For BigQuery, T-SQL
and Snowflake there is nothing to run them on: with sqlite, it is checked that
their golds can be parsed. Needs $ASSAY_DATA (default: ../shared/data), is skipped
without it. Speaks TAP.
"""
import collections
import csv
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

ASSAY, ENGINE = sys.argv[1:3]
DATA = pathlib.Path(os.environ.get("ASSAY_DATA", "../shared/data")) / "defog"
HERE = pathlib.Path(__file__).resolve().parent
NAMES = {"postgres": "postgres", "mariadb": "mysql", "sqlite": "sqlite"}
ONLY_PARSED = ["bigquery", "tsql", "snowflake"]
# An alias of an aggregate inside an expression of ORDER BY, and a function.
ONLY_MYSQL = ["not supported (reference to group function)",
              "REGEXP_LIKE does not exist"]
DAY = "2026-11-20"
NOW = ["--now", DAY + "T12:00:00"]


def first_variant(gold):
    """The gold without braces: all items of a choice."""
    sql = gold.strip().split(";")[0]
    while "{" in sql:
        left, rest = sql.split("{", 1)
        items, right = rest.split("}", 1)
        sql = left + items + right.replace("{}", items)
    return sql


def files(dialect):
    return sorted((DATA / "questions").glob(f"*_{dialect}.csv"))


def questions(path):
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            yield {"db": row["db_name"], "question": row["question"],
                   "category": row["query_category"], "gold": row["query"],
                   "pred": first_variant(row["query"])}


def laid_out(sqls, dialect):
    """What `assay fmt` makes of each, on one line; empty: it cannot be read."""
    text = "".join(f"{sql}\n;\n" for sql in sqls)
    done = subprocess.run([ASSAY, "fmt", "--oneline", "-d", dialect],
                          input=text, text=True, check=False,
                          stdout=subprocess.PIPE)
    return done.stdout.splitlines()


def source():
    if ENGINE == "sqlite":
        return DATA / "database"
    return os.environ["ASSAY_" + ("PG" if ENGINE == "postgres" else "MARIADB")]


def score(cases, setup, work, *more):
    """The journal lines of the cases."""
    given, journal = work / "cases.jsonl", work / "out.jsonl"
    given.write_text("".join(json.dumps({"id": str(i), **case}) + "\n"
                             for i, case in enumerate(cases)),
                     encoding="utf-8")
    journal.unlink(missing_ok=True)
    done = subprocess.run([ASSAY, "score", "--gold", given, "--db", source(),
                           *setup, "--metrics", "exec,subset", "--out", journal,
                           *more], check=True, text=True,
                          stdout=subprocess.PIPE)
    with open(journal, encoding="utf-8") as file:
        return [json.loads(line) for line in file][1:], done.stdout


def dated_schemas(schemas):
    """Defog's schemas, whose rows count from today, as of the recording."""
    for file in (DATA / "schemas").glob("*/*.sql"):
        text = re.sub(r"\bCURRENT_DATE\b", f"DATE '{DAY}'",
                      file.read_text(encoding="utf-8"), flags=re.IGNORECASE)
        text = re.sub(r"\bNOW\s*\(\s*\)|\bCURRENT_TIMESTAMP\b",
                      f"TIMESTAMPTZ '{DAY} 12:00:00+00'", text,
                      flags=re.IGNORECASE)
        (schemas / file.parent.name).mkdir(parents=True, exist_ok=True)
        (schemas / file.parent.name / file.name).write_text(text,
                                                            encoding="utf-8")
    return schemas


def load_mariadb(dumps):
    """Databases under their own names, which golds use."""
    subprocess.run([HERE / "defog_mysql.py", DATA / "database", dumps],
                   check=True)
    client = ["mariadb", "--no-defaults", "-u", "root", "-S",
              os.environ["MARIADB_FOLDER"] + "/s"]
    for dump in sorted(dumps.glob("*.sql")):
        text = (f"CREATE DATABASE {dump.stem} CHARACTER SET utf8mb4;"
                f"USE {dump.stem};\n" + dump.read_text(encoding="utf-8"))
        subprocess.run(client, input=text, text=True, check=True)


def passes(line, *keys):
    return any(line["verdicts"][key]["v"] == "yes" for key in keys)


def same_rows(line):
    """The strict comparison passes, but for the order of rows that tie: a server
    may return those in another order each time it runs one query."""
    return passes(line, "exec:strict") or (
        line["verdicts"]["exec:strict"]["reason"] == "order_differs"
        and passes(line, "exec"))


def reasons(lines):
    """How often each status of a gold and reason of a verdict occurs."""
    count = collections.Counter(
        " ".join([line["gold_status"]]
                 + sorted({verdict.get("reason", verdict["v"])
                           for verdict in line["verdicts"].values()}))
        for line in lines if "gold_status" in line)
    return "".join(f"; {times} {why}" for why, times in count.most_common(5))


class Report:
    """Numbered lines of TAP."""
    count = 0

    def check(self, what, wrong, most=0):
        self.count += 1
        print("ok" if len(wrong) <= most else "not ok", self.count, "-", what,
              f"({len(wrong)} wrong{reasons(wrong)})")
        for line in wrong[:3]:
            print("#", line["gold"][:200], json.dumps(line["verdicts"])[:300])


def score_files(setup, work):
    """All golds against themselves; prints the table of each file."""
    cases, lines = [], []
    for path in files(NAMES[ENGINE]):
        more, said = score(list(questions(path)), setup, work, "--like",
                           "defog", *NOW)
        print(f"# {path.name}: {len(more)} golds against themselves")
        for row in said.split("\n\n")[0].splitlines():
            print("#   " + row)
        cases += questions(path)
        lines += more
    return cases, lines


def check_golds(report, setup, work):
    cases, lines = score_files(setup, work)
    foreign = [line for line in lines if ENGINE == "mariadb"
               and any(words in str(line) for words in ONLY_MYSQL)]
    report.check("golds that MySQL understands and MariaDB does not", foreign, 40)
    lines = [line for line in lines if line not in foreign]
    report.check(f"{len(lines)} golds are right by the default rules",
                 [line for line in lines if not passes(line, "exec")])
    report.check("and by Defog's",
                 [line for line in lines if not passes(line, "exec:defog")])
    golds = [case["pred"] for case in cases]
    printed = laid_out(golds, NAMES[ENGINE])
    report.check("each gold is laid out on a line",
                 [] if len(printed) == len(golds) and all(printed)
                 else [{"gold": "", "verdicts": len(printed)}])
    lines, _ = score([{**case, "gold": gold, "pred": pred}
                      for case, gold, pred in zip(cases, golds, printed)],
                     setup, work, "--rules", "strict,assay", *NOW)
    report.check("laid out, it gives the same rows",
                 [line for line in lines if line["gold_status"] == "ok"
                  and not same_rows(line)])


# A record of what such a query answered holds for the day it was made only.
READS_CLOCK = re.compile(r"\b(CURRENT_(DATE|TIME)|LOCALTIME|NOW\s*\(|AGE\s*\()"
                         r"|'(now|today|yesterday|tomorrow)'", re.IGNORECASE)


def recorded(name):
    """Pairs of the oracle that do not read the clock, and their cases."""
    with open(DATA / "oracle" / name, encoding="utf-8") as file:
        known = [json.loads(line) for line in file]
    every = len(known)
    known = [k for k in known
             if not READS_CLOCK.search(k["gold"] + " " + k["generated"])]
    print(f"# {name}: {every - len(known)} of {every} pairs left out, as they "
          "read the clock")
    return known, [{"db": k["db_name"], "question": k["question"],
                    "category": k["query_category"], "gold": k["gold"],
                    "pred": k["generated"]} for k in known]


def check_transformed(report, setup, work):
    known, cases = recorded("metamorphic.jsonl")
    lines, _ = score(cases, setup, work, "--rules", "assay,defog")
    # One row-number column asks for the opposite of the order that the
    # question asks for.
    report.check("transformed golds are judged as they should be",
                 [line for k, line in zip(known, lines)
                  if k["should_accept"] is not None
                  and passes(line, "exec", "subset") != k["should_accept"]], 1)
    report.check("rules defog do what Defog's program does",
                 [line for k, line in zip(known, lines)
                  if passes(line, "exec:defog") != bool(k["reference_exact"])])


# Why the default rules and a strict comparison of rows as bags part ways.
DISAGREEMENTS = {
    "the answer has words around its SQL, which are left out":
        lambda line: line.get("pred_note"),
    "the question asks for an order, and the answer has another":
        lambda line: line["verdicts"]["exec"].get("reason") == "order_differs",
    "a number of single precision is that of the gold to 6 digits only":
        lambda line: line["verdicts"]["exec"].get("reason") == "values_near",
}


def check_outputs(report, setup, work):
    """Answers of models: each disagreement is listed under its reason."""
    known, cases = recorded("llm_outputs.jsonl")
    there = {path.name for path in (DATA / "schemas").iterdir()}
    chosen = [i for i, case in enumerate(cases) if case["db"] in there]
    known = [known[i] for i in chosen]
    lines, _ = score([cases[i] for i in chosen], setup, work)
    apart = [line for k, line in zip(known, lines)
             if passes(line, "exec") != k["ideal_exact"]
             or passes(line, "exec", "subset") != k["ideal_subset"]]
    print(f"# {len(lines)} answers of models ({len(cases) - len(chosen)} more "
          f"ask for databases that are not there), {len(apart)} judged "
          "otherwise than by comparing bags")
    for why, explains in DISAGREEMENTS.items():
        listed = [line for line in apart if explains(line)]
        apart = [line for line in apart if not explains(line)]
        print(f"# {len(listed)}: {why}")
        for line in listed:
            verdict = line["verdicts"]["exec"]
            print(f"#   {line['db']}: exec {verdict['v']}"
                  f" {verdict.get('detail', '')}: "
                  + " ".join(line["pred"].split())[:120])
    report.check("every disagreement is explained", apart)


def check_parsed(report):
    for dialect in ONLY_PARSED:
        golds = [case["pred"] for path in files(dialect)
                 for case in questions(path)]
        printed = laid_out(golds, dialect)
        report.check(f"{len(golds)} golds for {dialect} can be parsed",
                     [{"gold": gold, "verdicts": ""}
                      for gold, line in zip(golds, printed) if not line])


def main():
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # clean up
    if not (DATA / "questions").is_dir():
        print("1..0 # SKIP no data of Defog")
        return
    report = Report()
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        setup = []
        if ENGINE == "mariadb":
            load_mariadb(work / "dumps")
        if ENGINE == "postgres":
            setup = ["--setup", dated_schemas(work / "schemas")]
        check_golds(report, setup, work)
        if ENGINE == "postgres":
            check_transformed(report, setup, work)
            check_outputs(report, setup, work)
        if ENGINE == "sqlite":
            check_parsed(report)
    print(f"1..{report.count}")


if __name__ == "__main__":
    main()
