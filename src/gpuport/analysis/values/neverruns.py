"""Branches that never run: what their condition asks for is None in the whole program.

``if self.forcing is not None: out += self.forcing`` says nothing of ``out`` where no instance is
ever given a ``forcing``. Only claims that hold for every run count: of attributes and parameters
of which all code is seen, and of local names.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.values.lattice import (
    NONE,
    UNKNOWN,
    Array,
    Either,
    Mapping,
    Object,
    Scalar,
    Sequence,
    Tuple,
    Unknown,
    Value,
)
from gpuport.source.nones import not_none
from gpuport.source.syntax import walk

_OPTIONAL = (Array, Either, Sequence, Tuple, Mapping)


def narrow(unit: Unit, test: ast.expr, *, holds: bool) -> None:
    """Forget that names may be None where a condition says that they are not."""
    for name in not_none(test, holds=holds):
        flow = unit.env.get(name)
        if flow is not None and isinstance(flow.value, _OPTIONAL) and flow.value.optional:
            unit.env[name] = replace(flow, value=replace(flow.value, optional=False))
        elif flow is not None and isinstance(flow.value, Unknown) and flow.value.number is not None:
            unit.env[name] = Flow(flow.value.number)
        elif flow is not None and flow.value == Scalar():
            # A number or None, by all likelihood; arrays would take the call to the host.
            unit.env[name] = replace(flow, value=Scalar("assumed"))


@contextmanager
def narrowed(unit: Unit, test: ast.expr, *, holds: bool) -> Iterator[None]:
    """As `narrow`, for the evaluation of an expression alone."""
    before = {name: unit.env[name] for name in not_none(test, holds=holds) if name in unit.env}
    narrow(unit, test, holds=holds)
    try:
        yield
    finally:
        unit.env.update(before)


def each_narrowed(unit: Unit, node: ast.BoolOp) -> Iterator[ast.expr]:
    """The operands of ``and`` or ``or``, each where those before it hold, or fail."""
    before: dict[str, Flow] = {}
    try:
        for value in node.values:
            yield value
            holds = isinstance(node.op, ast.And)
            names = not_none(value, holds=holds)
            before = {name: unit.env[name] for name in names if name in unit.env} | before
            narrow(unit, value, holds=holds)
    finally:  # also where those that follow are not asked for
        unit.env.update(before)


def never(unit: Unit, test: ast.expr, *, holds: bool) -> bool:
    """Whether a condition never holds, or, where ``holds`` is False, never fails."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return never(unit, test.operand, holds=not holds)
    if isinstance(test, ast.BoolOp):
        decided = (never(unit, value, holds=holds) for value in test.values)
        return any(decided) if isinstance(test.op, ast.And) is holds else all(decided)
    if not isinstance(test, ast.Compare):
        return holds and _is_none(unit, test)
    operator, other = test.ops[0], test.comparators[0]
    if len(test.ops) > 1 or not isinstance(operator, (ast.Is, ast.IsNot)):
        return False
    if not isinstance(other, ast.Constant) or other.value is not None:
        return False
    return isinstance(operator, ast.IsNot) is holds and _is_none(unit, test.left)


def _is_none(unit: Unit, node: ast.expr) -> bool:
    """Whether a name or an attribute is known to be None wherever the code is run."""
    if isinstance(node, ast.Attribute):
        return _attribute(unit, node) == NONE
    if not isinstance(node, ast.Name) or isinstance(unit.node, ast.Module):
        return False  # functions may bind the names of a module
    flow = unit.env.get(node.id)
    given = unit.objects is None and _is_parameter(unit, node.id)
    return flow is not None and flow.value == NONE and not given and not _has_handlers(unit)


def _attribute(unit: Unit, node: ast.Attribute) -> Value:
    """What an attribute of a followed instance holds; nothing is learned of it by asking."""
    base: Value = UNKNOWN
    if isinstance(node.value, ast.Attribute):
        base = _attribute(unit, node.value)
    elif isinstance(node.value, ast.Name) and node.value.id in unit.env:
        base = unit.env[node.value.id].value
    objects = unit.objects
    if objects is None or not isinstance(base, Object):
        return UNKNOWN
    family = objects.classes.get(base.name)
    if family is None or family.is_property(node.attr) or family.defines(node.attr):
        return UNKNOWN
    key = family.name, node.attr
    return objects.before.attributes.get(key, objects.now.attributes.get(key, UNKNOWN))


def _is_parameter(unit: Unit, name: str) -> bool:
    """Whether callers that nobody sees may give it."""
    args = getattr(unit.node, "args", None)
    every = () if args is None else (*args.posonlyargs, *args.args, *args.kwonlyargs)
    return any(one.arg == name for one in every)


def _has_handlers(unit: Unit) -> bool:
    """Whether an exception may leave a name with what it was bound to midway."""
    return any(isinstance(node, ast.Try) for node in walk(unit.node))


__all__ = ["each_narrowed", "narrow", "narrowed", "never"]
