"""Scoring many predictions in separate processes: `assay worker`.

The program stays alive between batches: its isolation, limits, caches and
verdicts.
"""
from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Optional, Union

from ._database import DEFAULT_METRICS, Words, words
from ._fields import Fields, is_missing, plain
from ._journal import columns
from ._library import METRIC, AssayError
from ._verdict import MetricVerdict, Verdict
from ._worker import Worker

LONGEST_DEADLINE = 1e6  # seconds; what select() takes everywhere
DEFAULT_TIMEOUT = 30.0  # of the program
LEAST_SHARE = 0.25  # seconds: what is honest and short does not meet it

Record = dict[str, Any]
_encode = json.JSONEncoder().encode  # quick for a text


class Scorer:
    """Scores batches of predictions in isolated workers.

    db        a folder of databases, one file, or the URL of a server
    metrics   "string,exec,subset", or a sequence of words
    rules     "assay", or several, with one verdict each
    suite     a test suite, for the metric suite
    jobs      worker processes; default: one per core
    timeout   seconds one query may run; default 30, less under a deadline
    memory    megabytes per worker; default 1024
    max_rows  of one result; default 1,000,000
    work      steps of SQLite one query may take, the same on a busy machine; "auto":
              many times the gold's; None: only timeout ends it
    now       a fixed clock, "2026-06-30"
    deadline  seconds a batch may take. A query may run for its share of them;
              if it takes longer, it is tried again after all others, with more
              time, and is a no if it still does not end. A query that was not
              tried before the deadline is unknown
    fields    names of members and columns, if they are not among those that
              files may have: {"pred": "model_says"}
    options   further options for `assay worker`: ["--plug-values"]

    The first batch starts the program; close() ends it, or the end of the Scorer.
    A Scorer may be pickled, forked and used from several threads, whose batches
    are scored one after the other. Databases must not change meanwhile; a new
    Scorer reads them, and the clock, again.
    """

    def __init__(self, db: Union[str, os.PathLike[str]], *,
                 metrics: Words = DEFAULT_METRICS, rules: Words = "assay",
                 suite: Union[str, os.PathLike[str], None] = None,
                 jobs: Optional[int] = None, timeout: Optional[float] = None,
                 memory: Optional[int] = None, max_rows: Optional[int] = None,
                 work: Union[int, str, None] = "auto", now: Optional[str] = None,
                 deadline: Optional[float] = None,
                 fields: Optional[Mapping[str, str]] = None,
                 options: Sequence[str] = ()) -> None:
        if deadline is not None and not 0 <= deadline <= LONGEST_DEADLINE:
            raise AssayError("deadline is a number of seconds, from 0 to a million")
        self.metrics = words(metrics)
        self.deadline = deadline
        self._timeout = DEFAULT_TIMEOUT if timeout is None else timeout
        self._jobs = jobs or len(os.sched_getaffinity(0))
        self._fields = Fields(fields)
        self._is_closed = False
        self._words = ["--quiet", "--no-times", "--db", os.fspath(db),
                       "--metrics", ",".join(self.metrics),
                       "--rules", ",".join(words(rules))]
        for option, value in (
                ("--suite", None if suite is None else os.fspath(suite)),
                ("--jobs", jobs), ("--timeout", timeout), ("--memory", memory),
                ("--max-rows", max_rows), ("--now", now),
                ("--work", "none" if work is None else work)):
            if value is not None:
                self._words += [option, str(value)]
        self._words += options
        self._worker = Worker(self._words)

    def score_many(self, records: Any) -> Any:
        """The verdicts on predictions, in the order of the records.

        records  dicts {"gold", "pred", "db", "question", "category", "id"}, or
                 with other names that files may have ("query", "db_id",
                 "predicted_sql"), or a DataFrame with such columns. gold and
                 pred may be lists, or arrays: golds that are all accepted,
                 samples of a model. The SQL is found in the answer. A pred of
                 None is missing, and wrong; a gold of None is unknown. db may be
                 left out if the Scorer has a single database.

        For records it returns one record each, like lines of the journal:
        "id", "db", "gold", "pred", "verdicts" {"exec": {"v", "reason",
        "detail", ...}}, "gold_status", "pred_status". A DataFrame gives a
        DataFrame with the same index and four more columns per metric: exec,
        exec_reason, exec_score, exec_detail; and gold_status, pred_status.

        Raises AssayError if the program cannot do its work, or a record has no
        member for the gold or the prediction, and TypeError if a record is
        malformed: it names the first, counted from 0, and nothing is scored
        then. A prediction that fails, hangs or writes gets a verdict.
        """
        if hasattr(records, "to_dict") and hasattr(records, "columns"):
            lines = self._score(_rows(records, self._fields))
            # Without a row there are the columns of the metrics.
            return _with_columns(records, lines, lines or [self._not_run()])
        return self._score(records)

    def score(self, gold: Any, pred: Any, **record: Any) -> Verdict:
        """The verdicts on one prediction, a batch of one, as assay.score gives
        them: with `db`, `question`, `category`, `id` as a record has them."""
        line = self._score([{"gold": gold, "pred": pred, **record}])[0]
        found = {key: _metric(v) for key, v in line["verdicts"].items()}
        known = {key: v for key, v in found.items() if key in METRIC}
        return Verdict(line["gold"], line["pred"], tuple(found), **known,
                       others={key: v for key, v in found.items()
                               if key not in known},
                       line=json.dumps(line, default=str))

    def _score(self, records: Iterable[Record]) -> list[Record]:
        if self._is_closed:
            raise AssayError("the Scorer is closed")
        records = self._read(records)
        places: dict[str, int] = {}
        of_record: list[Optional[str]] = []
        judged = self._run(_new_cases(records, of_record, places))
        return [_answer(record, position,
                        self._no_gold() if case is None
                        else judged[places[case]] or self._not_run())
                for position, (record, case)
                in enumerate(zip(records, of_record))]

    def _read(self, records: Iterable[Any]) -> list[Record]:
        read: list[Record] = []

        def each() -> Iterator[tuple[int, Record]]:
            for number, record in enumerate(records):
                read.append(self._fields.read(record, f"record {number}"))
                yield number, read[-1]
        check_records(each())
        return read

    def _run(self, cases: Iterable[str]) -> list[Optional[Record]]:
        """A line for each; None: it was not tried before the deadline."""
        if self.deadline is None:
            answers = self._worker.ask(case[1:] for case in cases)
        else:
            answers = self._share(list(cases), time.monotonic() + self.deadline)
        return [self._unknown("ok", "not_run", answer["error"])
                if answer and "error" in answer else answer
                for answer in answers]

    def _share(self, cases: list[str], end: float) -> list[Optional[Record]]:
        """Each case is tried before one that takes long gets more time than its
        share of what is left, half of which is kept for them."""
        answers: list[Optional[Record]] = [None] * len(cases)
        left = list(range(len(cases)))
        share = 0.0
        while left and share < self._timeout:
            seconds = max(end - time.monotonic(), 0)
            more = min(max(seconds / 2 * self._jobs / len(left), LEAST_SHARE),
                       self._timeout)
            if more <= 1.25 * share:
                break
            share = more
            found = self._worker.ask((f'"timeout":{share:.3f},{cases[i][1:]}'
                                      for i in left), seconds)
            for i, answer in zip(left, found):
                answers[i] = answer or answers[i]  # past its share: timeout, a no
            left = [i for i, answer in zip(left, found)
                    if answer and "timeout" in reasons_of(answer)]
        return answers

    def _no_gold(self) -> Record:
        return self._unknown("no_gold", "no_gold", "the record has no gold")

    def _not_run(self) -> Record:
        return self._unknown("ok", "not_run", "the batch met its deadline")

    def _unknown(self, gold_status: str, reason: str, detail: str) -> Record:
        v = {"v": "unknown", "reason": reason, "detail": detail}
        return {"verdicts": {metric: v for metric in self.metrics},
                "gold_status": gold_status, "pred_status": "not_run"}

    def close(self) -> None:
        """Ends it; a second time does nothing."""
        self._is_closed = True
        self._worker.close()

    def __getstate__(self) -> Record:
        return {key: value for key, value in vars(self).items()
                if key != "_worker"}

    def __setstate__(self, state: Record) -> None:
        vars(self).update(state)
        self._worker = Worker(self._words)

    def __enter__(self) -> Scorer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def score_many(records: Any, *, db: Union[str, os.PathLike[str]],
               **scorer: Any) -> Any:
    """One batch of Scorer.score_many; the arguments are those of Scorer."""
    with Scorer(db, **scorer) as it:
        return it.score_many(records)


