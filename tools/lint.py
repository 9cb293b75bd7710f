#!/usr/bin/env python3
"""lint.py CHECK|all [ROOT] - checks over the files of the project.

Prints a line per finding and ends with 1 when there is one; `all` speaks TAP
to Meson. The checks are the functions check_*; tools/lint_selftest.py shows
that each of them can fail.
"""
import os
import re
import subprocess
import sys

MAX_FILE_LINES = 900  # one subject may take more than most; two are two files
MAX_FUNCTION_LINES = 80  # a finding
LONG_FUNCTION_LINES = 60  # a note
MAX_WIDTH = 80

# What these call sites should use instead.
BANNED = {
    "sprintf": "snprintf or buf_printf",
    "vsprintf": "vsnprintf",
    "strcpy": "arena_cstr",
    "strcat": "buf_add",
    "strncpy": "arena_cstr",
    "strncat": "buf_add",
    "strtok": "str_cut",
    "atoi": "str_to_int",
    "atol": "str_to_int",
    "atof": "str_to_double",
    "sscanf": "str_to_int, str_cut",
    "gets": "file_open",
    "setjmp": "an early return",
    "longjmp": "an early return",
    "alloca": "an arena",
    "system": "fork and exec",
}
# May end the process: programs, and the worker that is one.
MAY_EXIT = re.compile(r"^(src/cli/|src/job/(worker|pool|check_run)|src/process/"
                      r"|tests/|fuzz/|bench/|examples/)")
# An arena that is full leaves a call of the library, whatever it was doing:
# its host must live on, and nothing in between can return an error.
MAY_CALL = {("src/api_call.c", "setjmp"), ("src/api_call.c", "longjmp")}
SOURCE = re.compile(r"^(src|include|tests|fuzz|bench|examples)/.*\.[ch]$")
MACHINE_PATH = re.compile(r"(?<![\w.$}])/(work|tmp|home|root|mnt|Users)/")


def project_files(root):
    """Paths below root, as git knows them, or all outside build folders."""
    try:
        listing = subprocess.run(["git", "-C", root, "ls-files"], check=True,
                                 capture_output=True, text=True).stdout
        names = listing.splitlines()
    except (OSError, subprocess.CalledProcessError):
        names = []
    if not names:
        for folder, folders, files in os.walk(root):
            folders[:] = [f for f in folders
                          if not f.startswith("build") and f != ".git"]
            names += [os.path.relpath(os.path.join(folder, f), root)
                      for f in files]
    return sorted(n for n in names if os.path.isfile(os.path.join(root, n)))


def read_text(root, name):
    with open(os.path.join(root, name), encoding="utf-8",
              errors="replace") as file:
        return file.read()


def sources(root):
    for name in project_files(root):
        if SOURCE.match(name):
            yield name, read_text(root, name)


def without_comments(text):
    """C text with comments and the insides of literals blanked out."""
    def blank(match):
        found = match.group(0)
        if found[0] in "\"'":
            return found[0] + " " * (len(found) - 2) + found[-1]
        return re.sub(r"[^\n]", " ", found)
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"'
                  r"|'(?:\\.|[^'\\\n])*'", blank, text, flags=re.S)


def numbered(text):
    return enumerate(text.split("\n"), start=1)


def check_layers(root):
    """A folder of src/ includes only what src/LAYERS allows it."""
    allowed = {}
    for line in read_text(root, "src/LAYERS").splitlines():
        if ":" in line and not line.startswith("#"):
            folder, _, may = line.partition(":")
            allowed[folder] = set(may.split()) | {folder}
    for name, text in sources(root):
        parts = name.split("/")
        if parts[0] != "src":
            continue
        folder = parts[1] if len(parts) > 2 else "api"
        if folder not in allowed:
            yield f"{name}:1: folder '{folder}' is not in src/LAYERS"
            continue
        for number, line in numbered(text):
            found = re.match(r'\s*#\s*include "([^"]+)"', line)
            path = found[1].split("/") if found else []
            of = path[0] if len(path) > 1 else "api"
            if found and of not in allowed[folder]:
                yield (f"{name}:{number}: '{folder}' may not include "
                       f"'{found[1]}'")


