"""Numbers that a program most likely computes, and how long its lists are, for sizes alone.

A number is what its operands make of it, an argument the largest that calls hand in, and a list as
long as its display and what loops append to it. Nothing of it is a claim: it weighs costs.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable, Iterable, Iterator

from gpuport.facts.answers import Answers, Number
from gpuport.facts.axes import elements, extent, no_longer
from gpuport.facts.contexts import Context
from gpuport.facts.knowledge import knowledge
from gpuport.facts.stored import Stored
from gpuport.facts.texts import text_parts
from gpuport.facts.ways import Grown, adds_all, appended, begun, handed, returned, sources
from gpuport.ir.extents import Affine
from gpuport.ir.operators import BINARY, UNARY
from gpuport.ir.structure import Function, Op, Region, Value

Extent = Callable[[Context, Affine | None], int | None]

_MOST, _POWER = 1e12, 40
"""What is larger is no size; powers and shifts by more are not computed."""


class Likely:
    """Likely numbers and lengths.

    Parameters
    ----------
    most : callable
        The most that an extent can be.
    contexts : iterable of Context, optional
        Of the whole program: what they store in attributes.
    answers : Answers, optional
        Those that ``most`` keeps.

    Attributes
    ----------
    extent : callable
    """

    def __init__(
        self, most: Extent, contexts: Iterable[Context] = (), answers: Answers | None = None
    ) -> None:
        self.extent = most
        self._answers = answers or Answers()
        self._every = tuple(contexts)
        self._stored = Stored(self._every)
        self._grown: Grown | None = None

    def number(self, context: Context, value: Value) -> Number | None:
        """A number; None where nothing tells."""
        found = self._answers.to(("number", context, value), lambda: self._number(context, value))
        return found if found is not None and abs(found) < _MOST else None

    def _number(self, context: Context, value: Value) -> Number | None:
        t = context.types.get(value)
        if t is None:
            return None
        said = t.number if t.number is not None else t.constant[0] if t.constant else None
        if isinstance(said, int | float):
            return said
        definition = value.definition
        if isinstance(definition, Function):
            return _most(self.number(*one) if one else None for one in handed(context, value))
        found = self._computed(context, definition) if isinstance(definition, Op) else None
        if found is None and t.integer is not None and value not in sources(t.integer):
            found = self.extent(context, t.integer)
        return found

    def _computed(self, context: Context, op: Op) -> Number | None:
        """What an operation on numbers gives."""
        if op.kind == "GetAttr" and op.attributes["name"] == "size":
            return elements(self, context, op.operands[0])
        if op.kind in ("GetAttr", "LoadGlobal"):
            return _most(self.number(*one) for one in self._stored.to(context, op))
        if op.kind == "Call":
            through = [self.number(*one) for one in returned(context, op)]
            return _most(iter(through)) if through else self._called(context, op)
        table = {"Binary": BINARY, "InPlace": BINARY, "Unary": UNARY}.get(op.kind)
        if table is None:
            return None
        symbol = op.attributes["operator"]
        return self._tried(context, table[symbol], op.operands, grows=symbol in ("**", "<<"))

    def _called(self, context: Context, op: Op) -> Number | None:
        callee = context.types.get(op.operands[0])
        plain = not op.attributes["keywords"] and not any(op.attributes["stars"])
        if callee is None or callee.kind != "library" or not callee.path or not plain:
            return None
        package, _, name = callee.path.rpartition(".")
        if callee.path == "builtins.len" and len(op.operands) == 2:
            return self.length(context, op.operands[1])
        if callee.path in knowledge().computes_numbers:
            function = getattr({"math": math, "builtins": builtins}[package], name)
            return self._tried(context, function, op.operands[1:])
        return None

    def _tried(
        self, context: Context, function: Callable[..., object], operands: list[Value],
        *, grows: bool = False,
    ) -> Number | None:  # fmt: skip
        given = [self.number(context, one) for one in operands]
        known = [one for one in given if one is not None]
        if not known or len(known) < len(given):
            return None
        if grows and abs(known[-1]) > _POWER:
            return None
        try:
            made = function(*known)
        except (ArithmeticError, TypeError, ValueError):
            return None
        return made if isinstance(made, int | float) else None

    # ------------------------------------------------------------------ lengths

    def length(self, context: Context, value: Value) -> int | None:
        """How many items something has that is gone over; None where nothing tells."""
        return _whole(
            self._answers.to(("length", context, value), lambda: self._length(context, value))
        )

    def _length(self, context: Context, value: Value) -> int | None:
        t, definition = context.types.get(value), value.definition
        if t is None:
            return None
        if t.kind == "array" and t.shape:
            return self.extent(context, t.shape[0])
        if t.kind == "tuple" and t.items is not None:
            return len(t.items)
        if t.kind == "string" and t.constant:
            return len(t.constant[0])
        if isinstance(definition, Function):
            return _whole(
                _most(self.length(*one) if one else None for one in handed(context, value))
            )
        if not isinstance(definition, Op):
            return None
        if definition.kind == "Iterate":
            return self.trips(context, definition)
        others = [*returned(context, definition), *self._stored.to(context, definition)]
        if others:
            return _whole(_most(self.length(*one) for one in others))
        if t.kind != "list":
            return None
        if definition.kind in ("GetItem", "Unpack"):
            return self._of_part(context, value, definition)
        made = text_parts(context, definition)
        return made if made is not None else self._of_list(context, definition)

    def _of_part(self, context: Context, value: Value, op: Op) -> int | None:
        """How long a slice of a list is, or what a starred name takes of it."""
        whole = self.length(context, op.operands[0])
        if op.kind == "Unpack" and whole is not None:
            star = op.attributes["star"] == op.results.index(value)
            return max(whole - len(op.results) + 1, 0) if star else None
        t = context.types.get(op.operands[-1])
        if whole is None or t is None or t.kind != "slice" or t.items is None:
            return None
        bounds = [one.number for one in t.items]
        known = all(one.kind == "none" or one.number is not None for one in t.items)
        return len(range(whole)[slice(*bounds)]) if known and bounds[-1] != 0 else None

    def trips(self, context: Context, op: Op) -> int | None:
        """How often a loop goes around that goes over something."""
        form = op.attributes["form"]
        if form == "range":
            given = [self.number(context, one) for one in op.operands]
            whole = [int(one) for one in given if one is not None]
            known = len(whole) == len(given) and (len(whole) < 3 or whole[2] != 0)
            return len(range(*whole)) if known and whole else None
        lengths = [self.length(context, one) for one in op.operands]
        if form in ("elements", "enumerate", "reversed") and lengths:
            return lengths[0]
        if form in ("zip", "map"):
            known_lengths = [
                one for one in (lengths if form == "zip" else lengths[1:]) if one is not None
            ]
            return min(known_lengths, default=None)
        return None

    def _of_list(self, context: Context, made: Op) -> int | None:
        """How long a list becomes: its display, and what is appended to it where it is made."""
        if not self._is_seen(made):
            return None
        total = len(made.operands)
        for op in appended(context, made):
            times = self._times(context, op, made.parent)
            each = self.length(context, op.operands[1]) if adds_all(context, op) else 1
            if times is None or each is None:
                return None
            total += times * each
        return total

    def at(
        self, context: Context, value: Value, path: tuple[tuple[str, int], ...]
    ) -> Number | None:
        """What stands at a place in a value: an axis, an item of a tuple, or the number itself."""
        if not path:
            return self.number(context, value)
        return self._answers.to((path, context, value), lambda: self._place(context, value, path))

    def _place(
        self, context: Context, value: Value, path: tuple[tuple[str, int], ...]
    ) -> Number | None:
        (step, place), *rest = path
        definition = value.definition
        if isinstance(definition, Function):
            given = handed(context, value)
            return _most(self._at(*one, path) if one else None for one in given)
        first = begun(value)
        if first is not None:  # what a loop renews stays as large as it began
            return self._at(context, first, path)
        if not isinstance(definition, Op):
            return None
        if step == "item" and definition.kind == "Tuple":
            return self._at(context, definition.operands[place], tuple(rest))
        others = [*returned(context, definition), *self._stored.to(context, definition)]
        if others:
            return _most(self._at(*one, path) for one in others)
        if step == "axis":
            return extent(self, context, definition, place)
        return no_longer(self, context, definition)

    def _at(
        self, context: Context, value: Value, path: tuple[tuple[str, int], ...]
    ) -> Number | None:
        """The same, where the type of the value may tell it."""
        t = context.types.get(value)
        for step, place in path:
            if t is None:
                return None
            if step == "axis" and t.kind == "array" and t.shape and place < len(t.shape):
                return self.extent(context, t.shape[place])
            whole = step == "item" and t.kind == "tuple" and t.items is not None
            t = t.items[place] if whole and t.items and place < len(t.items) else None
        if t is not None and t.integer is not None and value not in sources(t.integer):
            return self.extent(context, t.integer)
        return self.at(context, value, path)

    def items(self, context: Context, value: Value) -> list[tuple[Value, int]] | None:
        """The items of a list that the same function makes, with how often each is put in it."""
        made = value.definition
        if not isinstance(made, Op) or not self._is_seen(made):
            return None
        found = [(one, 1) for one in made.operands]
        for op in appended(context, made):
            times = self._times(context, op, made.parent)
            if times is None or len(op.operands) != 2 or adds_all(context, op):
                return None
            found.append((op.operands[1], times))
        return found

    def whole(self, context: Context, value: Value) -> int | None:
        """A number, as a size."""
        return _whole(self.number(context, value))

    def axis(self, context: Context, value: Value, axis: int) -> int | None:
        t = context.types.get(value)
        if t is not None and t.kind == "list":
            items = self.items(context, value) if axis else None
            inside = (self.axis(context, one, axis - 1) for one, _ in items or ())
            return _whole(_most(inside)) if axis else self.length(context, value)
        if t is None or t.kind != "array" or t.shape is None or axis >= len(t.shape):
            return None
        return self.extent(context, t.shape[axis])

    def _is_seen(self, made: Op) -> bool:
        """Whether all that a list is made of is seen where it is made."""
        self._grown = self._grown or Grown(self._every)
        whole = made.kind == "List" and not any(made.attributes["stars"])
        return whole and self._grown.only_in(made)

    def _times(self, context: Context, op: Op, until: Region) -> int | None:
        """How often an operation runs while a region that it is in runs once."""
        region, times = op.parent, 1
        while region is not until:
            owner = region.owner
            if not isinstance(owner, Op) or owner.kind == "While":
                return None
            if owner.kind == "For":
                definition = owner.operands[0].definition
                trips = self.trips(context, definition) if isinstance(definition, Op) else None
                if trips is None:
                    return None
                times *= trips
            region = owner.parent
        return times


def _most(numbers: Iterator[Number | None]) -> Number | None:
    found = list(numbers)
    known = [one for one in found if one is not None]
    return max(known) if known and len(known) == len(found) else None


def _whole(number: Number | None) -> int | None:
    return None if number is None else int(number)


__all__ = ["Likely"]
