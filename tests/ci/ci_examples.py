#!/usr/bin/env python3
"""ci_examples.py ASSAY - the examples of docs/ci.md do what the page says.

Their steps that call assay are run with sh in a folder with the files that they
name, made from examples/shop: with predictions as good as before, then with
worse ones. What a server would read next must be there and of its form. Steps
of GitHub's own (`uses`) and those that install assay are not run. Skipped where
Python has no YAML. Prints TAP.
"""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

try:
    import yaml
except ImportError:
    yaml = None

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHOP = ROOT / "examples/shop"
ASSAY = pathlib.Path(sys.argv[1]).resolve()
SCHEMA = ROOT / "tests/ci/junit.xsd"
n = 0
failed = 0


def check(holds, what, found=""):
    global n, failed
    n += 1
    failed += not holds
    print(f"{'' if holds else 'not '}ok {n} - {what}", flush=True)
    if not holds:
        print("\n".join(f"# {line}" for line in str(found)[:3000].split("\n")))


def example(heading):
    """The YAML below a heading of the page."""
    page = (ROOT / "docs/ci.md").read_text(encoding="utf-8")
    block = re.search(rf"^## {heading}\n\n((?:    .*\n|\n)+)", page, re.MULTILINE)[1]
    return yaml.safe_load(re.sub("^    ", "", block, flags=re.MULTILINE))


def folder_for(name, worse):
    """A repository with its cases, databases, predictions, and a baseline."""
    folder = pathlib.Path(name)
    shutil.copytree(SHOP, folder / "databases")
    shutil.copy(SHOP / "questions.jsonl", folder / "cases.jsonl")
    good = (SHOP / "model_a.jsonl").read_text(encoding="utf-8")
    (folder / "predictions.jsonl").write_text(good, encoding="utf-8")
    subprocess.run([ASSAY, "score", "--gold", "cases.jsonl", "--pred", "predictions.jsonl", "--db", "databases", "--metrics", "exec",
                    "--now", "2026-06-30", "--timeout", "5", "-q", "--out", "baseline.jsonl"], cwd=folder, check=True)
    if worse:
        ids = [json.loads(line)["id"] for line in good.splitlines()]
        queries = (SHOP / "model_b.sql").read_text(encoding="utf-8").splitlines()
        lines = [json.dumps({"id": i, "generation": q}) + "\n" for i, q in zip(ids, queries)]
        (folder / "predictions.jsonl").write_text("".join(lines), encoding="utf-8")
    return folder


def run(folder, command):
    env = {**os.environ, "PATH": f"{ASSAY.parent}:{os.environ['PATH']}", "GITHUB_STEP_SUMMARY": str(folder / "step.md")}
    return subprocess.run(["sh", "-e", "-c", command], cwd=folder, env=env, capture_output=True, text=True, check=False)


def check_github():
    steps = example("GitHub Actions")["jobs"]["score"]["steps"]
    check(all(len({"run", "uses"} & set(s)) == 1 for s in steps), "GitHub: each step runs or uses something", steps)
    print("# not run: " + ", ".join(s.get("uses") or s["run"] for s in steps if not s.get("run", "").startswith("assay")))
    for worse in (False, True):
        with tempfile.TemporaryDirectory() as name:
            folder = folder_for(name, worse)
            codes = [run(folder, s["run"]) for s in steps if s.get("run", "").startswith("assay")]
            what = "worse predictions" if worse else "predictions as before"
            score, lint = codes
            check(score.returncode == int(worse) and lint.returncode == 0, f"GitHub: {what} end with {int(worse)}", codes)
            lines = score.stdout.splitlines()
            other = [line for line in lines if not re.match(r"::((error|warning) file=cases\.jsonl,line=\d+,title=|notice title=assay::)", line)]
            check(lines and not other, f"GitHub: annotations at lines of cases.jsonl ({what})", other)
            check("| predictions |" in (folder / "step.md").read_text(), "GitHub: the figures are on the page of the step")
            used = [s["with"] for s in steps if "with" in s]
            files = [w.get("path") or w.get("sarif_file") for w in used]
            check(files and all((folder / f).is_file() for f in files), f"GitHub: what later steps take is there: {', '.join(files)}")
            sarif = json.loads((folder / "lint.sarif").read_text())
            check(sarif["version"] == "2.1.0" and len(sarif["runs"]) == 1, "GitHub: the findings are SARIF")


def check_gitlab():
    job = example("GitLab")["score"]
    reports = job["artifacts"]["reports"]["junit"]
    for worse in (False, True):
        with tempfile.TemporaryDirectory() as name:
            folder = folder_for(name, worse)
            found = [run(folder, command) for command in job["script"]]
            what = "worse predictions" if worse else "predictions as before"
            check([f.returncode for f in found] == [int(worse)], f"GitLab: {what} end with {int(worse)}", found)
            check(all((folder / f).is_file() for f in [*job["artifacts"]["paths"], reports]), "GitLab: what it keeps is there")
            if not shutil.which("xmllint"):
                print("# not validated: no xmllint")
                continue
            valid = subprocess.run(["xmllint", "--noout", "--schema", SCHEMA, folder / reports], capture_output=True, text=True, check=False)
            check(valid.returncode == 0, f"GitLab: {reports} is valid", valid.stderr)


def main():
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # clean up
    if yaml is None:
        print("1..0 # SKIP no YAML here: apt-get install python3-yaml")
        return 0
    check_github()
    check_gitlab()
    print(f"1..{n}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
