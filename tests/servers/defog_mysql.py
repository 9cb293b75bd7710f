#!/usr/bin/env python3
"""defog_mysql.py DATABASES OUT - writes OUT/NAME.sql for MariaDB from each
DATABASES/NAME/NAME.sqlite: Defog publishes its data for PostgreSQL only."""
import pathlib
import re
import sqlite3
import sys


def column_type(declared):
    """The type of a column in MariaDB."""
    words = declared.lower()
    for pattern, mine in [("bigint|serial", "BIGINT"), ("int", "BIGINT"),
                          ("bool", "BOOLEAN"), ("timestamp", "DATETIME"),
                          ("date", "DATE"), ("double|real|float", "DOUBLE"),
                          ("numeric|decimal", "DECIMAL(30,10)")]:
        if re.search(pattern, words):
            return mine
    return "VARCHAR(700)"


def literal(value, kind):
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return "x'" + value.hex() + "'"
    if isinstance(value, str):
        if kind in ("DATE", "DATETIME"):
            value = value.split("+")[0]
        return "'" + value.replace("\\", "\\\\").replace("'", "''") + "'"
    return repr(value)


def dump(path):
    """The statements that make the database."""
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    names = [r[0] for r in db.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table'")]
    for name in names:
        columns = [(r[1], column_type(r[2])) for r in
                   db.execute(f'PRAGMA table_info("{name}")')]
        made = ", ".join(f"`{c}` {kind}" for c, kind in columns)
        yield f"CREATE TABLE `{name}` ({made});"
        for row in db.execute(f'SELECT * FROM "{name}"'):
            cells = ", ".join(literal(v, kind)
                              for v, (_, kind) in zip(row, columns))
            yield f"INSERT INTO `{name}` VALUES ({cells});"


def main():
    out = pathlib.Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    for path in sorted(pathlib.Path(sys.argv[1]).glob("*/*.sqlite")):
        (out / f"{path.stem}.sql").write_text("\n".join(dump(path)) + "\n",
                                              encoding="utf-8")


if __name__ == "__main__":
    main()
