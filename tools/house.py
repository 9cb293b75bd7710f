#!/usr/bin/env python3
"""house.py TREE... - the measures of one or more trees of the project, side by
side.

lines, files   of C in src/ (.c, .h and .def), blank lines included
functions      bodies between a `{` and a `}` in the first column
asserts        calls of assert(), static ones not counted
circles        sets of modules that include each other in a circle; a module and
               its internal header are counted apart (lint.py)
comments       lines that are nothing but comment, in percent of those not blank
heads          .c files that begin with a comment of several lines
duplicates     lines in runs of eight or more that stand elsewhere, too: of code
               without blanks, comments, includes and lone brackets
"""
import os
import re
import statistics
import sys

import lint

RUN = 8


def lines_of_code(text):
    """The lines that say something, without indentation."""
    lines = (line.strip() for line in lint.without_comments(text).split("\n"))
    return [line for line in lines
            if re.search(r"\w", line) and not line.startswith("#include")]


def duplicated(texts):
    """How many lines stand in a run of RUN lines that occurs twice."""
    places = {}
    for name, lines in texts.items():
        for at in range(len(lines) - RUN + 1):
            places.setdefault(tuple(lines[at:at + RUN]), []).append((name, at))
    twice = set()
    for found in places.values():
        if len(found) > 1:
            twice |= {(name, at + i) for name, at in found for i in range(RUN)}
    return len(twice)


def function_lengths(text):
    lengths, start = [], 0
    for number, line in enumerate(text.split("\n")):
        if line == "{":
            start = number
        elif line == "}" and start:
            lengths.append(number - start - 1)
            start = 0
    return lengths


def comment_lines(text):
    """(lines that are only comment, lines that are not blank)."""
    code = lint.without_comments(text).split("\n")
    all_lines = text.split("\n")
    filled = sum(1 for line in all_lines if line.strip())
    return sum(1 for line, bare in zip(all_lines, code)
               if line.strip() and not bare.strip()), filled


def measure(root):
    texts = {name: lint.read_text(root, name)
             for name in lint.project_files(root)
             if re.match(r"src/.*\.(c|h|def)$", name)}
    code = {name: text for name, text in texts.items() if name[-2:] != "ef"}
    lengths = [n for text in code.values() for n in function_lengths(text)]
    comments = [comment_lines(text) for text in code.values()]
    bodies = [text for name, text in texts.items() if name.endswith(".c")]
    graph = lint.include_graph(root)
    circles = lint.circles(graph)
    found = [c for c in circles if not lint.is_internal_pair(c, graph)]
    return {
        "lines": sum(text.count("\n") for text in texts.values()),
        "files": len(texts),
        "functions": len(lengths),
        "median function": statistics.median(lengths or [0]),
        "longest function": max(lengths, default=0),
        "asserts": sum(len(re.findall(r"(?<!\w)assert\(", text))
                       for text in map(lint.without_comments, code.values())),
        "circles": len(found),
        "modules in circles": sum(len(c) for c in found),
        "internal pairs": len(circles) - len(found),
        "comments %": round(100 * sum(n for n, _ in comments)
                            / max(1, sum(n for _, n in comments)), 1),
        "heads": f"{sum(text.startswith('/*') for text in bodies)}"
                 f"/{len(bodies)}",
        "duplicates": duplicated({name: lines_of_code(text)
                                  for name, text in code.items()}),
    }


def main():
    roots = sys.argv[1:] or [os.path.dirname(os.path.dirname(
        os.path.abspath(__file__)))]
    if not all(os.path.isdir(os.path.join(root, "src")) for root in roots):
        print("usage: house.py [TREE...]", file=sys.stderr)
        return 2
    columns = [measure(root) for root in roots]
    print(f"{'':18}", *[f"{root[-16:]:>16}" for root in roots])
    for key in columns[0]:
        print(f"{key:18}", *[f"{str(c[key]):>16}" for c in columns])
    return 0


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main())
