"""The C library: where it is, and include/assay/assay.h in the words of ctypes.

Nothing else in the package knows a number, a struct or a signature of the
header. tests/python compares what stands here with the header.
"""
from __future__ import annotations

import ctypes
import functools
import os
import pathlib
from typing import Any, Optional

PACKAGE = pathlib.Path(__file__).resolve().parent
CHECKOUT = PACKAGE.parent.parent  # where the package lies in the sources

STATUS = {"ok": 0, "usage": 1, "engine": 2, "limit": 3}
METRIC = {
    "string": 1 << 0,
    "edit": 1 << 1,
    "set": 1 << 2,
    "exec": 1 << 3,
    "subset": 1 << 4,
    "soft_f1": 1 << 5,
    "cell_f1": 1 << 6,
    "equiv": 1 << 9,
}
RULES = {
    "assay": 0,
    "strict": 1,
    "spider": 2,
    "bird": 3,
    "spider2": 4,
    "defog": 5,
    "sql_eval": 6,
}
ANSWER = {"unknown": 0, "no": 1, "yes": 2}
RELATION = {"unknown": 0, "equivalent": 1, "different": 2}
TYPE = {"null": 0, "integer": 1, "real": 2, "text": 3, "blob": 4}

DIALECT = {
    "sqlite": 0, "postgres": 1, "mysql": 2, "bigquery": 3, "tsql": 4,
    "snowflake": 5, "duckdb": 6,
}
LAYOUT = {"pretty": 0, "one_line": 1, "tree": 2}
FIELD_HINT = 10  # rank of names that are hints


class Str(ctypes.Structure):
    """assay_str: bytes and their number."""

    _fields_ = [("ptr", ctypes.c_char_p), ("len", ctypes.c_size_t)]


class Error(ctypes.Structure):
    """assay_error."""

    _fields_ = [("status", ctypes.c_int), ("message", ctypes.c_char * 256)]


class Limits(ctypes.Structure):
    """assay_limits: 0 is the default."""

    _fields_ = [
        ("timeout_ms", ctypes.c_uint32),
        ("max_bytes", ctypes.c_uint64),
        ("max_rows", ctypes.c_uint64),
        ("clock_ms", ctypes.c_int64),
    ]


class Question(ctypes.Structure):
    """assay_question."""

    _fields_ = [("text", Str), ("category", Str), ("rules", ctypes.c_int)]


class CheckOptions(ctypes.Structure):
    """assay_check_options: 0 is the default."""

    _fields_ = [
        ("databases", ctypes.c_uint32),
        ("assumes_nothing", ctypes.c_int),
        ("same_column_order", ctypes.c_int),
        ("clock_ms", ctypes.c_int64),
    ]


class Value(ctypes.Structure):
    """assay_value."""

    _fields_ = [("type", ctypes.c_int), ("integer", ctypes.c_int64),
                ("real", ctypes.c_double), ("bytes", Str)]


class Table(ctypes.Structure):
    """assay_table."""

    _fields_ = [("n_rows", ctypes.c_size_t), ("n_columns", ctypes.c_size_t),
                ("cells", ctypes.POINTER(Value)),
                ("names", ctypes.POINTER(Str))]


class CompareOptions(ctypes.Structure):
    """assay_compare_options: 0 is the default."""

    _fields_ = [("rules", ctypes.c_int), ("is_ordered", ctypes.c_int),
                ("same_column_order", ctypes.c_int)]


class FormatOptions(ctypes.Structure):
    """assay_format_options: 0 is the default."""

    _fields_ = [("dialect", ctypes.c_int), ("layout", ctypes.c_int)]


class Mistake(ctypes.Structure):
    """assay_mistake."""

    _fields_ = [("offset", ctypes.c_size_t), ("len", ctypes.c_size_t),
                ("line", ctypes.c_size_t), ("column", ctypes.c_size_t),
                ("text", Str)]


class Read(ctypes.Structure):
    """assay_read."""

    _fields_ = [("table", Str), ("column", Str)]


class Request(ctypes.Structure):
    """assay_request."""

    _fields_ = [("db", Str), ("gold", Str), ("pred", Str), ("question", Str),
                ("category", Str)]


class ExplainOptions(ctypes.Structure):
    """assay_explain_options: 0 is the default."""

    _fields_ = [("request", ctypes.POINTER(Request)), ("head", Str),
                ("metric", Str), ("dialect", ctypes.c_int),
                ("width", ctypes.c_uint32)]


