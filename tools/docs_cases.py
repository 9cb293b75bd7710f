#!/usr/bin/env python3
"""docs_cases.py [--write] ASSAY_TEST [PAGE...] - runs the examples in the docs.

An indented block whose first line begins with `$ ` is a session: it is run as
a case of kind cli, in a folder with examples/ in it, and must print what stands
there. `...` on a line of its own stands for any lines; numbers of seconds at
the end of a line may differ. The sessions of a page of docs/tutorials/ go on from
one another; one that has Python's sessions (`>>> `) too is run by
tests/python/test_docs.py. With --write the pages get what is printed now;
look at the diff.

Of every other command that a page shows (`    assay score --gold ...`) the
options must be those of the command, and each `--option` in the text must be one
of some command: $ASSAY_BIN is asked.

Sessions that need pandas or DuckDB are left out, and said to be, where there is
none.

Without PAGE: README.md and all pages below docs/.
"""
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INDENT = "    "
SECONDS = re.compile(r"\bin [0-9.]+ s$")
COMMAND = re.compile(r"^    (?:build/)?assay ([a-z]+)(.*)")
# What these are given before the words of assay is theirs.
OTHERS = re.compile(r"^ *(?:\$ )?(?:.*\| )?(?:parallel|sbatch|#SBATCH|podman|python3?|curl) .*?(assay [a-z]+ .*|$)")
OF_OTHER_PROGRAM = re.compile(r"`(?:cc|bench/[a-z_.]+) [^`]*`")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]*+(?!_)")


def pages():
    yield "README.md"
    for folder, folders, names in sorted(os.walk(os.path.join(ROOT, "docs"))):
        folders.sort()
        for name in sorted(names):
            if name.endswith(".md"):
                yield os.path.relpath(os.path.join(folder, name), ROOT)


def blocks(lines):
    """Where the sessions are: pairs of first line and line after the last."""
    start = None
    for number, line in enumerate([*lines, "end"]):
        inside = line.startswith(INDENT) or (start is not None and not line)
        if start is None and line.startswith(INDENT + "$ "):
            start = number
        elif start is not None and not inside:
            end = number
            while not lines[end - 1]:
                end -= 1
            yield start, end
            start = None


def case_of(title, session):
    """A session as a case; blank lines at its end belong to the page."""
    return f"=== {title}\nlink: examples\n--- run\n" + "\n".join(session) + "\n"


def without_seconds(line):
    return SECONDS.sub("in T s", line)


def printed(test, session):
    """What the commands of the session print now."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "page.test")
        with open(path, "w", encoding="utf-8") as file:
            file.write("#! kind: cli\n\n" + case_of("session", session))
        subprocess.run([test, "--bless", path], cwd=ROOT, check=False,
                       stdout=subprocess.DEVNULL)
        with open(path, encoding="utf-8") as file:
            text = file.read()
    return text.split("--- run\n", 1)[1].rstrip("\n").split("\n")


def fits(want, got):
    """The lines are equal, but for times; `...` stands for any lines."""
    if not want:
        return not got
    if want[0] == "...":
        return any(fits(want[1:], got[i:]) for i in range(len(got) + 1))
    return bool(got) and (without_seconds(want[0]) == without_seconds(got[0])
                          and fits(want[1:], got[1:]))


def add_program(folder, name, *command):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\nexec {shlex.join(command)} \"$@\"\n")
    os.chmod(path, 0o755)


def add_readers(folder):
    """Puts what sessions read journals with into the folder, where the path has
    it not; {words in a session: why it cannot be run}."""
    absent = {}
    if not shutil.which("duckdb"):
        found = subprocess.run([os.path.join(ROOT, "tools/duckdb.sh")], check=False, capture_output=True, text=True)
        if found.returncode == 0:
            add_program(folder, "duckdb", "env", "ASSAY_DUCKDB=" + found.stdout.strip(),
                        sys.executable, os.path.join(ROOT, "tools/duckdb_csv.py"))
        else:
            absent["duckdb -csv"] = "no DuckDB here: tools/duckdb.sh get"
    for python in (sys.executable, "/usr/bin/python3"):
        if subprocess.run([python, "-c", "import pandas"], check=False, stderr=subprocess.DEVNULL).returncode == 0:
            add_program(folder, "python3", python)
            break
    else:
        absent["import pandas"] = "no pandas here: apt-get install python3-pandas"
    os.environ["PATH"] = folder + os.pathsep + os.environ["PATH"]
    return absent


def is_of_python(page, lines):
    """A tutorial whose sessions go on from Python's: tests/python runs all of it."""
    return page.startswith("docs/tutorials/") and any(line.startswith(INDENT + ">>> ") for line in lines)


