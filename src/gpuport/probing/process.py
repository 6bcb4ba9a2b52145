"""The worker process as its owner sees it: it is started, asked, and ended."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from gpuport.probing.answering import READY
from gpuport.probing.questions import NoWorker, ProbingError, Question

_GPUPORT = Path(__file__).parent.parent / "__init__.py"
_START = """
import sys
from importlib.util import module_from_spec, spec_from_file_location
spec = spec_from_file_location("gpuport", sys.argv[1])  # this one, whichever is installed
sys.modules["gpuport"] = module_from_spec(spec)
from gpuport.probing.answering import main
main()
"""


class Process:
    """A worker process.

    Raises
    ------
    NoWorker
        If it does not start.
    """

    def __init__(self) -> None:
        self.answered = 0
        threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        self._process = subprocess.Popen(
            # -P, and a folder of nobody's: a file of the user's called numpy.py is not NumPy
            [sys.executable, "-P", "-c", _START, str(_GPUPORT)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            cwd=tempfile.gettempdir(), env={**os.environ, **threads, "PYTHONHASHSEED": "0"},
        )  # fmt: skip
        if self._line() != READY:
            self.end()
            raise NoWorker(
                "the process that asks NumPy does not start; "
                f"does `{sys.executable} -c 'import numpy'` work?"
            )

    def answers(self, questions: Sequence[Question]) -> Iterator[str | None]:
        """The answers, in order, as texts; None, and nothing more, where the process died.

        Raises
        ------
        ProbingError
            If a prober has a defect.
        """
        stream = self._process.stdin
        assert stream is not None
        batch = "[" + ",".join(question.text for question in questions) + "]\n"
        with contextlib.suppress(OSError):  # where it died, it says nothing
            stream.write(batch.encode())
            stream.flush()
        for question in questions:
            kind, _, text = self._line().decode().rstrip("\n").partition(" ")
            if not kind:
                self.end()
                yield None
                return
            if kind == "error":
                raise ProbingError(f"{json.loads(text)} (asked: {question.text[:300]})")
            self.answered += 1
            yield text

    def end(self) -> None:
        """End the process, whatever it does."""
        self._process.kill()
        self._process.wait()
        self.disown()

    def disown(self) -> None:
        """Let go of the process; also of one of which another process is the owner."""
        if self._process.returncode is None:
            self._process.returncode = 0
        for stream in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                if stream is not None:
                    stream.close()

    def _line(self) -> bytes:
        """What it says next; nothing where it died."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        return line if line.endswith(b"\n") else b""


__all__ = ["Process"]
