"""Rewards for training: one object for TRL and verl.

    reward = Reward(db="database/")
    GRPOTrainer(..., reward_funcs=[reward])      # columns: gold, db
    compute_score = reward.compute_score         # verl, one answer
    compute_scores = reward.compute_scores       # verl, a batch

A reward is None, which trainers mask, where assay cannot say: the gold fails,
or the batch met its deadline. It is never 0 for that. What is wrong with the
installation raises AssayError: a database that is missing, no program. A
prediction that fails, hangs or writes has 0.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Optional

from ._library import AssayError
from ._scorer import Record, Scorer

Reasons = list[Optional[str]]
_USABLE = ("ok", "gold_unstable")
_BROKEN = ("no_database", "connection_lost")


class Reward:
    """How right completions are, from 0 to 1.

    db        where the databases are; see assay.Scorer
    weights   what counts: {"exec": 1.0}, or with partial credit
              {"exec": 0.8, "cell_f1": 0.1, "runs": 0.1}. Keys are metrics, with
              their score, or "runs": the prediction runs. The reward is the
              weighted mean
    gold, db_column, question
              names of TRL's columns: gold is needed, db_column unless `db` is one
              database; question is given to the scorer where it is there
    both_empty
              the reward where gold and prediction both return nothing, which
              says little about the prediction: "count" (default: as any yes) or
              "mask" (None)
    name      what trainers call it in their logs
    scorer    further arguments of assay.Scorer: jobs, timeout, rules, deadline

    After a call `reasons` has one text for each completion: why it is not 1,
    "forbidden: DELETE is not allowed", or None; `verdicts` has the lines of
    Scorer.score_many. Equal input gives equal rewards. It can be pickled.
    """

    def __init__(self, db: Any, *, weights: Optional[Mapping[str, float]] = None,
                 gold: str = "gold", db_column: str = "db",
                 question: str = "question", both_empty: str = "count",
                 name: str = "assay", **scorer: Any) -> None:
        self.weights = dict(weights or {"exec": 1.0})
        total = sum(self.weights.values())
        if total <= 0 or min(self.weights.values()) < 0:
            raise AssayError("weights are positive")
        if both_empty not in ("count", "mask"):
            raise AssayError("both_empty is 'count' or 'mask'")
        metrics = [*dict.fromkeys(key.split(":")[0] for key in self.weights
                                  if key != "runs")] or ["exec"]
        self._scorer = Scorer(db, metrics=metrics, **scorer)
        self._columns = {"gold": gold, "db": db_column, "question": question}
        self._masks_empty = both_empty == "mask"
        self.__name__ = name
        self.reasons: Reasons = []
        self.verdicts: list[Record] = []

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
        gold = self._columns["gold"]
        if gold not in columns:
            raise AssayError(f"no column {gold!r}; there are: "
                             + ", ".join(sorted(columns)))
        records: list[Record] = [{"pred": text_of(c)} for c in completions]
        for key, name in self._columns.items():
            if name not in columns:
                continue
            if len(columns[name]) != len(records):
                raise AssayError(f"{len(columns[name])} values in column "
                                 f"{name!r} for {len(records)} completions")
            for record, value in zip(records, columns[name]):
                record[key] = value
        return self._rewards(records)

    def compute_score(self, data_source: Any, solution_str: str,
                      ground_truth: Any,
                      extra_info: Optional[Mapping[str, Any]] = None,
                      **_: Any) -> Optional[float]:
        """verl's shape. ground_truth is the gold, or {"gold", "db"}; db and
        question may stand in extra_info, too."""
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
        return self._rewards([
            _verl_record(text, truth, info or {})
            for text, truth, info in zip(solution_strs, ground_truths, infos)])

    def _rewards(self, records: list[Record]) -> list[Optional[float]]:
        lines = self._scorer.score_many(records)
        for line in lines:
            for side in ("gold", "pred"):
                if line[side + "_status"] in _BROKEN:
                    raise AssayError(
                        f"{line[side + '_status']}: "
                        f"{line.get(side + '_message', '')}", "engine")
        found = [self._reward(line) for line in lines]
        self.verdicts = lines
        self.reasons = [reason for _, reason in found]
        return [reward for reward, _ in found]

    def _reward(self, line: Record) -> tuple[Optional[float], Optional[str]]:
        verdicts = line["verdicts"]
        first: Record = next(iter(verdicts.values()))
        if line["gold_status"] not in _USABLE or line["pred_status"] == "not_run":
            return None, _said(first)
        if line["pred_status"] != "ok":  # it failed, hung or would write
            return 0.0, ": ".join(filter(None, (
                line["pred_status"], line.get("pred_message"))))
        total = 0.0
        reason: Optional[str] = None
        for key, weight in self.weights.items():
            v = {"v": "yes"} if key == "runs" else _verdict(verdicts, key)
            if v["v"] == "unknown":
                return None, _said(v)
            if self._masks_empty and "both_empty" in v.get("notes", ()):
                return None, "both_empty"
            if v["v"] == "no":
                reason = reason or _said(v)
            total += weight * _score(v)
        return total / sum(self.weights.values()), reason


def _verdict(verdicts: Record, key: str) -> Record:
    """Of "exec" also "exec:bird", where bird are the only rules."""
    found = [v for name, v in verdicts.items()
             if name == key or name.startswith(key + ":")]
    if key in verdicts:
        found = [verdicts[key]]
    if len(found) != 1:
        raise AssayError(f"weight {key!r} names no verdict; there are: "
                         + ", ".join(verdicts))
    verdict: Record = found[0]
    return verdict


def _said(v: Record) -> str:
    """"forbidden: DELETE is not allowed"."""
    return ": ".join(v[key] for key in ("reason", "detail") if v.get(key))


def _score(v: Record) -> float:
    return float(v.get("score", v.get("similarity", v["v"] == "yes")))


def _verl_record(text: str, truth: Any, info: Mapping[str, Any]) -> Record:
    record: Record = {"pred": text_of(text)}
    for key, names in (("gold", ("gold",)), ("db", ("db", "db_id")),
                       ("question", ("question",))):
        for source in (truth, info):
            if isinstance(source, Mapping) and key not in record:
                record.update((key, source[name]) for name in names
                              if name in source)
    if not isinstance(truth, Mapping):
        record["gold"] = truth
    return record


def text_of(completion: Any) -> Optional[str]:
    """The text of a completion: itself, or what its last message holds."""
    if completion is None or isinstance(completion, str):
        return completion
    if isinstance(completion, Mapping):
        return _content(completion.get("content"))
    if isinstance(completion, Sequence):
        return text_of(completion[-1]) if completion else None
    raise TypeError("a completion is a text or a list of messages, not "
                    + type(completion).__name__)


def _content(content: Any) -> Optional[str]:
    """Of a message: a text, or parts [{"type": "text", "text": ...}]."""
    if content is None or isinstance(content, str):
        return content
    return "".join(part.get("text") or "" for part in content
                   if part.get("type") == "text")
