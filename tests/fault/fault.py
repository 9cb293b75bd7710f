#!/usr/bin/env python3
"""fault.py ASSAY-FAULT [--runs N] [--only COMMAND] [--kind KIND] [-v] - each
call that a command makes, failing.

The program is the one that tests/fault/meson.build makes: calls of the system
and of the C library, and the growth of arenas, fail when told to. Each command
is run once to count its calls of each kind, then again and again: the n-th call
fails, or the n-th and all that follow, for each n, or for a spread of n when
there are more calls than runs. Promised is then:

  - it ends by itself, within LIMIT_S, with a documented exit code, and no
    sanitizer has anything to say;
  - it ends as without the fault and has printed and written the same, or it
    says on standard error what went wrong;
  - what a journal holds is the verdict of the run without the fault, or says
    why there is none; --resume then makes the journal whole, byte by byte;
  - nothing is left in the folder of temporary files, no .part, no process.

Clocks jump as well, by an hour, from the n-th look on: nothing may change.

Speaks TAP: one test for each command and kind.
"""
import argparse
import ctypes
import http.server
import json
import mmap
import os
import pathlib
import re
import shutil
import signal
import socketserver
import struct
import subprocess
import sys
import tempfile
import threading

# As in fault_state.h.
KINDS = ["fork", "pipe", "mmap", "read", "write", "open", "connect", "malloc",
         "arena", "poll", "rename", "clock"]
HEAD = struct.Struct("<qqqq")
COUNTS = struct.Struct(f"<{len(KINDS)}q")
LIMIT_S = 60
CODES = {0, 1, 3, 4}  # a fault is neither wrong use nor an interrupt
WHY_NOT = {"memory", "timeout", "crash"}  # what a query can be blamed for
REPORT = ("Sanitizer", "runtime error:", "Assertion", "assert")
# glibc's own end when a thread gets no memory; nobody can catch it.
OF_GLIBC = "cannot allocate memory for thread-local data: ABORT"
SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER
ROOT = pathlib.Path(__file__).resolve().parents[2]

DDL = """CREATE TABLE t(id INTEGER PRIMARY KEY, a INTEGER NOT NULL, b TEXT);
INSERT INTO t VALUES (1, 10, 'x'), (2, 20, 'y'), (3, 30, NULL);
CREATE TABLE u(id INTEGER PRIMARY KEY, t INTEGER REFERENCES t(id));
INSERT INTO u VALUES (1, 1), (2, 3);
"""
CASES = [
    ("SELECT a FROM t WHERE a > 10", "SELECT a FROM t WHERE a >= 20"),
    ("SELECT count(*) FROM t", "SELECT count(b) FROM t"),
    ("SELECT t.b FROM t JOIN u ON u.t = t.id", "SELECT b FROM t, u WHERE u.t = t.id"),
    ("SELECT max(a) FROM t", "SELECT a FROM t ORDER BY a DESC LIMIT 1"),
    ("SELECT b FROM t", "SELECT nope FROM t"),
]
SCORE = ["score", "--gold", "in/gold.jsonl", "--db", "in/db", "--now", "2026-01-01",
         "--no-times", "-j", "1", "--timeout", "5"]
PAIRS = ["--pairs", "in/pairs.jsonl"]

