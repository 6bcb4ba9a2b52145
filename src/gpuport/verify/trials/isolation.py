"""The parent's end of the worker: requests with time limits, restart after a hang or a crash."""

from __future__ import annotations

import contextlib
import json
import math
import os
import select
import signal
import subprocess
import sys
import time
import uuid
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gpuport.verify.records import VerifyOptions
from gpuport.verify.sides.orphans import strays
from gpuport.verify.sides.processortime import ProcessorTime, processor_time
from gpuport.verify.sides.stages import OF_ORIGINAL, Stages

_MARK = "GPUPORT_WORKER"  # tells what user code started
_START_SECONDS = 120.0
# of requests that wait in the pipe, which holds 64 KiB on Linux
_AHEAD_BYTES = 40_000
HUNG = "no answer within"
_LOOKS = 10  # how often, within a time limit, it is looked whether another stage has begun
# where other work keeps the worker from running: of the limit, what it must have had of the
# processor, and how long it is waited for that
_HAD, _PATIENCE = 0.8, 6


def load_request(
    original: Mapping[str, str], port: Mapping[str, str], scratch: Path, options: VerifyOptions
) -> dict[str, Any]:
    """What a worker is told to load: two versions, and on what the port is to run."""
    return {
        "op": "load",
        "original": dict(original),
        "port": dict(port),
        "scratch": str(scratch),
        "backend": options.backend,
        "host_module": options.host_module,
        "memory": options.memory_bytes,
    }


class WorkerLost(Exception):
    """The worker hung or died; `stage` says whose code was running."""

    def __init__(self, stage: str, what: str) -> None:
        super().__init__(f"{what} while running the {stage}")
        self.stage = stage
        self.what = what


