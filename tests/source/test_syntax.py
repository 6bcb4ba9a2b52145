"""The fast walk finds what the standard library's finds."""

import ast
import inspect
import typing

import pytest

from gpuport.source.syntax import children

PASSED_OVER = (
    ast.expr_context, ast.operator, ast.unaryop, ast.cmpop, ast.boolop, ast.alias
)  # fmt: skip


@pytest.mark.parametrize("module", [ast, inspect, typing])
def test_all_but_operators_contexts_and_aliases(module):
    tree = ast.parse(inspect.getsource(module))
    for node in ast.walk(tree):
        expected = [n for n in ast.iter_child_nodes(node) if not isinstance(n, PASSED_OVER)]
        assert children(node) == expected