COMMANDS = {
    "score": SCORE + ["--pred", "in/pred.jsonl", "--metrics", "string,edit,set,exec,subset",
                      "--out", "out.jsonl", "--csv", "out.csv", "--summary", "s.json"],
    "score-files": SCORE + ["--pred", "in/pred.jsonl", "--db", "in/t.sqlite", "--rules",
                            "assay,spider", "--metrics", "exec", "--out", "-", "-q"],
    "score-all": SCORE + ["--pred", "in/pred.jsonl", "--metrics", "exec,suite,pragmatic,equiv",
                          "--suite", "in/suite", "--out", "out.jsonl", "-q"],
    "lint": ["lint", "--gold", "in/gold.jsonl", "--db", "in/db", "--out", "out.jsonl"],
    "check": ["check", "--schema", "in/db/one.sql", "--no-times", "--solver", "none",
              CASES[1][0], CASES[1][1]],
    "check-pairs": ["check", *PAIRS, "--no-times", "--solver", "none",
                    "--out", "out.jsonl", "-q"],
    "distill": ["distill", "--gold", "in/gold.jsonl", "--db", "in/db", "--out", "suite",
                "--seed", "1", "-q", "-j", "1", "--no-times"],
    "neighbors": ["neighbors", "--db", "in/db/one.sql", "--kinds", "comparison,column",
                  CASES[0][0]],
    "judge": ["judge", "--replay", "in/answers.jsonl", "--out", "out.jsonl"],
    "judge-grounded": ["judge", *PAIRS, "--prompt", "grounded", "--replay",
                       "in/script.jsonl", "--out", "out.jsonl"],
    "judge-live": ["judge", *PAIRS, "--model", "m", "--out", "out.jsonl", "--tries", "2",
                   "--concurrency", "1"],
    "generate": ["generate", "--questions", "in/gold.jsonl", "--db", "in/db", "--replay",
                 "in/generated.jsonl", "--out", "out.jsonl"],
    "show": ["show", "in/journal.jsonl"],
    "compare": ["compare", "in/journal.jsonl", "in/other.jsonl"],
    "agree": ["agree", "in/journal.jsonl", "--reference", "exec"],
    "convert": ["convert", "in/gold.jsonl", "--to", "jsonl", "--out", "out.jsonl"],
    "fmt": ["fmt", "in/query.sql"],
    "help": ["help", "score"],
}


# What does not wait for a server: no jump of a clock changes what they do.
TIMELESS = {"score", "score-files", "score-all", "lint", "check", "check-pairs", "distill",
            "neighbors", "judge", "judge-grounded"}


def lines_of(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


class Model(http.server.BaseHTTPRequestHandler):
    """A server that finds all queries equivalent."""
    protocol_version = "HTTP/1.1"
    answer = json.dumps({"choices": [{"message": {"content": 'decision = "equivalent"'},
                                      "finish_reason": "stop"}],
                         "usage": {"prompt_tokens": 1, "completion_tokens": 1}}).encode()

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.answer)))
        self.end_headers()
        self.wfile.write(self.answer)

    def log_message(self, *_):
        pass


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass  # a client that hangs up


def write_inputs(folder, assay):
    (folder / "db").mkdir(parents=True)
    (folder / "db/one.sql").write_text(DDL)
    rows = [{"id": f"c{i}", "db": "one", "question": f"What is {i}?", "gold": gold,
             "pred": pred, "left": gold, "right": pred, "ddl": DDL.split("INSERT")[0],
             "label": "equivalent"} for i, (gold, pred) in enumerate(CASES)]
    keep = {"gold.jsonl": ("id", "db", "question", "gold"), "pred.jsonl": ("id", "pred"),
            "pairs.jsonl": ("id", "left", "right", "ddl", "label")}
    for name, keys in keep.items():
        (folder / name).write_text(lines_of({k: row[k] for k in keys} for row in rows))
    (folder / "answers.jsonl").write_text(lines_of(
        {"id": row["id"], "judge": "m", "label": "equivalent", "q1": row["left"],
         "q2": row["right"], "response": 'decision = "equivalent"'} for row in rows))
    (folder / "script.jsonl").write_text(lines_of(
        {"id": row["id"], "response": text} for row in rows for text in (
            '{"t": [{"id": 1, "a": 1, "b": null}]}', 'decision = "equivalent"',
            'decision = "equivalent"')))
    (folder / "generated.jsonl").write_text(lines_of(
        {"id": row["id"], "response": f"```sql\n{row['pred']}\n```"} for row in rows))
    (folder / "query.sql").write_text("".join(f"{gold};\n" for gold, _ in CASES))
    above = folder.parent
    ready = [["score", "--gold", "in/gold.jsonl", "--db", "in/db", "--pred", "in/pred.jsonl",
              "-q", "--no-times", "--out", "in/journal.jsonl"],
             ["score", "--gold", "in/gold.jsonl", "--db", "in/db", "--pred", "in/gold.jsonl",
              "-q", "--no-times", "--allow-missing", "--out", "in/other.jsonl"],
             ["distill", "--gold", "in/gold.jsonl", "--db", "in/db", "--out", "in/suite", "-q"]]
    for words in ready:
        subprocess.run([assay, *words], cwd=above, check=False, stderr=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL)
    import sqlite3
    base = sqlite3.connect(folder / "t.sqlite")
    base.executescript(DDL)
    base.close()


