"""Which parameter each argument of a call is given to, ``*values`` and ``**options`` among them."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace

from gpuport._frozen import frozen
from gpuport.analysis.calls.arguments import Argument
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.values.lattice import (
    EMPTY,
    Array,
    Mapping,
    Number,
    Sequence,
    Tuple,
    Value,
    aside,
    join_all,
    record,
)
from gpuport.analysis.values.nesting import under
from gpuport.source.names import FunctionNode


@frozen
class Parameters:
    """What a function takes.

    Attributes
    ----------
    positional : tuple of str
        Those that an argument without a name may land on.
    named : tuple of str
        Those that are given by their names alone.
    rest, options : str or None
        Those that gather what is left: ``*rest``, ``**options``.
    """

    positional: tuple[str, ...]
    named: tuple[str, ...] = ()
    rest: str | None = None
    options: str | None = None

    @classmethod
    def of(cls, function: FunctionNode, *, given: int) -> Parameters:
        """Those of a function that are left where so many of the first are given already."""
        args = function.args
        return cls(
            tuple(a.arg for a in (*args.posonlyargs, *args.args))[given:],
            tuple(a.arg for a in args.kwonlyargs),
            args.vararg.arg if args.vararg else None,
            args.kwarg.arg if args.kwarg else None,
        )


@frozen
class Given:
    """What is given to a parameter.

    Attributes
    ----------
    expression : ast.expr
        What stands in the call.
    flow : Flow
    whole : bool
        Whether the expression holds more than this: nothing can be written around it alone.
    key : str or None
        By which ``**options`` has it, or the parameter that is given it by name, where known.
    """

    expression: ast.expr
    flow: Flow
    whole: bool = False
    key: str | None = None


@dataclass(slots=True)
class Matched:
    """The arguments of a call by the parameters of a function.

    Attributes
    ----------
    single : list of (str, Given)
        What single parameters are given, or may be.
    rest, options : list of Given
        What ``*rest`` and ``**options`` gather.
    certain : bool
        Whether just these items are in ``*rest``, in this order.
    """

    single: list[tuple[str, Given]] = field(default_factory=list)
    rest: list[Given] = field(default_factory=list)
    options: list[Given] = field(default_factory=list)
    certain: bool = True

    def gathered_by_name(self) -> Value:
        """What ``**options`` holds."""
        keys = [one.key for one in self.options if one.key is not None]
        values = [one.flow.value for one in self.options]
        if len(keys) < len(self.options):
            return Mapping(join_all(values))
        return record(dict(zip(keys, map(aside, values), strict=True)))

    def gathered(self) -> Value:
        """What ``*rest`` holds."""
        values = [one.flow.value for one in self.rest]
        if self.certain:
            return Tuple(tuple(values))
        return Sequence(join_all(values) if values else EMPTY, list=False)


def matched(unit: Unit, parameters: Parameters, args: list[Argument]) -> Matched | None:
    """Match the arguments of a call with the parameters of a function.

    Returns
    -------
    Matched or None
        None where it cannot be told what a parameter is given, or the call would raise.
    """
    found, position = Matched(), 0
    by_name = {a.keyword for a in args}
    for argument in args:
        one = Given(argument.expression, argument.flow)
        if argument.keyword is not None:
            if not _named(unit, parameters, found, argument.keyword, one, position):
                return None
            continue
        items = [one] if argument.position is not None else _items(unit, one)
        if items is None:
            return None
        if found.certain and (argument.position is not None or _is_exact(one.flow.value)):
            for item in items:
                if position < len(parameters.positional):
                    found.single.append((parameters.positional[position], item))
                elif parameters.rest is not None:
                    found.rest.append(item)
                else:
                    return None
                position += 1
            continue
        found.certain = False  # from here on any parameter may be given any of these
        left = [name for name in parameters.positional[position:] if name not in by_name]
        found.single += [(name, item) for name in left for item in items]
        found.rest += items if parameters.rest is not None else []
    return found


def _named(
    unit: Unit, parameters: Parameters, found: Matched, keyword: str, one: Given, position: int
) -> bool:
    """What is given by name; False where that is not known."""
    every = (*parameters.positional, *parameters.named)
    if keyword != "**":
        if keyword in every:
            found.single.append((keyword, replace(one, key=keyword)))
        elif parameters.options is not None:
            found.options.append(replace(one, key=keyword))
        return keyword in every or parameters.options is not None
    if isinstance(one.flow.value, Mapping) and one.flow.value.fields is not None:
        for key, value in one.flow.value.fields:
            part = replace(_part(unit, one, value, key), key=key)
            if not _named(unit, parameters, found, key, part, position):
                return False
        return True
    items = _values(unit, one)
    if items is None:
        return False
    given = {name for name, other in found.single if other.key == name and not other.whole}
    names = [*parameters.positional[position:], *parameters.named]
    found.single += [(name, item) for name in names if name not in given for item in items]
    found.options += items if parameters.options is not None else []
    return True


def _is_exact(value: Value) -> bool:
    return isinstance(value, Tuple) and not value.names


def _items(unit: Unit, one: Given) -> list[Given] | None:
    """What ``*values`` gives, one by one; None where the values are not known."""
    value = one.flow.value
    if _is_exact(value) and isinstance(value, Tuple):
        return [_part(unit, one, item, str(place)) for place, item in enumerate(value.items)]
    if isinstance(value, Sequence):
        return [] if value.of == EMPTY else [_part(unit, one, value.of)]
    if isinstance(value, Array) and value.rank == 1:
        unit.to_host(one.expression, one.flow)
        return [replace(one, flow=Flow(Number(value.dtype)), whole=True)]
    return None


def _values(unit: Unit, one: Given) -> list[Given] | None:
    """What ``**options`` gives."""
    value = one.flow.value
    if not isinstance(value, Mapping):
        return None
    of = under(unit, one.expression, one.flow, None)
    return [] if of == EMPTY else [_part(unit, one, of)]


def _part(unit: Unit, one: Given, value: Value, key: str | None = None) -> Given:
    origin = unit.item_of(one.flow.origin, value, key)
    return replace(one, flow=Flow(value, origin, view=one.flow.view), whole=True)


__all__ = ["Given", "Matched", "Parameters", "matched"]
