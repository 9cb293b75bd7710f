"""engines.py - SQLite of Python, the server of $ASSAY_PG, the library of
$ASSAY_DUCKDB: what a query gives there, asked without assay.

An engine is made with the statements of its tables. `fill` puts other rows in,
leaving out those that a constraint refuses. `ask` gives, of each query, None
where it fails, else (types of the columns, rows): a number is a float of nine
digits, everything else a text.
"""
import ctypes
import datetime
import os
import random
import re
import sqlite3
import struct
import subprocess

TEXTS = ("VARCHAR", "text", "character", "bit", "bit varying", "interval")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def plain(value):
    """A number by its value, but for the last digits."""
    if isinstance(value, (int, float)):
        return float(f"{value:.9g}") + 0.0
    return value


def read(text, type_name):
    """What a server prints of a type: a number where it is one."""
    if text == "\\N":
        return None
    is_text = text is None or type_name.split("(")[0] in TEXTS
    if is_text or not NUMBER.fullmatch(text):
        return text
    value = float(text)
    if type_name == "FLOAT":
        value, = struct.unpack("f", struct.pack("f", value))
    return plain(value)


class Sqlite:
    """The engine of Python."""

    name = "sqlite"
    is_away = False  # does assay have the dialect only, and no server?
    databases, tries = 40, 20

    def __init__(self, ddl):
        self.ddl = ddl
        self.db = self.fresh()

    def fresh(self):
        """A database of the tables."""
        self.tables = [re.split(r"\s*\(", s, maxsplit=1)[0].split()[-1] for s in self.ddl
                       if s.upper().startswith("CREATE TABLE")]
        db = sqlite3.connect(":memory:", isolation_level=None)
        for statement in ["PRAGMA foreign_keys = ON",
                          "PRAGMA automatic_index = OFF", *self.ddl]:
            db.execute(statement)
        return db

    def options(self, folder):
        """Where assay finds the tables."""
        with open(f"{folder}/t.sql", "w", encoding="utf-8") as out:
            out.write(";\n".join(self.ddl) + ";\n")
        return ["--schema", f"{folder}/t.sql"]

    def fill(self, inserts):
        """Other rows."""
        self.db.execute("PRAGMA foreign_keys = OFF")
        for table in self.tables:
            self.db.execute(f"DELETE FROM {table}")
        self.db.execute("PRAGMA foreign_keys = ON")
        late = [s for s in inserts if run_sqlite(self.db, s) is None]
        for statement in late:  # of a parent that was not there yet
            run_sqlite(self.db, statement)

    def ask(self, queries):
        """What each gives."""
        return [run_sqlite(self.db, q) for q in queries]

    def takes(self, queries):
        """Which of them it can plan."""
        return [run_sqlite(self.db, "EXPLAIN " + q) is not None for q in queries]

    def orders(self, inserts, query):
        """What it gives where no key says in which order rows are read."""
        keys = (r"(,? PRIMARY KEY|,? UNIQUE)( *\([^)]*\))?|(, FOREIGN KEY *\([^)]*\))? REFERENCES"
                r" \w+( *\([^)]*\))?| WITHOUT ROWID| ON DELETE \w+")
        try:
            other = Sqlite([re.sub(keys, "", s) for s in self.ddl if " INDEX " not in s])
        except sqlite3.Error:
            return
        for seed in range(40):
            random.Random(seed).shuffle(inserts := list(inserts))
            other.fill(inserts)
            yield from other.ask([query])
        other.close()

    def witness(self, inserts, queries):
        """(what is illegal in these rows, what each query gives)."""
        db = self.fresh()
        db.execute("PRAGMA automatic_index = ON")  # as users have it
        try:
            db.execute("BEGIN")
            db.execute("PRAGMA defer_foreign_keys = ON")
            for statement in inserts:
                db.execute(statement)
            db.execute("COMMIT")
        except sqlite3.Error as error:
            return str(error), []
        return illegal_value(db), [run_sqlite(db, q) for q in queries]

    def close(self):
        """Gives it back."""
        self.db.close()


