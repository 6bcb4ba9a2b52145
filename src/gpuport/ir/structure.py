"""Structured SSA: modules, functions, regions, operations and values.

There is no control-flow graph. ``If``, ``For``, ``While``, ``Try``, ``With`` and ``MakeClass`` own
regions, and each region ends in one terminator with an *exit kind*: ``Yield`` hands values to the
operation that owns the region; ``Continue`` and ``Break`` belong to the innermost loop, ``Return``
and ``Raise`` to the function. An arm of an ``If`` that ends in ``Break`` adds nothing to the
results of the ``If``, and the statements after it stay unguarded, in the shape in which the user
wrote them (WebAssembly's ``br`` is the same idea: Haas et al., "Bringing the Web up to Speed with
WebAssembly", PLDI 2017).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from gpuport._frozen import frozen
from gpuport.records import Span


class Passing(Enum):
    """How an argument reaches a parameter."""

    POSITION = "position"
    EITHER = "position or keyword"
    VARIADIC = "the rest of the positional arguments"
    KEYWORD = "keyword"
    KEYWORDS = "the rest of the keyword arguments"


@frozen
class Parameter:
    """A parameter of a function, as its ``def`` says."""

    name: str
    passing: Passing = Passing.EITHER
    has_default: bool = False


@dataclass(eq=False, slots=True)
class Value:
    """What an operation, a region or a function defines, once.

    ``index`` is its place in the frames of the interpreter; ``name`` is the user's, or empty.
    """

    name: str
    index: int
    definition: Op | Region | Function

    def __repr__(self) -> str:
        return f"%{self.name}{self.index}"


@dataclass(eq=False, slots=True)
class Op:
    """One operation; ``span`` is that of the statement or expression that it came from."""

    kind: str
    operands: list[Value]
    attributes: dict[str, Any]
    results: list[Value]
    regions: list[Region]
    span: Span
    parent: Region

    @property
    def result(self) -> Value:
        """The first result."""
        return self.results[0]

    def __repr__(self) -> str:
        return f"<{self.kind} {self.results} line {self.span.line}>"


@dataclass(eq=False, slots=True)
class Region:
    """Operations in order, the last one a terminator."""

    parameters: list[Value] = field(default_factory=list)
    ops: list[Op] = field(default_factory=list)
    _owner: Op | Function | None = None

    @property
    def owner(self) -> Op | Function:
        """The operation or function whose region it is."""
        assert self._owner is not None, "a region is used before it has an owner"
        return self._owner

    @owner.setter
    def owner(self, owner: Op | Function) -> None:
        self._owner = owner

    @property
    def terminator(self) -> Op:
        """The operation that ends the region."""
        return self.ops[-1]


@dataclass(eq=False, slots=True)
class Head:
    """Names where a ``for`` statement begins.

    Attributes
    ----------
    values : dict
        The local names, with their values; without those that may have none.
    words : frozenset of str
        All names that the text of the loop reads or binds.
    """

    values: dict[str, Value]
    words: frozenset[str]


@dataclass(eq=False, slots=True)
class Function:
    """A function, lambda, lazy generator expression or the body of a module.

    Attributes
    ----------
    cells : dict
        Variables of its own that functions inside share, each with the place of the parameter
        that starts it, or None.
    free : list of str
        Variables that it takes along from around it.
    owner_class : str or None
        The class in whose body it stands.
    module : str
        The module whose names it reads.
    size : int
        Slots of a frame; the first two hold the cells and the namespaces of class bodies.
    bound : frozenset of str
        Names of the module, and variables of functions around, that have a value whenever it runs;
        told of functions with ``for`` statements.
    heads : dict
        What is known of names where each ``for`` statement begins.
    """

    name: str
    qualname: str
    span: Span
    signature: tuple[Parameter, ...] = ()
    parameters: list[Value] = field(default_factory=list)
    body: Region = field(default_factory=Region)
    cells: dict[str, int | None] = field(default_factory=dict)
    free: list[str] = field(default_factory=list)
    is_generator: bool = False
    doc: str | None = None
    owner_class: str | None = None
    module: str = ""
    size: int = 2
    bound: frozenset[str] = frozenset()
    heads: dict[Op, Head] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.body.owner = self

    def fresh(self, name: str, definition: Op | Region | Function) -> Value:
        """A new value of this function."""
        self.size += 1
        return Value(name, self.size - 1, definition)

    def __repr__(self) -> str:
        return f"<function {self.qualname}>"


@dataclass(eq=False, slots=True)
class Module:
    """All functions of a file; ``body`` is its top level and the first of ``functions``."""

    name: str
    body: Function
    functions: list[Function]
