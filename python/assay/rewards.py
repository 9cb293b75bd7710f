"""Rewards for training: one object for TRL and verl.

    reward = Reward(db="database/")
    GRPOTrainer(..., reward_funcs=[reward])      # columns: gold, db_id, ...
    compute_score = reward.compute_score         # verl, one answer
    compute_scores = reward.compute_scores       # verl, a batch

A reward is None, which trainers mask, if assay cannot tell: the gold fails, or
the deadline of the batch came before the completion was tried. It is never 0
for that. A completion that exceeded its share of the deadline gets 0. Errors of
the installation raise AssayError: a missing database, no program. A prediction
that fails, hangs or writes gets 0, and so does one that assay does not
understand and did not run, unless a guard masks it: otherwise a model could
learn to be misunderstood.
"""
from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import (
    Callable, Coroutine, Iterable, Mapping, Sequence,
)
from typing import Any, Optional, Union

from ._fields import Fields, is_missing, plain, unread
from ._library import AssayError
from ._reward_log import RewardLog, path_of
from ._scorer import Scorer, check_records, reasons_of
from ._shaping import Judged, Record, Shape

__all__ = ["Judged", "Reward", "text_of"]

# What is wrong with the installation, not with the gold.
_BROKEN = ("no_database", "connection_lost")
# What trainers hand over beside the columns of the data set.
_TRAINER = ("completion_ids", "prompt_ids", "trainer_state", "log_extra",
            "log_metric", "environments")
# Characters of a completion. What is longer is no answer: as the program's
# input it could be refused, and would be masked.
LONGEST = 600_000
# What a reward depends on: text, gold, database, question.
_Key = tuple[Optional[str], Any, Any, Any]


class _NoDatabase(AssayError):
    pass


