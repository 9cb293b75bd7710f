"""The wheel: its bytes, and a fresh environment that has nothing else."""
import base64
import csv
import hashlib
import os
import platform
import re
import subprocess
import sys
import venv
import zipfile

from place import ROOT, SHOP, InFolder

EXAMPLE = f"""
import assay
v = assay.score("SELECT count(*) FROM products", "SELECT 16", db="{SHOP}/shop.sql")
assert v.exec, v
with assay.Scorer(db="{SHOP}", jobs=1) as s:
    assert s.score("SELECT 1", "SELECT 2", db="shop")["verdicts"]["exec"]["v"] == "no"
"""


class Wheel(InFolder):
    def build(self, name):
        folder = self.folder / name
        folder.mkdir()
        made = subprocess.run(
            [sys.executable, ROOT / "tools/wheel.py", os.environ["ASSAY_LIBRARY"],
             os.environ["ASSAY_PROGRAM"], folder], check=True, capture_output=True, text=True)
        return made.stdout.strip()

    def setUp(self):
        if platform.machine() != "x86_64":
            self.skipTest("the wheel is for x86_64")
        super().setUp()
        self.wheel = self.build("one")

    def test_bytes(self):
        """the same input gives the same bytes; RECORD has all files"""
        with open(self.wheel, "rb") as one, open(self.build("two"), "rb") as two:
            self.assertEqual(hashlib.sha256(one.read()).digest(), hashlib.sha256(two.read()).digest())
        with zipfile.ZipFile(self.wheel) as wheel:
            names = wheel.namelist()
            record = next(name for name in names if name.endswith("/RECORD"))
            rows = {row[0]: row for row in csv.reader(wheel.read(record).decode().splitlines())}
            self.assertEqual(sorted(rows), sorted(names))
            for name in set(names) - {record}:
                data = wheel.read(name)
                digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode()
                self.assertEqual(rows[name][1:], ["sha256=" + digest.rstrip("="), str(len(data))])
            self.assertIn("assay/py.typed", names)
            # What it was made of asks for the libraries of this system.
            self.assertTrue(self.wheel.endswith("-linux_x86_64.whl"), self.wheel)

    def check_in(self, home, words):
        """The example runs with what lies in `home`, and nothing of ours."""
        clean = {"PATH": f"{home}/bin:/usr/bin:/bin", "HOME": str(self.folder)}
        subprocess.run([home / "bin/python", "-B", "-c", EXAMPLE], check=True, cwd=self.folder, env=clean)
        said = subprocess.run([*words, "--version"], check=True, cwd=self.folder, env=clean,
                              capture_output=True, text=True).stdout
        self.assertTrue(said.startswith("assay "), said)

    def test_unpacked(self):
        """it works unpacked into an environment without pip"""
        home = self.folder / "venv"
        venv.create(home, with_pip=False)
        place = next(home.glob("lib/python*/site-packages"))
        with zipfile.ZipFile(self.wheel) as wheel:
            for member in wheel.infolist():
                path = wheel.extract(member, place)
                os.chmod(path, member.external_attr >> 16 & 0o777)
        self.check_in(home, [home / "bin/python", "-B", "-m", "assay"])

    def test_installed(self):
        """pip installs it, with no index, and the command with it"""
        pip = [sys.executable, "-m", "pip"]
        found = subprocess.run([*pip, "--version"], check=False, capture_output=True, text=True)
        version = re.match(r"pip (\d+)\.(\d+)", found.stdout)
        if not version or tuple(map(int, version.groups())) < (22, 3):
            self.skipTest("no pip that knows --python")
        home = self.folder / "venv"
        venv.create(home, with_pip=False)
        subprocess.run([*pip, "--python", home / "bin/python", "install", "-q", "--no-index",
                        "--no-compile", "--disable-pip-version-check", self.wheel],
                       check=True, capture_output=True)
        self.check_in(home, [home / "bin/assay"])
