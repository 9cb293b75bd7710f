"""Parsing, formatting and binding SQL, without a database."""
from __future__ import annotations

import ctypes
from typing import Any, NamedTuple

from . import _library as lib
from ._database import number_of


class Mistake(NamedTuple):
    """What the parser cannot read; line and column are those of the token that
    does not fit, from 1, the column in bytes of UTF-8."""

    line: int
    column: int
    text: str


class Formatted(NamedTuple):
    """What format_sql made of a text.

    text      laid out; "" when there are mistakes, but for trees
    mistakes  the first 20 at most, in the order of the text
    """

    text: str
    mistakes: tuple[Mistake, ...]


def format_sql(sql: str, *, dialect: str = "sqlite",
               layout: str = "pretty") -> Formatted:
    """`sql` laid out as `assay fmt` prints it.

    dialect  sqlite, postgres, mysql, bigquery, tsql, snowflake or duckdb
    layout   "pretty", "one_line" (a statement a line) or "tree" (its syntax)
    SQL with mistakes gives a result; AssayError is raised for a wrong call.
    """
    options = lib.FormatOptions(number_of(lib.DIALECT, dialect, "dialect"),
                                number_of(lib.LAYOUT, layout, "layout"))
    c, out, error = lib.library(), ctypes.c_void_p(), lib.Error()
    text = lib.to_str(sql)
    lib.check(c.assay_format(ctypes.byref(out), text, ctypes.byref(options),
                             ctypes.byref(error)), error)
    try:
        n = ctypes.c_size_t()
        found = c.assay_formatted_mistakes(out, ctypes.byref(n))
        return Formatted(lib.from_str(c.assay_formatted_text(out)),
                         _mistakes(found, n.value))
    finally:
        c.assay_formatted_free(out)


class Binding(NamedTuple):
    """What a query reads.

    reads     for each table or view, in the order of the schema, the columns of
              it that are read: {"singer": ("name", "age"), "concert": ()}
    mistakes  what cannot be parsed, and names that mean nothing or two things
    """

    reads: dict[str, tuple[str, ...]]
    mistakes: tuple[Mistake, ...]


def bind(query: str, *, schema: str, dialect: str = "sqlite") -> Binding:
    """The tables and columns that `query` reads, in any clause.

    schema   CREATE statements in the same dialect
    dialect  as format_sql has it
    A broken query gives a result; a broken schema raises AssayError.
    """
    number = number_of(lib.DIALECT, dialect, "dialect")
    c, out, error = lib.library(), ctypes.c_void_p(), lib.Error()
    ddl, text = lib.to_str(schema), lib.to_str(query)
    lib.check(c.assay_bind(ctypes.byref(out), ddl, text, number,
                           ctypes.byref(error)), error)
    try:
        n = ctypes.c_size_t()
        reads: dict[str, tuple[str, ...]] = {}
        for read in c.assay_binding_reads(out, ctypes.byref(n))[:n.value]:
            table, column = lib.from_str(read.table), lib.from_str(read.column)
            reads[table] = reads.get(table, ()) + ((column,) if column else ())
        found = c.assay_binding_mistakes(out, ctypes.byref(n))
        return Binding(reads, _mistakes(found, n.value))
    finally:
        c.assay_binding_free(out)


def _mistakes(found: Any, n: int) -> tuple[Mistake, ...]:
    return tuple(Mistake(m.line, m.column, lib.from_str(m.text))
                 for m in found[:n])
