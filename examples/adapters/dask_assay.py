"""assay on a Dask cluster: a process `assay worker` for each piece of requests.

    from distributed import Client
    answers = score(Client("scheduler:8786"), requests,
                    ["assay", "worker", "--db", "/data/database", "--now", "2026-11-20"])

`requests` are JSON lines as docs/cli/worker.md has them; `answers` come in
their order, a line each. The program and the databases have to be there, under
the same paths, on every machine. A piece whose machine dies is judged anew by
another one: with --now and steps as the limit (--work) the verdicts are the same.
"""
import subprocess


def judge(lines, command):
    """The answers to some requests: one run of `assay worker`."""
    done = subprocess.run([*command, "--ordered", "--no-times", "--jobs", "1"],
                          input="".join(line.rstrip("\n") + "\n" for line in lines),
                          stdout=subprocess.PIPE, text=True, check=True)
    answers = done.stdout.splitlines()
    if len(answers) != len(lines):
        raise RuntimeError(f"{len(answers)} answers to {len(lines)} requests")
    return answers


def score(client, requests, command, size=100):
    """All answers, judged in pieces of `size` requests by the workers of a cluster."""
    pieces = [requests[i:i + size] for i in range(0, len(requests), size)]
    futures = client.map(judge, pieces, command=list(command), pure=False)
    return [answer for piece in client.gather(futures) for answer in piece]


def score_spark(context, requests, command, pieces=None):
    """The same on Spark: pipe() starts `assay worker` for each partition."""
    words = [*command, "--ordered", "--no-times", "--jobs", "1"]
    return context.parallelize(requests, pieces).pipe(" ".join(words)).collect()
