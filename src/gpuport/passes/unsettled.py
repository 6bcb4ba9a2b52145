"""Which single annotation would settle the most: parameters by the calls that wait for them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gpuport.analysis.explanation.causes import arguments
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.values.origins import DICT, given, is_dict, open_parameters, origins
from gpuport.records import Finding, Severity, Span

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
        help=help,
    )  # fmt: skip


__all__ = ["CODE", "Unsettled", "ranked", "unsettled"]
