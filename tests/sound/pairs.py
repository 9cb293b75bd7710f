"""pairs.py - tables of many types, and pairs of queries over them that mean the
same, or nearly.

A pair is an identity put into a context. An identity is of values of a row, of
conditions on one, of aggregates, or of whole queries with the columns k and g;
most of them hold for some types only. A context is a place where what the two
sides differ in may show: under ||, divided, grouped, in a union, ordered.
"""
import itertools

# By engine: the type of a column, and the values that it may hold.
WHOLE = ["0", "1", "2", "3", "-1", "7"]
REALS = ["0.0", "0.1", "0.5", "1.0", "2.5", "16777217", "0.3"]
TEXTS = ["'a'", "'A'", "'a '", "'b'", "''", "'01'", "'1'", "'1.0'", "'ab'"]
DAYS = ["'2020-01-01'", "'2020-12-31'", "'2020-02-29'"]
TIMES = ["'2020-01-01 00:00:00'", "'2020-01-01 10:00:00'"]
TRUTHS = ["true", "false"]
ODD = ["'NaN'", "'-0.0'", "'0.0'", "'1.5'", "'0.1'"]
TYPES = {
    "sqlite": {
        "INTEGER": WHOLE, "REAL": REALS, "TEXT": TEXTS, "NUMERIC": WHOLE + REALS,
        "TEXT COLLATE NOCASE": TEXTS, "TEXT COLLATE RTRIM": TEXTS,
        "": WHOLE + REALS + TEXTS, "DATE": DAYS, "DATETIME": TIMES,
        "BIT": WHOLE, "BOOLEAN": ["0", "1"],
    },
    "postgres": {
        "INTEGER": WHOLE, "BIGINT": WHOLE, "SMALLINT": WHOLE,
        "REAL": REALS + ODD, "DOUBLE PRECISION": REALS + ODD,
        "NUMERIC": REALS + ["1.00", "1.000"], "NUMERIC(10,2)": REALS,
        "TEXT": TEXTS, "VARCHAR(9)": TEXTS, "CHAR(5)": TEXTS,
        "BOOLEAN": TRUTHS, "DATE": DAYS, "TIMESTAMP": TIMES,
        "BIT(3)": ["B'101'", "B'000'"], "BIT VARYING(3)": ["B'101'", "B'10'"],
        "INTERVAL": ["'1 day'", "'24 hours'", "'1 mon'", "'30 days'"],
        "TEXT COLLATE \"C\"": TEXTS, "word": ["'b'", "'a'"],
        "OID": ["0", "1"],
    },
    "duckdb": {
        "INTEGER": WHOLE, "BIGINT": WHOLE, "TINYINT": WHOLE, "HUGEINT": WHOLE,
        "FLOAT": REALS + ODD, "DOUBLE": REALS + ODD, "DECIMAL(10,2)": REALS,
        "DECIMAL(4,1)": ["0.0", "1.0", "2.5"], "VARCHAR": TEXTS,
        "VARCHAR COLLATE NOCASE": TEXTS, "BOOLEAN": TRUTHS, "DATE": DAYS,
        "TIMESTAMP": TIMES, "INTERVAL": ["'1 day'", "'24 hours'", "'1 month'",
                                         "'30 days'"],
        "UTINYINT": ["0", "1", "2"],
    },
    "mysql": {
        "INTEGER": WHOLE, "BIGINT": WHOLE, "SMALLINT": WHOLE, "DOUBLE": REALS,
        "DECIMAL(10,2)": ["0.0", "0.1", "0.5", "1.0", "2.5"], "DECIMAL(4,1)": [
            "0.0", "1.0", "2.5"], "VARCHAR(9)": TEXTS, "CHAR(5)": TEXTS,
        "BOOLEAN": TRUTHS, "DATE": DAYS, "DATETIME": TIMES, "DATETIME(3)": TIMES,
    },
}
NUMBERS = {"INTEGER", "REAL", "NUMERIC", "BIGINT", "SMALLINT", "FLOAT", "DOUBLE",
           "DOUBLE PRECISION", "NUMERIC(10,2)", "TINYINT", "HUGEINT",
           "UTINYINT", "DECIMAL(10,2)", "DECIMAL(4,1)"}
DATES = {"DATE"}
MOMENTS = {"TIMESTAMP", "DATETIME", "DATETIME(3)"}
WHOLES = {"INTEGER", "BIGINT", "SMALLINT", "TINYINT", "HUGEINT", "UTINYINT"}

