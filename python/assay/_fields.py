"""What the members of a record mean: the names that files may use, too.

The library has the table of names (assay_field); there is no other one here.
"""
from __future__ import annotations

import ctypes
import functools
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Optional

from . import _library as lib

Record = dict[str, Any]
KINDS = ("id", "db", "question", "category", "gold", "pred")
_KNOWN = frozenset(KINDS)


class _Meaning(NamedTuple):
    kind: str
    is_bare: bool
    """Called SQL and no more: the gold, where no name says so."""
    rank: int

    @property
    def counts(self) -> bool:
        """A hint does not: only contents could confirm it."""
        return self.rank < lib.FIELD_HINT


@functools.lru_cache(maxsize=4096)
def _meaning(name: str) -> _Meaning:
    rank = ctypes.c_int()
    word = lib.from_str(lib.library().assay_field(lib.to_str(name),
                                                  ctypes.byref(rank)))
    is_bare = word == "sql"
    return _Meaning("gold" if is_bare else word, is_bare, rank.value)


def _as_fields(kind: str, name: str) -> str:
    return f'fields={{"{kind}": "{name}"}}'


class Fields:
    """Which member of a record is what.

    own   {"pred": "model_says"}: these names, before all that assay knows
    says  how a name is given, of a kind and the name
    """

    def __init__(self, own: Optional[Mapping[str, str]] = None,
                 says: Callable[[str, str], str] = _as_fields) -> None:
        self.own = dict(own or {})
        self._says = says
        self._found: dict[tuple[Any, ...], dict[str, list[str]]] = {}
        for kind in self.own:
            if kind not in KINDS:
                raise lib.AssayError(f"no field {kind!r}; there are: "
                                     + ", ".join(KINDS))

    def names(self, members: Iterable[Any]) -> dict[str, list[str]]:
        """Of each kind the names that mean it, the best first."""
        key = tuple(members)
        found = self._found.get(key)
        if found is None:
            others = [name for name in key if isinstance(name, str)
                      and name not in self.own.values()]
            others.sort(key=_meaning)
            found = {kind: [name for name in others
                            if _meaning(name).kind == kind
                            and _meaning(name).counts] for kind in KINDS}
            for kind, name in self.own.items():
                found[kind] = [name] if name in key else []
            if len(self._found) < 1000:
                self._found[key] = found
        return found

    def read(self, record: Any, where: str,
             needs: Sequence[str] = ("gold", "pred")) -> Any:
        """The record with assay's own names for its members."""
        if type(record) is dict and not self.own and record.keys() <= _KNOWN:
            gold = record.get("gold")
            if "pred" in record and type(gold) is str and not _is_json(gold):
                return record  # as nearly all are
        if not isinstance(record, Mapping):
            return record
        names = self.names(record)
        out = {kind: record[found[0]] for kind, found in names.items() if found}
        for kind in needs:
            if kind not in out:
                raise self.missing(kind, record, f"{where} has no member")
        truths = {name: self.truth(record[name]) for name in names["gold"]}
        # Spider's `sql` is a tree beside the query.
        queries = {name: gold for name, (gold, _) in truths.items()
                   if not isinstance(gold, Mapping) and not is_missing(gold)}
        self._refuse_unclear(queries, where)
        if queries:
            best = next(iter(queries))
            out = {**truths[best][1], **out, "gold": queries[best]}
        elif any(isinstance(gold, Mapping) for gold, _ in truths.values()):
            raise unread(truths[names["gold"][0]][0], where)
        return out

    def _refuse_unclear(self, queries: Mapping[str, Any], where: str) -> None:
        bare = [name for name in queries
                if _meaning(name).is_bare and name not in self.own.values()]
        if len(bare) > 1 and len(bare) == len(queries) and any(
                queries[name] != queries[bare[0]] for name in bare):
            raise lib.AssayError(
                f"{where} has two queries, {bare[0]} and {bare[1]}; say which "
                "is the gold: " + self._says("gold", bare[0]))

    def missing(self, kind: str, members: Iterable[Any],
                lacks: str) -> lib.AssayError:
        """No member means it: which are there, and how one is named. `lacks`
        is "record 3 has no member"."""
        members = list(members)
        names = self.names(members)
        spare = [name for name in members
                 if not any(name in found for found in names.values())]
        hints = [name for name in spare if isinstance(name, str)
                 and _meaning(name).kind == kind]
        others = [name for found in names.values() for name in found[1:]]
        name = (hints or spare or others or ["NAME"])[0]
        return lib.AssayError(
            f"{lacks} {self.own.get(kind, kind)!r}; there are: "
            f"{_listed(members)}; say " + self._says(kind, name))

    def truth(self, value: Any) -> tuple[Any, Record]:
        """A ground truth: SQL, a list of it, or an object that has a query in
        it, also as the text of its JSON. The gold, and what else is known of
        the case; the object itself where it has no query."""
        value = plain(value)
        if isinstance(value, str) and _is_json(value):
            try:
                return self.truth(json.loads(value))
            except ValueError:  # a gold with alternatives {a,b}
                return value, {}
        if isinstance(value, (list, tuple)):
            return self._truths(list(value))
        if not isinstance(value, Mapping):
            return value, {}
        own, names = self.names(value), _NAMES.names(value)
        names = {kind: own[kind] or names[kind] for kind in KINDS}
        more = {kind: value[found[0]] for kind, found in names.items()
                if found and kind not in ("gold", "pred")}
        for name in names["gold"]:
            gold, inner = self.truth(value[name])
            if not isinstance(gold, Mapping):
                return gold, {**inner, **more}
        return value, {}

    def _truths(self, values: list[Any]) -> tuple[Any, Record]:
        if not any(isinstance(value, Mapping) for value in values):
            return values, {}
        read = [self.truth(value) for value in values]
        odd = [gold for gold, _ in read if not isinstance(gold, str)]
        return (odd[0] if odd else [gold for gold, _ in read]), read[0][1]


def unread(truth: Any, where: str) -> lib.AssayError:
    members = truth if isinstance(truth, Mapping) else ()
    return lib.AssayError(f"{where}: the ground truth is an object without a "
                          f"query; its members are {_listed(members)}; "
                          'a query is called "sql" or "gold"')


def _is_json(text: str) -> bool:
    return text.lstrip()[:1] in ("{", "[", '"')


def _listed(members: Iterable[Any]) -> str:
    return ", ".join(map(str, members)) or "none"


def is_missing(value: Any) -> bool:
    """None, or the NaN or NA that pandas has for it."""
    if value is None or isinstance(value, (str, list, tuple)):
        return value is None
    try:
        differs = value != value  # an array says so of each of its values
    except Exception:  # Decimal("sNaN") bears no comparison
        return False
    return (type(value).__name__ == "NAType"
            or (type(differs).__name__ in ("bool", "bool_") and bool(differs)))


def plain(value: Any) -> Any:
    """Of NumPy, whose arrays a list becomes in a file of Parquet: Python's own."""
    return value.tolist() if hasattr(value, "tolist") else value


_NAMES = Fields()
