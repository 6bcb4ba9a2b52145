"""The records that pass between the steps of the loop compiler."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field

from gpuport.loops.carried import Accumulation, Latest, Scan, Tallies
from gpuport.loops.facts import LoopNest
from gpuport.parallel.declared import DeclaredKernel


@dataclass(frozen=True, slots=True)
class Workspace:
    """An array made before a launch, with a place for what each iteration makes to work in.

    Attributes
    ----------
    name, of : str
        Its own, and that of what an iteration makes.
    dtype : str or None
        None where it is that of ``like``, as the kernel takes it to be.
    like : str
        The array whose dtype it has; empty for any other.
    extents : tuple of str
        Python text; those of what an iteration makes come first.
    axes : int
        How many those are.
    place : str
        The further indices of an iteration.
    collected : bool
        It stands for a list to which each iteration appends one item, and is kept.
    kept : str
        Another one, which marks the iterations that append; empty where all do.
    marks : bool
        It is such marks itself.
    lent : bool
        It stands for one that all iterations work in: what none has written there is asked for.
    """

    name: str
    of: str
    dtype: str | None
    like: str
    extents: tuple[str, ...]
    axes: int
    place: str
    collected: bool = False
    kept: str = ""
    marks: bool = False
    lent: bool = False


@dataclass(frozen=True, slots=True)
class FirstHit:
    """What a loop sets at its first hit, where it ends.

    Attributes
    ----------
    variable : str
        The name that gets the number of the first iteration that hits: the least of all, or the
        greatest where the loop counts downwards. Where it is all the same which one hits, whether
        any does.
    none : str
        Python text for what it is where there is none.
    test : str
        Python text that is true where there is one.
    lines : tuple of str
        Statements for where there is one; the last may be a ``return``.
    reads : tuple of (str, int)
        Arrays of which the statements alone read an element, and how many axes they have.
    otherwise : tuple of str
        Statements for where there is no hit: the loop's ``else``.
    """

    variable: str
    none: str
    test: str
    lines: tuple[str, ...]
    reads: tuple[tuple[str, int], ...] = ()
    otherwise: tuple[str, ...] = ()

    @property
    def flag(self) -> bool:
        """Whether it is all the same which iteration hits."""
        return self.variable == self.test


@dataclass(frozen=True, slots=True)
class Packed:
    """A tuple or list that a loop sets, whose items have names of their own in the plan's body.

    Attributes
    ----------
    name : str
        The user's.
    parts : tuple of str
    listed : bool
        It is a list.
    """

    name: str
    parts: tuple[str, ...]
    listed: bool

    def written(self, items: str) -> str:
        """Python text of a tuple, or list, of these items."""
        if self.listed:
            return f"[{items}]"
        return f"({items},)" if len(self.parts) == 1 else f"({items})"


@dataclass(frozen=True, slots=True)
class Axis:
    """One loop of the grid: ``variable`` runs over ``range(start, stop, step)``.

    Attributes
    ----------
    variable : str
        The user's name of the loop variable.
    start, stop, step : str
        Python expressions over names bound before the launch (``"1"``, ``"n - 1"``). ``step`` is
        a positive or negative literal, or a name that the guards prove positive.
    """

    variable: str
    start: str
    stop: str
    step: str


@dataclass(frozen=True, slots=True)
class SubscriptRange:
    """What is known of one index of a subscript in the body.

    Attributes
    ----------
    node : ast.Subscript
        The very node of the plan's body (``x[i][j]`` was flattened to ``x[i, j]``).
    array : str
        Its array by name (dotted for attributes).
    axis : int
    negative : bool
        The index may be negative, and then counts from the end. False is proven.
    proven : bool
        The guards make sure that the index is within the array. Otherwise it depends on data:
        the thread must check it before the access, and nothing that the launch wrote may stay
        where a check fails (the original loop has to run, and to raise).
    """

    node: ast.Subscript
    array: str
    axis: int
    negative: bool
    proven: bool


@dataclass(frozen=True, slots=True)
class LoopPlan:
    """How a nest runs on the device.

    The body holds copies of the user's statements in a plain form: every ``for`` in it runs over
    ``range(...)`` with one name as its target and without ``else``; every assignment has one
    target, a name, a subscript, or a tuple of these with a tuple of as many values; a subscript
    has as many indices as the array has axes, none of them a slice; names that had to be made up
    end in an underscore. ``continue`` and ``break`` belong to loops of the body, but for a
    ``continue`` of the thread itself, which ends the thread. Positions are the user's.

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
    reads, writes : frozenset of str
        Arrays by name; an array that is read and written is in both.
    atomics : frozenset of str
        Written arrays that iterations share, by ``+=`` alone, or by one kind of extreme alone.
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
    ranges : tuple of SubscriptRange
        One for each index of each subscript in the body.
    scan : Scan or None
        Where the iterations are tied by a scan; ``accumulations`` are then of what is made of
        the scanned values.
    tallies : Tallies or None
        Where the iterations are tied by numbers that they add to.
    begins : tuple of (str, str)
        Names that accumulations begin with, and the Python text of their values.
    packed : tuple of Packed
    ranks : mapping of str to int
        Axes of each array that the body subscripts.
    workspaces : tuple of Workspace
        Arrays that the launch makes for the threads; they are not among ``reads`` and ``writes``.
    hit : FirstHit or None
        Where the loop ends at the first hit.
    latest : tuple of Latest
        Where the iterations are tied by numbers that only some of them set.
    places : frozenset of str
        Variables of loops that stand for operations of the program on arrays or parts of them.
    bounds : frozenset of str
        Those of the guards that do no more than keep indices within their arrays.
    left : tuple of str
        Names to which the loop gives new arrays, and that hold what they held after the launch,
        with other elements.
    """

    nest: LoopNest
    outer: tuple[ast.For | ast.While, ...]
    region: ast.For | ast.While
    grid: tuple[Axis, ...]
    body: tuple[ast.stmt, ...]
    reads: frozenset[str]
    writes: frozenset[str]
    atomics: frozenset[str]
    snapshots: frozenset[str]
    accumulations: tuple[Accumulation, ...]
    last_values: tuple[tuple[str, str], ...]
    guards: tuple[str, ...]
    elementwise: bool
    ranges: tuple[SubscriptRange, ...] = ()
    scan: Scan | None = None
    ranks: Mapping[str, int] = field(default_factory=dict)
    workspaces: tuple[Workspace, ...] = ()
    hit: FirstHit | None = None
    tallies: Tallies | None = None
    begins: tuple[tuple[str, str], ...] = ()
    packed: tuple[Packed, ...] = ()
    latest: tuple[Latest, ...] = ()
    places: frozenset[str] = frozenset()
    bounds: frozenset[str] = frozenset()
    left: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a nest stays a Python loop.

    Attributes
    ----------
    code : str
        The finding's code, GP2xx.
    message : str
        In the user's own names and lines.
    line : int
    """

    code: str
    message: str
    line: int


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel that does what a loop does.

    Attributes
    ----------
    name : str
        Derived from the function's and what the loop computes.
    guards : tuple of str
        Those of the plan and those that the types need.
    checked : bool
        An index depends on data: where it is out of range what was written is taken back, and the
        loop runs.
    notes : tuple of str
        Differences that the launch does not check: errors that the loop would raise.
    remarks : tuple of str
        In what the results of the launch differ by the order of the iterations: last digits.
    kinds : tuple of str
        Numbers that are NumPy's after the launch, where the loop may leave Python's.
    lists : mapping of str to str
        By lists that the loop fills: the dtypes of the arrays that the launch makes instead.
    declared : DeclaredKernel or None
        Its text, where the runtime has words for all that it asks and gives.
    """

    name: str
    guards: tuple[str, ...]
    checked: bool
    notes: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    lists: Mapping[str, str] = field(default_factory=dict)
    declared: DeclaredKernel | None = None
