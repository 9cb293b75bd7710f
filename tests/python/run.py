#!/usr/bin/env python3
"""run.py ASSAY LIBRARY [MODULE...] - the tests of python/assay.

Runs test_*.py of this folder, or the modules named, against the program and the
library that were built. With SKIP set in the environment it only says so: a
library with sanitizers cannot be loaded by a Python without. Speaks TAP.
"""
import os
import pathlib
import signal
import sys
import unittest

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent


class Tap(unittest.TestResult):
    """A line a test, and what failed as comments."""

    said = 0  # the number of the test that has its line

    def say(self, word, test, end="", more=""):
        if self.said != self.testsRun:
            title = test.shortDescription() or str(test)
            print(f"{word} {self.testsRun} - {title}{end}")
        self.said = self.testsRun
        for line in more.splitlines():
            print("# " + line)
        sys.stdout.flush()

    def addSuccess(self, test):
        self.say("ok", test)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.say("not ok", test, more=self.failures[-1][1])

    def addError(self, test, err):
        super().addError(test, err)
        self.say("not ok", test, more=self.errors[-1][1])

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.say("ok", test, f" # SKIP {reason}")

    def addSubTest(self, test, subtest, err):
        """A failing part of a test makes the whole fail, once."""
        super().addSubTest(test, subtest, err)
        if err:
            self.say("not ok", test,
                     more=f"{subtest}\n{self._exc_info_to_string(err, test)}")


def main():
    if os.environ.get("SKIP"):
        print("1..0 # SKIP " + os.environ["SKIP"])
        return 0
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # clean up
    os.environ["ASSAY_PROGRAM"] = os.path.abspath(sys.argv[1])
    os.environ["ASSAY_LIBRARY"] = os.path.abspath(sys.argv[2])
    sys.path[:0] = [str(HERE), str(HERE.parents[1] / "python")]
    modules = sys.argv[3:] or sorted(p.stem for p in HERE.glob("test_*.py"))
    suite = unittest.defaultTestLoader.loadTestsFromNames(modules)
    result = Tap()
    suite.run(result)
    print(f"1..{result.testsRun}")
    return not result.wasSuccessful()


if __name__ == "__main__":
    sys.exit(main())
