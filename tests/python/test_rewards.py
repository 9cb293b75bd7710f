"""Rewards: the shapes of trainers, shaping, guards, hacks, logs."""
import asyncio
import inspect
import json
import os
import pickle
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from unittest import mock

import assay
import hacks
from assay._shaping import Shape
from assay.rewards import Reward
from place import DB, ROOT, SHOP, InFolder

COUNT = "SELECT count(*) FROM products"
NAMES = "SELECT name FROM products"
FENCED = f"```sql\n{COUNT}\n```"


def one(completion, gold, **more):
    """The reward of a completion, and what was found."""
    reward = Reward(DB, **more)
    return reward(completions=[completion], gold=[gold])[0], reward.judged[0]


def assay_prints(*words):
    return subprocess.run([os.environ["ASSAY_PROGRAM"], *words], check=False,
                          capture_output=True, text=True)


class NotRun(InFolder):
    def test_masked(self):
        """what is refused or not understood is 0, and masked where a guard asks"""
        for status in "forbidden", "not_understood":
            line = {"verdicts": {"exec": {"v": "unknown", "reason": status}},
                    "gold_status": "ok", "pred_status": status}
            for action, reward in (None, 0.0), ("report", 0.0), ("mask", None):
                guards = {status: action} if action else None
                shape = Shape(None, guards, None, None)
                self.assertEqual(shape.judge(line, "x").reward, reward)

    def test_unread_set(self):
        """a set match that assay cannot decide is 0, too"""
        line = {"verdicts": {"set": {"v": "unknown", "reason": "not_understood"}},
                "gold_status": "ok", "pred_status": "ok"}
        shape = Shape({"set": 1.0}, None, None, None)
        self.assertEqual(shape.judge(line, "x").reward, 0.0)


