"""What the tests of the package share: where things are, folders to use up."""
import pathlib
import shutil
import signal  # run.py has a handler for signal.SIGTERM, so folders go
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHOP = ROOT / "examples/shop"
DB = SHOP / "shop.sql"

assert signal.getsignal(signal.SIGTERM) != signal.SIG_DFL, "run by run.py"


class InFolder(unittest.TestCase):
    """A test with a folder of its own, `self.folder`."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
