"""Which single annotation would settle the most: parameters by the calls that wait for them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gpuport.analysis.causes import arguments, bound_from
from gpuport.analysis.unit import Unit
from gpuport.records import Finding, Severity, Span
from gpuport.rules.libraries import library_of
from gpuport.source.syntax import children, walk

CODE = "GP912"
_NAMED = 3
"""Parameters that the finding names."""


@dataclass(frozen=True, slots=True)
class Unsettled:
    """A parameter of which nothing is known, and how many calls stay on the host for that."""

    function: str
    name: str
    span: Span
    calls: int


def unsettled(unit: Unit, calls: list[ast.Call]) -> Iterator[Unsettled]:
    """The parameters of a function that calls of unknown arguments come from.

    Parameters
    ----------
    unit : Unit
    calls : list of ast.Call
        The calls of NumPy that stay on the host because a type is not known.
    """
    parameters = arguments(unit.node)
    wanted = {
        name for name in unit.unknown_parameters
        if name in parameters and not _is_receiver(unit, name) and not _is_variadic(unit, name)
    }  # fmt: skip
    if not wanted:
        return
    sources = _sources(unit, wanted)
    for name, argument in parameters.items():
        waiting = sum(any(name in sources.get(n, ()) for n in _given(call, unit)) for call in calls)
        if name in wanted and waiting:
            yield Unsettled(unit.name, name, unit.module.span(argument), waiting)


def _is_receiver(unit: Unit, name: str) -> bool:
    method = unit.scope.parent is not None and isinstance(unit.scope.parent.node, ast.ClassDef)
    return method and name in ("self", "cls")


def _is_variadic(unit: Unit, name: str) -> bool:
    """Whether a parameter gathers others: no annotation says what each of them is."""
    args = getattr(unit.node, "args", None)
    extra = (args.vararg, args.kwarg) if isinstance(args, ast.arguments) else ()
    return any(a is not None and a.arg == name for a in extra)


def _sources(unit: Unit, wanted: set[str]) -> dict[str, set[str]]:
    """For each name, the wanted parameters that what it is bound to may come from."""
    found = {name: {name} for name in wanted}
    bindings = [
        (node.id, set(_names(source, unit)))
        for node, source in _bound_names(unit)
    ]  # fmt: skip
    changed = True
    while changed:
        changed = False
        for name, read in bindings:
            before = found.get(name, set())
            after = before.union(*(found.get(n, set()) for n in read))
            if after != before:
                found[name] = after
                changed = True
    return found


def _bound_names(unit: Unit) -> Iterator[tuple[ast.Name, ast.expr]]:
    bound = bound_from(unit.node)
    for node in walk(unit.node):
        if isinstance(node, ast.Name) and id(node) in bound:
            yield node, bound[id(node)]


def _names(node: ast.AST, unit: Unit) -> Iterator[str]:
    """Names of which an annotation would tell what an expression is.

    What an attribute, a key or a function that is not NumPy's gives would stay as unknown.
    """
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Call):
        path = unit.scope.resolve(node.func)
        if path is not None and library_of(path) is not None:
            yield from _given(node, unit)
    elif isinstance(node, (ast.BinOp, ast.UnaryOp, ast.List, ast.Tuple)):
        for child in children(node):
            yield from _names(child, unit)
    elif isinstance(node, ast.Subscript):
        key = node.slice
        if not (isinstance(key, ast.Constant) and isinstance(key.value, str)):
            yield from _names(node.value, unit)


def _given(call: ast.Call, unit: Unit) -> Iterator[str]:
    for part in (*call.args, *(k.value for k in call.keywords)):
        yield from _names(part, unit)


def ranked(found: Iterable[Unsettled]) -> Finding | None:
    """One finding for a file: the parameters whose annotation would settle the most."""
    order = sorted(found, key=lambda one: (-one.calls, one.span.line, one.span.column))
    if not order:
        return None
    first = order[0]
    others = ", ".join(
        f"`{one.name}` of `{one.function}` (line {one.span.line}) {one.calls}"
        for one in order[1:_NAMED]
    )
    count = f"{first.calls} calls" if first.calls > 1 else "1 call"
    more = f"; next: {others}" if others else ""
    return Finding(
        CODE, Severity.INFO, first.span,
        f"unknown type: to annotate `{first.name}` would settle the most, {count} of "
        f"`{first.function}`{more}",
        first.function, None,
        help=f"write `{first.name}: np.ndarray`, or the number that it is",
    )  # fmt: skip


__all__ = ["CODE", "Unsettled", "ranked", "unsettled"]
