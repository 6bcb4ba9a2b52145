"""Every array element that a region reads or writes, as text for isl relations.

An access belongs to a statement; the statement's instances are the points of its loops' domain.
What is not affine stays unconstrained, so that each relation holds at least the pairs of iteration
and cell that an execution can meet.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field

from gpuport.loops.sets.affine import Condition, Split, Symbols, Whole
from gpuport.loops.sets.reaches import Reach

Place = tuple["int | Dim", ...]
"""Where a statement stands: the position in each block around it, and the loops between."""


@dataclass(frozen=True, eq=False)
class Dim:
    """A loop of the region as a dimension.

    Attributes
    ----------
    node : ast.For or ast.While
        In plain form.
    variable : str or None
        The user's name; None for a ``while``.
    name : str
        isl's name.
    text : str
        The constraints that it sets, over the dimensions around it.
    sides : tuple of (str, str)
        Auxiliary variables of ``text``.
    step : int or None
        None where it is a parameter proven positive.
    affine : bool
        Start and stop are both known.
    """

    node: ast.For | ast.While
    variable: str | None
    name: str
    text: str
    sides: tuple[tuple[str, str], ...]
    step: int | None
    affine: bool


@dataclass(frozen=True, eq=False)
class Access:
    """One subscript as it is read or written by one statement.

    Attributes
    ----------
    array : str
    node : ast.Subscript
    indices : tuple of Whole or None
        None where an index depends on data.
    write : bool
    joins : str
        Part of what gives the same in any order: the read or the write of the target of
        ``x[k] += f`` (``+``), or of an extreme that is kept in it (its function); else empty.
    dims : tuple of Dim
        The loops around it, outermost first.
    conditions : tuple of Condition
    place : Place
    split : Split or None
        The one index of a flat array, where it is a row's number times a parameter and a rest.
    names : tuple of str or None
        The names that stand there for indices of which it is not known which they are.
    through : tuple of (str, Whole) or None
        By axis, where the index is an element of an array whose elements are all different: that
        array, and which of its elements.
    reaches : tuple of Reach or None
        By axis, where the index is a sum with elements of arrays in it, or goes around a period.
    """

    array: str
    node: ast.Subscript
    indices: tuple[Whole | None, ...]
    write: bool
    joins: str
    dims: tuple[Dim, ...]
    conditions: tuple[Condition, ...]
    place: Place
    split: Split | None = None
    names: tuple[str | None, ...] = ()
    through: tuple[tuple[str, Whole] | None, ...] = ()
    reaches: tuple[Reach | None, ...] = ()

    @property
    def exact(self) -> bool:
        """Whether every index is known."""
        known = all(index is not None and not index.vague for index in self.indices)
        return known or self.split is not None


@dataclass(frozen=True, eq=False)
class Choice:
    """One of the values that a name is given: in some loops, under some conditions."""

    value: Whole
    dims: tuple[Dim, ...]
    conditions: tuple[Condition, ...]


@dataclass
class Region:
    """What a region touches.

    Attributes
    ----------
    symbols : Symbols
    dims : list of Dim
        All loops, in the order of their heads.
    accesses : list of Access
    ranks : mapping of str to int
    views : dict
        Arrays that are views of others: the other's name, and how far the first axis is shifted,
        where that is known.
    choices : dict
        All values that a name may have wherever it is read, where each of them is known: of
        ``best`` in ``best = 0`` and ``if x[k] > x[best]: best = k``.
    """

    symbols: Symbols
    ranks: Mapping[str, int]
    dims: list[Dim] = field(default_factory=list)
    accesses: list[Access] = field(default_factory=list)
    views: dict[str, tuple[str, int | None]] = field(default_factory=dict)
    choices: dict[str, tuple[Choice, ...]] = field(default_factory=dict)

    def possible(self, access: Access, axis: int) -> list[Access]:
        """An access by each of the indices that it may have on an axis; none where one is unknown.

        In which iterations it has which is left open.
        """
        if access.indices[axis] is not None:
            return [access]
        name = access.names[axis] if access.names else None
        free = (None,) * axis, (None,) * (len(access.indices) - axis - 1)
        return [
            Access(
                array=access.array,
                node=access.node,
                indices=(*free[0], one.value, *free[1]),
                write=False,
                joins="",
                dims=one.dims,
                conditions=one.conditions,
                place=access.place,
            )
            for one in self.choices.get(name or "", ())
        ]

    def place_through(self, access: Access, axis: int) -> Whole | None:
        """Which element of an array of different places an index is.

        As good as the index itself where all that touches the memory of this array has its index
        on this axis from the same array of places, which stays what it is.
        """
        found = access.through[axis] if access.through else None
        if found is None:
            return None
        root, (places, which) = self.root(access.array), found
        for other in self.accesses:
            if other.write and self.root(other.array) == self.root(places):
                return None
            if self.root(other.array) == root:
                same = other.through[axis] if axis < len(other.through) else None
                if other.array != access.array or same is None or same[0] != places:
                    return None
        return which

    def root(self, array: str) -> str:
        """The array whose memory an array is part of, as far as the text tells."""
        return self.views[array][0] if array in self.views else array

    def shared(self, array: str) -> bool:
        """Whether the region reaches the array's memory by another name as well."""
        root = self.root(array)
        return any(self.root(a.array) == root and a.array != array for a in self.accesses)

    def dim_of(self, node: ast.stmt) -> Dim:
        """The dimension of a loop."""
        return next(dim for dim in self.dims if dim.node is node)
