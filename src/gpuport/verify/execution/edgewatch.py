"""What is watched for its edges: comparisons, roundings to integers, quotients, places in a table.

Each is told as a number for each element: of two sides their difference, of what is rounded the
value itself, whose edges lie at or beside integers, of ``t // p`` and its like the quotient, of
``searchsorted`` how far the nearest entry is.
"""

from __future__ import annotations

import ast
import contextlib
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np

from gpuport.verify.sides.instrument import COMPARISONS, call_of, instrumented
from gpuport.verify.sides.sides import Side

_HOOK = "__gpuport_compared__"
_ROUNDING = {
    "floor": 0.0, "ceil": 0.0, "trunc": 0.0, "fix": 0.0, "int": 0.0,
    "rint": 0.5, "round": 0.5, "around": 0.5,
}  # fmt: skip
"""What rounds to integers, with where its edges lie beside these."""
_DIVIDING = frozenset({"floor_divide", "mod", "remainder", "fmod", "divmod", "FloorDiv", "Mod"})
"""What jumps where one argument is a multiple of the other,"""
_STEPPING = "arange"
"""what has one element more there,"""
_FINDING = {"searchsorted": (0, 1), "digitize": (1, 0)}
"""and what jumps at the entries of a table: which argument is that, and which is looked up."""
_LARGEST = 4096
"""Elements of a comparison that are watched; larger ones are not."""
_OCCURRENCES = 4
"""How often the same comparison is watched in a call."""

Place = tuple[int, int, int]  # which comparison of the text, its how-manieth run, which element


@dataclass(slots=True)
class Watch:
    """The numbers of one call, by what is watched.

    ``steps`` says where the edges are: at 0 where there is none of them, else a part of one beside
    an integer. ``quotients``: the edges are those of a quotient, or a product, that the library
    makes for itself.
    """

    margins: dict[tuple[int, int], Any] = field(default_factory=dict)
    runs: dict[int, int] = field(default_factory=dict)
    steps: dict[int, float] = field(default_factory=dict)
    quotients: set[int] = field(default_factory=set)

    def told(self, site: int, margin: Callable[[], Any]) -> None:
        """Keep how far something is from its edge, where these are numbers."""
        run = self.runs[site] = self.runs.get(site, 0) + 1
        if run > _OCCURRENCES:
            return
        try:
            with np.errstate(all="ignore"):
                found = np.asarray(margin())
        except (TypeError, ValueError, ArithmeticError):
            return
        if found.dtype.kind in "iuf" and 0 < found.size <= _LARGEST:
            self.margins[site, run] = found.ravel()

    def edge(self, place: Place) -> float:
        """Where the edge next to this number is."""
        step = self.steps.get(place[0])
        return 0.0 if step is None else float(np.round(self.at(place) - step) + step)

    def at(self, place: Place) -> float:
        """One number; NaN where it was not reached."""
        margin = self.margins.get(place[:2])
        return (
            float("nan") if margin is None or place[2] >= margin.size else float(margin[place[2]])
        )


