"""What the worker itself has open is closed to the code that it calls."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

from gpuport.verify.records import Verdict

PROGRAM = """
import os
from gpuport.verify.sides.descriptors import guard_descriptors
before = os.pipe()
guard_descriptors()
for number in (0, 1, *before):
    try:
        open(number)
    except OSError as error:
        print(error.errno)
receive, send = os.pipe()
with open(send, "w") as stream:
    stream.write("own pipes stay")
with open(receive) as stream:
    print(stream.read())
with open(os.devnull) as stream:
    print(repr(stream.read()))
"""


def test_only_what_is_opened_afterwards_can_be_opened_by_its_number() -> None:
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["9"] * 4 + ["own pipes stay", "''"]


def test_the_worker_s_pipes_cannot_be_read(verify: Any) -> None:
    text = """
import contextlib

def doubled(x: np.ndarray):
    for number in range(64):
        with contextlib.suppress(OSError):
            open(number).read()
    return x * 2.0
"""
    verdict = verify(text, text.replace("x * 2.0", "2.0 * x"))["doubled"]
    assert verdict.verdict is Verdict.EQUIVALENT, verdict
