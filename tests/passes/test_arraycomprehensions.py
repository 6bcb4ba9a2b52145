"""Arrays made of comprehensions over elements are filled by kernels."""

from __future__ import annotations

import pytest

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

HEAD = "import numpy as np\n\n\ndef f(x: np.ndarray, i=2):\n"


def ported(body: str) -> str:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    return port_module(parse("module.py", HEAD + lines), Config()).after or ""


@pytest.mark.parametrize(
    "body",
    [
        "return np.array([v * 2 for v in x])",
        "a = np.array([x[k] - x[k - 1] for k in range(1, len(x))])\nreturn a",
        "return np.asarray([abs(u - v) for u, v in zip(x, x[::-1])]).sum()",
        "a = 2 * np.array([\n    v + 1\n    for v in x\n])\nreturn a",
        "return np.sin(x).sum() + np.array([v + 1 for v in x]).max() + np.cos(x).min()",
    ],
)
def test_a_kernel_fills_them(body: str) -> None:
    text = ported(body)
    assert "@kernel(" in text
    assert "launchable" not in text
    assert ".append(" in text


def test_names_that_mean_something_else_stay(monkeypatch) -> None:
    text = ported("a = np.array([x[i] * i for i in range(len(x))])\nreturn a * i")
    assert "for i_ in range(len(x)):" in text
    assert "return a * i" in text


@pytest.mark.parametrize(
    "body",
    [
        "return np.array([v * 2 for v in x if v > 0])",
        "return np.array([u * v for u in x for v in x])",
        "return np.array([g(v) for v in x])",
        "return i * g(x) + np.array([v * 2 for v in x])",
        "return np.array([[v, v] for v in x])",
        "return np.array([v * 2 for v in x]) if i else x",
    ],
)
def test_others_stay(body: str) -> None:
    assert "ernel(" not in ported(body)


def test_a_filter_is_the_reason() -> None:
    text = HEAD + "    return np.array([v * 2 for v in x if v > 0])\n"
    found = port_module(parse("module.py", text), Config()).findings
    assert any("as many items as the data say" in one.message for one in found)
