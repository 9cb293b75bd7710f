"""assay as a Python assertion of promptfoo.

    tests:
      - vars: {question: How many customers?, gold: SELECT count(*) FROM customers, db: shop}
    defaultTest:
      assert:
        - type: python
          value: file://promptfoo_assay.py
          config: {source: database/}

`source` is the folder of databases; further members of `config` are arguments
of assay.Scorer. A case that cannot be judged raises, for it is not the model's.
"""
import functools
import json

import assay


@functools.lru_cache(maxsize=None)
def judge(config):
    settings = json.loads(config)
    return assay.Scorer(settings.pop("source"), **{"metrics": "exec", **settings})


def get_assert(output, context):
    case = context["vars"]
    if not isinstance(output, str):  # promptfoo parses JSON
        output = json.dumps(output)
    config = json.dumps(context.get("config") or {}, sort_keys=True)
    line = judge(config).score(case["gold"], output, db=case.get("db"),
                               question=case.get("question"))
    key, verdict = next(iter(line["verdicts"].items()))
    if verdict["v"] == "unknown":
        raise assay.AssayError(f"{verdict['reason']}: {verdict.get('detail', '')}",
                               "engine")
    is_right = verdict["v"] == "yes"
    why = ": ".join(verdict[word] for word in ("reason", "detail") if word in verdict)
    return {"pass": is_right, "score": verdict.get("score", float(is_right)),
            "reason": why or f"{key} says yes"}
