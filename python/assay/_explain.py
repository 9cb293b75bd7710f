"""Verdicts in words."""
from __future__ import annotations

import ctypes
import json
from collections.abc import Mapping
from typing import Any, Optional, Union

from . import _library as lib
from ._database import number_of
from ._verdict import Verdict


def explain(line: Union[Verdict, Mapping[str, Any]], *,
            head: Optional[Mapping[str, Any]] = None, metric: str = "",
            dialect: str = "sqlite", width: int = 100) -> str:
    """What `assay show` says about a case, without colors.

    line     a verdict of score, a line of a journal, or a record that
             Scorer.score_many gave back
    head     of the journal: adds the command that runs the case again
    metric   whose verdict comes first; default exec
    width    columns of a line
    Raises AssayError for a line without verdicts.
    """
    first = lib.to_str(json.dumps(head) if head else "")
    key = lib.to_str(metric)
    options = lib.ExplainOptions(None, first, key,
                                 number_of(lib.DIALECT, dialect, "dialect"),
                                 width)
    c, out, error = lib.library(), ctypes.c_void_p(), lib.Error()
    text = lib.to_str(line.line if isinstance(line, Verdict)
                      else json.dumps(dict(line)))
    lib.check(c.assay_explain(ctypes.byref(out), text, ctypes.byref(options),
                              ctypes.byref(error)), error)
    try:
        return lib.from_str(c.assay_explanation_text(out))
    finally:
        c.assay_explanation_free(out)
