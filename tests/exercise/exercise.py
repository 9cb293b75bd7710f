#!/usr/bin/env python3
"""exercise.py [BUILD] - a metric and an evaluator are one file and one row each.

Adds both to a copy of the sources, builds it, and asks the program for them:
help, verdicts in the journal, the summary. The lint must have nothing to say
about the copy. What BUILD, a folder of meson's, has compiled of the same sources
is not compiled again; without it the build takes a minute or two. Speaks TAP.
"""
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))

METRIC_ROW = '''\
METRIC(SAME_SIZE, same_size, metric_keys_one,
       NEEDS_TEXTS, 0, 0,
       "the texts have as many bytes",
       "Bytes are counted.",
       "Says yes to any query of that length.",
       "Needs no database.")
'''
METRIC_FILE = '''\
// metric_same_size.c - same_size: the texts have as many bytes.
#include "metric/text_variants.h"

static verdict compare_size(str gold,
                              str pred,
                              dialect d,
                              arena *a,
                              arena scratch)
{
    (void)d;
    (void)scratch;
    return gold.len == pred.len
               ? verdict_yes()
               : verdict_no(REASON_TEXT_DIFFERS,
                            arena_printf(a, "%td bytes against %td", gold.len,
                                         pred.len));
}

verdict metric_judge_same_size(const evidence *e, metric_key key)
{
    (void)key;
    return text_over_variants(e, compare_size, NULL);
}
'''
EVALUATOR_ROW = '''\
EVALUATOR(HEADCOUNT, headcount, PLAIN, NEVER, HAS_SUBSET,
          HONOURS_KEEP_DISTINCT,
          "as many rows")
'''
EVALUATOR_FILE = '''\
// compare_headcount.c - the rules `headcount`: as many rows.
#include "evaluators/evaluator.h"

compare_need compare_need_headcount(comparison what,
                                    const table *gold,
                                    const compare_options *o)
{
    (void)what, (void)o;
    return (compare_need){.rows = gold->n_rows, .distinct = -1};
}

verdict compare_headcount(comparison what,
                          const table *gold,
                          const table *pred,
                          const compare_options *o,
                          arena *a,
                          arena scratch)
{
    (void)what, (void)o, (void)a;
    (void)scratch;
    return gold->n_rows == pred->n_rows
               ? verdict_yes()
               : verdict_no(REASON_ROWS_DIFFER, S("another number of rows"));
}
'''


def run(*command, **how):
    done = subprocess.run(command, capture_output=True, text=True, check=False,
                          **how)
    return done.returncode, done.stdout + done.stderr


def copy_sources(root):
    code, listing = run("git", "-C", SOURCE, "ls-files")
    names = listing.splitlines() if code == 0 else []
    if not names:
        shutil.copytree(SOURCE, root, dirs_exist_ok=True,
                        ignore=shutil.ignore_patterns("build*", ".git"))
    for name in names:
        if os.path.isfile(os.path.join(SOURCE, name)):
            to = os.path.join(root, name)
            os.makedirs(os.path.dirname(to), exist_ok=True)
            shutil.copy2(os.path.join(SOURCE, name), to)


def add(root, table, row, name, text):
    """The row at the end of the table, and the file beside it."""
    path = os.path.join(root, table)
    with open(path, encoding="utf-8") as file:
        rows = file.read()
    end = "// clang-format on\n"
    assert rows.endswith(end)
    with open(path, "w", encoding="utf-8") as file:
        file.write(rows[:-len(end)] + row + end)
    with open(os.path.join(os.path.dirname(path), name), "w",
              encoding="utf-8") as file:
        file.write(text)


def options_of(built):
    """What a build was set up with, but for tests and benchmarks."""
    _, listing = run("meson", "introspect", built, "--buildoptions")
    own = {"buildtype", "debug", "werror", "auto_features", "default_library"}
    left_out = {"tests", "bench"}
    return [f"-D{o['name']}={str(o['value']).lower()}"
            for o in json.loads(listing)
            if (o["name"] in own or o["section"] == "user")
            and o["name"] not in left_out]


def compiler_of(built):
    """As the environment names it, with a cache before it or not."""
    with open(os.path.join(built, "compile_commands.json"),
              encoding="utf-8") as file:
        command = json.load(file)[0]["command"]
    return dict(os.environ, CC=command.split(" -", 1)[0])


