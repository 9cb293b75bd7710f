#!/usr/bin/env python3
"""servers_defog.py ASSAY postgres|mariadb - Defog's questions on a real server.

Every gold against its own first variant must be right, also as `assay fmt` lays
that out, and on PostgreSQL the recorded transformations of the golds must be judged as their labels say. Some
golds for MySQL are none for MariaDB: those may fail, as golds. Needs $ASSAY_DATA (default: ../shared/data), is skipped without it. Speaks TAP.
"""
import csv
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

ASSAY, ENGINE = sys.argv[1:3]
DATA = pathlib.Path(os.environ.get("ASSAY_DATA", "../shared/data")) / "defog"
HERE = pathlib.Path(__file__).resolve().parent
NAMES = {"postgres": "postgres", "mariadb": "mysql"}


def first_variant(gold):
    """The gold without braces: all items of a choice."""
    sql = gold.strip().split(";")[0]
    while "{" in sql:
        left, rest = sql.split("{", 1)
        items, right = rest.split("}", 1)
        sql = left + items + right.replace("{}", items)
    return sql


def questions():
    for path in sorted((DATA / "questions").glob(f"*_{NAMES[ENGINE]}.csv")):
        with open(path, encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                yield {"db": row["db_name"], "question": row["question"],
                       "category": row["query_category"], "gold": row["query"],
                       "pred": first_variant(row["query"])}


def laid_out(sqls):
    """What `assay fmt` makes of each, on one line."""
    text = "".join(f"{sql}\n;\n" for sql in sqls)
    done = subprocess.run([ASSAY, "fmt", "--oneline", "-d", NAMES[ENGINE]],
                          input=text, text=True, check=True,
                          stdout=subprocess.PIPE)
    return done.stdout.splitlines()


def score(cases, setup, work, *more):
    """The journal lines of the cases."""
    given, journal = work / "cases.jsonl", work / "out.jsonl"
    given.write_text("".join(json.dumps({"id": str(i), **case}) + "\n"
                             for i, case in enumerate(cases)),
                     encoding="utf-8")
    journal.unlink(missing_ok=True)
    url = os.environ["ASSAY_" + ("PG" if ENGINE == "postgres" else "MARIADB")]
    subprocess.run([ASSAY, "score", "--gold", given, "--db", url, *setup,
                    "--metrics", "exec,subset", "--out", journal, "-q",
                    *more], check=True, stdout=subprocess.DEVNULL)
    with open(journal, encoding="utf-8") as file:
        return [json.loads(line) for line in file][1:]


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


class Report:
    """Numbered lines of TAP."""
    count = 0

    def check(self, what, wrong, most=0):
        self.count += 1
        print("ok" if len(wrong) <= most else "not ok", self.count, "-", what,
              f"({len(wrong)} wrong)")
        for line in wrong[:3]:
            print("#", line["gold"][:200], json.dumps(line["verdicts"])[:300])


def main():
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # clean up
    if not (DATA / "questions").is_dir():
        print("1..0 # SKIP no data of Defog")
        return
    report = Report()
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        setup = ["--setup", DATA / "schemas"]
        if ENGINE == "mariadb":
            load_mariadb(work / "dumps")
            setup = []
        cases = list(questions())
        lines = score(cases, setup, work, "--rules", "assay,defog", "--now",
                      "2026-11-20T12:00:00")
        foreign = [line for line in lines if ENGINE == "mariadb"
                   and (line["gold_status"] != "ok"
                        or line["pred_status"] == "invalid_query")]
        report.check("golds are of another dialect", foreign, 40)
        lines = [line for line in lines if line not in foreign]
        report.check(f"{len(lines)} golds are right by the default rules",
                     [line for line in lines if not passes(line, "exec")])
        report.check("and by Defog's",
                     [line for line in lines if not passes(line, "exec:defog")])
        golds = [case["pred"] for case in cases]
        printed = laid_out(golds)
        report.check("each gold is laid out on a line",
                     [] if len(printed) == len(golds)
                     else [{"gold": "", "verdicts": len(printed)}])
        lines = score([{**case, "gold": gold, "pred": pred}
                       for case, gold, pred in zip(cases, golds, printed)],
                      setup, work, "--rules", "strict")
        report.check("laid out, it gives the same rows",
                     [line for line in lines if line["gold_status"] == "ok"
                      and not passes(line, "exec:strict")])
        if ENGINE == "postgres":
            with open(DATA / "oracle/metamorphic.jsonl",
                      encoding="utf-8") as file:
                known = [json.loads(line) for line in file]
            cases = [{"db": k["db_name"], "question": k["question"],
                      "category": k["query_category"], "gold": k["gold"],
                      "pred": k["generated"]} for k in known]
            lines = score(cases, setup, work, "--rules", "assay,defog")
            # Row 59 depends on the time of day; one row-number column asks for
            # the opposite of the order that the question asks for.
            report.check("transformed golds are judged as they should be",
                         [line for k, line in zip(known, lines)
                          if k["should_accept"] is not None
                          and passes(line, "exec", "subset")
                          != k["should_accept"]], 2)
            report.check("rules defog do what Defog's program does",
                         [line for k, line in zip(known, lines)
                          if passes(line, "exec:defog")
                          != bool(k["reference_exact"])], 3)
    print(f"1..{report.count}")


if __name__ == "__main__":
    main()
