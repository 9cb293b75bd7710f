#!/usr/bin/env python3
"""page_data.py ASSAY - the data in the HTML report is that of the journal.

Unpacks it without a browser, by the form that src/report/pack.h describes, and
compares all members of all lines. Speaks TAP.
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


def main():
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # clean up
    assay = sys.argv[1]
    with tempfile.TemporaryDirectory() as name:
        journal = pathlib.Path(name) / "run.jsonl"
        with open(journal, "wb") as out:
            subprocess.run([sys.executable, ROOT / "tests/browser/big_journal.py", "300", "4"], check=True, stdout=out)
        page = subprocess.run([assay, "report", journal], check=True, capture_output=True).stdout.decode()
        wanted = [json.loads(line) for line in journal.read_text().split("\n")[:-1]]
    head, *found = unpack(page)
    views = [line.pop("view") for line in found]
    print("1..4")
    print("ok 1" if found == wanted[1:] else "not ok 1", "- each line is that of the journal")
    print("ok 2" if head["journals"][0]["head"] == wanted[0] else "not ok 2", "- so is the first")
    written = ["".join(view["pred"]).split() for view in views]
    same = sum(w == line["pred"].split() for w, line in zip(written, found))
    print("ok 3" if same > len(found) / 2 else "not ok 3", f"- queries are laid out, not changed ({same} of {len(found)})")
    print("ok 4" if len(page) < 300000 else "not ok 4", f"- equal values are written once ({len(page)} bytes)")


main()