def take_over(built, to):
    """Objects of another build, with the log by which ninja knows what they are
    made of and how. What is otherwise here it makes anew."""
    for folder, _, names in os.walk(built):
        inside = os.path.relpath(folder, built)
        if inside.split(os.sep)[0] in ("tests", "bench", "fuzz"):
            continue
        for name in names:
            if name.endswith((".o", ".a", ".h", ".c", ".def", ".inc")):
                os.makedirs(os.path.join(to, inside), exist_ok=True)
                shutil.copy2(os.path.join(folder, name),
                             os.path.join(to, inside, name))
    shutil.copy2(os.path.join(built, ".ninja_deps"), to)
    with open(os.path.join(built, ".ninja_log"), encoding="utf-8") as file:
        log = [line for line in file if "build.ninja" not in line]
    with open(os.path.join(to, ".ninja_log"), "w", encoding="utf-8") as file:
        file.writelines(log)


def build(root, built):
    features = options_of(built) if built else ["--buildtype=plain"]
    code, said = run("meson", "setup", "build", *features, "-Dbench=false",
                     "-Dtests=disabled", cwd=root,
                     env=compiler_of(built) if built else None)
    if code == 0:
        if built:
            take_over(built, os.path.join(root, "build"))
        code, said = run("ninja", "-C", "build", "assay", cwd=root)
    return code == 0 and "warning:" not in said, said


def score(root):
    """The journal's verdicts of two predictions, and the summary's metrics."""
    db = sqlite3.connect(os.path.join(root, "shop.sqlite"))
    db.executescript("CREATE TABLE t(a); INSERT INTO t VALUES (1), (2);")
    db.close()
    files = {"gold.sql": "SELECT a FROM t\tshop\nSELECT a FROM t\tshop\n",
             "pred.sql": "SELECT 7 FROM t\nSELECT max(a) FROM t\n"}
    for name, text in files.items():
        with open(os.path.join(root, name), "w", encoding="utf-8") as file:
            file.write(text)
    run("build/assay", "score", "--gold", "gold.sql", "--pred", "pred.sql",
        "--db", "shop.sqlite", "--metrics", "exec,subset,same_size",
        "--rules", "assay,headcount", "--out", "run.jsonl",
        "--summary", "summary.json", cwd=root)
    with open(os.path.join(root, "run.jsonl"), encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    with open(os.path.join(root, "summary.json"), encoding="utf-8") as file:
        summary = json.load(file)
    verdicts = [line["verdicts"] for line in lines if "verdicts" in line]
    return ([{key: v["v"] for key, v in case.items()} for case in verdicts],
            summary["runs"][0]["metrics"])


def exercise(root, built):
    """Yields what must hold: (whether it does, its name, what was found)."""
    add(root, "src/metric/metric.def", METRIC_ROW,
        "metric_same_size.c", METRIC_FILE)
    add(root, "src/evaluators/evaluator.def", EVALUATOR_ROW,
        "compare_headcount.c", EVALUATOR_FILE)
    works, said = build(root, built)
    yield works, "one file and one row each build without a warning", said
    if not works:
        return
    _, page = run("build/assay", "help", "metrics", cwd=root)
    yield "\nsame_size\n" in page, "help metrics shows the metric", page
    _, page = run("build/assay", "help", "rules", cwd=root)
    yield "headcount" in page, "help rules shows the evaluator", page
    verdicts, metrics = score(root)
    want = [
        {"exec": "no", "exec:headcount": "yes", "subset": "no",
         "subset:headcount": "yes", "same_size": "yes"},
        {"exec": "no", "exec:headcount": "no", "subset": "no",
         "subset:headcount": "no", "same_size": "no"},
    ]
    yield verdicts == want, "the journal has their verdicts", str(verdicts)
    yes = {key: m.get("yes") for key, m in metrics.items()}
    yield (yes.get("same_size") == 1 and yes.get("exec:headcount") == 1,
           "the summary counts them", str(metrics))
    code, said = run("build/assay", "score", "--gold", "gold.sql", "--pred",
                     "pred.sql", "--db", "shop.sqlite", "--rules", "headcount",
                     "--tolerance", "0.1", cwd=root)
    yield (code == 2 and "--tolerance has no effect here" in said,
           "an option that its row does not name is wrong use", said)
    found = [run(sys.executable, "tools/lint.py", check, root, cwd=root)
             for check in ("evaluators", "metrics", "layers", "circles",
                           "heads", "names", "text")]
    yield (not any(code for code, _ in found), "the lint is silent",
           "".join(said for _, said in found))


def main():
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # clean up
    if not shutil.which("meson") or not shutil.which("ninja"):
        print("1..0 # SKIP no meson or ninja")
        return
    built = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else None
    root = tempfile.mkdtemp(prefix="assay-exercise-")
    try:
        copy_sources(root)
        n = 0
        for holds, name, found in exercise(root, built):
            n += 1
            print("ok" if holds else "not ok", n, "-", name, flush=True)
            if not holds:
                print("# " + found.strip().replace("\n", "\n# "))
        print(f"1..{n}")
    finally:
        shutil.rmtree(root)


if __name__ == "__main__":
    main()
