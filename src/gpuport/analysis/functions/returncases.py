"""Which `return` of a function a call reaches, as far as its arguments tell.

``if return_std: return mean, std`` and ``return mean`` give a pair or an array. A call that says
``return_std=True`` reaches the first alone, and one that gives no ``y`` the ``return`` below
``if y is None:``. Each condition under which a function returns is a case, with a claim and a
place of its own; calls of which the arguments do not tell the case take what all cases have in
common.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from gpuport._frozen import frozen
from gpuport.analysis.values.lattice import (
    Array,
    Either,
    Instance,
    Number,
    Object,
    Scalar,
    Sequence,
    Tuple,
    Value,
)
from gpuport.analysis.values.lattice import Mapping as Dict
from gpuport.source.names import FunctionNode
from gpuport.source.syntax import LOOPS, walk

if TYPE_CHECKING:
    from gpuport.analysis.project.callgraph import Project

_CONSTANTS = (bool, int, str)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@frozen
class Test:
    """What a condition asks of a parameter, as it was given.

    Attributes
    ----------
    parameter : str
    asks : {"none", "true", "equals"}
        Whether it is None, whether it is true, or whether it equals ``constant``.
    constant : bool, int, str or None
    holds : bool
        Whether it is so, or not.
    """

    parameter: str
    asks: Literal["none", "true", "equals"]
    constant: bool | int | str | None
    holds: bool


Case = tuple[Test, ...]
"""What holds where a function returns; nothing where its parameters do not decide it."""


@frozen
class Cases:
    """The cases of a function.

    Attributes
    ----------
    every : tuple of Case
        Those of its ``return`` statements, and that of its end where it may be reached.
    of_returns : dict of int to Case
        By the ids of the statements.
    end : Case or None
        That in which the end of the function is reached, in doubt too.
    """

    every: tuple[Case, ...]
    of_returns: dict[int, Case]
    end: Case | None

    def of(self, node: ast.Return) -> Case:
        """That of a ``return`` statement; what is returned by no statement is in no case."""
        return self.of_returns.get(id(node), ())


_ALONE = Cases(((),), {}, ())
"""Of a function of which no parameter decides what it gives back."""


def cases_in(project: Project, function: ast.AST) -> Cases:
    """The cases of a function of a module, read once."""
    found = project.remembered.cases.get(id(function))
    if found is None:
        generates = isinstance(function, _FUNCTIONS) and project.scope_of(function).yields
        found = _ALONE if generates else cases_of(function)
        project.remembered.cases[id(function)] = found
    return found


def cases_of(function: ast.AST) -> Cases:
    """The cases in which a function returns; the empty one alone where nothing decides."""
    if not isinstance(function, _FUNCTIONS):
        return _ALONE
    reader = _Reader(function)
    end = reader.block(function.body, ())
    every = tuple(dict.fromkeys((*reader.returns.values(), *(() if end is None else (end,)))))
    return Cases(every, reader.returns, end) if len(every) > 1 else _ALONE


class _Reader:
    """Walks the statements of a function with what holds where they stand."""

    def __init__(self, function: FunctionNode) -> None:
        args = function.args
        self.function = function
        self.parameters = {a.arg for a in (*args.posonlyargs, *args.args, *args.kwonlyargs)}
        self.returns: dict[int, Case] = {}
        self.loops = 0

    def block(self, body: list[ast.stmt], case: Case) -> Case | None:
        """What holds behind a block of statements; None where nothing comes there."""
        for statement in body:
            after = self._statement(statement, case)
            if after is None:
                return None
            case = after
        return case

    def _statement(self, node: ast.stmt, case: Case) -> Case | None:
        if isinstance(node, ast.Return):
            self.returns[id(node)] = case
            return None
        if isinstance(node, (ast.Raise, ast.Break, ast.Continue)):
            return None
        if isinstance(node, ast.If):
            return self._branches(node, case)
        if isinstance(node, LOOPS):
            return self._loop(node, case)
        if isinstance(node, (ast.With, ast.AsyncWith)):
            return self.block(node.body, case)
        if isinstance(node, (ast.Try, ast.Match)):
            return self._either_block(node, case)
        return case

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While, case: Case) -> Case | None:
        self.loops += 1
        self.block(node.body, case)
        self.loops -= 1
        self.block(node.orelse, case)
        forever = isinstance(node, ast.While) and getattr(node.test, "value", None) is True
        left = any(isinstance(part, ast.Break) for part in walk(node))
        return None if forever and not left else case

    def _branches(self, node: ast.If, case: Case) -> Case | None:
        yes = self.block(node.body, (*case, *self.tests(node.test, holds=True)))
        no = self.block(node.orelse, (*case, *self.tests(node.test, holds=False)))
        if yes is None or no is None:
            return no if yes is None else yes
        return case

    def _either_block(self, node: ast.Try | ast.Match, case: Case) -> Case | None:
        if isinstance(node, ast.Match):
            blocks = [one.body for one in node.cases]
        else:
            blocks = [node.body + node.orelse, *(one.body for one in node.handlers)]
        ends = [self.block(block, case) for block in blocks]
        if isinstance(node, ast.Try) and self.block(node.finalbody, case) is None:
            return None
        ended = isinstance(node, ast.Try) and all(end is None for end in ends)
        return None if ended else case

    def tests(self, node: ast.expr, *, holds: bool) -> Case:
        """What a condition says of the parameters where it holds, or where it does not."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self.tests(node.operand, holds=not holds)
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And) is holds:
            return tuple(one for value in node.values for one in self.tests(value, holds=holds))
        if isinstance(node, ast.Name):
            return self._test(node, "true", None, holds=holds)
        if not isinstance(node, ast.Compare) or len(node.ops) != 1:
            return ()
        left, operator, other = node.left, node.ops[0], node.comparators[0]
        if not isinstance(left, ast.Name) or not isinstance(other, ast.Constant):
            return ()
        if other.value is None and isinstance(operator, (ast.Is, ast.IsNot)):
            return self._test(left, "none", None, holds=isinstance(operator, ast.Is) is holds)
        if isinstance(other.value, _CONSTANTS) and isinstance(operator, (ast.Eq, ast.NotEq)):
            same = isinstance(operator, ast.Eq) is holds
            return self._test(left, "equals", other.value, holds=same)
        return ()

    def _test(
        self, node: ast.Name, asks: Literal["none", "true", "equals"],
        constant: bool | int | str | None, *, holds: bool,
    ) -> Case:  # fmt: skip
        """Of what was given, as long as the name is not bound anew before."""
        if node.id not in self.parameters:
            return ()
        first = self.bound.get(node.id)
        as_given = first is None or (not self.loops and (node.lineno, node.col_offset) < first)
        return (Test(node.id, asks, constant, holds),) if as_given else ()

    @cached_property
    def bound(self) -> dict[str, tuple[int, int]]:
        """Where parameters are first bound anew."""
        return _bound_from(self.function, self.parameters)


