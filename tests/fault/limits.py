#!/usr/bin/env python3
"""limits.py ASSAY - what the processes of a run may know and have.

  key         Beside the process that was called none holds the key of a model's
              server, neither in its environment nor anywhere in its memory:
              looked for in all that run while a query runs (score) and while
              the server is asked and trials are made (judge).
  ulimit -v   With little address space the example is scored as without a
              limit; with next to none the run ends with 3 and says why.

Speaks TAP.
"""
import ctypes
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time

import fault

# Not where it is looked for: this process has the same pages nowhere else.
KEY = "sk-" + os.urandom(12).hex()
MB = 1 << 20
ROOM_MB = (100, 600, 2000)
NO_ROOM_MB = 24
EXAMPLE = fault.ROOT / "examples/shop"


def descendants(pid):
    """All that run below a process."""
    found = []
    try:
        text = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text()
    except OSError:
        return found
    for word in text.split():
        found += [int(word), *descendants(int(word))]
    return found


def holds(pid, needle):
    """Is the text anywhere in the memory that the process may read?"""
    try:
        with open(f"/proc/{pid}/mem", "rb") as memory:
            for line in open(f"/proc/{pid}/maps", encoding="utf-8"):
                span, rights = line.split()[:2]
                start, end = (int(word, 16) for word in span.split("-"))
                # Reserved far and wide; what was never touched reads as nothing.
                if "r" in rights and end - start < 64 * MB and found(memory, start, end, needle):
                    return True
                if "r" in rights and end - start >= 64 * MB and found(
                        memory, start, start + 16 * MB, needle):
                    return True
    except (FileNotFoundError, ProcessLookupError):
        pass
    return False


def found(memory, start, end, needle):
    try:
        memory.seek(start)
        return needle in memory.read(end - start)
    except (OSError, ValueError, OverflowError):
        return False


SETUP_S = 1  # of a worker
SETUP_TICKS = 10  # of the processor, at most, while it is set up


def has_settled(pid):
    """Does it wait for something, or has it worked for longer than to be set up?
    On a busy machine it may not have been its turn."""
    try:
        stat = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return False
    state, *fields = stat.rsplit(")", 1)[1].split()
    return state == "S" or int(fields[10]) + int(fields[11]) > SETUP_TICKS


class Search:
    """Looks for the key in what runs below a process, until it is told to end."""

    def __init__(self):
        self.pid = 0
        self.born = {}  # process: when it was seen first
        self.seen = {}  # process: did it ever hold the key, once it was set up?
        self.is_over = False
        self.thread = threading.Thread(target=self.run, daemon=True)

    def run(self):
        while not self.is_over:
            for pid in descendants(self.pid) if self.pid else []:
                # A worker is a copy of its parent until it has wiped the key.
                age = time.monotonic() - self.born.setdefault(pid, time.monotonic())
                if age > SETUP_S and has_settled(pid):
                    self.seen[pid] = self.seen.get(pid, False) or holds(pid, KEY.encode())
            time.sleep(0.02)


