"""The program assay: where it is, and how it is run."""
from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Sequence
from typing import Optional

from ._library import AssayError, find


def program() -> str:
    """Its path: ASSAY_PROGRAM, in the package, in `build`, or on PATH."""
    path = find("ASSAY_PROGRAM", "bin/assay", "assay") or shutil.which("assay")
    if not path:
        raise AssayError("the program assay is not there; "
                         "ASSAY_PROGRAM=FILE names it", "program")
    return path


def run(words: Sequence[str], data: bytes = b"",
        deadline: Optional[float] = None) -> tuple[int, bytes, str]:
    """Runs assay with `data` on its standard input.

    Past `deadline` seconds it is interrupted, which keeps what is finished.
    Returns its exit code, standard output, and standard error as text.
    """
    try:
        child = subprocess.Popen(
            [program(), *words], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, "NO_COLOR": "1"})
    except OSError as error:
        raise AssayError(f"the program assay does not start: {error}",
                         "program") from None
    with child:
        try:
            try:
                out, err = child.communicate(data, deadline)
            except subprocess.TimeoutExpired:
                out, err = _interrupt(child)
        except BaseException:
            child.kill()
            raise
    return child.returncode, out, err.decode("utf-8", "replace")


def _interrupt(child: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    child.send_signal(signal.SIGINT)
    try:
        return child.communicate(timeout=2)
    except subprocess.TimeoutExpired:
        child.kill()
        return child.communicate()
