"""What is known of the names that a loop uses, and of the loop among them."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ArrayFact:
    """What is known of an array that a loop uses.

    Attributes
    ----------
    dtype : str or None
        NumPy's name (``float64``); None where unknown: the kernel is made for ``assumed`` and the
        launch is guarded by it.
    rank : int or None
        Number of axes; None where only the loop's own subscripts tell.
    shape : tuple of str or None
        One symbol per axis; equal symbols are provably equal extents. An integer literal is itself.
    told : int or None
        Number of axes of what calls pass: it tells how ``x[i]`` is meant, and a guard makes sure.
    matrix : bool
        It is made of what has to be a matrix, and likely is one: ``x[i]`` is a row.
    counts : bool
        It holds what a loop counted in steps from a literal on: nothing negative, nothing larger
        than an array can be.
    falls : bool
        Of what was counted: it went down on the way too, as far as that.
    distinct : bool
        Of its elements no two are the same, and none is negative.
    """

    dtype: str | None = None
    rank: int | None = None
    shape: tuple[str, ...] | None = None
    told: int | None = None
    matrix: bool = False
    counts: bool = False
    falls: bool = False
    distinct: bool = False


@dataclass(frozen=True, slots=True)
class ScalarFact:
    """What is known of a number that a loop uses.

    Attributes
    ----------
    type : str or None
        ``int``, ``float``, ``complex``, ``bool`` for a Python number (a weak scalar), a dtype's
        name for a NumPy scalar, None where unknown.
    value : int, float, complex, bool or None
        Its value where it is a constant.
    provided : str
        What the launch asks before it reads the number, as Python text; empty where nothing.
    """

    type: str | None = None
    value: int | float | complex | bool | None = None
    provided: str = ""


@dataclass(frozen=True, slots=True)
class FunctionFact:
    """A function that a loop calls.

    Attributes
    ----------
    path : str
        Resolved name: ``numpy.sin``, ``math.sqrt``, ``builtins.abs``; for a function of the
        project its own name.
    definition : ast.FunctionDef or None
        The project's function, where it is one and its text is known.
    globals : mapping
        Facts of the names that ``definition`` reads from around it.
    closure : bool
        It reads names of the function with the loop: it is written in the place of its calls.
    same : bool
        The names that it reads from around it mean in the function with the loop what they mean
        where it is defined.
    outer : tuple of str
        Names of the function with the loop that it reads and that are no numbers.
    """

    path: str
    definition: ast.FunctionDef | None = None
    globals: Mapping[str, Fact] = field(default_factory=dict)
    closure: bool = False
    same: bool = False
    outer: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ModuleFact:
    """A name bound to a module: ``np`` is ``numpy``, ``math`` is ``math``.

    ``replaced`` are the names of libraries that the program gives other meanings.
    """

    path: str
    replaced: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class UnknownFact:
    """A name of which nothing is known."""


Fact = ArrayFact | ScalarFact | FunctionFact | ModuleFact | UnknownFact


@dataclass(frozen=True, slots=True)
class LoopNest:
    """A loop with everything known about the names that it uses.

    Attributes
    ----------
    node : ast.For or ast.While
        The outermost loop.
    function : ast.FunctionDef, ast.AsyncFunctionDef or ast.Module
        What encloses it.
    facts : mapping of str to Fact
        By name, for the names that are read in the loop and bound before it. A name without a
        fact is unknown. Attributes (``self.u``) are keyed by their dotted text.
    live_after : frozenset of str
        Names bound in the loop whose values are read after it.
    """

    node: ast.For | ast.While
    function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Module
    facts: Mapping[str, Fact]
    live_after: frozenset[str]
