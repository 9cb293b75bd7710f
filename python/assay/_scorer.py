"""Scoring many predictions in processes of their own: `assay score`.

Each batch is a run of the program: its isolation, limits, cache and verdicts.
"""
from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from typing import Any, Optional, Union

from ._database import DEFAULT_METRICS, Words, words
from ._journal import columns
from ._library import AssayError
from ._program import run

Record = dict[str, Any]


class Scorer:
    """Scores batches of predictions in isolated workers.

    db        a folder of databases, one file, or the URL of a server
    metrics   "string,exec,subset", or a sequence of words
    rules     "assay", or several, with one verdict each
    suite     a test suite, for the metric suite
    jobs      worker processes; default: one a core
    timeout   seconds one query may run; default 30
    memory    megabytes of a worker; default 1024
    max_rows  of one result; default 1,000,000
    work      steps one query may take, or "auto": what no load changes
    now       a fixed clock, "2026-06-30"
    deadline  seconds a batch may take; what is not judged then is unknown
    options   further words for `assay score`: ["--plug-values"]

    It may be pickled, forked and used from several threads.
    """

    def __init__(self, db: Union[str, os.PathLike[str]], *,
                 metrics: Words = DEFAULT_METRICS, rules: Words = "assay",
                 suite: Union[str, os.PathLike[str], None] = None,
                 jobs: Optional[int] = None, timeout: Optional[float] = None,
                 memory: Optional[int] = None, max_rows: Optional[int] = None,
                 work: Union[int, str, None] = None, now: Optional[str] = None,
                 deadline: Optional[float] = None,
                 options: Sequence[str] = ()) -> None:
        self.metrics = words(metrics)
        self.deadline = deadline
        self._is_closed = False
        self._words = ["score", "--gold", "-", "--format", "jsonl", "--out",
                       "-", "--quiet", "--no-times", "--db", os.fspath(db),
                       "--metrics", ",".join(self.metrics),
                       "--rules", ",".join(words(rules))]
        for option, value in (
                ("--suite", None if suite is None else os.fspath(suite)),
                ("--jobs", jobs), ("--timeout", timeout), ("--memory", memory),
                ("--max-rows", max_rows), ("--work", work), ("--now", now)):
            if value is not None:
                self._words += [option, str(value)]
        self._words += options

    def score_many(self, records: Any) -> Any:
        """The verdicts on predictions, in the order of the records.

        records  dicts {"gold", "pred", "db", "question", "category", "id"}, or a
                 DataFrame with such columns. gold and pred may be lists: golds
                 that are accepted, samples of a model. SQL is taken out of an
                 answer. A pred of None is missing, and wrong; a gold of None is
                 unknown. db may be left out where the Scorer has one file.

        Records in give records out, one a record, as lines of the journal:
        "id", "db", "gold", "pred", "verdicts" {"exec": {"v", "reason",
        "detail", ...}}, "gold_status", "pred_status". A DataFrame gives a
        DataFrame with the same index and four columns a metric more: exec,
        exec_reason, exec_score, exec_detail; and gold_status, pred_status.

        Raises AssayError when the program cannot do its work. A prediction
        that fails, hangs or writes is a verdict.
        """
        if hasattr(records, "to_dict") and hasattr(records, "columns"):
            lines = self._score(records.to_dict("records"))
            return _with_columns(records, lines)
        return self._score(records)

    def score(self, gold: Any, pred: Any, **record: Any) -> Record:
        """The verdicts on one prediction: a batch of one."""
        return self._score([{"gold": gold, "pred": pred, **record}])[0]

    def _score(self, records: Iterable[Record]) -> list[Record]:
        if self._is_closed:
            raise AssayError("the Scorer is closed")
        records = list(records)
        # Equal records are judged once.
        places: dict[str, int] = {}
        of_record = [_case(record) for record in records]
        for case in of_record:
            if case is not None:
                places.setdefault(case, len(places))
        judged = self._run(list(places)) if places else []
        return [_answer(record, position,
                        self._no_gold() if case is None
                        else judged[places[case]] or self._not_run())
                for position, (record, case)
                in enumerate(zip(records, of_record))]

    def _run(self, cases: list[str]) -> list[Optional[Record]]:
        """A line for each; None: it was not judged before the deadline."""
        data = "".join(f'{{"id":"{number}",{case[1:]}\n'
                       for number, case in enumerate(cases))
        code, out, err = run(self._words, data.encode(), self.deadline)
        lines: list[Optional[Record]] = [None] * len(cases)
        n_lines = 0
        for text in out.split(b"\n")[1:-1]:  # the head; what was cut off
            line = json.loads(text)
            lines[int(line["id"])] = line
            n_lines += 1
        was_cut = self.deadline is not None and code in (130, -2, -9)
        if n_lines < len(cases) and not was_cut:
            raise AssayError(
                f"assay score ended with {code} and {n_lines} of {len(cases)} "
                f"verdicts: {err.strip()[-2000:]}",
                "usage" if code == 2 else "program")
        return lines

    def _no_gold(self) -> Record:
        return self._unknown("gold_failed", "gold_failed",
                             "the record has no gold")

    def _not_run(self) -> Record:
        return self._unknown("ok", "not_run", "the batch met its deadline")

    def _unknown(self, gold_status: str, reason: str, detail: str) -> Record:
        v = {"v": "unknown", "reason": reason, "detail": detail}
        return {"verdicts": {metric: v for metric in self.metrics},
                "gold_status": gold_status, "pred_status": "not_run"}

    def close(self) -> None:
        """Ends it; a second time does nothing."""
        self._is_closed = True

    def __enter__(self) -> Scorer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def is_missing(value: Any) -> bool:
    """None, or the NaN or NA that pandas has for it."""
    if value is None or isinstance(value, (str, list, tuple)):
        return value is None
    return type(value).__name__ == "NAType" or bool(value != value)


