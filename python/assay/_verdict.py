"""The results of scoring a prediction, or of checking a pair of queries."""
from __future__ import annotations

import dataclasses
import html
import itertools
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Optional


def table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """An HTML table; all texts are escaped."""
    def line(tag: str, cells: Sequence[Any]) -> str:
        return "<tr>" + "".join(
            f"<{tag} style='text-align:left'>{html.escape(shown(cell))}</{tag}>"
            for cell in cells) + "</tr>"
    return ("<table>" + line("th", head)
            + "".join(line("td", row) for row in rows) + "</table>")


def shown(cell: Any) -> str:
    """A cell for people: NULL for None, a score with three digits."""
    if cell is None:
        return "NULL"
    return f"{cell:.3f}" if isinstance(cell, float) else str(cell)


def query(title: str, sql: str) -> str:
    return f"<p>{html.escape(title)}</p><pre>{html.escape(sql)}</pre>"


def rows_of(text: str) -> list[str]:
    """The rows of a result as MetricVerdict.gold_result has it, a text each."""
    # A doubled quote ends one text and begins the next: there is one way to read.
    found = re.findall(r"\((?:'[^']*'|[^')])*\)", text)
    rest = text[len(" ".join(found)):].strip()
    return [*found, rest] if rest else found


def results(gold: str, pred: str) -> str:
    """Both results side by side; "" where there are none."""
    if not gold and not pred:
        return ""
    rows = itertools.zip_longest(rows_of(gold), rows_of(pred), fillvalue="")
    return table(("gold returns", "prediction returns"), rows)


@dataclasses.dataclass(frozen=True)
class MetricVerdict:
    """The verdict of one metric. True in a condition: the answer is yes."""

    answer: str = "unknown"
    """"yes", "no" or "unknown"."""
    reason: str = ""
    """A word of the published list, "rows_differ"; "" for a plain yes."""
    detail: str = ""
    """One line for people, "row 3: 12 != 13"."""
    score: float = 0.0
    """From 0 to 1: similarity of edit, score of soft_f1 and cell_f1; of all
    others 1 for yes and 0 for no."""
    variant: Optional[int] = None
    """The gold variant that fits, from 0."""
    gold_result: str = ""
    """Of a no of exec to two queries that ran, the first rows of the gold's
    result, those that the prediction has not before the others: "('a', 1)
    ('b', 2) and 3 more rows"."""
    pred_result: str = ""
    """The same of the prediction's."""

    def __bool__(self) -> bool:
        return self.answer == "yes"


@dataclasses.dataclass(frozen=True)
class Verdict:
    """The verdicts on a prediction, an attribute for each metric.

    A metric that was not asked for is "unknown". The verdict as a whole is
    neither true nor false: ask a metric, `if v.exec`.
    """

    gold: str
    pred: str
    metrics: tuple[str, ...]
    """Those that were asked for."""
    string: MetricVerdict = MetricVerdict()
    edit: MetricVerdict = MetricVerdict()
    set: MetricVerdict = MetricVerdict()
    exec: MetricVerdict = MetricVerdict()
    subset: MetricVerdict = MetricVerdict()
    soft_f1: MetricVerdict = MetricVerdict()
    cell_f1: MetricVerdict = MetricVerdict()
    equiv: MetricVerdict = MetricVerdict()
    others: Mapping[str, MetricVerdict] = dataclasses.field(
        default_factory=dict)
    """Of a Scorer, those that have no attribute, by their keys: "suite",
    "exec:bird"."""
    line: str = dataclasses.field(default="", repr=False)
    """All of it as a line of a journal, JSON; "" of compare_results."""

    def __bool__(self) -> bool:
        raise TypeError("ask for a metric: `if verdict.exec:`")

    def __getitem__(self, key: str) -> Any:
        """The verdict of a metric that was asked for, or a member of `line`:
        v["exec"], v["pred_status"]."""
        if key in self.metrics:
            return self.others.get(key) or getattr(self, key)
        return json.loads(self.line or "{}")[key]

    def _repr_html_(self) -> str:
        rows = [(m, v.answer, v.reason or "", v.detail or "", float(v.score))
                for m, v in ((m, self[m]) for m in self.metrics)]
        return (table(("metric", "answer", "reason", "detail", "score"), rows)
                + query("gold", self.gold) + query("prediction", self.pred)
                + results(self.exec.gold_result, self.exec.pred_result))


@dataclasses.dataclass(frozen=True)
class CheckResult:
    """Whether two queries are equivalent. True in a condition: they are."""

    left: str
    right: str
    answer: str
    """"equivalent", "different" or "unknown"."""
    reason: str
    """A word, "missing_rows"; "" when there is none."""
    witness: Optional[str]
    """CREATE and INSERT statements of the smallest database on which the
    queries differ."""
    proof: tuple[dict[str, Any], ...]
    """The steps: {"side": "left", "rule": "count-rows", "span": [0, 31]}."""
    json: dict[str, Any]
    """All of it: the line that `assay check --pairs` writes."""

    def __bool__(self) -> bool:
        return self.answer == "equivalent"

    @property
    def evidence(self) -> str:
        """What the answer rests on: "proof", "witness", "bound", ..."""
        return str(self.json.get("evidence") or "")

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What must hold for every database: "keys", "not-null", ..."""
        return tuple(self.json.get("assumptions") or ())

    @property
    def left_rows(self) -> Optional[list[list[Any]]]:
        """The left query's result on the witness, rows of cells."""
        return (self.json.get("witness") or {}).get("left")

    @property
    def right_rows(self) -> Optional[list[list[Any]]]:
        """The right query's result on the witness, rows of cells."""
        return (self.json.get("witness") or {}).get("right")

    def _repr_html_(self) -> str:
        said = ": ".join(word for word in (self.answer, self.reason) if word)
        parts = [f"<p><b>{html.escape(said)}</b></p>",
                 query("left", self.left), query("right", self.right)]
        if self.proof:
            parts.append(table(("side", "rule"), [
                (step.get("side", ""), step.get("rule", ""))
                for step in self.proof]))
        if self.witness:
            parts.append(query("on this database they differ", self.witness))
            for side, rows in (("left", self.left_rows),
                               ("right", self.right_rows)):
                width = max((len(row) for row in rows or ()), default=0)
                head = [f"{side} {i + 1}" for i in range(width)] or [side]
                parts.append(table(head, rows or ()))
        return "".join(parts)
