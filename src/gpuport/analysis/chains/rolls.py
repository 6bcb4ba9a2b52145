"""Arrays that a chain reads shifted around an edge: ``np.roll(u, 1, axis=0)`` is ``u[i - 1]``."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gpuport.analysis.chains.elementwise import Unfit, rules
from gpuport.analysis.chains.runs import Leaf, Run, Shifted
from gpuport.analysis.interpretation.rehearsal import Rehearsal
from gpuport.analysis.values.lattice import Array, Number
from gpuport.source.subscripts import whole

if TYPE_CHECKING:
    from gpuport.analysis.chains.records import Parts
    from gpuport.loops.kernels.elementwise import ElementwiseText

LAUNCHES = 2
"""Of a call that shifts along one axis."""

_INDICES = ("ijkl", "rcst")


@dataclass(frozen=True)
class Rolled:
    """An array inside calls that shift it.

    Attributes
    ----------
    array : ast.expr
    shifts : tuple of int
        By axis, as far as there are shifts.
    flat : bool
        Whether no axis is named: the array has one.
    """

    array: ast.expr
    shifts: tuple[int, ...]
    flat: bool


def rolled(rehearsal: Rehearsal, node: ast.expr) -> Rolled | None:
    """What a call shifts around its edges by whole numbers that are written out; or None."""
    if not isinstance(node, ast.Call) or rehearsal.path(node) not in rules()["shifts"]:
        return None
    names = rules()["shifts"][rehearsal.path(node)]
    given = dict(zip(names, node.args, strict=False))
    given |= {keyword.arg or "": keyword.value for keyword in node.keywords}
    if not set(names[:-1]) <= given.keys() <= set(names) or rehearsal.operation(node) is None:
        return None
    array, shift, axis = (given.get(name, ast.Constant(0)) for name in names)
    value, by, at = rehearsal.value(array), whole(shift), whole(axis)
    rank = value.rank if isinstance(value, Array) else None
    if at is not None and at < 0 and rank is not None:
        at += rank
    flat = len(given) < len(names)
    if (
        by is None
        or at is None
        or not 0 <= at < len(_INDICES[0])
        or (flat and rank not in (None, 1))
    ):
        return None
    inner = rolled(rehearsal, array)
    before = inner.shifts if inner is not None else ()
    axes = range(max(at + 1, len(before)))
    shifts = tuple((before[k] if k < len(before) else 0) + by * (k == at) for k in axes)
    if inner is None:
        return Rolled(array, shifts, flat)
    return Rolled(inner.array, shifts, flat or inner.flat)


class Grid:
    """The indices of a kernel that reads arrays beside the element that it computes.

    Parameters
    ----------
    run : Run
    taken : set of str
        Names that mean something else.

    Raises
    ------
    Unfit
        Where several ranks are known, or none and an axis is named. What is not known is asked.
    """

    def __init__(self, run: Run, taken: set[str]) -> None:
        self.run = run
        least = max(len(one.shifts) for one in run.shifted.values())
        known = {leaf.value.rank for leaf in self.arrays if isinstance(leaf.value, Array)} - {None}
        rank = next(iter(known), least) or 0
        flat = any(one.flat for one in run.shifted.values())
        certain = all(isinstance(leaf.value, Array) for leaf in self.arrays)
        if not certain or run.written or len(known) > 1 or not least <= rank <= len(_INDICES[0]):
            raise Unfit
        if (flat and rank != 1) or not (flat or known):  # no call may fit a guess of more axes
            raise Unfit
        self.indices = next((i[:rank] for i in _INDICES if taken.isdisjoint(i[:rank])), "")
        if not self.indices:
            raise Unfit

    @property
    def arrays(self) -> list[Leaf]:
        """The arrays that are read, each at one index or more."""
        return [
            leaf for leaf in self.run.leaves.values()
            if leaf.array and not isinstance(leaf.value, Number)
        ]  # fmt: skip

    def text(self, text: ElementwiseText, types: Mapping[str, str]) -> ElementwiseText:
        """The kernel's text, with indices.

        Parameters
        ----------
        text : ElementwiseText
        types : mapping of str to str
            C++ types of arrays, by their names.
        """
        beside = [
            f"const {types[one.array.name]} {one.leaf.name} = "
            f"{one.array.name}[{{{', '.join(self._entries(one))}}}];"
            for one in self.run.shifted.values()
        ]  # fmt: skip
        return text.indexed([leaf.name for leaf in self.arrays], ", ".join(self.indices), beside)

    def _entries(self, one: Shifted) -> Iterator[str]:
        for axis, index in enumerate(self.indices):
            shift = _along(one, axis)
            length = f"{one.array.name}.shape[{axis}]"
            if shift > 0:
                yield f"{index} < {shift} ? {index} - {shift} + {length} : {index} - {shift}"
            elif shift < 0:
                by = f"{index} + {-shift}"
                yield f"{by} < {length} ? {by} : {by} - {length}"
            else:
                yield index

    def over(self, numbers: Mapping[str, int]) -> Parts:
        """The domain, with numbers for the parameters."""
        first = numbers[self.arrays[0].name]
        found: list[str | int] = []
        for axis, index in enumerate(self.indices):
            found += [f"{', ' if axis else ''}{index} in range(", first, f".shape[{axis}])"]
        return tuple(found)

    def where(self, numbers: Mapping[str, int]) -> Parts:
        """What must hold for the indices to be in bounds, likewise."""
        first, *others = (numbers[leaf.name] for leaf in self.arrays)
        found: list[str | int] = [first, f".ndim == {len(self.indices)}"]
        for number, other in enumerate(others):
            found += [" == " if number else " and ", *((first, ".shape == ") if not number else ())]
            found += [other, ".shape"]
        for axis in range(len(self.indices)):
            most = max(abs(_along(one, axis)) for one in self.run.shifted.values())
            found += [" and ", first, f".shape[{axis}] >= {most}"] if most > 1 else []
        return tuple(found)


def _along(one: Shifted, axis: int) -> int:
    return one.shifts[axis] if axis < len(one.shifts) else 0


__all__ = ["LAUNCHES", "Grid", "Rolled", "rolled"]