def reasons_of(line: Record) -> set[Optional[str]]:
    """All that is said of its gold, its prediction and its verdicts."""
    return {line.get("gold_status"), line.get("pred_status"),
            *(v.get("reason") for v in line.get("verdicts", {}).values())}


def _name(value: Any) -> str:
    """Of a database. A column of numbers where one is missing holds 1.0 for 1."""
    value = plain(value)
    if isinstance(value, (bytes, bytearray, list, tuple, dict, set)):
        raise TypeError(f"db is a str, not {type(value).__name__}")
    whole = isinstance(value, float) and value.is_integer()
    return str(int(value) if whole else value)


def _texts(value: Any, name: str) -> list[str]:
    """A text or a sequence of them; nothing for what is missing."""
    if isinstance(value, str):
        return [value]
    if is_missing(value):
        return []
    texts = plain(value)
    if not isinstance(texts, (list, tuple)):
        raise TypeError(f"{name} is a str or a list, not {type(value).__name__}")
    for text in texts:
        if not isinstance(text, str) and not is_missing(text):
            raise TypeError(f"{name} holds a {type(text).__name__}, not a str")
    return ["" if is_missing(text) else text for text in texts]


def _case(record: Record) -> Optional[str]:
    """What the program reads of a record, but for the id; None: no gold."""
    if not hasattr(record, "get"):
        raise TypeError(f"a record is a dict, not {type(record).__name__}")
    golds = [text for text in _texts(record.get("gold"), "gold")
             if text.strip()]
    if not golds:
        return None
    case = (f'{{"gold":{_quoted(golds)},'
            f'"pred":{_quoted(_texts(record.get("pred"), "pred") or [""])}')
    for name in ("db", "question", "category"):
        value = record.get(name)
        if not is_missing(value):
            text = (value if isinstance(value, str)
                    else _name(value) if name == "db" else str(value))
            case += f',"{name}":{_encode(text)}'
    return case + "}"


