"""Which boundaries say from how many elements on the device is faster."""

from __future__ import annotations

import re

import pytest

from gpuport.config import Config
from gpuport.porter import port_text
from gpuport.source.reading import decode

HEAD = "import numpy as np\n\n\n"


def _ported(text: str, config: Config) -> str:
    return port_text("m.py", decode((HEAD + text).encode()), config).after or ""


def _size(text: str, config: Config | None = None) -> int:
    """The ``from_size`` of the last boundary; 0 where it has none."""
    lines = re.findall(r"@device\(.*\)", _ported(text, config or Config()))
    said = re.search(r"from_size=([\d_]+)", lines[-1])
    return int(said[1]) if said else 0


@pytest.mark.parametrize(
    "body",
    [
        "return np.sqrt(x * x + y * y) / (1.0 + np.exp(-x))",
        "x = x - x.mean()\n    return np.cumsum(np.sort(x)) / (1.0 + y)",
        "for _ in range(50):\n        x = x + 0.1 * (np.roll(x, 1) - 2.0 * x) * y\n    return x",
        "return np.fft.irfft(np.fft.rfft(x) * np.fft.rfft(y), len(x))",
    ],
)
def test_work_on_whole_arrays_is_as_much_as_they_have_elements(body: str) -> None:
    text = f"def f(x: np.ndarray, y: np.ndarray):\n    {body}\n"
    assert 1_000 <= _size(text) <= 1_000_000


@pytest.mark.parametrize(
    "body",
    [
        "return np.exp(-np.abs(x[:, None] - y[None, :])).sum(axis=1) * x",
        "return np.exp(-np.abs(x[:, np.newaxis] - y)).sum(axis=1) * x",
        "return np.sqrt(np.abs(x @ y)) * np.exp(x) + np.sin(y) * np.cos(x)",
        "return np.outer(np.sin(x), np.exp(y) * np.cos(y)) * 2.0 + 1.0",
        "t = np.loadtxt('t.txt')\n    return np.exp(t) * np.sin(t) * np.cos(t) + x.sum() * y.sum()",
        "return x.reshape(-1, 1) * np.exp(y) * np.cos(y) * np.sin(y)",
        "for i in range(len(x)):\n        x[i] = np.exp(y[i]) * x[i]\n    return x",
    ],
)
def test_work_that_grows_faster_than_its_arrays_says_nothing(body: str) -> None:
    assert not _size(f"def f(x: np.ndarray, y: np.ndarray):\n    {body}\n")


def test_what_functions_of_the_program_do_is_not_looked_into() -> None:
    text = """\
def pairs(x: np.ndarray):
    return np.exp(-np.abs(x[:, None] - x[None, :])).sum(axis=1)


def f(x: np.ndarray):
    return pairs(x) * np.exp(x) + np.sin(x) * np.cos(x)
"""
    assert not _size(text)


def test_fewer_launches_are_worth_it_sooner() -> None:
    """The same work in one kernel a statement, and in one launch an operation."""
    text = """\
def step(u, h, dt, dx):
    for _ in range(100):
        u = u - dt * 9.81 * (h[:, 1:] - h[:, :-1]) / dx
        h[:, 1:-1] = 0.5 * (h[:, 1:-1] + u[:, 1:] * u[:, :-1])
    return u


print(step(np.zeros((50, 59)), np.ones((50, 60)), 0.1, 1.0).sum())
"""
    assert 0 < _size(text) < _size(text, Config(style="plain"))
