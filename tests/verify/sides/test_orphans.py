"""A worker that is in the user's code ends with the process that started it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from gpuport.verify.records import Verdict
from gpuport.verify.sides import orphans

PARENT = """
import sys, threading
from pathlib import Path
from gpuport.verify.trials.isolation import Worker

folder, file = Path(sys.argv[1]), Path(sys.argv[2])
place = {"root": str(file.parent), "module": "m", "file": str(file)}
load = {"op": "load", "original": place, "port": place, "scratch": str(folder),
        "backend": "host", "host_module": "gpuport.host", "memory": 4 << 30}
worker = Worker(load, folder)
worker.start()
"""
ENDLESS = """
import os
from pathlib import Path

Path(__file__).with_name("pid").write_text(str(os.getpid()))
while True:
    pass
"""


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{process}/stat")
    return not (state.exists() and state.read_text().rpartition(")")[2].split()[0] == "Z")


@pytest.mark.skipif(os.name != "posix", reason="kills by signals")
def test_a_worker_ends_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    file, told = tmp_path / "m.py", tmp_path / "pid"
    file.write_text(ENDLESS)
    parent = subprocess.Popen([sys.executable, "-c", PARENT, str(tmp_path), str(file)])
    deadline = time.monotonic() + 60
    while not (told.exists() and told.read_text()) and time.monotonic() < deadline:
        time.sleep(0.05)
    worker = int(told.read_text())
    assert _lives(worker)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    deadline = time.monotonic() + 10
    while _lives(worker) and time.monotonic() < deadline:
        time.sleep(0.05)
    left = _lives(worker)
    if left:
        os.kill(worker, signal.SIGKILL)
    assert not left


@pytest.mark.skipif(os.name != "posix", reason="forks")
@pytest.mark.parametrize("by_kernel", [True, False])
def test_without_the_kernel_a_thread_looks(by_kernel: bool, tmp_path: Path) -> None:
    code = (
        "import os, sys, time\n"
        "from gpuport.verify.sides import orphans\n"
        "orphans._SECONDS = 0.05\n"
        f"orphans._asked_of_kernel = orphans._asked_of_kernel if {by_kernel} else lambda: False\n"
        "first = os.getpid()\n"
        "if os.fork() == 0:\n"
        "    orphans.end_with(first)\n"
        "    open(sys.argv[1], 'w').write(str(os.getpid()))\n"
        "    while True: pass\n"
        "while not (os.path.exists(sys.argv[1]) and open(sys.argv[1]).read()): time.sleep(0.02)\n"
        "os._exit(0)\n"
    )
    told = tmp_path / "pid"
    subprocess.run([sys.executable, "-c", code, str(told)], check=True, timeout=60)
    child = int(told.read_text())
    deadline = time.monotonic() + 10
    while _lives(child) and time.monotonic() < deadline:
        time.sleep(0.05)
    left = _lives(child)
    if left:
        os.kill(child, signal.SIGKILL)
    assert not left


def test_a_parent_that_is_gone_ends_it_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[int] = []
    monkeypatch.setattr(orphans, "_asked_of_kernel", lambda: True)
    monkeypatch.setattr(orphans.os, "_exit", ended.append)
    orphans.end_with(os.getppid() + 1)
    assert ended == [1]


FORKING = """
def f(x: np.ndarray):
    import os

    os.fork()
    return x * 2
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
def test_a_process_that_user_code_forks_answers_nothing(verify: Any) -> None:
    port = FORKING.replace("x * 2", "x + x")
    assert verify(FORKING, port)["f"].verdict is Verdict.EQUIVALENT
    wrong = verify(FORKING, FORKING.replace("x * 2", "x * 3"))["f"]
    assert wrong.verdict is Verdict.DIFFERS
    assert wrong.reason.startswith("result")


STARTING = """
def f(x: np.ndarray):
    import subprocess

    subprocess.Popen(["sleep", "SECONDS"], start_new_session=True)
    return x * 2
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_processes_that_user_code_starts_are_ended(verify: Any) -> None:
    seconds = f"{100_000 + os.getpid()}"
    original = STARTING.replace("SECONDS", seconds)
    verify(original, original.replace("x * 2", "x + x"))
    deadline = time.monotonic() + 10  # who is killed may take a while to be gone
    while _running(seconds) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _running(seconds)


def _running(argument: str) -> list[bytes]:
    lines = (_command(place) for place in Path("/proc").glob("[0-9]*"))
    return [line for line in lines if argument.encode() in line]


def _command(place: Path) -> bytes:
    try:
        return (place / "cmdline").read_bytes()
    except OSError:
        return b""
