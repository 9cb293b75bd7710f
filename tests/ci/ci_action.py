#!/usr/bin/env python3
"""ci_action.py ASSAY - the steps of the GitHub Action and the hooks for pre-commit.

A folder of files stands for the release that the action fetches from, and the
environment is that of a runner; what only GitHub does (`uses`) is not run. The
hooks run as pre-commit runs them: the entry, the arguments, the names of files.
Skipped where Python has no YAML or the machine no curl. Prints TAP.
"""
import hashlib
import os
import pathlib
import platform
import shlex
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
VERSION = "9.8.7"
NAME = f"assay-{VERSION}-linux-{platform.machine()}"
n = 0
failed = 0


def check(holds, what, found=""):
    global n, failed
    n += 1
    failed += not holds
    print(f"{'' if holds else 'not '}ok {n} - {what}", flush=True)
    if not holds:
        print("\n".join(f"# {line}" for line in str(found)[:3000].split("\n")))


def release(folder, sum_of):
    """A release whose sums are those of the bytes `sum_of`."""
    place = folder / f"v{VERSION}"
    place.mkdir(parents=True)
    shutil.copy(ASSAY, place / NAME)
    digest = hashlib.sha256(sum_of).hexdigest()
    (place / "SHA256SUMS").write_text(
        f"{'0' * 64}  other-{NAME}\n{digest}  {NAME}\n", encoding="utf-8")
    return folder


class Runner:
    """A job on GitHub: what its steps leave for each other."""

    def __init__(self, folder, releases, **inputs):
        folder.mkdir()
        self.folder = folder
        self.path = folder / "path"
        self.path.touch()
        self.values = {
            "github.action_path": str(ROOT),
            "inputs.version || github.action_ref": f"v{VERSION}",
            "github.server_url": "file:/",
            "github.action_repository": str(releases),
            "runner.temp": str(folder),
        }
        for name, value in inputs.items():
            self.values[f"inputs.{name}"] = value

    def expand(self, text):
        for name, value in self.values.items():
            text = text.replace("${{ %s }}" % name, value)
        return text.replace("/releases/download", "")

    def step(self, step):
        env = dict(os.environ, RUNNER_TEMP=str(self.folder),
                   GITHUB_PATH=str(self.path))
        env["PATH"] = ":".join([*self.path.read_text().split(), env["PATH"]])
        env.update({k: self.expand(v) for k, v in step["env"].items()})
        return subprocess.run(["sh", "-e", "-c", step["run"]], env=env, cwd=ROOT,
                              capture_output=True, text=True, timeout=120)


def action(folder):
    steps = yaml.safe_load((ROOT / "action.yml").read_text())["runs"]["steps"]
    install, run = [step for step in steps if "run" in step]
    good = release(folder / "good", ASSAY.read_bytes())
    bad = release(folder / "bad", b"something else")

    args = ("--gold examples/shop/questions.jsonl --db examples/shop\n"
            "--pred 'examples/shop/model_a.jsonl' --now 2026-06-30\n"
            "--fail-under exec=99")
    job = Runner(folder / "job", good, command="score", args=args)
    got = job.step(install)
    check(got.returncode == 0 and "assay " in got.stdout, "install", got)
    got = job.step(run)
    check(got.returncode == 1, "a gate that fails ends with 1", got)
    check("::error file=" in got.stdout, "failures are annotated", got.stdout)
    report = job.folder / "assay/report"
    check(sorted(p.name for p in report.iterdir())
          == ["report.html", "run.jsonl"], "run file and report are left")

    mine = folder / "mine.jsonl"
    job.values["inputs.args"] = args.replace("--fail-under exec=99",
                                             f"--out={mine}")
    got = job.step(run)
    check(got.returncode == 0 and mine.exists(), "--out of the caller's", got)

    job.values["inputs.command"] = "check"
    job.values["inputs.args"] = ("'SELECT count(*) FROM t' 'SELECT $(touch x) 1'"
                                 " --schema 'CREATE TABLE t(a)'")
    got = job.step(run)
    check(not (ROOT / "x").exists() and got.returncode in (1, 3),
          "arguments are words, nothing else", got)
    job.values["inputs.args"] = "'open"
    got = job.step(run)
    check(got.returncode == 3 and "a quote is open" in got.stdout, "open quote",
          got)

    got = Runner(folder / "other", bad).step(install)
    check(got.returncode == 3 and "SHA256SUMS" in got.stdout,
          "another program than that of the sums is refused", got)
    got = Runner(folder / "none", folder).step(install)
    check(got.returncode == 3 and "cannot fetch" in got.stdout, "no release", got)
    nameless = Runner(folder / "nameless", good)
    nameless.values["inputs.version || github.action_ref"] = ""
    got = nameless.step(install)
    check(got.returncode == 3 and "no version" in got.stdout, "no version", got)


def hooks(folder):
    found = {hook["id"]: hook for hook in
             yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
    bin_folder = folder / "bin"
    bin_folder.mkdir()
    (bin_folder / "assay").symlink_to(ASSAY)
    env = dict(os.environ, PATH=f"{bin_folder}:{os.environ['PATH']}")

    def hook(name, *args):
        command = shlex.split(found[name]["entry"]) + list(args)
        return subprocess.run(command, env=env, cwd=folder, capture_output=True,
                              text=True, timeout=120)

    got = hook("assay-lint", "--gold", str(SHOP / "questions.jsonl"), "--db",
               str(SHOP), "--now", "2026-06-30")
    check(got.returncode in (0, 1) and "questions.jsonl" in got.stdout,
          "assay-lint", got)
    (folder / "q.sql").write_text("select a from t where b\n", encoding="utf-8")
    got = hook("assay-fmt", "q.sql")
    check(got.returncode == 0 and "SELECT" in (folder / "q.sql").read_text(),
          "assay-fmt", got)


def main():
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # clean up
    if yaml is None or shutil.which("curl") is None:
        print("1..0 # SKIP no YAML in Python, or no curl")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        action(pathlib.Path(folder))
        hooks(pathlib.Path(folder))
    print(f"1..{n}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