class Shapes(InFolder):
    def test_async(self):
        """TRL's asynchronous shape is a coroutine function of the same name"""
        reward = Reward(DB, jobs=1, name="sql")
        function = reward.asynchronous()
        self.assertTrue(inspect.iscoroutinefunction(function))
        self.assertEqual((reward.__name__, function.__name__), ("sql", "sql"))

        async def both():
            return await asyncio.gather(
                function(prompts=["?"], completions=[COUNT], completion_ids=[[1]], gold=[COUNT]),
                function(prompts=["?"], completions=["SELECT 1"], completion_ids=[[1]], gold=[COUNT]))
        self.assertEqual(asyncio.run(both()), [[1.0], [0.0]])

    def test_trainer_hears(self):
        """reasons go to TRL's table, shares of them to its logs"""
        extra, metric = mock.Mock(), mock.Mock()
        reward = Reward(DB, jobs=1)
        reward(prompts=["?"] * 4, completions=[COUNT, "SELECT 1", "DROP TABLE products", "SELECT 16"],
               gold=[COUNT] * 4, log_extra=extra, log_metric=metric)
        extra.assert_called_once_with("assay_reason", ["", *reward.reasons[1:3], ""])
        self.assertEqual({call.args for call in metric.call_args_list}, {
            ("assay/right", 0.5), ("assay/rows_differ", 0.25), ("assay/forbidden", 0.25),
            ("assay/made_up", 0.25)})

    def test_extra_info(self):
        """what verl and Arctic keep in extra_info"""
        reward = Reward(SHOP, jobs=1)
        for info in ({"db_id": "shop", "index": 3, "split": "train"}, {"db_path": "/data/shop/shop.sqlite"},
                     {"db": "shop", "question": "How many?"}):
            self.assertEqual(reward.compute_score("bird", FENCED, COUNT, info), 1.0)
        self.assertIsNone(reward.compute_score("bird", FENCED, "SELECT nope", {"db": "shop"}))

    def test_remembers(self):
        """equal completions are judged once, in a batch and later, within a bound"""
        reward = Reward(DB, jobs=1, cache=4)
        with mock.patch.object(reward._scorer, "score_many", wraps=reward._scorer.score_many) as judge:
            def asked(*texts):
                before = judge.call_count
                reward(completions=list(texts), gold=[COUNT] * len(texts))
                return len(judge.call_args.args[0]) if judge.call_count > before else 0
            self.assertEqual(asked(COUNT, "SELECT 1", COUNT), 2)
            self.assertEqual(asked("SELECT 1", COUNT), 0)
            self.assertEqual(asked(*(f"SELECT {n}" for n in range(2, 12))), 10)
            self.assertLessEqual(len(reward._young) + len(reward._old), 4)
            self.assertEqual(asked(COUNT), 1)
        self.assertEqual(reward(completions=[COUNT], gold=[[COUNT, "SELECT 1"]]), [1.0])

    def test_not_remembered(self):
        """what a deadline left open is asked again"""
        reward = Reward(DB, jobs=1, deadline=0, work=None)
        self.assertEqual(reward(completions=[COUNT], gold=[COUNT]), [None])
        self.assertIn("not_run", reward.reasons[0])
        self.assertEqual(reward._young, {})

    def test_hangs_under_a_deadline(self):
        """what ran past its share of a deadline is 0, and hides nothing that is honest"""
        hangs = [f"{hacks.ENDLESS}SELECT count(*) + {n} FROM t" for n in range(4)]
        completions = [*hangs, *(f"SELECT 16 + {n} * 0" for n in range(8))]
        for jobs in (1, 2):
            reward = Reward(DB, jobs=jobs, deadline=8, work=None)
            began = time.monotonic()
            rewards = reward(completions=completions, gold=[COUNT] * 12)
            self.assertLess(time.monotonic() - began, 20)
            self.assertEqual(rewards, [0.0] * 4 + [1.0] * 8)
            self.assertTrue(all("timeout" in reason for reason in reward.reasons[:4]))
            self.assertEqual(len(reward._young), 8)

    def test_log_is_a_file(self):
        """a log that has no end is no log"""
        for device in ("/dev/zero", "/dev/full"):
            reward = Reward(DB, jobs=1, log=device)
            with self.assertRaisesRegex(assay.AssayError, "this is no file"):
                reward(completions=[COUNT], gold=[COUNT])

    def test_time_out_is_not_remembered(self):
        """what the clock ended is judged again, what its steps ended is not"""
        endless = hacks.ENDLESS + "SELECT count(*) FROM t"
        for more, kept in ({"timeout": 0.2, "work": None}, 0), ({"work": 1000}, 1):
            reward = Reward(DB, jobs=1, **more)
            self.assertEqual(reward(completions=[endless], gold=[COUNT]), [0.0])
            self.assertEqual(len(reward._young), kept)

    def test_copies(self):
        """pickled, forked, in threads: the same rewards"""
        reward = Reward(DB, jobs=1, weights={"exec": 0.5, "format": 0.5}, guards={"made_up": "zero"},
                        form=".*```", length=(10, 20))
        texts = [FENCED, COUNT, "SELECT 16", "SELECT 1 ```"]
        wanted = reward(completions=texts, gold=[COUNT] * 4)
        self.assertEqual(wanted, [1.0, 0.5, 0.0, 0.5])
        self.assertEqual(pickle.loads(pickle.dumps(reward))(completions=texts, gold=[COUNT] * 4), wanted)
        with ThreadPoolExecutor(4) as pool:
            for found in pool.map(lambda n: reward(completions=[*texts, f"SELECT {n}"], gold=[COUNT] * 5),
                                  range(100, 108)):
                self.assertEqual(found, [*wanted, 0.0])
        child = os.fork()
        if child == 0:
            same = reward(completions=[*texts, "SELECT 2"], gold=[COUNT] * 5) == [*wanted, 0.0]
            os._exit(0 if same else 1)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)