def check_names(root):
    """Names of C files, headers, tables and tools are unique in the tree."""
    seen = {}
    for name in project_files(root):
        base = os.path.basename(name)
        if not re.search(r"\.(c|h|def|py|sh)$", base):
            continue
        if base in seen:
            yield f"{name}:1: there is a '{seen[base]}' already"
        seen[base] = name


def check_banned(root):
    """No function that overflows, guesses or jumps; no exit in the library."""
    call = re.compile(r"(?<![\w.>])(\w+)\s*\(")
    for name, text in sources(root):
        for number, line in numbered(without_comments(text)):
            for found in call.finditer(line):
                word = found[1]
                if word in BANNED and (name, word) not in MAY_CALL:
                    yield f"{name}:{number}: '{word}': use {BANNED[word]}"
                elif (word in ("exit", "_exit", "_Exit", "quick_exit")
                      and not MAY_EXIT.match(name)):
                    yield f"{name}:{number}: '{word}' in the library"


def check_size(root):
    """Files and functions can be read in one go."""
    for name, text in sources(root):
        lines = text.split("\n")
        if len(lines) - 1 > MAX_FILE_LINES:
            yield f"{name}:1: {len(lines) - 1} lines, at most {MAX_FILE_LINES}"
        start = 0
        for number, line in numbered(text):
            if line == "{":
                start = number
            elif line == "}" and start:
                n = number - start - 1
                if n > MAX_FUNCTION_LINES:
                    yield (f"{name}:{start}: a function of {n} lines, at most "
                           f"{MAX_FUNCTION_LINES}")
                elif n > LONG_FUNCTION_LINES:
                    print(f"# note: {name}:{start}: a function of {n} lines")
                start = 0


def check_paths(root):
    """No path of somebody's machine."""
    for name in project_files(root):
        if re.search(r"\.(png|sqlite|gz)$", name):
            continue
        for number, line in numbered(read_text(root, name)):
            if MACHINE_PATH.search(line) and "lint: path" not in line:
                yield f"{name}:{number}: a path of one machine: {line.strip()}"


def check_temporary(root):
    """What makes temporary files removes them when it is interrupted, too."""
    wanted = {".sh": (r"\bmktemp\b", r"trap 'exit \d+' HUP INT TERM"),
              ".py": (r"\btempfile\.", r"signal\.SIGTERM")}
    for name in project_files(root):
        made, removed = wanted.get(os.path.splitext(name)[1], (None, None))
        text = read_text(root, name) if made else ""
        if made and re.search(made, text) and not re.search(removed, text):
            yield f"{name}:1: temporary files, and no {removed}"


def heading_anchor(title):
    words = re.sub(r"[^\w\- ]", "", title.strip().lower())
    return words.replace(" ", "-")


def anchors(text):
    return {heading_anchor(line.lstrip("#")) for line in text.split("\n")
            if line.startswith("#")}


def check_links(root):
    """Links between pages lead somewhere, and to every page of docs/."""
    link = re.compile(r"\]\(([^)\s]+)\)")
    linked = {"docs/README.md"}
    for name in project_files(root):
        if not name.endswith(".md"):
            continue
        in_code = False
        for number, line in numbered(read_text(root, name)):
            in_code ^= line.startswith("```")
            for found in [] if in_code else link.finditer(line):
                if re.match(r"[a-z]+:", found[1]):
                    continue
                target, _, anchor = found[1].partition("#")
                path = os.path.normpath(
                    os.path.join(os.path.dirname(name), target)
                    if target else name)
                linked.add(path)
                if not os.path.exists(os.path.join(root, path)):
                    yield f"{name}:{number}: no file '{found[1]}'"
                elif (anchor and path.endswith(".md")
                      and anchor not in anchors(read_text(root, path))):
                    yield f"{name}:{number}: no heading '{found[1]}'"
    for name in project_files(root):
        if re.match(r"docs/.*\.md$", name) and name not in linked:
            yield f"{name}:1: a page that no page links to"


CITED = re.compile(r"(?<![\w./*-])([a-z_][\w./-]*\.md)"
                   r"((?:,? (?:to |and )?)?#[a-z][\w-]*(?:,? (?:to |and )?"
                   r"#[a-z][\w-]*)*)?")
