"""How the survey goes through expressions."""

from __future__ import annotations

import ast

from gpuport.lower.knowledge import FRAME_READERS, OWN_NAMESPACE
from gpuport.lower.scopes import Kind
from gpuport.lower.survey import Reading, Survey, defaults, parameters, visits


@visits(ast.Name)
def _name(survey: Survey, node: ast.Name) -> None:
    survey.name(node)
    if not isinstance(node.ctx, ast.Load):
        return
    if node.id in FRAME_READERS or node.id == "globals":
        survey.readings.append(Reading(node, None, survey.scope, tuple(survey.around)))
    elif node.id == "super":
        survey.scope.used.add("__class__")


@visits(ast.Attribute)
def _attribute(survey: Survey, node: ast.Attribute) -> None:
    if node.attr in OWN_NAMESPACE:
        survey.module.is_reflective = True
    survey.visit(node.value)


@visits(ast.Call)
def _call(survey: Survey, node: ast.Call) -> None:
    if isinstance(node.func, ast.Name) and (
        node.func.id in FRAME_READERS or node.func.id == "globals"
    ):
        survey.name(node.func)
        survey.readings.append(Reading(node.func, node, survey.scope, tuple(survey.around)))
    else:
        survey.visit(node.func)
    survey.all(node.args)
    survey.all(node.keywords)
    if len(node.args) == 1 and not node.keywords and isinstance(node.args[0], ast.GeneratorExp):
        generator = survey.scope.children.get(node.args[0])
        if generator is not None:
            survey.lazy.append((generator, node, survey.scope))


@visits(ast.BinOp)
def _binary(survey: Survey, node: ast.BinOp) -> None:
    """Long sums are deep on the left; going down there in a loop spares the stack."""
    right: list[ast.expr] = []
    left: ast.expr = node
    while isinstance(left, ast.BinOp):
        right.append(left.right)
        left = left.left
    survey.visit(left)
    survey.all(reversed(right))


@visits(ast.BoolOp)
def _boolean(survey: Survey, node: ast.BoolOp) -> None:
    survey.visit(node.values[0])
    _each_deeper(survey, node.values[1:])


@visits(ast.Compare)
def _compare(survey: Survey, node: ast.Compare) -> None:
    survey.visit(node.left)
    survey.visit(node.comparators[0])
    _each_deeper(survey, node.comparators[1:])


@visits(ast.IfExp)
def _conditional(survey: Survey, node: ast.IfExp) -> None:
    survey.visit(node.test)
    for value in (node.body, node.orelse):
        survey.nested(lambda value=value: survey.visit(value))  # type: ignore[misc]


def _each_deeper(survey: Survey, nodes: list[ast.expr]) -> None:
    """Visit what is only evaluated when all before it let it be."""
    for node in nodes:
        survey.regions += 1
        survey.visit(node)
    survey.regions -= len(nodes)


@visits(ast.NamedExpr)
def _walrus(survey: Survey, node: ast.NamedExpr) -> None:
    survey.visit(node.value)
    inner = survey.scope
    while isinstance(
        survey.scope.node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
    ):
        assert survey.scope.parent is not None
        survey.scope = survey.scope.parent
    survey.bind(node.target.id, surely=False)
    if survey.scope is not inner and survey.scope.kind is Kind.MODULE:
        survey.scope.cells.add(node.target.id)  # a lazy generator may assign it at any time
    survey.scope = inner
    survey.scope.used.add(survey.scope.mangled(node.target.id))


@visits(ast.Yield, ast.YieldFrom, ast.Await)
def _yield(survey: Survey, node: ast.Yield | ast.YieldFrom | ast.Await) -> None:
    survey.scope.activation.is_generator = True
    survey.visit(node.value)


@visits(ast.Lambda)
def _lambda(survey: Survey, node: ast.Lambda) -> None:
    defaults(survey, node.args)
    survey.frame(node, parameters(node.args), lambda: survey.visit(node.body))


@visits(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
def _comprehension(
    survey: Survey, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
) -> None:
    survey.visit(node.generators[0].iter)
    regions = sum(1 + len(generator.ifs) for generator in node.generators)
    survey.regions += regions

    def visit() -> None:
        outer = survey.enter(Kind.COMPREHENSION, node)
        for place, generator in enumerate(node.generators):
            if generator.is_async:
                survey.mark("it has an asynchronous comprehension")
            if place:
                survey.visit(generator.iter)
            survey.visit(generator.target)
            survey.all(generator.ifs)
        if isinstance(node, ast.DictComp):
            survey.visit(node.key)
            survey.visit(node.value)
        else:
            survey.visit(node.elt)
        survey.scope = outer

    survey.blocks[node] = survey.nested(visit, is_loop=True)
    survey.regions -= regions
