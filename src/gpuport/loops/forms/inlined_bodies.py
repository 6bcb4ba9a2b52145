"""Calls of functions of several statements, written out before the statements with the calls.

What a thread cannot call, it can do itself: a function that gives several numbers, one that is
given an array, one that reads numbers of the function around it. Its statements are examined where
they then stand, as if the user had written them there.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from gpuport.loops.context.purity import check_function
from gpuport.loops.facts import Fact, FunctionFact
from gpuport.loops.forms.returns import with_one_exit
from gpuport.loops.names import Fresh, dotted, stored, walk
from gpuport.loops.reasons import Refused
from gpuport.source import syntax
from gpuport.source.making import Standing, assigned

_DEEPEST = 4
_STATEMENTS = (
    ast.Assign, ast.AugAssign, ast.AnnAssign, ast.If, ast.For, ast.While, ast.Pass, ast.Break,
    ast.Continue, ast.Return,
)  # fmt: skip
_SCOPES = (
    ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.NamedExpr,
    ast.Yield, ast.YieldFrom, ast.Await, ast.Starred,
)  # fmt: skip


def bodies_written_in(node: ast.For | ast.While, facts: Mapping[str, Fact], fresh: Fresh) -> None:
    """Put the statements of functions before the statements that call them, in a copy of a loop.

    Parameters
    ----------
    node : ast.For or ast.While
        Its calls have all their arguments by position.
    facts : mapping of str to Fact
    fresh : Fresh
        Makes names for what the functions bind.
    """
    if any(isinstance(fact, FunctionFact) and fact.definition for fact in facts.values()):
        node.body = _Bodies(facts, fresh).block(node.body)
        ast.fix_missing_locations(node)


@dataclass
class _Bodies:
    facts: Mapping[str, Fact]
    fresh: Fresh
    depth: int = 0

    def block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        for statement in statements:
            self._nest(statement)
            for part in ("body", "orelse"):
                inner = getattr(statement, part, None)
                if isinstance(inner, list):
                    setattr(statement, part, self.block(inner))
            made += [*self._before(statement), statement]
        return made

    def _nest(self, node: ast.stmt) -> None:
        """``if a and f(x) < r:`` as two conditions: ``f`` is written out before the second."""
        test = node.test if isinstance(node, ast.If) and not node.orelse else None
        if not isinstance(test, ast.BoolOp) or not isinstance(test.op, ast.And):
            return
        assert isinstance(node, ast.If)
        first, *others = test.values
        if any(map(self._is_written_out, walk(others))):
            rest = others[0] if len(others) == 1 else ast.BoolOp(ast.And(), others)
            inner = ast.If(ast.copy_location(rest, test), node.body, [])
            node.test, node.body = first, [ast.copy_location(inner, node)]

    def _is_written_out(self, node: ast.AST) -> bool:
        fact = self.facts.get(dotted(node.func) or "") if isinstance(node, ast.Call) else None
        known = isinstance(fact, FunctionFact) and fact.definition is not None and fact.same
        return known and _stays_out(fact, node)  # type: ignore[arg-type]

    def _before(self, node: ast.stmt) -> list[ast.stmt]:
        """What stands before a statement, whose calls it replaces."""
        if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
            value = node.value
            alone = isinstance(node, ast.Assign)
            several = isinstance(node, ast.Assign) and len(node.targets) == 1
        elif isinstance(node, ast.If):
            value, alone, several = node.test, False, False
        else:
            return []
        if value is None:
            return []
        calls = _Calls(lambda call, whole: self._written(call, alone and whole, several and whole))
        calls.whole = value
        changed = calls.visit(value)
        if isinstance(node, ast.If):
            node.test = changed
        else:
            node.value = changed
        return calls.before

    def _written(
        self, call: ast.Call, alone: bool, several: bool
    ) -> tuple[list[ast.stmt], ast.expr] | None:
        """A call's statements and its value; None where the call stays."""
        fact = self.facts.get(dotted(call.func) or "")
        if not isinstance(fact, FunctionFact) or fact.definition is None or not fact.same:
            return None
        if self.depth == _DEEPEST or not _stays_out(fact, call):
            return None
        given = _arguments(fact.definition, call)
        body = _body(fact.definition)
        if given is None or body is None or (_stores(body, set(given)) and not alone):
            return None
        names = {name: self._name(name) for name in sorted(stored(body))}
        before: list[ast.stmt] = []
        for parameter, argument in given.items():
            if parameter in names or not _is_plain(argument):
                name = names.setdefault(parameter, self._name(parameter))
                before.append(assigned(name, argument, call))
        around = {name: ast.Name(now, ast.Load()) for name, now in names.items()}
        renamed = Standing({**given, **around})
        body = [renamed.visit(syntax.copied(statement)) for statement in body]
        found = with_one_exit(body, self._name)
        if found is None or (isinstance(found[1], ast.Tuple) and not several):
            return None
        statements, value = found
        inner = _Bodies(self.facts, self.fresh, self.depth + 1)
        # What the function gives may itself be a call of another.
        last = assigned("", value, call)
        made = inner.block([*before, *statements, last])
        assert isinstance(last, ast.Assign)
        return made[:-1], last.value

    def _name(self, wanted: str) -> str:
        taken = wanted in self.facts or hasattr(builtins, wanted)
        return self.fresh.name(wanted) if taken else self.fresh.exactly(wanted)


