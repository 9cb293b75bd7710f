#!/usr/bin/env python3
"""terminal.py ASSAY - what files hold commands no terminal.

Every command that shows text of others is run on a pseudo-terminal with such
text in its input. Prints TAP.
"""
import os
import pty
import re
import signal
import subprocess
import sys
import tempfile

ASSAY = os.path.abspath(sys.argv[1])
EVIL = "\x1b[31mred\x1b]0;title\x07 \u009bH \u202eabc \x08\u061c\u200e\u2066"
# Escapes of our own are SGR and the erased line of the progress bar.
OURS = re.compile(rb"\x1b\[[0-9;]*m|\x1b\[K")
COMMAND = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\xc2[\x80-\x9f]"
                     rb"|\xd8\x9c|\xe2\x80[\x8e\x8f\xaa-\xae]|\xe2\x81[\xa6-\xa9]")
n = 0
failed = 0


def shown(folder, words):
    """What the command writes to a terminal that is its three streams."""
    master, slave = pty.openpty()
    with subprocess.Popen([ASSAY, *words], cwd=folder, stdin=slave, stdout=slave,
                          stderr=slave) as child:
        os.close(slave)
        text = b""
        while True:
            try:
                part = os.read(master, 1 << 16)
            except OSError:  # all ends are closed
                break
            if not part:
                break
            text += part
        child.wait(timeout=60)
    os.close(master)
    return text


def check(folder, *words):
    global n, failed
    n += 1
    text = shown(folder, words)
    # Red is ours, too, but not before this word.
    bad = COMMAND.search(OURS.sub(b"", text)) or b"\x1b[31mred" in text or not text
    failed += bool(bad)
    print(f"{'not ok' if bad else 'ok'} {n} - {words!a}")
    if bad:
        print(f"# {text[:300]!r}")


def check_colors(folder):
    """Colours of our own arrive, and only those."""
    global n, failed
    with open(os.path.join(folder, "plain.sql"), "w", encoding="utf-8") as f:
        f.write("SELECT b FROM t\n")
    shown(folder, ["score", "--gold", "g.sql", "--pred", "plain.sql", "--db", "t.sql", "-q", "--metrics", "exec", "--out", "plain.jsonl"])
    text = shown(folder, ["show", "plain.jsonl", "--color", "always"])
    n += 1
    holds = b"\x1b[31mb\x1b[0m" in text and b"\x1b[32ma\x1b[0m" in text and b"\x1b[31mred" not in text and b"\\x1b[31mred" in text
    failed += not holds
    print(f"{'' if holds else 'not '}ok {n} - show has green and red of its own, and none of the files'")
    if not holds:
        print(f"# {text!r}")


def check_page(folder):
    """A page of HTML is no text for a terminal; Markdown is, and so is what is asked for."""
    global n, failed
    texts = [shown(folder, ["report", "plain.jsonl", *words]) for words in ([], ["--format", "markdown"], ["-o", "-"])]
    n += 1
    holds = len(texts[0]) < 300 and b"-o plain.html" in texts[0] and texts[1].startswith(b"#") and b"<!doctype html>" in texts[2].lower()
    failed += not holds
    print(f"{'' if holds else 'not '}ok {n} - report writes no page onto a terminal")
    if not holds:
        print(f"# {[text[:200] for text in texts]!r}")


def main():
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # clean up
    try:
        os.close(os.open("/dev/ptmx", os.O_RDWR | os.O_NOCTTY))
    except OSError:
        print("1..0 # SKIP no pseudo-terminals here: mount -t devpts devpts /dev/pts")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "t.sql"), "w", encoding="utf-8") as f:
            f.write("CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 2);")
        for name, query in (("g", "SELECT a FROM t WHERE b <> '%s'"), ("p", "SELECT '%s' FROM t")):
            with open(os.path.join(folder, name + ".sql"), "w", encoding="utf-8") as f:
                f.write(query % EVIL + "\n")
        run = ["score", "--gold", "g.sql", "--pred", "p.sql", "--db", "t.sql"]
        for like in ("spider", "bird", "defog", "sql_eval"):
            check(folder, *run, "--like", like, "-v")
        check(folder, *run, "-v", "--out", "run.jsonl", "--color", "always")
        for option in ("--out", "--csv", "--summary", "--junit"):
            check(folder, *run, "-q", option, "-")
        check(folder, *run, "-q", "--github")
        for fmt in ("markdown", "csv", "jsonl", "junit", "github"):
            check(folder, "report", "run.jsonl", "--format", fmt)
        check(folder, "show", "run.jsonl", "--color", "always")
        check(folder, "neighbors", "--gold", "g.sql", "--db", "t.sql")
        check(folder, "neighbors", "--gold", "g.sql", "--db", "t.sql", "--json")
        check(folder, "lint", "--gold", "g.sql", "--db", "t.sql", "-v")
        check(folder, "lint", "--gold", "g.sql", "--db", "t.sql", "-o", "-")
        check(folder, "lint", "--gold", "g.sql", "--db", "t.sql", "--format", "sarif")
        for option in ("--oneline", "--tree", "--check"):
            check(folder, "fmt", option, "g.sql")
        for to in ("jsonl", "csv", "spider"):
            check(folder, "convert", "g.sql", "--to", to)
        check(folder, "check", "--db", "t.sql", f"SELECT '{EVIL}'", "SELECT 1")
        check_colors(folder)
        check_page(folder)
    print(f"1..{n}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
