"""assay as the scorer of a task of lm-evaluation-harness.

    task: shop_sql
    dataset_path: json
    dataset_kwargs: {data_files: {test: questions.jsonl}}
    test_split: test
    output_type: generate_until
    doc_to_text: "{{question}}\\nSQL:"
    doc_to_target: "{{gold}}"
    process_results: !function lm_eval_assay.process_results
    metric_list:
      - {metric: exec, aggregation: mean, higher_is_better: true}
      - {metric: exec_unknown, aggregation: mean, higher_is_better: false}

A document has question, gold and db. ASSAY_SOURCE names the folder of databases.
"""
import functools
import os

import assay


@functools.lru_cache(maxsize=None)
def judge():
    return assay.Scorer(os.environ["ASSAY_SOURCE"], metrics="exec")


def process_results(doc, results):
    line = judge().score(doc["gold"], results[0], db=doc.get("db"),
                         question=doc.get("question"))
    answer = line["verdicts"]["exec"]["v"]
    return {"exec": float(answer == "yes"),
            "exec_unknown": float(answer == "unknown")}