PAPER = re.compile(r"\[(0\d\d)(?: [^]]*)?\]")
# | [003 4.2] | what it says | [the file that does it](path) |
DONE_BY = re.compile(r"^\| (\[\d{3} [^]]+\]) \|.*\]\(([^)]+)\) \|$")


def cited_page(root, name, page):
    """The page that a comment in `name` means, as a path below root."""
    for folder in ("", "docs", os.path.dirname(name)):
        path = os.path.normpath(os.path.join(folder, page))
        if os.path.isfile(os.path.join(root, path)):
            return path
    return None


def wrong_citations(root, name, line, papers):
    """What one line of code cites that is not there."""
    for found in CITED.finditer(line):
        path = cited_page(root, name, found[1])
        if path is None:
            yield f"no page '{found[1]}'"
            continue
        known = anchors(read_text(root, path))
        for anchor in re.findall(r"#([\w-]+)", found[2] or ""):
            if anchor not in known:
                yield f"no heading '{found[1]}#{anchor}'"
    for found in PAPER.finditer(line):
        if found[1] not in papers:
            yield f"no [{found[1]}] in docs/sources.md"


def check_citations(root):
    """Pages, headings and papers that code cites exist; a file that the
    definitions name for a sentence of a paper cites that sentence."""
    sources_page = "docs/sources.md"
    papers = set()
    if os.path.exists(os.path.join(root, sources_page)):
        papers = set(PAPER.findall(read_text(root, sources_page)))
    for name in project_files(root):
        if not re.match(r"(src|include|tests|fuzz|bench)/.*\.(c|h|def|test)$",
                        name):
            continue
        for number, line in numbered(read_text(root, name)):
            if name.endswith(".test") and not line.startswith("# "):
                continue
            for finding in wrong_citations(root, name, line, papers):
                yield f"{name}:{number}: {finding}"
    for name in project_files(root):
        if not name.startswith("docs/definitions/"):
            continue
        for number, line in numbered(read_text(root, name)):
            found = DONE_BY.match(line)
            path = found and os.path.normpath(
                os.path.join(os.path.dirname(name), found[2]))
            if not path or not os.path.isfile(os.path.join(root, path)):
                continue  # check_links says where a link leads nowhere
            text = re.sub(r"\s*\n[ /*]*", " ", read_text(root, path))
            if found[1] not in text:
                yield f"{name}:{number}: {path} does not cite {found[1]}"


def check_defs(root):
    """Every .def table is included somewhere; every reason is explained;
    field.def is sorted, as its binary search needs."""
    included = set()
    for _, text in sources(root):
        included |= set(re.findall(r'#\s*include "([^"]+\.def)"', text))
    included = {os.path.basename(name) for name in included}
    for name in project_files(root):
        if not name.endswith(".def"):
            continue
        base = os.path.basename(name)
        if base not in included:
            yield f"{name}:1: a table that nothing includes"
        previous = ""
        for number, line in numbered(read_text(root, name)):
            if base == "reason.def" and line.startswith("REASON(") \
                    and not re.search(r'"[^"]{10,}"\)$', line):
                yield f"{name}:{number}: a reason that is not explained"
            field = re.match(r'FIELD\("([^"]*)"', line)
            if base == "field.def" and field:
                if field.group(1) <= previous:
                    yield f"{name}:{number}: not sorted"
                previous = field.group(1)


def check_cases(root):
    """Every file of cases is of a registered kind and in that kind's folder.

    Those that burn their limits stand in a folder of their own."""
    kinds = set(re.findall(r"^KIND\(kind_(\w+)\)",
                           read_text(root, "tests/kinds.def"), re.M))
    for name in project_files(root):
        if not name.endswith(".test"):
            if name.startswith("tests/cases/"):
                yield f"{name}:1: not a .test file, so it is never run"
            continue
        first = read_text(root, name).split("\n")[0]
        kind = first[len("#! kind: "):].strip()
        if not first.startswith("#! kind: ") or kind not in kinds:
            yield f"{name}:1: no registered kind: '{first}'"
        elif not name.startswith((f"tests/cases/{kind}/",
                                  "tests/cases/hostile/")):
            yield f"{name}:1: kind '{kind}' belongs in tests/cases/{kind}/"


