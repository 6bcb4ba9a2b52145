"""What is one number, since the truth of what is computed of it is asked."""

from __future__ import annotations

import ast
import textwrap

import pytest

from gpuport.source.truths import single_numbers

ELEMENTWISE = {"np.sqrt", "np.sign", "abs", "np.maximum"}


def found(body: str) -> set[str]:
    text = "def f(x, y, z):\n" + textwrap.indent(textwrap.dedent(body), "    ")
    function = ast.parse(text).body[0]
    assert isinstance(function, ast.FunctionDef)
    return set(
        single_numbers(function, lambda call: ast.unparse(call.func) in ELEMENTWISE)
        & {"x", "y", "z"}
    )


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("if x > y:\n    return 1", {"x", "y"}),
        ("while abs(x - 1) > 3 and not y:\n    break", {"x"}),
        ("root = np.sqrt(x)\nreturn y if root.imag > 0 else root", {"x"}),
        ("return np.sign(x) * max(0, min(abs(x), y * 2))", {"x", "y"}),
        ("assert -x < 0\nreturn y", {"x"}),
        ("return [1 for k in range(3) if k < x]", {"x"}),
        ("a = np.maximum(x, y)\nb = a * 2\nif b == z:\n    pass", {"x", "y", "z"}),
    ],
)
def test_what_is_asked_for_its_truth(body: str, expected: set[str]) -> None:
    assert found(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        "if x.sum() > 0:\n    pass",
        "if x[0] > 0:\n    pass",
        "if len(x) > 3 or x.shape[0] == 2 or x is None:\n    pass",
        "if x:\n    pass",
        "if (x @ y) > 0:\n    pass",
        "if np.any(x > 0):\n    pass",
        "x = x[0]\nif x > 0:\n    pass",
        "for x in y:\n    if x > 0:\n        pass",
        "a = x\na = y\nif a > 0:\n    pass",
        "g = lambda x: 1 if x > 0 else 2\nreturn g(y)",
        "def g(x):\n    if x > 0:\n        return 1",
        "return max(x)",
        "return np.where(x > 0, x, y)",
        "m = x > 0\nreturn m",
    ],
)
def test_what_may_have_several_elements(body: str) -> None:
    assert not found(body)
