#!/usr/bin/env python3
"""servers_literals.py ASSAY - literals keep their types in proofs of PostgreSQL.

    tests/servers/with_postgres.sh tests/servers/servers_literals.py build/assay

A literal beside a column, and the same one out of a subquery, a CTE, VALUES, a
UNION, a CASE, for columns of many types. What `assay check` calls equivalent must
give the same on tables full of values that types tell apart. Speaks TAP.
"""
import itertools
import json
import os
import signal
import subprocess
import sys
import tempfile

# The columns, and values that differ from their neighbours by type only.
COLUMNS = {
    "INTEGER": ["1", "2", "-1"],
    "SMALLINT": ["1", "2"],
    "BIGINT": ["1", "4000000000"],
    "NUMERIC": ["1", "1.0", "0.1", "0.3"],
    "REAL": ["1", "0.1", "16777216"],
    "DOUBLE PRECISION": ["1", "0.1", "0.30000000000000004"],
    "CHAR(5)": ["x", "1", "x y"],
    "VARCHAR(9)": ["x", "x ", "1", "X"],
    "TEXT": ["x", "x ", "1", "1.0", ""],
    "DATE": ["2020-01-01", "2020-01-02"],
    "TIMESTAMP": ["2020-01-01 00:00:00", "2020-01-01 10:00:00"],
    "INTERVAL": ["1 month", "30 days", "00:00:01"],
    "BOOLEAN": ["true", "false"],
    "BYTEA": ["x", "\\x78"],
}
LITERALS = ["'x'", "'x '", "'1'", "'1.0'", "'0.1'", "1", "1.0", "0.1",
            "'2020-01-01'", "'true'", "'4000000000'", "4000000000", "TRUE",
            "NULL", "0.1 + 0.2", "'1 month'",
            "0.30000000000000004", "'0.30000000000000004'"]
# {c} is the column, {l} the literal; the first of each list is the plain form.
FORMS = [
    "SELECT id FROM t WHERE {c} = {l}",
    "SELECT id FROM t WHERE {c} = (SELECT {l})",
    "SELECT id FROM t WHERE {c} IN (SELECT {l})",
    "SELECT id FROM t WHERE {c} IN ({l})",
    "WITH w AS (SELECT {l} AS v) SELECT t.id FROM t JOIN w ON w.v = t.{c}",
    "SELECT t.id FROM t, (SELECT {l} AS v) AS w WHERE w.v = t.{c}",
    "SELECT t.id FROM t JOIN (VALUES ({l})) AS w(v) ON w.v = t.{c}",
    "SELECT id FROM t WHERE {c} IN (VALUES ({l}), ({l}))",
    "SELECT id FROM t WHERE {c} IN (SELECT {l} UNION SELECT {l})",
    "SELECT id FROM t WHERE {c} = CASE WHEN TRUE THEN {l} END",
    "SELECT id FROM t WHERE {c} = COALESCE({l}, NULL)",
    "SELECT id FROM t WHERE EXISTS (SELECT 1 FROM (SELECT {l} AS v) AS w "
    "WHERE w.v = t.{c})",
    "SELECT id FROM t WHERE {c} IN (SELECT {l} UNION SELECT {c} FROM t z "
    "WHERE FALSE)",
]


def psql(statements):
    """The rows of each statement, sorted; None: it fails."""
    asked = "".join(f"{sql};\n\\if :ERROR\n\\echo failed\n\\endif\n"
                    "\\echo end\n" for sql in statements)
    done = subprocess.run(
        [os.path.join(os.environ["PG_BIN"], "psql"), "-XqAt", "-d", "literals"],
        input=asked, capture_output=True, text=True, check=False)
    found, rows = [], []
    for line in done.stdout.splitlines():
        if line != "end":
            rows.append(line)
            continue
        found.append(None if "failed" in rows else sorted(rows))
        rows = []
    assert len(found) == len(statements), done.stderr
    return found


def names():
    """(column, its type)"""
    return [(f"c{i}", t) for i, t in enumerate(COLUMNS)]


def fill():
    """The table: each value of a column in a row of its own."""
    subprocess.run([os.path.join(os.environ["PG_BIN"], "createdb"), "literals"],
                   check=True)
    columns = ", ".join(f"{c} {t}" for c, t in names())
    sql = [f"CREATE TABLE t(id SERIAL PRIMARY KEY, {columns})"]
    for c, t in names():
        sql += [f"INSERT INTO t({c}) VALUES ('{v}')" for v in COLUMNS[t]]
    assert None not in psql(sql)


def pairs():
    """The plain form beside each other one, and ways to write the literal."""
    for (c, kind), (i, literal) in itertools.product(names(),
                                                     enumerate(LITERALS)):
        plain = FORMS[0].format(c=c, l=literal)
        for k, form in enumerate(FORMS[1:]):
            yield {"id": f"{kind} {literal} {k + 1}", "left": plain,
                   "right": form.format(c=c, l=literal)}
        for other in LITERALS[i + 1:]:
            yield {"id": f"{kind} {literal} {other}", "left": plain,
                   "right": FORMS[0].format(c=c, l=other)}


def check(assay, asked):
    """What assay says."""
    with tempfile.TemporaryDirectory() as folder:
        path, out = f"{folder}/pairs.jsonl", f"{folder}/out.jsonl"
        with open(path, "w", encoding="utf-8") as lines:
            lines.writelines(json.dumps(p) + "\n" for p in asked)
        url = os.environ["ASSAY_PG"].replace("{db}", "literals")
        # Only what is proved is looked at, so few databases are tried.
        subprocess.run([assay, "check", "--pairs", path, "--db", url, "--out",
                        out, "-q", "--databases", "4"], check=True,
                       stdout=subprocess.DEVNULL)
        with open(out, encoding="utf-8") as lines:
            return [r for r in map(json.loads, lines) if "verdict" in r]


def main():
    """One test."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # clean up
    fill()
    # Queries that PostgreSQL refuses are no pairs: asked once for each text.
    texts = sorted({p[side] for p in pairs() for side in ("left", "right")})
    rows = dict(zip(texts, psql(texts)))
    asked = [p for p in pairs()
             if rows[p["left"]] is not None and rows[p["right"]] is not None]
    told = check(sys.argv[1], asked)
    proved = [r for r in told if r["verdict"] == "equivalent"]
    wrong = [r for r in proved if rows[r["left"]] != rows[r["right"]]]
    print("1..1")
    for r in wrong:
        print(f"# {r['left']}\n#   is not {r['right']}")
    good = not wrong and len(told) == len(asked) and len(proved) > 100
    print("ok" if good else "not ok", "1 - of", len(asked),
          "pairs of literals", len(proved), "are proved,", len(wrong), "wrongly")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