STRUCTS = {
    "assay_str": Str,
    "assay_error": Error,
    "assay_limits": Limits,
    "assay_question": Question,
    "assay_check_options": CheckOptions,
    "assay_value": Value,
    "assay_table": Table,
    "assay_compare_options": CompareOptions,
    "assay_format_options": FormatOptions,
    "assay_mistake": Mistake,
    "assay_read": Read,
    "assay_request": Request,
    "assay_explain_options": ExplainOptions,
}

_HANDLE = ctypes.c_void_p
_OUT = ctypes.POINTER(ctypes.c_void_p)
_ERR = ctypes.POINTER(Error)

# Result, then parameters.
FUNCTIONS: dict[str, tuple[Any, ...]] = {
    "assay_version": (ctypes.c_char_p,),
    "assay_db_open": (ctypes.c_int, _OUT, ctypes.c_char_p,
                      ctypes.POINTER(Limits), _ERR),
    "assay_db_close": (None, _HANDLE),
    "assay_score": (ctypes.c_int, _OUT, _HANDLE, Str, Str,
                    ctypes.POINTER(Question), ctypes.c_uint32, _ERR),
    "assay_verdict_free": (None, _HANDLE),
    "assay_verdict_answer": (ctypes.c_int, _HANDLE, ctypes.c_int),
    "assay_verdict_reason": (Str, _HANDLE, ctypes.c_int),
    "assay_verdict_detail": (Str, _HANDLE, ctypes.c_int),
    "assay_verdict_score": (ctypes.c_double, _HANDLE, ctypes.c_int),
    "assay_verdict_variant": (ctypes.c_ssize_t, _HANDLE, ctypes.c_int),
    "assay_verdict_gold_result": (Str, _HANDLE, ctypes.c_int),
    "assay_verdict_json": (Str, _HANDLE),
    "assay_verdict_pred_result": (Str, _HANDLE, ctypes.c_int),
    "assay_compare": (ctypes.c_int, _OUT, ctypes.POINTER(Table),
                      ctypes.POINTER(Table), ctypes.POINTER(CompareOptions),
                      ctypes.c_uint32, _ERR),
    "assay_extract": (ctypes.c_int, _OUT, Str, _ERR),
    "assay_extraction_free": (None, _HANDLE),
    "assay_extraction_sql": (Str, _HANDLE),
    "assay_extraction_note": (Str, _HANDLE),
    "assay_field": (Str, Str, ctypes.POINTER(ctypes.c_int)),
    "assay_format": (ctypes.c_int, _OUT, Str, ctypes.POINTER(FormatOptions),
                     _ERR),
    "assay_formatted_free": (None, _HANDLE),
    "assay_formatted_text": (Str, _HANDLE),
    "assay_formatted_mistakes": (ctypes.POINTER(Mistake), _HANDLE,
                                 ctypes.POINTER(ctypes.c_size_t)),
    "assay_bind": (ctypes.c_int, _OUT, Str, Str, ctypes.c_int, _ERR),
    "assay_binding_free": (None, _HANDLE),
    "assay_binding_reads": (ctypes.POINTER(Read), _HANDLE,
                            ctypes.POINTER(ctypes.c_size_t)),
    "assay_binding_mistakes": (ctypes.POINTER(Mistake), _HANDLE,
                               ctypes.POINTER(ctypes.c_size_t)),
    "assay_journal_open": (ctypes.c_int, _OUT, ctypes.c_char_p, _ERR),
    "assay_journal_close": (None, _HANDLE),
    "assay_journal_head": (Str, _HANDLE),
    "assay_journal_next": (ctypes.c_int, _HANDLE, _OUT, _ERR),
    "assay_case_free": (None, _HANDLE),
    "assay_case_text": (Str, _HANDLE, ctypes.c_char_p),
    "assay_case_answer": (ctypes.c_int, _HANDLE, ctypes.c_char_p),
    "assay_case_reason": (Str, _HANDLE, ctypes.c_char_p),
    "assay_case_detail": (Str, _HANDLE, ctypes.c_char_p),
    "assay_case_score": (ctypes.c_double, _HANDLE, ctypes.c_char_p),
    "assay_case_json": (Str, _HANDLE),
    "assay_explain": (ctypes.c_int, _OUT, Str, ctypes.POINTER(ExplainOptions),
                      _ERR),
    "assay_explanation_free": (None, _HANDLE),
    "assay_explanation_text": (Str, _HANDLE),
    "assay_checker_open": (ctypes.c_int, _OUT, Str,
                           ctypes.POINTER(CheckOptions), _ERR),
    "assay_checker_close": (None, _HANDLE),
    "assay_check": (ctypes.c_int, _OUT, _HANDLE, Str, Str, _ERR),
    "assay_check_free": (None, _HANDLE),
    "assay_check_answer": (ctypes.c_int, _HANDLE),
    "assay_check_reason": (Str, _HANDLE),
    "assay_check_witness": (Str, _HANDLE),
    "assay_check_json": (Str, _HANDLE),
    "assay_scorer_open": (ctypes.c_int, _OUT, ctypes.c_void_p, _ERR),
    "assay_scorer_close": (None, _HANDLE),
    "assay_scorer_submit": (ctypes.c_int, _HANDLE, ctypes.c_void_p,
                            ctypes.c_size_t, ctypes.c_uint32,
                            ctypes.POINTER(ctypes.c_uint64), _ERR),
    "assay_scorer_fd": (ctypes.c_int, _HANDLE),
    "assay_scorer_next": (ctypes.c_int, _HANDLE, _OUT, ctypes.c_int, _ERR),
    "assay_scorer_cancel": (None, _HANDLE, ctypes.c_uint64),
    "assay_reply_free": (None, _HANDLE),
    "assay_reply_ticket": (ctypes.c_uint64, _HANDLE),
    "assay_reply_answer": (ctypes.c_int, _HANDLE, ctypes.c_char_p),
    "assay_reply_reason": (Str, _HANDLE, ctypes.c_char_p),
    "assay_reply_json": (Str, _HANDLE),
}


