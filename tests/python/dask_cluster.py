#!/usr/bin/env python3
"""dask_cluster.py ASSAY SOURCE - two workers of Dask, one of which is killed in the middle.

Run by test_adapters.py with a Python that has `distributed` (Debian's
python3-distributed). Prints how many requests there were and whether the
answers are those of one run of `assay worker`.
"""
import json
import os
import pathlib
import signal
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "examples/adapters"))
os.environ["PYTHONPATH"] = sys.path[0]

import dask_assay  # noqa: E402
from distributed import Client, LocalCluster  # noqa: E402

REQUESTS = 240
SLOW = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 200000) SELECT count(*) FROM r"


def requests():
    for i in range(REQUESTS):
        pred = SLOW if i % 7 == 0 else f"SELECT {i} % 13" if i % 3 else "SELECT count(*) FROM customers"
        yield json.dumps({"id": i, "db": "shop", "gold": "SELECT count(*) FROM customers", "pred": pred})


def kill_one(client, killed):
    """Once a piece has been judged somewhere, that worker dies."""
    pids = client.run(os.getpid)
    while not killed:
        busy = [name for name, keys in client.has_what().items() if keys]
        if busy:
            os.kill(pids[busy[0]], signal.SIGKILL)
            killed.append(busy[0])
        time.sleep(0.05)


def main():
    command = [sys.argv[1], "worker", "--db", sys.argv[2], "--metrics", "exec", "--now", "2026-11-20"]
    lines = list(requests())
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, \
            Client(cluster) as client:
        killed = []
        killer = threading.Thread(target=kill_one, args=(client, killed), daemon=True)
        killer.start()
        answers = dask_assay.score(client, lines, command, size=10)
        killer.join(10)
    alone = dask_assay.judge(lines, command)
    print(f"{len(answers)} answers, {len(killed)} worker killed, same: {answers == alone}")


if __name__ == "__main__":
    main()
