#!/usr/bin/env python3
"""count_tests.py JUNIT - prints `PASSED FAILED SKIPPED` of a Meson test run.

A text case and a C test function count one each, as do tests without parts.
"""
import sys
import xml.etree.ElementTree as xml

passed = failed = skipped = 0
for case in xml.parse(sys.argv[1]).getroot().iter("testcase"):
    kinds = {child.tag for child in case}
    if kinds & {"failure", "error"}:
        failed += 1
    elif "skipped" in kinds:
        skipped += 1
    else:
        passed += 1
print(passed, failed, skipped)