def _bound_from(function: FunctionNode, names: set[str]) -> dict[str, tuple[int, int]]:
    """Where parameters are first bound anew; at the very beginning where others may do so."""
    found: dict[str, tuple[int, int]] = {}

    def bind(name: str, at: tuple[int, int]) -> None:
        if name in names:
            found[name] = min(at, found.get(name, at))

    for node in walk(function):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            bind(node.id, (node.lineno, node.col_offset))
        elif isinstance(node, ast.expr):  # most nodes are, and bind nothing
            continue
        elif isinstance(node, ast.Nonlocal):
            for name in node.names:
                bind(name, (0, 0))
        elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
            bind(node.name, (node.lineno, node.col_offset))
        elif isinstance(node, ast.MatchMapping) and node.rest:
            bind(node.rest, (node.lineno, node.col_offset))
        elif isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            bind(node.name, (node.lineno, node.col_offset) if node is not function else (0, 0))
        elif isinstance(node, ast.alias):
            bind((node.asname or node.name).partition(".")[0], (node.lineno, node.col_offset))
    return found


def reached(case: Case, given: Mapping[str, Value | None]) -> bool:
    """Whether a call may return in a case.

    Parameters
    ----------
    case : Case
    given : dict
        What its parameters are given, None where that is not known.
    """
    return not any(_answer(test, given.get(test.parameter)) is (not test.holds) for test in case)


def with_defaults(
    given: Mapping[str, Value | None], names: Iterable[str], defaults: Mapping[str, ast.expr]
) -> dict[str, Value | None]:
    """What the parameters of a call are given, and what those hold that are left out."""
    found = dict(given)
    for name in names:
        default = defaults.get(name)
        if name not in found and isinstance(default, ast.Constant):
            kind = "None" if default.value is None else type(default.value).__name__
            found[name] = Scalar(kind, default.value)
    return found


def _answer(test: Test, value: Value | None) -> bool | None:
    """Whether what a test asks for is so; None where nobody knows."""
    if isinstance(value, Scalar):
        return _of_scalar(test, value)
    if test.asks != "none" or not isinstance(value, (Array, Either, Sequence, Tuple, Dict)):
        of_one = isinstance(value, (Number, Instance)) and test.asks == "none"
        of_object = isinstance(value, Object) and test.asks == "none" and not value.optional
        return False if of_one or of_object else None
    return None if value.optional else False


def _of_scalar(test: Test, value: Scalar) -> bool | None:
    if value.type == "None":
        return test.asks == "none"
    if test.asks == "none":
        return False if value.type in _NEVER_NONE else None
    if value.type not in _TOLD or not isinstance(value.constant, _CONSTANTS):
        return None
    if test.asks == "true":
        return bool(value.constant)
    return value.constant == test.constant


_TOLD = frozenset(one.__name__ for one in _CONSTANTS)
_NEVER_NONE = frozenset({"bool", "int", "float", "complex", "number", "str"})


__all__ = ["Case", "Cases", "Test", "cases_in", "cases_of", "reached", "with_defaults"]
