"""The sessions of the pages print what stands there."""
import doctest
import os

from place import ROOT, InFolder


class Docs(InFolder):
    def run_page(self, page):
        os.symlink(ROOT / "examples", self.folder / "examples")
        before = os.getcwd()
        os.chdir(self.folder)
        try:
            failed, tried = doctest.testfile(
                str(ROOT / page), module_relative=False,
                optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
        finally:
            os.chdir(before)
        self.assertGreater(tried, 2)
        self.assertEqual(failed, 0)

    def test_page(self):
        """docs/python.md"""
        self.run_page("docs/python.md")

    def test_rewards(self):
        """docs/rewards.md"""
        self.run_page("docs/rewards.md")

    def test_readme(self):
        """README.md"""
        self.run_page("README.md")
