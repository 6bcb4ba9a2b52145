"""What running consists of: frames, steps, exits, and how each kind of operation runs."""

from __future__ import annotations

from collections.abc import Callable, Generator
from enum import IntEnum
from operator import itemgetter
from typing import Any, Protocol

from gpuport.ir.structure import Function, Op, Region

#: Slots of a call: the cells, the namespaces of class bodies around, then a slot a value.
Frame = list[Any]
CELLS, NAMESPACES = 0, 1


class Exit(IntEnum):
    """How control leaves a region."""

    YIELD = 0
    CONTINUE = 1
    BREAK = 2
    RETURN = 3
    RAISE = 4


Left = tuple[Exit, Any]
#: A plain operation: reads its operands from the frame and writes its results to it.
Step = Callable[[Frame], None]
#: An operation with regions. It is a generator, so that a function that yields needs no second
#: interpreter; it returns how control leaves what is around, or None where it goes on.
Control = Callable[[Frame], Generator[Any, Any, Left | None]]
#: A region: it returns how control leaves it.
Runner = Callable[[Frame], Generator[Any, Any, Left]]
Ending = Callable[[Frame], Left]


class _Unassigned:
    """What a name holds before it is assigned."""

    def __repr__(self) -> str:
        return "<unassigned>"


UNASSIGNED = _Unassigned()


class Cell:
    """A variable that several functions share."""

    __slots__ = ("value",)

    def __init__(self, value: Any = UNASSIGNED) -> None:
        self.value = value


class Context(Protocol):
    """What the step of an operation may ask of the machine that runs it."""

    function: Function
    namespace: dict[str, Any]

    def region(self, region: Region) -> Runner:
        """A region, made ready to run."""

    def instantiate(self, function: Function, captured: dict[str, Cell]) -> Callable[..., Any]:
        """A Python function that runs an IR function."""


STEPS: dict[str, Callable[[Op, Context], Step]] = {}
CONTROLS: dict[str, Callable[[Op, Context], Control]] = {}
ENDINGS: dict[str, Callable[[Op, Context], Ending]] = {}


def step_of(
    *kinds: str,
) -> Callable[[Callable[[Op, Context], Step]], Callable[[Op, Context], Step]]:
    """Register how operations of these kinds become steps."""

    def register(make: Callable[[Op, Context], Step]) -> Callable[[Op, Context], Step]:
        STEPS.update(dict.fromkeys(kinds, make))
        return make

    return register


def control_of(
    kind: str,
) -> Callable[[Callable[[Op, Context], Control]], Callable[[Op, Context], Control]]:
    """Register how an operation with regions, or one that yields, runs."""

    def register(make: Callable[[Op, Context], Control]) -> Callable[[Op, Context], Control]:
        CONTROLS[kind] = make
        return make

    return register


def ending_of(
    kind: str,
) -> Callable[[Callable[[Op, Context], Ending]], Callable[[Op, Context], Ending]]:
    """Register how a terminator runs."""

    def register(make: Callable[[Op, Context], Ending]) -> Callable[[Op, Context], Ending]:
        ENDINGS[kind] = make
        return make

    return register


def reader(op: Op) -> Callable[[Frame], tuple[Any, ...]]:
    """All operands of an operation, as a tuple."""
    places = [value.index for value in op.operands]
    if not places:
        return lambda frame: ()
    if len(places) == 1:
        only = places[0]
        return lambda frame: (frame[only],)
    return itemgetter(*places)


def assign(frame: Frame, places: list[int], values: Any) -> None:
    """Store values in slots; all are computed before."""
    for place, value in zip(places, values, strict=True):
        frame[place] = value