class Worker:
    """A persistent worker process; use as a context manager."""

    def __init__(self, load: dict[str, Any], scratch: Path) -> None:
        self._request = load
        self._scratch = scratch
        self._process: subprocess.Popen[bytes] | None = None
        self._send = self._receive = -1
        self._buffer = b""
        self._sent: deque[int] = deque()  # sizes of the requests that are not answered yet
        self._stages: Stages | None = None
        self._mark = f"{_MARK}={uuid.uuid4().hex}"
        self.backend = ""
        self.remarks: tuple[str, ...] = ()
        self.original_seconds = math.inf  # the limit for calls of the original, where it is less

    def another(self, scratch: Path) -> Worker:
        """A worker of its own for the same two versions; `scratch` is an empty folder."""
        return Worker({**self._request, "scratch": str(scratch)}, scratch)

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> dict[str, Any]:
        """Start the process and load both versions.

        Returns
        -------
        dict
            ``status`` is ``loaded``, or ``import-failed`` with ``side`` and ``message``.
        """
        self.stop()
        ours, theirs = os.pipe(), os.pipe()  # parent -> child, child -> parent
        self._stages = Stages(self._scratch)
        fds = (ours[0], theirs[1], self._stages.descriptor)
        code = f"from gpuport.verify.trials.worker import main; main{(*fds, os.getpid())}"
        self._process = subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=fds,
            cwd=self._scratch,
            env={**environment(), **dict([self._mark.split("=")])},
            start_new_session=True,
        )
        os.close(ours[0])
        os.close(theirs[1])
        self._send, self._receive, self._buffer = ours[1], theirs[0], b""
        answer = self._exchange(self._request, _START_SECONDS)
        self.backend = answer.get("backend", "")
        self.remarks = tuple(answer.get("remarks", ()))
        return answer

    def ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        """One request; restarts the worker first where the last one was lost.

        Raises
        ------
        WorkerLost
            When no answer came within `seconds` of a stage's start, or the process died.
        """
        with contextlib.suppress(WorkerLost):
            while self._sent:  # answers that nobody waits for any more
                self.take(seconds)
        if self._process is None:
            self.start()
        return self._exchange(request, seconds)

    @property
    def process(self) -> int | None:
        """The number of the process, where there is one."""
        return None if self._process is None else self._process.pid

    @property
    def waiting(self) -> int:
        """How many requests were posted and are not answered yet; a lost worker has none."""
        return len(self._sent)

    def post(self, request: dict[str, Any]) -> bool:
        """Send a request whose answer `take` gives, where the worker can hold one more.

        Raises
        ------
        WorkerLost
            When the worker died, or broke its connection.
        """
        line = (json.dumps(request) + "\n").encode()
        if self._sent and sum(self._sent) + len(line) > _AHEAD_BYTES:
            return False  # a full pipe would make both ends wait for each other
        if self._process is None:
            self.start()
        try:
            os.write(self._send, line)
        except OSError:
            raise self._lost() from None
        self._sent.append(len(line))
        return True

    def take(self, seconds: float) -> dict[str, Any]:
        """The answer to the request that was posted first.

        Raises
        ------
        WorkerLost
            As for `ask`. All other requests are lost with it.
        """
        try:
            answer = dict(json.loads(self._line(seconds))["done"])
        except TimeoutError as late:
            assert self._stages is not None
            stage = self._stages.last()
            self.stop()
            raise WorkerLost(stage, f"{HUNG} {late.args[0]:g} s") from None
        except (OSError, EOFError, ValueError):
            raise self._lost() from None
        self._sent.popleft()
        return answer

    def _exchange(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        self.post(request)
        return self.take(seconds)

    def _lost(self) -> WorkerLost:
        assert self._stages is not None
        return WorkerLost(self._stages.last(), self._death())

    def _line(self, limit: float) -> bytes:
        """An answer; each stage that the worker begins has so many seconds."""
        assert self._stages is not None
        begun, started = self._stages.count(), time.monotonic()
        used: ProcessorTime | None = None  # at the first look: most answers need none
        while b"\n" not in self._buffer:
            of_original = self._stages.last() in OF_ORIGINAL
            seconds = min(limit, self.original_seconds) if of_original else limit
            if not select.select([self._receive], [], [], seconds / _LOOKS)[0]:
                now = self._stages.count(), time.monotonic()
                if now[0] != begun:
                    (begun, started), used = now, self._used()
                elif used is None:
                    used = self._used()
                elif now[1] - started >= seconds * self._patience(used, seconds):
                    raise TimeoutError(seconds)
                continue
            chunk = os.read(self._receive, 1 << 16)
            if not chunk:
                raise EOFError
            self._buffer += chunk
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line

    def _used(self) -> ProcessorTime | None:
        return None if self._process is None else processor_time(self._process.pid)

    def _patience(self, since: ProcessorTime | None, seconds: float) -> int:
        """How many times the limit are waited for: more where other work keeps it from running."""
        now = self._used()
        starved = now is not None and since is not None and now.starved(since, _HAD * seconds)
        return _PATIENCE if starved else 1

    def _death(self) -> str:
        status = None
        if self._process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                status = self._process.wait(timeout=2)
        self.stop()
        if status is None:
            return "the process broke its connection"
        if status < 0:
            return f"the process was killed by {signal.Signals(-status).name}"
        return f"the process exited with status {status}"

    def stop(self) -> None:
        """End the process, whatever it is doing, and its children."""
        process, self._process = self._process, None
        self._sent.clear()
        if self._stages is not None:
            self._stages.close()
        for descriptor in (self._send, self._receive):
            if descriptor >= 0:
                with contextlib.suppress(OSError):
                    os.close(descriptor)
        self._send = self._receive = -1
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for stray in strays(self._mark):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(stray, signal.SIGKILL)


def environment() -> dict[str, str]:
    """That user code runs in: the package found, one thread, no bytecode written."""
    package_parent = str(Path(__file__).resolve().parents[3])
    inherited = os.environ.get("PYTHONPATH")
    kept = [package_parent, *([inherited] if inherited else [])]
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return {
        **os.environ,
        **threads,
        "PYTHONPATH": os.pathsep.join(kept),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "GPUPORT_FALLBACK": "loops",
        "GPUPORT_FROM_SIZE": "0",  # examples are small on purpose
        "MPLBACKEND": "Agg",
    }
