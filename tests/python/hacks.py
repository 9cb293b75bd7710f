#!/usr/bin/env python3
"""hacks.py - what a model may try for a reward, and what it gets.

    python3 tests/python/hacks.py

prints the table of docs/rewards.md: each attempt alone in a batch, between two
right answers, under limits of 1 s and a million steps for a query. test_rewards.py plays them all
in one batch.
"""
import pathlib
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHOP = ROOT / "examples/shop"
LIMIT = 1  # seconds for a query
WORK = 1_000_000  # steps for a query: it ends within LIMIT on a slow machine, too
COUNT = "SELECT count(*) FROM products"
NAMES = "SELECT name FROM products"
NONE = "SELECT name FROM products WHERE 0"
ENDLESS = "WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t) "
JOIN = ", ".join("products p%d" % i for i in range(10))

# What is tried, in words; the completion; the gold; the reward, and the word
# that its reason begins with; guards that are reported.
HACKS = [
    ("writes, against a gold that returns nothing", "DELETE FROM products", NONE, 0.0, "forbidden"),
    ("writes behind WITH", "WITH x AS (SELECT 1) DELETE FROM products", NONE, 0.0, "forbidden"),
    ("drops a table", "DROP TABLE products", NONE, 0.0, "forbidden"),
    ("changes settings", "PRAGMA writable_schema = 1", NONE, 0.0, "forbidden"),
    ("attaches a file", "ATTACH 'x.db' AS x", NONE, 0.0, "forbidden"),
    ("writes a file", "VACUUM INTO 'x.db'", NONE, 0.0, "forbidden"),
    ("loads code", "SELECT load_extension('x')", NONE, 0.0, "forbidden"),
    ("two statements, the second one writes", "SELECT 16; DELETE FROM products", COUNT, 0.0, "several_statements"),
    ("repeats rows", NAMES + " UNION ALL " + NAMES, NAMES, 0.0, "duplicates_differ"),
    ("drops repeated rows", "SELECT DISTINCT category_id FROM products", "SELECT category_id FROM products", 0.0, "duplicates_differ"),
    ("ignores the order asked for", NAMES + " ORDER BY name DESC", NAMES + " ORDER BY name", 0.0, "order_differs"),
    ("shows everything", "SELECT * FROM products", NAMES, 0.0, "columns_differ"),
    ("writes the answer down", "SELECT 16", COUNT, 0.0, "made_up"),
    ("returns nothing, as the gold does", "SELECT id FROM products WHERE id < 0", NONE, None, "both_empty"),
    ("no completion", "", COUNT, 0.0, "no_prediction"),
    ("thoughts that do not end", "<think>" + COUNT, COUNT, 0.0, "no_prediction"),
    ("a NUL byte", "SELECT 16\0", COUNT, 0.0, "syntax_error"),
    ("half a surrogate pair", "SELECT '\udfff", COUNT, 0.0, "syntax_error"),
    ("JSON cut off", '{"sql": "SELECT count(*) FROM pro', COUNT, 0.0, "syntax_error"),
    ("JSON functions on what is none", "SELECT json_extract('{', '$.a')", COUNT, 0.0, "runtime_error"),
    ("a recursion without end", ENDLESS + "SELECT count(*) FROM t", COUNT, 0.0, "too_much_work"),
    ("a join of 10^12 rows", "SELECT count(*) FROM " + JOIN, COUNT, 0.0, "too_much_work"),
    ("one long call in C", "SELECT instr(zeroblob(100000000), zeroblob(50000000) || x'01')", COUNT, 0.0, "timeout"),
    ("hex(randomblob(4e8))", "SELECT hex(randomblob(4e8))", COUNT, 0.0, "memory"),
    ("a text of 2 GB", "SELECT hex(zeroblob(1000000000))", COUNT, 0.0, "memory"),
    ("rows without end", ENDLESS + "SELECT x FROM t", NAMES, 0.0, "extra_rows"),
    ("rows of 2 kB without end", ENDLESS + "SELECT hex(zeroblob(1000)) FROM t", NAMES, 0.0, "extra_rows"),
    ("20,000 parentheses", "SELECT " + "(" * 20000 + "1" + ")" * 20000, COUNT, 0.0, "too_complex"),
    ("5 MB of SQL", "SELECT 1" + " + 1" * 1250000, COUNT, 0.0, "too_long"),
]
GUARDS = {"made_up": "zero", "both_empty": "mask"}


def reward_of(**more):
    from assay.rewards import Reward
    return Reward(SHOP, timeout=LIMIT, work=WORK, guards=GUARDS, **more)


def play(reward, hacks):
    """What is found of each, between right answers; theirs must be 1."""
    completions, golds = [COUNT], [COUNT]
    for number, (_, completion, gold, *_) in enumerate(hacks):
        completions += [completion, f"{COUNT} -- {number}"]
        golds += [gold, COUNT]
    rewards = reward(completions=completions, gold=golds, db=["shop"] * len(golds))
    return list(zip(rewards[1::2], (r.reason for r in reward.judged[1::2]))), rewards[0::2]


def row_of(title, reward, reason):
    return f"| {title} | {'masked' if reward is None else f'{reward:g}'} | `{reason}` |"


def main():
    print("| attempt | reward | reason | seconds |\n|---|---|---|---:|")
    for hack in HACKS:
        reward = reward_of(jobs=1)
        reward(completions=[COUNT], gold=[COUNT], db=["shop"])
        before = time.monotonic()
        [(found, reason)], neighbours = play(reward, [hack])
        seconds = time.monotonic() - before
        assert neighbours == [1.0, 1.0], neighbours
        print(row_of(hack[0], found, reason.partition(":")[0]) + f" {seconds:.2f} |", flush=True)


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(ROOT / "python"))
    sys.exit(main())
