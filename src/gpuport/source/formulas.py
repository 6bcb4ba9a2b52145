"""Functions that are formulas: of a number they give a number, and of an array an array."""

from __future__ import annotations

import ast
from collections.abc import Callable

from gpuport.source.parameters import default_values, parameter_names
from gpuport.source.syntax import children

_STEPS = (ast.Assign, ast.Return)
_PARTS = (ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.expr_context)
_OTHERS = (ast.MatMult, ast.Not)


def is_formula(
    function: ast.AST,
    computes: Callable[[ast.Call], bool],
    is_number: Callable[[ast.expr], bool],
) -> bool:
    """Whether a function does nothing but compute element by element, in a library's functions.

    Parameters
    ----------
    function : ast.FunctionDef
    computes : callable
        Whether a call is one of a function of a library that computes element by element.
    is_number : callable
        Whether a name, or attribute, that is not the function's own is a number.
    """
    if not isinstance(function, ast.FunctionDef) or function.decorator_list:
        return False
    defaults = default_values(function.args).values()
    if not all(isinstance(one, ast.Constant) or is_number(one) for one in defaults):
        return False
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    own = set(parameter_names(function))
    calls = 0
    for statement in body:
        if not isinstance(statement, _STEPS) or statement.value is None:
            return False
        todo: list[ast.AST] = [statement.value]
        while todo:
            node = todo.pop()
            if isinstance(node, ast.Call):
                if node.keywords or not computes(node):
                    return False
                calls += 1
                todo += node.args
            elif isinstance(node, ast.Name | ast.Attribute):
                if not (isinstance(node, ast.Name) and node.id in own) and not is_number(node):
                    return False
            elif not isinstance(node, _PARTS) or isinstance(getattr(node, "op", None), _OTHERS):
                return False
            else:
                todo += children(node)
        for target in statement.targets if isinstance(statement, ast.Assign) else ():
            if not isinstance(target, ast.Name):
                return False
            own.add(target.id)
    return calls > 0 and isinstance(body[-1], ast.Return)


__all__ = ["is_formula"]
