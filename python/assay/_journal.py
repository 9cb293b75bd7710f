"""Runs that were scored: reading their journals, comparing them."""
from __future__ import annotations

import html
import importlib
import json
import os
from typing import Any, Union

from ._library import AssayError
from ._program import run
from ._verdict import query, table

Path = Union[str, "os.PathLike[str]"]


class Journal(list[dict[str, Any]]):
    """The lines of a journal, one dict a prediction.

    attrs["head"]  the first line: versions, hashes of inputs, limits, clock
    """

    def __init__(self, lines: list[dict[str, Any]], head: dict[str, Any]) -> None:
        super().__init__(lines)
        self.attrs: dict[str, Any] = {"head": head}

    def _repr_html_(self) -> str:
        """For people: how many passed, and the first that did not."""
        keys = dict.fromkeys(k for line in self for k in line["verdicts"])
        metric = "exec" if "exec" in keys else next(iter(keys), "")
        wrong = [(line, v) for line in self
                 for v in (line["verdicts"].get(metric) or {},)
                 if v.get("v") != "yes"]
        says = (f"{len(self) - len(wrong)} of {len(self)} predictions pass "
                f"{metric or 'no metric'}.")
        if not wrong:
            return f"<p>{html.escape(says)}</p>"
        first = wrong[:10]
        if len(wrong) > len(first):
            says += f" The first {len(first)} that do not:"
        return f"<p>{html.escape(says)}</p>" + table(
            ("run", "id", "db", "answer", "reason", "detail"),
            [(line.get("run", ""), line.get("id", ""), line.get("db") or "",
              v.get("v", ""), v.get("reason") or "", v.get("detail") or "")
             for line, v in first])


def columns(verdicts: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Four columns a metric, as `assay report --format csv` names them."""
    out: dict[str, Any] = {}
    for key, v in verdicts.items():
        out[key] = v["v"]
        out[key + "_reason"] = v.get("reason")
        out[key + "_score"] = v.get("score", v.get("similarity"))
        out[key + "_detail"] = v.get("detail")
    return out


def _read(path: Path) -> Journal:
    lines: list[dict[str, Any]] = []
    head: dict[str, Any] = {}
    with open(path, encoding="utf-8") as file:
        for number, text in enumerate(file, 1):
            place = f"{os.fspath(path)}:{number}"
            try:
                line = json.loads(text)
            except ValueError:
                raise AssayError(f"{place}: this is not a line of JSON; was the "
                                 "run killed? `assay score --resume` continues",
                                 "engine") from None
            if number == 1:
                if not isinstance(line, dict) or "journal" not in line:
                    raise AssayError(f"{place}: this is no journal of assay",
                                     "engine")
                head = line
            elif not isinstance(line, dict) or "verdicts" not in line:
                raise AssayError(f"{place}: this is not a verdict; a file has "
                                 "one journal of `assay score`", "engine")
            else:
                lines.append(line)
    if not head:
        raise AssayError(f"{os.fspath(path)}: this is no journal of assay",
                         "engine")
    return Journal(lines, head)


def read_journal(path: Path, *, pandas: Union[bool, None] = None) -> Any:
    """The journal that `assay score --out` wrote.

    Returns a DataFrame if pandas can be imported, otherwise a Journal, which is a
    list of dicts; `pandas` True or False decides. The DataFrame has one row per
    prediction and, besides the members of its line, four columns per metric: exec,
    exec_reason, exec_score, exec_detail. In both, `attrs["head"]` is the first
    line. Raises AssayError, with the line, if the file is not a journal.
    """
    journal = _read(path)
    if pandas is None:
        pandas = _pandas() is not None
    if not pandas:
        return journal
    frame = _pandas().DataFrame(
        [{**line, **columns(line["verdicts"])} for line in journal])
    frame.attrs.update(journal.attrs)
    return frame


def _pandas() -> Any:
    try:
        return importlib.import_module("pandas")
    except ImportError:
        return None


class Comparison(dict[str, Any]):
    """What `assay compare --format json` prints: "metric", "pairs", ...

    A pair has a and b, the names of the runs; cases, both, only_a, only_b,
    neither, unknown; difference, low and high in points; p, p_holm; cluster,
    "db" or "none"; conclusion.
    """

    def _repr_html_(self) -> str:
        keys = ("a", "b", "cases", "only_a", "only_b", "difference", "low",
                "high", "p", "conclusion")
        parts = [table(keys, [[pair.get(key) for key in keys]
                              for pair in self.get("pairs", ())])]
        for pair in self.get("pairs", ()):
            parts += [query(f"{pair['b']}, not {pair['a']}: {change}",
                            " ".join(map(str, pair[change])))
                      for change in ("fixed", "broken") if pair.get(change)]
        return "".join(parts)


def compare(*journals: Path, metric: str = "exec", cluster: str = "auto",
            force: bool = False) -> Comparison:
    """Tells whether one run is better than another beyond chance.

    Runs `assay compare`; journals are paths. Each database is a cluster if
    there are enough, otherwise each case (a pair's "cluster"); cluster="db" or
    "none" overrides this. Cases that read a clock that differs between the runs
    are left out ("reads_clock" counts them). Raises AssayError if the runs
    cannot be compared, and names what differs; force=True compares anyway.
    """
    code, out, err = run(
        ["compare", "--format", "json", "--metric", metric, "--cluster",
         cluster, *(["--force"] if force else []),
         *(os.fspath(journal) for journal in journals)])
    if code not in (0, 1):
        raise AssayError(err.strip() or f"assay compare ended with {code}",
                         "usage" if code == 2 else "engine")
    return Comparison(json.loads(out))
