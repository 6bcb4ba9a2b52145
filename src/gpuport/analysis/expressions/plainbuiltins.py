"""What builtins make of things that are no arrays, or that nothing is known of."""

from __future__ import annotations

import ast

from gpuport.analysis.calls.arguments import Argument
from gpuport.analysis.calls.hostcalls import unknown_call
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.values.lattice import (
    REALS,
    UNKNOWN,
    Scalar,
    Unknown,
    Value,
    elements,
    is_container,
    on_device_possible,
)

_PLAIN = {"str": "str", "repr": "str", "input": "str", "isinstance": "bool", "hasattr": "bool",
          "callable": "bool", "issubclass": "bool", "any": "bool", "all": "bool", "ord": "int",
          "hash": "int", "id": "int", "chr": "str", "format": "str", "print": "None",
          "round": None, "pow": None, "divmod": None, "max": None, "min": None, "sum": None,
          "abs": None, "slice": "slice", "type": "dtype",
          "bytes": "bytes", "hex": "str", "bin": "str", "oct": "str"}  # fmt: skip
"""The types of what they give, where nothing that they are given is an array."""
_OF_ARRAYS = frozenset({"pow", "divmod", "max", "min", "sum", "abs"})
"""Of these, what gives arrays where it is given some; ``round`` is not among them."""


def plain_result(unit: Unit, node: ast.Call, name: str, args: list[Argument]) -> Value:
    """What a builtin makes of things that are no arrays, or that nothing is known of."""
    if name in _OF_ARRAYS and any(map(is_unknown, args)):
        return unknown_result(unit, node)
    if name in ("round", "sum") and args and not any(a.keyword for a in args):
        of = args[0].flow.value if name == "round" else elements(args[0].flow.value)
        if isinstance(of, Scalar) and of.type in REALS:
            whole = of.type == "int" or (name == "round" and len(args) == 1)
            return Scalar("int" if whole else of.type if name == "round" else "number")
    return Scalar(_PLAIN[name]) if name in _PLAIN else UNKNOWN


def is_unknown(argument: Argument) -> bool:
    """Whether nothing is known of an argument, or of what it holds."""
    value = argument.flow.value
    held = elements(value) if is_container(value) else value
    return isinstance(held, Unknown)


def unknown_result(unit: Unit, node: ast.Call) -> Unknown:
    """The result of a call of which nothing is known."""
    return Unknown(f"the result of `{unit.module.segment(node)[:60]}`")


def unfollowed(unit: Unit, node: ast.Call, args: list[Argument]) -> Flow:
    """What a builtin gives whose items are not followed."""
    if not any(on_device_possible(a.flow.value) for a in args):
        return Flow(UNKNOWN)
    return unknown_call(unit, node, args)
