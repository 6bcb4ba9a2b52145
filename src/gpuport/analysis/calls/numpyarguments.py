"""Which parameters the arguments of NumPy calls land on, and what CuPy takes by these."""

from __future__ import annotations

import ast
from dataclasses import replace

from gpuport.analysis.calls.arguments import Argument
from gpuport.analysis.differences.instead import write_instead
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.knowledge.readings import DEVICE_DTYPES
from gpuport.analysis.placement.graph import Node
from gpuport.analysis.values.contents import of_numbers
from gpuport.analysis.values.lattice import (
    NONE,
    Array,
    Number,
    Scalar,
    Sequence,
    Tuple,
    Value,
    elements,
    is_container,
    is_number,
    on_device_possible,
)
from gpuport.rules.numpynames import positional_name

_PYTHON = {"b": "bool", "i": "int", "u": "int", "c": "complex"}
"""Python's types of numbers by the first letters of NumPy's."""


def parameter_name(unit: Unit, path: str, argument: Argument) -> str | None:
    """Name of the parameter that an argument lands on."""
    if argument.keyword is not None:
        return argument.keyword
    entry = unit.knowledge.tables.entry(path)
    if entry is None or entry.parameters is None or argument.position is None:
        return None
    return positional_name(entry.parameters, argument.position)


def skip_self(unit: Unit, path: str) -> int:
    """1 where the table of a method lists ``self`` first."""
    if not path.startswith("numpy.ndarray."):
        return 0
    entry = unit.knowledge.tables.entry(path)
    parameters = entry.parameters if entry is not None else None
    return 1 if parameters and parameters[0].name == "self" else 0


def as_given(flow: Flow) -> Value:
    """What CuPy takes an argument for: NumPy's numbers of the host are to it as Python's are."""
    if flow.origin is not None or not isinstance(flow.value, Number):
        return flow.value
    return Scalar(_PYTHON.get((flow.value.dtype or "f")[0], "float"))


_PLAIN_ORDERS = ("C", "F", "c", "f")
"""Orders of elements that have nothing to do with memory."""


def note_layout(
    unit: Unit, node: ast.expr, path: str, args: list[Argument], operation: Node
) -> None:
    """Note a call whose result tells in which order elements lie in memory."""
    effect = unit.knowledge.rules.effect(path)
    if effect is None or effect.by_layout is None or not args or lies_alike(args[0].flow):
        return
    own, told = skip_self(unit, path), effect.by_layout == "asked"
    for argument in args[1:]:
        place = argument.position
        landed = replace(argument, position=None if place is None else place + own)
        if parameter_name(unit, path, landed) in ("order", "**", None):
            value = argument.flow.value
            none = value == NONE and effect.by_layout == "asked"
            told = none or (isinstance(value, Scalar) and value.constant in _PLAIN_ORDERS)
            if not told:
                break
    if not told:
        origin = args[0].flow.origin
        unit.memory.laid_out += [(one, node) for one in (operation, origin) if one is not None]


def lies_alike(flow: Flow) -> bool:
    """Whether an array lies in memory in the same order on both sides."""
    return flow.ordered or getattr(flow.value, "rank", None) == 1


def takes(unit: Unit, path: str, name: str | None, value: Value) -> bool | None:
    """Whether the target takes such a value by a parameter; None where that is not recorded."""
    kind = _argument_kind(value)
    if name is None or kind is None:
        return None
    return unit.knowledge.takes(path, name, kind)


def _argument_kind(value: Value) -> str | None:
    """The word of the argument tables for a value; None for what they say nothing of."""
    if isinstance(value, Scalar):
        words = {"complex": "float", "int": "int", "float": "float", "bool": "bool"}
        return words.get(value.type or "")
    if isinstance(value, Array):
        return "array"
    if isinstance(value, (Sequence, Tuple)) and not on_device_possible(value):
        of = elements(value)
        if isinstance(of, (Sequence, Tuple)):
            return "nested-list"
        if of_numbers(value) and not (isinstance(value, Tuple) and not value.items):
            flat = not any(isinstance(v, (Sequence, Tuple)) for v in getattr(value, "items", ()))
            kind = "list" if isinstance(value, Sequence) and value.list else "tuple"
            return kind if flat else "nested-list"
    return None


def creates_of(unit: Unit, path: str, args: list[Argument]) -> bool:
    """Whether CuPy makes an array of these numbers and lists by itself."""
    offered = [(parameter_name(unit, path, a), as_given(a.flow)) for a in args]
    return not any(takes(unit, path, name, value) is False for name, value in offered)


def is_device_dtype(value: Value) -> bool:
    """Whether CuPy has arrays of a dtype; True where it is not known which one it is."""
    import numpy as np

    constant = value.constant if isinstance(value, Scalar) else None
    if not isinstance(constant, (type, str)):
        return True
    try:
        dtype = np.dtype(constant)
        return dtype.char in DEVICE_DTYPES and dtype.isnative
    except TypeError:
        return False


def check_choices(
    unit: Unit, node: ast.Call, path: str, args: list[Argument], graph_node: Node, result: Value
) -> None:
    """In CuPy the dtype is that of the arrays alone, in NumPy also of what stands beside them."""
    listed = unit.knowledge.words.array_lists.get(path)
    named = [(one, parameter_name(unit, path, one) == listed) for one in args]
    others = [one for one, choices in named if listed and not _is_choice(one, result, choices)]
    rules = unit.knowledge.rules.differs(path) if others else ()
    if any(write_instead(unit, node, graph_node, one, ()) for one in rules if one.takes):
        return
    for other in others[:1]:
        text = unit.module.segment(other.expression)[:60]
        why = f"unsupported parameter: CuPy takes lists of arrays and one number, not `{text}`"
        unit.pin(graph_node, "GP103", why, node, "unsupported-parameter")


def _is_choice(argument: Argument, result: Value, listed: bool) -> bool:
    """Whether CuPy's function gives the same of an argument: numbers, arrays of this dtype."""
    value = argument.flow.value
    of = elements(value) if is_container(value) else None
    dtype = getattr(of, "dtype", None)
    if not is_container(value):
        return is_number(value)
    return not listed or (dtype is not None and dtype == getattr(result, "dtype", None))
