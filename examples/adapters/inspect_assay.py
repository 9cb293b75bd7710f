"""assay as a scorer of Inspect.

    Task(dataset=[Sample(input="How many customers?",
                         target="SELECT count(*) FROM customers",
                         metadata={"db": "shop"})],
         solver=[generate()], scorer=assay_sql("database/"))

What cannot be judged is "N", no answer, with the reason as its explanation.
"""
import asyncio

import assay
from inspect_ai.scorer import (CORRECT, INCORRECT, NOANSWER, Score, accuracy,
                               scorer, stderr)

VALUES = {"yes": CORRECT, "no": INCORRECT, "unknown": NOANSWER}


@scorer(metrics=[accuracy(), stderr()])
def assay_sql(source, metric="exec", **more):
    judge = assay.Scorer(source, metrics=metric, **more)

    async def score(state, target):
        line = await asyncio.to_thread(
            judge.score, list(target), state.output.completion,
            db=(state.metadata or {}).get("db"), question=state.input_text)
        verdict = line["verdicts"][metric]
        why = ": ".join(verdict[word] for word in ("reason", "detail")
                        if word in verdict)
        return Score(value=VALUES[verdict["v"]], answer=line["pred"] or "",
                     explanation=why)
    return score
