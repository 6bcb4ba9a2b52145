"""Where facts are kept: contexts of functions, and locations of memory."""

from __future__ import annotations

from collections import defaultdict
from enum import StrEnum
from typing import Any

from gpuport._frozen import frozen
from gpuport.ir.extents import Affine, Symbol
from gpuport.ir.structure import Function, Op, Value
from gpuport.ir.types import Sites, Type


class Place(StrEnum):
    """Kinds of memory locations; each has one type, joined over all stores."""

    GLOBAL = "a name of a module"
    CELL = "a variable that functions share"
    CLASS = "a name of a class"
    FIELD = "an attribute of the instances of a family of classes"
    ITEMS = "the items of a list"
    CHANGED = "a list that is no longer as its display says"
    KEYS = "the keys of a dict"
    KEY = "the value of a dict under a literal key"
    ANY_KEY = "the values of a dict under literal keys"
    OTHER = "the values of a dict under other keys"
    DEFAULT = "the default of a parameter"
    YIELDS = "what a generator yields"
    PATCHED = "an attribute of a library that the program replaces"
    EXPOSED = "a class whose methods code that is not read may call"
    ESCAPED = "a family of classes whose instances go to code that is not read"
    DATACLASS = "a class that dataclass() has seen"


@frozen
class Location:
    """One location of memory."""

    place: Place
    owner: Any = None
    name: str = ""


@frozen
class Parameter:
    """The memory that a caller hands in as the k-th argument: an allocation site."""

    function: Any
    index: int


class Context:
    """A function with the types of its arguments; its result is its summary.

    Attributes
    ----------
    types : dict
        The type of each value. A value without one is not reached.
    result : Type or None
        None until a ``return`` is reached.
    callers : set
        Calls that wait for the result.
    calls : dict
        The contexts that each call reaches, with the sites of the arguments.
    handed : dict
        By the calls that reach it, with their contexts: what its symbols are there.
    listened : str
        What asks to be told of floating-point errors, or of warnings, while it runs.
    listening_blocks : dict
        Those of its blocks in which something does.
    """

    def __init__(self, function: Function, parameters: tuple[Type, ...], number: int) -> None:
        self.function, self.parameters, self.number = function, parameters, number
        self.types: dict[Value, Type] = {}
        self.result: Type | None = None
        self.callers: set[tuple[Context, Op]] = set()
        self.calls: dict[Op, set[tuple[Context, tuple[tuple[Parameter, Sites], ...]]]] = (
            defaultdict(set)
        )
        self.handed: dict[tuple[Context, Op], dict[Symbol, Affine]] = {}
        self.listened = ""
        self.listening_blocks: dict[Op, str] = {}

    def __lt__(self, other: Context) -> bool:
        return self.number < other.number

    def __repr__(self) -> str:
        return f"<{self.function.qualname} of {self.parameters}>"
