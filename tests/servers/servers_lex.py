#!/usr/bin/env python3
"""servers_lex.py ASSAY-TEST ENGINE - does our lexer end things as the server does?

    tests/servers/with_postgres.sh tests/servers/servers_lex.py build/tests/assay-test postgres
    tests/servers/with_mariadb.sh tests/servers/servers_lex.py build/tests/assay-test mariadb
    tests/servers/with_duckdb.sh tests/servers/servers_lex.py build/tests/assay-test duckdb
    tests/servers/servers_lex.py build/tests/assay-test sqlite

Every byte is put into every state of the lexer (comments of each kind, strings,
quoted names, dollar quotes, names, signs), alone and behind a backslash, a quote
and a carriage return, in a text with commas before, inside and behind. The
server is asked the text without any guard, and says how many columns it has; as
many commas but one the lexer must see. What the server calls wrong, or what the
lexer calls an error, is passed over: neither is ever run. Speaks TAP.
"""
import ctypes
import os
import pathlib
import signal
import sqlite3
import subprocess
import sys
import tempfile

COMMON = [(" /*", "*/"), (" /* /*", "*/"), (" /* /*", "*/ */"), (" -- ", "\n"),
          (" --", "\n"), (",'", "'"), (",'a' '", "'"), (",'a'\n'", "'"),
          (',1 AS "', '"'), (',"', '"'), (",1 AS a", " "), (",1 ", ""),
          (",1 *", "2"), (",1 -", "2"), (",x'61' /*", "*/")]
POSTGRES = COMMON + [(",E'", "'"), (",E'a'\n'", "'"), (",E'a' --\n'", "'"),
                     (",E'a' /*\n*/ '", "'"), (",U&'", "'"), (",$$", "$$"),
                     (",$a$", "$a$"), (",1 AS a$b$", "$b$"), (",N'", "'"),
                     (",B'", "'"), (",e'a'\r'", "'")]
MARIADB = COMMON + [(" #", "\n"), (",1 AS `", "`"), (",N'", "'"),
                    (",_utf8'", "'"), (",b'", "'"), (",0x", " ")]
SQLITE = COMMON + [(",1 AS `", "`"), (",1 AS [", "]")]
ENGINES = {"postgres": ("postgres", POSTGRES), "duckdb": ("postgres", POSTGRES),
           "mariadb": ("mysql", MARIADB), "sqlite": ("sqlite", SQLITE)}
BEFORE = [b"", b"\\", b"'", b"\r"]
BEHIND = [b",2", b",2 --'\n,3", b',2 --"\n,3', b",2 --*/\n,3"]


def texts(states):
    """All that is asked."""
    for opens, closes in states:
        for byte in range(1, 256):
            for before in BEFORE:
                for behind in BEHIND:
                    yield (b"SELECT 0" + opens.encode() + before
                           + bytes([byte]) + b",1 " + closes.encode() + behind)


def lexed(program, dialect, sqls):
    """How many commas our lexer sees in each; None: an error."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "all.test")
        with open(path, "w", encoding="ascii") as file:
            file.write("#! kind: lex\n")
            for sql in sqls:
                text = "".join(chr(b) if 31 < b < 127 and b != 92
                               else f"\\x{b:02X}" for b in sql)
                file.write(f"======= t\nbytes: yes\ndialect: {dialect}\n"
                           f"------- sql\n{text}\n------- want\n-\n")
        subprocess.run([program, "--bless", path], check=True,
                       stdout=subprocess.DEVNULL)
        wants = path.read_text(encoding="utf-8").split("------- want\n")[1:]
    for want in wants:
        lines = [line.split(None, 2) for line in
                 want.split("======= t\n")[0].splitlines() if line]
        yield (None if any(line[1] == "error" for line in lines) else
               sum(line[1:] == ["op", ","] for line in lines))


def postgres():
    """A function that gives the number of columns, or None."""
    pq = ctypes.CDLL("libpq.so.5")
    for name in "PQconnectdb", "PQexec":
        getattr(pq, name).restype = ctypes.c_void_p
    url = os.environ["ASSAY_PG"].replace("{db}", "postgres")
    conn = ctypes.c_void_p(pq.PQconnectdb(url.encode()))

    def ask(sql):
        result = ctypes.c_void_p(pq.PQexec(conn, sql))
        n = pq.PQnfields(result) if pq.PQresultStatus(result) == 2 else None
        pq.PQclear(result)
        return n
    return ask


def mariadb():
    """Likewise."""
    my = ctypes.CDLL("libmariadb.so.3")
    for name in "mysql_init", "mysql_real_connect", "mysql_store_result":
        getattr(my, name).restype = ctypes.c_void_p
    conn = ctypes.c_void_p(my.mysql_init(None))
    path = os.environ["MARIADB_FOLDER"] + "/s"
    my.mysql_options(conn, 7, b"utf8mb4")
    my.mysql_real_connect(conn, None, b"root", None, b"information_schema", 0,
                          path.encode(), ctypes.c_ulong(0))

    def ask(sql):
        if my.mysql_real_query(conn, sql, ctypes.c_ulong(len(sql))):
            return None
        n = my.mysql_field_count(conn)
        my.mysql_free_result(ctypes.c_void_p(my.mysql_store_result(conn)))
        return n
    return ask


class DuckResult(ctypes.Structure):
    """Only its size matters."""
    _fields_ = [("words", ctypes.c_uint64 * 6)]


def duckdb():
    """Likewise."""
    duck = ctypes.CDLL(os.environ["ASSAY_DUCKDB"])
    duck.duckdb_column_count.restype = ctypes.c_uint64
    base, conn = ctypes.c_void_p(), ctypes.c_void_p()
    duck.duckdb_open(None, ctypes.byref(base))
    duck.duckdb_connect(base, ctypes.byref(conn))

    def ask(sql):
        result = DuckResult()
        failed = duck.duckdb_query(conn, sql, ctypes.byref(result))
        n = duck.duckdb_column_count(ctypes.byref(result))
        duck.duckdb_destroy_result(ctypes.byref(result))
        return None if failed else n
    return ask


def sqlite():
    """Likewise."""
    conn = sqlite3.connect(":memory:")

    def ask(sql):
        try:
            return len(conn.execute(sql.decode("utf-8")).description)
        except (sqlite3.Error, sqlite3.Warning, UnicodeDecodeError):
            return None
    return ask


def main():
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # clean up
    program, name = sys.argv[1:3]
    dialect, states = ENGINES[name]
    asked = list(texts(states))
    ask = {"postgres": postgres, "mariadb": mariadb, "duckdb": duckdb,
           "sqlite": sqlite}[name]()
    apart, both = [], 0
    for sql, commas in zip(asked, lexed(program, dialect, asked)):
        # MariaDB runs the words in such a comment: the guard refuses them all.
        columns = None if name == "mariadb" and b"/*!" in sql else ask(sql)
        if columns is not None and commas is not None:
            both += 1
            if columns != commas + 1:
                apart.append((sql, columns, commas + 1))
    print("not ok" if apart else "ok", 1, "-", f"{len(asked)} texts, {both} that "
          f"both read: {len(apart)} are read otherwise by {name}")
    for sql, columns, ours in apart[:60]:
        print(f"# {sql!r}: {columns} columns, the lexer sees {ours}")
    print("ok" if both > len(asked) // 10 else "not ok", 2, "- enough are read")
    print("1..2")


if __name__ == "__main__":
    main()
