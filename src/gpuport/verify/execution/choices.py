"""Masks by which the original chooses elements: where one was never true, a branch never counted.

``np.where(x > 1e9, a, b)`` and ``x[x > 1e9] = a`` have two branches in one line that always runs.
Whether a mask held both a true and a false element is asked of the original alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gpuport.verify.execution.calling import Bench
from gpuport.verify.execution.coverage import line_of
from gpuport.verify.sides.instrument import call_of, instrumented
from gpuport.verify.slots import Trial

_HOOK = "__gpuport_chosen__"
_KEYWORDS = ("where", "condition", "mask", "condlist")
# where among the arguments a mask stands; a method has one fewer before it
_PLACES = {"where": 0, "extract": 0, "compress": 0, "select": 0, "putmask": 1, "place": 1,
           "piecewise": 1}  # fmt: skip

Site = tuple[int, int]


def _chooses(node: ast.expr) -> bool:
    """Whether a subscript may be a mask, by its text."""
    return not isinstance(node, ast.Slice | ast.Constant | ast.Starred | ast.UnaryOp) or (
        isinstance(node, ast.UnaryOp) and not isinstance(node.operand, ast.Constant)
    )


class _Instrument(ast.NodeTransformer):
    """What stands where a mask chooses, as a call that tells it and gives it back."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.slice, ast.Tuple):
            node.slice.elts = [_told(e) if _chooses(e) else e for e in node.slice.elts]
        elif _chooses(node.slice):
            node.slice = _told(node.slice)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        place = _PLACES.get(getattr(node.func, "attr", getattr(node.func, "id", "")))
        if place is not None and place < len(node.args):
            node.args[place] = _each_told(node.args[place])
        for keyword in node.keywords:
            if keyword.arg in _KEYWORDS:
                keyword.value = _each_told(keyword.value)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """An annotation is no calculation."""
        node.target = self.visit(node.target)
        node.value = None if node.value is None else self.visit(node.value)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        """Nor is that of a parameter."""
        return node


def _each_told(node: ast.expr) -> ast.expr:
    """A mask told; of a list of them each one."""
    if isinstance(node, ast.List | ast.Tuple):
        node.elts = [e if isinstance(e, ast.Starred) else _told(e) for e in node.elts]
        return node
    return node if isinstance(node, ast.Starred) else _told(node)


def _told(node: ast.expr) -> ast.expr:
    place = [ast.Constant(node.lineno), ast.Constant(node.col_offset)]
    return call_of(_HOOK, node, [*place, node])


def _sites(tree: ast.AST) -> Iterator[Site]:
    """Where masks may stand in a text."""
    for node in ast.walk(_Instrument().visit(tree)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == _HOOK:
            told = node.args[-1]
            yield told.lineno, told.col_offset


@dataclass(slots=True)
class Choices:
    """What the masks of one function held: of each whether it had true and false elements.

    ``others`` are subscripts that turned out to be no masks.
    """

    sites: set[Site]
    held: dict[Site, set[bool]] = field(default_factory=dict)
    others: set[Site] = field(default_factory=set)

    @classmethod
    def of(cls, bench: Bench, function: str) -> Choices:
        """Those of a function, none seen yet."""
        cover, file = bench.coverage(function), bench.sides["original"].file
        lines = set() if cover is None else set(map(line_of, cover.lines))
        if not lines:
            return cls(set())
        inside = range(min(lines), max(lines) + 1)
        return cls({s for s in _sites(ast.parse(file.read_bytes())) if s[0] in inside})

    @property
    def open(self) -> bool:
        """Whether a further call may tell something new."""
        whole = {site for site, held in self.held.items() if len(held) > 1}
        return bool(self.sites - whole - self.others)

    def learn(self, bench: Bench, function: str, trial: Trial) -> None:
        """Call the original once more and look at its masks."""

        def hook(line: int, column: int, value: Any) -> Any:
            if isinstance(value, np.ndarray | np.generic) and value.dtype.kind == "b":
                mask = np.asarray(value)
                held = self.held.setdefault((line, column), set())
                held |= {bool(mask.any()), bool(mask.all())} if mask.size else set()
            else:
                self.others.add((line, column))
            return value

        with instrumented(bench.sides["original"], _Instrument, _HOOK, hook):
            bench.call("original", function, trial)

    def plain(self) -> list[list[Any]]:
        """For the protocol: line, column and what was held."""
        return [[*site, sorted(held)] for site, held in self.held.items() if site in self.sites]
