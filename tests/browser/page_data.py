#!/usr/bin/env python3
"""page_data.py ASSAY - the data in the HTML report is that of the journal.

Unpacks it without a browser, by the form that src/report/pack.h describes, and
compares all members of all lines. It compares runs where `assay compare` does.
Speaks TAP.
"""
import base64
import json
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Unpacker:
    def __init__(self):
        self.values = []
        self.shapes = []

    def keep(self, value):
        self.values.append(value)
        return value

    def read(self, x):
        if x is None or isinstance(x, bool):
            return x
        if isinstance(x, int):
            return self.values[x]
        if isinstance(x, str):
            return self.keep(x)
        first, *rest = x
        if first is True:
            return self.keep(rest[0])
        if first is None:
            return self.keep([self.read(y) for y in rest])
        if isinstance(first, list):
            self.shapes.append(first)
        keys = first if isinstance(first, list) else self.shapes[first]
        return self.keep({key: self.read(y) for key, y in zip(keys, rest)})


def unpack(page):
    block = re.search(r'id="data">([^<]*)<', page)[1]
    lines = zlib.decompress(base64.b64decode(block), -15).decode().split("\n")[:-1]
    unpacker = Unpacker()
    return [unpacker.read(json.loads(line)) for line in lines]


# What two journals differ in, the metric of both, and whether both must refuse.
DIFFERENCES = [
    ("nothing", {}, "exec", False),
    ("gold", {"gold": {"file": "dev.json", "hash": "1"}}, "exec", True),
    ("limits", {"limits": {"timeout_ms": 1}}, "exec", True),
    ("suite", {"suite": "5"}, "exec", False),
    ("suite", {"suite": "5"}, "suite", True),
    ("clock", {"clock": "2020-01-01T00:00:00Z"}, "exec", False),
    ("left_to_ask", {"left_to_ask": ["order"]}, "exec", False),
    ("left_to_ask", {"left_to_ask": ["order"]}, "pragmatic", True),
]


def write_run(path, head, metric, wrong):
    """Twelve answers of one run, in three databases."""
    base = {"journal": 1, "gold": {"file": "dev.json", "hash": "0"}, "limits": {"timeout_ms": 30000}, "suite": "4", "clock": "2026-01-01T00:00:00Z"}
    lines = [{**base, **head}]
    for i in range(12):
        verdict = {"v": "no", "reason": "missing_rows"} if i % 4 == wrong else {"v": "yes"}
        lines.append({"run": path.stem, "id": f"q{i}", "db": f"d{i % 3}", "gold": "SELECT 1", "pred": "SELECT 1", "verdicts": {metric: verdict}})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def check_compared(assay, folder):
    """The page compares two runs exactly where the command does, else gives its reason."""
    for number, (what, change, metric, refuses) in enumerate(DIFFERENCES, 5):
        one, two = folder / "one.jsonl", folder / "two.jsonl"
        write_run(one, {}, metric, 1)
        write_run(two, change, metric, 2)
        page = subprocess.run([assay, "report", one, two], check=True, capture_output=True).stdout.decode()
        said = subprocess.run([assay, "compare", one, two, "--metric", metric, "--format", "json"], check=False, capture_output=True, text=True)
        head = unpack(page)[0]
        if refuses:
            holds = said.returncode == 3 and "versus" not in head and head["not_compared"] in said.stderr and what in said.stderr
        else:
            holds = said.returncode == 0 and head["versus"]["pairs"][0]["p"] == json.loads(said.stdout)["pairs"][0]["p"]
        print(f"{'' if holds else 'not '}ok {number} - runs that differ in {what} are {'not ' if refuses else ''}compared by {metric}")
        if not holds:
            print(f"# {head.get('not_compared')}; {said.stderr}")


def check_who(assay, folder):
    """A line has what lint says of its case, without values where they are left out."""
    journal, lint = folder / "run.jsonl", folder / "lint.jsonl"
    write_run(journal, {}, "exec", 1)
    lint.write_text(json.dumps({"id": "q1", "db": "d1", "who": "gold_suspect", "suspicion": 3, "against_gold": 2, "with_gold": 1, "prediction": "SELECT 7",
                                "variant": 1, "variant_sql": "SELECT 8", "reasons": [{"signal": "missing_value", "on": "gold", "weight": 3, "detail": "'x'"}, {"signal": "of a later version"}]})
                    + "\n" + json.dumps({"id": "q2", "db": "d1", "who": "gold_suspect", "reasons": []}) + "\n")
    for number, more in enumerate(([], ["--redact"]), 5 + len(DIFFERENCES)):
        page = subprocess.run([assay, "report", journal, "--lint", lint, *more], check=True, capture_output=True).stdout.decode()
        found = {line["id"]: line["who"] for line in unpack(page)[1:] if "who" in line}
        reasons = found["q1"].pop("reasons")
        holds = list(found) == ["q1"] and len(reasons) == 1 and reasons[0].pop("text") and \
            (found["q1"], reasons) == ({"is": "gold suspect", "suspicion": 3, "against": 2, "with": 1, **({} if more else {"prediction": "SELECT 7", "variant": "SELECT 8"})},
                                       [{"on": "gold", "signal": "missing_value", **({} if more else {"detail": "'x'"})}])
        print(f"{'' if holds else 'not '}ok {number} - lines say who is wrong {more}")


def main():
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # clean up
    assay = sys.argv[1]
    print(f"1..{6 + len(DIFFERENCES)}")
    with tempfile.TemporaryDirectory() as name:
        journal = pathlib.Path(name) / "run.jsonl"
        with open(journal, "wb") as out:
            subprocess.run([sys.executable, ROOT / "tests/browser/big_journal.py", "300", "4"], check=True, stdout=out)
        page = subprocess.run([assay, "report", journal], check=True, capture_output=True).stdout.decode()
        wanted = [json.loads(line) for line in journal.read_text().split("\n")[:-1]]
    head, *found = unpack(page)
    views = [line.pop("view") for line in found]
    print("ok 1" if found == wanted[1:] else "not ok 1", "- each line is that of the journal")
    print("ok 2" if head["journals"][0]["head"] == wanted[0] else "not ok 2", "- so is the first")
    written = ["".join(view["pred"]).split() for view in views]
    same = sum(w == line["pred"].split() for w, line in zip(written, found))
    print("ok 3" if same > len(found) / 2 else "not ok 3", f"- queries are laid out, not changed ({same} of {len(found)})")
    print("ok 4" if len(page) < 300000 else "not ok 4", f"- equal values are written once ({len(page)} bytes)")
    with tempfile.TemporaryDirectory() as name:
        check_compared(assay, pathlib.Path(name))
        check_who(assay, pathlib.Path(name))


main()