class Run:
    """What a run did: its end, what it printed, what it left."""

    def __init__(self, code, out, err, files, left):
        self.code, self.out, self.err, self.files, self.left = code, out, err, files, left


class Bench:
    """Runs commands, each in a folder of its own."""

    def __init__(self, assay, work, env=None):
        self.assay, self.work = assay, work
        self.temporary = work / "tmp"
        self.temporary.mkdir()
        self.state = work / "state"
        self.state.write_bytes(bytes(HEAD.size + COUNTS.size))
        with open(self.state, "r+b") as f:
            self.map = mmap.mmap(f.fileno(), 0)
        write_inputs(work / "in", assay)
        self.env = {**os.environ, "ASSAY_FAULT": str(self.state), "LC_ALL": "C",
                    "TMPDIR": str(self.temporary), "OPENAI_API_KEY": "k", **(env or {})}

    def set(self, kind=-1, at=0, goes_on=0, jump_s=0):
        self.map[:] = HEAD.pack(kind, at, goes_on, jump_s) + bytes(COUNTS.size)

    def counts(self):
        return COUNTS.unpack(self.map[HEAD.size:])

    def run(self, words, keep=False):
        """Runs assay; with `keep` in the folder of the run before."""
        folder = self.work / "run"
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            (folder / "in").symlink_to(self.work / "in")
        p = subprocess.Popen([self.assay, *words], cwd=folder, env=self.env,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, start_new_session=True)
        try:
            out, err = p.communicate(timeout=LIMIT_S)
            code = p.returncode
        except subprocess.TimeoutExpired:
            os.killpg(p.pid, signal.SIGABRT)
            out, err = p.communicate()
            code = "hangs"
        left = self.children() + [f"temporary file {f}" for f in os.listdir(self.temporary)]
        files = {}
        for path in sorted(folder.rglob("*")):
            if path.is_file() and "in" not in path.relative_to(folder).parts[:1]:
                # The clock of the first line is the second in which the run began.
                files[str(path.relative_to(folder))] = re.sub(
                    rb'"clock":"[^"]*"', b'"clock":null', path.read_bytes(), count=1)
        left += [f"file {f}" for f in files if ".part" in f]
        return Run(code, out, err.decode(errors="replace"), files, left)

    @staticmethod
    def children():
        """Those that outlived their parent: they are ours now."""
        left = []
        try:
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if pid == 0:  # still running: a moment for one that is dying
                    for _ in range(100):
                        signal.sigtimedwait([], 0.01)
                        pid, status = os.waitpid(-1, os.WNOHANG)
                        if pid:
                            break
                    else:
                        pids = open(f"/proc/self/task/{os.getpid()}/children").read()
                        for one in pids.split():
                            os.kill(int(one), signal.SIGKILL)
                            os.waitpid(int(one), 0)
                        return ["a process"]
                del status
        except ChildProcessError:
            return left


def records(bytes_):
    """The lines of a journal by what names them; the head is not one."""
    found = {}
    for line in bytes_.decode(errors="replace").splitlines():
        try:
            row = json.loads(line)
        except ValueError:
            found[("broken", len(found))] = line
            continue
        if "id" in row:
            found[(row.get("run"), row["id"])] = row
    return found


