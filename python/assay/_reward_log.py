"""Rewards as journals: what `assay show`, `report` and `compare` read.

A log is the journal of one checkpoint. Its lines are those of `assay score`
with one verdict more, "reward", whose score is the reward; its first line says
what bears on them. Lines are appended, whole batches at a time.
"""
from __future__ import annotations

import datetime
import hashlib
import json
import os
import pathlib
import re
from collections.abc import Iterable
from typing import Any, Optional

from ._library import AssayError
from ._shaping import Judged

Case = tuple[Any, ...]  # gold, database, question


class RewardLog:
    """Appends to the journal `path`, whose run is named `run`.

    Cases are known by their id, or else by a hash of gold, database and
    question; of further completions of a case the second is "ID#2".
    """

    def __init__(self, path: str, head: dict[str, Any]) -> None:
        self.path = path
        self.run = pathlib.PurePath(path).stem
        self._counts: dict[str, int] = {}
        pathlib.Path(path).parent.mkdir(parents=True, exist_ok=True)
        self._is_new = not self._read_counts()
        self._head = {
            "journal": 1, **head,
            "runs": {self.run: None},
            "clock": head.get("clock") or datetime.datetime.now(
                datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")}

    def _read_counts(self) -> bool:
        """Of a log that is gone on with: which completions it has."""
        if os.path.exists(self.path) and not os.path.isfile(self.path):
            raise AssayError(f"{self.path}: this is no file")
        try:
            with open(self.path, encoding="utf-8") as file:
                head = file.readline()
                if head and not head.startswith('{"journal"'):
                    raise AssayError(f"{self.path}: this is no journal of assay")
                for line in file:
                    name = str(json.loads(line)["id"])
                    again = re.fullmatch(r"(.*)#(\d+)", name)
                    base, count = again.groups() if again else (name, "1")
                    self._counts[base] = max(int(count),
                                             self._counts.get(base, 0))
        except FileNotFoundError:
            return False
        except (ValueError, KeyError):
            raise AssayError(f"{self.path}: a line is torn; begin another "
                             "log") from None
        return bool(head)

    def _id(self, name: Any, case: Case) -> str:
        if name is None:
            text = json.dumps(case, default=str)
            base = hashlib.blake2b(text.encode("utf-8", "replace"),
                                   digest_size=8).hexdigest()
        else:
            base = str(name)
        count = self._counts[base] = self._counts.get(base, 0) + 1
        return base if count == 1 else f"{base}#{count}"

    def write(self, rows: Iterable[tuple[Any, Case, Judged]]) -> None:
        """A line for each (id or None, case, what was found)."""
        lines = [self._head] if self._is_new else []
        lines += [self._line(*row) for row in rows]
        data = "".join(json.dumps(line) + "\n" for line in lines).encode()
        out = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        try:
            while data:
                data = data[os.write(out, data):]
        finally:
            os.close(out)
        self._is_new = False

    def _line(self, name: Any, case: Case, judged: Judged) -> dict[str, Any]:
        gold, db, question = case
        return {"run": self.run, "category": None, "hardness": None,
                **judged.line, "id": self._id(name, case), "db": db,
                "gold": list(gold) if isinstance(gold, tuple) else gold,
                "question": question,
                "verdicts": {**judged.line["verdicts"],
                             "reward": _as_verdict(judged)}}


def _as_verdict(judged: Judged) -> dict[str, Any]:
    v: dict[str, Any] = {"v": "unknown" if judged.reward is None
                         else "yes" if judged.reward >= 1 else "no"}
    if judged.reason:
        v["reason"], _, detail = judged.reason.partition(": ")
        if detail:
            v["detail"] = detail
    if judged.guards:
        v["notes"] = list(judged.guards)
    if judged.reward is not None:
        v["score"] = judged.reward
    return v


def path_of(pattern: str, step: Optional[int]) -> str:
    """The log of a step: "runs/step-{step}.jsonl"."""
    if "{step}" in pattern and step is None:
        raise AssayError("log has {step}, but the trainer says no step: no "
                         "trainer_state, no global_step")
    return pattern.replace("{step}", str(step)).replace("{pid}",
                                                        str(os.getpid()))
