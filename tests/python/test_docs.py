"""The sessions of the pages print what stands there."""
import doctest
import os
import pathlib
import re
import subprocess
import sys
import unittest

from place import ROOT, InFolder

sys.path.append(str(ROOT / "tools"))
import docs_cases  # noqa: E402

COMMAND = re.compile(r"^    \$ (.*)$")


def sh(command):
    """Prints what a command of a tutorial prints, its faults marked."""
    done = subprocess.run(command, shell=True, check=False, capture_output=True, text=True)
    print(done.stdout, end="")
    print("".join(f"[stderr] {line}\n" for line in done.stderr.splitlines()
                  if "no sandbox" not in line), end="")
    if done.returncode:
        print(f"[exit {done.returncode}]")


def with_commands(text):
    """A tutorial's commands as calls of sh, for doctest."""
    lines = text.split("\n")
    for start, end in docs_cases.blocks(lines):
        for i in range(start, end):
            lines[i] = COMMAND.sub(lambda m: f"    >>> sh({m[1]!r})", lines[i] or "    <BLANKLINE>")
    return "\n".join(lines)


def has_pandas():
    try:
        import pandas  # noqa: F401
    except ImportError:
        return False
    return True


class Docs(InFolder):
    def run_page(self, page, until=None):
        """Its Python and its commands, in one folder, up to a heading."""
        text = (ROOT / page).read_text(encoding="utf-8")
        text = text.split(until)[0] if until else text
        if page.startswith("docs/tutorials/"):
            text = with_commands(text)
        os.symlink(ROOT / "examples", self.folder / "examples")
        before = os.getcwd()
        path = os.environ["PATH"]
        os.environ["PATH"] = str(pathlib.Path(os.environ["ASSAY_PROGRAM"]).parent) + os.pathsep + path
        os.chdir(self.folder)
        try:
            test = doctest.DocTestParser().get_doctest(text, {"sh": sh}, page, str(ROOT / page), 0)
            done = doctest.DocTestRunner(
                optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE).run(test)
        finally:
            os.chdir(before)
            os.environ["PATH"] = path
        self.assertGreater(done.attempted, 2)
        self.assertEqual(done.failed, 0)

    def test_page(self):
        """docs/python.md"""
        self.run_page("docs/python.md")

    def test_rewards(self):
        """docs/rewards.md"""
        self.run_page("docs/rewards.md")

    def test_readme(self):
        """README.md"""
        self.run_page("README.md")

    def test_reward_tutorial(self):
        """docs/tutorials/reward.md"""
        self.run_page("docs/tutorials/reward.md")

    def test_notebook_tutorial(self):
        """docs/tutorials/notebook.md, without DataFrames"""
        self.run_page("docs/tutorials/notebook.md", until="## DataFrames")

    @unittest.skipUnless(has_pandas(), "no pandas here: apt-get install python3-pandas")
    def test_notebook_tutorial_with_pandas(self):
        """docs/tutorials/notebook.md"""
        self.run_page("docs/tutorials/notebook.md")