class _Instrument(ast.NodeTransformer):
    """What is watched as calls that tell its operands."""

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        name = type(node.ops[0]).__name__
        if len(node.ops) != 1 or name not in COMPARISONS:
            return node
        return self._told(node, [ast.Constant(name), node.left, node.comparators[0]])

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, ast.FloorDiv | ast.Mod):
            return node
        name = ast.Constant(type(node.op).__name__)
        return self._told(node, [name, node.left, node.right])

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        target = node.target
        if not isinstance(node.op, ast.FloorDiv | ast.Mod) or not isinstance(target, ast.Name):
            return node
        before = ast.copy_location(ast.Name(target.id, ast.Load()), target)
        name = ast.Constant(f"only {type(node.op).__name__}")
        node.value = self._told(node.value, [name, before, node.value])
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if any(isinstance(given, ast.Starred) for given in node.args):
            return node
        if name == "astype" and isinstance(node.func, ast.Attribute):
            told = [ast.Constant("trunc"), node.func.value, ast.Constant(None)]
            node.func.value = self._told(node.func, told)
        elif name in _ROUNDING:
            self._rounding(node, name)
        elif name in _DIVIDING | {_STEPPING} | _FINDING.keys() and len(node.args) > 1:
            told = [ast.Constant(name), ast.List(node.args, ast.Load()), ast.Constant(None)]
            node.args = [ast.Starred(self._told(node, told), ast.Load())]
        return ast.fix_missing_locations(node)

    def _rounding(self, node: ast.Call, name: str) -> None:
        """A function's first argument, and what a method is called on."""
        if node.args:
            rest = [*node.args[1:2], *(k.value for k in node.keywords if k.arg == "decimals")]
            told = [ast.Constant(name), node.args[0], _constant(rest)]
            node.args[0] = self._told(node, told)
        if isinstance(node.func, ast.Attribute):
            rest = [*node.args[:1], *(k.value for k in node.keywords if k.arg == "decimals")]
            inside = rest[0].args[2:3] if rest and isinstance(rest[0], ast.Call) else rest
            told = [ast.Constant(name), node.func.value, _constant(inside)]
            node.func.value = self._told(node.func, told)

    def _told(self, node: ast.expr, operands: list[ast.expr]) -> ast.expr:
        site = ast.Constant(node.lineno * 1000 + node.col_offset)
        return call_of(_HOOK, node, [site, *operands])


def _constant(given: list[ast.expr]) -> ast.expr:
    """The first of these where it is a number that is written down, else None."""
    known = given and isinstance(given[0], ast.Constant)
    return copy.copy(given[0]) if known else ast.Constant(None)


@contextlib.contextmanager
def watched(side: Side) -> Iterator[list[Watch]]:
    """Inside the block the file's functions tell what is watched to the last of the list."""
    watches = [Watch()]

    def hook(site: int, name: str, left: Any, right: Any) -> Any:
        watch = watches[-1]
        if name in _ROUNDING:
            if not isinstance(left, ModuleType):
                watch.steps[site] = _ROUNDING[name]
                digits = right if isinstance(right, int) else 0
                if digits:  # what is rounded then is a product that nobody else has
                    watch.quotients.add(site)
                watch.told(site, lambda: np.multiply(left, 10.0**digits) if digits else left)
            return left
        if name in COMPARISONS:
            watch.told(site, lambda: np.subtract(np.asarray(left), np.asarray(right)))
            return COMPARISONS[name](left, right)
        if name in _FINDING:
            table, looked = (left[k] for k in _FINDING[name])
            watch.told(site, lambda: _from_nearest(table, looked))
            return left
        return _divided(watch, site, name, left, right)

    with instrumented(side, _Instrument, _HOOK, hook):
        yield watches


def _divided(watch: Watch, site: int, name: str, left: Any, right: Any) -> Any:
    """Tell a quotient, and give what the changed text goes on with."""
    watch.steps[site] = 0.0
    watch.quotients.add(site)
    if name == _STEPPING:
        step: Any = left[2] if len(left) > 2 else 1
        watch.told(site, lambda: np.divide(np.subtract(left[1], left[0]), step))
        return left
    if name in _DIVIDING and right is None:
        watch.told(site, lambda: np.divide(left[0], left[1]))
        return left
    if not isinstance(left, str | bytes):
        watch.told(site, lambda: np.divide(left, right))
    if name.startswith("only "):
        return right
    return left // right if name == "FloorDiv" else left % right


def _from_nearest(table: Any, looked: Any) -> Any:
    """How far each number is from the entry of a table that is nearest."""
    entries, numbers = np.sort(np.asarray(table, float).ravel()), np.asarray(looked, float)
    after = np.clip(np.searchsorted(entries, numbers), 1, max(len(entries) - 1, 1))
    one, other = (numbers - entries[np.clip(after - k, 0, len(entries) - 1)] for k in (0, 1))
    return np.where(np.abs(one) < np.abs(other), one, other)


__all__ = ["Place", "Watch", "watched"]