class Reward:
    """How right completions are, from 0 to 1.

    db        where the databases are; see assay.Scorer
    weights   what counts: {"exec": 1.0}, or with partial credit
              {"exec": 0.8, "cell_f1": 0.1, "runs": 0.1}. The reward is the
              weighted mean. Keys are metrics, with their score ("exec", "suite",
              "cell_f1", with several rules "exec:bird"), or "runs": the
              prediction runs; "format": the completion has the right form;
              "length": it is short
    guards    what to do about a pass that may not be deserved: {"made_up": "zero"}.
              "both_empty": gold and prediction return nothing; "made_up": the
              prediction writes constants where the gold reads columns;
              "superset": the gold's columns and others; "refuted": right on the
              database, wrong on the suite. "zero" gives 0, "mask" None, and
              "report" (the default for guards not named) leaves the reward as
              it is. "forbidden" and "not_understood": not run, because assay
              refuses it or cannot read it; always 0, except with "mask"
    form      for "format", a regular expression that the whole completion must
              match; default: it ends with a Markdown fence, its only one
    length    (full, none), for "length": 1 up to `full` characters, 0 from
              `none` on, between them in proportion
    gold, db_column, question, case
              names of TRL's columns and of members of verl's extra_info, where
              they are not among those that files may have ("gold", "query";
              "db", "db_id"; "question"; "id"): gold is needed, db_column unless
              `db` is one database; question and case (the id in the log) are
              used where they are there
    both_empty
              "count" or "mask": an older way to say guards={"both_empty": "mask"}
    log       the journal that rewards are appended to, "step-{step}.jsonl";
              {step} is the trainer's, {pid} the process. May be set at any time
    cache     how many different completions are remembered; default 10,000
    name      what trainers call it in their logs
    work      steps of SQLite that one query may take; "auto": many times the
              gold's, the same on a busy machine; it ends a hang sooner than
              `timeout`; None: only `timeout` counts. Servers and DuckDB do not
              count steps
    scorer    further arguments of assay.Scorer: jobs, timeout, rules, suite,
              deadline (seconds for a batch)

    After a call, `judged` has the result for each completion: reward,
    reason, guards, line. Equal input gives equal rewards, unless a query runs
    out of time, which may happen if a single step takes long; databases must not
    change meanwhile. A Reward can be pickled, forked, and called by several
    threads; `judged` is then about the last call, and `judge` returns it instead.
    """

    def __init__(self, db: Any, *, weights: Optional[Mapping[str, float]] = None,
                 guards: Optional[Mapping[str, str]] = None,
                 form: Optional[str] = None,
                 length: Optional[Sequence[int]] = None,
                 gold: Optional[str] = None, db_column: Optional[str] = None,
                 question: Optional[str] = None, case: Optional[str] = None,
                 both_empty: str = "count", log: Optional[str] = None,
                 cache: int = 10_000, name: str = "assay",
                 work: Union[int, str, None] = "auto", **scorer: Any) -> None:
        if both_empty not in ("count", "mask"):
            raise AssayError("both_empty is 'count' or 'mask'")
        if both_empty == "mask":
            guards = {"both_empty": "mask", **(guards or {})}
        self._shape = Shape(weights, guards, form, length)
        scorer["work"] = work
        self._scorer = Scorer(db, metrics=self._shape.metrics(), **scorer)
        own = {"gold": gold, "db": db_column, "question": question, "id": case}
        self._fields = Fields({kind: name for kind, name in own.items() if name},
                              _as_argument)
        self._head = _head(db, self._shape, scorer)
        self.__name__ = name
        self.log = log
        self._cache = max(cache, 0)
        self._begin()

    def _begin(self) -> None:
        self.judged: list[Judged] = []
        # Two generations: when the young one is full it becomes the old one,
        # whose entries are forgotten unless they are asked for.
        self._young: dict[_Key, Judged] = {}
        self._old: dict[_Key, Judged] = {}
        self._log: Optional[RewardLog] = None

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items()
                if key not in ("judged", "_young", "_old", "_log")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._begin()

    @property
    def weights(self) -> dict[str, float]:
        return dict(self._shape.weights)

    @property
    def reasons(self) -> list[Optional[str]]:
        """Of the last call, why each reward is not 1, or None."""
        return [judged.reason for judged in self.judged]

    @property
    def verdicts(self) -> list[Record]:
        """Of the last call, the lines of Scorer.score_many."""
        return [judged.line for judged in self.judged]

    def __call__(self, prompts: Any = None,
                 completions: Optional[Sequence[Any]] = None,
                 **columns: Any) -> list[Optional[float]]:
        """TRL's shape: a reward for each completion, in their order.

        completions are texts, or conversations: lists of messages {"role",
        "content"}, of which the last one's content counts. Columns are lists as
        long as completions.
        """
        if completions is None:
            raise AssayError("completions are missing")
        rows = _rows_of(columns, self._fields, len(completions))
        cases = [self._fields.read(row, f"row {number}", ("gold",))
                 for number, row in enumerate(rows)]
        state = columns.get("trainer_state")
        judged = self._judge_cases(
            _texts_of(completions), cases, "the data set has no column", columns,
            getattr(state, "global_step", None))
        _tell_trainer(self.__name__, judged, columns)
        return [found.reward for found in judged]

    def _judge_cases(self, texts: Sequence[Optional[str]],
                     cases: Sequence[Record], lacks: str,
                     members: Iterable[str], step: Any) -> list[Judged]:
        keys = [(text, _hashable(case.get("gold")), case.get("db"),
                 case.get("question")) for text, case in zip(texts, cases)]
        try:
            return self.judge(keys, ids=[case.get("id") for case in cases],
                              step=step)
        except _NoDatabase as error:
            if any(key[2] is not None for key in keys):
                raise
            missing = self._fields.missing(
                "db", [name for name in members if name not in _TRAINER], lacks)
            raise AssayError(f"{missing}; names that are known: db, db_id, "
                             f"database, db_name; {error}", "engine") from None

    def asynchronous(self) -> Callable[..., Coroutine[
            Any, Any, list[Optional[float]]]]:
        """TRL's asynchronous shape: scores while the event loop continues."""
        async def reward(prompts: Any = None,
                         completions: Optional[Sequence[Any]] = None,
                         **columns: Any) -> list[Optional[float]]:
            return await asyncio.to_thread(self, prompts, completions, **columns)
        reward.__name__ = self.__name__
        return reward

    def compute_score(self, data_source: Any, solution_str: str,
                      ground_truth: Any,
                      extra_info: Optional[Mapping[str, Any]] = None,
                      **_: Any) -> Optional[float]:
        """verl's shape. ground_truth is the gold, or an object {"sql", "db_id"},
        also as JSON; the database (db, db_id, or db_path, whose name counts),
        question and id may stand in extra_info, too."""
        return self.compute_scores([data_source], [solution_str],
                                   [ground_truth], [extra_info])[0]

    def compute_scores(self, data_sources: Sequence[Any],
                       solution_strs: Sequence[str],
                       ground_truths: Sequence[Any],
                       extra_infos: Optional[Sequence[Any]] = None,
                       **_: Any) -> list[Optional[float]]:
        """verl's shape for a batch: lists of equal length."""
        infos = extra_infos if extra_infos is not None else [None] * len(
            solution_strs)
        if not (len(data_sources) == len(solution_strs) == len(ground_truths)
                == len(infos)):
            raise AssayError("lists of different lengths")
        cases = [_verl_case(self._fields, truth, info, f"completion {number}")
                 for number, (truth, info)
                 in enumerate(zip(ground_truths, infos))]
        steps = [case["global_step"] for case in cases if "global_step" in case]
        members = dict.fromkeys(name for info in infos if info for name in info)
        return [judged.reward for judged in self._judge_cases(
            _texts_of(solution_strs), cases, "extra_info has no member", members,
            steps[-1] if steps else None)]

    def judge(self, cases: Sequence[_Key], *,
              ids: Optional[Sequence[Any]] = None,
              step: Optional[int] = None) -> list[Judged]:
        """The result for each (text, gold, database, question).

        gold may be a tuple of accepted queries; database and question None.
        ids and step are for the log. A TypeError names the first case that is
        malformed, counted from 0; nothing is scored then.
        """
        check_records((number, _record(key)) for number, key in enumerate(cases)
                      if not _is_plain(key))
        found = self._known(cases)
        missing = [key for key in dict.fromkeys(cases) if key not in found]
        if missing:
            asked = [key for key in missing if len(key[0] or "") <= LONGEST]
            lines = dict(zip(asked, self._scorer.score_many(
                [_record(key) for key in asked])))
            for key in missing:
                line = lines.get(key) or _too_long(key, self._scorer.metrics)
                _raise_broken(line)
                judged = found[key] = self._shape.judge(line, key[0])
                if _lasts(line):
                    self._remember(key, judged)
        self.judged = [found[key] for key in cases]
        if self.log is not None:
            self._write_log(cases, ids or [None] * len(cases), step)
        return self.judged

    def _known(self, cases: Sequence[_Key]) -> dict[_Key, Judged]:
        young, old = self._young, self._old
        found = {}
        for key in cases:
            if key in young:
                found[key] = young[key]
            elif key in old:
                found[key] = old[key]
                self._remember(key, old[key])
        return found

    def _remember(self, key: _Key, judged: Judged) -> None:
        # Each step is whole under the GIL; threads at most forget more.
        if len(self._young) >= max(self._cache // 2, 1):
            self._old, self._young = self._young, {}
        if self._cache:
            self._young[key] = judged

    def _write_log(self, cases: Sequence[_Key], ids: Sequence[Any],
                   step: Optional[int]) -> None:
        path = path_of(str(self.log), step)
        if self._log is None or self._log.path != path:
            self._log = RewardLog(path, self._head)
        self._log.write((name, key[1:], judged) for name, key, judged
                        in zip(ids, cases, self.judged))


def _lasts(line: Record) -> bool:
    """Would it be the same another time? A query that ran out of time may end
    when it has more, or when the machine is less busy."""
    return not reasons_of(line) & {"not_run", "timeout"}


def _head(db: Any, shape: Shape, scorer: Mapping[str, Any]) -> dict[str, Any]:
    """What the first line of a log says: all that bears on a reward."""
    from . import __version__
    limits = {key: scorer.get(key)
              for key in ("timeout", "memory", "max_rows", "work")}
    return {"assay": __version__, "command": "reward",
            "metrics": shape.metrics(), "rules": scorer.get("rules", "assay"),
            "limits": limits, "clock": scorer.get("now"),
            "suite": scorer.get("suite") and str(scorer["suite"]),
            "options": list(scorer.get("options", ())),
            "source": {"db": str(db), "setup": None,
                       "suite": scorer.get("suite") and str(scorer["suite"])},
            "weights": shape.weights, "guards": shape.guards,
            "form": shape.form.pattern if shape.form else None,
            "length": shape.length}


def _raise_broken(line: Record) -> None:
    for side in ("gold", "pred"):
        if line[side + "_status"] in _BROKEN:
            kind = (_NoDatabase if line[side + "_status"] == "no_database"
                    else AssayError)
            raise kind(f"{line[side + '_status']}: "
                       f"{line.get(side + '_message', '')}", "engine")


def _record(key: _Key) -> Record:
    text, gold, db, question = key
    return {"pred": text, "gold": list(gold) if isinstance(gold, tuple) else gold,
            "db": db, "question": question}


def _is_plain(key: _Key) -> bool:
    """Texts where they stand, as nearly always: nothing can be wrong with it."""
    text, gold, db, _ = key
    return type(text) is type(gold) is str and (db is None or type(db) is str)


def _too_long(key: _Key, metrics: Sequence[str]) -> Record:
    text, gold, db, question = key
    said = f"an answer of {len(text or '')} characters"
    v = {"v": "no", "reason": "too_long", "detail": said}
    return {"db": db, "gold": gold, "question": question, "pred": None,
            "verdicts": {metric: v for metric in metrics}, "gold_status": "ok",
            "pred_status": "too_long", "pred_message": said}


def _hashable(gold: Any) -> Any:
    gold = plain(gold)
    return tuple(gold) if isinstance(gold, list) else gold


def _tell_trainer(name: str, judged: Sequence[Judged],
                  columns: Mapping[str, Any]) -> None:
    """TRL gives functions that take a list for its table of completions, and
    figures for its logs."""
    if callable(columns.get("log_extra")):
        columns["log_extra"](name + "_reason",
                             [found.reason or "" for found in judged])
    if callable(columns.get("log_metric")) and judged:
        words = Counter((found.reason or "right").partition(":")[0]
                        for found in judged)
        words.update(guard for found in judged for guard in found.guards)
        for word, count in sorted(words.items()):
            columns["log_metric"](f"{name}/{word}", count / len(judged))


def _as_argument(kind: str, name: str) -> str:
    argument = {"db": "db_column", "id": "case"}.get(kind, kind)
    return f'{argument}="{name}"'


def _rows_of(columns: Mapping[str, Any], fields: Fields,
             n: int) -> list[Record]:
    """The columns of TRL that count, as a record a completion."""
    data = {name: column for name, column in columns.items()
            if name not in _TRAINER
            and (hasattr(column, "tolist") or isinstance(column, Sequence)
                 and not isinstance(column, str))}
    names = fields.names(data)
    if not names["gold"]:
        raise fields.missing("gold", data, "the data set has no column")
    used = [name for kind in ("gold", "db", "question", "id")
            for name in names[kind]]
    for name in used:
        if len(data[name]) != n:
            raise AssayError(f"{len(data[name])} values in column {name!r} "
                             f"for {n} completions")
    return [dict(zip(used, row)) for row in zip(*(data[name] for name in used))]


def _verl_case(fields: Fields, truth: Any, info: Any, where: str) -> Record:
    sources = [source for source in (truth, info)
               if isinstance(source, Mapping)]
    gold, more = fields.truth(truth)
    if isinstance(gold, Mapping):
        raise unread(gold, where)
    case = {}
    if isinstance(info, Mapping) and info:
        case = fields.read(info, where, ())
    case.update(more)
    if not is_missing(gold):
        case["gold"] = gold
    for source in reversed(sources):
        if source.get("global_step") is not None:
            case["global_step"] = source["global_step"]
        if source.get("db_path") is not None and is_missing(case.get("db")):
            name = str(source["db_path"]).replace("\\", "/").rpartition("/")[2]
            case["db"] = name.rpartition(".")[0] or name
    return case


def text_of(completion: Any) -> Optional[str]:
    """The text of a completion: itself, or what its last message holds."""
    completion = plain(completion)
    if isinstance(completion, str):
        return completion
    if is_missing(completion):
        return None
    if isinstance(completion, Mapping):
        return _content(completion.get("content"))
    if isinstance(completion, Sequence) and not isinstance(completion, bytes):
        return text_of(completion[-1]) if completion else None
    raise TypeError("a completion is a text or a list of messages, not "
                    + type(completion).__name__)


def _texts_of(completions: Sequence[Any]) -> list[Optional[str]]:
    """Their texts; a TypeError names the first that is malformed."""
    texts = []
    for number, completion in enumerate(completions):
        try:
            texts.append(text_of(completion))
        except TypeError as error:
            raise TypeError(f"record {number}: {error}") from None
    return texts


def _content(content: Any) -> Optional[str]:
    """Of a message: a text, or parts [{"type": "text", "text": ...}]."""
    if content is None or isinstance(content, str):
        return content
    if not (isinstance(content, (list, tuple))
            and all(isinstance(part, Mapping) for part in content)):
        raise TypeError("a message holds a text or a list of parts, not "
                        + type(content).__name__)
    return "".join(part.get("text") or "" for part in content
                   if part.get("type") == "text")
