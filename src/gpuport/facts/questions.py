"""Types as data that can be sent and kept: questions to NumPy, and its answers."""

from __future__ import annotations

from typing import Any

from gpuport.ir.extents import Affine, Symbol
from gpuport.ir.structure import Function, Value
from gpuport.ir.types import NOWHERE, UNKNOWN, Type
from gpuport.records import Span

#: Kinds of which something can be made to ask with.
SENT = frozenset(
    {"array", "scalar", "number", "numeric", "string", "none", "ellipsis", "slice"}
    | {"tuple", "list", "library", "instance"}
)
_NOWHERE = Function("", "", Span(1, 1, 1, 1))


class NotSent(Exception):
    """A type that says nothing to ask with."""


class Numbering:
    """The symbols of a question by number, so that alike questions are the same."""

    def __init__(self) -> None:
        self.symbols: list[Symbol] = []
        self._places: dict[Symbol, int] = {}

    def number(self, symbol: Symbol) -> int:
        """The number of a symbol, a new one for one that was not seen."""
        if symbol not in self._places:
            self._places[symbol] = len(self.symbols)
            self.symbols.append(symbol)
        return self._places[symbol]

    def symbol(self, number: int) -> Symbol:
        """The symbol of a number; one that stands for it where there is none yet."""
        while number >= len(self.symbols):
            self.number(Symbol(Value("", len(self.symbols), _NOWHERE)))
        return self.symbols[number]


def sent(t: Type, numbering: Numbering) -> list[Any]:
    """A type as lists of texts and numbers.

    Raises
    ------
    NotSent
        For a kind of which nothing can be made.
    """
    if t.kind not in SENT:
        raise NotSent(t.kind)
    return [
        t.kind,
        t.dtype,
        None if t.shape is None else [_sent_extent(e, numbering) for e in t.shape],
        t.order,
        None if t.items is None else [sent(item, numbering) for item in t.items],
        None if t.element is None else sent(t.element, numbering),
        _sent_extent(t.integer, numbering),
        None if t.constant is None else _sent_constant(t.constant[0]),
        t.path,
    ]


def received(data: list[Any], numbering: Numbering) -> Type:
    """The type that was sent."""
    kind, dtype, shape, order, items, element, integer, constant, path = data
    return Type(
        kind,
        dtype,
        None if shape is None else tuple(_received_extent(e, numbering) for e in shape),
        order,
        None if items is None else tuple(received(item, numbering) for item in items),
        None if element is None else received(element, numbering),
        _received_extent(integer, numbering),
        None if constant is None else (_received_constant(constant),),
        path,
        sites=None if kind == "list" else NOWHERE,
    )


def answered(t: Type, numbering: Numbering) -> list[Any] | None:
    """A type as an answer; None for one that tells nothing."""
    try:
        return sent(t, numbering)
    except NotSent:
        return None


def heard(data: list[Any] | None, numbering: Numbering) -> Type:
    """The type that was answered."""
    return UNKNOWN if data is None else received(data, numbering)


def _sent_extent(extent: Affine | None, numbering: Numbering) -> list[Any] | None:
    if extent is None:
        return None
    # whole numbers of any size: their text
    terms = [[numbering.number(symbol), factor] for symbol, factor in extent.terms]
    return [hex(extent.constant), *terms]


def _received_extent(data: list[Any] | None, numbering: Numbering) -> Affine | None:
    if data is None:
        return None
    total = Affine((), int(data[0], 16))
    for number, factor in data[1:]:
        total = total + Affine.of(numbering.symbol(number)) * factor
    return total


def _sent_constant(value: Any) -> list[Any]:
    if isinstance(value, complex):
        return ["complex", value.real.hex(), value.imag.hex()]
    if isinstance(value, float):
        return ["float", value.hex()]
    return ["", value]


def _received_constant(data: list[Any]) -> Any:
    kind, *parts = data
    if kind == "complex":
        return complex(*map(float.fromhex, parts))
    return float.fromhex(parts[0]) if kind == "float" else parts[0]
