"""The isl sets and relations of a region: cells touched, ranges of indices, conditions on sizes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from gpuport.loops.names import PLACES
from gpuport.loops.sets.accesses import Access, Dim, Region
from gpuport.loops.sets.affine import Condition, Whole, together

Set = Any
"""An ``islpy.Set``; islpy has no types to check against."""
Map = Any
Part = tuple[str, tuple[tuple[str, str], ...]]
"""A constraint and its auxiliary variables."""

_ENOUGH = 64
"""A condition on sizes is worth a guard where a loop of so many iterations can meet it."""


@lru_cache(maxsize=1024)
def _set(text: str) -> Set:
    """A set from its text, read once for all passes over a loop: isl takes milliseconds to."""
    import islpy

    return islpy.Set(text)


class Relations:
    """Builds isl objects for a region, each once.

    Parameters
    ----------
    region : Region
    known : sequence of (Whole, Whole)
        Pairs of whole numbers that are provably equal.
    """

    def __init__(self, region: Region, known: Sequence[tuple[Whole, Whole]] = ()) -> None:
        import islpy

        self.isl = islpy
        self.region = region
        self.symbols = region.symbols
        for access in region.accesses:
            for axis in range(len(access.indices)):
                self.symbols.extent(access.array, axis)
        self.head = self.symbols.head()
        self.known = known
        self.context = self._context(known)
        self._flat: dict[str, bool] = {}
        self._maps: dict[int, Map] = {}
        self._cells: dict[tuple[object, ...], Map] = {}
        self._values: dict[tuple[object, ...], Set] = {}
        self._orders: dict[tuple[int, int, int], Map] = {}
        self._conflicts: dict[tuple[int, int], Map] = {}

    def _context(self, known: Sequence[tuple[Whole, Whole]]) -> Set:
        parts: list[Part] = [(f"{name} >= 0", ()) for name in sorted(self.symbols.extents)]
        parts += [(f"{w.text} > 0", w.sides) for w in self.symbols.positive.values()]
        parts += [(text, ()) for text in self.symbols.constraints]
        parts += [(f"{a.text} = {b.text}", together(a.sides, b.sides)) for a, b in known]
        return self.isl.Set(f"{self.head}{{ : {_formula(parts)} }}")

    def holding(self) -> Set:
        """What holds of the parameters whatever they are, and whether or not a guard asks."""
        parts: list[Part] = [(f"{name} >= 0", ()) for name in sorted(self.symbols.extents)]
        parts += [(f"{a.text} = {b.text}", together(a.sides, b.sides)) for a, b in self.known]
        return self.isl.Set(f"{self.symbols.head()}{{ : {_formula(parts)} }}")

    def _parts(self, dims: Iterable[Dim], conditions: Iterable[Condition]) -> list[Part]:
        parts: list[Part] = [(dim.text, dim.sides) for dim in dims]
        return parts + [(condition.text, condition.sides) for condition in conditions]

    def values(self, access: Access, axis: int) -> Set | None:
        """The values that an index takes, as a set of one dimension; None where unknown."""
        index = access.indices[axis]
        if index is None:
            return None
        key = (access.dims, access.conditions, index.text)
        if key not in self._values:
            parts = [
                *self._parts(access.dims, access.conditions),
                (f"v = {index.text}", index.sides),
            ]
            names = ", ".join(dim.name for dim in access.dims)
            body = _formula(parts)
            text = f"exists {names}: {body}" if names else body
            made = _set(f"{self.head}{{ [v] : {text} }}")
            self._values[key] = made.intersect_params(self.context)
        return self._values[key]

    def may_be_negative(self, access: Access, axis: int) -> bool:
        """Whether an index can be below zero."""
        values = self.values(access, axis)
        if values is None:
            return not self.flat(access)
        below = self.isl.Set(f"{self.head}{{ [v] : v < 0 }}")
        return not values.intersect(below).is_empty()

    def flat(self, access: Access) -> bool:
        """Whether all accesses to the array are of one form ``row * m + column``, or longer.

        With ``0 <= column < m`` and no negative row, equal cells are equal rows and columns.
        """
        array = access.array
        if array not in self._flat:
            same = [one for one in self.region.accesses if one.array == array]
            splits = [one.split for one in same]
            periods = {one.texts if one is not None else None for one in splits}
            self._flat[array] = (
                len(periods) == 1
                and None not in periods
                and not self.region.shared(array)
                and all(self._within_period(one) for one in same)
            )
        return self._flat[array]

    def _within_period(self, access: Access) -> bool:
        split = access.split
        assert split is not None
        parts = self._parts(access.dims, access.conditions)
        beyond = [f"{digit.text} < 0" for digit in split.digits]
        beyond += [
            f"{digit.text} >= {period.text}"
            for digit, period in zip(split.digits[1:], split.periods, strict=True)
        ]
        sides = together(*(one.sides for one in (*split.digits, *split.periods)))
        parts.append((" or ".join(beyond), sides))
        names = ", ".join(dim.name for dim in access.dims)
        bad = self.isl.Set(f"{self.head}{{ [{names}] : {_formula(parts)} }}")
        return bool(bad.intersect_params(self.context).is_empty())

    def rows(self, access: Access) -> Any:
        """How many rows a flat access reaches, as isl's function of the parameters; or None."""
        split = access.split
        assert split is not None
        parts = self._parts(access.dims, access.conditions)
        parts.append((f"v = {split.digits[0].text}", split.digits[0].sides))
        names = ", ".join(dim.name for dim in access.dims)
        rows = self.isl.Set(f"{self.head}{{ [v] : exists {names}: {_formula(parts)} }}")
        rows = rows.intersect_params(self.context)
        return None if rows.is_empty() else rows.dim_max(0).add_constant_val(1)

    def outside(self, access: Access, axis: int) -> Set | None:
        """The parameters with which an index can leave its array; None where unknown."""
        values = self.values(_of_part(access, axis), axis)
        if values is None:
            return None
        size = self.symbols.extent(access.array, axis)
        bad = self.isl.Set(f"{self.head}{{ [v] : v < -{size} or v >= {size} }}")
        return values.intersect(bad).params()

    def without_cells(self, array: str, axis: int) -> Set:
        """The parameters with which an array has no cells along an axis."""
        return self.isl.Set(f"{self.head}{{ : {self.symbols.extent(array, axis)} = 0 }}")

    def running(self, access: Access, axis: int) -> Set:
        """The parameters with which an access with a known index happens at all."""
        values = self.values(_of_part(access, axis), axis)
        assert values is not None
        return values.params()

    def cells(self, access: Access) -> Map:
        """The relation of iterations to cells."""
        if id(access) in self._maps:
            return self._maps[id(access)]
        parts = self._parts(access.dims, access.conditions)
        split = access.split if access.split is not None and self.flat(access) else None
        if split is not None:
            parts += [(f"c{k} = {one.text}", one.sides) for k, one in enumerate(split.digits)]
        shift = self.region.views.get(access.array, ("", 0))[1] or 0
        for axis, index in enumerate(access.indices):
            shift = shift if axis == 0 else 0
            size = self.symbols.extent(access.array, axis)
            if split is not None:
                continue
            place = self.region.place_through(access, axis) if index is None else None
            if place is not None and not self._counts_from_end(access, place):
                parts.append((f"c{axis} = {place.text}", place.sides))
            elif index is None:
                parts.append((f"c{axis} >= {shift} and c{axis} < {size} + {shift}", ()))
            elif self.may_be_negative(access, axis):
                wrapped = (
                    f"(({index.text} >= 0 and c{axis} = {index.text} + {shift})"
                    f" or ({index.text} < 0 and c{axis} = {index.text} + {size} + {shift}))"
                )
                parts.append((wrapped, index.sides))
            else:
                parts.append((f"c{axis} = {index.text} + {shift}", index.sides))
        body = _formula(parts)
        iteration = ", ".join(dim.name for dim in access.dims)
        width = len(access.indices) if split is None else len(split.digits)
        cell = ", ".join(f"c{axis}" for axis in range(width))
        text = f"{self.head}{{ [{iteration}] -> [{cell}] : {body} }}"
        key = (text,)
        if key not in self._cells:
            self._cells[key] = self.isl.Map(text).intersect_params(self.context)
        self._maps[id(access)] = self._cells[key]
        return self._cells[key]

    def _counts_from_end(self, access: Access, place: Whole) -> bool:
        """Whether a place in an array may be negative."""
        parts = [*self._parts(access.dims, access.conditions), (f"{place.text} < 0", place.sides)]
        iteration = ", ".join(dim.name for dim in access.dims)
        found = self.isl.Set(f"{self.head}{{ [{iteration}] : {_formula(parts)} }}")
        return not found.intersect_params(self.context).is_empty()

    def same_cell(self, first: Access, second: Access) -> Map:
        """Pairs of iterations in which two accesses touch the same cell."""
        key = (id(first), id(second))
        if key not in self._conflicts:
            there, back = self.cells(first), self.cells(second).reverse()
            self._conflicts[key] = there.apply_range(back)
        return self._conflicts[key]

    def congruent(self, first: Access, second: Access) -> Map | None:
        """Pairs of iterations whose indices may be equal as sums that go around a period; None
        where nothing is known of these.
        """
        written = {self.region.root(one.array) for one in self.region.accesses if one.write}
        parts: list[str] = []
        pairs = (
            zip(first.reaches, second.reaches, strict=True) if first.array == second.array else ()
        )
        for axis, (one, other) in enumerate(pairs):
            if one is None or other is None or not one.like(other):
                continue
            if written & {self.region.root(name) for name in one.arrays}:
                continue
            apart = f"({_at(first, one.rest, 'a')} - {_at(second, other.rest, 'b')})"
            if one.period is None:
                size = self.symbols.extent(first.array, axis)
                same = f"{apart} = 0 or {apart} = {size} or {apart} = -{size}"
            else:
                period = one.period.text
                same = f"{apart} = 0 or {apart} >= {period} or {apart} <= -{period}"
            keys = [
                f"{_at(first, a, 'a')} != {_at(second, b, 'b')}"
                for a, b in zip(one.keys, other.keys, strict=True)
            ]
            parts.append(" or ".join(f"({text})" for text in (*keys, same)))
        if not parts:
            return None
        a = ", ".join(f"a{k}" for k in range(len(first.dims)))
        b = ", ".join(f"b{k}" for k in range(len(second.dims)))
        body = " and ".join(f"({part})" for part in parts)
        return self.isl.Map(f"{self.head}{{ [{a}] -> [{b}] : {body} }}")

    def differing(self, first: Access, second: Access, depth: int, sign: str) -> Map:
        """Pairs of iterations whose loop at a depth runs at different (``<``, ``>``) values."""
        m, n = len(first.dims), len(second.dims)
        key = (m, n, depth if sign == "<" else -depth - 1)
        if key not in self._orders:
            a = ", ".join(f"a{k}" for k in range(m))
            b = ", ".join(f"b{k}" for k in range(n))
            self._orders[key] = self.isl.Map(
                f"{self.head}{{ [{a}] -> [{b}] : a{depth} {sign} b{depth} }}"
            )
        return self._orders[key]

    def before(self, first: Access, second: Access) -> Map:
        """Pairs of iterations in which the first access comes before the second."""
        a = ", ".join(f"a{k}" for k in range(len(first.dims)))
        b = ", ".join(f"b{k}" for k in range(len(second.dims)))
        return self.isl.Map(f"{self.head}{{ [{a}] -> [{b}] : {_order(first, second)} }}")

    def long_runs(self, access: Access) -> Set:
        """The parameters with which the loops around an access make many iterations.

        A loop that never makes many (``range(3)``) counts as it is; the array has elements.
        """
        names = [item.name for item in access.dims]
        body = _formula(self._parts(access.dims, ()))
        domain = self.isl.Set(f"{self.head}{{ [{', '.join(names)}] : {body} }}")
        long = domain.params().intersect(self.context)
        for k, dim in enumerate(access.dims):
            far = list(names)
            far[k] = f"{names[k]} + {_ENOUGH * (dim.step or 1)}"
            shift = self.isl.Map(f"{self.head}{{ [{', '.join(names)}] -> [{', '.join(far)}] }}")
            both = domain.intersect(domain.apply(shift)).params()
            if not both.is_empty():
                long = long.intersect(both)
        filled = " and ".join(f"{one} > 0" for one in self.symbols.extents_of(access.array))
        return long.intersect(self.isl.Set(f"{self.head}{{ : {filled} }}")) if filled else long

    def whole_extent(self, dim: Dim, array: str, axis: int) -> bool:
        """Whether a loop runs over exactly the indices of an axis, upwards."""
        if dim.step != 1 or not dim.affine or dim.sides:
            return False
        size = self.symbols.extent(array, axis)
        runs = self.isl.Set(f"{self.head}{{ [{dim.name}] : {dim.text} }}")
        axis_ = self.isl.Set(f"{self.head}{{ [v] : v >= 0 and v < {size} }}")
        first, second = (one.intersect_params(self.context) for one in (runs, axis_))
        return bool(first.is_equal(second))


