"""What a kernel asks before it runs, and what it does otherwise than its loop."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from gpuport.loops.cuda.symbols import Array
from gpuport.loops.cuda.writer import Writer
from gpuport.loops.kernels.grid import grid_size
from gpuport.loops.kernels.stages import in_another_order
from gpuport.loops.kernels.sums import Sums, unasked
from gpuport.loops.kernels.symbols import Outside
from gpuport.loops.names import decided
from gpuport.loops.private.workspaces import without
from gpuport.loops.reasons import UNKNOWN_TYPE, Refused
from gpuport.loops.records import LoopPlan, Workspace
from gpuport.parallel.conditions import less_in_size
from gpuport.parallel.typing import kind


def check_dtypes(plan: LoopPlan, arrays: Mapping[str, Array]) -> None:
    """Refuse arrays that have to be made for a kernel, and of which no dtype is known.

    Raises
    ------
    Refused
    """
    for one in plan.workspaces:
        if one.name not in arrays or one.dtype is not None or one.collected:
            continue
        like = arrays.get(one.like)
        if like is None or like.dtype != arrays[one.name].dtype:
            message = f"the dtype of `{one.of}` is not known: it is that of `{one.like}`"
            raise Refused(UNKNOWN_TYPE, plan.region, message)


@dataclass(frozen=True, slots=True)
class Told:
    """What a kernel asks and tells.

    Attributes
    ----------
    plan : LoopPlan
    outside : Outside
    sums : Sums
    writer : Writer
        Of the kernel's body, which is written: what it checks and what it leaves unchecked.
    """

    plan: LoopPlan
    outside: Outside
    sums: Sums
    writer: Writer

    @property
    def lists(self) -> dict[str, str]:
        """By lists that the loop fills: the dtype of each array; empty where its length tells."""
        arrays = self.outside.symbols.arrays
        kinds = {one.name: arrays[one.name].dtype for one in self._lists}
        return {o.name: "" if o.kept and kinds[o.name] != "float64" else kinds[o.name]
                for o in self._lists}  # fmt: skip

    @property
    def _lists(self) -> list[Workspace]:
        return [one for one in self.plan.workspaces if one.collected and not one.marks]

    @property
    def guards(self) -> tuple[str, ...]:
        """Conditions without which the kernel does not compute what the loop does."""
        symbols, size = self.outside.symbols, grid_size(self.plan)
        # an empty list becomes an array of float64, whatever the loop appends
        kinds = {symbols.arrays[one.name].dtype for one in self._lists}
        found = [f"{size} > 0"] if self.sums.dtypes or kinds - {"float64"} else []
        found += self._small_numbers()
        found += [f"{array}.size > 0" for array in sorted(self.writer.checks)]
        # where a thread counts from 0 or more up to a number, that is not 0
        counted = {
            f"{axis.stop} != 0"
            for axis in self.plan.grid
            if axis.start.isdigit() and axis.step.isdigit()
        }
        found += [guard for guard in self.writer.guards or () if guard not in counted]
        found = [without(self.plan.workspaces, guard) for guard in found]
        found = [guard for guard in dict.fromkeys(found) if decided(guard) != "True"]
        return (*unasked(self.plan.guards, self.sums.assumed), *found)

    def _small_numbers(self) -> Iterator[str]:
        """Conditions under which whole numbers stay within the type that was taken for them."""
        magnitudes = self.outside.symbols.magnitudes
        if not magnitudes.guarded:
            return
        for name in self.outside.numbers:
            value = self.outside.symbols.scalars[name]
            if value.constant is None and value.whole:
                yield less_in_size(name, magnitudes.below)
        for axis in self.plan.grid:
            for text in (axis.start, axis.stop):
                if not text.lstrip("-").isdigit():
                    yield less_in_size(text, magnitudes.below)

    def notes(self, of_functions: Collection[str]) -> tuple[str, ...]:
        """What the loop does and the kernel does not; some functions that it calls do neither."""
        found = [
            f"`{ast.unparse(node)}` (line {node.lineno}) is stored in a smaller integer: where it "
            "does not fit, the loop raises OverflowError, and the kernel wraps around"
            for node in self.writer.unchecked
        ]
        found += [
            f"`{ast.unparse(node)}` (line {getattr(node, 'lineno', 0)}) {text}"
            for node, text in self.writer.raising
        ]
        return tuple(dict.fromkeys([*found, *of_functions]))

    @property
    def remarks(self) -> tuple[str, ...]:
        """In what results differ by the order in which the iterations come together."""
        return tuple(self._remarks())

    def _remarks(self) -> Iterator[str]:
        made = {name: (self.sums.operators[name], t.dtype) for name, t in self.sums.types.items()}
        for name, (operator, dtype) in {**made, **self.writer.together}.items():
            if operator in ("+", "*") and kind(dtype) in "fc":
                yield in_another_order(name, operator, dtype)
            elif operator in _ZEROS and name not in made and kind(dtype) == "f":
                yield f"of zeros of both signs `{name}` becomes {_ZEROS[operator]}"


_ZEROS = {"max": "0.0, and not the first", "min": "-0.0, and not the first"}
"""Extremes that are kept in an element: what becomes of zeros there (``semantics/``)."""


__all__ = ["Told", "check_dtypes"]