class AssayError(Exception):
    """An error that is not the prediction's: of the gold, the database or the call.

    status: "usage" (fix the call), "engine" (the database cannot be opened, or
    the gold fails), "limit" (no memory, no time; the next call may have it), or
    "program" (the program assay is not there, or ended without verdicts).
    """

    def __init__(self, message: str, status: str = "usage") -> None:
        super().__init__(message)
        self.status = status

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.args[0], self.status)


def find(variable: str, packed: str, built: str) -> Optional[str]:
    """The path of a file: as the environment says, in the package, in `build`.

    None: none of them is there, and the system has to know it.
    """
    named = os.environ.get(variable)
    if named:
        return named
    for path in (PACKAGE / packed, CHECKOUT / "build" / built):
        if path.exists():
            return str(path)
    return None


@functools.lru_cache(maxsize=None)
def library() -> ctypes.CDLL:
    """The loaded library. ctypes gives up the GIL during its calls."""
    path = find("ASSAY_LIBRARY", "lib/libassay.so.0", "libassay.so.0")
    try:
        lib = ctypes.CDLL(path or "libassay.so.0")
    except OSError as error:
        raise AssayError(f"the library of assay cannot be loaded: {error}; "
                         "ASSAY_LIBRARY=FILE names it", "engine") from None
    for name, (result, *parameters) in FUNCTIONS.items():
        function = getattr(lib, name)
        function.restype = result
        function.argtypes = parameters
    return lib


def to_str(text: str) -> Str:
    """Borrowed for a call; a lone surrogate becomes U+FFFD."""
    data = to_utf8(text)
    return Str(data, len(data))


def to_utf8(text: str) -> bytes:
    if not isinstance(text, str):
        raise TypeError(f"SQL is a str, not {type(text).__name__}")
    try:
        return text.encode()
    except UnicodeEncodeError:
        halves = text.encode("utf-16", "surrogatepass")
        return halves.decode("utf-16", "replace").encode()


def from_str(s: Str) -> str:
    """A copy. Bytes that are no UTF-8 become U+FFFD."""
    if not s.len:
        return ""
    address = ctypes.c_void_p.from_buffer(s).value  # ptr, which is first
    return ctypes.string_at(address or 0, s.len).decode("utf-8", "replace")


def check(status: int, error: Error) -> None:
    """Raises what a call of the library complains about."""
    if status != STATUS["ok"]:
        word = next(w for w, number in STATUS.items() if number == status)
        raise AssayError(error.message.decode("utf-8", "replace"), word)