def check_text(root):
    """Lines of C fit, nothing ends in blanks, files end with a line end."""
    for name in project_files(root):
        if not re.search(r"\.(c|h|def|py|sh|md|build)$|Makefile$", name):
            continue
        text = read_text(root, name)
        if text and not text.endswith("\n"):
            yield f"{name}:1: no line end at the end"
        for number, line in numbered(text):
            if line != line.rstrip():
                yield f"{name}:{number}: blanks at the end of the line"
            if "\t" in line and not name.endswith("Makefile"):
                yield f"{name}:{number}: a tab"
            if SOURCE.match(name) and len(line) > MAX_WIDTH \
                    and '"' not in line:
                yield f"{name}:{number}: longer than {MAX_WIDTH} columns"


LONG_FILE = 80  # lines; a longer one has a method to tell


def bare_head(name, text):
    """A long file under src that says no more than "see x.h"."""
    if not re.match(r"src/.*\.c$", name) or text.count("\n") <= LONG_FILE:
        return False
    return re.match(r"// \S+ - see [\w/]+\.h\.?\n(?!//)"
                    r"|/\*\n \* \S+ - see [\w/]+\.h\.?\n \*/", text)


def check_heads(root):
    """Every C file begins by saying what it is, a long one also how it works;
    every header is guarded."""
    for name, text in sources(root):
        base = os.path.basename(name)
        if not re.match(r"(//|/\*\n \*) " + re.escape(base) + r" - ", text) \
                and not re.match(r"// " + re.escape(base), text):
            yield f"{name}:1: does not begin with '{base} - what it is'"
        if bare_head(name, text):
            yield (f"{name}:1: begins with only 'see x.h'; a long file says "
                   "its method, invariants and cost")
        if name.endswith(".h") and not re.search(r"^#ifndef ASSAY_(\w+_)?H$",
                                                 text, re.M):
            yield f"{name}:1: no include guard ASSAY_..._H"


# Where an evaluator may be named outside of src/evaluators, and why.
NAMES_EVALUATORS = {
    r"src/read/": "formats are called after the data that come in them",
    r"src/schema/schema_spider\.[ch]$": "the format of tables.json",
    r"src/api\.c$": "the library promises the rule sets by number",
    r"src/metric/metric_set\.c$": "keys made from the table's words",
}
# Formats are read's; other folders may ask which one it is.
FORMAT_NAME = re.compile(r"FORMAT_|schema_(from_)?spider")
# Where a metric may be named outside of src/metric, and why.
NAMES_METRICS = {
    r"src/api\.c$": "the library promises the metrics as bits",
    r"src/evaluators/like": "the tables that other programs print",
    r"src/job/judge_settled\.c$": "the table of what settles an opinion",
    r"src/model/": "records of judges: the verdict beside an opinion",
    r"src/report/": "journals are read by their keys; exec leads a report",
    r"src/sql/|src/read/": "words of SQL",
}
# Words of metrics that are ordinary words, too: as literals they say nothing.
ORDINARY = {"string", "edit", "set", "suite", "judge"}


def table_words(root, name, macro):
    """{constant: word} of the rows of a .def table."""
    path = os.path.join(root, name)
    text = read_text(root, name) if os.path.isfile(path) else ""
    return dict(re.findall(rf"^{macro}\((\w+), *(\w+)", text, re.M))


def c_files(root, allowed):
    """Files of src/ outside of the places that are allowed."""
    for name, text in sources(root):
        if name.startswith("src/") and not any(
                re.match(place, name) for place in allowed):
            yield name, text


def check_evaluators(root):
    """Code asks for a property of an evaluator, never which one it is."""
    words = [word for word in table_words(
        root, "src/evaluators/evaluator.def", "EVALUATOR").values()
        if os.path.isfile(os.path.join(
            root, f"src/evaluators/compare_{word}.c"))]
    if not words:
        return
    named = re.compile(rf"\w*(?:{'|'.join(words)})\w*", re.I)
    for name, text in c_files(root, ["src/evaluators/", *NAMES_EVALUATORS]):
        for number, line in numbered(without_comments(text)):
            for found in named.findall(line):
                if not FORMAT_NAME.match(found):
                    yield (f"{name}:{number}: '{found}' names an evaluator "
                           "outside src/evaluators")