def _texts(value: Any, name: str) -> list[str]:
    """A text or a sequence of them; nothing for what is missing or blank."""
    if is_missing(value):
        return []
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, (list, tuple)):
        raise TypeError(f"{name} is a str or a list, not {type(value).__name__}")
    for text in texts:
        if not isinstance(text, str) and not is_missing(text):
            raise TypeError(f"{name} holds a {type(text).__name__}, not a str")
    return ["" if is_missing(text) else text for text in texts]


def _case(record: Record) -> Optional[str]:
    """What the program reads of a record, but for the id; None: no gold."""
    golds = [text for text in _texts(record.get("gold"), "gold")
             if text.strip()]
    if not golds:
        return None
    preds = _texts(record.get("pred"), "pred") or [""]
    case = {"gold": golds if len(golds) > 1 else golds[0],
            "pred": preds if len(preds) > 1 else preds[0]}
    for name in ("db", "question", "category"):
        value = record.get(name)
        if not is_missing(value):
            case[name] = str(value)
    return json.dumps(case)


def _answer(record: Record, position: int, line: Record) -> Record:
    """The record's own line: its id, no name of a run, and figures over
    samples only where it has several."""
    name = record.get("id")
    answer = {"id": position if is_missing(name) else name,
              **{key: record.get(key) for key in ("db", "gold", "pred")}}
    answer.update((key, value) for key, value in line.items()
                  if key not in ("run", "id", "line"))
    if "samples" not in line:
        answer["verdicts"] = {key: v for key, v in line["verdicts"].items()
                              if "@" not in key}
    return answer


def _with_columns(frame: Any, lines: list[Record]) -> Any:
    added = [{"gold_status": line["gold_status"],
              "pred_status": line["pred_status"], **columns(line["verdicts"])}
             for line in lines]
    names = list(dict.fromkeys(name for row in added for name in row))
    return frame.assign(**{name: [row.get(name) for row in added]
                           for name in names})