class Shaping(InFolder):
    def test_form(self):
        """the form counts for what does no harm, not for what does"""
        weights = {"exec": 0.8, "format": 0.2}
        for text, wanted in (
                (FENCED, 1.0), ("<think>```x```</think>" + FENCED, 1.0), (COUNT, 0.8), (FENCED + " There.", 0.8),
                ("```sql\nSELECT nope\n```", 0.2), ("```sql\nSELECT 17\n```", 0.2),
                ("```sql\nDELETE FROM products\n```", 0.0), ("", 0.0)):
            with self.subTest(text):
                self.assertAlmostEqual(one(text, COUNT, weights=weights)[0], wanted)
        self.assertEqual(one(COUNT, COUNT, weights=weights, form="SELECT .*")[0], 1.0)

    def test_length(self):
        """1 up to the first limit, 0 from the second on"""
        for spaces, wanted in ((0, 1.0), (21, 0.75), (41, 0.5), (99, 0.5)):
            text = COUNT.ljust(29 + spaces)
            with self.subTest(len(text)):
                found = one(text, COUNT, weights={"exec": 1, "length": 1}, length=(30, 70))[0]
                self.assertAlmostEqual(found, wanted)

    def test_said(self):
        """what is not 1 has a reason"""
        self.assertEqual(one(COUNT, COUNT, weights={"exec": 1, "format": 1})[1].reason, "format")
        self.assertIn("rows_differ", one("SELECT 1", COUNT, weights={"exec": 1, "runs": 1})[1].reason)

    def test_endless_answer(self):
        """an answer without end is 0, not masked"""
        reward = Reward(DB, jobs=1)
        self.assertEqual(reward(completions=["x" * 9_000_000, COUNT], gold=[COUNT] * 2), [0.0, 1.0])
        self.assertEqual(reward.reasons, ["too_long: an answer of 9000000 characters", None])

    def test_guards(self):
        """guards are reported, and act when they are told to"""
        empty = "SELECT id FROM products WHERE id < 0"
        for guard, completion, gold in (
                ("made_up", "SELECT 16", COUNT), ("both_empty", empty, NAMES + " WHERE id < -1"),
                ("superset", "SELECT * FROM products", NAMES)):
            with self.subTest(guard):
                plain = one(completion, gold, weights={"exec": 1, "subset": 1})
                self.assertGreater(plain[0], 0)
                self.assertEqual(plain[1].guards, (guard,))
                for action, wanted in (("report", plain[0]), ("zero", 0.0), ("mask", None)):
                    found = one(completion, gold, weights={"exec": 1, "subset": 1}, guards={guard: action})
                    self.assertEqual(found[0], wanted)
                self.assertEqual(found[1].reason, guard)
                self.assertEqual(one(COUNT, COUNT, guards={guard: "zero"})[0], 1.0)

    def test_refuted(self):
        """right on this database, wrong on the suite"""
        gold = self.folder / "gold.jsonl"
        gold.write_text(json.dumps({"db": "shop", "gold": "SELECT name FROM products WHERE id <= 16"}) + "\n")
        made = assay_prints("distill", "--gold", str(gold), "--db", str(SHOP), "--out", str(self.folder / "suite"))
        self.assertEqual(made.returncode, 0, made.stderr)
        reward = Reward(SHOP, guards={"refuted": "zero"}, suite=self.folder / "suite", jobs=1)
        texts = ["SELECT name FROM products", "SELECT name FROM products WHERE id < 17"]
        found = reward(completions=texts, gold=["SELECT name FROM products WHERE id <= 16"] * 2, db=["shop"] * 2)
        self.assertEqual(found, [0.0, 1.0])
        self.assertEqual([judged.guards for judged in reward.judged], [("refuted",), ()])

    def test_refused(self):
        """arguments that mean nothing"""
        for more in ({"guards": {"made_up": "no"}}, {"guards": {"none": "zero"}}, {"length": (5, 5)},
                     {"weights": {"length": 1}}, {"weights": {"exec": -1}}):
            with self.subTest(more):
                self.assertRaises(assay.AssayError, Reward, SHOP, **more)