# {x} {y} {z}: columns of t; {n} {m}: of numbers; {i}: whole ones; {s} {s2}: texts;
# {day}: of days; {when}: of days or moments;
# {v}: a column of u; {c} {e}: literals; {p} {q}: conditions on t.
VALUES = [
    ("COALESCE({x}, {x})", "{x}"),
    ("CASE WHEN {p} THEN {x} ELSE {x} END", "{x}"),
    ("CASE WHEN {x} IS NULL THEN NULL ELSE {x} END", "{x}"),
    ("CASE WHEN {x} = {y} THEN {x} ELSE {y} END", "{y}"),
    ("CASE WHEN {x} = {y} THEN {x} END", "CASE WHEN {x} = {y} THEN {y} END"),
    ("COALESCE({x}, {y})", "CASE WHEN {x} IS NOT NULL THEN {x} ELSE {y} END"),
    ("NULLIF({x}, {y})", "CASE WHEN {x} = {y} THEN NULL ELSE {x} END"),
    ("NULLIF({x}, {y})", "CASE WHEN {x} <> {y} OR {y} IS NULL THEN {x} END"),
    ("CASE {x} WHEN {y} THEN 1 ELSE 0 END",
     "CASE WHEN {x} = {y} THEN 1 ELSE 0 END"),
    ("CASE WHEN {p} THEN 1 ELSE 0.5 END", "CASE WHEN NOT ({p}) THEN 0.5 ELSE 1 END"),
    ("COALESCE(CASE WHEN {p} THEN 1 END, 0)", "CASE WHEN {p} THEN 1 ELSE 0 END"),
    ("CASE WHEN {p} THEN 1 WHEN {q} THEN 1 ELSE 0 END",
     "CASE WHEN {p} OR {q} THEN 1 ELSE 0 END"),
    ("CASE WHEN {p} THEN {n} ELSE 0 END", "CASE WHEN {p} THEN {n} ELSE 0.0 END"),
    ("{n} + {m}", "{m} + {n}"), ("{n} * {m}", "{m} * {n}"),
    ("{n} + 0", "{n}"), ("{n} * 1", "{n}"), ("{n} - 0", "{n}"),
    ("{n} / 1", "{n}"), ("{n} * 1.0", "{n}"), ("-(-{n})", "{n}"),
    ("0 - {n}", "-{n}"), ("{n} * 2", "{n} + {n}"), ("{n} - {n}", "{n} * 0"),
    ("({n} + 1) + 2", "{n} + 3"), ("{n} / 2.0", "{n} * 0.5"),
    ("{n} * 1.0 / 2", "CAST({n} AS REAL) / 2"), ("{n} * 100 / 2", "{n} * 50"),
    ("{n} * 100.0 / {m}", "100.0 * {n} / {m}"), ("{n} / {m}", "{n} * 1.0 / {m}"),
    ("{n} / NULLIF({m}, 0)", "{n} / {m}"), ("{n} % 2", "{n} - 2 * ({n} / 2)"),
    ("ABS(ABS({n}))", "ABS({n})"), ("ABS(-{n})", "ABS({n})"),
    ("CAST({i} AS INTEGER)", "{i}"), ("CAST({n} AS REAL)", "{n}"),
    ("CAST({s} AS TEXT)", "{s}"), ("CAST(CAST({n} AS INTEGER) AS TEXT)",
                                   "CAST({n} AS TEXT)"),
    ("{s} || ''", "{s}"), ("({s} || 'a') || 'b'", "{s} || 'ab'"),
    ("UPPER(LOWER({s}))", "UPPER({s})"), ("TRIM(TRIM({s}))", "TRIM({s})"),
    ("LENGTH({s} || 'a')", "LENGTH({s}) + 1"),
    ("SUBSTR({s}, 1, 1)", "SUBSTR(SUBSTR({s}, 1, 2), 1, 1)"),
    ("ROUND({n}, 2)", "ROUND(ROUND({n}, 2), 2)"), ("ROUND({n})", "{n}"),
    ("ROUND({n}, 0)", "ROUND({n})"), ("NULLIF({n}, '0')", "NULLIF({n}, 0)"),
    ("{when} + INTERVAL '1' DAY", "{when} + INTERVAL '24' HOUR"),
    ("COALESCE(EXTRACT(YEAR FROM {when}), '0')", "COALESCE(EXTRACT(YEAR FROM {when}), 0)"),
    ("EXTRACT(SECOND FROM {when}) || ''", "DATE_PART('second', {when}) || ''"),
    ("CAST({n} AS FLOAT(24))", "{n}"),
    ("(SELECT {x})", "{x}"), ("(SELECT MAX({v}) FROM u WHERE {v} = {x})",
                              "CASE WHEN {x} IN (SELECT {v} FROM u) THEN {x} END"),
    ("(SELECT MAX({v}) FROM u)", "(SELECT {v} FROM u WHERE {v} IS NOT NULL "
     "ORDER BY {v} DESC LIMIT 1)"),
    ("(SELECT COUNT(*) FROM u WHERE u.g = t.g)",
     "(SELECT COALESCE(SUM(1), 0) FROM u WHERE u.g = t.g)"),
    ("(SELECT u.{w} FROM u WHERE u.id = t.g)",
     "(SELECT MAX(u.{w}) FROM u WHERE u.id = t.g)"),
    ("MAX({n}) OVER (PARTITION BY g)",
     "(SELECT MAX(r.{nn}) FROM t AS r WHERE r.g = t.g)"),
    ("COUNT(*) OVER ()", "(SELECT COUNT(*) FROM t AS r)"),
    ("SUM({n}) OVER (ORDER BY id)",
     "SUM({n}) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)"),
    ("SUM({n}) OVER (ORDER BY {y})",
     "SUM({n}) OVER (ORDER BY {y} ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)"),
    ("SUM({n}) OVER (ORDER BY {y})",
     "SUM({n}) OVER (ORDER BY {y} RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)"),
    ("COUNT(*) OVER (ORDER BY id)", "ROW_NUMBER() OVER (ORDER BY id)"),
    ("COUNT(*) OVER (ORDER BY {y})", "RANK() OVER (ORDER BY {y})"),
    ("FIRST_VALUE({x}) OVER (ORDER BY id)", "NTH_VALUE({x}, 1) OVER (ORDER BY id)"),
    ("LAST_VALUE({x}) OVER (ORDER BY id)", "{x}"),
    ("LAST_VALUE({x}) OVER (ORDER BY {y})", "{x}"),
    ("NTH_VALUE({x}, 2) OVER (ORDER BY id)",
     "CASE WHEN ROW_NUMBER() OVER (ORDER BY id) > 1 THEN NTH_VALUE({x}, 2) OVER (ORDER BY id) END"),
    ("MAX({x}) OVER (PARTITION BY id)", "{x}"), ("MIN({x}) OVER (PARTITION BY {y})", "{x}"),
    ("{n} * 0.1", "{n} / 10.0"), ("{n} * 0.5 + {n} * 0.5", "{n}"),
    ("{n} - 0.5 + 0.5", "{n}"), ("CASE WHEN 0.1 + 0.2 = 0.3 THEN {x} END", "{x}"),
    ("CAST({n} AS DECIMAL(10,2))", "ROUND({n}, 2)"), ("CAST({i} AS DECIMAL(10,1))", "{i}"),
    ("SUBSTRING({s} FROM 1 FOR 2)", "SUBSTR({s}, 1, 2)"), ("SUBSTR({s}, 2)", "SUBSTR({s}, 2, 9)"),
    ("TRIM(BOTH ' ' FROM {s})", "TRIM({s})"), ("TRIM(LEADING ' ' FROM {s})", "LTRIM({s})"),
    ("TRIM(TRAILING ' ' FROM {s})", "TRIM({s})"), ("LTRIM(RTRIM({s}))", "TRIM({s})"),
    ("REPLACE({s}, 'a', 'a')", "{s}"), ("REPLACE(REPLACE({s}, 'a', 'b'), 'b', 'c')",
                                       "REPLACE({s}, 'a', 'c')"),
    ("CONCAT({s}, '')", "{s}"), ("LOWER({s} || 'A')", "LOWER({s}) || 'a'"),
    ("NULLIF({x}, {x})", "NULL"), ("NULLIF({s}, '')", "CASE WHEN {s} <> '' THEN {s} END"),
    ("CASE WHEN {p} THEN {x} WHEN {p} THEN {y} END", "CASE WHEN {p} THEN {x} END"),
    ("CASE WHEN {x} IN ({c}, {e}) THEN {x} END", "COALESCE(NULLIF({x}, {x}), CASE WHEN {x} = {c} OR {x} = {e} THEN {x} END)"),
]
CONDITIONS = [
    ("COALESCE({n}, {c}) = {c}", "{n} = {c} OR {n} IS NULL"), ("COALESCE({x}, {c}) > {e}", "{x} > {e}"),
    ("{x} = {y}", "{y} = {x}"), ("{x} <= {y}", "NOT ({x} > {y})"),
    ("{x} <> {c}", "NOT ({x} = {c})"), ("{x} <> {y}", "{x} < {y} OR {x} > {y}"),
    ("{x} IN ({c}, {e})", "{x} = {c} OR {x} = {e}"),
    ("{x} IN ({c}, {e})", "{x} IN ({e}, {c}, {c})"),
    ("{x} NOT IN ({c}, {e})", "{x} <> {c} AND {x} <> {e}"),
    ("{x} IN ({c}, {e}) AND {x} = {c}", "{x} = {c}"),
    ("{x} IN ({c}, NULL)", "{x} = {c}"), ("{x} IN ({y}, {z})",
                                          "{x} = {y} OR {x} = {z}"),
    ("{x} BETWEEN {c} AND {e}", "{x} >= {c} AND {x} <= {e}"),
    ("{x} NOT BETWEEN {c} AND {e}", "{x} < {c} OR {x} > {e}"),
    ("{x} BETWEEN {c} AND {c}", "{x} = {c}"), ("{x} = {x}", "{x} IS NOT NULL"),
    ("{x} >= {x}", "{x} = {x}"), ("{x} <> 0", "{x} IS NOT NULL"),
    ("{x} = {y} AND {y} = {z}", "{x} = {y} AND {x} = {z}"),
    ("{x} = {c} AND {y} = {x}", "{x} = {c} AND {y} = {c}"),
    ("{x} = {c} AND {y} = {c}", "{x} = {c} AND {x} = {y}"),
    ("{x} = {c} AND {x} = {e}", "{x} = {c} AND {c} = {e}"),
    ("{x} > {c} AND {x} > {e}", "{x} > {e}"), ("{x} > {c} OR {x} = {c}",
                                               "{x} >= {c}"),
    ("{x} = {y} AND {y} > {c}", "{x} = {y} AND {x} > {c}"),
    ("{i} > 1", "{i} >= 2"), ("{n} > 1", "{n} >= 2"), ("{when} <= '2020-12-31 23:59:59.999'", "{when} < '2021-01-01'"),
    ("{n} + 1 > 2", "{n} > 1"), ("{n} - {m} > 0", "{n} > {m}"),
    ("{n} * 2 = 2", "{n} = 1"), ("-{n} < 0", "{n} > 0"), ("{n} = 1", "{n} = '1'"),
    ("'1' IN ({n}, {m})", "{n} = '1' OR {m} = '1'"),
    ("{x} + {x} IN ('1', '2')", "{x} + {x} IN (1, 2)"), ("{n} = 0.1", "{n} = 0.2"),
    ("{when} + INTERVAL '1' DAY >= '2020-01-02'", "{when} >= '2020-01-01'"),
    ("({x}, {y}) > ({z}, {c})", "{x} > {z} OR ({x} = {z} AND {y} > {c})"),
    ("{n} <> 0", "{n} = 1"), ("{x} = 1", "{x} = 1.0"), ("{x} = '1'", "{x} = 1"),
    ("{s} LIKE 'a'", "{s} = 'a'"), ("{s} LIKE 'a%'", "SUBSTR({s}, 1, 1) = 'a'"),
    ("{s} LIKE '1%'", "SUBSTR({s}, 1, 1) = '1'"), ("{s} LIKE '%'",
                                                   "{s} IS NOT NULL"),
    ("{s} LIKE 'A%'", "{s} LIKE 'a%'"), ("{s} || 'x' = 'ax'", "{s} = 'a'"),
    ("LENGTH({s}) = 0", "{s} = ''"), ("{s} > ''", "{s} <> ''"),
    ("SUBSTR({s}, 1, 1) < 'b'", "{s} < 'b'"), ("UPPER({s}) = 'A'",
                                              "LOWER({s}) = 'a'"),
    ("{x} IN (SELECT {v} FROM u)", "EXISTS (SELECT 1 FROM u WHERE {v} = {x})"),
    ("{x} IN (SELECT {v} FROM u)", "{x} IN (SELECT DISTINCT {v} FROM u)"),
    ("{x} NOT IN (SELECT {v} FROM u WHERE {v} IS NOT NULL) AND {x} IS NOT NULL",
     "{x} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM u WHERE {v} = {x})"),
    ("{x} IN (SELECT {v} FROM u UNION SELECT {v2} FROM u)",
     "{x} IN (SELECT {v} FROM u) OR {x} IN (SELECT {v2} FROM u)"),
    ("{x} IN (SELECT {v} FROM u)", "(SELECT COUNT(*) FROM u WHERE {v} = {x}) > 0"),
    ("{x} IN (SELECT {v} FROM u)", "{x} IN (SELECT {v} FROM u GROUP BY {v})"),
    ("{x} IN (SELECT {v} FROM u WHERE {v} = {c})",
     "{x} = {c} AND EXISTS (SELECT 1 FROM u WHERE {v} = {c})"),
    ("({x}, {y}) IN (SELECT {v}, {v2} FROM u)",
     "EXISTS (SELECT 1 FROM u WHERE {v} = {x} AND {v2} = {y})"),
    ("({x}, {y}) = ({z}, {c})", "{x} = {z} AND {y} = {c}"),
    ("{x} >= (SELECT MAX({x1}) FROM t AS r)", "{x} = (SELECT MAX({x1}) FROM t AS r)"),
    ("{x} = (SELECT {v} FROM u WHERE u.id = 1)",
     "{x} IN (SELECT {v} FROM u WHERE u.id = 1)"),
    ("EXISTS (SELECT 1 FROM u WHERE {v} = {x} AND {v2} = {y}) "
     "AND EXISTS (SELECT 1 FROM u WHERE {v} = {x})",
     "EXISTS (SELECT 1 FROM u WHERE {v} = {x} AND {v2} = {y})"),
    ("EXISTS (SELECT 1 FROM t AS r WHERE r.id = t.id AND {p})", "{p}"),
    ("({p} AND {q}) OR ({p} AND NOT ({q}))", "{p}"),
    ("NOT ({p} AND {q})", "NOT ({p}) OR NOT ({q})"),
    ("{p} AND ({p} OR {q})", "{p}"), ("CASE WHEN {p} THEN {q} ELSE FALSE END",
                                      "{p} AND {q}"),
    ("({p}) IS TRUE", "{p}"), ("CASE WHEN {p} THEN 1 ELSE 0 END = 1", "{p}"),
    ("COALESCE({x}, {c}) = {c}", "{x} = {c} OR {x} IS NULL"),
    ("COALESCE({x}, {y}) IS NULL", "{x} IS NULL AND {y} IS NULL"),
    ("{x} IS NOT DISTINCT FROM {y}", "{x} = {y} OR ({x} IS NULL AND {y} IS NULL)"),
    ("{x} = {c} AND {x} <> {c}", "1 = 0"), ("{x} > {c} AND {x} < {c}", "{x} <> {x}"),
    ("{x} = {c} AND {x} = {e}", "1 = 0"), ("{i} > 1 AND {i} < 2", "{i} <> {i}"),
    ("{n} > 1 AND {n} < 2", "{n} <> {n}"), ("{x} = {c} OR {x} <> {c}", "{x} IS NOT NULL"),
    ("{x} BETWEEN {c} AND {e} AND {x} = {y}", "{y} BETWEEN {c} AND {e} AND {y} = {x}"),
    ("{day} > DATE '2020-01-31' + INTERVAL '1' MONTH", "{day} > DATE '2020-02-29'"),
    ("{day} + INTERVAL '1' MONTH > DATE '2020-02-29'", "{day} > DATE '2020-01-29'"),
    ("{day} + INTERVAL '1' DAY > DATE '2020-01-01'", "{day} > DATE '2019-12-31'"),
    ("{day} - INTERVAL '1' YEAR < DATE '2020-02-29'", "{day} < DATE '2021-02-28'"),
    ("EXTRACT(YEAR FROM {day}) = 2020", "{day} >= DATE '2020-01-01' AND {day} < DATE '2021-01-01'"),
    ("EXTRACT(YEAR FROM {day}) = 2020", "{day} >= DATE '2020-01-01' AND {day} < DATE '2020-12-31'"),
    ("strftime('%Y', {day}) = '2020'", "{day} >= '2020-01-01' AND {day} < '2021-01-01'"),
    ("date({day}, '+1 day') > '2020-01-01'", "{day} >= '2020-01-01'"),
    ("{day} BETWEEN '2020-01-01' AND '2020-12-31'", "{day} >= '2020-01-01' AND {day} < '2021-01-01'"),
    ("UPPER({s}) = UPPER({s2})", "LOWER({s}) = LOWER({s2})"), ("UPPER({s}) = 'a'", "1 = 0"),
    ("{s} LIKE 'a%'", "LOWER({s}) LIKE 'a%'"), ("{s} LIKE 'ab'", "LOWER({s}) = 'ab'"),
    ("{s} LIKE '_%'", "LENGTH({s}) > 0"), ("{s} LIKE '%a%'", "{s} LIKE '%a%' AND {s} <> ''"),
    ("{s} >= 'a' AND {s} < 'b'", "{s} LIKE 'a%'"), ("TRIM({s}) = 'a'", "{s} = 'a'"),
    ("{x} NOT IN (SELECT {v} FROM u WHERE 1 = 0)", "1 = 1"), ("{x} IN (SELECT {v} FROM u LIMIT 0)", "1 = 0"),
    ("EXISTS (SELECT MAX({v}) FROM u WHERE 1 = 0)", "1 = 1"),
    ("EXISTS (SELECT {v} FROM u WHERE 1 = 0 GROUP BY {v})", "1 = 0"),
    ("{x} = (SELECT MAX({v}) FROM u WHERE 1 = 0)", "{x} <> {x} AND {x} IS NULL"),
    ("(SELECT COUNT({v}) FROM u WHERE 1 = 0) = 0", "1 = 1"),
    ("g IN (SELECT id FROM u)", "g IS NOT NULL"), ("{x} IN ({x}, {c})", "{x} IS NOT NULL"),
    ("{x} = {c} AND {y} > {x}", "{x} = {c} AND {y} > {c}"), ("{n} * {n} >= 0", "{n} IS NOT NULL"),
    ("({x} = {c}) = ({x} = {c})", "{x} IS NOT NULL"), ("{x} <> {c} OR {x} IS NULL", "NOT COALESCE({x} = {c}, FALSE)"),
]
AGGREGATES = [
    ("COUNT(*)", "SUM(1)"), ("COUNT(*)", "COUNT(id)"), ("COUNT({x})", "COUNT(*)"),
    ("COUNT({x})", "SUM(CASE WHEN {x} IS NOT NULL THEN 1 ELSE 0 END)"),
    ("COUNT(*) - COUNT({x})", "COUNT(CASE WHEN {x} IS NULL THEN 1 END)"),
    ("COUNT(CASE WHEN {p} THEN 1 END)", "SUM(CASE WHEN {p} THEN 1 ELSE 0 END)"),
    ("COUNT(CASE WHEN {p} THEN 1 END)", "COUNT(*) FILTER (WHERE {p})"),
    ("COUNT(CASE WHEN {p} THEN {x} END)", "COUNT({x}) FILTER (WHERE {p})"),
    ("SUM(CASE WHEN {p} THEN {n} END)", "SUM({n}) FILTER (WHERE {p})"),
    ("SUM(CASE WHEN {p} THEN {n} ELSE 0 END)",
     "COALESCE(SUM(CASE WHEN {p} THEN {n} END), 0)"),
    ("SUM(CASE WHEN {p} THEN 1.0 ELSE 0 END) / COUNT(*)",
     "SUM(CASE WHEN {p} THEN 1 ELSE 0 END) * 1.0 / COUNT(*)"),
    ("AVG(CASE WHEN {p} THEN 1.0 ELSE 0 END)",
     "SUM(CASE WHEN {p} THEN 1.0 ELSE 0 END) / COUNT(*)"),
    ("AVG({n})", "SUM({n}) / COUNT({n})"), ("AVG({n})",
                                            "SUM({n}) * 1.0 / COUNT({n})"),
    ("AVG({n})", "SUM({n} * 1.0) / COUNT({n})"), ("AVG({n})", "AVG({n} * 1.0)"),
    ("AVG({n})", "CAST(SUM({n}) AS REAL) / COUNT({n})"),
    ("SUM({n})", "SUM({n} + 0)"), ("SUM({n} * 2)", "2 * SUM({n})"),
    ("SUM({n} + {m})", "SUM({n}) + SUM({m})"), ("SUM({n} + {m})", "SUM({m} + {n})"),
    ("COALESCE(SUM({n}), 0)", "SUM(COALESCE({n}, 0))"), ("SUM({n})", "AVG({n}) * COUNT({n})"),
    ("MAX({x})", "MAX(DISTINCT {x})"), ("MAX({x})", "MAX(COALESCE({x}, {x}))"),
    ("MAX({n})", "-MIN(-{n})"), ("MAX({x})", "MIN({x})"),
    ("MAX({n}) - MIN({n})", "-(MIN({n}) - MAX({n}))"),
    ("MAX({x}) FILTER (WHERE {x} IS NOT NULL)", "MAX({x})"),
    ("MAX(CASE WHEN {x} = {c} THEN {x} END)", "MAX({x}) FILTER (WHERE {x} = {c})"),
    ("COUNT(DISTINCT {x})", "COUNT({x})"), ("COUNT(DISTINCT {x})",
                                            "COUNT(DISTINCT COALESCE({x}, {x}))"),
    ("COUNT(DISTINCT CASE WHEN {p} THEN {x} END)",
     "COUNT(DISTINCT {x}) FILTER (WHERE {p})"),
    ("SUM(DISTINCT {n})", "SUM({n})"), ("ROUND(AVG({n}), 2)",
                                        "ROUND(SUM({n}) * 1.0 / COUNT({n}), 2)"),
    ("SUM(CASE WHEN {x} = {y} THEN 1 ELSE 0 END)",
     "COUNT(CASE WHEN {y} = {x} THEN {x} END)"),
    ("COUNT(NULL)", "0"), ("COUNT(NULL)", "COUNT(*) - COUNT(id)"), ("SUM(NULL)", "NULL"),
    ("COUNT(CASE WHEN {p} THEN NULL END)", "0"), ("COUNT(DISTINCT NULL)", "COUNT(NULL)"),
    ("MAX(CASE WHEN {p} THEN 1 ELSE 0 END)", "CASE WHEN COUNT(CASE WHEN {p} THEN 1 END) > 0 THEN 1 ELSE 0 END"),
    ("MAX(CASE WHEN {p} THEN 1 END)", "MIN(CASE WHEN {p} THEN 1 END)"), ("COUNT({i})", "COUNT({i} + 1)"),
    ("COUNT({n})", "COUNT(1 / {n})"), ("SUM({n}) - SUM({m})", "SUM({n} - {m})"), ("MIN({s})", "MIN({s} || '')"),
    ("MAX(LOWER({s}))", "LOWER(MAX({s}))"), ("COUNT(DISTINCT LOWER({s}))", "COUNT(DISTINCT {s})"),
    ("AVG(DISTINCT {n})", "SUM(DISTINCT {n}) * 1.0 / COUNT(DISTINCT {n})"), ("MAX(g)", "MAX(DISTINCT g)"),
    ("SUM(CASE WHEN {x} IS NULL THEN 0 ELSE 1 END)", "COUNT({x})"), ("COALESCE(MAX({n}), 0)", "MAX(COALESCE({n}, 0))"),
]
# Whole queries, of the columns k and g.
QUERIES = [
    ("SELECT {x} AS k, g FROM t {set} SELECT {v}, g FROM u",
     "SELECT {v} AS k, g FROM u {set} SELECT {x}, g FROM t"),
    ("SELECT {x} AS k, g FROM t UNION SELECT {v}, g FROM u",
     "SELECT DISTINCT k, g FROM (SELECT {x} AS k, g FROM t UNION ALL "
     "SELECT {v}, g FROM u) AS s"),
    ("SELECT {x} AS k, g FROM t {set} SELECT {c}, g FROM u",
     "SELECT k, g FROM (SELECT {x} AS k, g FROM t {set} SELECT {c}, g FROM u) AS s"),
    ("SELECT {x} AS k, g FROM t WHERE {p} UNION SELECT {x}, g FROM t WHERE {q}",
     "SELECT DISTINCT {x} AS k, g FROM t WHERE {p} OR {q}"),
    ("SELECT {x} AS k, g FROM t WHERE {p} UNION SELECT {y}, g FROM t WHERE {p}",
     "SELECT {y} AS k, g FROM t WHERE {p} UNION SELECT {x}, g FROM t WHERE {p}"),
    ("SELECT {x} AS k, g FROM t INTERSECT SELECT {v}, g FROM u",
     "SELECT DISTINCT {x} AS k, g FROM t WHERE EXISTS (SELECT 1 FROM u WHERE "
     "({v} = {x} OR ({v} IS NULL AND {x} IS NULL)) AND (u.g = t.g OR (u.g IS "
     "NULL AND t.g IS NULL)))"),
    ("SELECT {x} AS k, 1 AS g FROM t INTERSECT SELECT {v}, 1 FROM u",
     "SELECT DISTINCT {x} AS k, 1 AS g FROM t WHERE {x} IN (SELECT {v} FROM u)"),
    ("SELECT {x} AS k, 1 AS g FROM t WHERE {x} IS NOT NULL EXCEPT SELECT {v}, 1 FROM u",
     "SELECT DISTINCT {x} AS k, 1 AS g FROM t WHERE {x} IS NOT NULL AND NOT "
     "EXISTS (SELECT 1 FROM u WHERE {v} = {x})"),
    ("SELECT DISTINCT {x} AS k, g FROM t", "SELECT {x} AS k, g FROM t GROUP BY {x}, g"),
    ("SELECT DISTINCT {x} AS k, g FROM t", "SELECT {x} AS k, g FROM t"),
    ("SELECT {when} AS k, g FROM t WHERE {when} = '2020-01-01'",
     "SELECT '2020-01-01' AS k, g FROM t WHERE {when} = '2020-01-01'"),
    ("SELECT {x} AS k, g FROM t WHERE {x} = {y}", "SELECT {y} AS k, g FROM t WHERE {x} = {y}"),
    ("SELECT {x} AS k, g FROM t WHERE {x} = {c}", "SELECT {c} AS k, g FROM t WHERE {x} = {c}"),
    ("SELECT {x} AS k, t.g FROM t JOIN u ON {x} = {v}",
     "SELECT {v} AS k, t.g FROM t JOIN u ON {x} = {v}"),
    ("SELECT {x} AS k, t.g FROM t JOIN u ON {x} = {v}",
     "SELECT {x} AS k, t.g FROM t WHERE {x} IN (SELECT {v} FROM u)"),
    ("SELECT DISTINCT {x} AS k, t.g FROM t JOIN u ON {x} = {v}",
     "SELECT DISTINCT {x} AS k, t.g FROM t WHERE {x} IN (SELECT {v} FROM u)"),
    ("SELECT a AS k, t.g FROM t JOIN u USING (a)", "SELECT t.a AS k, t.g FROM t JOIN u ON t.a = u.a"),
    ("SELECT a AS k, t.g FROM t LEFT JOIN u USING (a)", "SELECT t.a AS k, t.g FROM t LEFT JOIN u ON t.a = u.a"),
    ("SELECT {x} AS k, t.g FROM t JOIN u ON t.g = u.id", "SELECT {x} AS k, g FROM t WHERE g IS NOT NULL"),
    ("SELECT {x} AS k, t.g FROM t LEFT JOIN u ON t.g = u.id", "SELECT {x} AS k, g FROM t"),
    ("SELECT {x} AS k, t.g FROM t LEFT JOIN u ON t.{key} = u.{ukey}", "SELECT {x} AS k, g FROM t"),
    ("SELECT {v} AS k, t.g FROM t LEFT JOIN u ON t.g = u.id WHERE {v} = {c}",
     "SELECT {v} AS k, t.g FROM t JOIN u ON t.g = u.id WHERE {v} = {c}"),
    ("SELECT {x} AS k, t.g FROM t LEFT JOIN u ON {x} = {v} WHERE u.id IS NULL",
     "SELECT {x} AS k, t.g FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE {x} = {v})"),
    ("SELECT {x} AS k, t.g FROM t JOIN t AS r ON t.{key} = r.{key}",
     "SELECT {x} AS k, t.g FROM t WHERE t.{key} IS NOT NULL"),
    ("SELECT r.{xx} AS k, t.g FROM t JOIN t AS r ON t.id = r.id", "SELECT {x} AS k, g FROM t"),
    ("SELECT {x} AS k, t.g FROM t CROSS JOIN (SELECT MAX({v}) AS z FROM u) AS s WHERE {x} = s.z",
     "SELECT {x} AS k, g FROM t WHERE {x} = (SELECT MAX({v}) FROM u)"),
    ("SELECT s.k, s.g FROM (SELECT {x} AS k, g FROM t) AS s WHERE k = {c}",
     "SELECT {x} AS k, g FROM t WHERE {x} = {c}"),
    ("SELECT k, g FROM (SELECT {x} AS k, g FROM t {set} SELECT {v}, g FROM u) AS s WHERE k = {c}",
     "SELECT {x} AS k, g FROM t WHERE {x} = {c} {set} SELECT {v}, g FROM u WHERE {v} = {c}"),
    ("SELECT k, s.g FROM t JOIN (SELECT {x} AS k, g FROM t {set} SELECT {v}, g FROM u) AS s ON s.g = t.g",
     "SELECT r.{xx} AS k, r.g FROM t JOIN t AS r ON r.g = t.g {set} SELECT {v}, u.g FROM t JOIN u ON u.g = t.g"),
    ("WITH s AS MATERIALIZED (SELECT {x} AS k, g FROM t {set} SELECT {v}, g FROM u) SELECT k, g FROM s",
     "SELECT {x} AS k, g FROM t {set} SELECT {v}, g FROM u"),
    ("SELECT NULL AS k, g FROM t UNION SELECT {x}, g FROM t",
     "SELECT {x} AS k, g FROM t UNION SELECT NULL, g FROM t"),
    ("SELECT MAX({x}) AS k, g FROM t GROUP BY g",
     "SELECT DISTINCT MAX({x}) OVER (PARTITION BY g) AS k, g FROM t"),
    ("SELECT MAX({x}) AS k, 1 AS g FROM t WHERE {x} IS NOT NULL HAVING COUNT(*) > 0",
     "SELECT k, g FROM (SELECT {x} AS k, 1 AS g FROM t WHERE {x} IS NOT NULL "
     "ORDER BY {x} DESC LIMIT 1) AS s"),
    ("SELECT SUM(k) AS k, g FROM (SELECT g, {y} AS r, COUNT(*) AS k FROM t GROUP BY g, {y}) AS s GROUP BY g",
     "SELECT COUNT(*) AS k, g FROM t GROUP BY g"),
    ("SELECT SUM(k) AS k, g FROM (SELECT g, {y} AS r, SUM({n}) AS k FROM t GROUP BY g, {y}) AS s GROUP BY g",
     "SELECT SUM({n}) AS k, g FROM t GROUP BY g"),
    ("SELECT MAX(k) AS k, g FROM (SELECT g, {y} AS r, MAX({x}) AS k FROM t GROUP BY g, {y}) AS s GROUP BY g",
     "SELECT MAX({x}) AS k, g FROM t GROUP BY g"),
    ("SELECT COUNT(k) AS k, g FROM (SELECT DISTINCT {x} AS k, g FROM t) AS s GROUP BY g",
     "SELECT COUNT(DISTINCT {x}) AS k, g FROM t GROUP BY g"),
    ("SELECT {x} AS k, COUNT(*) AS g FROM t GROUP BY {x}", "SELECT {y} AS k, COUNT(*) AS g FROM t GROUP BY {y}"),
    ("SELECT {x} AS k, COUNT(*) AS g FROM t WHERE {x} = {y} GROUP BY {x}",
     "SELECT {y} AS k, COUNT(*) AS g FROM t WHERE {x} = {y} GROUP BY {y}"),
    ("SELECT {x} AS k, COUNT(*) AS g FROM t WHERE {x} = {c} GROUP BY {x}",
     "SELECT MAX({x}) AS k, COUNT(*) AS g FROM t WHERE {x} = {c} HAVING COUNT(*) > 0"),
    ("SELECT {x} AS k, COUNT(*) AS g FROM t GROUP BY {x} HAVING {x} = {c}",
     "SELECT {x} AS k, COUNT(*) AS g FROM t WHERE {x} = {c} GROUP BY {x}"),
    ("SELECT {x} AS k, COUNT(*) AS g FROM t GROUP BY {x}, id", "SELECT {x} AS k, 1 AS g FROM t"),
    ("SELECT {n} AS k, SUM({n}) AS g FROM t GROUP BY {n}, id", "SELECT {n} AS k, {n} AS g FROM t"),
    ("SELECT {x} AS k, SUM(z) AS g FROM (SELECT {x}, id AS z FROM t) AS s GROUP BY {x}",
     "SELECT {x} AS k, SUM(id) AS g FROM t GROUP BY {x}"),
    ("SELECT {x} AS k, g FROM t WHERE 1 = 0", "SELECT {y} AS k, g FROM t WHERE 1 = 0"),
    ("SELECT {x} AS k, g FROM t ORDER BY {x} LIMIT 0", "SELECT {y} AS k, g FROM t LIMIT 0"),
    ("SELECT {key} AS k, COUNT(*) AS g FROM t GROUP BY {key} HAVING COUNT(*) = 1",
     "SELECT {key} AS k, COUNT(*) AS g FROM t GROUP BY {key}"),
    ("SELECT {x} AS k, COUNT(*) AS g FROM t GROUP BY ROLLUP ({x})",
     "SELECT {x} AS k, COUNT(*) AS g FROM t GROUP BY {x} UNION ALL SELECT NULL, COUNT(*) FROM t"),
    ("SELECT {x} AS k, COUNT(*) AS g FROM t GROUP BY ROLLUP ({x})",
     "SELECT {x} AS k, COUNT(*) AS g FROM t GROUP BY {x} UNION SELECT NULL, COUNT(*) FROM t"),
    ("SELECT {x} AS k, COUNT(*) AS g FROM t GROUP BY ROLLUP ({x})",
     "SELECT {x} AS k, COUNT(*) AS g FROM t GROUP BY GROUPING SETS ((), ({x}))"),
    ("SELECT {x} AS k, g FROM t GROUP BY CUBE ({x}, g)",
     "SELECT {x} AS k, g FROM t GROUP BY GROUPING SETS ((), (g), ({x}), ({x}, g))"),
    ("SELECT {x} AS k, g FROM t GROUP BY ROLLUP ({x}, g)", "SELECT {x} AS k, g FROM t GROUP BY ROLLUP (g, {x})"),
    ("SELECT {x} AS k, g FROM t GROUP BY CUBE ({x}, g)", "SELECT {x} AS k, g FROM t GROUP BY CUBE (g, {x})"),
    ("SELECT {x} AS k, COUNT(*) AS g FROM t GROUP BY ROLLUP ({x}) HAVING {x} IS NOT NULL",
     "SELECT {x} AS k, COUNT(*) AS g FROM t WHERE {x} IS NOT NULL GROUP BY {x}"),
    ("SELECT {x} AS k, GROUPING({x}) AS g FROM t GROUP BY ROLLUP ({x})",
     "SELECT {x} AS k, 0 AS g FROM t GROUP BY {x} UNION ALL SELECT NULL, 1"),
    ("SELECT {x} AS k, COUNT(*) AS g FROM t WHERE 1 = 0 GROUP BY ROLLUP ({x})", "SELECT NULL AS k, 0 AS g"),
    ("SELECT {x} AS k, t.g FROM t SEMI JOIN u ON {x} = {v}", "SELECT {x} AS k, t.g FROM t WHERE {x} IN (SELECT {v} FROM u)"),
    ("SELECT {x} AS k, t.g FROM t LEFT SEMI JOIN u ON {x} = {v}", "SELECT {x} AS k, t.g FROM t JOIN u ON {x} = {v}"),
    ("SELECT {x} AS k, t.g FROM t ANTI JOIN u ON {x} = {v}",
     "SELECT {x} AS k, t.g FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE {x} = {v})"),
    ("SELECT {x} AS k, t.g FROM t ANTI JOIN u ON {x} = {v}", "SELECT {x} AS k, t.g FROM t WHERE {x} NOT IN (SELECT {v} FROM u)"),
    ("SELECT {x} AS k, t.g FROM t JOIN (SELECT * FROM u WHERE 1 = 0) AS e ON e.id = t.g", "SELECT {x} AS k, g FROM t LIMIT 0"),
    ("SELECT {x} AS k, t.g FROM t LEFT JOIN (SELECT * FROM u WHERE 1 = 0) AS e ON e.id = t.g", "SELECT {x} AS k, g FROM t"),
    ("SELECT e.{w} AS k, t.g FROM t LEFT JOIN (SELECT * FROM u LIMIT 0) AS e ON e.id = t.g", "SELECT NULL AS k, g FROM t"),
    ("SELECT {x} AS k, g FROM t UNION ALL SELECT {v}, g FROM u WHERE 1 = 0", "SELECT {x} AS k, g FROM t"),
    ("SELECT {x} AS k, g FROM t UNION SELECT {v}, g FROM u WHERE 1 = 0", "SELECT {x} AS k, g FROM t"),
    ("SELECT {x} AS k, g FROM t EXCEPT SELECT {v}, g FROM u WHERE 1 = 0", "SELECT DISTINCT {x} AS k, g FROM t"),
    ("SELECT {x} AS k, g FROM t INTERSECT SELECT {v}, g FROM u WHERE 1 = 0", "SELECT {x} AS k, g FROM t WHERE 1 = 0"),
    ("SELECT COUNT({x}) AS k, 0 AS g FROM t WHERE 1 = 0", "SELECT 0 AS k, COUNT(*) AS g FROM t WHERE {x} <> {x}"),
    ("SELECT k, g FROM w", "SELECT t.a AS k, g FROM t WHERE g = 1"), ("SELECT k, g FROM w", "SELECT t.a AS k, g FROM t WHERE g <> 2"),
    ("SELECT w.k, t.g FROM w JOIN t ON t.id = w.id", "SELECT k, g FROM w"),
    ("SELECT t.a AS k, t.g FROM t JOIN u ON t.a = u.a", "SELECT t.a AS k, g FROM t WHERE a IS NOT NULL"),
    ("SELECT t.a AS k, t.g FROM t LEFT JOIN u ON t.a = u.a", "SELECT t.a AS k, g FROM t"),
    ("SELECT a AS k, COUNT(*) AS g FROM t GROUP BY a, b", "SELECT a AS k, 1 AS g FROM t"),
    ("SELECT {x} AS k, g FROM t ORDER BY {x}, id LIMIT 1", "SELECT MIN({x}) AS k, MIN(g) AS g FROM t HAVING COUNT(*) > 0"),
    ("SELECT {x} AS k, g FROM t ORDER BY id LIMIT 2 OFFSET 1",
     "SELECT k, g FROM (SELECT {x} AS k, g, ROW_NUMBER() OVER (ORDER BY id) AS r FROM t) AS s WHERE r BETWEEN 2 AND 3"),
    ("SELECT {x} AS k, g FROM t WHERE id = (SELECT MAX(id) FROM t)", "SELECT {x} AS k, g FROM t ORDER BY id DESC LIMIT 1"),
    ("SELECT {x} AS k, t.g FROM t, u WHERE t.g = u.id AND u.id = 1", "SELECT {x} AS k, g FROM t WHERE g = 1"),
    ("SELECT {x} AS k, t.g FROM t JOIN u ON t.g = u.g JOIN u AS q ON q.id = u.id", "SELECT {x} AS k, t.g FROM t JOIN u ON t.g = u.g"),
    ("SELECT MAX({x}) AS k, g FROM t GROUP BY g HAVING MAX({x}) = {c}",
     "SELECT {c} AS k, g FROM t GROUP BY g HAVING MAX({x}) = {c}"),
    ("SELECT DISTINCT t.{xx} AS k, 1 AS g FROM t JOIN t AS r ON t.{xx} = r.{xx} AND t.id <> r.id",
     "SELECT {x} AS k, 1 AS g FROM t GROUP BY {x} HAVING COUNT(*) > 1 AND {x} IS NOT NULL"),
    ("SELECT {x} AS k, g FROM t WHERE {x} = {c} UNION ALL SELECT {x}, g FROM t WHERE {x} = {e}",
     "SELECT {x} AS k, g FROM t WHERE {x} = {c} OR {x} = {e}"),
    ("SELECT {x} AS k, g FROM t WHERE {p} UNION ALL SELECT {x}, g FROM t WHERE {q}",
     "SELECT {x} AS k, g FROM t WHERE {p} OR {q}"),
    # What is asked of a set operation, asked of its sides.
    ("SELECT k, g FROM (SELECT {x} AS k, g FROM t {set} SELECT {v}, g FROM u) AS s WHERE k = {c}",
     "SELECT {x} AS k, g FROM t WHERE {x} = {c} {set} SELECT {v}, g FROM u WHERE {v} = {c}"),
    ("SELECT s.k, COUNT(*) AS g FROM (SELECT DISTINCT {x} AS k, g FROM t UNION ALL SELECT {x}, g FROM t) AS s WHERE s.k > {c} GROUP BY s.k",
     "SELECT s.k, COUNT(*) AS g FROM (SELECT DISTINCT {x} AS k, g FROM t WHERE {x} > {c} UNION ALL SELECT {x}, g FROM t WHERE {x} > {c}) AS s GROUP BY s.k"),
    ("SELECT k, g FROM (SELECT {x} AS k, COUNT(*) AS g FROM t GROUP BY {x} UNION ALL SELECT {v}, COUNT({v}) FROM u GROUP BY {v}) AS s WHERE k = {c} OR g > 1",
     "SELECT {x} AS k, COUNT(*) AS g FROM t GROUP BY {x} HAVING {x} = {c} OR COUNT(*) > 1 UNION ALL "
     "SELECT {v}, COUNT({v}) FROM u GROUP BY {v} HAVING {v} = {c} OR COUNT({v}) > 1"),
    ("SELECT s.g, MAX(s.k) AS k FROM (SELECT {x} AS k, g FROM t UNION ALL SELECT {e}, g FROM u) AS s WHERE s.k = {c} GROUP BY s.g",
     "SELECT s.g, MAX(s.k) AS k FROM (SELECT {x} AS k, g FROM t) AS s WHERE s.k = {c} GROUP BY s.g"),
    ("SELECT s.k, COUNT(*) AS g FROM (SELECT {x} AS k FROM t {set} SELECT {v} FROM u) AS s WHERE EXISTS (SELECT 1 FROM u AS r WHERE r.{w} = s.k) GROUP BY s.k",
     "SELECT s.k, COUNT(*) AS g FROM (SELECT {x} AS k FROM t WHERE EXISTS (SELECT 1 FROM u AS r WHERE r.{w} = {x}) {set} "
     "SELECT {v} FROM u WHERE EXISTS (SELECT 1 FROM u AS r WHERE r.{w} = {v})) AS s GROUP BY s.k"),
    ("SELECT COALESCE(s.k, {c}) AS k, COUNT(*) AS g FROM (SELECT {x} AS k FROM t {set} SELECT {v} FROM u) AS s GROUP BY COALESCE(s.k, {c})",
     "SELECT s.k, COUNT(*) AS g FROM (SELECT {x} AS x, COALESCE({x}, {c}) AS k FROM t {set} SELECT {v}, COALESCE({v}, {c}) FROM u) AS s GROUP BY s.k"),
    ("SELECT CASE WHEN s.k > {c} THEN s.k END AS k, COUNT(*) AS g FROM (SELECT {x} AS k FROM t UNION ALL SELECT {v} FROM u) AS s GROUP BY CASE WHEN s.k > {c} THEN s.k END",
     "SELECT s.k, COUNT(*) AS g FROM (SELECT CASE WHEN {x} > {c} THEN {x} END AS k FROM t UNION ALL SELECT CASE WHEN {v} > {c} THEN {v} END FROM u) AS s GROUP BY s.k"),
    ("SELECT MAX(NULLIF(s.k, {c})) AS k, s.g FROM (SELECT {x} AS k, g FROM t UNION ALL SELECT {v}, g FROM u) AS s GROUP BY s.g",
     "SELECT MAX(s.k) AS k, s.g FROM (SELECT NULLIF({x}, {c}) AS k, g FROM t UNION ALL SELECT NULLIF({v}, {c}), g FROM u) AS s GROUP BY s.g"),
    ("SELECT CASE WHEN {x} = {c} THEN {x} END AS k, COUNT(*) AS g FROM t FULL JOIN u ON t.g = u.g GROUP BY CASE WHEN {x} = {c} THEN {x} END",
     "SELECT s.k, COUNT(*) AS g FROM (SELECT CASE WHEN {x} = {c} THEN {x} END AS k, g FROM t) AS s FULL JOIN u ON s.g = u.g GROUP BY s.k"),
    ("SELECT COALESCE({x}, {c}) AS k, COUNT(*) AS g FROM t FULL JOIN u ON t.g = u.g GROUP BY COALESCE({x}, {c})",
     "SELECT s.k, COUNT(*) AS g FROM (SELECT COALESCE({x}, {c}) AS k, g FROM t) AS s FULL JOIN u ON s.g = u.g GROUP BY s.k"),
    ("SELECT id AS k, g FROM t WHERE {x} NOT IN (SELECT {v} FROM u WHERE u.g = t.g)",
     "SELECT t.id AS k, t.g FROM t LEFT JOIN (SELECT g, COUNT(*) AS n, COUNT({v}) AS m FROM u GROUP BY g) AS s ON s.g = t.g LEFT JOIN "
     "(SELECT DISTINCT {v} AS v, g, 1 AS i FROM u) AS r ON r.v = {x} AND r.g = t.g WHERE NOT CASE WHEN s.n = 0 THEN {p} "
     "WHEN r.i IS NOT NULL THEN 1 = 1 WHEN {x} IS NULL AND s.n > 0 THEN 1 = 1 WHEN s.m < s.n THEN 1 = 1 ELSE 1 = 0 END"),
    ("SELECT (SELECT COUNT(*) FROM t WHERE {x} = {v} AND {p}) AS k, (SELECT MAX({y}) FROM t WHERE {x} = {v} AND {q}) AS g FROM u",
     "SELECT COALESCE(r.n, 0) AS k, r.m AS g FROM u LEFT JOIN (SELECT {x} AS v, COUNT(CASE WHEN {p} THEN 1 END) AS n, MAX(CASE WHEN {q} THEN {y} END) AS m "
     "FROM t GROUP BY {x}) AS r ON r.v = {v}"),
    ("SELECT COALESCE(r.n, 0) AS k, s.m AS g FROM u LEFT JOIN (SELECT {x} AS v, COUNT({y}) AS n FROM t WHERE {p} GROUP BY {x}) AS r ON r.v = {v} "
     "LEFT JOIN (SELECT {x} AS v, SUM({n}) AS m FROM t WHERE {q} GROUP BY {x}) AS s ON s.v = {v}",
     "SELECT COALESCE(r.n, 0) AS k, r.m AS g FROM u LEFT JOIN (SELECT {x} AS v, COUNT(CASE WHEN {p} THEN {y} END) AS n, SUM(CASE WHEN {q} THEN {n} END) AS m "
     "FROM t GROUP BY {x}) AS r ON r.v = {v}"),
    ("SELECT r.k, s.m AS g FROM (SELECT {x} AS k, COUNT(*) AS n FROM t GROUP BY {x}) AS r LEFT JOIN (SELECT {x} AS k, MIN({y}) AS m FROM t WHERE {p} "
     "GROUP BY {x}) AS s ON s.k = r.k", "SELECT {x} AS k, MIN(CASE WHEN {p} THEN {y} END) AS g FROM t GROUP BY {x}"),
    ("SELECT r.k, s.m AS g FROM (SELECT {x} AS k, COUNT(*) AS n FROM t WHERE {p} GROUP BY {x}) AS r JOIN (SELECT {x} AS k, MAX({y}) AS m FROM t WHERE {q} "
     "GROUP BY {x}) AS s ON s.k = r.k", "SELECT {x} AS k, MAX({y}) AS g FROM t WHERE {p} GROUP BY {x}"),
    ("SELECT u.id AS k, COUNT(CASE WHEN {x} > {c} THEN 1 END) AS g FROM u LEFT JOIN t ON t.g = u.id GROUP BY u.id",
     "SELECT u.id AS k, COUNT(t.id) AS g FROM u LEFT JOIN t ON t.g = u.id AND {x} > {c} GROUP BY u.id"),
    ("SELECT u.id AS k, MAX(CASE WHEN {x} = {c} THEN {y} END) AS g FROM u LEFT JOIN t ON t.g = u.id GROUP BY u.id",
     "SELECT u.id AS k, MAX({y}) AS g FROM u LEFT JOIN t ON t.g = u.id AND {x} = {c} GROUP BY u.id"),
    ("SELECT AVG(n) AS k, 1 AS g FROM (SELECT COUNT(*) AS n FROM t WHERE {p} GROUP BY {x}) AS s",
     "SELECT COUNT(*) * 1.0 / COUNT(DISTINCT {x}) AS k, 1 AS g FROM t WHERE {p}"),
    ("SELECT SUM(n) AS k, 1 AS g FROM (SELECT COUNT(*) AS n FROM t WHERE {p} GROUP BY {x}) AS s", "SELECT NULLIF(COUNT(*), 0) AS k, 1 AS g FROM t WHERE {p}"),
    ("SELECT {x} AS k, COUNT(*) * 1.0 / SUM(COUNT(*)) OVER () AS g FROM t WHERE {p} GROUP BY {x}",
     "SELECT {x} AS k, COUNT(*) * 1.0 / (SELECT COUNT(*) FROM t WHERE {p}) AS g FROM t WHERE {p} GROUP BY {x}"),
    ("SELECT COUNT(*) AS k, 1 AS g FROM u WHERE EXISTS (SELECT 1 FROM t WHERE t.g = u.id AND {x} = {c})",
     "SELECT COUNT(DISTINCT t.g) AS k, 1 AS g FROM t WHERE {x} = {c}"),
    ("SELECT s.k, s.m AS g FROM (SELECT {x} AS k, COUNT(*) OVER (PARTITION BY {x}) AS m FROM t) AS s WHERE s.k > {c}",
     "SELECT s.k, s.m AS g FROM (SELECT {x} AS k, COUNT(*) OVER (PARTITION BY {x}) AS m FROM t WHERE {x} > {c}) AS s"),
    ("SELECT s.k, s.g FROM (SELECT {x} AS k, id AS g, RANK() OVER (PARTITION BY {x} ORDER BY {y}) AS m FROM t) AS s WHERE s.k IS NOT NULL AND s.m = 1",
     "SELECT {x} AS k, id AS g FROM t WHERE {y} = (SELECT MIN(r.{xx}) FROM t AS r WHERE r.{xx} = {x})"),
]
IN_VALUES = [
    "SELECT {0}, g FROM t", "SELECT {0} FROM t WHERE {p}", "SELECT DISTINCT {0} FROM t",
    "SELECT ({0}) || 'x' FROM t", "SELECT ({0}) / 2 FROM t", "SELECT ({0}) + 1.5 FROM t",
    "SELECT COUNT(DISTINCT {0}) FROM t", "SELECT MAX({0}), COUNT({0}) FROM t",
    "SELECT SUM({0}) FROM t", "SELECT AVG({0}) FROM t GROUP BY g",
    "SELECT {0}, COUNT(*) FROM t GROUP BY {0}", "SELECT id FROM t WHERE ({0}) = {c}",
    "SELECT id FROM t WHERE ({0}) > {c}", "SELECT id FROM t WHERE ({0}) IN ({c}, {e})",
    "SELECT id FROM t WHERE ({0}) IN (SELECT {v} FROM u)", "SELECT id FROM t WHERE ({0}) IS NULL",
    "SELECT id FROM t WHERE ({0}) = {x}", "SELECT CASE WHEN g = 1 THEN {0} ELSE {x} END FROM t",
    "SELECT {0} FROM t UNION SELECT {v} FROM u", "SELECT {v} FROM u UNION ALL SELECT {0} FROM t",
    "SELECT COALESCE({0}, {x}) FROM t", "SELECT CAST({0} AS TEXT) FROM t",
    "SELECT id FROM t ORDER BY {0}, id", "SELECT k FROM (SELECT {0} AS k FROM t) AS s WHERE k = {c}",
    "SELECT k, COUNT(*) FROM (SELECT {0} AS k FROM t) AS s GROUP BY k",
    "SELECT u.id FROM t JOIN u ON ({0}) = {v}", "SELECT NULLIF({0}, {x}) FROM t",
    "SELECT u.id, (SELECT MAX({0}) FROM t WHERE t.g = u.g) FROM u",
]
IN_CONDITIONS = [
    "SELECT id FROM t WHERE {0}", "SELECT id FROM t WHERE NOT ({0})", "SELECT id, ({0}) FROM t",
    "SELECT CASE WHEN {0} THEN 1 ELSE 0 END FROM t", "SELECT CASE WHEN {0} THEN {x} ELSE {y} END FROM t",
    "SELECT COUNT(CASE WHEN {0} THEN 1 END) FROM t", "SELECT SUM(CASE WHEN {0} THEN 1 ELSE 0 END) FROM t GROUP BY g",
    "SELECT COUNT(*) FILTER (WHERE {0}) FROM t", "SELECT id FROM t WHERE ({0}) OR g = 1",
    "SELECT id FROM t WHERE ({0}) AND {p}", "SELECT {x} FROM t WHERE {0}", "SELECT DISTINCT {x} FROM t WHERE {0}",
    "SELECT {x} || 'x' FROM t WHERE {0}", "SELECT {x}, COUNT(*) FROM t WHERE {0} GROUP BY {x}",
    "SELECT MAX({x}), SUM(id) FROM t WHERE {0}", "SELECT t.id, u.id FROM t LEFT JOIN u ON t.g = u.g AND ({0})",
    "SELECT u.id FROM u WHERE EXISTS (SELECT 1 FROM t WHERE t.g = u.g AND ({0}))",
    "SELECT u.id FROM u WHERE u.g IN (SELECT t.g FROM t WHERE {0})",
    "SELECT g FROM t GROUP BY g HAVING COUNT(CASE WHEN {0} THEN 1 END) > 0",
    "SELECT id FROM t WHERE ({0}) IS NULL", "SELECT {x} FROM t WHERE {0} UNION SELECT {v} FROM u",
]
IN_AGGREGATES = [
    "SELECT {0} FROM t", "SELECT g, {0} FROM t GROUP BY g", "SELECT g, ({0}) / 2 FROM t GROUP BY g",
    "SELECT ({0}) || 'x' FROM t", "SELECT g FROM t GROUP BY g HAVING ({0}) > 1",
    "SELECT g FROM t GROUP BY g HAVING ({0}) / 2 > 0.4", "SELECT {0} FROM t WHERE 1 = 0",
    "SELECT {0} FROM t GROUP BY {y}", "SELECT {0} FROM t GROUP BY id", "SELECT COALESCE({0}, 0) FROM t GROUP BY g",
    "SELECT k, COUNT(*) FROM (SELECT {0} AS k FROM t GROUP BY g) AS s GROUP BY k",
    "SELECT id FROM u WHERE (SELECT {0} FROM t) > 1", "SELECT u.id, (SELECT {0} FROM t WHERE t.g = u.g) FROM u",
    "SELECT {0} FROM t UNION SELECT {v} FROM u", "SELECT g FROM t GROUP BY g ORDER BY {0}, g",
    "SELECT ({0}) * 1.5 FROM t WHERE {p}", "SELECT t.g, {0} FROM t JOIN u ON t.g = u.id GROUP BY t.g",
]
IN_QUERIES = [
    "{0}", "SELECT k FROM ({0}) AS z", "SELECT k || 'z' FROM ({0}) AS z", "SELECT k / 2 FROM ({0}) AS z",
    "SELECT COUNT(*), COUNT(DISTINCT k) FROM ({0}) AS z", "SELECT SUM(k) FROM ({0}) AS z", "SELECT MAX(k), AVG(k) FROM ({0}) AS z",
    "SELECT k, COUNT(*) FROM ({0}) AS z GROUP BY k", "SELECT DISTINCT k FROM ({0}) AS z", "SELECT k, g FROM ({0}) AS z WHERE k = {c}",
    "SELECT k, g FROM ({0}) AS z WHERE k > {c} OR g = 1", "SELECT p.id, z.k FROM t AS p JOIN ({0}) AS z ON z.g = p.g",
    "SELECT p.id, z.k FROM t AS p LEFT JOIN ({0}) AS z ON z.k = p.{xx}", "SELECT id FROM t WHERE {x} IN (SELECT k FROM ({0}) AS z)",
    "SELECT id FROM t WHERE g NOT IN (SELECT g FROM ({0}) AS z WHERE g IS NOT NULL)", "SELECT k FROM ({0}) AS z UNION SELECT {v} FROM u",
    "SELECT {v} AS k FROM u UNION ALL SELECT k FROM ({0}) AS z", "SELECT CASE WHEN g = 1 THEN k ELSE {c} END FROM ({0}) AS z",
    "SELECT id FROM t WHERE EXISTS (SELECT 1 FROM ({0}) AS z WHERE z.k = t.{xx})", "SELECT k, ROW_NUMBER() OVER (ORDER BY k, g) FROM ({0}) AS z",
    "WITH z AS MATERIALIZED ({0}) SELECT k, g FROM z", "SELECT COALESCE(k, {c}) FROM ({0}) AS z", "SELECT z.k FROM ({0}) AS z, u WHERE z.g = u.g",
]
CLASSES = [(VALUES, IN_VALUES), (CONDITIONS, IN_CONDITIONS),
           (AGGREGATES, IN_AGGREGATES), (QUERIES, IN_QUERIES)]


