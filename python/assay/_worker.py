"""One `assay worker` that is kept alive: requests in, answers out."""
from __future__ import annotations

import itertools
import json
import os
import selectors
import subprocess
import threading
import time
import weakref
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Optional

from ._library import AssayError
from ._program import program

_PIECE = 1 << 16
_LINES = 64  # that are made at once


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

    def ask(self, requests: Iterable[str],
            deadline: Optional[float] = None) -> list[Optional[dict[str, Any]]]:
        """The answers, by request. A request is the members of an object, and
        its end: '"gold":"SELECT 1","pred":"SELECT 1"}'; it is asked for while
        those before it are judged. None: `deadline` seconds had passed before
        there was an answer."""
        end = None if deadline is None else time.monotonic() + deadline
        answers: list[Optional[dict[str, Any]]] = []
        requests = iter(requests)
        if self._lock.acquire(timeout=-1 if deadline is None else deadline):
            try:
                if not self._talk(requests, answers, end):
                    self._kill()
            except BaseException:
                self._kill()
                raise
            finally:
                self._lock.release()
        answers += [None for _ in requests]
        return answers

    def _talk(self, requests: Iterator[str],
              answers: list[Optional[dict[str, Any]]],
              end: Optional[float]) -> bool:
        """False when the time is over."""
        data = _lines(requests, answers)
        if not data:
            return True
        child = self._start()
        assert child.stdin and child.stdout
        rest = b""
        n_read = 0
        with selectors.DefaultSelector() as streams:
            streams.register(child.stdout, selectors.EVENT_READ)
            streams.register(child.stdin, selectors.EVENT_WRITE)
            # Who reads a line may answer before its end.
            while data or n_read < len(answers):
                left = None if end is None else end - time.monotonic()
                if left is not None and left <= 0:
                    return False
                for key, _ in streams.select(left):
                    if key.fileobj is child.stdin:
                        data = (data[self._write(child, data):]
                                or _lines(requests, answers))
                        if not data:
                            streams.unregister(child.stdin)
                        continue
                    piece = os.read(child.stdout.fileno(), _PIECE)
                    if not piece:
                        raise self._failure(n_read)
                    *lines, rest = (rest + piece).split(b"\n")
                    n_read += len(lines)
                    for answer in _read(lines):
                        # Of a line that was not looked into only its number is known.
                        number = answer.pop("id", None)
                        if number is None:
                            number = answer["line"] - self._n_lines - 1
                        answers[number] = answer
        self._n_lines += len(answers)
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

    def _failure(self, n_read: int) -> AssayError:
        assert self._program
        code = self._program.wait()
        self._errors.seek(0)
        said = self._errors.read().decode("utf-8", "replace").strip()[-2000:]
        return AssayError(
            f"assay worker ended with {code} after {n_read} verdicts: {said}",
            "usage" if code == 2 else "program")

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


def _lines(requests: Iterator[str],
           answers: list[Optional[dict[str, Any]]]) -> memoryview:
    """The next requests as the program reads them; places for their answers."""
    lines = [f'{{"id":{number},{request}\n' for number, request
             in enumerate(itertools.islice(requests, _LINES), len(answers))]
    answers += [None] * len(lines)
    return memoryview("".join(lines).encode())


def _read(lines: list[bytes]) -> list[dict[str, Any]]:
    """The objects that the lines are, read at once."""
    text = b",".join(lines)
    answers: list[dict[str, Any]] = []
    try:
        answers = json.loads(b"[%b]" % text)
    except ValueError:
        pass
    if len(answers) != len(lines) or not all(isinstance(answer, dict)
                                             for answer in answers):
        raise AssayError("assay worker does not answer: " + text[:200].decode(
            "utf-8", "replace"), "program")
    return answers


_all: weakref.WeakSet[Worker] = weakref.WeakSet()


def _after_fork() -> None:
    for worker in list(_all):
        worker._after_fork()


os.register_at_fork(after_in_child=_after_fork)