def _of_part(access: Access, axis: int) -> Access:
    """An access without the loops over a part of which the index is a fixed one.

    NumPy asks for ``i`` of ``x[i, j:]`` to be inside even where the part has no elements.
    """
    index = access.indices[axis]
    dims = access.dims
    while index is not None and dims and PLACES.fullmatch(dims[-1].variable or ""):
        name = re.compile(rf"\b{dims[-1].name}\b")
        sides = [index.sides, *(one.sides for one in access.conditions)]
        texts = [index.text, *(one.text for one in access.conditions)]
        texts += [text for side in together(*sides) for text in side]
        if any(map(name.search, texts)):
            break
        dims = dims[:-1]
    return access if dims is access.dims else replace(access, dims=dims)


def _at(access: Access, whole: Whole, side: str) -> str:
    """A whole number of one of two iterations, by the names that these have in a relation."""
    places = {dim.name: f"{side}{k}" for k, dim in enumerate(access.dims)}
    return re.sub(r"\bi\d+\b", lambda match: places[match[0]], whole.text)


def _order(first: Access, second: Access) -> str:
    """``a`` before ``b`` in the order of execution, as isl text over a0.. and b0.."""
    alternatives: list[str] = []
    same: list[str] = []
    depth = 0
    for x, y in zip(first.place, second.place, strict=False):
        if isinstance(x, int) and isinstance(y, int):
            if x != y:
                if x < y:
                    alternatives.append(" and ".join(same) or "true")
                return " or ".join(f"({item})" for item in alternatives) or "false"
            continue
        if x is not y or not isinstance(x, Dim):
            break
        sign = "<" if (x.step or 1) > 0 else ">"
        alternatives.append(" and ".join([*same, f"a{depth} {sign} b{depth}"]))
        same.append(f"a{depth} = b{depth}")
        depth += 1
    return " or ".join(f"({item})" for item in alternatives) or "false"


def _formula(parts: Sequence[Part]) -> str:
    sides = together(*(part[1] for part in parts))
    texts = [f"({constraint})" for _, constraint in sides]
    texts += [f"({text})" for text, _ in parts if text not in ("", "true")]
    body = " and ".join(texts) or "true"
    if not sides:
        return body
    return f"exists {', '.join(name for name, _ in sides)}: {body}"
