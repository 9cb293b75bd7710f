#!/usr/bin/env python3
"""duckdb_csv.py -csv -c SQL - what `duckdb -csv -c SQL` prints.

For the sessions of the docs where there is DuckDB's library ($ASSAY_DUCKDB) but
not its program: no cell that they print needs quotes.
"""
import ctypes
import os
import sys


class Result(ctypes.Structure):
    """duckdb_result; only its functions look into it."""
    _fields_ = [("counts", ctypes.c_uint64 * 3), ("data", ctypes.c_void_p * 3)]


def main():
    duckdb = ctypes.CDLL(os.environ["ASSAY_DUCKDB"])
    duckdb.duckdb_result_error.restype = ctypes.c_char_p
    duckdb.duckdb_column_name.restype = ctypes.c_char_p
    duckdb.duckdb_column_name.argtypes = [ctypes.c_void_p, ctypes.c_uint64]
    duckdb.duckdb_value_varchar.restype = ctypes.c_char_p
    duckdb.duckdb_value_varchar.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64]
    for count in (duckdb.duckdb_row_count, duckdb.duckdb_column_count):
        count.restype = ctypes.c_uint64
    database, connection, result = ctypes.c_void_p(), ctypes.c_void_p(), Result()
    duckdb.duckdb_open(None, ctypes.byref(database))
    duckdb.duckdb_connect(database, ctypes.byref(connection))
    r = ctypes.byref(result)
    if duckdb.duckdb_query(connection, sys.argv[3].encode(), r):
        print(duckdb.duckdb_result_error(r).decode(), file=sys.stderr)
        return 1
    columns = range(duckdb.duckdb_column_count(r))
    print(",".join(duckdb.duckdb_column_name(r, c).decode() for c in columns))
    for row in range(duckdb.duckdb_row_count(r)):
        print(",".join((duckdb.duckdb_value_varchar(r, c, row) or b"").decode() for c in columns))
    return 0


if __name__ == "__main__":
    sys.exit(main())
