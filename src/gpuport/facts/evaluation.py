"""The evaluation of one operation in one context, and how each kind is evaluated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

from gpuport.facts.contexts import Context, Location, Place
from gpuport.facts.index import Index
from gpuport.facts.probing import Prober
from gpuport.ir.structure import Function, Module, Op, Value
from gpuport.ir.types import Type


class State(Protocol):
    """What the evaluation of an operation may ask and change; `Inference` is one."""

    index: Index
    prober: Prober
    modules: dict[str, Module]
    contexts: dict[Function, dict[tuple[Type, ...], Context]]
    memory: dict[Location, Type]
    told: int

    @property
    def for_sizes(self) -> bool:
        """Whether sizes are asked for alone, of ports, too."""

    def context(self, function: Function, parameters: tuple[Type, ...]) -> Context:
        """The context for arguments of these types."""

    def enqueue(self, context: Context, op: Op) -> None:
        """Evaluate an operation (again)."""

    def learn(self, context: Context, value: Value, t: Type) -> None:
        """A value may be of this type, too."""

    def load(self, context: Context, op: Op, location: Location) -> Type | None:
        """What a location holds."""

    def store(self, location: Location, t: Type) -> None:
        """A location may hold this type, too."""

    def reshape(self, t: Type) -> None:
        """An array gets another shape in place."""


#: The type of the only result, those of all results, or None while nothing can be said.
Answered = Type | Sequence[Type | None] | None
TRANSFERS: dict[str, Callable[..., Answered]] = {}
"""How each kind of operation is evaluated: from the types of its operands."""


def transfer(*kinds: str) -> Callable[[Callable[..., Answered]], Callable[..., Answered]]:
    """Register how operations of these kinds are evaluated."""

    def register(function: Callable[..., Answered]) -> Callable[..., Answered]:
        TRANSFERS.update(dict.fromkeys(kinds, function))
        return function

    return register


class Evaluation:
    """An operation in a context, and what its evaluation may ask and tell."""

    __slots__ = ("context", "inference", "op")

    def __init__(self, inference: State, context: Context, op: Op) -> None:
        self.inference, self.context, self.op = inference, context, op

    def said(self, name: str) -> Any:
        """An attribute of the operation."""
        return self.op.attributes[name]

    def load(self, place: Place, owner: Any = None, name: str = "") -> Type | None:
        """What a memory location holds; the operation is evaluated again when that changes."""
        return self.inference.load(self.context, self.op, Location(place, owner, name))

    def store(self, place: Place, owner: Any, t: Type, name: str = "") -> None:
        """A memory location may hold this type, too."""
        self.inference.store(Location(place, owner, name), t)

    def learn(self, value: Value, t: Type) -> None:
        """A value may be of this type, too."""
        self.inference.learn(self.context, value, t)

    def give(self, values: Iterable[Value], types: Iterable[Type | None]) -> None:
        """Values may be of these types, too; None adds nothing."""
        for value, t in zip(values, types, strict=True):
            if t is not None:
                self.inference.learn(self.context, value, t)