def check_records(records: Iterable[tuple[int, Record]]) -> None:
    """Of each record its number: a TypeError names the first that is malformed,
    before any is judged."""
    for number, record in records:
        if (type(record) is dict and type(record.get("gold")) is str
                and type(record.get("pred")) is str
                and type(record.get("db", "")) is str):
            continue  # as nearly all are
        try:
            _case(record)
        except TypeError as error:
            raise TypeError(f"record {number}: {error}") from None


def _quoted(texts: list[str]) -> str:
    """As JSON: one text by itself, several as a list."""
    return _encode(texts if len(texts) > 1 else texts[0])


def _new_cases(records: list[Record], of_record: list[Optional[str]],
               places: dict[str, int]) -> Iterator[str]:
    """The different cases of the records; of each record its case, of each case
    its place among them."""
    for record in records:
        case = _case(record)
        of_record.append(case)
        if case is not None and case not in places:
            places[case] = len(places)
            yield case


def _metric(v: Record) -> MetricVerdict:
    """A verdict of a line, as a value."""
    score = v.get("score", v.get("similarity", v["v"] == "yes"))
    return MetricVerdict(v["v"], v.get("reason", ""), v.get("detail", ""),
                         float(score), v.get("variant"),
                         v.get("gold_result", ""), v.get("pred_result", ""))


def _answer(record: Record, position: int, line: Record) -> Record:
    """The record's own line, with its id."""
    name = record.get("id")
    of = record.get
    return {"id": position if is_missing(name) else name, "db": of("db"),
            "category": of("category"), "question": of("question"),
            "gold": of("gold"), "pred": of("pred"), **line}


def _rows(frame: Any, fields: Fields) -> Any:
    """The records of a DataFrame."""
    names = list(frame.columns)
    known = fields.names(names)
    for kind in ("gold", "pred"):
        if not known[kind]:
            raise fields.missing(kind, names, "the DataFrame has no column")
    used = [name for name in names
            if any(name in found for found in known.values())]
    for name in used:
        if used.count(name) > 1:
            raise AssayError(f"the DataFrame has two columns {name!r}", "usage")
    return frame[used].to_dict("records")


def _with_columns(frame: Any, lines: list[Record], named: list[Record]) -> Any:
    added = [{"gold_status": line["gold_status"],
              "pred_status": line["pred_status"], **columns(line["verdicts"])}
             for line in lines]
    names = list(dict.fromkeys(
        ["gold_status", "pred_status",
         *(name for line in named for name in columns(line["verdicts"]))]))
    return frame.assign(**{name: [row.get(name) for row in added]
                           for name in names})
