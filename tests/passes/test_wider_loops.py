"""Loops that become kernels whole: helpers with tables, rows stored as lists, `np.clip`."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

pytest.importorskip("islpy")

HELPERS = """\
import cmath
import numpy as np

TABLE = np.array([1.0, 2.0, 4.0, 8.0])
CHANGED = np.ones(4)


def look(i, x):
    s = x
    for k in range(len(TABLE)):
        s += TABLE[k] * i
    return s


def scaled(k):
    return 2.0 * CHANGED[k]


"""


def ported(function: str, call: str) -> str:
    return port(f"{HELPERS}{function}\n\nprint({call})\n").after or ""


def test_a_helper_that_reads_an_array_of_the_module() -> None:
    text = ported(
        "def fill(n):\n"
        "    out = np.zeros(n)\n"
        "    for i in range(n):\n"
        "        out[i] = look(i % 3, 0.5)\n"
        "    return out\n",
        "fill(7)",
    )
    assert "_fill(TABLE, n, out)" in text
    assert "TABLE = cp.array" in text


def test_not_where_the_loop_may_write_that_array() -> None:
    report = port(
        f"{HELPERS}def change(out: np.ndarray):\n"
        "    for i in range(1, len(out)):\n"
        "        out[i] = scaled(i - 1)\n"
        "    return out\n\n\nprint(change(CHANGED), change(np.ones(3)))\n"
    )
    assert "_change(" not in (report.after or "")
    (said,) = [f for f in report.findings if f.code == "GP203"]
    assert "`scaled` reads the array `CHANGED` of the module, which `out` may be" in said.message


def test_not_where_a_name_of_the_function_hides_the_array() -> None:
    text = ported(
        "def hidden(n):\n"
        "    TABLE = np.arange(4.0)\n"
        "    out = np.zeros(n)\n"
        "    for i in range(n):\n"
        "        out[i] = look(i % 3, 0.5) + TABLE[i % 4]\n"
        "    return out\n",
        "hidden(6)",
    )
    assert "_hidden(" not in text


@pytest.mark.parametrize(
    ("made", "body", "shown"),
    [
        ("np.zeros((n, 2))", "out[i] = [i / n, 2.0 * i]", "out[{i, 0}] = "),
        ("np.zeros(n)", "out[i] = np.clip(i / n, 0.2, 0.7)", "(double)0.2, (double)0.7);"),
        ("np.zeros(n, dtype=complex)", "out[i] = cmath.exp(2j * cmath.pi * i)", "exp("),
        ("np.zeros(n)", "out[i] = cmath.phase(1j * i + 1)", "arg("),
    ],
)
def test_statements_that_kernels_know(made: str, body: str, shown: str) -> None:
    text = ported(
        f"def work(n):\n    out = {made}\n    for i in range(n):\n        {body}\n    return out\n",
        "work(7)",
    )
    assert shown in text


def test_arrays_are_moved_before_they_are_taken_apart() -> None:
    text = ported(
        "def step(a: np.ndarray, b: np.ndarray):\n"
        "    return np.sin(a) + b, a - np.cos(b)\n\n\n"
        "def many(n):\n"
        "    a, b = np.random.default_rng(0).random((2, n))\n"
        "    for _ in range(5):\n"
        "        a, b = step(a, b)\n"
        "    return a + b\n",
        "many(4)",
    )
    assert "a, b = cp.asarray(np.random.default_rng(0).random((2, n)))" in text


def test_operands_in_a_tuple_of_known_length() -> None:
    text = ported(
        "def distance(n):\n"
        "    x = np.linspace(-1.0, 1.0, n)\n"
        "    r = np.hypot(*np.meshgrid(x, x))\n"
        "    return np.exp(-(r**2)) @ np.sin(r) @ r\n",
        "distance(5)",
    )
    assert "cp.hypot(*cp.meshgrid(x, x))" in text


def test_what_a_tuple_may_have_too_many_of_stays() -> None:
    text = ported(
        "def added(n):\n"
        "    x, y, out = np.ones(n), np.ones(n), np.zeros(n)\n"
        "    three = (np.exp(x), np.sin(y), out)\n"
        "    np.add(*three)\n"
        "    return out @ out\n",
        "added(5)",
    )
    assert "cp.add" not in text
