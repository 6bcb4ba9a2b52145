"""The arguments of calls as written."""

from __future__ import annotations

import ast

from gpuport._frozen import frozen
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.values.lattice import Object


@frozen
class Argument:
    """An argument of a call as written: position or keyword, its expression and flow."""

    position: int | None
    keyword: str | None
    expression: ast.expr
    flow: Flow


def arguments(unit: Unit, node: ast.Call) -> list[Argument]:
    """Evaluate the arguments of a call from left to right."""
    from gpuport.analysis.expressions.evaluation import evaluate

    found: list[Argument] = []
    for position, expression in enumerate(node.args):
        if isinstance(expression, ast.Starred):
            found.append(Argument(None, None, expression.value, spread(unit, expression)))
        else:
            found.append(Argument(position, None, expression, evaluate(unit, expression)))
    for keyword in node.keywords:
        found.append(
            Argument(None, keyword.arg or "**", keyword.value, evaluate(unit, keyword.value))
        )
    return found


def spread(unit: Unit, node: ast.Starred) -> Flow:
    """``*values``: what is spread; the items of an instance are not followed one by one."""
    from gpuport.analysis.expressions.evaluation import evaluate

    unit.consume(node.value)
    if isinstance(node.value, (ast.GeneratorExp, ast.Call)):
        unit.exhausted.add(id(node.value))
    flow = evaluate(unit, node.value)
    if isinstance(flow.value, Object) and unit.objects is not None:
        unit.objects.open(flow.value.name, node, "an instance is unpacked")
    return flow


__all__ = ["Argument", "arguments", "spread"]
