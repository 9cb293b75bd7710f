"""Scoring and checking in this process: the calls of libassay.

A prediction runs in this process, read-only and under limits of time, rows and
bytes. Endless function calls and crashes of the engine need `assay.Scorer`,
which uses separate processes.
"""
from __future__ import annotations

import ctypes
import datetime
import json
import os
import threading
import weakref
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Optional, Union

from . import _library as lib
from ._verdict import CheckResult, MetricVerdict, Verdict

DEFAULT_METRICS = ("string", "exec", "subset")
Words = Union[str, Sequence[str]]


def words(value: Words) -> tuple[str, ...]:
    """"a,b" or a sequence of words."""
    return tuple(value.split(",") if isinstance(value, str) else value)


def number_of(numbers: dict[str, int], word: str, what: str) -> int:
    if word not in numbers:
        raise lib.AssayError(
            f"no {what} {word!r} in the library; there are: "
            + ", ".join(numbers))
    return numbers[word]


def clock_ms(now: Optional[datetime.datetime]) -> int:
    """Milliseconds since 1970; a time without zone is UTC; None is 0."""
    if now is None:
        return 0
    if now.tzinfo is None:
        now = now.replace(tzinfo=datetime.timezone.utc)
    return int(now.timestamp() * 1000)


class _Handle:
    """What the library opened, its lock, and its closing.

    After a fork the child opens its own: the parent's memory is not touched.
    """

    _all: weakref.WeakSet[_Handle] = weakref.WeakSet()

    def __init__(self, open_anew: Callable[[], int], close: str) -> None:
        self._open_anew = open_anew
        self._close = close
        self.lock = threading.Lock()
        self.is_closed = False
        self._pointer = 0
        self._finalizer: Any = None
        self._keep(open_anew())
        _Handle._all.add(self)

    def _keep(self, pointer: int) -> None:
        self._pointer = pointer
        self._finalizer = weakref.finalize(
            self, getattr(lib.library(), self._close), pointer)

    def pointer(self) -> int:
        """With the lock held."""
        if self.is_closed:
            raise lib.AssayError("it is closed")
        if not self._pointer:
            self._keep(self._open_anew())
        return self._pointer

    def close(self) -> None:
        with self.lock:
            self.is_closed = True
            if self._finalizer:
                self._finalizer()

    def _forget(self) -> None:
        self.lock = threading.Lock()
        self._pointer = 0
        if self._finalizer:
            self._finalizer.detach()
            self._finalizer = None


def _after_fork() -> None:
    for handle in list(_Handle._all):
        handle._forget()


os.register_at_fork(after_in_child=_after_fork)


class Database:
    """An open database, for many predictions.

    path     a SQLite file or .sql dump, or the URL of a server
    timeout  seconds one query may run; default 30
    max_rows, max_bytes
             of one result; default 1,000,000 rows and 1 GiB
    now      the time that queries see; default: the time of opening

    Calls from several threads wait for each other: use one Database per thread.
    The file is never written, created or locked. Close it, or use `with`.
    """

    def __init__(self, path: Union[str, os.PathLike[str]], *,
                 timeout: float = 0, max_rows: int = 0, max_bytes: int = 0,
                 now: Optional[datetime.datetime] = None) -> None:
        if timeout < 0 or max_rows < 0 or max_bytes < 0:
            raise lib.AssayError("a limit is not negative")
        self.path = os.fspath(path)
        timeout_ms = min(int(timeout * 1000), 2**32 - 1)
        if timeout and not timeout_ms:
            timeout_ms = 1
        limits = lib.Limits(timeout_ms, max_bytes, max_rows, clock_ms(now))
        name = os.fsencode(self.path)

        def open_anew() -> int:
            out, error = ctypes.c_void_p(), lib.Error()
            lib.check(lib.library().assay_db_open(
                ctypes.byref(out), name, ctypes.byref(limits),
                ctypes.byref(error)), error)
            return out.value or 0
        self._handle = _Handle(open_anew, "assay_db_close")

    def score(self, gold: str, pred: Optional[str], *, question: str = "",
              category: str = "", rules: str = "assay",
              metrics: Words = DEFAULT_METRICS) -> Verdict:
        """The verdicts on `pred`, by the metrics named.

        gold is SQL, with {a,b} alternatives. pred must be only SQL: use extract or
        Scorer to find the SQL in an answer; None means no prediction.
        Raises AssayError when the gold fails.
        """
        wanted = words(metrics)
        bits = 0
        for word in wanted:
            bits |= number_of(lib.METRIC, word, "metric")
        pred = pred or ""
        asked = lib.Question(lib.to_str(question), lib.to_str(category),
                             number_of(lib.RULES, rules, "rule set"))
        gold_str, pred_str = lib.to_str(gold), lib.to_str(pred)
        c, out, error = lib.library(), ctypes.c_void_p(), lib.Error()
        with self._handle.lock:
            status = c.assay_score(
                ctypes.byref(out), self._handle.pointer(), gold_str, pred_str,
                ctypes.byref(asked), bits, ctypes.byref(error))
        lib.check(status, error)
        try:
            found: dict[str, Any] = {
                word: metric_of(c, out, lib.METRIC[word]) for word in wanted}
            line = lib.from_str(c.assay_verdict_json(out))
        finally:
            c.assay_verdict_free(out)
        return Verdict(gold, pred, wanted, line=line, **found)

    def close(self) -> None:
        """Gives back its memory; a second time does nothing."""
        self._handle.close()

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"assay.Database({self.path!r})"


