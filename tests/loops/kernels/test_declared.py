"""Loops as functions with their kernel above them: what the signature says, and when it cannot."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

pytest.importorskip("islpy")


def ported(body: str, parameters: str = "x: np.ndarray, y: np.ndarray, n: int, d=1.0") -> str:
    lines = "\n    ".join(body.splitlines())
    return port(f"import numpy as np\n\n\ndef f({parameters}):\n    {lines}\n").after or ""


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("for i in range(n):\n    y[i] = 2.0 * x[i]", ['"raw T x, int n"', '"raw T y"']),
        ("for i in range(2, n, 3):\n    y[i] = x[i - 2]", ['over="i in range(2, n, 3)"']),
        (  # an index that a condition keeps in bounds does not go as far as the range
            "for i in range(n):\n    if i > 0:\n        y[i] = x[i - 1]",
            ['within="x, y"', "x.shape[0] + 1 >= n"],
        ),
        (  # nor does one behind what ends the iteration
            "for i in range(n):\n    if i == 0:\n        continue\n    y[i] = x[i - 1]",
            ['within="x, y"', "x.shape[0] + 1 >= n"],
        ),
        (  # nor one of two variables, of which one begins with the other
            "for i in range(n):\n    s = 0.0\n    for j in range(i, n):\n        s += x[j - i]\n"
            "    y[i] = s",
            ['where="x.shape[0] >= n'],
        ),
        (  # one whose elements alone are asked for is in bounds by itself
            "for i in range(n):\n    if x[i] > 0:\n        y[i] = x[i]",
            ['"raw T x, int n"'],
        ),
        ("for i in range(n):\n    y[i] = x[i] * (1.0 / d)", ['where="d != 0"']),
        (
            "for i in range(n):\n    y[i] = x[i - 1]",
            ["x.shape[0] + 1 >= n", "x[wrap(i - 1, x.shape[0])]"],
        ),
        ("s = 0\nfor v in x:\n    s += v\nreturn s", ['returns="s + s_terms.sum().get()[()]"']),
        (  # an index that data tell
            "for i in range(n):\n    y[i] = x[int(y[i])]",
            ["out_of_range[0])", "x.size > 0"],
        ),
        ("for i in range(n):\n    y[i] = i + float(x[i] > 0.5)", ["@kernel("]),
        (  # a number that some iterations set
            "s = 0.0\nfor i in range(n):\n    if x[i] > d:\n        s = x[i]\n    y[i] = s",
            ["running_latest("],
        ),
        (  # a length of an array that the call does not pass
            "m = x.shape[0]\nw = np.pad(x, n)\nfor i in range(m):\n    y[i] = w[i + n]",
            ["w.shape[0] >= m + n", 'over="i in range(m)"', "(w, n, m, y)"],
        ),
    ],
)
def test_a_signature_says_what_is_asked(body: str, said: list[str]) -> None:
    after = ported(body)
    assert "@kernel(" in after
    assert not [text for text in said if text not in after], after


def test_whole_numbers_of_arrays_are_not_computed_with_float32() -> None:
    after = ported(
        "for i in range(n):\n    y[i] = x[i] * k[i]",
        "x: np.ndarray, k: NDArray[np.int64], y: np.ndarray, n: int",
    )
    assert "T x" not in after


def test_a_name_that_the_loop_leaves_is_no_parameter_of_another() -> None:
    after = ported("for i in range(n):\n    y[i] = x[i]\nfor i in range(n):\n    y[i] += x[i]")
    assert after.count("over=") == 2
    assert after.count("(x, n, y)") == 4
