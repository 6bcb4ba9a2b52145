"""Faults in what is left behind: memory of the module, its state, refusals, full buffers, lists."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gpuport.verify.inputs.layouts import LAYOUTS, laid_out, layout_of
from gpuport.verify.records import Verdict, VerifyOptions

# the original, and what a faulty port has in the place of which part of it
FAULTS = {
    "memory of a table": (
        "table = np.arange(12.0).reshape(3, 4)\ndef f(i: int):\n    return table[i % 3].copy()",
        ("table[i % 3].copy()", "table[i % 3]"),
    ),
    "memory of what is remembered": (
        "known = {}\ndef f(n: int):\n    if n not in known:\n        known[n] = np.hanning(n)\n"
        "    return known[n].copy()",
        ("known[n].copy()", "known[n]"),
    ),
    "state that the port alone changes": (
        "limits = {'high': 1.0}\ndef f(x: np.ndarray):\n    own = dict(limits)\n"
        "    own['high'] = x.max()\n    return np.minimum(x, own['high'] / 2)",
        ("dict(limits)", "limits"),
    ),
    "two rules broken at a time": (
        "def f(x: np.ndarray, n: int):\n    if x.ndim == 3:\n        raise ValueError('axes')\n"
        "    if n <= 0:\n        raise TypeError('n')\n    return x * n",
        (
            "    if x.ndim == 3:\n        raise ValueError('axes')\n"
            "    if n <= 0:\n        raise TypeError('n')\n",
            "    if n <= 0:\n        raise TypeError('n')\n"
            "    if x.ndim == 3:\n        raise ValueError('axes')\n",
        ),
    ),
    "a full buffer": (
        "class F:\n    def __init__(self, size: int):\n        self.held = np.zeros(size)\n"
        "        self.place, self.full = 0, False\n"
        "    def push(self, v: float):\n        self.held[self.place] = v\n"
        "        self.place += 1\n        if self.place == len(self.held):\n"
        "            self.place, self.full = 0, True\n"
        "    def f(self):\n        if not self.full:\n"
        "            return self.held[: self.place].copy()\n"
        "        return np.roll(self.held, -self.place)\n",
        ("-self.place)", "self.place)"),
    ),
    "a list": (
        "def f(x):\n    return np.asarray(x) * 0.5",
        ("np.asarray(x) * 0.5", "np.asarray(x) * (0.5 if not isinstance(x, list) else 0)"),
    ),
    "a tuple of axes": (
        "def f(x, axis=None):\n    return np.sum(x, axis=axis)",
        ("axis=axis)", "axis=axis[0] if isinstance(axis, tuple) else axis)"),
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_in_what_is_left_behind_is_found(name: str, verify: Any, tmp_path: Path) -> None:
    text, (old, new) = FAULTS[name]
    assert old in text
    options = VerifyOptions(root=tmp_path)
    function = "F.f" if "class F" in text else "f"
    found = verify(text, text.replace(old, new), options)[function]
    assert found.verdict is Verdict.DIFFERS, found


def test_memory_of_the_module_that_the_original_gives_too_is_no_fault(verify: Any) -> None:
    text = "table = np.arange(12.0).reshape(3, 4)\ndef f(i: int):\n    return table[i % 3]"
    found = verify(text, text.replace("i % 3", "(i + 3) % 3"))["f"]
    assert found.verdict is Verdict.EQUIVALENT, found


def test_a_layout_is_told_again_for_a_replay() -> None:
    import numpy as np

    values = np.arange(24.0).reshape(2, 3, 4)
    told = {layout: layout_of(laid_out(values, layout)) for layout in LAYOUTS}
    for layout in ("strided", "reversed", "mirrored", "spaced"):
        assert told[layout] == layout
    assert told["C"] == told["F"] == ""