def is_marked(row, whole):
    """Does a line say why it has no verdict, or hold another proof of the same?"""
    if "findings" in row:  # of lint
        return any(f["lint"] in ("no_database", "gold_failed") and f.get("detail")
                   for f in row["findings"])
    if row.get("verdict") == "unknown":  # of check
        return bool(row.get("reason") or row.get("detail"))
    if "verdict" in row:
        return row["verdict"] == whole["verdict"] and row["evidence"] == whole["evidence"]
    was = whole.get("verdicts") or {}
    # Of the same verdict the words may differ: names that might be meant, say.
    other = [p for name, p in (row.get("verdicts") or {}).items()
             if (p["v"], p.get("reason"))
             != ((was.get(name) or {}).get("v"), (was.get(name) or {}).get("reason"))]
    return "verdicts" in row and all(
        p["v"] == "unknown" and p.get("reason") or p.get("reason") in WHY_NOT for p in other)


def journal_faults(got, want):
    """Lines that are neither those of the run without a fault nor say why."""
    whole = records(want)
    wrong = []
    n_marked = 0
    for key, row in records(got).items():
        if key[0] == "broken":
            wrong.append(f"a line that is no JSON: {row[:80]}")
        elif row != whole.get(key):
            n_marked += 1
            if not is_marked(row, whole.get(key, {})):
                wrong.append(f"another verdict of {key}: {json.dumps(row)[:400]}")
    return wrong, n_marked


def new_lines(err, before):
    old = set(before.splitlines())
    return [line for line in err.splitlines() if line not in old]


def judge(bench, words, base, run):
    """What is wrong with a run in which a call failed."""
    wrong = [f"left: {what}" for what in run.left]
    if run.code == 127 and OF_GLIBC in run.err:
        return wrong
    if run.code not in CODES and run.code != base.code:
        return wrong + [f"ends with {run.code}"]
    if any(word in run.err for word in REPORT):
        wrong.append("report: " + run.err[:2000])
    n_marked = 0
    journals = [name for name in base.files if name.endswith(".jsonl")]
    for name in journals:
        found, n = journal_faults(run.files.get(name, b""), base.files[name])
        wrong += found
        n_marked += n
    if "-" in words and words[words.index("-") - 1] == "--out":
        found, n = journal_faults(run.out, base.out)
        wrong += found
        n_marked += n
    says = new_lines(run.err, base.err)
    if run.code == 4 and run.out.startswith(b"unknown"):
        n_marked += 1  # of two queries: the reason is what is printed
    if run.code != base.code and not says and n_marked == 0:
        wrong.append("says nothing: " + repr(run.err[:300]))
    # Two files that cannot be written, and what the calls of a model came to.
    if len(says) > 5:
        wrong.append("says too much: " + run.err[:600])
    if run.code == base.code and n_marked == 0 and not says:
        if run.out != base.out:
            wrong.append("prints something else: " + repr(run.out[:300]))
        wrong += [f"another {name}" for name in base.files
                  if run.files.get(name) != base.files[name]]
    if run.code != base.code and n_marked == 0 and "--out" in words and words[0] == "score" \
            and "out.jsonl" in words:
        bench.set()
        again = bench.run([*words, "--resume"], keep=True)
        if again.files.get("out.jsonl") != base.files["out.jsonl"]:
            wrong.append(f"--resume makes another journal ({again.code}, {again.err[:300]})")
    return wrong


