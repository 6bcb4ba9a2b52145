"""Which single annotation would settle the most: parameters by the calls that wait for them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gpuport.analysis.explanation.causes import arguments
from gpuport.analysis.functions.evidence import ASSUMED, parameter_values
from gpuport.analysis.functions.uses import ARRAY_ATTRIBUTES
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.project.callgraph import Project
from gpuport.analysis.values.lattice import Unknown, Value, on_device_possible
from gpuport.analysis.values.origins import DICT, given, is_dict, open_parameters, origins
from gpuport.records import Finding, Severity, Span
from gpuport.source.fields import made_by_numpy
from gpuport.source.names import FunctionNode, Scope
from gpuport.source.operands import operands

CODE = "GP912"
_NAMED = 3
"""Parameters that the finding names."""


@dataclass(frozen=True, slots=True)
class Unsettled:
    """A parameter of which nothing is known, and how many calls stay on the host for that.

    Attributes
    ----------
    function, name : str
    span : Span
    calls : int
    used_as_dict : bool
        Whether it is evidently a dict.
    """

    function: str
    name: str
    span: Span
    calls: int
    used_as_dict: bool


def unsettled(unit: Unit, calls: list[ast.Call]) -> Iterator[Unsettled]:
    """The parameters of a function that calls of unknown arguments come from.

    Parameters
    ----------
    unit : Unit
    calls : list of ast.Call
        The calls of NumPy that stay on the host because a type is not known.
    """
    wanted = open_parameters(unit, unit.parameters.unknown)
    if not wanted:
        return
    sources = origins(unit, wanted)
    for name, argument in arguments(unit.node).items():
        waiting = sum(any(name in sources.get(n, ()) for n in given(call, unit)) for call in calls)
        if name in wanted and waiting:
            span = unit.module.span(argument)
            yield Unsettled(unit.name, name, span, waiting, is_dict(unit, name))


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
    help = f"write `{first.name}: np.ndarray`, or the number that it is"
    if first.used_as_dict:
        help = f"write `{first.name}: {DICT}`, where it is a dict of arrays"
    return Finding(
        CODE, Severity.INFO, first.span,
        f"unknown type: to annotate `{first.name}` would settle the most, {count} of "
        f"`{first.function}`{more}",
        first.function, None,
        help=help, weight=first.calls,
    )  # fmt: skip


def open_operands(project: Project, scope: Scope) -> Iterator[Finding]:
    """What a function does arithmetic with, where nothing tells whether that is arrays.

    Operators are all that there is to port in it, and most such functions are for numbers, which
    need no device.
    """
    node, around = scope.node, None if scope.parent is None else scope.parent.node
    if not isinstance(node, FunctionNode) or around is None or isinstance(around, FunctionNode):
        return  # it is part of the one around it
    uses = project.uses.of(scope, node)
    values = parameter_values(scope, node, project.calls.of(node), uses)
    done = operands(node, ARRAY_ATTRIBUTES)
    may_be = [n for n, value in values.items() if _may_be_array(value) and not uses.of(n).tested]
    perhaps = [name for name in may_be if name in done or uses.of(name).array]
    parts = [name for name in done if done[name] and (name in perhaps or "." in name)]
    if not parts and not perhaps:
        return
    if parts and not perhaps and made_by_numpy(around, parts, scope.resolve):
        said = f"stays on the host, as the arrays of its instances do, {_listed(parts)}"
        yield Finding("GP407", Severity.INFO, project.module.span(node), said, scope.name, None)
        return
    said = f"calculates with {_listed(perhaps)}, and nothing tells whether these are arrays"
    if parts:
        said = f"works with {_listed(parts)} as with arrays, but nothing tells that they are"
    named = next((name for name in parts or perhaps if name in perhaps), None)
    how = "call it with arrays in a file that is ported together with this one"
    if named is not None:
        how = f"where it is an array, write `{named}: np.ndarray`, or {how}"
    yield Finding(
        "GP901", Severity.WARNING if parts else Severity.INFO, project.module.span(node),
        f"unknown type: `{scope.name}` {said}: it is left as it is", scope.name, "unknown-type",
        help=how,
    )  # fmt: skip


def _may_be_array(value: Value) -> bool:
    return value == ASSUMED or isinstance(value, Unknown) or on_device_possible(value)


def _listed(names: list[str]) -> str:
    """Names for people: the first ones, and that there are more."""
    more = " and others" if len(names) > _NAMED else ""
    return ", ".join(f"`{name}`" for name in names[:_NAMED]) + more


__all__ = ["CODE", "Unsettled", "open_operands", "ranked", "unsettled"]
