"""The names that a kernel uses and does not bind: arrays, numbers, functions."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from gpuport.loops.facts import ArrayFact, Fact, FunctionFact, ScalarFact
from gpuport.loops.names import dotted, function_path, is_shape
from gpuport.loops.reasons import UNKNOWN_TYPE, Refused
from gpuport.parallel.cuda.rules import functions
from gpuport.parallel.ranges import Value, of_constant, of_type
from gpuport.parallel.typing import PYTHON, Type, TypeRefusal, named


@dataclass(frozen=True, slots=True)
class Array:
    """An array that a kernel reads or writes.

    Attributes
    ----------
    dtype : str
    rank : int
    counts, falls : bool
        It holds numbers that a loop counted, as ``facts.ArrayFact`` says.
    """

    dtype: str
    rank: int
    counts: bool = False
    falls: bool = False


@dataclass(frozen=True, slots=True)
class Magnitudes:
    """How large whole numbers from outside are taken to be.

    Attributes
    ----------
    counted : int
        Bound of loop variables and lengths: no array has more elements than a GPU has addresses.
    given : int
        Bound of the whole numbers that are passed.
    guarded : bool
        Whether the launch makes sure of them.
    """

    counted: int
    given: int
    guarded: bool

    @property
    def below(self) -> str:
        """What the launch asks numbers to be less than, as Python text."""
        return f"2**{self.given.bit_length()}"


PHYSICAL = Magnitudes(2**48, 2**62, False)
"""What holds without a guard."""
GUARDED = tuple(Magnitudes(2**bits - 1, 2**bits - 1, True) for bits in (31, 28, 20))
"""What guards ensure where sums and products of numbers would not fit otherwise, mildest first."""


@dataclass(frozen=True)
class Symbols:
    """What the names of a body mean.

    Attributes
    ----------
    arrays : mapping of str to Array
    scalars : mapping of str to Value
        Numbers bound before the launch, and the grid's variables.
    facts : mapping of str to Fact
        For functions and modules.
    magnitudes : Magnitudes
    """

    arrays: Mapping[str, Array]
    scalars: Mapping[str, Value]
    facts: Mapping[str, Fact]
    magnitudes: Magnitudes = PHYSICAL

    def path(self, node: ast.expr) -> str | None:
        """Resolved name of a called function."""
        return function_path(node, self.facts)

    def function(self, node: ast.expr) -> FunctionFact | None:
        """The project's function that an expression names."""
        fact = self.facts.get(dotted(node) or "")
        return fact if isinstance(fact, FunctionFact) and fact.definition is not None else None

    def constant(self, node: ast.expr) -> Value | None:
        """The value of ``math.pi`` and the like."""
        path = function_path(node, self.facts)
        value = functions().constants.get(path or "")
        return None if value is None else of_constant(value, PYTHON["float"])

    def length_of(self, node: ast.expr) -> tuple[str, int] | None:
        """Array and axis of ``len(x)``, ``x.shape[k]`` and ``x.size`` of a 1-D array."""
        if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
            name = dotted(node.args[0]) or ""
            if name in self.arrays and self.path(node.func) == "builtins.len":
                return name, 0
        if isinstance(node, ast.Subscript) and is_shape(node.value):
            name = dotted(node.value.value) or ""  # type: ignore[attr-defined]
            axis = _axis(node.slice)
            if name in self.arrays and axis is not None:
                rank = self.arrays[name].rank
                if -rank <= axis < rank:
                    return name, axis % rank
        if isinstance(node, ast.Attribute) and node.attr == "size":
            name = dotted(node.value) or ""
            if name in self.arrays and self.arrays[name].rank == 1:
                return name, 0
        return None

    def outer_length(self, node: ast.expr) -> str | None:
        """Text of the length of an array that the kernel does not see: it is passed a number."""
        plain = isinstance(node, ast.Call | ast.Subscript | ast.Attribute)
        text = ast.unparse(node) if plain and is_length(node) else ""
        return text if text in self.scalars else None

    def element_of(self, array: Array) -> Value:
        """The value of an element."""
        if array.counts:
            low = -self.magnitudes.counted if array.falls else 0
            return of_type(Type(array.dtype), low, self.magnitudes.counted)
        return of_type(Type(array.dtype))

    def length(self) -> Value:
        """The value of a length."""
        return of_type(PYTHON["int"], 0, self.magnitudes.counted)


def is_length(node: ast.expr) -> bool:
    """Whether an expression is ``len(x)``, ``x.shape[k]`` or ``x.size`` of a name."""
    if isinstance(node, ast.Call):
        given = len(node.args) == 1 and not node.keywords and dotted(node.args[0]) is not None
        return dotted(node.func) == "len" and given
    if isinstance(node, ast.Subscript):
        owner = node.value
        shaped = isinstance(owner, ast.Attribute) and owner.attr == "shape"
        return shaped and dotted(owner) is not None and _axis(node.slice) is not None
    return isinstance(node, ast.Attribute) and node.attr == "size" and dotted(node) is not None


def _axis(node: ast.expr) -> int | None:
    try:
        value = ast.literal_eval(node)
    except ValueError:
        return None
    return value if type(value) is int else None


def scalar_value(fact: Fact | None, assumed: Type, magnitudes: Magnitudes, node: ast.AST) -> Value:
    """The value of a number bound before the loop.

    Parameters
    ----------
    fact : Fact or None
        What is known.
    assumed : Type
        Its type where that is not known.
    magnitudes : Magnitudes
    node : ast.AST
        Where it is used, for the refusal.

    Raises
    ------
    Refused
        Where it has a type that kernels do not compute with.
    """
    if isinstance(fact, ScalarFact):
        if fact.value is not None:
            return of_constant(fact.value, _type_of(fact, node))
        if fact.type is not None:
            assumed = _type_of(fact, node)
    if assumed == PYTHON["int"]:
        return of_type(assumed, -magnitudes.given, magnitudes.given)
    return of_type(assumed)


def _type_of(fact: ScalarFact, node: ast.AST) -> Type:
    try:
        return named(fact.type or type(fact.value).__name__)
    except TypeRefusal as error:
        raise Refused(UNKNOWN_TYPE, node, str(error)) from error


def array_of(fact: Fact | None, rank: int, index: bool, node: ast.AST) -> Array:
    """What is known, or assumed, of an array: float64, int64 for one that holds indices.

    Raises
    ------
    Refused
        Where its dtype is none of the device's.
    """
    dtype = fact.dtype if isinstance(fact, ArrayFact) else None
    if dtype is None:
        dtype = "int64" if index else "float64"
    try:
        found = named("bool_" if dtype == "bool" else dtype).dtype if dtype != "bool" else "bool"
    except TypeRefusal as error:
        raise Refused(UNKNOWN_TYPE, node, str(error)) from error
    known = fact if isinstance(fact, ArrayFact) else ArrayFact()
    return Array(found, rank, known.counts, known.falls)
