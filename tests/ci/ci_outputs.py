#!/usr/bin/env python3
"""ci_outputs.py ASSAY - hostile journals through the formats for CI servers.

JUnit XML must be well-formed, of the form of junit.xsd (checked where xmllint
is installed) and give texts back; a workflow command of GitHub must stay one
line and one command; no cell of CSV may be a formula; SARIF must be JSON. Prints TAP.
"""
import csv
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

ASSAY = os.path.abspath(sys.argv[1])
SCHEMA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "junit.xsd")

# What they must look like where they are shown; None: as they are.
HOSTILE = {
    "</failure></testcase>": None,
    "]]><![CDATA[x": None,
    '"><script>alert(1)</script>': None,
    "&amp; &#0; &bogus;": None,
    "\x00\x01\x1b[31m\x7f": "\\x00\\x01\\x1b[31m\\x7f",
    "\u202eabc\u2066": "\\u202eabc\\u2066",
    "\ufffe\uffff": "\\ufffe\\uffff",
    "\U0001f600 \u5b57 e\u0301": None,
    "a%0A::error::b": None,
    "::stop-commands::x": None,
    "=1+1": None,
    "+cmd|' /C calc'!A0": None,
    "-2+3": None,
    "-3": None,
    "@SUM(1)": None,
    "| a | `b` | <b>": None,
}
BIG = "x" * (1 << 20)
n = 0
failed = 0


def check(holds, what):
    global n, failed
    n += 1
    failed += not holds
    print(f"{'ok' if holds else 'not ok'} {n} - {what}")


def line(number, text, v, reason):
    return {"run": f"r {text}", "id": f"{number} {text}", "db": text, "hardness": text,
            "question": text, "gold": f"SELECT '{text}'", "pred": f"SELECT 1 -- {text}",
            "verdicts": {"exec": {"v": v, "reason": reason, "detail": text},
                         "string": {"v": "yes"}},
            "gold_status": "ok", "pred_status": "ok", "line": number + 1, "pred_ms": 1.5}


def journal():
    head = {"journal": 1, "gold": {"file": "a,b:c%\n.json", "hash": "1"}, "runs": {}}
    lines = [head]
    for i, text in enumerate([*HOSTILE, BIG]):
        lines.append(line(i, text, "unknown" if i % 5 == 4 else "no", "rows_differ"))
    return "".join(json.dumps(x) + "\n" for x in lines)


def report(folder, fmt):
    done = subprocess.run([ASSAY, "report", "hostile.jsonl", "--format", fmt], cwd=folder,
                          capture_output=True, check=False, timeout=120)
    check(done.returncode == 0 and not done.stderr, f"{fmt}: {done.stderr[:200]}")
    return done.stdout


def check_junit(folder):
    text = report(folder, "junit")
    with open(os.path.join(folder, "j.xml"), "wb") as f:
        f.write(text)
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as e:
        check(False, f"junit is well-formed: {e}")
        return
    check(True, "junit is well-formed")
    if shutil.which("xmllint"):
        done = subprocess.run(["xmllint", "--noout", "--schema", SCHEMA, "j.xml"], cwd=folder,
                              capture_output=True, check=False)
        check(done.returncode == 0, f"junit is of its schema {done.stderr[:300]}")
    else:
        print("# xmllint is not installed: the schema was not checked")
    cases = [c for c in root.iter("testcase") if c.get("classname").endswith(".exec")]
    wanted = [f"{i} {shown or text}" for i, (text, shown) in enumerate(HOSTILE.items())]
    check([c.get("name") for c in cases][:-1] == wanted, "junit: names come back")
    questions = [c.find("failure").text for c in cases if c.find("failure") is not None]
    check(all(any((shown or text) in q for q in questions)
              for i, (text, shown) in enumerate(HOSTILE.items()) if i % 5 != 4),
          "junit: the evidence has the question")
    check(len(cases[-1].find("failure").text) < 100_000, "junit: a long evidence is cut")
    for count in ("tests", "failures"):
        check(int(root.get(count)) == sum(int(s.get(count)) for s in root),
              f"junit: {count} of the suites make the sum")
    n_failures = sum(1 for _ in root.iter("failure"))
    n_skipped = sum(1 for _ in root.iter("skipped"))
    check((n_failures, n_skipped) == (14, 3), "junit: a no fails, an unknown is skipped")


