"""Arrays that a chain reads shifted around an edge: ``np.roll(u, 1, axis=0)`` is ``u[i - 1]``."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gpuport.analysis.chains.elementwise import Unfit, rules
from gpuport.analysis.chains.runs import Leaf, Run, Shifted, whole
from gpuport.analysis.interpretation.rehearsal import Rehearsal
from gpuport.analysis.values.lattice import Array, Number

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
        By axis.
    """

    array: ast.expr
    shifts: tuple[int, ...]


def rolled(rehearsal: Rehearsal, node: ast.expr) -> Rolled | None:
    """What a call shifts around its edges by whole numbers that are written out; or None."""
    if not isinstance(node, ast.Call) or rehearsal.path(node) not in rules()["shifts"]:
        return None
    names = rules()["shifts"][rehearsal.path(node)]
    given = dict(zip(names, node.args, strict=False))
    given |= {keyword.arg or "": keyword.value for keyword in node.keywords}
    if not set(names[:-1]) <= given.keys() <= set(names):
        return None
    array, shift, axis = (given.get(name, ast.Constant(0)) for name in names)
    inner = rolled(rehearsal, array)
    value = rehearsal.value(array)
    rank = value.rank if isinstance(value, Array) else None
    by, at = whole(shift), whole(axis)
    if rank is None or by is None or at is None or not -rank <= at < rank:
        return None
    flat = len(given) < len(names) and rank != 1
    if flat or rehearsal.operation(node) is None or rank > len(_INDICES[0]):
        return None
    before = inner.shifts if inner is not None else (0,) * rank
    shifts = tuple(s + by * (k == at % rank) for k, s in enumerate(before))
    return Rolled(array if inner is None else inner.array, shifts)


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
        Where arrays are not known to be of one rank.
    """

    def __init__(self, run: Run, taken: set[str]) -> None:
        self.run = run
        ranks = {leaf.value.rank if isinstance(leaf.value, Array) else None for leaf in self.arrays}
        if run.written or len(ranks) != 1 or None in ranks:
            raise Unfit
        (rank,) = ranks
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
        from gpuport.loops.cuda.statements import folded

        here = f"[{{{', '.join(self.indices)}}}]"
        arrays = "|".join(leaf.name for leaf in self.arrays)
        body = [re.sub(rf"(?<![\w.])({arrays})\b", rf"\1{here}", line) for line in text.body]
        beside = [
            f"const {types[one.array.name]} {one.leaf.name} = "
            f"{one.array.name}[{{{', '.join(self._entries(one))}}}];"
            for one in self.run.shifted.values()
        ]  # fmt: skip
        return replace(text, body=tuple(folded([*beside, *body])))

    def _entries(self, one: Shifted) -> Iterator[str]:
        for axis, (index, shift) in enumerate(zip(self.indices, one.shifts, strict=True)):
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
            most = max(abs(one.shifts[axis]) for one in self.run.shifted.values())
            found += [" and ", first, f".shape[{axis}] >= {most}"] if most > 1 else []
        return tuple(found)


__all__ = ["LAUNCHES", "Grid", "Rolled", "rolled"]