_ANSWER = {number: word for word, number in lib.ANSWER.items()}
_RELATION = {number: word for word, number in lib.RELATION.items()}


def metric_of(c: ctypes.CDLL, v: ctypes.c_void_p, bit: int) -> MetricVerdict:
    variant = c.assay_verdict_variant(v, bit)
    return MetricVerdict(
        _ANSWER[c.assay_verdict_answer(v, bit)],
        lib.from_str(c.assay_verdict_reason(v, bit)),
        lib.from_str(c.assay_verdict_detail(v, bit)),
        c.assay_verdict_score(v, bit),
        variant if variant >= 0 else None,
        lib.from_str(c.assay_verdict_gold_result(v, bit)),
        lib.from_str(c.assay_verdict_pred_result(v, bit)))


def score(gold: str, pred: Optional[str], *,
          db: Union[str, os.PathLike[str], Database], question: str = "",
          category: str = "", rules: str = "assay",
          metrics: Words = DEFAULT_METRICS) -> Verdict:
    """The verdicts on one prediction: see Database.score.

    db is a Database, or the path or URL of one, which is opened for this call.
    """
    if isinstance(db, Database):
        return db.score(gold, pred, question=question, category=category,
                        rules=rules, metrics=metrics)
    with Database(db) as opened:
        return opened.score(gold, pred, question=question, category=category,
                            rules=rules, metrics=metrics)


class Checker:
    """The tables of a schema, to check many pairs of queries.

    schema     CREATE statements as SQLite takes them
    databases  tried for a pair; default 300
    assume     "default", or "none": keys, NOT NULL and types may be broken
    same_column_order
               whether results with columns in another order are different

    Calls from several threads wait for each other, as those of a Database do.
    """

    def __init__(self, schema: str, *, databases: int = 0,
                 assume: str = "default", same_column_order: bool = False,
                 now: Optional[datetime.datetime] = None) -> None:
        if assume not in ("default", "none"):
            raise lib.AssayError(f"assume is 'default' or 'none', not {assume!r}")
        options = lib.CheckOptions(databases, assume == "none",
                                   same_column_order, clock_ms(now))
        ddl = lib.to_str(schema)

        def open_anew() -> int:
            out, error = ctypes.c_void_p(), lib.Error()
            lib.check(lib.library().assay_checker_open(
                ctypes.byref(out), ddl, ctypes.byref(options),
                ctypes.byref(error)), error)
            return out.value or 0
        self._handle = _Handle(open_anew, "assay_checker_close")

    def check(self, left: str, right: str) -> CheckResult:
        """Are the queries equivalent? A broken query gives a result, not an error."""
        c, out, error = lib.library(), ctypes.c_void_p(), lib.Error()
        left_str, right_str = lib.to_str(left), lib.to_str(right)
        with self._handle.lock:
            status = c.assay_check(ctypes.byref(out), self._handle.pointer(),
                                   left_str, right_str, ctypes.byref(error))
        lib.check(status, error)
        try:
            line = json.loads(lib.from_str(c.assay_check_json(out)))
            return CheckResult(
                left, right, _RELATION[c.assay_check_answer(out)],
                lib.from_str(c.assay_check_reason(out)),
                lib.from_str(c.assay_check_witness(out)) or None,
                tuple(line.get("proof") or ()), line)
        finally:
            c.assay_check_free(out)

    def close(self) -> None:
        """Gives back its memory; a second time does nothing."""
        self._handle.close()

    def __enter__(self) -> Checker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def check(left: str, right: str, *, schema: str) -> CheckResult:
    """Are two queries equivalent on every database of `schema`?

    schema is CREATE statements. Raises AssayError when they are wrong.
    """
    with Checker(schema) as checker:
        return checker.check(left, right)


class Extraction(NamedTuple):
    """The SQL in an answer, and what was removed: "markdown fence", or ""."""

    sql: str
    note: str


def extract(answer: str) -> Extraction:
    """The SQL in a model's answer, for score(), which takes only SQL.

    Without thoughts, tags, Markdown fences and prose; otherwise it is not edited.
    Prose without SQL gives "". Any other text in which no SQL is found comes back
    whole, with the note "no SQL found".
    """
    c, out, error = lib.library(), ctypes.c_void_p(), lib.Error()
    lib.check(c.assay_extract(ctypes.byref(out), lib.to_str(answer),
                              ctypes.byref(error)), error)
    try:
        return Extraction(lib.from_str(c.assay_extraction_sql(out)),
                          lib.from_str(c.assay_extraction_note(out)))
    finally:
        c.assay_extraction_free(out)


def version() -> str:
    """Of the library: "0.2.0"."""
    text: bytes = lib.library().assay_version()
    return text.decode()