def run_sqlite(db, sql):
    """What the query gives; None: it fails."""
    try:
        rows = db.execute(sql).fetchall()
    except sqlite3.Error:
        return None
    # 1 and 1.0 are one number; a text is none.
    return (), [tuple(plain(v) for v in row) for row in rows]


# What a column of a declared type holds.
HOLDS = {
    "INTEGER": (int,), "REAL": (float,), "NUMERIC": (int, float),
    "TEXT": (str,), "DATE": (str,), "DATETIME": (str,), "BOOLEAN": (int,),
}


def is_date(value, declared):
    """A day of the calendar; DATETIME: with a time."""
    form = "%Y-%m-%d" if declared == "DATE" else "%Y-%m-%d %H:%M:%S"
    try:
        datetime.datetime.strptime(value, form)
    except ValueError:
        return False
    return True


def illegal_value(db):
    """The first value that does not fit its type, in words; else None."""
    for table, in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        columns = db.execute(f"PRAGMA table_info({table})").fetchall()
        for _, name, declared, _, _, key in columns:
            for value, in db.execute(f"SELECT {name} FROM {table}"):
                fits = (not key if value is None else
                        isinstance(value, HOLDS.get(declared, object))
                        and (not declared.startswith("DATE")
                             or is_date(value, declared))
                        and (declared != "BOOLEAN" or value in (0, 1)))
                if not fits:
                    return f"{table}.{name} {declared} holds {value!r}"
    return None


class Postgres:
    """The server of $ASSAY_PG."""

    name = "postgres"
    is_away = False
    databases, tries = 4, 4

    def __init__(self, ddl):
        self.ddl = ddl
        self.url = os.environ["ASSAY_PG"].replace("{db}", "sound")
        self.run(["DROP DATABASE IF EXISTS sound", "CREATE DATABASE sound"],
                 self.url.replace("/sound", "/postgres"))
        self.run(ddl)

    def run(self, statements, url=None):
        """What psql prints of each; None: it fails."""
        text = "".join(s + ("" if s.endswith("\\gdesc") else ";")
                       + "\n\\echo @@ :ERROR\n" for s in statements)
        done = subprocess.run(
            [os.path.join(os.environ["PG_BIN"], "psql"), "-XqAt",
             "-P", "null=\\N", "-R", "\x1e", "-F", "\x1f", "-d",
             url or self.url],
            input=text, capture_output=True, text=True, check=False)
        parts = re.split(r"@@ (true|false)\n", done.stdout)
        return [body if failed == "false" else None
                for body, failed in zip(parts[::2], parts[1::2])]

    def options(self, _folder):
        """Where assay finds the tables."""
        return ["--db", self.url]

    def fill(self, inserts):
        """Other rows."""
        self.run(["DELETE FROM t", "DELETE FROM u"] + inserts)

    def takes(self, queries):
        """Which of them it can plan."""
        return [x is not None for x in self.run(["EXPLAIN " + q for q in queries])]

    def ask(self, queries):
        """What each gives, and its types."""
        done = self.run([text for q in queries for text in (q, q + " \\gdesc")])
        return [self.read(*done[i:i + 2]) for i in range(0, 2 * len(queries), 2)]

    def read(self, rows, types):
        """What psql printed of a query."""
        if rows is None or types is None:
            return None
        lines = rows[:-1].split("\x1e") if rows else []
        names = [alike(line.split("\x1f")[-1])
                 for line in types[:-1].split("\x1e")]
        return names, [tuple(map(read, line.split("\x1f"), names))
                       for line in lines]

    def witness(self, inserts, queries):
        """(what is illegal in these rows, what each query gives)."""
        self.fill([])
        # A parent's keys bind its own rows, not those of its children.
        if any("INHERITS" in s for s in self.ddl):
            inserts = [i.replace("INTO t", "INTO more", 1) for i in inserts]
        done = self.run(inserts)
        bad = [i for i, one in zip(inserts, done) if one is None]
        return (bad[0] if bad else None), self.ask(queries)

    def close(self):
        """The next one drops the database."""


