"""Calls of the project's functions: by position; those of one expression written in their place."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from gpuport.loops.facts import Fact, FunctionFact
from gpuport.loops.heads.literals import is_number
from gpuport.loops.names import dotted, loaded, stored
from gpuport.source import syntax
from gpuport.source.making import Standing

_DEEPEST = 4
_LARGEST = 300
"""Parts that an expression may come to have."""


def written_in(node: ast.For | ast.While, facts: Mapping[str, Fact]) -> None:
    """Put the expressions of closures in the place of their calls, in a copy of a loop.

    A closure reads names of the function around it when it is called, as its expression does in
    the call's place. The calls of other functions get all their arguments by position.
    """
    if any(isinstance(fact, FunctionFact) and fact.definition for fact in facts.values()):
        _Calls(facts).visit(node)
        ast.fix_missing_locations(node)


class _Calls(ast.NodeTransformer):
    def __init__(self, facts: Mapping[str, Fact], depth: int = 0) -> None:
        self.facts = facts
        self.depth = depth

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        fact = self.facts.get(dotted(node.func) or "")
        if not isinstance(fact, FunctionFact) or fact.definition is None:
            return node
        _by_position(fact.definition, node)
        if not fact.closure:
            return node
        given, value = _given(fact.definition, node), returned(fact.definition)
        if given is None or value is None or self.depth == _DEEPEST:
            return node
        made: ast.AST = Standing(given).visit(syntax.copied(value))
        made = _Calls(self.facts, self.depth + 1).visit(made)
        if sum(1 for _ in ast.walk(made)) > _LARGEST:
            return node
        for part in ast.walk(made):
            if isinstance(part, ast.expr):
                ast.copy_location(part, node)
        return made


def _by_position(definition: ast.FunctionDef, call: ast.Call) -> None:
    """Fill in the arguments that a call names, and those that are left to literal defaults."""
    listed = definition.args
    names = [item.arg for item in listed.args]
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    if listed.posonlyargs or listed.vararg or listed.kwarg or listed.kwonlyargs or None in given:
        return
    first = len(names) - len(listed.defaults)
    defaults = dict(zip(names[first:], listed.defaults, strict=True))
    rest = names[len(call.args) :]
    if not given.keys() <= set(rest) or any(isinstance(a, ast.Starred) for a in call.args):
        return
    values = [given.get(name, defaults.get(name)) for name in rest]
    filled = [
        value for name, value in zip(rest, values, strict=True)
        if value is not None and (name in given or is_number(value))
    ]  # fmt: skip
    if len(filled) == len(rest):
        call.args += [syntax.copied(value) for value in filled]
        call.keywords = []


def returned(definition: ast.FunctionDef) -> ast.expr | None:
    """What a function of one expression gives; None for any other function."""
    body = definition.body
    if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        body = body[1:]
    if len(body) != 1 or not isinstance(body[0], ast.Return) or definition.decorator_list:
        return None
    arguments = definition.args
    if arguments.vararg or arguments.kwarg or arguments.kwonlyargs:
        return None
    value = body[0].value
    inner = (ast.Lambda, ast.NamedExpr, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
    if value is None or any(isinstance(part, inner) for part in ast.walk(value)):
        return None
    return value


def _given(definition: ast.FunctionDef, call: ast.Call) -> dict[str, ast.expr] | None:
    """The arguments by the names of the parameters; None where they would be evaluated less."""
    parameters = [item.arg for item in (*definition.args.posonlyargs, *definition.args.args)]
    value = returned(definition)
    if call.keywords or len(call.args) != len(parameters) or value is None:
        return None
    if any(isinstance(argument, ast.Starred) for argument in call.args):
        return None
    always = {node.id for node in _always(value) if isinstance(node, ast.Name)}
    for name, argument in zip(parameters, call.args, strict=True):
        if name not in always and not isinstance(argument, ast.Name | ast.Constant):
            return None
    return dict(zip(parameters, call.args, strict=True))


def _always(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of an expression that are evaluated whatever the others give."""
    yield node
    if isinstance(node, ast.IfExp):
        yield from _always(node.test)
    elif isinstance(node, ast.BoolOp):
        yield from _always(node.values[0])
    elif isinstance(node, ast.Compare):
        yield from _always(node.left)
        yield from _always(node.comparators[0])
    else:
        for child in ast.iter_child_nodes(node):
            yield from _always(child)


def reads_of(definition: ast.FunctionDef) -> frozenset[str]:
    """The names that a function takes from around it."""
    parameters = {item.arg for item in (*definition.args.posonlyargs, *definition.args.args)}
    return frozenset(loaded(definition.body) - stored(definition.body) - parameters)