class Hacks(InFolder):
    def test_all(self):
        """each has its reward and reason, and its neighbours are unharmed"""
        found, neighbours = hacks.play(hacks.reward_of(jobs=2), hacks.HACKS)
        self.assertEqual(set(neighbours), {1.0})
        for (title, _, _, wanted, word), (reward, reason) in zip(hacks.HACKS, found):
            with self.subTest(title):
                self.assertEqual((reward, reason.partition(":")[0]), (wanted, word))

    def test_page(self):
        """the table of docs/rewards.md has these attempts"""
        page = (ROOT / "docs/rewards.md").read_text()
        for title, _, _, wanted, word in hacks.HACKS:
            self.assertIn(hacks.row_of(title, wanted, word), page)


class Logs(InFolder):
    def rewarded(self, **more):
        """Two checkpoints of four completions, the second one better."""
        reward = Reward(SHOP, jobs=1, log=str(self.folder / "runs/step-{step}.jsonl"), **more)
        for step, right in ((10, 1), (20, 3)):
            state = mock.Mock(global_step=step)
            reward(completions=[COUNT] * right + [f"SELECT {step}"] * (3 - right) + [COUNT],
                   gold=[COUNT] * 3 + ["SELECT nope"], db=["shop"] * 4, question=["How <b>many?"] * 4,
                   trainer_state=state)
        return [str(self.folder / f"runs/step-{step}.jsonl") for step in (10, 20)]

    def test_journals(self):
        """show, report and compare read the logs of checkpoints"""
        logs = self.rewarded()
        for log, rights in zip(logs, (1, 3)):
            lines = assay.read_journal(log, pandas=False)
            self.assertEqual([line["verdicts"]["reward"]["v"] for line in lines],
                             ["yes"] * rights + ["no"] * (3 - rights) + ["unknown"])
            self.assertEqual(len({line["id"] for line in lines}), 4)
        shown = assay_prints("show", logs[0], "--metric", "reward")
        self.assertEqual((shown.returncode, shown.stdout.count("reward     no")), (0, 2))
        report = assay_prints("report", *logs, "--format", "markdown")
        self.assertIn("| step-20 | 4 | 75.0 %", report.stdout)
        for metric in ("reward", "exec"):
            pair = assay.compare(*logs, metric=metric, cluster="none")["pairs"][0]
            self.assertEqual((pair["a"], pair["b"], pair["cases"], pair["only_b"], pair["unknown"]),
                             ("step-10", "step-20", 3, 2, 1))
        self.assertEqual(assay_prints("report", logs[0], "--format", "html").returncode, 0)

    def test_goes_on(self):
        """a log is gone on with, by another process too; repeated cases have names of their own"""
        path = str(self.folder / "a.jsonl")
        for _ in range(2):
            reward = Reward(DB, jobs=1, log=path)
            for _ in range(2):
                reward(completions=[COUNT] * 2, gold=[COUNT] * 2, id=["x", "y"])
        lines = assay.read_journal(path, pandas=False)
        self.assertEqual([line["id"] for line in lines],
                         ["x", "y", "x#2", "y#2", "x#3", "y#3", "x#4", "y#4"])

    def test_other_settings(self):
        """runs under other limits are not compared"""
        for name, limit in (("a", 1), ("b", 2)):
            Reward(DB, jobs=1, timeout=limit, log=str(self.folder / name))(completions=[COUNT], gold=[COUNT])
        with self.assertRaisesRegex(assay.AssayError, "limits"):
            assay.compare(self.folder / "a", self.folder / "b", metric="reward")

    def test_refused(self):
        """a log needs its step, and is not written over something else"""
        with self.assertRaisesRegex(assay.AssayError, "step"):
            Reward(DB, jobs=1, log="{step}.jsonl")(completions=[COUNT], gold=[COUNT])
        other = self.folder / "other"
        for text, said in (("hello\n", "no journal"), ('{"journal":1}\n{"id', "torn")):
            other.write_text(text)
            with self.assertRaisesRegex(assay.AssayError, said):
                Reward(DB, jobs=1, log=str(other))(completions=[COUNT], gold=[COUNT])
            self.assertEqual(other.read_text(), text)
