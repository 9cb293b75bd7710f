#!/usr/bin/env python3
"""worker.py ASSAY - `assay worker` under what goes wrong while it runs.

Workers that are killed from outside, queries that hang, eat memory or flood,
readers that do not read, signals, a parent that dies: every request is answered
once, those of others as if nothing had happened. TAP.
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

HANG = ("WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r) "
        "SELECT count(*) FROM r")
LONG_CALL = "SELECT hex(randomblob(400000000))"
BLOB = "SELECT group_concat(hex(zeroblob(4000000))) FROM t a, t b, t c"
FLOOD = "SELECT * FROM t a, t b, t c, t d, t e, t f"


def start(assay, db, *more):
    return subprocess.Popen(
        [assay, "worker", "--db", db, "--metrics", "exec", "--no-times", "-q",
         "--jobs", "2", "--timeout", "2", "--work", "none",
         "--memory", "300", *more],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def line(number, pred, gold="SELECT count(*) FROM t"):
    return json.dumps({"id": number, "gold": gold, "pred": pred}) + "\n"


def answers(out):
    found = [json.loads(text) for text in out.splitlines()]
    return {a["id"]: a for a in found}, len(found)


def children(pid):
    text = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(word) for word in text.split()]


def wait_until(what, seconds=30):
    end = time.monotonic() + seconds
    while not what() and time.monotonic() < end:
        time.sleep(0.01)
    return what()


def hostile(assay, db):
    """Each of them has its verdict; all others are right."""
    evil = {7: HANG, 33: LONG_CALL, 60: BLOB, 61: FLOOD, 90: HANG + " WHERE 1"}
    preds = [evil.get(i, "SELECT 200") for i in range(120)]
    p = start(assay, db)
    out, _ = p.communicate("".join(line(i, x) for i, x in enumerate(preds)).encode())
    by_id, n = answers(out)
    ok = p.returncode == 0 and n == len(by_id) == len(preds)
    for i, pred in enumerate(preds):
        v = by_id[i]["verdicts"]["exec"]
        if i in evil:
            ok &= v["v"] == "no" and v["reason"] in (
                "timeout", "memory", "columns_differ")
        else:
            ok &= v["v"] == "yes"
    return ok


def nobody_waits(assay, db):
    """With one slot taken by a query that hangs, the others go on."""
    p = start(assay, db, "--timeout", "30")
    p.stdin.write((line(0, HANG) + "".join(line(i, f"SELECT {i}") for i in range(1, 300))).encode())
    p.stdin.flush()
    seen = [json.loads(p.stdout.readline())["id"] for _ in range(299)]
    p.stdin.write(b'{"ping":5}\n')
    p.stdin.flush()
    pong = p.stdout.readline()
    p.kill()
    p.communicate()
    return sorted(seen) == list(range(1, 300)) and pong == b'{"ping":5}\n'


def the_clock_is_asked_again(assay, db):
    """What ran into the time limit may end another time: it runs each time. What
    was right is remembered."""
    p = subprocess.run(
        [assay, "worker", "--db", db, "--metrics", "exec", "-q", "--jobs", "1",
         "--timeout", "0.2", "--work", "none"], stdout=subprocess.PIPE, check=False,
        input="".join(line(i, HANG if i < 4 else "SELECT 200")
                      for i in range(8)).encode())
    by_id, n = answers(p.stdout)
    late, right = ([by_id[i]["pred_ms"] for i in ids]
                   for ids in (range(4), range(4, 8)))
    return (n == 8 and all(by_id[i]["pred_status"] == "timeout" for i in range(4))
            and len(set(late)) > 1 and len(set(right)) == 1)


def killed(assay, db):
    """Workers that get SIGKILL from outside, again and again: all is answered,
    and rightly."""
    p = start(assay, db, "--timeout", "30")
    n = 400
    work = ("WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r "
            "WHERE i < 30000) SELECT 200 + 0 * count(*) + 0 * %d FROM r")
    pid = os.fork()
    if pid == 0:
        p.stdin.write("".join(line(i, work % i) for i in range(n)).encode())
        os._exit(0)
    p.stdin.close()
    out = b""
    kills = 12
    for k in range(kills):
        out += b"".join(p.stdout.readline() for _ in range(20))
        found = children(p.pid)
        if found:
            os.kill(found[k % len(found)], signal.SIGKILL)
    out += p.stdout.read()
    os.waitpid(pid, 0)
    p.wait()
    by_id, n_lines = answers(out)
    wrong = [a for a in by_id.values() if a["verdicts"]["exec"]["v"] != "yes"]
    # One that was struck twice may be blamed for it. Where answers come late and
    # together, all kills come together, too.
    ok = (p.returncode == 0 and n_lines == len(by_id) == n
          and len(wrong) <= kills // 2
          and all(a["verdicts"]["exec"]["reason"] in ("memory", "crash")
                  for a in wrong))
    if not ok:
        print(f"# ended with {p.returncode}, {n_lines} answers to {len(by_id)} "
              f"of {n} questions, blamed: {wrong}")
    return ok


def stopped(assay, db):
    """SIGTERM: what it holds is answered, nothing more is read, and it ends."""
    p = start(assay, db)
    p.stdin.write("".join(line(i, f"SELECT {i}") for i in range(40)).encode())
    p.stdin.flush()
    first = p.stdout.readline()
    p.send_signal(signal.SIGTERM)
    out = p.stdout.read()
    p.stdin.close()
    p.wait()
    by_id, n = answers(first + out)
    return p.returncode == 130 and n == len(by_id) == 40


def back_pressure(assay, db):
    """Answers that nobody reads stop the reading; then all goes on."""
    p = start(assay, db)
    n = 60000
    pid = os.fork()
    if pid == 0:
        p.stdout.close()
        p.stdin.write("".join(line(i, "SELECT 200") for i in range(n)).encode())
        os._exit(0)
    p.stdin.close()
    time.sleep(1)
    status = pathlib.Path(f"/proc/{p.pid}/status").read_text()
    rss = int(status.split("VmRSS:")[1].split()[0])
    waits = os.waitpid(pid, os.WNOHANG) == (0, 0)
    out = p.stdout.read()
    if waits:
        os.waitpid(pid, 0)
    p.wait()
    _, n_lines = answers(out)
    return waits and rss < 100_000 and n_lines == n


def no_orphans(assay, db):
    """Its workers do not outlive it; and it ends when nobody reads answers."""
    p = start(assay, db, "--timeout", "30")
    p.stdin.write((line(0, HANG) + line(1, HANG + " WHERE 1")).encode())
    p.stdin.flush()
    wait_until(lambda: len(children(p.pid)) == 2)
    found = children(p.pid)
    p.kill()
    p.wait()
    ok = len(found) == 2 and wait_until(
        lambda: not any(os.path.exists(f"/proc/{x}/fd") and
                        "Z" not in pathlib.Path(f"/proc/{x}/stat").read_text().split()[2]
                        for x in found), 5)
    p = start(assay, db, "--timeout", "30")
    p.stdin.write(line(0, HANG).encode())
    p.stdin.flush()
    wait_until(lambda: len(children(p.pid)) > 0)
    p.stdout.close()
    return ok and p.wait(10) == 3


def main():
    assay = os.path.abspath(sys.argv[1])
    tests = [hostile, nobody_waits, the_clock_is_asked_again, killed, stopped, back_pressure, no_orphans]
    print(f"1..{len(tests)}")
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        db = os.path.join(folder, "db.sql")
        pathlib.Path(db).write_text(
            "CREATE TABLE t(id INTEGER PRIMARY KEY, s TEXT);\n"
            "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r "
            "WHERE i < 200) INSERT INTO t SELECT i, 'row ' || i FROM r;\n")
        for number, test in enumerate(tests, 1):
            ok = test(assay, db)
            failed |= not ok
            print(f"{'ok' if ok else 'not ok'} {number} - {test.__name__}", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