# What a query asks is read here; neighbors take trees apart to change them.
# Whoever reads a field of a tree takes it apart, by whatever loop.
MAY_READ = ["src/(sql|schema|relation)/", r"src/suite/neighbor\w*\.c"]
READS = re.compile(r"\bast_(?:walk|find|each|rewrite|kid_count)\(|\bkid\[")


def check_readings(root):
    """Only relation/ takes a query apart to learn what it asks: src/READINGS
    lists the files that still do, and may only become shorter."""
    listed = {line for line in read_text(root, "src/READINGS").splitlines()
              if line and not line.startswith("#")}
    for name, text in c_files(root, MAY_READ):
        reads = READS.search(without_comments(text))
        if not reads:
            continue
        if name not in listed:
            yield (f"{name}:1: takes a query apart ({reads[0]}): "
                   "ask src/relation")
        listed.discard(name)
    for name in sorted(listed):
        yield f"src/READINGS:1: '{name}' reads no query any more"


def check_metrics(root):
    """Whoever needs to know of a metric asks metric.def."""
    words = table_words(root, "src/metric/metric.def", "METRIC")
    if not words:
        return
    constant = re.compile(rf"\bMETRIC_(?:{'|'.join(words)})\b")
    told = "|".join(w for w in words.values() if w not in ORDINARY)
    literal = re.compile(rf'"(?:{told})[:"]')
    for name, text in c_files(root, ["src/metric/", *NAMES_METRICS]):
        for number, line in numbered(without_comments(text)):
            for found in constant.findall(line):
                yield f"{name}:{number}: '{found}' outside src/metric"
        for number, line in numbered(text):
            if literal.search(line) and not re.match(r"\s*(//|\*)", line):
                yield f"{name}:{number}: a metric by its word: {line.strip()}"


def include_graph(root):
    """{module: modules that its .c and .h include}; files of a pair NAME.c
    and NAME.h are one module."""
    files = {name: text for name, text in sources(root)
             if name.startswith("src/")}
    graph = {}
    for name, text in files.items():
        module = graph.setdefault(name[:-2], set())
        for found in re.findall(r'^\s*#\s*include "([^"]+)\.h"', text, re.M):
            if f"src/{found}.h" in files and f"src/{found}" != name[:-2]:
                module.add(f"src/{found}")
    return graph


def circles(graph):
    """The strongly connected components with several modules (Tarjan)."""
    index, low, stack, found = {}, {}, [], []

    def visit(module):
        index[module] = low[module] = len(index)
        stack.append(module)
        for other in sorted(graph.get(module, ())):
            if other not in index:
                visit(other)
                low[module] = min(low[module], low[other])
            elif other in stack:
                low[module] = min(low[module], index[other])
        if low[module] == index[module]:
            at = stack.index(module)
            if len(stack) - at > 1:
                found.append(sorted(stack[at:]))
            del stack[at:]

    for module in sorted(graph):
        if module not in index:
            visit(module)
    return sorted(found)


def is_internal_pair(circle, graph):
    """A module and its part NAME_x, or a header no other folder includes."""
    folders = {os.path.dirname(module) for module in circle}
    if len(circle) != 2 or len(folders) != 1:
        return False
    if circle[1].startswith(circle[0] + "_"):
        return True
    outside = set()
    for module, included in graph.items():
        if os.path.dirname(module) not in folders:
            outside |= included
    return not set(circle) <= outside


def check_circles(root):
    """No circle of includes, but a public and an internal header."""
    graph = include_graph(root)
    for circle in circles(graph):
        if not is_internal_pair(circle, graph):
            yield f"{circle[0]}.c:1: a circle of includes: {' '.join(circle)}"


THEMES = ["Verdicts that change", "Added", "Faster", "Fixed"]
ENTRY_LINES = 2
CHANGES_LINES = 150  # of two versions together


def changes_entries(text):
    """(number of the first line, the lines joined, how many) of each entry."""
    entry = []
    for number, line in [*numbered(text), (0, "")]:
        if entry and not line.startswith("  "):
            yield entry[0][0], " ".join(t.strip() for _, t in entry), len(entry)
            entry = []
        if line.startswith("- ") or (entry and line.startswith("  ")):
            entry.append((number, line))


