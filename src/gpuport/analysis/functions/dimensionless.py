"""Results that may be arrays without dimensions, which come back from the device as numbers.

``np.where(t > 1, x[0], x[1])`` is one where ``x[0]`` is a number: what a call was given tells.
"""

from __future__ import annotations

import ast

from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.knowledge.probing import probe_call
from gpuport.analysis.placement.graph import Node, Use
from gpuport.analysis.values.lattice import (
    Array,
    Either,
    Number,
    Value,
)
from gpuport.source.syntax import walk


def may_be_dimensionless(unit: Unit, flow: Flow) -> bool:
    """Whether it is an array that has no dimension, or perhaps none: it is made of elements.

    ``np.where(t > 1, x[0], x[1])`` is an array of numbers where ``x[0]`` is one.
    """
    value, origin = flow.value, flow.origin
    if not isinstance(value, Array) or value.rank is not None or origin is None:
        return isinstance(value, Array) and value.rank == 0
    given = _operands(unit, origin)
    # one that is an array gives its dimensions to the result
    return all(map(_is_element, given.values())) and _is_made_of_numbers(unit, origin, given)


def may_be_of_elements(unit: Unit, flow: Flow) -> bool:
    """The same of a name, and of what was computed from elements: ``np.where(x[0] > 1, 2, 3)``."""
    value, origin = flow.value, flow.origin
    if not isinstance(value, Array) or value.rank is not None or origin is None:
        return False
    origin = _behind_name(unit, origin)
    given = _operands(unit, origin)
    computed = all(_comes_of_elements(unit, use, set()) for use in given.values())
    return computed and _is_made_of_numbers(unit, origin, given)


def _comes_of_elements(unit: Unit, use: Use, seen: set[int]) -> bool:
    """Whether an operand was computed from parts that indices took out of arrays."""
    if _is_element(use):
        return True
    if not isinstance(use.value, Either) or id(use.producer) in seen:
        return False
    seen.add(id(use.producer))
    given = _operands(unit, use.producer).values()
    return bool(given) and all(_comes_of_elements(unit, one, seen) for one in given)


def _operands(unit: Unit, origin: Node) -> dict[int, Use]:
    return {id(u.expression): u for u in unit.graph.uses.values() if u.consumer is origin}


def _behind_name(unit: Unit, origin: Node) -> Node:
    """What a name was bound to."""
    uses = unit.graph.uses.values()
    named = [u.producer for u in uses if u.consumer is origin and u.producer is not origin]
    return named[0] if len(named) == 1 and "." not in origin.label else origin


def _is_made_of_numbers(unit: Unit, origin: Node, given: dict[int, Use]) -> bool:
    """Whether the call with these operands makes an array without dimensions of numbers."""
    for call in walk(unit.node):
        if isinstance(call, ast.Call) and given.keys() & {id(one) for one in call.args}:
            return _of_numbers(origin.label, len(call.args))
    return False


def loses_its_kind(unit: Unit, flow: Flow) -> bool:
    """Whether it is made of what may be a vector, of which NumPy makes an array of no dimension.

    ``np.cov(x)`` is a matrix of the rows of ``x``, where ``x`` has rows.
    """
    value, origin = flow.value, flow.origin
    if not isinstance(value, Array) or value.rank is not None or origin is None:
        return False
    origin = _behind_name(unit, origin)
    given = [use.value for use in _operands(unit, origin).values()]
    open_ones = [value for value in given if isinstance(value, (Array, Either))]
    if not open_ones or any(getattr(v, "matrices", False) for v in open_ones):
        return False
    return _without_dimensions(origin.label, (Array("float64", 1),) * len(open_ones))


def _is_element(use: Use) -> bool:
    """Whether an operand is a number, or a part that an index took out of an array."""
    return isinstance(use.value, Number) or (isinstance(use.value, Either) and use.view)


def _of_numbers(path: str, count: int) -> bool:
    """Whether a function makes an array without dimensions of so many numbers."""
    return _without_dimensions(path, (Number("float64"),) * count)


def _without_dimensions(path: str, values: tuple[Value, ...]) -> bool:
    made = probe_call(path, values, ())
    return isinstance(made, Array) and made.rank == 0


__all__ = ["loses_its_kind", "may_be_dimensionless", "may_be_of_elements"]
