"""Scoring in processes of their own, rewards, journals."""
import importlib.util
import json
import os
import pickle
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from unittest import mock

import assay
from assay.rewards import Reward
from place import DB, SHOP, InFolder

HAS_PANDAS = importlib.util.find_spec("pandas") is not None
COUNT = "SELECT count(*) FROM products"
HANG = "WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t) SELECT count(*) FROM t"


def score(*words):
    subprocess.run([os.environ["ASSAY_PROGRAM"], "score", "-q", *words],
                   check=True, capture_output=True)


class Many(InFolder):
    def test_records(self):
        """a record for each, in their order"""
        records = [
            {"id": "a", "gold": COUNT, "pred": "```sql\nSELECT 16\n```"},
            {"id": "b", "gold": COUNT, "pred": "SELECT 17"},
            {"gold": COUNT, "pred": None},
            {"gold": None, "pred": "SELECT 1"},
            {"gold": "SELECT nope", "pred": COUNT},
            {"gold": [COUNT, "SELECT 17"], "pred": "SELECT 17"},
            {"gold": COUNT, "pred": ["SELECT 17", "SELECT 16"]},
            {"id": "b", "gold": COUNT, "pred": "SELECT 17"},
            {"gold": COUNT, "pred": "DELETE FROM products"},
            {"gold": " ", "pred": "SELECT 'ü\udfff\0'"},
        ]
        with assay.Scorer(DB, metrics="exec", jobs=2) as scorer:
            lines = scorer.score_many(iter(records))
        self.assertEqual([line["id"] for line in lines],
                         ["a", "b", 2, 3, 4, 5, 6, "b", 8, 9])
        execs = [line["verdicts"]["exec"] for line in lines]
        self.assertEqual([v["v"] for v in execs], [
            "yes", "no", "no", "unknown", "unknown", "yes", "no", "no", "no",
            "unknown"])
        self.assertEqual([v.get("reason") for v in execs], [
            None, "rows_differ", "no_prediction", "no_gold", "gold_failed",
            None, "rows_differ", "rows_differ", "forbidden", "no_gold"])
        self.assertEqual(lines[0]["pred"], "SELECT 16")
        self.assertEqual(execs[5]["variant"], 1)
        self.assertEqual(set(lines[0]["verdicts"]), {"exec"})
        self.assertEqual(lines[6]["verdicts"]["exec@1"]["score"], 0.5)

    def test_as_the_command(self):
        """the verdicts are those of `assay score`"""
        out = self.folder / "run.jsonl"
        score("--gold", SHOP / "questions.jsonl", "--pred", SHOP / "model_a.jsonl",
              "--db", SHOP, "--now", "2026-06-30", "--out", out, "--allow-missing")
        lines = assay.read_journal(out, pandas=False)
        self.assertEqual(len(lines), 40)
        with assay.Scorer(SHOP, now="2026-06-30") as scorer:
            again = scorer.score_many(lines)
        self.assertEqual([line["verdicts"] for line in again],
                         [line["verdicts"] for line in lines])

    def test_one(self):
        """a batch of one, and of none"""
        scorer = assay.Scorer(SHOP)
        self.assertEqual(scorer.score(COUNT, COUNT, db="shop")["verdicts"]["exec"]["v"], "yes")
        self.assertEqual(scorer.score_many([]), [])
        none = scorer.score(COUNT, COUNT, db="none")
        self.assertEqual(none["gold_status"], "no_database")
        scorer.close()
        self.assertRaises(assay.AssayError, scorer.score_many, [])

    def test_errors(self):
        """what the program refuses raises with its words"""
        with self.assertRaisesRegex(assay.AssayError, "execution") as caught:
            assay.Scorer(SHOP, metrics="execution").score(COUNT, COUNT)
        self.assertEqual(caught.exception.status, "usage")
        with mock.patch.dict(os.environ, ASSAY_PROGRAM=str(self.folder / "none")):
            with self.assertRaisesRegex(assay.AssayError, "does not start"):
                assay.Scorer(DB).score(COUNT, COUNT)
        self.assertRaises(TypeError, assay.Scorer(DB).score, COUNT, 1)
        self.assertRaises(TypeError, assay.Scorer(DB).score, [COUNT, 1], COUNT)

    def test_hostile_values(self):
        """what is no text is refused, and harms none of what comes after it"""
        class Array:
            def __ne__(self, other):
                return [True]
        scorer = assay.Scorer(DB, metrics="exec", jobs=1)
        for pred in (b"SELECT 1", 5, {}, [["SELECT 1"]], Array()):
            self.assertRaises(TypeError, scorer.score, COUNT, pred)
        for records in ("abc", [5], {"gold": COUNT}):
            self.assertRaises(TypeError, scorer.score_many, records)
        for pred in (None, float("nan"), [], [None], "\0", "\ud800", "SELECT 1\u2028"):
            self.assertEqual(scorer.score(COUNT, pred)["verdicts"]["exec"]["v"], "no")
        # Longer than a line may be: answered before its end was read.
        long = scorer.score(COUNT, "SELECT '" + "x" * 20_000_000 + "'")
        self.assertEqual(long["verdicts"]["exec"]["detail"], "the line is too long")
        self.assertEqual(scorer.score(COUNT, COUNT)["verdicts"]["exec"]["v"], "yes")
        for deadline in (-1, -5, float("nan"), float("inf"), 1e300):
            self.assertRaises(assay.AssayError, assay.Scorer, DB, deadline=deadline)
        none = assay.Scorer(DB, metrics="exec", deadline=0).score(COUNT, COUNT)
        self.assertEqual(none["pred_status"], "not_run")
        helps = assay.Scorer(DB, metrics="exec", options=["--help"])
        self.assertRaises(assay.AssayError, helps.score, COUNT, COUNT)

    def test_malformed_record(self):
        """the first one is named before any is judged, and the program goes on"""
        scorer = assay.Scorer(DB, metrics="exec", jobs=1)
        good = {"gold": COUNT, "pred": COUNT}
        scorer.score_many([good])
        alive = scorer._worker._program
        # More than are sent at once.
        for bad, said in (({"gold": COUNT, "pred": 5}, "pred is a str or a list, not int"),
                          ({"gold": [COUNT, 1], "pred": COUNT}, "gold holds a int, not a str"),
                          ({**good, "db": b"t"}, "db is a str, not bytes"),
                          (7, "a record is a dict, not int")):
            with self.assertRaisesRegex(TypeError, f"^record 3000: {said}$"):
                scorer.score_many([*({"gold": COUNT, "pred": f"SELECT {i}"} for i in range(3000)),
                                   bad, good, {}, 5])
            self.assertIs(scorer._worker._program, alive)
        self.assertEqual(scorer.score_many([good])[0]["verdicts"]["exec"]["v"], "yes")
        self.assertIs(scorer._worker._program, alive)
        reward = Reward(DB, jobs=1)
        for texts, golds, dbs in (([COUNT, 5], [COUNT] * 2, [None] * 2),
                                  ([COUNT, [{"content": ["x"]}]], [COUNT] * 2, [None] * 2),
                                  ([COUNT] * 2, [COUNT, 5], [None] * 2),
                                  ([COUNT] * 2, [COUNT, [COUNT, []]], [None] * 2),
                                  ([COUNT] * 2, [COUNT] * 2, ["t", ["t"]])):
            with self.assertRaisesRegex(TypeError, "^record 1: "):
                reward(completions=texts, gold=golds, db=dbs)
            with self.assertRaisesRegex(TypeError, "^record 1: "):
                reward.compute_scores([None] * 2, texts, golds, [{"db": db} for db in dbs])
        self.assertIsNone(reward._scorer._worker._program)

    def test_names_of_files(self):
        """members have the names that files may have; others are refused, and named"""
        with assay.Scorer(DB, metrics="exec") as scorer:
            for record in ({"query": COUNT, "prediction": COUNT}, {"SQL": COUNT, "predicted_sql": COUNT},
                           {"query": COUNT, "sql": {"select": []}, "pred": COUNT},
                           {"gold": {"sql": COUNT}, "pred": COUNT}):
                self.assertEqual(scorer.score_many([record])[0]["verdicts"]["exec"]["v"], "yes")
            with self.assertRaisesRegex(assay.AssayError, "record 0 has no member 'pred'; there are: gold, "
                                        'model_says; say fields={"pred": "model_says"}'):
                scorer.score_many([{"gold": COUNT, "model_says": COUNT}])
            self.assertEqual(scorer.score(COUNT, COUNT).exec.answer, "yes")
        lines = assay.score_many([{"gold": COUNT, "model_says": COUNT}], db=DB, metrics="exec",
                                 fields={"pred": "model_says"})
        self.assertEqual(lines[0]["verdicts"]["exec"]["v"], "yes")

    def test_reward_names(self):
        """columns of TRL and members of verl have them, too"""
        reward = Reward(SHOP, jobs=1)
        right = "SELECT count(*) FROM customers"
        for columns in ({"query": [right], "db_id": ["shop"]}, {"ground_truth": [{"sql": right, "db_id": "shop"}]},
                        {"gold_sql": [json.dumps({"sql": right})], "database": ["shop"]}):
            self.assertEqual(reward(completions=[right], completion_ids=[[1]], **columns), [1.0])
        for truth in (right, [right], {"sql": right}, json.dumps({"query": right})):
            self.assertEqual(reward.compute_score("s", right, truth, {"db_name": "shop"}), 1.0)
        with self.assertRaisesRegex(assay.AssayError, "members are foo"):
            reward.compute_score("s", right, {"foo": right}, {"db_name": "shop"})
        with self.assertRaisesRegex(assay.AssayError, 'there are: query, schema; say db_column="schema"'):
            reward(completions=[right], query=[right], schema=["shop"])

    def test_odd_values(self):
        """what stands in the place of texts in frames"""
        class Array(list):
            """As NumPy's: no list, but it can be made one."""
            tolist = property(lambda self: lambda: list(self))
            __ne__ = __eq__ = lambda self, other: [True]

        class Undecided:
            def __ne__(self, other):
                raise ArithmeticError
        scorer = assay.Scorer(SHOP, metrics="exec", jobs=1)
        line = scorer.score(Array([COUNT, "SELECT 17"]), Array(["SELECT 17"]), db="shop")
        self.assertEqual(line["verdicts"]["exec"]["variant"], 1)
        self.assertRaises(TypeError, scorer.score, COUNT, Undecided())
        for db in (b"shop", ["shop"], {"shop": 1}):
            self.assertRaises(TypeError, scorer.score, COUNT, COUNT, db=db)
        (self.folder / "1.sql").write_text("CREATE TABLE t(x);")
        numbered = assay.Scorer(self.folder, metrics="exec", jobs=1)
        for db in ("1", 1, 1.0):
            line = numbered.score("SELECT * FROM t", "SELECT * FROM t", db=db)
            self.assertEqual(line["gold_status"], "ok")
        reward = Reward(DB, jobs=1)
        self.assertEqual(reward(completions=[COUNT, float("nan")],
                                gold=[Array([COUNT]), COUNT]), [1.0, 0.0])
        self.assertRaises(TypeError, reward, completions=[b"SELECT 16"], gold=[COUNT])

    def test_fork_in_threads(self):
        """a fork while threads wait for verdicts has a program of its own"""
        scorer = assay.Scorer(DB, metrics="exec", jobs=1)
        with ThreadPoolExecutor(4) as pool:
            asked = [pool.submit(scorer.score, COUNT, f"SELECT {i}") for i in range(100)]
            child = os.fork()
            if child == 0:
                found = scorer.score(COUNT, COUNT)["verdicts"]["exec"]["v"]
                os._exit(found != "yes")
            self.assertEqual(os.waitpid(child, 0)[1], 0)
            self.assertEqual({a.result()["pred_status"] for a in asked}, {"ok"})

    def test_deadline(self):
        """a batch ends at its deadline; what hangs is a no, what was not tried unknown"""
        scorer = assay.Scorer(DB, metrics="exec", jobs=1, deadline=3, work=None)
        began = time.monotonic()
        lines = scorer.score_many([{"gold": COUNT, "pred": pred} for pred in (HANG, COUNT)])
        self.assertLess(time.monotonic() - began, 15)
        self.assertEqual([line["verdicts"]["exec"]["v"] for line in lines], ["no", "yes"])
        self.assertEqual(lines[0]["pred_status"], "timeout")
        with assay.Scorer(DB, metrics="exec", deadline=0) as scorer:
            self.assertEqual(scorer.score_many([{"gold": COUNT, "pred": COUNT}])[0]["pred_status"], "not_run")

    def test_shares_of_a_deadline(self):
        """what takes long is tried again with more time, after all others"""
        scorer = assay.Scorer(DB, metrics="exec", jobs=2, deadline=6, timeout=2)
        takes = [9, 0.1, 9, 0.1, 0.7, *[0.1] * 7]
        asked = []

        def ask(requests, _deadline):
            requests = [json.loads("{" + request) for request in requests]
            asked.append([(int(r["pred"]), r["timeout"]) for r in requests])
            return [{"verdicts": {}, "gold_status": "ok", "pred_status":
                     "ok" if takes[number] < share else "timeout"}
                    for number, share in asked[-1]]
        with mock.patch.object(scorer._worker, "ask", ask):
            lines = scorer.score_many([{"gold": COUNT, "pred": str(n)} for n in range(12)])
        self.assertEqual([line["pred_status"] for line in lines].count("ok"), 10)
        self.assertEqual([[number for number, _ in batch] for batch in asked],
                         [[*range(12)], [0, 2, 4]])
        shares = [batch[0][1] for batch in asked]
        self.assertAlmostEqual(shares[0], 6 / 2 * 2 / 12, places=1)
        self.assertEqual(shares[1], 2)

    def test_threads_and_processes(self):
        """it can be used by threads, and pickled"""
        scorer = pickle.loads(pickle.dumps(assay.Scorer(DB, metrics="exec", jobs=1)))
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(lambda i: scorer.score(COUNT, f"SELECT {i}"), range(14, 18)))
        self.assertEqual([line["verdicts"]["exec"]["v"] for line in found],
                         ["no", "no", "yes", "no"])

    def test_stays_alive(self):
        """one program for all batches; another one after a fork or a death"""
        scorer = assay.Scorer(DB, metrics="exec", jobs=1)

        def ask():
            line = scorer.score(COUNT, "SELECT 16")
            return line["verdicts"]["exec"]["v"], scorer._worker._program.pid
        first = ask()
        self.assertEqual(first[0], "yes")
        self.assertEqual(ask(), first)
        pid = os.fork()
        if pid == 0:
            answer, other = ask()
            scorer.close()
            os._exit(0 if answer == "yes" and other != first[1] else 1)
        self.assertEqual(os.waitpid(pid, 0)[1], 0)
        self.assertEqual(ask(), first)
        os.kill(first[1], signal.SIGKILL)
        with self.assertRaisesRegex(assay.AssayError, "ended with -9"):
            ask()
        self.assertEqual(ask()[0], "yes")

    def test_too_long(self):
        """a request that is too long is unknown, and costs nothing else"""
        scorer = assay.Scorer(DB, metrics="exec", jobs=1)
        for _ in range(2):
            lines = scorer.score_many([{"gold": COUNT, "pred": pred} for pred in
                                       (COUNT, "x" * 9_000_000, "SELECT 17")])
            self.assertEqual([line["verdicts"]["exec"]["v"] for line in lines],
                             ["yes", "unknown", "no"])
            self.assertIn("too long", lines[1]["verdicts"]["exec"]["detail"])

    def test_frame(self):
        """a DataFrame in gives a DataFrame out"""
        if not HAS_PANDAS:
            self.skipTest("no pandas")
        import pandas
        frame = pandas.DataFrame({"gold": [COUNT, None, COUNT], "model": [1, 2, 3],
                                  "pred": [COUNT, COUNT, float("nan")]}, index=[7, 8, 9])
        out = assay.Scorer(DB, metrics="exec").score_many(frame)
        self.assertEqual(list(out.index), [7, 8, 9])
        self.assertEqual(list(out.exec), ["yes", "unknown", "no"])
        self.assertEqual(list(out.exec_reason), [None, "no_gold", "no_prediction"])
        self.assertEqual(list(out.model), [1, 2, 3])
        self.assertNotIn("exec", frame.columns)

    def test_odd_frames(self):
        """types, indexes and columns of all kinds"""
        if not HAS_PANDAS:
            self.skipTest("no pandas")
        import numpy
        import pandas
        scorer = assay.Scorer(DB, metrics="exec", jobs=1)
        missing, wrong = "no_prediction", "rows_differ"
        for gold, pred, reasons in (
                (pandas.Categorical([COUNT, COUNT]), pandas.Categorical(["SELECT 1", None]), [wrong, missing]),
                (pandas.array([COUNT, pandas.NA], dtype="string"), [COUNT, COUNT], [None, "no_gold"]),
                ([COUNT] * 2, [pandas.NaT, pandas.NA], [missing] * 2),
                ([COUNT] * 2, [numpy.nan, numpy.datetime64("NaT")], [missing] * 2),
                ([numpy.array([COUNT, "SELECT 1"])] * 2, [numpy.array([COUNT], dtype=object), "SELECT 1"], [None] * 2),
                ([COUNT] * 2, pandas.arrays.SparseArray([COUNT, "SELECT 1"]), [None, wrong])):
            out = scorer.score_many(pandas.DataFrame({"gold": gold, "pred": pred}, index=[1, 1]))
            self.assertEqual(list(out.exec_reason), reasons)
            self.assertEqual(list(out.index), [1, 1])
        for pred in (5, 2**64, 1.5, b"x", {"sql": COUNT}, [[COUNT]], pandas.Timestamp(0),
                     numpy.array([[COUNT]]), numpy.array([1])):
            with self.subTest(pred):
                frame = pandas.DataFrame({"gold": [COUNT], "pred": pandas.Series([pred], dtype=object)})
                self.assertRaises(TypeError, scorer.score_many, frame)
        empty = scorer.score_many(pandas.DataFrame({"gold": [], "pred": []}))
        self.assertEqual(list(empty.exec), [])
        for names in (("gold", "sql"), ("pred", "sql"), ("gold", "pred", "pred"),
                      pandas.MultiIndex.from_product([["a"], ["gold", "pred"]])):
            with self.subTest(names), self.assertRaises(assay.AssayError):
                scorer.score_many(pandas.DataFrame([[COUNT] * len(names)], columns=names))
        odd = pandas.DataFrame([[COUNT, COUNT, 1, 2]], columns=["gold", "pred", "x", "x"])
        self.assertEqual(list(scorer.score_many(odd[["pred", "gold", "x"]]).exec), ["yes"])


