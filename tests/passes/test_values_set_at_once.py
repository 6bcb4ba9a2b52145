"""``x, y = f(x, y), g(x, y)``: one kernel, that reads both before it sets either."""

from __future__ import annotations

import sys
import types
from typing import Any

import numpy as np
import pytest
from tests.passes.conftest import port

from gpuport.host import install

TEXT = """\
import numpy as np


def f(x: np.ndarray, y: np.ndarray, c: float):
    for _ in range(200):
        {body}
    return x, y


rng = np.random.default_rng(1)
x, y = rng.normal(size=(2, 9000))
print(f(x, y, 0.1))
"""


def function_of(text: str, name: str) -> Any:
    module = types.ModuleType(name)
    module.__dict__["print"] = lambda *_: None
    sys.modules[name] = module
    exec(compile(text, f"<{name}>", "exec"), module.__dict__)
    return module.__dict__["f"]


@pytest.mark.parametrize(
    ("body", "whole"),
    [
        ("x, y = np.sin(x) + c * np.cos(y), np.sin(y) - c * np.cos(x)", True),
        ("d = c * (x - y); x, y = np.tanh(x + d) * c, np.tanh(y - d) * c", True),
        ("x, y = np.tanh(y * c + x), np.tanh(x * c - y); x = x * c + y * c", True),
        # what the kernel itself has set is set again while the other reads it
        ("x = np.tanh(x) + y; x, y = c * y - x * c, c * np.tanh(x) - y * c", False),
        ("x, x = np.sin(x) + c * y, np.sin(y) - c * x", False),
    ],
)
def test_all_is_read_before_any_is_set(
    body: str, whole: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    install()
    import cupy as cp

    monkeypatch.setenv("GPUPORT_FALLBACK", "loops")
    text = TEXT.format(body="\n        ".join(body.split("; ")))
    made = port(text).after or text
    assert whole == ("x, y = _f(" in made)
    here, there = function_of(text, "at_once_before"), function_of(made, "at_once_after")
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=(2, 30))
    for one, other in ((x, y), (x, x)):
        expected = here(one.copy(), other.copy(), 0.25)
        found = there(cp.asarray(one), cp.asarray(other), 0.25)
        for a, b in zip(found, expected, strict=True):
            np.testing.assert_allclose(cp.asnumpy(a), b, rtol=1e-9)
