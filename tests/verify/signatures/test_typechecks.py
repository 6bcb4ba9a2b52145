"""Parameters that are asked whether they are containers are given such."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from gpuport.verify.records import Verdict
from gpuport.verify.signatures.typechecks import asked_containers


@pytest.mark.parametrize(
    ("test", "kinds"),
    [
        ("isinstance(x, list)", {"list"}),
        ("isinstance(x, (list, tuple))", {"list", "tuple"}),
        ("not isinstance(x, list | np.ndarray)", {"list"}),
        ("isinstance(x, collections.abc.Mapping)", {"dict"}),
        ("type(x) in (tuple, dict)", {"tuple", "dict"}),
        ("isinstance(y, list)", set()),
        ("isinstance(x, (int, np.ndarray))", set()),
    ],
)
def test_the_containers_asked_for(test: str, kinds: set[str]) -> None:
    scope = ast.parse(f"def f(x, y):\n    return 1 if {test} else 2\n")
    assert {slot.kind for slot in asked_containers("x", scope)} == kinds


def test_both_branches_of_a_recursion_over_nested_lists_are_met(verify: Any) -> None:
    original = """
    def f(tree, depth=0):
        if isinstance(tree, (list, tuple)):
            found = []
            for part in tree:
                found += f(part, depth + 1)
            return sorted(found, key=lambda row: -row[0])
        return [(depth, float(np.sum(tree)))]
    """
    port = original.replace("np.sum(tree)", "cp.sum(cp.asarray(tree))")
    right = verify(original, port)["f"]
    assert right.verdict is Verdict.EQUIVALENT, right
    for fault in ("(list, tuple)", "list"), ("lambda row: -row[0]", "lambda row: -row[1]"):
        assert fault[0] in port
        assert verify(original, port.replace(*fault))["f"].verdict.failing