def is_command(line):
    return line.startswith("$ ")


def printed_by_block(test, page, sessions):
    """What each session prints now. Those of a tutorial are one long session:
    each goes on in the folder of the one before it."""
    if not page.startswith("docs/tutorials/"):
        return [printed(test, session) for session in sessions]
    lines = printed(test, [line for session in sessions for line in session])
    starts = [i for i, line in enumerate(lines) if is_command(line)]
    parts = []
    for session in sessions:
        n = sum(map(is_command, session))
        end = starts[n] if n < len(starts) else len(lines)
        parts.append(lines[starts[0]:end])
        starts = starts[n:]
    return parts


def missing(session, absent):
    """Why the session cannot be run here, or None."""
    commands = "\n".join(filter(is_command, session))
    return next((why for words, why in absent.items() if words in commands), None)


def check(test, page, writes, absent):
    path = os.path.join(ROOT, page)
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    if is_of_python(page, lines):
        print(f"{page}: left to tests/python/test_docs.py")
        return 0, 0
    n_bad = n_good = 0
    places = []
    sessions = []
    for start, end in blocks(lines):
        session = [line[len(INDENT):] for line in lines[start:end]]
        why = missing(session, absent)
        if why:
            print(f"{page}:{start + 1}: skipped: {why}")
            continue
        places.append((start, end))
        sessions.append(session)
    found = list(zip(places, sessions, printed_by_block(test, page, sessions)))
    for (start, end), session, got in reversed(found):
        if fits(session, got):
            n_good += 1
            continue
        n_bad += 1
        if writes:
            lines[start:end] = [(INDENT + line).rstrip() for line in got]
        else:
            print(f"{page}:{start + 1}: prints something else now:")
            print("\n".join(got))
    if writes and n_bad:
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines))
    return n_good, n_bad


def options_by_command():
    """What `assay help COMMAND` lists, for each command."""
    def ask(*words):
        return subprocess.run([os.environ["ASSAY_BIN"], "help", *words],
                              check=True, capture_output=True, text=True).stdout
    commands = re.findall(r"^  ([a-z]+) {2,}", ask(), re.MULTILINE)
    return {c: set(OPTION.findall(ask(c))) for c in commands}


def check_uses(page, known):
    """Prints commands and options that are not there; how many."""
    of_any = set().union(*known.values())
    n_bad = 0
    with open(os.path.join(ROOT, page), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            shown = COMMAND.match(line)
            if shown and shown[2][:2] != " (":
                if shown[1] not in known:
                    print(f"{page}:{number}: no command {shown[1]}")
                    n_bad += 1
                    continue
                bad = set(OPTION.findall(shown[2])) - known[shown[1]]
            else:
                ours = OF_OTHER_PROGRAM.sub("", OTHERS.sub(r"\1", line))
                bad = set(OPTION.findall(ours)) - of_any
            for option in sorted(bad):
                print(f"{page}:{number}: no option {option}")
            n_bad += len(bad)
    return n_bad


def main():
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # clean up
    words = sys.argv[1:]
    writes = words[:1] == ["--write"]
    words = words[writes:]
    if not words:
        print(__doc__, file=sys.stderr)
        return 2
    test = os.path.abspath(words[0])
    known = options_by_command()
    shown = words[1:] or list(pages())
    n_wrong = sum(check_uses(page, known) for page in shown)
    with tempfile.TemporaryDirectory() as folder:
        absent = add_readers(folder)
        totals = [check(test, page, writes, absent) for page in shown]
    n_good = sum(good for good, _ in totals)
    n_bad = sum(bad for _, bad in totals)
    print(f"{n_good} sessions as printed, {n_bad} {'written' if writes else 'not'}")
    return 1 if n_wrong or (n_bad and not writes) else 0


if __name__ == "__main__":
    sys.exit(main())
