"""Likely types of parameters that nothing tells, each an assumption with its source.

By strength: the default, the docstring, how the function uses the name, and the name itself. Where
evidence contradicts itself nothing is assumed.
"""

from __future__ import annotations

import re

from gpuport.facts.contexts import Context, Location, Place
from gpuport.facts.evaluation import Evaluation, State
from gpuport.facts.knowledge import knowledge
from gpuport.facts.transfer.families import subclasses
from gpuport.ir.extents import Affine, Symbol
from gpuport.ir.structure import Function, Op, Value
from gpuport.ir.types import FLOAT, INT, UNKNOWN, Assumption, Type

DOCUMENTED = re.compile(r"^\s*(\w+)\s*:\s*(.+)$", re.MULTILINE)  #: numpydoc's "name : type"
PYTHON_TYPES = ("int", "float", "bool", "complex")
Evidence = tuple[Type, str]
NO_EVIDENCE: Evidence = (UNKNOWN, "")


def enter_assumed(inference: State, function: Function) -> None:
    """Queue a function that nothing calls, with likely types for its parameters."""
    types = [believed(inference, function, place) for place in range(len(function.parameters))]
    inference.context(function, tuple(types))


def believed(inference: State, function: Function, place: int) -> Type:
    """The likely type of a parameter, under the assumption that it is so; unknown for none."""
    cls = inference.index.class_of.get(function)
    if place == 0 and cls is not None:
        here = Evaluation(inference, Context(function, (), -1), cls)
        return Type("record", targets=frozenset(subclasses(here, cls)))
    if not function.signature:
        return UNKNOWN
    value = function.parameters[place]
    likely, source = _likely(inference, function, place)
    if likely.kind == "unknown":
        return UNKNOWN
    if likely.kind == "array" and likely.shape is not None:
        likely = likely.but(shape=_own_extents(value, len(likely.shape)))
    rank = f" of rank {likely.rank}" if likely.rank is not None else ""
    claim = f"is a {likely.dtype or ''} {likely.kind}{rank}".replace("  ", " ")
    assumed = Assumption(function.qualname, value.name, claim, source, "type", (likely,))
    return likely.but(assumed=frozenset([assumed]))


def _own_extents(value: Value, rank: int) -> tuple[Affine, ...]:
    return tuple(
        Affine.of(Symbol(value, (("axis", axis),), f"{value.name}.shape[{axis}]"))
        for axis in range(rank)
    )


def _likely(inference: State, function: Function, place: int) -> Evidence:
    value = function.parameters[place]
    default = inference.memory.get(Location(Place.DEFAULT, function, value.name))
    if default is not None and default.kind in ("number", "string"):
        return default.but(integer=None, constant=None), "its default"
    used = _by_uses(inference.index.uses[function].get(value, []))
    if used is None:
        return NO_EVIDENCE
    return _documented(function, value.name, used) or _used(used) or _named(value.name, used)


class _Uses:
    """What the uses of a parameter tell."""

    def __init__(self) -> None:
        self.rank: int | None = None
        self.is_array = self.is_indexed = self.is_counted = False

    @property
    def array(self) -> Type:
        """The array that these uses ask for."""
        if self.rank:
            return Type("array", "float64", (None,) * self.rank)
        return Type("array", "float64", (None,) if self.is_indexed else None)


def _by_uses(uses: list[tuple[Op, int]]) -> _Uses | None:
    """What uses tell; None where they contradict an array or a number."""
    told = _Uses()
    for op, place in uses:
        if op.kind in ("GetItem", "SetItem") and place == 0:
            by = op.operands[1].definition
            if isinstance(by, Op) and by.kind == "Const" and type(by.attributes["value"]) is str:
                return None
            if isinstance(by, Op) and by.kind == "Tuple":
                told.rank = max(told.rank or 0, len(by.operands))
            told.is_array = True
            told.is_indexed |= op.kind == "GetItem"
        elif op.kind == "GetAttr":
            if op.attributes["name"] not in knowledge().array_attributes:
                return None
            told.is_array = True
        elif op.kind == "Iterate" and op.attributes["form"] == "range":
            told.is_counted = True
        elif op.kind == "Iterate" or op.attributes.get("operator") == "@":
            told.is_array = True
        elif op.kind == "Call" and place == 0:
            return None
    return told


def _documented(function: Function, name: str, used: _Uses) -> Evidence | None:
    for documented, text in DOCUMENTED.findall(function.doc or ""):
        if documented != name:
            continue
        if "array" in text:
            return used.array, "the docstring"
        for kind in PYTHON_TYPES:
            if text.startswith(kind):
                return Type("number", kind), "the docstring"
    return None


def _used(used: _Uses) -> Evidence | None:
    if used.is_counted:
        return INT, "range() of it"
    return (used.array, "its uses") if used.is_array else None


def _named(name: str, used: _Uses) -> Evidence:
    names = knowledge().names
    for kind, t in (("int", INT), ("float", FLOAT), ("array", used.array)):
        if names[kind].fullmatch(name):
            return t, "its name"
    return NO_EVIDENCE
