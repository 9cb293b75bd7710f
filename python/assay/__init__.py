"""assay tells whether SQL written by a language model is right.

    import assay
    v = assay.score(gold, pred, db="shop.sqlite")
    v.exec.answer, v.exec.reason, v.exec.detail
    lines = assay.score_many([{"db": "shop", "gold": ..., "pred": ...}],
                             db="database/", jobs=2)

score, Database, extract, check and Checker call the library in this process;
Scorer, score_many, compare and assay.rewards run the program, which isolates
predictions.
"""
from ._database import (
    Checker, Database, Extraction, check, extract, score, version,
)
from ._explain import explain
from ._journal import Comparison, Journal, compare, read_journal
from ._library import AssayError
from ._results import compare_results
from ._scorer import Scorer, score_many
from ._sql import Binding, Formatted, Mistake, bind, format_sql
from ._verdict import CheckResult, MetricVerdict, Verdict

__version__ = "0.2.0"
__all__ = [
    "AssayError", "Binding", "CheckResult", "Checker", "Comparison", "Database",
    "Extraction", "Formatted", "Journal", "MetricVerdict", "Mistake", "Scorer",
    "Verdict", "bind", "check", "compare", "compare_results", "explain",
    "extract", "format_sql", "read_journal", "score", "score_many", "version",
]