class Away(Postgres):
    """The same where assay has the dialect only, and no server."""

    is_away = True
    tries = 40

    def options(self, folder):
        """Where assay finds the tables."""
        return schema_options(self, folder)


class Field(ctypes.Structure):
    """MYSQL_FIELD"""
    _fields_ = [("names", ctypes.c_char_p * 7), ("lengths", ctypes.c_ulong * 2),
                ("sizes", ctypes.c_uint * 7), ("flags", ctypes.c_uint),
                ("decimals", ctypes.c_uint), ("charset", ctypes.c_uint),
                ("type", ctypes.c_int), ("rest", ctypes.c_void_p)]


# enum_field_types: those of numbers.
MYSQL_NUMBERS = {0, 1, 2, 3, 4, 5, 8, 9, 13, 16, 246}


class MariaDB:
    """The server of $MARIADB_FOLDER."""

    name = "mysql"
    is_away = True
    databases, tries = 12, 40
    # ((NULL, 1) = (1, 1)) IS NULL of columns is false there.
    errs = re.compile(r"\) = \([^()]*\)\) IS NULL")

    def __init__(self, ddl):
        self.ddl = ddl
        self.lib = ctypes.CDLL("libmariadb.so.3")
        for name in ("mysql_init", "mysql_store_result", "mysql_fetch_row",
                     "mysql_fetch_fields", "mysql_real_connect"):
            getattr(self.lib, name).restype = ctypes.c_void_p
        self.conn = ctypes.c_void_p(self.lib.mysql_init(None))
        socket = os.path.join(os.environ["MARIADB_FOLDER"], "s")
        self.lib.mysql_options(self.conn, 7, b"utf8mb4")  # MYSQL_SET_CHARSET_NAME
        assert self.lib.mysql_real_connect(
            self.conn, None, b"root", None, None, 0, socket.encode(),
            ctypes.c_ulong(0))
        for statement in ["DROP DATABASE IF EXISTS sound",
                          "CREATE DATABASE sound CHARACTER SET utf8mb4",
                          "USE sound", *ddl,
                          # It finds rows in a semijoin of unlike numbers that
                          # are in neither.
                          "SET optimizer_switch = 'semijoin=off'"]:
            assert self.run(statement) is not None, statement

    def run(self, sql):
        """(types, rows); None when it fails."""
        if self.lib.mysql_query(self.conn, sql.encode()):
            return None
        result = ctypes.c_void_p(self.lib.mysql_store_result(self.conn))
        if not result:
            return None if self.lib.mysql_field_count(self.conn) else ([], [])
        count = self.lib.mysql_num_fields(result)
        fields = ctypes.cast(self.lib.mysql_fetch_fields(result),
                             ctypes.POINTER(Field))
        types = ["number" if fields[i].type in MYSQL_NUMBERS else "text"
                 for i in range(count)]
        rows = []
        while row := self.lib.mysql_fetch_row(result):
            cells = ctypes.cast(row, ctypes.POINTER(ctypes.c_char_p))
            rows.append(tuple(
                None if cells[i] is None else read(cells[i].decode(), types[i])
                for i in range(count)))
        self.lib.mysql_free_result(result)
        return types, rows

    def options(self, folder):
        """Where assay finds the tables."""
        return schema_options(self, folder)

    def fill(self, inserts):
        """Other rows."""
        for statement in ["DELETE FROM t", "DELETE FROM u", *inserts]:
            self.run(statement)

    def takes(self, queries):
        """Which of them it can plan."""
        return [self.run("EXPLAIN " + q) is not None for q in queries]

    def ask(self, queries):
        """What each gives, and its types."""
        return [self.run(q) for q in queries]

    def witness(self, inserts, queries):
        """(what is illegal in these rows, what each query gives)."""
        self.fill([])
        bad = [i for i in inserts if self.run(i) is None]
        return (bad[0] if bad else None), self.ask(queries)

    def close(self):
        """Gives it back."""
        self.lib.mysql_close(self.conn)


