"""Scoring and checking in this process."""
import copy
import datetime
import gc
import os
import pickle
import threading

import assay
from assay._verdict import rows_of
from place import DB, InFolder

GOLD = "SELECT name FROM customers"
HANG = ("WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t)"
        " SELECT count(*) FROM t")
DDL = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT NOT NULL, b TEXT);"


class Score(InFolder):
    def test_yes_and_no(self):
        """a verdict has an attribute for each metric"""
        v = assay.score(GOLD, "SELECT name FROM customers LIMIT 3", db=DB)
        self.assertEqual((v.exec.answer, v.exec.reason, v.exec.variant),
                         ("no", "missing_rows", None))
        self.assertIn("12 rows against 3", v.exec.detail)
        self.assertFalse(v.exec)
        self.assertEqual(v.cell_f1.answer, "unknown")
        v = assay.score("SELECT {id, name} FROM customers", GOLD + " WHERE 1",
                        db=str(DB), metrics="exec,edit,cell_f1")
        self.assertTrue(v.exec)
        self.assertEqual((v.exec.variant, v.exec.reason), (1, ""))
        self.assertEqual(v.cell_f1.score, 1.0)
        self.assertLess(v.edit.score, 1.0)
        self.assertEqual(v["exec"], v.exec)
        self.assertRaises(KeyError, lambda: v["string"])
        self.assertEqual(v, pickle.loads(pickle.dumps(v)))

    def test_no_truth(self):
        """a verdict as a whole is neither true nor false"""
        v = assay.score(GOLD, GOLD, db=DB)
        self.assertRaises(TypeError, bool, v)

    def test_question_and_rules(self):
        """question, category and rules count"""
        with assay.Database(DB, timeout=5) as db:
            def answer(gold, pred, **more):
                return db.score(gold, pred, **more).exec.answer
            up, down = GOLD + " ORDER BY name", GOLD + " ORDER BY name DESC"
            self.assertEqual(answer(up, down), "no")
            self.assertEqual(answer(up, down, rules="bird"), "yes")
            twice = "SELECT name FROM customers UNION ALL " + GOLD
            self.assertEqual(answer(GOLD, twice), "no")
            self.assertEqual(answer(GOLD, twice, rules="bird"), "yes")

    def test_broken_predictions(self):
        """a broken prediction is a verdict with a reason"""
        reasons = {
            None: "no_prediction", "": "no_prediction",
            "SELECT": "syntax_error", "DELETE FROM products": "forbidden",
            "SELECT nope FROM products": "no_such_column",
            "SELECT '\udfff": "syntax_error", "SELECT 1\0": "syntax_error",
        }
        with assay.Database(DB) as db:
            for pred, reason in reasons.items():
                with self.subTest(pred):
                    v = db.score(GOLD, pred, metrics=["exec"])
                    self.assertEqual(v.exec.answer, "no")
                    self.assertEqual(v.exec.reason, reason)
        with assay.Database(DB, timeout=1) as db:
            self.assertEqual(db.score(GOLD, HANG).exec.reason, "timeout")

    def test_errors(self):
        """what is not about the prediction raises, with its status"""
        for status, call in {
                "engine": lambda: assay.score("SELECT nope", GOLD, db=DB),
                "usage": lambda: assay.score("", GOLD, db=DB)}.items():
            with self.assertRaises(assay.AssayError) as caught:
                call()
            self.assertEqual(caught.exception.status, status)
            again = pickle.loads(pickle.dumps(caught.exception))
            self.assertEqual(again.status, status)
        with self.assertRaisesRegex(assay.AssayError, "there are: string"):
            assay.score(GOLD, GOLD, db=DB, metrics="execution")
        with self.assertRaisesRegex(assay.AssayError, "there are: assay"):
            assay.score(GOLD, GOLD, db=DB, rules="birds")
        with self.assertRaises(assay.AssayError) as caught:
            assay.Database(self.folder / "none.sqlite")
        self.assertEqual(caught.exception.status, "engine")
        self.assertRaises(TypeError, assay.score, GOLD, 1, db=DB)
        db = assay.Database(DB)
        db.close()
        db.close()
        with self.assertRaisesRegex(assay.AssayError, "closed"):
            db.score(GOLD, GOLD)

    def test_extract(self):
        """SQL is taken out of an answer, and scored as it stands there"""
        found = assay.extract(f"Sure!\n```sql\n{GOLD}\n```\nIt counts.")
        self.assertEqual(found, (GOLD, "markdown fence"))
        self.assertTrue(assay.score(GOLD, found.sql, db=DB).exec)
        self.assertEqual(assay.extract(GOLD), (GOLD, ""))
        self.assertEqual(assay.extract("no idea").note, "no SQL found")
        self.assertEqual(assay.extract("SELECT '\udfff'").sql, "SELECT '\ufffd'")
        self.assertRaises(TypeError, assay.extract, None)

    def test_format(self):
        """SQL is laid out, and mistakes have their place"""
        found = assay.format_sql("select a, -- é\n b from t where c")
        self.assertEqual(found.text, "SELECT a, -- é\n  b\nFROM t\nWHERE c;\n")
        self.assertEqual(found.mistakes, ())
        found = assay.format_sql("select a::int", dialect="postgres", layout="one_line")
        self.assertEqual(found.text, "SELECT a::INT;\n")
        found = assay.format_sql("select a,\n  from t", layout="tree")
        self.assertIn("(error)", found.text)
        self.assertEqual(found.mistakes, (assay.Mistake(
            2, 3, "expected a column or an expression, found FROM"),))
        self.assertEqual(assay.format_sql("select a,\n  from t").text, "")
        self.assertRaises(TypeError, assay.format_sql, None)
        with self.assertRaisesRegex(assay.AssayError, "dialect 'oracle'"):
            assay.format_sql("select 1", dialect="oracle")

    def test_bind(self):
        """what a query reads"""
        found = assay.bind("SELECT count(*), A FROM t, u", schema=DDL + "CREATE TABLE u (x);")
        self.assertEqual(found.reads, {"t": ("a",), "u": ()})
        self.assertEqual(found.mistakes, ())
        found = assay.bind("SELECT a,\n bb FROM t", schema=DDL)
        self.assertEqual(found.reads, {"t": ("a",)})
        self.assertEqual([m[:2] for m in found.mistakes], [(2, 2)])
        self.assertIn("did you mean 'b'?", found.mistakes[0].text)
        self.assertEqual(assay.bind("SELECT", schema=DDL).reads, {})
        with self.assertRaises(assay.AssayError) as raised:
            assay.bind("SELECT 1", schema="CREATE TABLE t(")
        self.assertEqual(raised.exception.status, "engine")

    def test_explain(self):
        """a record with verdicts is explained as assay show does"""
        record = {"id": "q1", "gold": "SELECT a FROM t", "pred": "SELECT b FROM t",
                  "verdicts": {"exec": {"v": "no", "reason": "rows_differ",
                                        "detail": "row 1: é != 2"}}}
        said = assay.explain(record)
        for line in ("  + SELECT a\n", "  - SELECT b\n", "rows_differ: ", "row 1: é != 2"):
            self.assertIn(line, said)
        narrow = assay.explain(record, width=50, metric="exec", dialect="postgres")
        self.assertGreater(narrow.count("\n"), said.count("\n"))
        said = assay.explain(assay.score(GOLD, GOLD + " LIMIT 3", db=DB, question="Who?"))
        for line in ("Who?\n", "\n  - LIMIT 3\n", "missing_rows: "):
            self.assertIn(line, said)
        for none in ({"id": "q1"}, assay.compare_results([(1,)], [(2,)])):
            with self.assertRaisesRegex(assay.AssayError, "no case"):
                assay.explain(none)

    def test_results(self):
        """results that come from elsewhere are compared"""
        gold = [(1, "ann", None), (2, "bob", 2.5), (3, b"\0", -2**63)]
        turned = [tuple(reversed(row)) for row in reversed(gold)]
        for pred, options, answer, reason in (
                (gold, {}, "yes", ""), (turned, {}, "yes", ""),
                (turned, {"ordered": True}, "no", "order_differs"),
                (turned, {"same_column_order": True}, "no", "columns_differ"),
                (turned, {"rules": "bird"}, "no", "rows_differ"),
                (gold[:2], {}, "no", "missing_rows"), ([], {}, "no", "missing_rows")):
            with self.subTest(pred=pred, **options):
                v = assay.compare_results(gold, pred, **options)
                self.assertEqual((v.exec.answer, v.exec.reason), (answer, reason))
        self.assertTrue(assay.compare_results([], []).exec)
        many = [(str(i) * 9, f"{i}".encode()) for i in range(5000)]
        self.assertTrue(assay.compare_results(many, many[::-1]).exec)
        score = assay.compare_results(gold, gold[:2], metrics="cell_f1").cell_f1.score
        self.assertEqual(score, 0.8)
        for rows in ([(1,), (1, 2)], [(2**63,)], [(object(),)]):
            self.assertRaisesRegex(TypeError, "^row [01]", assay.compare_results, rows, rows)
        with self.assertRaisesRegex(assay.AssayError, "without queries"):
            assay.compare_results(gold, gold, rules="defog")
        with self.assertRaisesRegex(assay.AssayError, "metrics"):
            assay.compare_results(gold, gold, metrics="set")

    def test_clock(self):
        """`now` is what the queries take for now"""
        now = datetime.datetime(2020, 2, 3, tzinfo=datetime.timezone.utc)
        for zone in (now, now.replace(tzinfo=None)):
            with assay.Database(DB, now=zone) as db:
                v = db.score("SELECT date('now')", "SELECT '2020-02-03'")
                self.assertTrue(v.exec, v)

    def test_html(self):
        """HTML holds texts of others escaped"""
        v = assay.score("SELECT '<b>&'", "SELECT '<script>'", db=DB)
        page = v._repr_html_()
        self.assertIn("SELECT &#x27;&lt;b&gt;&amp;&#x27;", page)
        self.assertNotIn("<script", page)
        self.assertIn(">(&#x27;&lt;b&gt;&amp;&#x27;)</td>", page)  # both results

    def test_results(self):
        """beside a no of exec stand both results"""
        v = assay.score("SELECT 1, 'a (b) ''c' UNION SELECT 2, 'x'", "SELECT 2, 'x' UNION SELECT 3, NULL", db=DB)
        self.assertEqual(v.exec.gold_result, "(1, 'a (b) ''c') (2, 'x')")
        self.assertEqual(rows_of(v.exec.gold_result), ["(1, 'a (b) ''c')", "(2, 'x')"])
        self.assertEqual(sorted(rows_of(v.exec.pred_result)), ["(2, 'x')", "(3, NULL)"])
        self.assertEqual(rows_of("(1) (2) and 3 more rows"), ["(1)", "(2)", "and 3 more rows"])
        self.assertEqual(rows_of("no rows"), ["no rows"])
        # Not in a time that doubles with each quote.
        self.assertEqual(rows_of("(" + "''" * 5000), ["(" + "''" * 5000])
        self.assertEqual((v.subset.gold_result, assay.score(GOLD, GOLD, db=DB).exec.gold_result), ("", ""))

    def test_threads(self):
        """threads may share a database, or have one each"""
        shared, wrong = assay.Database(DB), []

        def work(db):
            for limit in range(1, 30):
                v = db.score(GOLD, f"{GOLD} LIMIT {limit}", metrics="exec")
                if bool(v.exec) != (limit >= 12):
                    wrong.append(limit)
        threads = [threading.Thread(target=work, args=(db,))
                   for db in (shared, shared, assay.Database(DB))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_gil(self):
        """other threads go on while a query runs"""
        with assay.Database(DB, timeout=0.5) as db:
            thread = threading.Thread(target=db.score, args=(GOLD, HANG))
            thread.start()
            count = 0
            while thread.is_alive():
                count += 1
            thread.join()
        self.assertGreater(count, 1000)

    def test_fork(self):
        """after a fork the child opens its own"""
        db = assay.Database(DB)
        checker = assay.Checker(DDL)
        self.assertTrue(db.score(GOLD, GOLD).exec)
        child = os.fork()
        if child == 0:
            good = db.score(GOLD, GOLD).exec and checker.check("SELECT 1", "SELECT 1")
            del db
            gc.collect()
            os._exit(0 if good else 1)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
        self.assertTrue(db.score(GOLD, GOLD).exec)

    def test_memory(self):
        """verdicts and databases give back their memory"""
        def kilobytes():
            with open("/proc/self/statm", encoding="ascii") as file:
                return int(file.read().split()[1]) * 4

        def work(times):
            for _ in range(times):
                with assay.Database(DB) as db:
                    for i in range(20):
                        db.score(GOLD, f"{GOLD} WHERE id < {i}")
                assay.Database(DB)  # left to the collector
                assay.check("SELECT a FROM t", "SELECT b FROM t", schema=DDL)
            gc.collect()
        work(10)
        before = kilobytes()
        work(40)
        self.assertLess(kilobytes() - before, 8192)


class Check(InFolder):
    def test_different(self):
        """a witness is statements, with both results"""
        c = assay.check("SELECT a FROM t", "SELECT a FROM t WHERE b <> 'x'", schema=DDL)
        self.assertEqual((c.answer, c.evidence), ("different", "witness"))
        self.assertFalse(c)
        self.assertIn("INSERT INTO t", c.witness)
        self.assertNotEqual(c.left_rows, c.right_rows)
        self.assertIn("INSERT INTO t", c._repr_html_())
        self.assertEqual(c, pickle.loads(pickle.dumps(copy.deepcopy(c))))

    def test_equivalent(self):
        """a proof is steps and what they assume"""
        with assay.Checker(DDL) as checker:
            c = checker.check("SELECT count(a) FROM t", "SELECT count(*) FROM t")
            self.assertTrue(c)
            self.assertEqual([s["rule"] for s in c.proof], ["count-rows"])
            self.assertEqual(c.assumptions, ("not-null",))
            self.assertIsNone(c.witness)
            self.assertIn("count-rows", c._repr_html_())
        with assay.Checker(DDL, assume="none") as checker:
            c = checker.check("SELECT count(a) FROM t", "SELECT count(*) FROM t")
            self.assertEqual(c.answer, "different")
        self.assertRaises(assay.AssayError, checker.check, "SELECT 1", "SELECT 1")

    def test_broken(self):
        """a broken query is an answer, a broken schema an error"""
        c = assay.check("SELECT nope FROM t", "SELECT a FROM t", schema=DDL)
        self.assertEqual((c.answer, c.reason), ("different", "no_such_column"))
        self.assertRaises(assay.AssayError, assay.check, "SELECT 1", "SELECT 1",
                          schema="CREATE TABLE")
        self.assertRaises(assay.AssayError, assay.Checker, DDL, assume="all")
