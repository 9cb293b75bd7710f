"""assay as a metric of Hugging Face's evaluate.

    metric = evaluate.load("examples/adapters/evaluate_assay.py")
    metric.compute(predictions=["SELECT ..."],
                   references=[{"gold": "SELECT ...", "db": "shop"}],
                   source="database/")

gives the share of yes of each metric, {"exec": 0.78}, and how many cases could
not be judged, {"exec_unknown": 1}: these count as not passed.
"""
import assay
import datasets
import evaluate

DESCRIPTION = "Whether SQL returns what the gold SQL returns, and more; see assay."
INPUTS = """
predictions: answers of a model; SQL is taken out of them.
references: {"gold": SQL, "db": the name of its database}.
source: the folder of databases, one file, or the URL of a server.
metrics: "exec", "exec,cell_f1", ...
Further arguments are those of assay.Scorer.
"""


class Assay(evaluate.Metric):
    def _info(self):
        text = datasets.Value("string")
        return evaluate.MetricInfo(
            description=DESCRIPTION, citation="", inputs_description=INPUTS,
            features=datasets.Features({
                "predictions": text,
                "references": {"gold": text, "db": text}}))

    def _compute(self, predictions, references, source, metrics="exec", **scorer):
        records = [{"pred": pred, **reference}
                   for pred, reference in zip(predictions, references)]
        with assay.Scorer(source, metrics=metrics, **scorer) as judge:
            lines = judge.score_many(records)
        found = {}
        for key in lines[0]["verdicts"] if lines else ():
            answers = [line["verdicts"][key]["v"] for line in lines]
            found[key] = answers.count("yes") / len(answers)
            found[key + "_unknown"] = answers.count("unknown")
        return found
