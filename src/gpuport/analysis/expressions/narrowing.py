"""What a condition says of the names in it: ``x is not None`` and its kin."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.values.lattice import Array, Either, Mapping, Scalar, Sequence, Tuple

_OPTIONAL = (Array, Either, Sequence, Tuple, Mapping)


def not_none(test: ast.expr, *, holds: bool) -> frozenset[str]:
    """Names that are not None where a condition holds, or where it does not."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return not_none(test.operand, holds=not holds)
    if isinstance(test, ast.BoolOp):
        if isinstance(test.op, ast.And) is not holds:
            return frozenset()
        return frozenset().union(*(not_none(value, holds=holds) for value in test.values))
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return frozenset()
    other = test.comparators[0]
    if not isinstance(test.left, ast.Name) or not isinstance(other, ast.Constant):
        return frozenset()
    wanted = ast.IsNot if holds else ast.Is
    if other.value is not None or not isinstance(test.ops[0], wanted):
        return frozenset()
    return frozenset((test.left.id,))


def narrow(unit: Unit, test: ast.expr, *, holds: bool) -> None:
    """Forget that names may be None where a condition says that they are not."""
    for name in not_none(test, holds=holds):
        flow = unit.env.get(name)
        if flow is not None and isinstance(flow.value, _OPTIONAL) and flow.value.optional:
            unit.env[name] = replace(flow, value=replace(flow.value, optional=False))
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
