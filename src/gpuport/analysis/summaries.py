"""What an analysed function is to its callers."""

from __future__ import annotations

from dataclasses import dataclass

from gpuport.analysis.calls import Argument
from gpuport.analysis.graph import Place, keeps
from gpuport.analysis.placement import Placement
from gpuport.analysis.unit import Unit
from gpuport.analysis.values import (
    UNKNOWN,
    Array,
    Either,
    Mapping,
    Scalar,
    Sequence,
    Tuple,
    Value,
)
from gpuport.source.names import FunctionNode


@dataclass(frozen=True, slots=True)
class Summary:
    """What callers need to know of a function.

    Attributes
    ----------
    ported : bool
        Whether it takes and gives device arrays once ported.
    work : float
        What running it on the device saves, in elementwise operations.
    mutated, escaped, returned : frozenset of str
        Parameters that are written, that others may keep, that the result may share memory with.
    """

    ported: bool
    work: float
    parameters: tuple[str, ...]
    mutated: frozenset[str] = frozenset()
    escaped: frozenset[str] = frozenset()
    returned: frozenset[str] = frozenset()
    result: Value = UNKNOWN
    arrays: frozenset[str] = frozenset()

    def names(self, arguments: list[Argument]) -> list[str | None]:
        """The parameter on which each argument lands; None where it cannot be told."""
        found: list[str | None] = []
        for argument in arguments:
            if argument.keyword in self.parameters:
                found.append(argument.keyword)
            elif argument.position is not None and argument.position < len(self.parameters):
                found.append(self.parameters[argument.position])
            else:
                found.append(None)
        return found


@dataclass(frozen=True, slots=True)
class Analysed:
    """A unit and the places of its nodes."""

    unit: Unit
    placement: Placement


def parameter_names(node: FunctionNode) -> tuple[str, ...]:
    args = node.args
    return tuple(a.arg for a in (*args.posonlyargs, *args.args, *args.kwonlyargs))


def has_device_parameter(analysed: Analysed) -> bool:
    return any(
        analysed.placement.of(node) is Place.DEVICE for node in analysed.unit.parameters.values()
    )


def without_sources(value: Value) -> Value:
    if isinstance(value, Array):
        return Array(value.dtype, value.rank, optional=value.optional)
    if isinstance(value, Either):
        return Either(value.dtype, optional=value.optional, python=value.python)
    if isinstance(value, Tuple):
        return Tuple(tuple(without_sources(v) for v in value.items))
    if isinstance(value, Sequence):
        return Sequence(without_sources(value.of), value.list)
    if isinstance(value, Mapping):
        return Mapping(without_sources(value.of))
    if isinstance(value, Scalar):
        return Scalar(value.type)
    return value


def summarise(analysed: Analysed, node: FunctionNode, *, suppressed: bool) -> Summary:
    """What callers need to know of an analysed function."""
    unit, placement = analysed.unit, analysed.placement
    names = parameter_names(node)
    if unit.refusal is not None or suppressed:
        # What a function that was not looked into does with its arguments is not known.
        return Summary(False, 0.0, names, escaped=frozenset(names))
    ported = has_device_parameter(analysed)
    mutated = {p for p, g in unit.parameters.items() if g.root().mutated}
    pinned = {
        p for p, g in unit.parameters.items()
        if (pinned_by := g.root().pinned) and keeps(pinned_by)
    }  # fmt: skip
    work = sum(
        n.host_cost for n in unit.graph.nodes if n.parent is None
        and placement.of(n) is Place.DEVICE
    )  # fmt: skip
    result = without_sources(unit.returns if unit.returns is not None else Scalar("None"))
    return Summary(
        ported,
        work,
        names,
        frozenset(mutated),
        frozenset(unit.escaped | pinned | unit.unknown_parameters),
        frozenset(unit.returned_parameters),
        result,
        frozenset(p for p, g in unit.parameters.items() if placement.of(g) is Place.DEVICE),
    )