def check_changes(root):
    """CHANGELOG.md is for users: by version and theme, entries of two lines
    at most, none twice, and two versions fit on three screens."""
    name = "CHANGELOG.md"
    if not os.path.isfile(os.path.join(root, name)):
        return
    text = read_text(root, name)
    seen = {}
    for number, entry, n_lines in changes_entries(text):
        if n_lines > ENTRY_LINES:
            yield (f"{name}:{number}: an entry of {n_lines} lines, at most "
                   f"{ENTRY_LINES}: details belong in the commit")
        if not re.search(r"[.)]$", entry):
            yield f"{name}:{number}: an entry that does not end in a full stop"
        words = re.sub(r"\W+", " ", entry).lower()[:60]
        if words in seen:
            yield f"{name}:{number}: an entry like that in line {seen[words]}"
        seen.setdefault(words, number)
    versions = 0
    for number, line in numbered(text):
        versions += line.startswith("## ")
        if line.startswith("### ") and line[4:] not in THEMES:
            yield f"{name}:{number}: no theme; there are {', '.join(THEMES)}"
        if versions == 3 or number == text.count("\n") + 1:
            if number - 1 > CHANGES_LINES:
                yield (f"{name}:{number}: {number - 1} lines for two versions, "
                       f"at most {CHANGES_LINES}")
            break


ENGLISH = "tools/english.txt"
READ_BY_USERS = re.compile(r"(?!CHANGELOG|docs/sources).*\.md$|src/.*\.(c|def)$"
                           r"|include/.*\.h$|python/assay/.*\.py$")


def english_patterns(root):
    """(pattern, what to write instead) of each row of the word list."""
    for line in read_text(root, ENGLISH).splitlines():
        pattern, _, instead = line.partition("\t")
        if pattern and not line.startswith("#"):
            yield re.compile(pattern.replace(" ", r"\s+"), re.I), instead


def words_for_users(name, text):
    """Of C only its strings, those in several pieces joined, on their lines."""
    if not name.endswith(".c"):
        return text
    text = re.sub(r"/\*.*?\*/|//[^\n]*|'(?:\\.|[^'\\])'",
                  lambda m: "\n" * m[0].count("\n"), text, flags=re.S)
    text = re.sub(r'"\s*\n\s*"', "\n", text)
    parts, end = [], 0
    for found in re.finditer(r'"(?:\\.|[^"\\])*"', text):
        parts += ["\n" * text.count("\n", end, found.start()), found[0]]
        end = found.end()
    return "".join(parts)


def check_english(root):
    """Phrases that were removed from what users read do not come back."""
    if not os.path.isfile(os.path.join(root, ENGLISH)):
        return
    patterns = list(english_patterns(root))
    one = re.compile("|".join(p.pattern for p, _ in patterns), re.I)
    for name in project_files(root):
        if not READ_BY_USERS.match(name):
            continue
        text = words_for_users(name, read_text(root, name))
        for pattern, instead in patterns if one.search(text) else []:
            for found in pattern.finditer(text):
                number = text.count("\n", 0, found.start()) + 1
                said = " ".join(found[0].split())
                yield f"{name}:{number}: '{said}': {instead}"


def safety_parts(text):
    """(line, title, text) of each promise: a paragraph that begins with bold
    words, with what follows it; a row of a table with a column of tests."""
    lines = text.split("\n")
    at = column = 0
    for i, line in enumerate(lines + ["## "]):
        title = re.match(r"\*\*(.+?)\*\*", lines[at]) if at < i else None
        is_row = line.startswith("|")
        if line.startswith(("**", "#")) or (is_row and at == i - 1):
            if title:
                yield at + 1, title[1].strip("."), "\n".join(lines[at:i])
            at = i
        cells = [cell.strip() for cell in line.split("|")]
        if is_row and not lines[i - 1].startswith("|"):
            column = cells.index("test") if "test" in cells else 0
        elif is_row and column and not line.startswith("|--"):
            yield i + 1, cells[1], cells[column]


