"""What programs call again and again."""

from __future__ import annotations

import ast

from gpuport.source.repeated import called_in_loops


def test_each_program_of_a_module_is_asked_for_itself() -> None:
    module = ast.parse("def f():\n    return g()\n")
    once, often = ast.parse("f()\n"), ast.parse("while x:\n    f()\n")
    assert called_in_loops([module]) == frozenset()
    assert called_in_loops([module, often]) == {"f", "g"}
    assert called_in_loops([module, once]) == frozenset()
    assert called_in_loops([module, often]) == {"f", "g"}
    assert called_in_loops([]) == frozenset()
