"""What a verdict is worth to a trainer: weights, and guards against hacks.

A Shape looks at one line of Scorer.score_many and at the text of the
completion, and at nothing else: equal input gives an equal reward.
"""
from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Optional

from ._library import AssayError

Record = dict[str, Any]

# Of a gold that can be used.
_USABLE = ("ok", "gold_unstable", "unanswerable")
# Not run: refused, or not understood by assay. Nothing is earned with that,
# unless a guard of the same name masks it.
_NOT_RUN = ("forbidden", "not_understood")
# What of a prediction earns nothing at all: it writes, floods, hangs, or is
# not there. A query that is only broken keeps what it has for its form.
_HARMFUL = frozenset((
    *_NOT_RUN, "no_prediction", "several_statements", "timeout",
    "too_much_work", "memory", "too_many_rows", "too_long", "too_complex",
    "crash"))
# A guard, and the metrics that it looks at.
GUARDS: dict[str, tuple[str, ...]] = {
    "both_empty": (),
    "made_up": ("exec",),
    "superset": ("exec", "subset"),
    "refuted": ("exec", "suite"),
    "forbidden": (),
    "not_understood": (),
}
ACTIONS = ("report", "mask", "zero")
_FORMS = ("runs", "format", "length")


class Judged(NamedTuple):
    """A completion's reward, and why."""

    reward: Optional[float]
    """0 to 1; None where assay cannot say, which trainers mask."""
    reason: Optional[str]
    """Why it is not 1: "forbidden: DELETE is not allowed", or None."""
    guards: tuple[str, ...]
    """What speaks against it all the same: "both_empty", "made_up", ..."""
    line: Record
    """What Scorer.score_many says of it."""


class Shape:
    """How verdicts become rewards; the arguments are those of Reward."""

    def __init__(self, weights: Optional[Mapping[str, float]],
                 guards: Optional[Mapping[str, str]],
                 form: Optional[str], length: Optional[Sequence[int]]) -> None:
        self.weights = dict(weights or {"exec": 1.0})
        self.total = sum(self.weights.values())
        if self.total <= 0 or min(self.weights.values()) < 0:
            raise AssayError("weights are positive")
        self.guards = dict(guards or {})
        for guard, action in self.guards.items():
            if guard not in GUARDS or action not in ACTIONS:
                raise AssayError(f"no guard {guard!r} with {action!r}; there are "
                                 f"{', '.join(GUARDS)} with {', '.join(ACTIONS)}")
        self.form = re.compile(form, re.S) if form is not None else None
        self.length = _limits(length) if length is not None else None
        if "length" in self.weights and not self.length:
            raise AssayError("a weight for 'length' needs length=(full, none)")

    def metrics(self) -> list[str]:
        """Those that the Scorer has to ask."""
        named = [key.split(":")[0] for key in self.weights if key not in _FORMS]
        for guard in self.guards:
            named += GUARDS[guard]
        return list(dict.fromkeys(named)) or ["exec"]

    def judge(self, line: Record, text: Optional[str]) -> Judged:
        verdicts: Record = line["verdicts"]
        status = line["pred_status"]
        if line["gold_status"] not in _USABLE or status == "not_run":
            return Judged(None, _said(next(iter(verdicts.values()))), (), line)
        guards = _guards(verdicts)
        reason = None
        if status != "ok":
            reason = ": ".join(filter(None, (status, line.get("pred_message"))))
            if status in _HARMFUL:
                return self._without_run(status, reason, guards, line)
        total = 0.0
        for key, weight in self.weights.items():
            if key in _FORMS:
                part = self._form(key, status, text or "")
                reason = reason or (key if part < 1 else None)
            elif status != "ok":
                part = 0.0
            else:
                v = verdicts.get(key) or _verdict(verdicts, key)
                if v["v"] == "unknown":
                    if v.get("reason") in _NOT_RUN:
                        return self._without_run(v["reason"], _said(v), guards,
                                                 line)
                    return Judged(None, _said(v), guards, line)
                if v["v"] == "no":
                    reason = reason or _said(v)
                part = _score(v)
            total += weight * part
        return self._guarded(Judged(total / self.total, reason, guards, line))

    def _without_run(self, status: str, reason: str, guards: tuple[str, ...],
                     line: Record) -> Judged:
        if status not in _NOT_RUN:
            return Judged(0.0, reason, guards, line)
        masks = self.guards.get(status) == "mask"
        return Judged(None if masks else 0.0, reason, guards, line)

    def _form(self, key: str, status: str, text: str) -> float:
        if key == "runs":
            return float(status == "ok")
        if key == "format":
            return float(bool(self.form.fullmatch(text)) if self.form
                         else ends_with_fence(text))
        full, none = self.length or (0, 1)
        return min(1.0, max(0.0, (none - len(text)) / (none - full)))

    def _guarded(self, judged: Judged) -> Judged:
        if not judged.guards:
            return judged
        actions = {self.guards.get(guard, "report"): guard
                   for guard in reversed(judged.guards)}
        if "zero" in actions:
            return judged._replace(reward=0.0, reason=actions["zero"])
        if "mask" in actions:
            return judged._replace(reward=None, reason=actions["mask"])
        return judged


def _limits(length: Sequence[int]) -> tuple[int, int]:
    full, none = length
    if not 0 <= full < none:
        raise AssayError("length is (full, none) in characters, full < none")
    return full, none


def ends_with_fence(text: str) -> bool:
    """One Markdown fence, and nothing after it; thoughts before do not count."""
    answer = text.rpartition("</think>")[2].rstrip()
    return answer.count("```") == 2 and answer.endswith("```")


def _of(verdicts: Record, metric: str) -> list[Record]:
    """The verdicts of a metric, under all rules."""
    return [v for key, v in verdicts.items() if key.partition(":")[0] == metric]


def _noted(verdicts: list[Record], note: str) -> bool:
    return any(note in v.get("notes", ()) for v in verdicts)


def _says(verdicts: list[Record], answer: str) -> bool:
    return any(v["v"] == answer for v in verdicts)


_FINDS: dict[str, Callable[[Record], bool]] = {
    "both_empty": lambda found: _noted(list(found.values()), "both_empty"),
    "made_up": lambda found: _noted(_of(found, "exec"), "made_up_column"),
    "superset": lambda found: (_says(_of(found, "subset"), "yes")
                               and not _says(_of(found, "exec"), "yes")),
    "refuted": lambda found: (_says(_of(found, "suite"), "no")
                              and _says(_of(found, "exec"), "yes")),
}


def _guards(verdicts: Record) -> tuple[str, ...]:
    if len(verdicts) == 1:  # the one metric that most ask: its notes tell all
        if "notes" not in next(iter(verdicts.values())):
            return ()
    return tuple(guard for guard, finds in _FINDS.items() if finds(verdicts))


def _verdict(verdicts: Record, key: str) -> Record:
    """Of "exec" also "exec:bird", where bird are the only rules."""
    found: list[Record] = [v for name, v in verdicts.items()
                           if name.startswith(key + ":")]
    if len(found) != 1:
        raise AssayError(f"weight {key!r} names no verdict; there are: "
                         + ", ".join(verdicts))
    return found[0]


def _said(v: Record) -> str:
    """"forbidden: DELETE is not allowed"."""
    return ": ".join(v[key] for key in ("reason", "detail") if v.get(key))


def _score(v: Record) -> float:
    return float(v.get("score", v.get("similarity", v["v"] == "yes")))
