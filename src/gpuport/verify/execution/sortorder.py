"""Sorts that leave an order open: of equal elements, and of what lies beside a partition's place.

NumPy's default `argsort` puts equal elements in an order that differs from machine to machine, and
a partition orders neither of its sides. CuPy sorts stably and as a whole: where the original with
such sorts gives what the port gives, both are right.
"""

from __future__ import annotations

import ast
import contextlib
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from gpuport.verify.sides.instrument import call_of, instrumented
from gpuport.verify.sides.sides import Side

SORTED_STABLY = "compared with stable sorts: NumPy leaves the order of equal elements open"

_HOOK = "__gpuport_sorted__"
_OPEN = ("argsort", "argpartition", "partition")
_NAMED = re.compile(rf"\b(?:{'|'.join(_OPEN)})\b")


def sorts_openly(text: str) -> bool:
    """Whether a program's text names a sort whose order is open."""
    return _NAMED.search(text) is not None


class _Instrument(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if getattr(node.func, "attr", getattr(node.func, "id", "")) in _OPEN:
            node.func = call_of(_HOOK, node.func, [node.func])
        return node


@contextlib.contextmanager
def sorted_stably(side: Side) -> Iterator[None]:
    """Inside the block they are stable, and partitions sort everything."""
    with instrumented(side, _Instrument, _HOOK, _stable):
        yield


def _stable(called: Callable[..., Any]) -> Callable[..., Any]:
    """The stable counterpart of a function or of an array's method; others stay."""
    owner = getattr(called, "__self__", None)
    if type(owner) is np.ndarray:
        return _METHODS[called.__name__](owner)
    return next((new for old, new in _FUNCTIONS if called is old), called)


def _argsort(a: Any, axis: Any = -1, kind: Any = None, order: Any = None, **_: Any) -> Any:
    return np.argsort(a, axis, kind="stable", order=order)


def _argpartition(
    a: Any, kth: Any, axis: Any = -1, kind: Any = "introselect", order: Any = None
) -> Any:
    np.argpartition(a, kth, axis, order=order)  # what it refuses is refused
    return np.argsort(a, axis, kind="stable", order=order)


def _partition(
    a: Any, kth: Any, axis: Any = -1, kind: Any = "introselect", order: Any = None
) -> Any:
    np.partition(a, kth, axis, order=order)
    return np.sort(a, axis, kind="stable", order=order)


def _method(function: Callable[..., Any]) -> Callable[[Any], Callable[..., Any]]:
    return lambda owner: lambda *given, **named: function(owner, *given, **named)


def _in_place(owner: Any) -> Callable[..., None]:
    def partition(*given: Any, **named: Any) -> None:
        owner[...] = _partition(owner, *given, **named)

    return partition


_FUNCTIONS = (
    (np.argsort, _argsort),
    (np.argpartition, _argpartition),
    (np.partition, _partition),
)
_METHODS = {
    "argsort": _method(_argsort),
    "argpartition": _method(_argpartition),
    "partition": _in_place,
}
