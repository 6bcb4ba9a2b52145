"""Comprehensions run where they stand; lazy generator expressions are functions."""

from __future__ import annotations

import ast
from collections.abc import Callable

from gpuport.ir import Parameter, Passing, Value
from gpuport.lower.assignments import store
from gpuport.lower.functions import Given, begin, make
from gpuport.lower.loops import Plan, domain, loop
from gpuport.lower.lowering import Lowering, expression
from gpuport.lower.scopes import Kind

Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


@expression(ast.ListComp)
def _list(at: Lowering, node: ast.ListComp) -> Value:
    return _in_place(at, node, at.value("List", (), node, stars=()), "append")


@expression(ast.SetComp)
def _set(at: Lowering, node: ast.SetComp) -> Value:
    return _in_place(at, node, at.value("Set", (), node, stars=()), "add")


@expression(ast.DictComp)
def _dict(at: Lowering, node: ast.DictComp) -> Value:
    return _in_place(at, node, at.value("Dict", (), node, spread=()), "put")


@expression(ast.GeneratorExp)
def _generator(at: Lowering, node: ast.GeneratorExp) -> Value:
    """Python evaluates the first iterable at once and the rest when asked."""
    if at.scope.children[node].kind is Kind.COMPREHENSION:
        return _in_place(at, node, at.value("List", (), node, stars=()), "append")
    start = domain(at, node.generators[0].iter)
    iterator = at.value("Iterate", (start,), node, form="iterator")
    inner = begin(at, node, "<genexpr>", (Parameter("start", Passing.POSITION),))
    inner.versions.clear()  # its parameter has no name that the text could mean

    def give() -> None:
        inner.value("GeneratorYield", (inner.expr(node.elt),), node)

    _loops(inner, node, inner.function.parameters[0], give)
    inner.end("Return", (inner.const(None, node),), node)
    made = make(at, node, inner.function, Given([], {}, {}))
    return at.call(made, (iterator,), node)


def _in_place(at: Lowering, node: Comprehension, kept: Value, how: str) -> Value:
    start = domain(at, node.generators[0].iter)
    outer, at.scope = at.scope, at.scope.children[node]
    for name in sorted(at.scope.cells):
        at.emit("NewCell", (), node, name=at.scope.key(name))

    def give() -> None:
        items = (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,)
        at.emit("Collect", [kept, *[at.expr(item) for item in items]], node, how=how)

    _loops(at, node, start, give)
    at.scope = outer
    return kept


def _loops(at: Lowering, node: Comprehension, start: Value, give: Callable[[], None]) -> None:
    """The loops of a comprehension; `give` handles one element."""

    def nest(place: int) -> None:
        generator = node.generators[place]
        iterable = start if place == 0 else domain(at, generator.iter)

        def filtered(condition: int) -> None:
            if condition < len(generator.ifs):
                test = at.expr(generator.ifs[condition])
                at.branch(test, lambda: filtered(condition + 1), lambda: True, node)
            elif place + 1 < len(node.generators):
                nest(place + 1)
            else:
                give()

        plan = Plan(
            node, lambda: filtered(0), iterable, lambda value: store(at, generator.target, value)
        )
        loop(at, plan)

    nest(0)
