#!/usr/bin/env python3
"""mutants.py [SOURCE...] - are the rules of proofs tested?

Takes out each rule, each assumption that proofs rest on, and each condition of the
rules (an operand of && or ||), one at a time, and says which of them no case of
tests/cases/proof notices. A rule is noticed if a pair is no longer proved (all but
conj-sort and iif, which are how terms are made); a condition if a case comes out
otherwise, or crashes. Of pairs that are proved only without a condition, and that
`assay check` refutes with it, it is also said how many the trial on small databases
refuses then.

Nothing is built anew for a mutant: a copy of the tree is compiled once in which
each condition asks $ASSAY_MUTANT whether it is out, and notes in $ASSAY_MUTANT_SEEN
that it said what it would not say then; only cases in which it did are run.

SOURCE: the files whose conditions are taken out. `make mutants` calls this.
"""
import collections
import concurrent.futures
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

SOURCES = ["src/prove/rule_*.c"]
ROWS = {"src/prove/rule.def": r'^RULE\(\w+, \w+, \w+, \w+, "([\w-]+)"', "src/relation/local.def": r'^LOCAL\(\w+, "([\w-]+)"'}
ASSUMPTIONS = r"^    ASSUME_(?!ENFORCED)(\w+) = \d+,"
CASES = "tests/cases/proof/*.test"
SECONDS = 60  # that the cases of a mutant may take