def check_github(folder):
    text = report(folder, "github").decode()
    lines = text.split("\n")[:-1]
    check(len(lines) == 10 + 3 + 1, f"github: ten errors, three warnings, the rest: {len(lines)}")
    check(all(x.startswith(("::error file=a%2Cb%3Ac%25\\n.json,line=",
                            "::warning file=a%2Cb%3Ac%25\\n.json,line=", "::notice "))
              for x in lines), "github: each line is one command at its place")
    check(not any(c in text for c in "\x00\x1b\r\u202e"), "github: no control characters")
    check(any("a%250A::error::b" in x for x in lines), "github: a percent sign is encoded")


def check_csv(folder):
    csv.field_size_limit(1 << 24)
    rows = list(csv.reader(io.StringIO(report(folder, "csv").decode(), newline="")))
    check(all(len(r) == len(rows[0]) for r in rows), "csv: each row has all cells")

    def is_formula(cell):
        try:
            float(cell)
        except ValueError:
            return cell[:1] in "=+-@\t\r" and cell != ""
        return False

    check(not any(is_formula(c) for r in rows for c in r), "csv: no cell is a formula")
    check(any(r[2] == "-3" for r in rows), "csv: a number stays a number")


def check_markdown(folder):
    text = report(folder, "markdown").decode()
    check(not any(c in text for c in "\x00\x1b\r"), "markdown: no control characters")
    check("<script>" not in text and "<b>" not in text, "markdown: no HTML")
    tables = [x for x in text.split("\n") if x.startswith("|")]
    check(len(tables) > 10 and not any(x.count("|") - x.count("\\|") < 3 for x in tables),
          "markdown: rows of tables are whole")


def check_sarif(folder):
    with open(os.path.join(folder, "golds.jsonl"), "w", encoding="utf-8") as f:
        for i, text in enumerate([*HOSTILE, BIG]):
            if "\x00" not in text:
                f.write(json.dumps({"id": f"{i} {text}", "gold": "SELECT nothing",
                                    "question": text}, ensure_ascii=False) + "\n")
    with open(os.path.join(folder, "t.sql"), "w", encoding="utf-8") as f:
        f.write("CREATE TABLE t (a);")
    done = subprocess.run([ASSAY, "lint", "--gold", "golds.jsonl", "--db", "t.sql",
                           "--format", "sarif"], cwd=folder, capture_output=True,
                          check=False, timeout=120)
    check(done.returncode == 1, f"sarif: {done.stderr[:200]}")
    run = json.loads(done.stdout)["runs"][0]
    rules = [r["id"] for r in run["tool"]["driver"]["rules"]]
    results = run["results"]
    check(len(results) == len(HOSTILE), "sarif: a result each")
    check(all(rules[r["ruleIndex"]] == r["ruleId"] and r["level"] == "error" for r in results),
          "sarif: each result has its rule")
    lines = [r["locations"][0]["physicalLocation"]["region"]["startLine"] for r in results]
    check(lines == list(range(1, len(lines) + 1)), "sarif: each at its line")
    check(len({json.dumps(r["partialFingerprints"]) for r in results}) == len(results),
          "sarif: fingerprints differ")


def check_svg(folder):
    with open(os.path.join(folder, "runs.jsonl"), "w", encoding="utf-8") as f:
        for i, text in enumerate([*HOSTILE, BIG]):
            f.write(json.dumps({"run": f"{i} {text}", "id": "1", "hardness": text, "verdicts": {
                f"m {text}": {"v": "yes"}, "exec": {"v": "no"}}}) + "\n")
    done = subprocess.run([ASSAY, "agree", "runs.jsonl", "--over-runs", "--plot", "p.svg"],
                          cwd=folder, capture_output=True, check=False, timeout=120)
    check(done.returncode == 0, f"agree: {done.stderr[:200]}")
    root = ElementTree.parse(os.path.join(folder, "p.svg")).getroot()
    titles = {t.text for t in root.iter("{http://www.w3.org/2000/svg}title")}
    wanted = {f"{i} {shown or text}" for i, (text, shown) in enumerate(HOSTILE.items())}
    check(wanted <= titles, "svg: names of runs come back")


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # removes the folder
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "hostile.jsonl"), "w", encoding="utf-8") as f:
            f.write(journal())
        check_junit(folder)
        check_github(folder)
        check_csv(folder)
        check_markdown(folder)
        check_sarif(folder)
        check_svg(folder)
    print(f"1..{n}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