class Tables:
    """Two tables of random types, and rows for them."""

    def __init__(self, rnd, engine):
        self.rnd, self.engine = rnd, engine
        self.columns = {}
        self.extras = {}
        for table in ("t", "u"):
            types = [rnd.choice(list(TYPES[engine])) for _ in range(4)]
            if engine == "duckdb":  # which has no index of intervals
                types[:2] = [t.replace("INTERVAL", "DATE") for t in types[:2]]
            self.columns[table] = dict(zip("abcd", types))
            self.extras[table] = rnd.choice(["", "", "unique", "pair", "computed"])
        self.is_child = rnd.random() < 0.4
        # A foreign key to what is unique and no primary key.
        self.is_other_child = engine == "sqlite" and self.extras["u"] == "unique" \
            and rnd.random() < 0.5
        if self.is_other_child:
            self.columns["t"]["a"] = self.columns["u"]["a"]
        self.end = rnd.choice(["", " WITHOUT ROWID", ""]) if engine == "sqlite" else ""
        self.more = rnd.choice({
            "sqlite": ["", "CREATE UNIQUE INDEX ix ON t(a) WHERE b IS NOT NULL",
                       "CREATE UNIQUE INDEX ix ON t(a, b)", "CREATE INDEX ix ON t(a)",
                       "CREATE UNIQUE INDEX ix ON u(a COLLATE NOCASE)"],
            "postgres": ["", "CREATE UNIQUE INDEX ix ON t(a) WHERE b IS NOT NULL",
                         "CREATE TABLE more() INHERITS (t)", "CREATE INDEX ix ON t(a)",
                         "CREATE UNIQUE INDEX ix ON u(a) NULLS NOT DISTINCT"],
            "duckdb": ["", "CREATE UNIQUE INDEX ix ON t(a)"],
            "mysql": ["", "CREATE UNIQUE INDEX ix ON t(a, b)"],
        }[engine])

    def ddl(self):
        """Their statements."""
        made = ["CREATE TYPE word AS ENUM ('b', 'a')"] * (self.engine == "postgres")
        for table in ("u", "t"):
            items = ["id INTEGER PRIMARY KEY", "g INTEGER" + (
                " REFERENCES u(id)" if table == "t" and self.is_child else "")]
            extra = self.extras[table]
            for name, declared in self.columns[table].items():
                items.append(f"{name} {declared}" + {
                    ("a", "unique"): " UNIQUE", ("b", "unique"): " NOT NULL",
                }.get((name, extra), ""))
            if extra == "pair":
                items.append("UNIQUE (a, b)")
            if extra == "computed":
                items.append("z INTEGER GENERATED ALWAYS AS (id + 1)" + (
                    " STORED" if self.engine in ("postgres", "mysql") else ""))
            if table == "t" and self.is_other_child:
                items.append("FOREIGN KEY (a) REFERENCES u(a)")
            made.append(f"CREATE TABLE {table}({', '.join(items)}){self.end}")
        view = "CREATE VIEW w AS SELECT id, a AS k, g FROM t WHERE g = 1"
        return made + [self.more] * bool(self.more) + [view]

    def inserts(self):
        """Rows of legal values."""
        made = []
        for table, columns in reversed(self.columns.items()):
            for i in range(self.rnd.choice([0, 1, 2, 3, 5])):
                row = [str(i + 1), self.rnd.choice(["1", "2", "NULL"])]
                for declared in columns.values():
                    null = self.rnd.random() < 0.15
                    row.append("NULL" if null else self.rnd.choice(
                        TYPES[self.engine][declared]))
                into = table
                if table == "t" and "INHERITS" in self.more:
                    into = self.rnd.choice(["t", "more"])
                    row[0] = self.rnd.choice(["1", "2", row[0]])
                made.append(f"INSERT INTO {into}(id, g, a, b, c, d)"
                            f" VALUES ({', '.join(row)})")
        return made

    def make(self, count):
        """(identity, left, right) of a round."""
        rnd, made = self.rnd, []
        for forms, contexts in itertools.islice(itertools.cycle(CLASSES), count):
            form, context = rnd.choice(forms), rnd.choice(contexts)
            holes = self.holes()
            left, right = (context.format(side.format(**holes), **holes)
                           for side in form)
            if rnd.random() < 0.5:
                left, right = right, left
            # Of one table a name needs no table; what is renamed keeps its own.
            if left != right:
                made.append((form[0], left, right))
        return made

    def names(self, table, types=None):
        """Its columns of these types, without the key; all where none is."""
        columns = self.columns[table]
        found = [c for c, declared in columns.items()
                 if not types or declared in types]
        return found or (["id"] if types else list(columns))

    def literal(self, column):
        """One that mostly fits the column of t."""
        declared = self.columns["t"][column]
        if self.rnd.random() < 0.1:
            declared = self.rnd.choice(list(TYPES[self.engine]))
        return self.rnd.choice(TYPES[self.engine][declared])

    def holes(self):
        """What the letters of a form stand for."""
        pick = self.rnd.choice
        every = self.names("t")
        texts = [c for c in every if "CHAR" in self.columns["t"][c]
                 or "TEXT" in self.columns["t"][c]]
        same = {}
        for c in every:  # mostly of one type, so that they compare
            same.setdefault(self.columns["t"][c].split(" COLLATE")[0] in NUMBERS,
                            []).append(c)
        group = pick(list(same.values()))
        x, y, z = pick(group), pick(group), pick(group)
        like = [c for c, d in self.columns["u"].items()
                if (d in NUMBERS) == (self.columns["t"][x] in NUMBERS)]
        numbers = self.names("t", NUMBERS)
        v, w = pick(like or self.names("u")), pick(self.names("u"))
        n = pick(numbers)
        made = {
            "x": f"t.{x}", "y": f"t.{y}", "z": f"t.{z}", "xx": x, "x1": f"r.{x}",
            "n": f"t.{n}", "nn": n, "m": f"t.{pick(numbers)}",
            "i": f"t.{pick(self.names('t', WHOLES))}", "s": f"t.{pick(texts or every)}",
            "s2": f"t.{pick(texts or every)}", "day": f"t.{pick(self.names('t', DATES))}",
            "when": f"t.{pick(self.names('t', DATES | MOMENTS))}",
            "v": f"u.{v}", "v2": f"u.{pick(like or self.names('u'))}", "w": w,
            "c": self.literal(x), "e": self.literal(x), "set": pick(
                ["UNION", "UNION ALL", "INTERSECT", "EXCEPT"]),
            "key": pick(["id", "a", x]), "ukey": pick(["id", "a"]),
        }
        plain = ["{x} = {c}", "{x} > {c}", "{y} IS NULL", "g = 1", "{x} <> {y}",
                 "{y} IN ({c}, {e})", "{n} > 0"]
        made["p"] = pick(plain).format(**made)
        made["q"] = pick(plain).format(**made)
        return made
