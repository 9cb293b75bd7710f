#!/usr/bin/env python3
"""bench_judge.py ASSAY MOCK [PAIRS] - calls a second of assay judge against a
server on the same machine that answers at once: what assay itself costs, with
and without faults. Wall time, CPU time of assay alone."""
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time


def measure(assay, mock, pairs, faults):
    with tempfile.TemporaryDirectory() as folder:
        def path(name):
            return os.path.join(folder, name)
        with open(path("pairs.jsonl"), "w", encoding="utf-8") as file:
            for i in range(pairs):
                file.write(json.dumps({"id": str(i), "left": f"SELECT {i}",
                                       "right": f"SELECT {i} + 0"}) + "\n")
        server = subprocess.Popen([mock, path("port"), path("stats"),
                                   str(faults), "0"])
        try:
            while not (os.path.exists(path("port"))
                       and os.path.getsize(path("port"))):
                time.sleep(0.02)
            with open(path("port"), encoding="utf-8") as file:
                base = f"http://127.0.0.1:{file.read().strip()}/v1"
            start = time.monotonic()
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([assay, "judge", "--pairs", path("pairs.jsonl"),
                            "--model", "mock", "--concurrency", "64",
                            "--record", path("record.jsonl"),
                            "--out", path("out.jsonl"), "-q"], check=True,
                           env=dict(os.environ, ASSAY_API_BASE=base))
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            wall = time.monotonic() - start
        finally:
            server.terminate()
            server.wait()
    cpu = (after.ru_utime + after.ru_stime
           - before.ru_utime - before.ru_stime)
    print(f"  {faults:2} % faults  {wall:6.2f} s wall  {cpu:5.2f} s CPU  "
          f"{pairs / wall:6.0f} calls a second")


def main():
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # clean up
    assay, mock = sys.argv[1:3]
    pairs = int(sys.argv[3]) if len(sys.argv) > 3 else 10000
    print(f"judge: {pairs} pairs, 64 calls at a time, a server that answers "
          "at once")
    for faults in (0, 10):
        measure(assay, mock, pairs, faults)


if __name__ == "__main__":
    main()
