"""What an analysed function is to its callers."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

from gpuport.analysis.calls.arguments import Argument
from gpuport.analysis.functions.returncases import Case, cases_in, reached, with_defaults
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.placement.cut import Placement
from gpuport.analysis.placement.graph import Place, keeps
from gpuport.analysis.values.lasting import lasting
from gpuport.analysis.values.lattice import (
    NONE,
    UNKNOWN,
    Array,
    Scalar,
    Sequence,
    Tuple,
    Value,
    join,
    join_all,
)
from gpuport.source.names import FunctionNode
from gpuport.source.parameters import defaults_of, parameter_names
from gpuport.source.syntax import walk


@dataclass(frozen=True, slots=True)
class Summary:
    """What callers need to know of a function.

    Attributes
    ----------
    ported : bool
        Whether it takes and gives device arrays once ported.
    work : float
        What running it on the device saves, in elementwise operations.
    parameters : tuple of str
    mutated, escaped, returned : frozenset of str
        Parameters that are written, that others may keep, that the result may share memory with.
    result : Value
        What it gives.
    arrays : frozenset of str
        Parameters that are on the device in the port.
    parts : frozenset of str
        Those of `returned` of which the result may be a part or another shape, not the object.
    kept : bool
        Whether something else may hold the result as well, or write to it.
    as_it_is : bool
        Whether its text works with arrays of the device as with NumPy's, and gives such arrays.
    lent : frozenset of str
        Parameters that something may read later, and does not change.
    boundary : str
        What it takes and gives once ported: ``match``, ``device`` or ``none``.
    ordered : frozenset of str
        Parameters whose order in memory decides what it does.
    cases : tuple of (Case, Value)
        Its results where what it is given decides which it is.
    """

    ported: bool
    work: float
    parameters: tuple[str, ...]
    mutated: frozenset[str] = frozenset()
    escaped: frozenset[str] = frozenset()
    returned: frozenset[str] = frozenset()
    result: Value = UNKNOWN
    arrays: frozenset[str] = frozenset()
    as_it_is: bool = False
    lent: frozenset[str] = frozenset()
    boundary: str = "match"
    parts: frozenset[str] = frozenset()
    kept: bool = False
    ordered: frozenset[str] = frozenset()
    cases: tuple[tuple[Case, Value], ...] = ()

    @classmethod
    def opaque(cls, parameters: tuple[str, ...]) -> Summary:
        """Of a function that was not looked into: others may keep all that it is given."""
        return cls(False, 0.0, parameters, escaped=frozenset(parameters))

    @property
    def always_on_device(self) -> bool:
        """Whether it gives device arrays even to a caller that works on the host."""
        return self.ported and self.boundary != "match"

    def names(self, arguments: list[Argument]) -> list[str | None]:
        """The parameter on which each argument lands; None where it cannot be told."""
        return landing(self.parameters, arguments)


def for_call(summary: Summary, function: FunctionNode, args: list[Argument]) -> Summary:
    """What a function is to a call whose arguments may tell which of its results it gives."""
    gathers = function.args.vararg or function.args.kwarg
    names = summary.names(args)
    if not summary.cases or gathers or None in names:
        return summary
    given = {
        name: None if argument.flow.element else argument.flow.value
        for name, argument in zip(names, args, strict=True) if name is not None
    }  # fmt: skip
    given_all = with_defaults(given, summary.parameters, defaults_of(function))
    left = [value for case, value in summary.cases if reached(case, given_all)]
    return replace(summary, result=join_all(left)) if left else summary


def cases_of_result(unit: Unit) -> tuple[tuple[Case, Value], ...]:
    """What a function gives back by case, where there are several, its end among them."""
    cases = cases_in(unit.project, unit.node)
    if len(cases.every) < 2 or unit.returned.generates:
        return ()
    found = {case: lasting(value, reasons=True) for case, value in unit.returned.values.items()}
    if cases.end is not None:
        found[cases.end] = join(found[cases.end], NONE) if cases.end in found else NONE
    return tuple(found.items())


def landing(parameters: tuple[str, ...], arguments: list[Argument]) -> list[str | None]:
    """The parameter on which each argument of a call lands; None where it cannot be told."""
    found: list[str | None] = []
    for argument in arguments:
        if argument.keyword in parameters:
            found.append(argument.keyword)
        elif argument.position is not None and argument.position < len(parameters):
            found.append(parameters[argument.position])
        else:
            found.append(None)
    return found


@dataclass(frozen=True, slots=True)
class Analysed:
    """A unit and the places of its nodes."""

    unit: Unit
    placement: Placement


def has_device_parameter(analysed: Analysed) -> bool:
    groups = analysed.unit.parameters.nodes.values()
    return any(analysed.placement.of(group) is Place.DEVICE for group in groups)


_PLAIN_CALLS = frozenset(
    {f"builtins.{name}" for name in ("range", "len", "enumerate", "zip", "list", "tuple")}
)

_PLAIN_ATTRIBUTES = frozenset({"shape", "ndim", "size", "T", "append"})


def _only_views(unit: Unit, node: FunctionNode) -> bool:
    """Whether a function does nothing with its arrays but take parts of them."""
    groups = list(unit.parameters.nodes.values())
    if not groups or unit.work.operations or not unit.returned.parameters or node.decorator_list:
        return False
    if unit.parameters.escaped or unit.parameters.unknown or not _of_arrays(unit.returned.value):
        return False
    if any(isinstance(part, ast.AugAssign) for part in walk(node)):
        return False
    if any(g.root().pinned or g.root().mutated or g.holds_numbers() for g in groups):
        return False
    known, back = {id(g.root()) for g in groups}, unit.return_node.root()
    if any(
        id(use.producer.root()) in known and use.consumer.root() is not back
        for use in unit.graph.uses.values()
    ):
        return False
    return all(_is_plain(unit, part) for statement in node.body for part in walk(statement))


def works_as_it_is(unit: Unit, node: FunctionNode) -> bool:
    """Whether the text of a function does with arrays of the device what it does with NumPy's.

    Its operations are operators, stores and parts of its arguments; nothing of NumPy is called,
    nothing is asked that needs the elements, and no array of the host takes part.
    """
    work, taken = unit.work, unit.parameters
    if any((taken.escaped, taken.unknown, work.rewrites, work.replacements, work.syncs,
            work.host_calls, unit.notes, taken.lent, node.decorator_list)):  # fmt: skip
        return False
    groups = list(taken.nodes.values())
    if not groups or any(g.root().pinned is not None or g.holds_numbers() for g in groups):
        return False
    if not all(map(_of_arrays, taken.initial.values())) or not _gives_arrays(unit.returned.value):
        return False
    operations = work.operations.values()
    if any(o.path is not None or o.function is not None or o.creates for o in operations):
        return False
    back = unit.return_node.root()
    for use in unit.graph.uses.values():
        ends = use.producer.root(), use.consumer.root()
        if any(end.pinned is not None and end is not back for end in ends):
            return False
    return all(_is_plain(unit, part) for statement in node.body for part in walk(statement))


def _gives_arrays(value: Value | None) -> bool:
    """Whether a result is of arrays, or of nothing that the device has a part in."""
    if isinstance(value, Tuple):
        return all(map(_gives_arrays, value.items))
    return value is None or _of_arrays(value) or isinstance(value, Scalar)


def _of_arrays(value: Value | None) -> bool:
    if isinstance(value, Sequence):
        return _of_arrays(value.of)
    if isinstance(value, Tuple):
        return bool(value.items) and all(map(_of_arrays, value.items))
    return isinstance(value, Array) and not value.optional


def _is_plain(unit: Unit, node: ast.AST) -> bool:
    """Whether a piece of syntax is the same for arrays of the device."""
    if isinstance(node, ast.Call):
        appends = isinstance(node.func, ast.Attribute) and node.func.attr == "append"
        return appends or unit.scope.resolve(node.func) in _PLAIN_CALLS
    if isinstance(node, ast.Attribute):
        return node.attr in _PLAIN_ATTRIBUTES
    return not isinstance(node, _OTHER_SYNTAX)


_OTHER_SYNTAX = (
    ast.Yield, ast.YieldFrom, ast.Await, ast.Lambda, ast.Global, ast.Nonlocal, ast.Try, ast.With,
    ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Delete, ast.Compare, ast.If,
    ast.IfExp, ast.While, ast.BoolOp, ast.JoinedStr, ast.GeneratorExp,
)  # fmt: skip


def summarise(
    analysed: Analysed, node: FunctionNode, *, suppressed: bool, boundary: str = "match"
) -> Summary:
    """What callers need to know of an analysed function."""
    unit, placement = analysed.unit, analysed.placement
    names = parameter_names(node)
    looked_into = unit.refusal is None or unit.refusal is unit.returned.views
    if suppressed or not looked_into:
        return Summary.opaque(names)
    ported = has_device_parameter(analysed)
    mutated = {p for p, g in unit.parameters.nodes.items() if g.is_written}
    pinned = {
        p for p, g in unit.parameters.nodes.items()
        if (pinned_by := g.root().pinned) and keeps(pinned_by)
    }  # fmt: skip
    work = sum(
        n.host_cost for n in unit.graph.nodes if n.parent is None
        and placement.of(n) is Place.DEVICE
    )  # fmt: skip
    given = unit.returned.value
    result = lasting(given if given is not None else Scalar("None"), reasons=True)
    on_device = {p for p, g in unit.parameters.nodes.items() if placement.of(g) is Place.DEVICE}
    return Summary(
        ported=ported,
        work=work,
        parameters=names,
        mutated=frozenset(mutated),
        escaped=frozenset(unit.parameters.escaped | pinned | unit.parameters.unknown),
        returned=frozenset(unit.returned.parameters),
        result=result,
        arrays=frozenset(on_device),
        as_it_is=not ported and _only_views(unit, node),
        lent=frozenset(unit.parameters.lent - unit.parameters.escaped),
        boundary=boundary,
        parts=frozenset(unit.returned.parts),
        kept=unit.returned.kept(unit.host),
        ordered=frozenset(unit.parameters.ordered),
        cases=cases_of_result(unit),
    )
