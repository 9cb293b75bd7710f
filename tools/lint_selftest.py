#!/usr/bin/env python3
"""lint_selftest.py - shows that every lint can fail.

Each lint runs over a small good tree, where it must be silent, and over the
same tree with one bad file, where it must say what is wrong.
"""
import os
import shutil
import subprocess
import sys
import tempfile

import lint
import signal

GOOD = {
    "src/LAYERS": "base:\nsql: base\nevaluators: base\n"
                  "metric: base sql evaluators\n",
    "src/READINGS": "# Files.\nsrc/metric/old.c\n",
    "src/metric/old.c": "// old.c - x.\nint x = ast_walk(n, f, 0);\n",
    "tests/hostile/sqlite.txt": "=== one\n",
    "tests/api/t_x.c":
        "// t_x.c - x.\nstatic void nothing_is_asked(void **state)\n{\n}\n",
    "src/base/str.h": "// str.h - text.\n#ifndef ASSAY_BASE_STR_H\n#endif\n",
    "src/base/str.c": "// str.c - see str.h.\n#include \"base/str.h\"\n",
    "src/sql/reason.def": "REASON(X, \"x\", rows, \"the rows differ\")\n",
    "src/sql/lex.c": "// lex.c - words.\n#include \"base/str.h\"\n"
                     "#include \"sql/reason.def\"\n",
    "src/evaluators/evaluator.def":
        "// clang-format off\n"
        "EVALUATOR(OURS, ours, PLAIN)\nEVALUATOR(THEIRS, theirs, PLAIN)\n",
    "src/evaluators/compare_theirs.c":
        "// compare_theirs.c - x.\n#include \"evaluators/evaluator.def\"\n"
        "int theirs;\n",
    "src/metric/metric.def": "METRIC(EXEC, exec, one)\n",
    "src/metric/up.h":
        "// up.h - x.\n#ifndef ASSAY_METRIC_UP_H\n"
        "#include \"sql/pair.h\"\n#endif\n",
    "src/metric/metric_exec.c":
        "// metric_exec.c - x.\n#include \"metric/metric.def\"\n"
        "int x = METRIC_EXEC;\n",
    "src/sql/pair.h":
        "// pair.h - x.\n#ifndef ASSAY_SQL_PAIR_H\n"
        "#include \"sql/pair_part.h\"\n#endif\n",
    "src/sql/pair_part.h":
        "// pair_part.h - x.\n#ifndef ASSAY_SQL_PAIR_PART_H\n#endif\n",
    "src/sql/pair_part.c": "// pair_part.c - x.\n#include \"sql/pair.h\"\n",
    "tools/english.txt": "# why\nreasons of no\twhy answers failed\n",
    "tests/kinds.def": "KIND(kind_lex)\n",
    "tests/case_run.c": "// case_run.c - runs.\n#include \"kinds.def\"\n",
    "tests/cases/lex/a.test": "#! kind: lex\n",
    "docs/README.md": "# Docs\n\n[top](#docs) [code](../src/base/str.c)\n"
                      "[words](definitions/words.md) [from](sources.md)\n",
    "docs/sources.md": "| [003] | a paper |\n",
    "docs/definitions/words.md": "# Words\n\n| [003 4.2] | x | "
                                 "[cite.c](../../src/sql/cite.c) |\n",
    "src/sql/cite.c": "// cite.c - x [003\n// 4.2], definitions/words.md#words\n",
}