class FakeFrame(list):
    """As much of a DataFrame as score_many uses."""

    columns = ("gold", "pred")

    def __getitem__(self, _):
        return self

    def to_dict(self, _):
        return list(self)

    def assign(self, **columns):
        return columns


class WithoutPandas(InFolder):
    def test_columns(self):
        """the columns that a DataFrame gets"""
        frame = FakeFrame([{"gold": COUNT, "pred": "SELECT 1"}, {"gold": float("nan"), "pred": "x"}])
        out = assay.Scorer(DB, metrics="exec").score_many(frame)
        self.assertEqual(list(out), ["gold_status", "pred_status", "exec", "exec_reason",
                                     "exec_score", "exec_detail"])
        self.assertEqual(out["exec"], ["no", "unknown"])


class Rewards(InFolder):
    # Completion, gold, reward, what its reason begins with.
    TABLE = [
        ("I think:\n```sql\nSELECT count(*) FROM products\n```", COUNT, 1.0, None),
        ("SELECT 17", COUNT, 0.0, "rows_differ"),
        ("DELETE FROM products", "SELECT 1 WHERE 0", 0.0, "forbidden"),
        ("SELECT 1; DROP TABLE products", COUNT, 0.0, "several_statements"),
        ("PRAGMA writable_schema = 1", COUNT, 0.0, "forbidden"),
        ("", COUNT, 0.0, "no_prediction"),
        (None, COUNT, 0.0, "no_prediction"),
        ([], COUNT, 0.0, "no_prediction"),
        ("<think>SELECT 16", COUNT, 0.0, "no_prediction"),
        ("SELECT {id, name} FROM products", COUNT, 0.0, "syntax_error"),
        (HANG, COUNT, 0.0, "too_much_work"),
        ("SELECT hex(zeroblob(900000000))", COUNT, 0.0, "memory"),
        ("SELECT a.id FROM products a, products b, products c, products d, products e, "
         "products f", COUNT, 0.0, "extra_rows"),
        ("SELECT 1 WHERE 0", "SELECT name FROM products WHERE 0", 1.0, None),
        ("SELECT 1", "SELECT nope FROM products", None, "gold_failed"),
        ("SELECT 1", None, None, "no_gold"),
        ("SELECT 1", "null", 0.0, "answered"),
        ("There is no column for that.", "null", 1.0, None),
        ([{"role": "user", "content": "?"}, {"role": "assistant", "content": COUNT}], COUNT, 1.0, None),
        ([{"role": "assistant", "content": [{"type": "text", "text": COUNT}]}], COUNT, 1.0, None),
    ]

    def test_table(self):
        """rewards of what is right, wrong, harmful or not known"""
        reward = Reward(SHOP, jobs=2, work="auto")
        completions, golds, wanted, reasons = zip(*self.TABLE)
        for f in (reward, pickle.loads(pickle.dumps(reward))):
            found = f(prompts=["?"] * len(golds), completions=list(completions),
                      completion_ids=[[1]] * len(golds), gold=list(golds),
                      db=["shop"] * len(golds))
            for row, r, reason in zip(self.TABLE, found, f.reasons):
                with self.subTest(row[0]):
                    self.assertEqual((r, (reason or "").split(":")[0] or None),
                                     (row[2], row[3]))
            self.assertEqual(len(f.verdicts), len(golds))

    def test_verl(self):
        """verl's two shapes"""
        reward = Reward(SHOP)
        for truth, info in ((COUNT, {"db": "shop"}), (COUNT, {"db_id": "shop"}),
                            ({"gold": COUNT, "db": "shop"}, None)):
            self.assertEqual(reward.compute_score("bird", COUNT, truth, extra_info=info, more=1), 1.0)
        self.assertEqual(reward.compute_scores(
            data_sources=["bird"] * 2, solution_strs=[COUNT, "SELECT 1"],
            ground_truths=[COUNT] * 2, extra_infos=[{"db": "shop"}] * 2), [1.0, 0.0])
        self.assertRaises(assay.AssayError, reward.compute_scores, ["x"], [], [])

    def test_weights(self):
        """partial credit; rules by name; empty results"""
        def one(completion, gold, **more):
            return Reward(DB, **more)(completions=[completion], gold=[gold])[0]
        shaped = {"exec": 0.5, "cell_f1": 0.3, "runs": 0.2}
        self.assertEqual(one(COUNT, COUNT, weights=shaped), 1.0)
        self.assertAlmostEqual(one("SELECT 17", COUNT, weights=shaped), 0.2)
        self.assertEqual(one("SELECT 17 FROM nope", COUNT, weights=shaped), 0.0)
        down = "SELECT id FROM products ORDER BY id DESC"
        up = "SELECT id FROM products ORDER BY id"
        self.assertEqual(one(down, up), 0.0)
        self.assertEqual(one(down, up, rules="bird"), 1.0)
        self.assertEqual(one(down, up, rules="assay,bird", weights={"exec:bird": 3}), 1.0)
        self.assertIsNone(one("SELECT 1 WHERE 0", "SELECT 2 WHERE 0", both_empty="mask"))

    def test_errors(self):
        """what is wrong with the installation raises"""
        reward = Reward(SHOP)
        with self.assertRaisesRegex(assay.AssayError, "no_database"):
            reward(completions=[COUNT], gold=[COUNT], db=["none"])
        with self.assertRaisesRegex(assay.AssayError, "no column 'gold'"):
            reward(completions=[COUNT], answer=[COUNT])
        with self.assertRaisesRegex(assay.AssayError, "2 values"):
            reward(completions=[COUNT], gold=[COUNT, COUNT])
        self.assertRaises(assay.AssayError, Reward, SHOP, weights={"exec": 0})
        self.assertRaises(assay.AssayError, Reward, SHOP, both_empty="no")


