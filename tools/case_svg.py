#!/usr/bin/env python3
"""case_svg.py ASSAY FILE - draws the picture of the README: a failing case of
examples/cinema, as `assay show` tells it, as SVG.

The question, both queries with the differing words marked, and both results
with the rows that differ. Everything in it is read from what the program
prints: `ninja -C build picture` draws it again.
"""
import html
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
CASE = "c3"
WIDTH, LEFT, RIGHT, LINE, CHAR = 880, 24, 452, 20, 7.83
COLUMN = 404
INK, QUIET, GOOD, BAD = "#1b1b1b", "#5c5f66", "#0f6b46", "#b3261e"
PALE = {GOOD: "#d3efe1", BAD: "#fadbd8"}
SANS = "font-family=\"system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif\""
MONO = "font-family=\"ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace\""


def shown(assay):
    """What `assay show` prints of the case."""
    with tempfile.TemporaryDirectory() as folder:
        run = pathlib.Path(folder) / "run.jsonl"
        data = ROOT / "examples/cinema"
        subprocess.run([assay, "score", "--gold", data / "questions.jsonl", "--pred", data / "model.jsonl", "--db", data,
                        "--metrics", "exec", "--out", run, "-q"], check=True)
        return subprocess.run([assay, "show", run, CASE], check=True, capture_output=True, text=True).stdout


def query(lines, heading):
    """The lines below `gold` or `prediction`: text, and the marked spans."""
    found = []
    for line in lines[lines.index(heading) + 1:]:
        if not line:
            return found
        if set(line) <= {" ", "^"}:
            found[-1][1].extend((m.start() - 4, m.end() - 4) for m in re.finditer(r"\^+", line))
        else:
            found.append((line[4:], []))
    return found


def results(lines):
    """Both columns of the table of results, and the reason above it."""
    at = next(i for i, line in enumerate(lines) if "gold returns  " in line)
    split = lines[at].index("prediction returns")
    rows = []
    for line in lines[at + 1:]:
        if not line.startswith("  "):
            break
        rows.append((line[:split].strip(), line[split:].strip()))
    reason = next(line for line in lines if line.startswith("exec ")).split(None, 2)[2]
    return rows, reason


def text(x, y, words, style):
    return f'<text x="{x:g}" y="{y:g}" xml:space="preserve" {style}>{html.escape(words)}</text>'


def panel(x, y, height):
    return f'<rect x="{x}" y="{y}" width="{COLUMN}" height="{height}" rx="6" fill="#f5f5f3"/>'


def draw_query(x, y, title, lines, color, height):
    parts = [text(x, y, title, f'{SANS} font-size="13" font-weight="600" fill="{INK}"'), panel(x, y + 10, height)]
    for i, (line, marks) in enumerate(lines):
        top = y + 32 + i * LINE
        for start, end in marks:
            parts.append(f'<rect x="{x + 14 + start * CHAR:.1f}" y="{top - 14}" width="{(end - start) * CHAR:.1f}" '
                         f'height="18" rx="2" fill="{PALE[color]}"/>')
        parts.append(text(x + 14, top, line, f'{MONO} font-size="13" fill="{INK}" textLength="{len(line) * CHAR:.1f}"'))
    return parts


def draw_rows(x, y, title, rows, others, color, height):
    parts = [text(x, y, title, f'{SANS} font-size="13" font-weight="600" fill="{INK}"'), panel(x, y + 10, height)]
    for i, row in enumerate(rows):
        top = y + 32 + i * LINE
        differs = row.startswith("(") and row not in others
        if differs and color == GOOD:
            parts.append(f'<rect x="{x + 8}" y="{top - 14}" width="{COLUMN - 16}" height="18" rx="2" fill="{PALE[BAD]}"/>')
            parts.append(text(x + COLUMN - 70, top, "missing", f'{SANS} font-size="12" fill="{BAD}"'))
        style = f'{MONO} font-size="13" fill="{INK}"' if row.startswith("(") else f'{SANS} font-size="13" fill="{QUIET}"'
        parts.append(text(x + 14, top, row, style))
    return parts


def picture(printed):
    lines = printed.splitlines()
    gold, pred = query(lines, "gold"), query(lines, "prediction")
    rows, reason = results(lines)
    high = 16 + LINE * max(len(gold), len(pred))
    low = 16 + LINE * len(rows)
    top = 118
    below = top + high + 48
    height = below + low + 26
    left, right = [a for a, _ in rows], [b for _, b in rows]
    word, _, meaning = reason.partition(": ")
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" role="img">',
        f"<title>{html.escape(lines[1])} {html.escape(reason)}</title>",
        f'<rect x=".5" y=".5" width="{WIDTH - 1}" height="{height - 1}" rx="10" fill="#ffffff" stroke="#d7d7d2"/>',
        text(LEFT, 38, lines[1], f'{SANS} font-size="18" font-weight="700" fill="{INK}"'),
        text(LEFT, 68, "✗ wrong", f'{SANS} font-size="14" font-weight="700" fill="{BAD}"'),
        text(LEFT + 78, 68, word, f'{MONO} font-size="13" fill="{INK}"'),
        text(LEFT + 78 + len(word) * CHAR + 12, 68, meaning, f'{SANS} font-size="14" fill="{QUIET}"'),
        *draw_query(LEFT, top - 16, "Gold", gold, GOOD, high), *draw_query(RIGHT, top - 16, "Prediction", pred, BAD, high),
        *draw_rows(LEFT, below - 12, "The gold returns", left, right, GOOD, low),
        *draw_rows(RIGHT, below - 12, "The prediction returns", right, left, BAD, low),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def main():
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # clean up
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    pathlib.Path(sys.argv[2]).write_text(picture(shown(sys.argv[1])), encoding="utf-8")


main()