# check, bad file, its text, what must be said.
BAD = [
    ("layers", "src/base/up.c", "// up.c - x.\n#include \"sql/lex.h\"\n",
     "'base' may not include 'sql/lex.h'"),
    ("layers", "src/new/x.c", "// x.c - x.\n", "is not in src/LAYERS"),
    ("temporary", "tools/x.sh", "# x.sh - x.\nfolder=$(mktemp -d)\n",
     "temporary files"),
    ("names", "src/sql/str.c", "// str.c - x.\n", "there is a 'src/base/str.c'"),
    ("banned", "src/sql/x.c", "void f(void)\n{\n    strcpy(a, b);\n}\n",
     "'strcpy': use arena_cstr"),
    ("banned", "src/sql/x.c", "void f(void)\n{\n    exit(1);\n}\n",
     "'exit' in the library"),
    ("size", "src/sql/x.c", "int a;\n" * 901, "901 lines, at most 900"),
    ("size", "src/sql/x.c", "void f(void)\n{\n" + "    g();\n" * 81 + "}\n",
     "a function of 81 lines"),
    ("paths", "docs/x.md", "see /" + "home/me/x\n", "a path of one machine"),
    ("links", "docs/x.md", "[a](none.md)\n", "no file 'none.md'"),
    ("links", "docs/x.md", "[a](README.md#none)\n", "no heading"),
    ("links", "docs/x.md", "# X\n", "a page that no page links to"),
    ("citations", "src/sql/x.c", "// x.c - see rules/x.md\n",
     "no page 'rules/x.md'"),
    ("citations", "src/sql/x.c", "// x.c - definitions/words.md#words, #none\n",
     "no heading 'definitions/words.md#none'"),
    ("citations", "src/sql/x.c", "// x.c - [009 1]\n", "no [009]"),
    ("citations", "src/sql/cite.c", "// cite.c - nothing\n",
     "src/sql/cite.c does not cite [003 4.2]"),
    ("defs", "src/sql/unused.def", "ROW(X)\n", "a table that nothing includes"),
    ("defs", "src/sql/reason.def", "REASON(X, \"x\", rows, \"\")\n",
     "a reason that is not explained"),
    ("defs", "src/read/field.def", "FIELD(\"b\", X, 1)\nFIELD(\"a\", X, 1)\n",
     "not sorted"),
    ("evaluators", "src/sql/x.c", "// x.c - x.\nint is_theirs;\n",
     "'is_theirs' names an evaluator"),
    ("readings", "src/metric/x.c", "// x.c - x.\nint x = ast_walk(n, f, 0);\n",
     "takes a query apart"),
    ("readings", "src/metric/x.c",
     "// x.c - x.\nint x = n->kid[CALL_ARGS] != NULL;\n",
     "takes a query apart"),
    ("readings", "src/metric/old.c", "// old.c - x.\n",
     "reads no query any more"),
    ("metrics", "src/base/x.c", "// x.c - x.\nint x = METRIC_EXEC;\n",
     "'METRIC_EXEC' outside src/metric"),
    ("metrics", "src/base/x.c", "// x.c - x.\nstr x = S(\"exec\");\n",
     "a metric by its word"),
    ("circles", "src/sql/pair_part.h",
     "// pair_part.h - x.\n#ifndef ASSAY_SQL_PAIR_PART_H\n"
     "#include \"metric/up.h\"\n#endif\n",
     "a circle of includes"),
    ("cases", "tests/cases/lex/b.test", "#! kind: nix\n", "no registered kind"),
    ("cases", "tests/cases/lexx/b.test", "#! kind: lex\n", "belongs in"),
    ("cases", "tests/cases/lex/b.txt", "#! kind: lex\n", "never run"),
    ("text", "src/sql/x.c", "int a; \n", "blanks at the end"),
    ("text", "src/sql/x.c", "\tint a;\n", "a tab"),
    ("text", "src/sql/x.c", "int a;", "no line end"),
    ("text", "src/sql/x.c", "// " + "x" * 80 + "\n", "longer than 80"),
    ("heads", "src/sql/x.c", "int a;\n", "does not begin with"),
    ("heads", "src/sql/x.h", "// x.h - x.\n", "no include guard"),
    ("heads", "src/sql/x.c", "// x.c - see x.h.\n" + "int a;\n" * 81,
     "only 'see x.h'"),
    ("english", "src/sql/x.c", "// x.c - x.\nstr x = S(\"reasons \"\n"
     "          \"of no\");\n", "'reasons of no': why answers failed"),
    ("english", "docs/x.md", "The Reasons\nof no\n", "why answers failed"),
    ("promises", "docs/safety.md", "**Files.** None is read.\n",
     "'Files' names no test"),
    ("promises", "docs/safety.md", "**Files.** See `tests/none.c`.\n",
     "no tests/none.c"),
    ("promises", "docs/safety.md",
     "| a | test |\n|---|---|\n| x | none |\n", "'x' names no test"),
    ("promises", "docs/safety.md",
     "**Files.** `tests/api/t_x.c`, `nothing_is_asked`.\n",
     "the test nothing_is_asked asserts nothing"),
    ("promises", "docs/safety.md",
     "**Files.** 2 statements for SQLite: `tests/hostile/sqlite.txt`.\n",
     "tests/hostile/sqlite.txt has 1"),
    ("changes", "CHANGELOG.md", "## 0.1\n\n- one\n  two\n  three.\n",
     "an entry of 3 lines"),
    ("changes", "CHANGELOG.md", "- the same.\n- The same.\n", "like that in line 1"),
    ("changes", "CHANGELOG.md", "- cut off in\n", "full stop"),
    ("changes", "CHANGELOG.md", "### Other\n", "no theme"),
    ("changes", "CHANGELOG.md", "## 1\n" + "\n" * 150 + "## 0\n", "at most 150"),
]

GLOBAL = "static int counter;\nint f(void)\n{\n    return ++counter;\n}\n"
CONSTANT = "static const int one = 1;\nint f(void)\n{\n    return one;\n}\n"


def write(root, name, text):
    path = os.path.join(root, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def text_lints(root, failures):
    for name, text in GOOD.items():
        write(root, name, text)
    for check, function in lint.CHECKS.items():
        for finding in function(root):
            failures.append(f"{check} complains about a good tree: {finding}")
        if check not in {bad[0] for bad in BAD}:
            failures.append(f"{check}: no bad example shows that it can fail")
    for check, name, text, said in BAD:
        write(root, name, text)
        findings = list(lint.CHECKS[check](root))
        if not any(said in finding for finding in findings):
            failures.append(f"{check} did not say '{said}' but {findings}")
        if name in GOOD:
            write(root, name, GOOD[name])
        else:
            os.remove(os.path.join(root, name))


def tool_lints(root, tools, failures):
    """The lints that are scripts around clang-format and objdump."""
    def status(*command):
        return subprocess.run(command, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, check=False,
                              cwd=root).returncode

    write(root, "good.c", CONSTANT)
    write(root, "bad.c", GLOBAL)
    for name in ("good", "bad"):
        if status("cc", "-fPIC", "-c", name + ".c") != 0:
            failures.append("no C compiler called cc")
    script = os.path.join(tools, "lint_globals.sh")
    if status(script, "good.o") != 0 or status(script, "bad.o") == 0:
        failures.append("lint_globals.sh does not tell good from bad")
    script = os.path.join(tools, "lint_format.sh")
    write(root, "bad.c", "int  a ;\n")
    good = status(script, os.path.join(root, "good.c"))
    bad = status(script, os.path.join(root, "bad.c"))
    if (good, bad) != (77, 77) and (good != 0 or bad == 0):
        failures.append("lint_format.sh does not tell good from bad")


def main():
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # clean up
    root = tempfile.mkdtemp(prefix="assay-lint-")
    tools = os.path.dirname(os.path.abspath(__file__))
    failures = []
    try:
        text_lints(root, failures)
        shutil.copy(os.path.join(tools, "..", ".clang-format"), root)
        tool_lints(root, tools, failures)
    finally:
        shutil.rmtree(root)
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main())
