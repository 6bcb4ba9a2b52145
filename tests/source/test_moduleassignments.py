"""What a module binds for sure: not what loops, conditions and functions bind besides."""

from __future__ import annotations

import ast

import pytest
from tests.passes.conftest import port

from gpuport.source.moduleassignments import assignments_in_order
from gpuport.source.scoping import build_scopes


def told(text: str) -> list[str]:
    tree = ast.parse(text)
    return [ast.unparse(one) for one in assignments_in_order(tree, build_scopes(tree).bound)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a = 1.0\nb = a * 2", ["a = 1.0", "b = a * 2"]),
        ("if __name__ == '__main__':\n    dt = 0.1\n    print(dt)", ["dt = 0.1"]),
        ("if ready:\n    dt = 0.1", []),
        ("a = 1.0\nfor k in range(3):\n    a = a * x\nb = a * 2\nc = b + 1", ["a = 1.0"]),
        ("a = 1.0\nwhile a < 9:\n    a *= 2\nb = a + 1", ["a = 1.0", "b = a + 1"]),
        ("n = 8\nif small:\n    n = len(x)\ndx = 1 / n", ["n = 8", "dx = 1 / n"]),
        ("n = 8\nif small:\n    n = 2.5\ndx = 1 / n", ["n = 8"]),
        ("n = 8\nfor n in x:\n    pass\ndx = 1 / n", ["n = 8"]),
        ("n = 8\nfor n in range(4):\n    pass\ndx = 1 / n", ["n = 8", "dx = 1 / n"]),
        ("a = 2.0\nif low:\n    a = a**0.5\nb = a", ["a = 2.0"]),
        ("a = 1\ndef f(v):\n    global a\n    a = v\nb = a * 2", ["a = 1"]),
        ("a = 1\nb = a\na = x\nc = b", ["a = 1", "b = a", "a = x", "c = b"]),
    ],
)  # fmt: skip
def test_assignments_that_tell_what_is_bound(text: str, expected: list[str]) -> None:
    assert told(text) == expected


def test_numbers_of_the_main_guard_are_numbers_in_functions() -> None:
    text = (
        "import numpy as np\n\ndef move(x):\n    return np.sqrt(x) * dt + np.exp(x)\n\n"
        "if __name__ == '__main__':\n    dt = 0.1\n    print(move(np.ones(90000)).sum())\n"
    )
    found = port(text)
    assert "cp.sqrt" in (found.after or "") or "@kernel" in (found.after or "")
    assert not [one for one in found.findings if "it is not known whether" in one.message]


def test_what_a_loop_makes_an_array_of_is_no_number() -> None:
    text = (
        "import numpy as np\n\na = 1.0\nfor k in range(3):\n    a = a * np.ones(90000)\n"
        "b = a * 2\n\n"
        "def f(x):\n    return np.sqrt(x) * b\n\nprint(f(np.ones(90000)).sum())\n"
    )
    assert "cp.sqrt(x) * b" not in (port(text).after or "")
