"""What is told does not depend on the order in which Python goes through sets."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import numpy as np

def forward(x):
    a, b = x[1:], x[:-1]
    for i in range(len(a)):
        a[i] = b[i]
    return x

def backward(x):
    a, b = x[1:], x[:-1]
    for i in range(len(b)):
        b[i] = a[i] * 2
    return x

def mirrored(x):
    r = x[::-1]
    for i in range(len(x)):
        x[i] = x[i] + r[i]
    return x

def paired(x):
    e, o = x[::2], x[1::2]
    for i in range(len(o)):
        e[i] += o[i]
    return x

def main():
    x = np.arange(900.0)
    for f in (forward, backward, mirrored, paired):
        print(f(x.copy()).sum())

main()
"""


def _told(path: Path, seed: int) -> str:
    command = [sys.executable, "-m", "gpuport", "check", "--no-cache", "--output-format", "json"]
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    done = subprocess.run(
        [*command, path.name], cwd=path.parent, env=environment, capture_output=True, text=True
    )
    assert '"GP202"' in done.stdout, done.stderr
    return done.stdout


def test_which_of_several_functions_is_told_does_not_depend_on_hashes(tmp_path: Path) -> None:
    path = tmp_path / "views.py"
    path.write_text(PROGRAM)
    assert len({_told(path, seed) for seed in (1, 2, 3)}) == 1
