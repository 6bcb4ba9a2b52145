"""The records that pass between the steps of the loop compiler."""

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
    fresh : bool
        Allocated by this function since no other name held it: it shares memory with nothing
        else that the loop uses.
    """

    dtype: str | None = None
    rank: int | None = None
    shape: tuple[str, ...] | None = None
    fresh: bool = False


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
    """

    type: str | None = None
    value: int | float | complex | bool | None = None


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
    """

    path: str
    definition: ast.FunctionDef | None = None
    globals: Mapping[str, Fact] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ModuleFact:
    """A name bound to a module: ``np`` is ``numpy``, ``math`` is ``math``."""

    path: str


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


@dataclass(frozen=True, slots=True)
class Axis:
    """One loop of the grid: ``variable`` runs over ``range(start, stop, step)``.

    Attributes
    ----------
    variable : str
        The user's name of the loop variable.
    start, stop, step : str
        Python expressions over names bound before the launch (``"1"``, ``"n - 1"``).
    """

    variable: str
    start: str
    stop: str
    step: str


@dataclass(frozen=True, slots=True)
class Accumulation:
    """A number that every iteration adds to: ``total += f(i)``.

    Attributes
    ----------
    variable : str
        The user's name.
    operator : str
        ``+``, ``*``, ``min``, ``max``, ``argmin``, ``argmax``, ``any``, ``all``, ``count``.
    statement : ast.stmt
        The statement (or the ``if``) in the body that does it.
    """

    variable: str
    operator: str
    statement: ast.stmt


@dataclass(frozen=True, slots=True)
class LoopPlan:
    """How a nest runs on the device.

    Attributes
    ----------
    nest : LoopNest
    outer : tuple of ast.For or ast.While
        The loops that stay in Python, outermost first; the launch is made in the innermost.
    region : ast.For or ast.While
        The loop that the launch takes the place of.
    grid : tuple of Axis
        The thread dimensions, outermost first.
    body : tuple of ast.stmt
        What one thread does, in the user's own statements; loops in it are serial.
    prologue : tuple of (str, str)
        Names that a thread sets before the body: ``("v", "x[i]")`` for ``for v in x``.
    reads, writes : frozenset of str
        Arrays by name; an array that is read and written is in both.
    atomics : frozenset of str
        Written arrays that iterations share, by ``+=`` alone.
    snapshots : frozenset of str
        Arrays whose old values the launch must read: copied before it.
    accumulations : tuple of Accumulation
    last_values : tuple of (str, str)
        Names to bind after the launch, as the loop would have left them, with the Python
        expression that gives the value.
    guards : tuple of str
        Python expressions over names bound before the launch; the launch is sound where all are
        true. No IndexError is possible there.
    elementwise : bool
        Every array is subscripted by the grid's variables alone, in order, over its full extent.
    """

    nest: LoopNest
    outer: tuple[ast.For | ast.While, ...]
    region: ast.For | ast.While
    grid: tuple[Axis, ...]
    body: tuple[ast.stmt, ...]
    prologue: tuple[tuple[str, str], ...]
    reads: frozenset[str]
    writes: frozenset[str]
    atomics: frozenset[str]
    snapshots: frozenset[str]
    accumulations: tuple[Accumulation, ...]
    last_values: tuple[tuple[str, str], ...]
    guards: tuple[str, ...]
    elementwise: bool


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a nest stays a Python loop.

    Attributes
    ----------
    code : str
        The finding's code, GP2xx.
    message : str
        In the user's own names and lines.
    line, column : int
        Where, 1-based line and 0-based column as ``ast`` has them.
    """

    code: str
    message: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel object and its launch, as Python text.

    Attributes
    ----------
    name : str
        The module-level name, derived from the function's and what the loop computes.
    definition : str
        The text that follows ``name = ``; ``{cupy}`` stands for CuPy's name in the module.
    before : tuple of str
        Statements before the launch (snapshots, allocation of partial sums).
    call : str
        The statement that launches.
    after : tuple of str
        Statements after it (the last values, the sum of partial sums).
    arguments : tuple of str
        The arrays and numbers that the launch passes, in order.
    guards : tuple of str
        Those of the plan and those that the types need.
    """

    name: str
    definition: str
    before: tuple[str, ...]
    call: str
    after: tuple[str, ...]
    arguments: tuple[str, ...]
    guards: tuple[str, ...]
