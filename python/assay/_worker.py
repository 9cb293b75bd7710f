"""One `assay worker` that is kept alive: requests in, answers out."""
from __future__ import annotations

import json
import os
import selectors
import subprocess
import threading
import time
import weakref
from collections.abc import Sequence
from typing import Any, Optional

from ._library import AssayError
from ._program import program

_PIECE = 1 << 16


class Worker:
    """The program, started when it is first asked.

    Threads take turns. A fork has a program of its own, and leaves its parent's
    alone. What becomes of a batch that is given up is nobody's business any more:
    its program is ended, and the next batch has a new one.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words
        self._program: Optional[subprocess.Popen[bytes]] = None
        self._errors: Any = None
        self._n_lines = 0  # that the program was sent before this batch
        self._lock = threading.Lock()
        _all.add(self)

    def ask(self, requests: Sequence[str],
            deadline: Optional[float] = None) -> list[Optional[dict[str, Any]]]:
        """The answers, by request. A request is the members of an object, and
        its end: '"gold":"SELECT 1","pred":"SELECT 1"}'. None: `deadline` seconds
        had passed before there was an answer."""
        end = None if deadline is None else time.monotonic() + deadline
        answers: list[Optional[dict[str, Any]]] = [None] * len(requests)
        if not self._lock.acquire(timeout=-1 if deadline is None else deadline):
            return answers
        try:
            if not self._talk(requests, answers, end):
                self._kill()
        except BaseException:
            self._kill()
            raise
        finally:
            self._lock.release()
        return answers

    def _talk(self, requests: Sequence[str],
              answers: list[Optional[dict[str, Any]]],
              end: Optional[float]) -> bool:
        """False when the time is over."""
        child = self._start()
        assert child.stdin and child.stdout
        data = memoryview("".join(
            f'{{"id":{number},{request}\n'
            for number, request in enumerate(requests)).encode())
        rest = b""
        n_left = len(requests)
        with selectors.DefaultSelector() as streams:
            streams.register(child.stdout, selectors.EVENT_READ)
            streams.register(child.stdin, selectors.EVENT_WRITE)
            while n_left or data:  # who reads a line may answer before its end
                left = None if end is None else end - time.monotonic()
                if left is not None and left <= 0:
                    return False
                for key, _ in streams.select(left):
                    if key.fileobj is child.stdin:
                        data = data[self._write(child, data):]
                        if not data:
                            streams.unregister(child.stdin)
                        continue
                    piece = os.read(child.stdout.fileno(), _PIECE)
                    if not piece:
                        raise self._failure(n_left, len(requests))
                    *lines, rest = (rest + piece).split(b"\n")
                    n_left -= len(lines)
                    for line in lines:
                        answer = _read(line)
                        # Of a line that was not looked into only its number is known.
                        number = answer.pop("id", None)
                        if number is None:
                            number = answer["line"] - self._n_lines - 1
                        answers[number] = answer
        self._n_lines += len(requests)
        return True

    @staticmethod
    def _write(child: subprocess.Popen[bytes], data: memoryview) -> int:
        assert child.stdin
        try:
            return os.write(child.stdin.fileno(), data[:_PIECE])
        except BlockingIOError:
            return 0
        except BrokenPipeError:  # it says why
            return len(data)

    def _start(self) -> subprocess.Popen[bytes]:
        if self._program is None:
            self._errors = open(os.memfd_create("assay worker"), "w+b")
            self._n_lines = 0
            try:
                self._program = subprocess.Popen(
                    [program(), "worker", *self._words], stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE, stderr=self._errors, bufsize=0,
                    env={**os.environ, "NO_COLOR": "1"})
            except OSError as error:
                raise AssayError(f"the program assay does not start: {error}",
                                 "program") from None
            assert self._program.stdin
            os.set_blocking(self._program.stdin.fileno(), False)
        return self._program

    def _failure(self, n_left: int, n_all: int) -> AssayError:
        assert self._program
        code = self._program.wait()
        self._errors.seek(0)
        said = self._errors.read().decode("utf-8", "replace").strip()[-2000:]
        return AssayError(
            f"assay worker ended with {code} and {n_all - n_left} of {n_all} "
            f"verdicts: {said}", "usage" if code == 2 else "program")

    def _kill(self) -> None:
        child = self._forget()
        if child:
            child.kill()
            child.wait()

    def _forget(self) -> Optional[subprocess.Popen[bytes]]:
        """Closes our ends of its pipes."""
        child, self._program = self._program, None
        if child:
            assert child.stdin and child.stdout
            for stream in (child.stdin, child.stdout, self._errors):
                stream.close()
        return child

    def close(self) -> None:
        """Ends the program; it is started again when it is asked again."""
        with self._lock:
            self._kill()

    def __del__(self) -> None:
        self._kill()

    def _after_fork(self) -> None:
        self._lock = threading.Lock()
        child = self._forget()
        if child:
            child.returncode = 0  # the parent's, not ours to wait for


def _read(line: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(line)
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        raise AssayError("assay worker does not answer: " + line[:200].decode(
            "utf-8", "replace"), "program")
    return answer


_all: weakref.WeakSet[Worker] = weakref.WeakSet()


def _after_fork() -> None:
    for worker in list(_all):
        worker._after_fork()


os.register_at_fork(after_in_child=_after_fork)