def searched(words, folder, env):
    """Runs assay; what is wrong, and how many processes were looked at."""
    search = Search()
    p = subprocess.Popen(words, cwd=folder, env={**os.environ, **env}, stdin=subprocess.DEVNULL,
                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    search.pid = p.pid
    search.thread.start()
    time.sleep(0.5)
    caller_has = holds(p.pid, KEY.encode())
    err = p.communicate(timeout=fault.LIMIT_S)[1].decode(errors="replace")
    search.is_over = True
    search.thread.join()
    wrong = [f"process {pid} below the caller holds the key"
             for pid, has in search.seen.items() if has]
    if p.returncode != 0:
        wrong.append(f"ends with {p.returncode}: {err[-300:]}")
    if not search.seen:
        wrong.append("no process was seen below the caller")
    if not caller_has:
        wrong.append("the search finds nothing: the caller must hold the key")
    return wrong, f" ({len(search.seen)} processes)"


class SlowModel(fault.Model):
    """Takes its time, so that there is some to look."""

    def do_POST(self):
        time.sleep(1)
        super().do_POST()


def test_key(tap, assay, folder):
    env = {"OPENAI_API_KEY": KEY}
    slow = "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r) SELECT count(*) FROM r"
    (folder / "slow.jsonl").write_text(fault.lines_of(
        {"id": str(i), "gold": "SELECT 1", "pred": slow} for i in range(2)))
    tap.test("key: not in workers that score", *searched(
        [assay, "score", "--gold", "slow.jsonl", "--db", "in/db/one.sql", "--metrics", "exec",
         "--timeout", "5", "--work", "none", "-j", "2", "-q"], folder, env))
    server = fault.Server(("127.0.0.1", 0), SlowModel)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    env["ASSAY_API_BASE"] = f"http://127.0.0.1:{server.server_port}/v1"
    words = [assay, "judge", *fault.PAIRS, "--prompt", "grounded", "--model", "m",
             "--concurrency", "1", "--out", "judged.jsonl", "-q"]
    probe = subprocess.run(words, cwd=folder, env={**os.environ, **env}, check=False,
                           stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                           stderr=subprocess.PIPE)
    if b"this build" in probe.stderr:
        tap.test("key: not in the keeper of a judge's trials # SKIP no curl", [])
        return
    (folder / "judged.jsonl").unlink(missing_ok=True)
    tap.test("key: not in the keeper of a judge's trials, nor below it",
             *searched(words, folder, env))


def scored(assay, folder, limit_mb):
    """Exit code, verdicts of the example and messages under `ulimit -v`."""
    def limit():
        if limit_mb:
            resource.setrlimit(resource.RLIMIT_AS, (limit_mb * MB, limit_mb * MB))
    out = folder / "example.jsonl"
    out.unlink(missing_ok=True)
    p = subprocess.run(
        [assay, "score", "--gold", EXAMPLE / "questions.jsonl", "--pred", EXAMPLE / "model_a.jsonl",
         "--db", EXAMPLE, "--metrics", "string,exec,subset", "--now", "2026-01-01", "--no-times",
         "-j", "2", "-q", "--out", out],
        preexec_fn=limit, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, check=False, timeout=fault.LIMIT_S)
    lines = out.read_bytes().splitlines()[1:] if out.exists() else []
    verdicts = {row["id"]: row["verdicts"] for row in map(json.loads, lines)}
    return p.returncode, verdicts, p.stderr.decode(errors="replace")


def test_ulimit(tap, assay, folder):
    code, want, err = scored(assay, folder, 0)
    wrong = [] if code == 0 and want else [f"without a limit: {code} {err[-300:]}"]
    for limit_mb in ROOM_MB:
        code, got, err = scored(assay, folder, limit_mb)
        other = [key for key in want if got.get(key) != want[key]]
        if code != 0 or other:
            wrong.append(f"{limit_mb} MB: {code} {other[:3]} {err[-300:]}")
    tap.test("ulimit -v: verdicts as without a limit", wrong)
    code, _, err = scored(assay, folder, NO_ROOM_MB)
    tap.test("ulimit -v: too little is told",
             [] if code == 3 and "ulimit" in err else [f"{code} {err[-300:]}"])


def main():
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    assay = str(pathlib.Path(sys.argv[1]).resolve())
    is_sanitized = b"__asan_init" in pathlib.Path(assay).read_bytes()
    ctypes.CDLL(None).prctl(fault.SUBREAPER, 1, 0, 0, 0)
    tap = fault.Tap()
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work)
        fault.write_inputs(folder / "in", assay)
        if is_sanitized:
            # What is wiped or freed stays where the sanitizer keeps it.
            tap.test("key # SKIP the sanitizer keeps copies of memory", [])
            tap.test("ulimit -v # SKIP the sanitizer takes the address space", [])
        else:
            test_key(tap, assay, folder)
            test_ulimit(tap, assay, folder)
    print(f"1..{tap.n}")
    sys.exit(tap.n_wrong > 0)


if __name__ == "__main__":
    main()