def _stays_out(fact: FunctionFact, call: ast.Call) -> bool:
    """Whether a kernel cannot call a function, as it can one that makes a number of numbers."""
    assert fact.definition is not None
    if fact.closure:
        return True
    returns = [node for node in walk(fact.definition.body) if isinstance(node, ast.Return)]
    if any(isinstance(node.value, ast.Tuple) for node in returns):
        return True
    try:
        check_function(fact, call, ())
    except Refused:
        return True
    return False


def _body(definition: ast.FunctionDef) -> list[ast.stmt] | None:
    """The statements of a function that only computes, if it is one."""
    body = definition.body
    if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        body = body[1:]
    if definition.decorator_list or not body:
        return None
    for node in walk(body):
        if isinstance(node, _SCOPES) or (
            isinstance(node, ast.stmt) and not isinstance(node, _STATEMENTS)
        ):
            return None
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            return None
    return body


def _arguments(definition: ast.FunctionDef, call: ast.Call) -> dict[str, ast.expr] | None:
    listed = definition.args
    names = [item.arg for item in (*listed.posonlyargs, *listed.args)]
    if listed.vararg or listed.kwarg or listed.kwonlyargs or call.keywords:
        return None
    if len(call.args) != len(names) or any(isinstance(a, ast.Starred) for a in call.args):
        return None
    return dict(zip(names, call.args, strict=True))


def _stores(body: list[ast.stmt], parameters: set[str]) -> bool:
    """Whether a function may change what it is given: what stands before its call is read first."""
    for node in walk(body):
        if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            return True
        if isinstance(node, ast.AugAssign) and dotted(node.target) in parameters:
            return True
    return False


def _is_plain(node: ast.expr) -> bool:
    """Whether an argument may be evaluated as often as its parameter is read: it cannot fail."""
    if isinstance(node, ast.BinOp):
        plain = isinstance(node.op, ast.Add | ast.Sub | ast.Mult)
        return plain and _is_plain(node.left) and _is_plain(node.right)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.USub | ast.UAdd) and _is_plain(node.operand)
    return isinstance(node, ast.Constant) or dotted(node) is not None


class _Calls(ast.NodeTransformer):
    """Replaces the calls that are made whatever the rest of an expression gives."""

    def __init__(
        self, written: Callable[[ast.Call, bool], tuple[list[ast.stmt], ast.expr] | None]
    ) -> None:
        self.written = written
        self.before: list[ast.stmt] = []
        self.whole: ast.expr | None = None

    def visit_Call(self, node: ast.Call) -> ast.AST:
        whole = node is self.whole
        self.generic_visit(node)
        found = self.written(node, whole)
        if found is None:
            return node
        self.before += found[0]
        return found[1]

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        node.test = self._expression(node.test)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        node.values[0] = self._expression(node.values[0])
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        node.left = self._expression(node.left)
        node.comparators[0] = self._expression(node.comparators[0])
        return node

    def visit(self, node: ast.AST) -> Any:
        return node if isinstance(node, _SCOPES) else super().visit(node)

    def _expression(self, node: ast.expr) -> ast.expr:
        made = self.visit(node)
        assert isinstance(made, ast.expr)
        return made