def alike(type_name):
    """Types that are one: the length of a text belongs to the column."""
    name = type_name.split("(")[0]
    one = {"character varying": "text", "bpchar": "character"}
    return one.get(name, name)


def schema_options(engine, folder):
    """The tables as a file, in the words of the dialect."""
    with open(f"{folder}/t.sql", "w", encoding="utf-8") as out:
        out.write(";\n".join(engine.ddl) + ";\n")
    return ["--schema", f"{folder}/t.sql", "-d", engine.name]


class Result(ctypes.Structure):
    """duckdb_result"""
    _fields_ = [("counts", ctypes.c_uint64 * 3), ("rest", ctypes.c_void_p * 3)]


class DuckDB:
    """The library of $ASSAY_DUCKDB."""

    name = "duckdb"
    is_away = False
    databases, tries = 15, 6
    lib = None

    def __init__(self, ddl):
        self.ddl = ddl
        if not DuckDB.lib:
            DuckDB.lib = load_duckdb()
        self.db, self.conn = ctypes.c_void_p(), ctypes.c_void_p()
        assert self.lib.duckdb_open(None, ctypes.byref(self.db)) == 0
        assert self.lib.duckdb_connect(self.db, ctypes.byref(self.conn)) == 0
        for statement in ["SET threads = 1", *ddl]:
            assert self.rows(statement) is not None, statement

    def rows(self, sql):
        """The rows as texts; None when it fails."""
        result = Result()
        at = ctypes.byref(result)
        failed = self.lib.duckdb_query(self.conn, sql.encode(), at)
        found = None if failed else [
            tuple(self.cell(at, column, row)
                  for column in range(self.lib.duckdb_column_count(at)))
            for row in range(self.lib.duckdb_row_count(at))]
        self.lib.duckdb_destroy_result(at)
        return found

    def cell(self, result, column, row):
        """A value."""
        text = self.lib.duckdb_value_varchar(result, column, row)
        if not text:
            return None
        value = ctypes.cast(text, ctypes.c_char_p).value.decode()
        self.lib.duckdb_free(ctypes.c_void_p(text))
        return value

    def options(self, folder):
        """Where assay finds the tables."""
        return schema_options(self, folder)

    def fill(self, inserts):
        """Other rows."""
        for statement in ["DELETE FROM t", "DELETE FROM u", *inserts]:
            self.rows(statement)

    def takes(self, queries):
        """Which of them it can plan."""
        return [self.rows("EXPLAIN " + q) is not None for q in queries]

    def ask(self, queries):
        """What each gives, and its types."""
        found = []
        for q in queries:
            rows = self.rows(q)
            types = self.rows(f"DESCRIBE {q}") if rows is not None else None
            names = [t[1] for t in types or ()]
            found.append((names, [tuple(map(read, row, names)) for row in rows])
                         if names else None)
        return found

    def witness(self, inserts, queries):
        """(what is illegal in these rows, what each query gives)."""
        other = DuckDB(self.ddl)
        bad = [i for i in inserts if other.rows(i) is None]
        told = other.ask(queries)
        other.close()
        return (bad[0] if bad else None), told

    def close(self):
        """Gives it back."""
        self.lib.duckdb_disconnect(ctypes.byref(self.conn))
        self.lib.duckdb_close(ctypes.byref(self.db))


def load_duckdb():
    """The library, with the types of what is called."""
    library = ctypes.CDLL(os.environ["ASSAY_DUCKDB"])
    library.duckdb_value_varchar.restype = ctypes.c_void_p
    library.duckdb_value_varchar.argtypes = [
        ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64]
    library.duckdb_row_count.restype = ctypes.c_uint64
    library.duckdb_column_count.restype = ctypes.c_uint64
    return library
