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


def main():
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # clean up
    assay = sys.argv[1]
    print(f"1..{4 + len(DIFFERENCES)}")
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


main()