def spread(n, most):
    """At most `most` of the numbers from 1 to n: the first ones, then evenly."""
    if n <= most:
        return list(range(1, n + 1))
    first = most // 3
    rest = most - first
    return sorted(set(range(1, first + 1))
                  | {first + 1 + i * (n - first - 1) // max(rest - 1, 1) for i in range(rest)})


class Tap:
    def __init__(self):
        self.n = 0
        self.n_wrong = 0

    def test(self, title, wrong, note=""):
        self.n += 1
        self.n_wrong += bool(wrong)
        print(f"{'not ok' if wrong else 'ok'} {self.n} - {title}{note}", flush=True)
        for line in wrong[:6]:
            print("# " + line.replace("\n", "\n#   "), flush=True)
        if len(wrong) > 6:
            print(f"# ... and {len(wrong) - 6} more")


def walk(bench, tap, name, kind, runs, verbose):
    words = COMMANDS[name]
    bench.set()
    base = bench.run(words)
    n = bench.counts()[kind]
    wrong = []
    n_runs = 0
    for goes_on in (0, 1):
        for at in spread(n, runs):
            if goes_on and KINDS[kind] in ("poll", "clock"):
                continue  # a poll that always fails is no system
            bench.set(kind, at, goes_on, 0)
            run = bench.run(words)
            n_runs += 1
            how = f"{KINDS[kind]} {at}{' and on' if goes_on else ''} of {n}"
            found = judge(bench, words, base, run)
            wrong += [f"{how}: {what}" for what in found]
            if verbose:
                print(f"# {name} {how}: {run.code} {run.err.strip()[-200:]!r} {found}")
    if n > 0:
        tap.test(f"{name}: {KINDS[kind]}", wrong, f" ({n_runs} runs, {n} calls)")


def walk_clock(bench, tap, name, runs):
    """Clocks that jump: an hour ahead, all of them; the one of the day back, too."""
    words = COMMANDS[name]
    bench.set()
    base = bench.run(words)
    n = bench.counts()[KINDS.index("clock")]
    wrong = []
    n_runs = 0
    for jump_s in (3600, -3600):
        for at in spread(n, runs):
            bench.set(KINDS.index("clock"), at, 1, jump_s)
            run = bench.run(words)
            n_runs += 1
            how = f"{jump_s} s at call {at} of {n}"
            if (run.code, run.out, run.files) != (base.code, base.out, base.files):
                wrong.append(f"{how}: {run.code} {run.err[:200]!r} {run.out[:200]!r}")
            wrong += [f"{how}: left: {what}" for what in run.left]
    if n > 0:
        tap.test(f"{name}: clocks that jump", wrong, f" ({n_runs} runs, {n} calls)")


def main():
    p = argparse.ArgumentParser()
    p.add_argument("assay")
    p.add_argument("--runs", type=int, default=8, help="of each command, kind and way")
    p.add_argument("--only", action="append", choices=list(COMMANDS))
    p.add_argument("--kind", action="append", choices=KINDS)
    p.add_argument("-v", action="store_true", dest="verbose")
    o = p.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    server = Server(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    tap = Tap()
    with tempfile.TemporaryDirectory() as work:
        bench = Bench(str(pathlib.Path(o.assay).resolve()), pathlib.Path(work), {
            "ASSAY_API_BASE": f"http://127.0.0.1:{server.server_port}/v1"})
        for name, words in COMMANDS.items():
            if o.only and name not in o.only:
                continue
            bench.set()
            first, again = bench.run(words), bench.run(words)
            if "this build" in first.err:  # without what the command needs
                continue
            same = (first.code, first.out, first.files) == (again.code, again.out, again.files)
            tap.test(f"{name}: twice the same, without a fault",
                     [] if first.code in (0, 1) and same and not first.left
                     and not any(b"address space" in text for text in first.files.values())
                     else [f"{first.code} {first.err[:500]} {first.left}"])
            for kind, word in enumerate(KINDS):
                if word == "clock" and name in TIMELESS and (not o.kind or word in o.kind):
                    walk_clock(bench, tap, name, o.runs)
                elif word != "clock" and (not o.kind or word in o.kind):
                    walk(bench, tap, name, kind, o.runs, o.verbose)
    print(f"1..{tap.n}")
    sys.exit(tap.n_wrong > 0)


if __name__ == "__main__":
    main()
