"""What a loop over elements leaves, where only a run tells how many axes its arrays have.

A kernel is for so many axes. With one axis more the loop beside it runs, on the host, and what it
took for numbers is rows.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.statements.inplace import check_in_place
from gpuport.analysis.values.lattice import Array, Either, Scalar
from gpuport.loops.context.scalars import exposed, live_after
from gpuport.source.changedelements import behind_changed_elements
from gpuport.source.syntax import bound_in, inside

if TYPE_CHECKING:
    from gpuport.loops.records import LoopPlan

Loop = ast.For | ast.While

_AXES = re.compile(r"(\w+)\.ndim == (\d+)")
_SIZES = frozenset(("shape", "size", "ndim", "dtype", "strides", "nbytes", "itemsize"))


def unsure_before(unit: Unit, node: Loop) -> frozenset[str]:
    """Names that a loop reads as it begins, and that may hold numbers or arrays then."""
    found = ((name, unit.env.get(name)) for name in exposed([node]))
    return frozenset(
        name for name, flow in found
        if flow is not None and isinstance(flow.value, Either | Array)
    )  # fmt: skip


def rows_left(
    unit: Unit, node: Loop, guards: Iterable[str], unsure: frozenset[str] = frozenset()
) -> tuple[tuple[str, int], ...]:
    """Say of the names that a loop leaves that they may be rows, unless a boundary can ask.

    Parameters
    ----------
    unit : Unit
    node : ast.For or ast.While
        A loop that may become a kernel; what it binds is in `unit.env`.
    guards : iterable of str
        What is asked before the launch.
    unsure : frozenset of str
        Names that the kernel takes for numbers, and that may hold arrays.

    Returns
    -------
    tuple of (str, int)
        Parameters, and how many axes the boundary has to ask of them for numbers to be left.
    """
    assert not isinstance(unit.node, ast.AsyncFunctionDef)
    leaving = live_after(unit.node, node)
    returns = any(isinstance(inner, ast.Return) for inner in inside(node))
    if not returns and not leaving and not any(_added_in_place(node, unsure)):
        return ()
    asked = _axes_asked(guards)
    at_boundary = tuple(one for one in asked if _given(unit, one[0]))
    more = {name for name, _ in asked} - {name for name, _ in at_boundary}
    begun = {name for name in unsure if not _begins_as_number(unit, node, name, dict(at_boundary))}
    # A name that an iteration may leave alone, or add to, holds what it held before.
    for name in sorted((_made_of(node, more | begun) | begun) & leaving):
        flow = unit.env.get(name)
        if flow is not None and isinstance(flow.value, Scalar) and flow.value.type is None:
            unit.env[name] = Flow(Either(python=True), unit.host)
    return at_boundary


def rows_changed(
    unit: Unit, node: Loop, arrays: Mapping[str, Flow | None], plan: LoopPlan
) -> tuple[frozenset[str], tuple[tuple[str, int], ...]]:
    """Arrays that a loop changes if what it takes for their elements are rows.

    Returns
    -------
    frozenset of str
        Arrays of which it is not certain.
    tuple of (str, int)
        Parameters of which the boundary can ask it, with the number of axes.
    """
    functions = {**unit.project.root.functions, **unit.scope.functions}
    behind = behind_changed_elements(node, functions)
    unsure = {}
    for name in (name for name in plan.reads if name.partition(".")[0] in behind):
        flow = arrays.get(name)
        rank = flow.value.rank if flow is not None and isinstance(flow.value, Array) else None
        if rank is None or rank != plan.ranks.get(name):
            unsure[name] = plan.ranks.get(name)
    asked = tuple((n, rank) for n, rank in sorted(unsure.items()) if rank and _given(unit, n))
    return frozenset(unsure) - {name for name, _ in asked}, asked


def keep_rows(unit: Unit, node: Loop, guards: Iterable[str], unsure: frozenset[str]) -> None:
    """What a loop adds to in place, and may be a row, stays with its array on the host.

    The kernel takes it for a number, which has to be there: a row that was brought there is a copy,
    and what the loop beside the kernel adds to it would not reach the array.

    Parameters
    ----------
    unit : Unit
    node : ast.For or ast.While
        A loop that may become a kernel.
    guards : iterable of str
        What is asked before the launch.
    unsure : frozenset of str
        Names that the kernel takes for numbers, and that may hold arrays.
    """
    axes = dict(one for one in _axes_asked(guards) if _given(unit, one[0]))
    for inner in _added_in_place(node, unsure):
        flow = unit.env[inner.target.id]  # type: ignore[union-attr]
        if flow.view and not _begins_as_number(unit, node, inner.target.id, axes):  # type: ignore[union-attr]
            check_in_place(unit, inner.target, flow)


def _axes_asked(guards: Iterable[str]) -> list[tuple[str, int]]:
    """Arrays of which a launch asks how many axes they have."""
    return [(m[1], int(m[2])) for m in map(_AXES.fullmatch, guards) if m]


def _added_in_place(loop: Loop, names: frozenset[str]) -> Iterator[ast.AugAssign]:
    """Where a loop adds to one of these names: ``y = x[-1]`` and ``y += 1`` change a row."""
    for inner in inside(loop):
        if isinstance(inner, ast.AugAssign) and getattr(inner.target, "id", None) in names:
            yield inner


def _begins_as_number(unit: Unit, loop: Loop, name: str, axes: Mapping[str, int]) -> bool:
    """Whether a name is first an element, ``x[0]``, of an array whose axes the boundary asks."""
    within = set(map(id, inside(loop)))
    bindings = [
        inner for inner in inside(unit.node)
        if id(inner) not in within and name in _stored(inner)
    ]  # fmt: skip
    return bool(bindings) and all(
        isinstance(one, ast.Assign)
        and all(isinstance(target, ast.Name) for target in one.targets)
        and (isinstance(one.value, ast.Constant) or _is_element(one.value, axes))
        for one in bindings
    )


def _stored(node: ast.AST) -> frozenset[str]:
    """Names that a statement by itself binds, those inside it left out."""
    if isinstance(node, ast.Assign):
        return frozenset().union(*map(bound_in, node.targets))
    if isinstance(
        node, ast.For | ast.AugAssign | ast.AnnAssign | ast.NamedExpr | ast.comprehension
    ):
        return bound_in(node.target)
    if isinstance(node, ast.withitem) and node.optional_vars is not None:
        return bound_in(node.optional_vars)
    return frozenset()


def _is_element(node: ast.expr, axes: Mapping[str, int]) -> bool:
    if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name):
        return False
    index = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    whole = all(
        isinstance(one, ast.Constant | ast.UnaryOp | ast.BinOp)
        and all(isinstance(part.value, int) for part in ast.walk(one)
                if isinstance(part, ast.Constant))
        and not any(isinstance(part, ast.Name) for part in ast.walk(one))
        for one in index
    )  # fmt: skip
    return whole and axes.get(node.value.id) == len(index)


def _given(unit: Unit, name: str) -> bool:
    """Whether a name is what a caller gave, all through the function; changed in place perhaps."""
    in_place = sum(
        isinstance(inner, ast.AugAssign) and getattr(inner.target, "id", None) == name
        for inner in inside(unit.node)
    )
    return name in unit.parameters.initial and unit.scope.bound.get(name) == 1 + in_place


def _made_of(node: Loop, arrays: set[str]) -> set[str]:
    """Names that a loop binds to what is made of elements of arrays, and of such names."""
    found: set[str] = set()
    bindings = list(_bindings(node)) if arrays else []
    while True:
        more = {
            name for names, value in bindings for name in names if _reads(value, arrays | found)
        }
        if more <= found:
            return found
        found |= more


def _bindings(node: Loop) -> Iterator[tuple[frozenset[str], ast.expr]]:
    for inner in inside(node):
        if isinstance(inner, ast.For):
            yield from _headed(inner)
        elif isinstance(inner, ast.Assign):
            yield frozenset().union(*map(bound_in, inner.targets)), inner.value
        elif isinstance(inner, ast.AugAssign | ast.NamedExpr | ast.AnnAssign) and inner.value:
            yield bound_in(inner.target), inner.value


def _headed(node: ast.For) -> Iterator[tuple[frozenset[str], ast.expr]]:
    """Names that the head of a loop binds, with what they are made of: not counters."""
    over, target = node.iter, node.target
    if isinstance(over, ast.Call) and isinstance(over.func, ast.Name):
        if over.func.id == "range":
            return
        items = target.elts if isinstance(target, ast.Tuple) else []
        if over.func.id == "enumerate" and len(items) == 2 and over.args:
            yield bound_in(items[1]), over.args[0]
            return
    yield bound_in(target), over


def _reads(node: ast.AST, names: set[str]) -> bool:
    """Whether an expression reads more than sizes of what the names hold."""
    if isinstance(node, ast.Name):
        return node.id in names
    if isinstance(node, ast.Attribute) and node.attr in _SIZES:
        return False
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len":
        return False
    return any(_reads(child, names) for child in ast.iter_child_nodes(node))


__all__ = ["keep_rows", "rows_left", "unsure_before"]