class Journals(InFolder):
    def setUp(self):
        super().setUp()
        self.runs = []
        for model in ("model_a.jsonl", "model_b.sql"):
            out = self.folder / (model[:7] + ".jsonl")
            score("--gold", SHOP / "questions.jsonl", "--pred", SHOP / model, "--db", SHOP,
                  "--now", "2026-06-30", "--timeout", "1", "--out", out)
            self.runs.append(out)

    def test_lines(self):
        """a journal is a list of dicts, with its first line apart"""
        journal = assay.read_journal(self.runs[0], pandas=False)
        self.assertEqual(len(journal), 40)
        self.assertEqual(journal.attrs["head"]["clock"], "2026-06-30T00:00:00Z")
        self.assertEqual(journal[0]["verdicts"]["exec"]["v"], "yes")
        page = assay.read_journal(self.runs[1], pandas=False)._repr_html_()
        passed = sum(line["verdicts"]["exec"]["v"] == "yes"
                     for line in assay.read_journal(self.runs[1], pandas=False))
        self.assertIn(f"{passed} of 40 predictions pass exec.", page)
        self.assertEqual(page.count("<tr>"), 1 + min(40 - passed, 10))
        self.assertNotIn("<script", page)

    def test_frame(self):
        """a journal is a DataFrame where pandas is there"""
        if not HAS_PANDAS:
            self.skipTest("no pandas")
        frame = assay.read_journal(self.runs[0])
        self.assertEqual(len(frame), 40)
        self.assertEqual(list(frame.exec).count("yes"), 38)
        self.assertEqual(frame.attrs["head"]["journal"], 1)

    def test_broken(self):
        """what is no journal is refused, with its line"""
        text = self.runs[0].read_text()
        for name, broken, said in (
                ("torn", text[:-20], ":41: "), ("twice", text + text, ":42: "),
                ("empty", "", "no journal"), ("other", '{"a":1}\n', ":1: "),
                ("list", "[]\n", ":1: ")):
            path = self.folder / name
            path.write_text(broken)
            with self.subTest(name), self.assertRaisesRegex(assay.AssayError, said):
                assay.read_journal(path, pandas=False)

    def test_compare(self):
        """runs are compared as by the command"""
        found = assay.compare(*self.runs)
        self.assertEqual(found["metric"], "exec")
        pair = found["pairs"][0]
        self.assertEqual((pair["a"], pair["b"]), ("model_a", "model_b"))
        # Two databases are too few to count by database.
        self.assertEqual((pair["cluster"], pair["conclusion"]), ("none", "a_better"))
        found = assay.compare(*self.runs, cluster="db")
        self.assertEqual(found["pairs"][0]["conclusion"], "no_evidence")
        found = assay.compare(*self.runs, metric="subset", cluster="none")
        self.assertEqual(found["pairs"][0]["conclusion"], "a_better")
        self.assertIn("a_better", found._repr_html_())
        self.assertIn("model_b, not model_a: broken", found._repr_html_())
        lines = self.runs[1].read_text().split("\n", 1)
        head = json.loads(lines[0])
        head["gold"]["hash"] = "0"
        self.runs[1].write_text(json.dumps(head) + "\n" + lines[1])
        with self.assertRaisesRegex(assay.AssayError, "gold"):
            assay.compare(*self.runs)
        self.assertEqual(assay.compare(*self.runs, force=True)["metric"], "exec")
