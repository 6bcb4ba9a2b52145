"""Calls of functions of the program: arguments bound to parameters, summaries by argument types."""

from __future__ import annotations

from collections.abc import Iterable

from gpuport.facts.contexts import Parameter, Place
from gpuport.facts.evaluation import Evaluation
from gpuport.facts.scoping import Handing, told_outside
from gpuport.facts.transfer.escaping import escape
from gpuport.ir.structure import Function, Passing
from gpuport.ir.types import UNKNOWN, Type, assumptions, join_all

Named = dict[str, Type]
BY_PLACE = (Passing.POSITION, Passing.EITHER)


def enter_any(
    here: Evaluation, targets: Iterable[object], arguments: list[Type], named: Named
) -> Type | None:
    """What a call of one of these functions gives; None while that is not known yet."""
    given = [
        enter(here, target, arguments, named) for target in targets if isinstance(target, Function)
    ]
    return join_all(t for t in given if t is not None)


def enter(here: Evaluation, function: Function, arguments: list[Type], named: Named) -> Type | None:
    """What a call of a function of the program gives: its summary for these argument types."""
    bound = _bind(here, function, arguments, named)
    handing = Handing(function, bound, here.inference.told)
    callee = here.inference.context(function, handing.parameters)
    callee.callers.add((here.context, here.op))
    callee.handed[here.context, here.op] = handing.back
    sites = tuple((Parameter(function, place), t.sites) for place, t in enumerate(bound))
    here.context.calls[here.op].add((callee, sites))
    if function.is_generator:
        item = here.load(Place.YIELDS, function)
        return Type("iterator", element=item) if item is not None else None
    if callee.result is None:
        return None
    return told_outside(callee.result, handing.back, dict(sites)).under(assumptions(bound))


def _bind(here: Evaluation, function: Function, arguments: list[Type], named: Named) -> list[Type]:
    """The type of each parameter."""
    rest, left = list(arguments), dict(named)
    bound: list[Type] = []
    for parameter in function.signature:
        if parameter.passing in BY_PLACE and rest:
            bound.append(rest.pop(0))
        elif parameter.passing is Passing.VARIADIC:
            bound.append(Type("tuple", items=tuple(rest)))
            rest = []
        elif parameter.passing is Passing.KEYWORDS:
            for t in left.values():
                escape(here, t)
            bound.append(Type("dict", sites=None))
        elif parameter.name in left:
            bound.append(left.pop(parameter.name))
        else:
            bound.append(here.load(Place.DEFAULT, function, parameter.name) or UNKNOWN)
    return bound
