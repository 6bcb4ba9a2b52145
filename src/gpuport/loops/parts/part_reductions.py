"""Reductions of parts as loops: with bounds that guards hold, or cut off as slices are."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from textwrap import indent
from typing import TYPE_CHECKING

from gpuport.loops.context.subscripted import counted_names
from gpuport.loops.names import constant_int, function_path, loaded, subscript_indices, walk
from gpuport.loops.parts.medians import Elements, median, ranked
from gpuport.loops.parts.parts import Extent, Operation, Part, is_ufunc
from gpuport.source.slicebounds import end, lower, upper

if TYPE_CHECKING:
    from gpuport.loops.parts.slices import Slices

_FLOATS = (None, "float64", "float32")
WIDE = (*_FLOATS, "int64", "uint64")
"""Dtypes of which a sum is one of the same dtype."""
_SIGNED, _UNSIGNED = ("bool", "int8", "int16", "int32"), ("uint8", "uint16", "uint32")
_TRUTH = ("any", "all")


@dataclass(frozen=True)
class PartReduction:
    """A reduction of an operation on parts.

    Attributes
    ----------
    slices : Slices
    operator : str
        ``+``, ``mean``, ``median``, ``maximum``, ``minimum``, ``any``, ``all``, ``sorted``.
    found : Operation
    kind : str or None
        The dtype of its elements; None for the one that is assumed, float64.
    less : int
        By how much less than the number of elements a mean is divided; of ``sorted``, the place of
        the element that is wanted.
    """

    slices: Slices
    operator: str
    found: Operation
    kind: str | None
    less: int = 0

    @classmethod
    def of(
        cls, slices: Slices, operator: str, found: Operation, less: int = 0
    ) -> PartReduction | None:
        """The reduction; None where a loop would give another type than NumPy does."""
        several = kinds(found, slices)
        if len(several) != 1:
            return None
        (kind,) = several
        one = cls(slices, operator, found, kind, less)
        if operator in ("median", "sorted") and slices.numpy() is None:
            return None
        if operator in _TRUTH or kind in _FLOATS or (operator == "+" and kind in WIDE):
            return one
        if operator in ("+", "mean"):
            whole = kind in (*_SIGNED, *_UNSIGNED, "int64", "uint64")
            return one if whole and slices.numpy() is not None else None
        return one if kind not in ("bool", "complex64", "complex128") else None

    def between_guarded_bounds(self, result: str) -> list[str]:
        """The loops where guards make sure of the bounds, and that there is an element."""
        lengths = [axis.length for axis in next(iter(self.found.parts.values())).axes]
        if self.operator in ("median", "sorted"):
            return self._median(result, self.found, [("0", one) for one in lengths], filled=True)
        places = [self.slices.fresh.place() for _ in lengths]
        lines = [f"{result} = {self._each(self.found, ['0'] * len(lengths))}"]
        for axis in reversed(range(len(lengths))):
            # What lies before it along the outer axes, and all that lies inside.
            inside = ["0"] * axis + places[axis:]
            text = f"{result} = {self._step(result, self._each(self.found, inside))}"
            for k in reversed(range(axis, len(lengths))):
                head = f"for {places[k]} in range({1 if k == axis else 0}, {lengths[k]}):"
                text = head + "\n" + indent(text, "    ")
            lines.append(text)
        return [*lines, *self._divided(result, lengths)]

    def cut_off(self, result: str) -> list[str] | None:
        """The loops over what lies within the arrays, as slices take it.

        Of no elements there is no extreme: an index beyond the end stands for the error, and so it
        does for parts of which one is longer than another.
        """
        parts = list(self.found.parts.values())
        part = parts[0]
        if self.operator == "sorted":
            return None  # how many elements there are decides which one it is
        different = {ast.dump(one.node): one for one in parts}
        if self.slices.numpy() is None or not all(map(_by_slices, parts)):
            return None
        if len(different) > 1 and not self._reads_first():
            return None
        beside = _Beside(self)
        node = beside.visit(self.found.node)
        assert isinstance(node, ast.expr)
        several = len(different) > 1
        taken = {text: self._taken(one, beside.lines, several) for text, one in different.items()}
        lows = {text: ["0"] * len(spans) for text, spans in taken.items()}
        ends = taken[ast.dump(part.node)]
        if several:
            equal, ends = self._together(list(taken.values()), beside.lines)
            lows = {
                text: [
                    f"int({start} if {equal} else {extent})"
                    for (start, _), extent in zip(taken[text], _extents(one), strict=True)
                ]
                for text, one in different.items()
            }
        places = {k: _from(one, lows[ast.dump(one.node)]) for k, one in self.found.parts.items()}
        return [*beside.lines, *self._over(result, Operation(node, places), ends, part)]

    def _reads_first(self) -> bool:
        """Whether the first part is read at each place, whatever is read there."""
        calls = (one for one in walk([self.found.node]) if isinstance(one, ast.Call))
        whole = all(is_ufunc(function_path(one.func, self.slices.facts) or "") for one in calls)
        return whole and self.operator not in (*_TRUTH, "median")

    def _taken(self, part: Part, lines: list[str], several: bool) -> list[tuple[str, str]]:
        """Where a part begins and ends along each axis, by names that are given there.

        Of one of several how long it is counts as well: both ends are within the array.
        """
        low, high = (end, end) if several else (lower, upper)
        ends = list[tuple[str, str]]()
        slices = [i for i in _indices(part) if isinstance(i, ast.Slice)]
        for axis, taken in zip(_extents(part), slices, strict=True):
            for bound in (taken.lower, taken.upper):
                self.slices.integers |= set() if bound is None else counted_names(bound)
            start, stop = self.slices.fresh.name("from"), self.slices.fresh.name("to")
            lines += [
                f"{start} = {low(taken.lower, axis) if taken.lower else 0}",
                f"{stop} = {high(taken.upper, axis) if taken.upper else axis}",
            ]
            ends.append((start, stop))
        return ends

    def _together(
        self, taken: Sequence[Sequence[tuple[str, str]]], lines: list[str]
    ) -> tuple[str, list[tuple[str, str]]]:
        """Whether several parts are equally long, and their places: one where they are not."""
        lengths: list[str] = []
        tests: list[str] = []
        for spans in zip(*taken, strict=True):
            first, *others = (f"max({stop} - {start}, 0)" for start, stop in spans)
            lengths.append(self.slices.fresh.name("length"))
            lines.append(f"{lengths[-1]} = {first}")
            tests += [f"{lengths[-1]} == {other}" for other in others]
        equal = self.slices.fresh.name("equal")
        lines.append(f"{equal} = {' and '.join(tests)}")
        lines += [f"{one} = {one} if {equal} else 1" for one in lengths]
        return equal, [("0", one) for one in lengths]

    def _over(
        self, result: str, found: Operation, ends: Sequence[tuple[str, str]], part: Part
    ) -> list[str]:
        """The loops over places between ends."""
        if self.operator == "median":
            return self._median(result, found, ends, filled=False)
        places = [self.slices.fresh.place() for _ in ends]
        self.slices.unfilled |= dict.fromkeys(places)
        lines = [f"{result} = {self._begin(found, ends, part)}"]
        text = f"{result} = {self._step(result, self._each(found, places))}"
        for place, (start, stop) in reversed(list(zip(places, ends, strict=True))):
            text = f"for {place} in range({start}, {stop}):\n" + indent(text, "    ")
        counts = [stop if start == "0" else f"max({stop} - {start}, 0)" for start, stop in ends]
        return [*lines, text, *self._divided(result, counts)]

    def _begin(self, found: Operation, ends: Sequence[tuple[str, str]], part: Part) -> str:
        if self.operator in _TRUTH:
            return str(self.operator == "all")
        if self.operator in ("+", "mean"):
            return f"{self.slices.numpy()}.{self._cast() or self.kind or 'float64'}(0)"
        filled = " and ".join(f"{start} < {stop}" for start, stop in ends)
        first = f"int({ends[0][0]} if {filled} else {_extents(part)[0]})"
        return self._each(found, [first, *(start for start, _ in ends[1:])])

    def _median(
        self, result: str, found: Operation, spans: Sequence[tuple[str, str]], *, filled: bool
    ) -> list[str]:
        owner, fresh = self.slices.numpy(), self.slices.fresh
        assert owner is not None
        one, other = ([fresh.place() for _ in spans] for _ in "ab")
        if not filled:
            self.slices.unfilled |= dict.fromkeys([*one, *other])
        elements = Elements(
            lambda places: ast.unparse(found.element(places)),
            one, other, spans, self.kind or "float64", filled,
        )  # fmt: skip
        if self.operator == "sorted":
            return ranked(result, elements, self.less, owner, fresh)
        return median(result, elements, owner, fresh)

    def _cast(self) -> str:
        """The dtype in which whole numbers are added."""
        if self.operator == "mean":
            return "" if self.kind in _FLOATS else "float64"
        if self.operator != "+":
            return ""
        if self.kind in _SIGNED:
            return "int64"
        return "uint64" if self.kind in _UNSIGNED else ""

    def _each(self, found: Operation, places: list[str]) -> str:
        text = ast.unparse(found.element(places))
        if self.operator in _TRUTH:
            return f"({text})" if self.kind == "bool" else f"(({text}) != 0)"
        cast = self._cast()
        return f"{self.slices.numpy()}.{cast}({text})" if cast else text

    def _step(self, result: str, each: str) -> str:
        if self.operator in _TRUTH:
            return f"{result} {'or' if self.operator == 'any' else 'and'} {each}"
        if self.operator in ("+", "mean"):
            return f"{result} + {each}"
        owner = self.slices.numpy()
        if owner is not None:
            return f"{owner}.{self.operator}({result}, {each})"
        sign = {"maximum": ">=", "minimum": "<="}[self.operator]
        return f"{result} if {result} {sign} {each} or {result} != {result} else {each}"

    def _divided(self, result: str, lengths: Sequence[str]) -> list[str]:
        if self.operator != "mean":
            return []
        count = " * ".join(f"({one})" for one in lengths)
        if self.less:
            count = f"max({count} - {self.less}, 0)"
        return [f"{result} = {result} / ({count})"]


class _Beside(ast.NodeTransformer):
    """Gives names to elements beside the parts, which are read where these are empty as well."""

    def __init__(self, reduction: PartReduction) -> None:
        self.reduction = reduction
        self.lines: list[str] = []

    def visit(self, node: ast.AST) -> ast.AST:
        return node if node in self.reduction.found.parts else super().visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        name = self.reduction.slices.fresh.name("item")
        self.lines.append(f"{name} = {ast.unparse(node)}")
        return ast.copy_location(ast.Name(name, ast.Load()), node)


def kinds(found: Operation, slices: Slices) -> set[str | None]:
    """The dtypes that the elements of an operation may have."""
    node = found.node
    if _is_truth(node, slices):
        return {"bool"}
    compared = {id(n) for c in walk([node]) if _is_truth(c, slices) for n in walk([c])}
    known = {
        slices.parts.dtype(part) for leaf, part in found.parts.items() if id(leaf) not in compared
    }
    if len(found.parts) == 1 and node in found.parts:
        return known
    if compared and not known & set(_FLOATS):
        return set()  # bool or a number, as the rest of it tells
    if not known <= set(WIDE):
        return _narrow(found, known)
    return known if len(known) == 1 else {None} if known <= {None, "float64"} else _mixed(known)


def _is_truth(node: ast.AST, slices: Slices) -> bool:
    """Whether an expression of numbers is true or false: ``x > 0``, ``np.isnan(x)``."""
    import numpy as np

    if not isinstance(node, ast.Call):
        return isinstance(node, ast.Compare)
    library, _, name = (function_path(node.func, slices.facts) or "").rpartition(".")
    ufunc = getattr(np, name, None) if library == "numpy" else None
    types = ufunc.types if isinstance(ufunc, np.ufunc) else ()
    return any(one.endswith("->?") for one in types if not one.startswith("?"))


_KEEPING = ast.Add | ast.Sub | ast.Mult | ast.FloorDiv | ast.Mod


def _narrow(found: Operation, known: set[str | None]) -> set[str | None]:
    """Of narrow whole numbers alone: an operation of them stays as narrow, or is refused."""
    operators = [n.op for n in walk([found.node]) if isinstance(n, ast.BinOp)]
    others = (n for n in _operands(found.node) if n not in found.parts)
    keeps = all(isinstance(one, _KEEPING) for one in operators) and all(
        constant_int(one) is not None for one in others
    )
    return known if len(known) == 1 and keeps and not known & {"bool"} else set()


def _operands(node: ast.expr) -> Iterator[ast.expr]:
    """What the operators of an expression are given."""
    if isinstance(node, ast.BinOp):
        yield from _operands(node.left)
        yield from _operands(node.right)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        yield from _operands(node.operand)
    else:
        yield node


def _mixed(known: set[str | None]) -> set[str | None]:
    """Of floating numbers and others, floating ones come."""
    return {"float64"} if known & {None, "float64"} else set()


def _indices(part: Part) -> list[ast.expr]:
    return subscript_indices(part.node) if isinstance(part.node, ast.Subscript) else []


def _by_slices(part: Part) -> bool:
    """Whether slices that are written there say what a part takes, along all of its axes."""
    return sum(isinstance(one, ast.Slice) for one in _indices(part)) == len(part.axes)


def _from(part: Part, lows: Sequence[str]) -> Part:
    """A part whose places count from these."""
    return replace(part, axes=tuple(Extent(low, "", "", True) for low in lows))


def _extents(part: Part) -> list[str]:
    """How long the array is along each axis of the part."""
    array = ast.unparse(part.array)
    axes = [k for k, index in enumerate(part.indices) if index is None]
    return [f"{array}.shape[{k}]" for k in axes]


def bound_inside(found: Operation, assigned: set[str]) -> bool:
    """Whether a bound of a part is made of names that the loop gives values to."""
    for part in found.parts.values():
        for index in _indices(part):
            if isinstance(index, ast.Slice):
                bounds = [b for b in (index.lower, index.upper) if b is not None]
                if loaded(bounds) & assigned:
                    return True
    return False
