"""examples/adapters, called as the documents of the tools say.

Debian has none of these tools: what an adapter imports from one is stood in
for by as much of it as the documents describe.
"""
import asyncio
import importlib
import os
import shlex
import subprocess
import sys
import types
from unittest import mock

import assay
from place import ROOT, SHOP, InFolder

COUNT = "SELECT count(*) FROM customers"
FENCED = f"Here it is:\n```sql\n{COUNT}\n```"


class Metric:
    """evaluate.Metric: compute() checks what it gets, then asks _compute()."""

    def __init__(self):
        self.info = self._info()

    def compute(self, *, predictions, references, **more):
        assert set(self.info["features"]) == {"predictions", "references"}
        assert len(predictions) == len(references)
        for reference in references:
            assert set(reference) == set(self.info["features"]["references"])
        return self._compute(predictions=predictions, references=references, **more)


def module(name, **members):
    made = types.ModuleType(name)
    made.__dict__.update(members)
    return made


STANDS_IN = {
    "datasets": module("datasets", Value=lambda kind: kind, Features=dict),
    "evaluate": module("evaluate", Metric=Metric, MetricInfo=dict),
    "inspect_ai": module("inspect_ai"),
    "inspect_ai.scorer": module(
        "inspect_ai.scorer", CORRECT="C", INCORRECT="I", NOANSWER="N", Score=types.SimpleNamespace,
        accuracy=lambda: "accuracy", stderr=lambda: "stderr",
        scorer=lambda metrics: lambda function: function),
}


class Adapters(InFolder):
    def load(self, name):
        path = str(ROOT / "examples/adapters")
        with mock.patch.dict(sys.modules, STANDS_IN), mock.patch.object(sys, "path", [path, *sys.path]):
            sys.modules.pop(name, None)
            return importlib.import_module(name)

    def test_evaluate(self):
        """evaluate: compute(predictions=, references=)"""
        metric = self.load("evaluate_assay").Assay()
        gold = {"gold": COUNT, "db": "shop"}
        found = metric.compute(
            predictions=[FENCED, "SELECT 13", "DELETE FROM customers", COUNT],
            references=[gold, gold, gold, {"gold": "SELECT nope", "db": "shop"}], source=SHOP, metrics="exec,subset")
        self.assertEqual(found, {"exec": 0.25, "exec_unknown": 1, "subset": 0.25, "subset_unknown": 1})
        self.assertEqual(metric.compute(predictions=[], references=[], source=SHOP), {})

    def test_promptfoo(self):
        """promptfoo: get_assert(output, context)"""
        get_assert = self.load("promptfoo_assay").get_assert
        context = {"vars": {"question": "How many?", "gold": COUNT, "db": "shop"}, "config": {"source": str(SHOP)}}
        self.assertEqual(get_assert(FENCED, context), {"pass": True, "score": 1.0, "reason": "exec says yes"})
        wrong = get_assert("SELECT 13", context)
        self.assertEqual((wrong["pass"], wrong["score"]), (False, 0.0))
        self.assertIn("rows_differ", wrong["reason"])
        context["vars"]["gold"] = "SELECT nope"
        with self.assertRaisesRegex(assay.AssayError, "gold_failed"):
            get_assert(FENCED, context)

    def test_inspect(self):
        """Inspect: score(state, target), several targets"""
        score = self.load("inspect_assay").assay_sql(SHOP, jobs=1)

        def value(completion, target):
            state = types.SimpleNamespace(output=types.SimpleNamespace(completion=completion),
                                          metadata={"db": "shop"}, input_text="How many?")
            found = asyncio.run(score(state, target))
            return found.value, found.answer, found.explanation.partition(":")[0]
        self.assertEqual(value(FENCED, [COUNT]), ("C", COUNT, ""))
        self.assertEqual(value(FENCED, ["SELECT 13", COUNT])[0], "C")
        self.assertEqual(value("SELECT 13", [COUNT]), ("I", "SELECT 13", "rows_differ"))
        self.assertEqual(value("", [COUNT]), ("I", "", "no_prediction"))
        self.assertEqual(value(FENCED, ["SELECT nope"])[0::2], ("N", "gold_failed"))

    def test_lm_eval(self):
        """lm-evaluation-harness: process_results(doc, results)"""
        with mock.patch.dict(os.environ, ASSAY_SOURCE=str(SHOP)):
            process_results = self.load("lm_eval_assay").process_results
            doc = {"question": "How many?", "gold": COUNT, "db": "shop"}
            self.assertEqual(process_results(doc, [FENCED]), {"exec": 1.0, "exec_unknown": 0.0})
            self.assertEqual(process_results(doc, ["SELECT 13"]), {"exec": 0.0, "exec_unknown": 0.0})
            doc["gold"] = "SELECT nope"
            self.assertEqual(process_results(doc, [FENCED]), {"exec": 0.0, "exec_unknown": 1.0})

    def test_dask(self):
        """Dask: two workers, one killed, the same answers"""
        python = next((p for p in (sys.executable, "/usr/bin/python3") if os.path.exists(p) and subprocess.run(
            [p, "-c", "import distributed"], capture_output=True, check=False).returncode == 0), None)
        if not python:
            self.skipTest("no Python with distributed (python3-distributed)")
        done = subprocess.run([python, str(ROOT / "tests/python/dask_cluster.py"), os.environ["ASSAY_PROGRAM"], str(SHOP)],
                              capture_output=True, text=True, check=True, timeout=300)
        self.assertEqual(done.stdout, "240 answers, 1 worker killed, same: True\n")

    def test_spark(self):
        """Spark: pipe() gives each partition to a process, as its documents say"""
        class Partitions:
            def __init__(self, parts):
                self.parts = parts

            def pipe(self, command):
                return Partitions([subprocess.run(shlex.split(command), input="".join(f"{x}\n" for x in part),
                                                  capture_output=True, text=True, check=True).stdout.splitlines()
                                   for part in self.parts])

            def collect(self):
                return [x for part in self.parts for x in part]

        context = types.SimpleNamespace(parallelize=lambda all, n: Partitions([all[:1], all[1:]]))
        lines = (ROOT / "examples/requests.jsonl").read_text().splitlines()[:2]
        command = [os.environ["ASSAY_PROGRAM"], "worker", "--db", str(SHOP), "--now", "2026-11-20"]
        adapter = self.load("dask_assay")
        self.assertEqual(adapter.score_spark(context, lines, command, 2), adapter.judge(lines, command))

    def test_page(self):
        """docs/adapters.md names each of them"""
        page = (ROOT / "docs/adapters.md").read_text()
        for path in (ROOT / "examples/adapters").glob("*.py"):
            self.assertIn(f"(../examples/adapters/{path.name})", page)