HEADER = r"""#ifndef ASSAY_PROVE_MUTANTS_H
#define ASSAY_PROVE_MUTANTS_H
int mutant_and(int n, int x);
int mutant_or(int n, int x);
int mutant_is_out(const char *rule, long len);
unsigned mutant_axiom(void);
#endif
"""
RUNTIME = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static const char *mutant(void)
{
    static const char *name;
    name = name ? name : getenv("ASSAY_MUTANT");
    return name = name ? name : "";
}
static int mutant_no(void)
{
    static int no = -1;
    return no = no >= 0 ? no : atoi(mutant());
}
static void mutant_seen(int n)
{
    static unsigned char seen[1 << 16];
    if (!seen[n]++ && getenv("ASSAY_MUTANT_SEEN")) {
        FILE *f = fopen(getenv("ASSAY_MUTANT_SEEN"), "a");
        fprintf(f, "%d\n", n);
        fclose(f);
    }
}
int mutant_and(int n, int x)
{
    if (!x) {
        mutant_seen(n);
    }
    return x || mutant_no() == n;
}
int mutant_or(int n, int x)
{
    if (x) {
        mutant_seen(n);
    }
    return x && mutant_no() != n;
}
int mutant_is_out(const char *rule, long len)
{
    return strlen(mutant()) == (size_t)len && memcmp(mutant(), rule, len) == 0;
}
"""
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|#[^\n]*|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|'
                   r'&&|\|\||\w+|[<>=!+*/%&|^-]=|->|\s+|.', re.S)
ENDS = {";", "{", "}", ",", "?", ":", "return", "=", "|=", "&=", "&&", "||"}


def operands(text):
    """(start, end, operator) of each operand of && and || in C source."""
    tokens = [(m.start(), m.end(), m.group()) for m in TOKEN.finditer(text)
              if not m.group().isspace() and not m.group().startswith(("//", "/*", "#"))]
    partner, stack, kept = {}, [], []
    for i, (start, _, word) in enumerate(tokens):
        if word in "([":
            stack.append(i)
        elif word in ")]":
            k = stack.pop()
            partner[k], partner[i] = i, k
            if tokens[k - 1][2] in ("for", "while", "assert"):
                kept.append((tokens[k][0], start))

    def edge(i, step):
        """The last token of the operand that goes on from token i."""
        opens = ")]" if step < 0 else "(["
        while tokens[i + step][2] not in ENDS:
            word = tokens[i + step][2]
            if word in opens:
                i = partner[i + step]
            elif word in "([)]":
                break
            else:
                i += step
        return i

    found = set()
    for i, (start, _, word) in enumerate(tokens):
        if word in ("&&", "||") and not any(a < start < b for a, b in kept):
            found.add((tokens[edge(i, -1)][0], tokens[i - 1][1], word))
            found.add((tokens[i + 1][0], tokens[edge(i, 1)][1], word))
    return sorted(found)


def instrument(path, source, first):
    """Rewrites a source; gives its conditions by number."""
    with open(path) as f:
        text = f.read()
    conditions, before, after = {}, collections.defaultdict(str), collections.defaultdict(str)
    for n, (a, b, word) in enumerate(operands(text), first):
        where = f"{source}:{text.count(chr(10), 0, a) + 1}"
        conditions[n] = f"{where}: {word} {' '.join(text[a:b].split())}"
        before[a] = f"mutant_{'and' if word == '&&' else 'or'}({n}, !!(" + before[a]
        after[b] += "))"
    out, at = ['#include "prove/mutants.h"\n#line 1\n'], 0
    for place in sorted(set(before) | set(after)):
        out += [text[at:place], after[place], before[place]]
        at = place
    with open(path, "w") as f:
        f.write("".join(out) + text[at:])
    return conditions


def make_copy(to):
    """A copy of the tree that asks for its conditions."""
    files = subprocess.run(["git", "ls-files", "-z"], capture_output=True, check=True, text=True)
    for name in filter(os.path.exists, files.stdout.strip("\0").split("\0")):
        os.makedirs(os.path.dirname(f"{to}/{name}"), exist_ok=True)
        shutil.copy(name, f"{to}/{name}", follow_symlinks=False)
    conditions = {}
    for source in sorted(name for p in sys.argv[1:] or SOURCES for name in glob.glob(p)):
        conditions.update(instrument(f"{to}/{source}", source, len(conditions) + 1))
    with open(f"{to}/src/prove/mutants.h", "w") as f:
        f.write(HEADER)
    path = f"{to}/src/relation/relation_term.c"
    with open(path) as f:
        text = f.read()
    asks = "return str_equal(rule, p->without)"
    assert asks in text, "where a rule is asked for"
    text = text.replace(asks, "return mutant_is_out(rule.ptr, rule.len) || str_equal(rule, p->without)")
    asks = "(p->assume & bits)"
    assert asks in text, "where an assumption is asked for"
    text = text.replace(asks, "(p->assume & ~mutant_axiom() & bits)")
    axioms = "".join(f'if (mutant_is_out("{word(a)}", {len(a)})) return ASSUME_{a};\n' for a in assumptions())
    text += f"{RUNTIME}unsigned mutant_axiom(void)\n{{\n{axioms}return 0;\n}}\n"
    with open(path, "w") as f:
        f.write(f'#include "prove/mutants.h"\n{text}')
    return conditions


def assumptions():
    with open("src/relation/relation_assume.h") as f:
        return re.findall(ASSUMPTIONS, f.read(), re.M)


def word(assumption):
    return assumption.lower().replace("_", "-")


def build(to):
    options = ["--buildtype=debugoptimized", "-Dwerror=false", "-Dwarning_level=0"]
    subprocess.run(["meson", "setup", *options, "build"], cwd=to, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["nice", "ninja", "-C", "build", "assay", "tests/assay-test"], cwd=to, check=True,
                   stdout=subprocess.DEVNULL)


def read_cases():
    """{FILE:LINE: {section or key: text}} of the cases."""
    cases = {}
    for path in sorted(glob.glob(CASES)):
        with open(path) as f:
            lines = f.read().split("\n")
        for i, line in enumerate(lines, 1):
            if line.startswith("=== "):
                case = cases[f"{path}:{i}"] = {}
                section = None
            elif line.startswith("--- "):
                section = line[4:]
                case[section] = ""
            elif cases and section:
                case[section] += line + "\n"
            elif cases and ": " in line:
                case.update([line.split(": ", 1)])
    return cases


def run_cases(to, names, **env):
    """Those that come out otherwise, as {name: what is printed}; None: it ended by itself."""
    command = [f"{to}/build/tests/assay-test", *names]
    try:
        done = subprocess.run(command, cwd=to, capture_output=True, text=True, timeout=SECONDS,
                              env={**os.environ, **env}, errors="replace")
    except subprocess.TimeoutExpired:
        return {names[0]: "it does not end"}
    parts = re.split(r"^(?=tests/\S+:\d+: )", done.stdout, flags=re.M)[1:]
    return {part.split(": ", 1)[0]: part for part in parts}


def see(to, name):
    """The conditions that the case asks and that say what they would not say when they are out."""
    path = f"{to}/seen-{re.sub(r'[^a-z0-9]', '-', name)}"
    run_cases(to, [name], ASSAY_MUTANT_SEEN=path)
    if not os.path.exists(path):
        return name, set()
    with open(path) as f:
        return name, set(map(int, f.read().split()))


def verdict(to, mutant, case):
    """What `assay check` says of the pair of a case, with the settings of the case."""
    pair = {"id": 1, "ddl": case["ddl"], "left": case["left"], "right": case["right"],
            "dialect": case.get("elsewhere", case.get("dialect", "sqlite"))}
    options = [x for key, option in (("assume", "--assume"), ("columns", "--column-order")) if key in case
               for x in (option, case[key].replace(" ", ""))]
    options += ["--tolerance", "1e-6"] if case.get("rounds") == "yes" else []
    done = subprocess.run([f"{to}/build/assay", "check", "-q", "--pairs", "-", "--solver", "none", "-j", "1", "-o", "-",
                           *options], input=json.dumps(pair) + "\n", capture_output=True, text=True,
                          env={**os.environ, "ASSAY_MUTANT": mutant})
    found = re.search(r'"verdict":"(\w+)"', done.stdout)
    return found and found.group(1)


def main():
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # clean up
    os.chdir(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    with tempfile.TemporaryDirectory(prefix="assay-mutants-") as to, \
         concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        conditions = make_copy(to)
        build(to)
        cases = read_cases()
        judge_rules(to, pool, cases)
        judge_conditions(to, pool, cases, conditions)


def judge_rules(to, pool, cases):
    rules = {word(a): rf"^assumes {word(a)}$" for a in assumptions()}
    for path, pattern in ROWS.items():
        with open(path) as f:
            rules.update({r: rf"[ ,]{r}(,|$)" for r in re.findall(pattern, f.read(), re.M)})
    # What prepares a subquery is no step: any case may need it.
    users = {r: [n for n, c in cases.items() if re.search(says, c.get("want", ""), re.M)] or list(cases)
             for r, says in rules.items()}
    found = pool.map(lambda r: run_cases(to, users[r], ASSAY_MUTANT=r), rules)
    print("| rule, assumption | not proved without it |\n|---|---:|")
    for rule, changed in zip(rules, found):
        needs = sum("\n+not proved" in text for text in changed.values())
        print(f"| {rule} | {needs or 'none'} |")


def judge_conditions(to, pool, cases, conditions):
    seen = collections.defaultdict(list)
    for name, numbers in pool.map(lambda n: see(to, n), cases):
        for n in numbers:
            seen[n].append(name)
    found = list(pool.map(lambda n: run_cases(to, seen[n], ASSAY_MUTANT=str(n)) if n in seen else {}, conditions))
    silent = [n for n, changed in zip(conditions, found) if not changed]
    proved = [(n, name) for n, changed in zip(conditions, found) for name, text in changed.items()
              if "\n-not proved" in text and "\n+equivalent" in text]
    names = list({name for _, name in proved})
    verdicts = pool.map(lambda name: verdict(to, "", cases[name]), names)
    differ = {name for name, word in zip(names, verdicts) if word == "different"}
    wrong = {(n, name) for n, name in proved if name in differ}
    refused = dict(zip(wrong, pool.map(lambda w: verdict(to, str(w[0]), cases[w[1]]) != "equivalent", wrong)))
    passed = [w for w in sorted(wrong) if not refused[w]]
    print(f"\n{len(conditions)} conditions; without {len(conditions) - len(silent)} of them a case comes out "
          f"otherwise.\nWithout {len({n for n, _ in proved})} more is proved, without {len({n for n, _ in wrong})} "
          f"what is wrong: {len(wrong)} proofs, of which the trial refuses {len(wrong) - len(passed)},\n"
          f"all of {len({n for n, _ in wrong} - {n for n, _ in passed})} conditions.")
    for n, name in passed:
        print(f"  not refused: {conditions[n]}\n    {name}")
    print(f"No case notices {len(silent)}; {sum(n not in seen for n in silent)} of these are never what decides:")
    for n in silent:
        print(f"  {conditions[n]}{'' if n in seen else ' (never)'}")


if __name__ == "__main__":
    main()
