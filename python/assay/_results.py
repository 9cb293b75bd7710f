"""Two results compared as those of two queries are, with no database."""
from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

from . import _library as lib
from ._database import Words, metric_of, number_of, words
from ._fields import plain
from ._verdict import Verdict

Rows = Sequence[Sequence[Any]]


def compare_results(gold: Rows, pred: Rows, *, rules: str = "assay",
                    ordered: bool = False, same_column_order: bool = False,
                    metrics: Words = ("exec", "subset")) -> Verdict:
    """Is the result `pred` the same as the result `gold`?

    Both are rows of None, int, float, str and bytes, as fetchall() gives them.
    rules      not "defog" or "sql_eval", which read the queries
    ordered    whether the order of rows counts
    metrics    of exec, subset, soft_f1, cell_f1
    A result without rows is assumed to have as many columns as the other.
    """
    wanted = words(metrics)
    bits = 0
    for word in wanted:
        bits |= number_of(lib.METRIC, word, "metric")
    width = len(gold[0]) if len(gold) else len(pred[0]) if len(pred) else 1
    tables = [_table(gold, width), _table(pred, width)]
    options = lib.CompareOptions(number_of(lib.RULES, rules, "rule set"),
                                 ordered, same_column_order)
    c, out, error = lib.library(), ctypes.c_void_p(), lib.Error()
    lib.check(c.assay_compare(ctypes.byref(out), *map(ctypes.byref, tables),
                              ctypes.byref(options), bits,
                              ctypes.byref(error)), error)
    try:
        found: dict[str, Any] = {
            word: metric_of(c, out, lib.METRIC[word]) for word in wanted}
    finally:
        c.assay_verdict_free(out)
    return Verdict("", "", wanted, line="", **found)


def _table(rows: Rows, width: int) -> lib.Table:
    width = len(rows[0]) if len(rows) else width
    cells = (lib.Value * (len(rows) * width))()
    at = 0
    for number, row in enumerate(rows):
        if len(row) != width:
            raise TypeError(f"row {number} has {len(row)} values, not {width}")
        for value in row:
            cells[at] = _value(plain(value), number)
            at += 1
    return lib.Table(len(rows), width, cells, None)


def _value(value: Any, row: int) -> lib.Value:
    if value is None:
        return lib.Value(lib.TYPE["null"])
    if isinstance(value, int):
        if not -2**63 <= value < 2**63:
            raise TypeError(f"row {row}: an int of more than 64 bits")
        return lib.Value(lib.TYPE["integer"], value)
    if isinstance(value, float):
        return lib.Value(lib.TYPE["real"], 0, value)
    if isinstance(value, str):
        return lib.Value(lib.TYPE["text"], 0, 0.0, lib.to_str(value))
    if isinstance(value, (bytes, bytearray, memoryview)):
        data = bytes(value)
        return lib.Value(lib.TYPE["blob"], 0, 0.0, lib.Str(data, len(data)))
    raise TypeError(f"row {row}: a {type(value).__name__} is no value of SQL")