def asserts_nothing(name, body):
    """Does a test in C ask for nothing, nor what it calls?"""
    functions = dict(re.findall(r"^static [\w *]*?(\w+)(\([^;]*?^})", body,
                                re.M | re.S))
    test = functions.get(name, "assert")
    return "assert" not in test + "".join(
        functions.get(called, "") for called in re.findall(r"(\w+)\(", test))


def missing_tests(root, cited):
    """What is named as a test and not there: a file, one of the same folder
    after it, names of tests in it: `a/b.c`, `name`, `c.c`."""
    for chain in re.findall(r"`(?:tests|fuzz|tools)/[^`\s]+`(?:,\s+`[^`\s]+`)*",
                            cited):
        names = re.findall(r"`([^`]+)`", chain)
        folder, body = os.path.dirname(names[0]), ""
        for name in names:
            if re.fullmatch(r"[a-z]\w+", name):
                if name not in re.findall(r"\w+", body):
                    yield f"no test {name}"
                if asserts_nothing(name, body):
                    yield f"the test {name} asserts nothing"
                continue
            path = name if "/" in name else f"{folder}/{name}"
            is_file = os.path.isfile(os.path.join(root, path))
            body = read_text(root, path) if is_file else ""
            if not is_file and "*" not in name:
                yield f"no {path}"


# What the page about safety counts: the words, the file, what is counted there.
COUNTED = [
    (r"(\d+) statements for SQLite", "sqlite.txt", r"^=== "),
    (r"(\d+) attacks on PostgreSQL", "postgres.txt", r"^=== "),
    (r"(\d+) on MariaDB \(", "mariadb.txt", r"^=== "),
    (r"(\d+) on DuckDB,", "duckdb.txt", r"^=== "),
    (r"(\d+) over ODBC,", "odbc.txt", r"^=== "),
    (r"(\d+) queries beside overloads", "postgres_own.txt", r"^=== "),
    (r"(\d+) queries on PostgreSQL and", "postgres.txt", r"^=== what others run"),
    (r"and (\d+) on MariaDB for what others run", "mariadb.txt", r"^=== what others run"),
    (r"(\d+) names that the server cuts", "postgres.txt", r"^=== a name that the server cuts"),
    (r"(\d+) and \d+ queries that make one", "postgres.txt", r"^=== a large"),
    (r"\d+ and (\d+) queries that make one", "mariadb.txt", r"^=== a large"),
]


def wrong_counts(root, text):
    """(where, finding)"""
    for words, name, what in COUNTED:
        path = f"tests/hostile/{name}"
        found = re.search(words, text)
        if found and os.path.exists(os.path.join(root, path)):
            n = len(re.findall(what, read_text(root, path), re.M))
            if n != int(found[1]):
                yield found.start(), f"'{found[0]}': {path} has {n}"


def check_promises(root):
    """Every promise of the page about safety names its tests, which exist."""
    page = "docs/safety.md"
    if not os.path.exists(os.path.join(root, page)):
        return
    text = read_text(root, page)
    for line, title, part in safety_parts(text):
        names = re.search(r"`(tests|fuzz|tools)/|the same", part)
        if not names and not title.startswith("Not "):
            yield f"{page}:{line}: '{title}' names no test"
        for finding in missing_tests(root, part):
            yield f"{page}:{line}: {finding}"
    for at, finding in wrong_counts(root, text):
        yield f"{page}:{text.count(chr(10), 0, at) + 1}: {finding}"


CHECKS = {name[len("check_"):]: function
          for name, function in sorted(globals().items())
          if name.startswith("check_")}


def run_all(root):
    """Every check as one test of TAP."""
    for check, function in CHECKS.items():
        findings = list(function(root))
        print("not ok" if findings else "ok", "-", check)
        for finding in findings:
            print("#", finding)
    print(f"1..{len(CHECKS)}")


def main():
    if len(sys.argv) < 2 or sys.argv[1] not in [*CHECKS, "all"]:
        print("usage: lint.py", "|".join(CHECKS), "| all [ROOT]",
              file=sys.stderr)
        return 2
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    root = sys.argv[2] if len(sys.argv) > 2 else here
    if sys.argv[1] == "all":
        run_all(root)  # TAP says what failed, not the exit code
        return 0
    findings = list(CHECKS[sys.argv[1]](root))
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
