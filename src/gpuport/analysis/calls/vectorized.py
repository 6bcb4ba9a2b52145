"""Functions of numbers that ``np.vectorize`` lets take arrays.

``f = np.vectorize(rate)``, ``@np.vectorize`` above a function, and ``np.vectorize(rate)(x)``: the
call runs the function for one element after the other, each a Python number, and makes one array of
what it gives, where that is one number.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from gpuport.analysis.calls.arguments import Argument, arguments
from gpuport.analysis.calls.callers import by_parameter
from gpuport.analysis.calls.hostcalls import host_call
from gpuport.analysis.functions.ofnumbers import gives_one_number
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.placement.graph import Reason
from gpuport.analysis.values.lattice import Array, Either, Scalar, Unknown
from gpuport.source.names import Scope
from gpuport.source.syntax import walk

if TYPE_CHECKING:
    from gpuport.analysis.interpretation.unit import Unit
    from gpuport.rules.model import HostRule

Over = Literal["elements", "rows", "columns"]
_TOLD = frozenset({"otypes", "doc", "cache"})
"""Parameters that change nothing of what the function is given, nor of how many arrays come."""


@dataclass(frozen=True, slots=True, eq=False)
class Callback:
    """A function that a library is given to call.

    Attributes
    ----------
    function : ast.expr or ast.FunctionDef
        What is called, as it is written; the definition under the decorator.
    scope : Scope
        Where it is written.
    """

    function: ast.expr | ast.FunctionDef
    scope: Scope

    @property
    def definition(self) -> ast.FunctionDef | ast.Lambda | None:
        """Its text; None for a function of a library."""
        function = self.function
        if isinstance(function, (ast.FunctionDef, ast.Lambda)):
            return function
        owner = self.scope.owner(function.id) if isinstance(function, ast.Name) else None
        if owner is None or not isinstance(function, ast.Name) or owner.bound.get(function.id) != 1:
            return None
        node = owner.functions.get(function.id)
        return node if isinstance(node, ast.FunctionDef) and not node.decorator_list else None

    def gives_one_number(self, unit: Unit) -> bool:
        """Whether it gives one number where it is given numbers."""
        return gives_one_number(unit, self.scope, self.definition, self.function)


@dataclass(frozen=True, slots=True, eq=False)
class Vectorized:
    """What ``np.vectorize`` makes.

    Attributes
    ----------
    callback : Callback
        What is called for each element.
    otypes : ast.expr or None
        The types that it is asked for.
    path : str
        What the rules know a call of it as.
    """

    callback: Callback
    otypes: ast.expr | None
    path: str


@dataclass(frozen=True, slots=True, eq=False)
class DisguisedLoop:
    """A call that is a loop in disguise, over elements or the rows or columns of a matrix.

    Attributes
    ----------
    over : Over
    callback : Callback
        What is called for each.
    given : tuple of Argument
        What the call is given; the matrix alone, for rows and columns.
    otypes : ast.expr or None
        The types that it is asked for.
    """

    over: Over
    callback: Callback
    given: tuple[Argument, ...]
    otypes: ast.expr | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Unsettled:
    """What is not known of what a call is given, and keeps it from being a loop.

    Attributes
    ----------
    said : str
    unknown : ast.expr or None
        The argument of which it is not known whether it is an array.
    """

    said: str
    unknown: ast.expr | None = None


def along_axis(
    unit: Unit, node: ast.Call, rule: HostRule, args: list[Argument]
) -> Unsettled | None:
    """Note a call of a function for each vector, where a loop over a matrix does the same."""
    given = by_parameter(node, rule, args)
    if unit.beside_kernel or given is None or given.keys() != set(rule.parameters):
        return None
    function, axis, array = (given[name] for name in rule.parameters)
    value, along = array.flow.value, axis.flow.value
    if isinstance(value, Array) and value.rank is None:
        return Unsettled(f"it is not known how many axes {_text(unit, array)} has")
    place = along.constant if isinstance(along, Scalar) else None
    if not isinstance(value, Array) or value.rank != 2 or value.optional or type(place) is not int:
        return _unsettled(unit, [array])
    callback = Callback(function.expression, unit.scope)
    if place in (-2, -1, 0, 1) and callback.definition is not None:
        over: Over = "rows" if place in (-1, 1) else "columns"
        unit.work.disguised_loops[id(node)] = DisguisedLoop(over, callback, (array,))
    return None


def _unsettled(unit: Unit, given: Iterable[Argument]) -> Unsettled | None:
    """The first argument of which it is not known whether it is an array."""
    for one in given:
        if isinstance(one.flow.value, (Unknown, Either)):
            said = f"it is not known whether {_text(unit, one)} is an array or a number"
            return Unsettled(said, one.expression)
    return None


def _text(unit: Unit, argument: Argument) -> str:
    value, text = argument.flow.value, unit.module.segment(argument.expression)
    why = value.why if isinstance(value, Unknown) else ""
    return why or f"`{text.splitlines()[0][:60]}`"


def element_call(unit: Unit, node: ast.Call) -> Flow | None:
    """The call of a function that ``np.vectorize`` made; None for others.

    Those that may give several arrays are left to what is said of unknown calls.
    """
    found = vectorized(unit, node.func)
    if found is None or not found.callback.gives_one_number(unit):
        return None
    given = arguments(unit, node)
    if not unit.beside_kernel:
        loop = DisguisedLoop("elements", found.callback, tuple(given), found.otypes)
        unit.work.disguised_loops[id(node)] = loop
        _tell(unit, node, found, _unsettled(unit, given))
    return host_call(unit, node, found.path, given)


def followed(unit: Unit, node: ast.Call) -> bool:
    """Whether ``np.vectorize`` makes something there of which each call is looked into."""
    found = _made(unit, unit.scope, node)
    return found is not None and found.callback.gives_one_number(unit)


def _tell(unit: Unit, node: ast.Call, found: Vectorized, unsettled: Unsettled | None) -> None:
    """A call for each element is a loop in disguise."""
    function, rule = found.callback.function, unit.knowledge.rules.host(found.path)
    name = function.name if isinstance(function, ast.FunctionDef) else ast.unparse(function)
    called = unit.module.segment(node.func).splitlines()[0][:60]
    message = (
        f"`{called}` stays on the host: it calls the Python function `{name}` for each element"
    )
    unknown = None
    if unsettled is not None:
        message, unknown = f"{message}, and {unsettled.said}", unsettled.unknown
    unit.work.host_calls[id(node)] = Reason("GP203", message, node, "unknown-call")
    told_by = rule.id if rule is not None else None
    unit.note("GP203", message, node, rule=told_by, unknown=unknown)


def stands_beside_kernel(unit: Unit, node: ast.If) -> bool:
    """Whether the other branch is such a call, and the first one a kernel that does the same.

    So the loop stands that `gpuport.passes.disguisedloops` writes: its arrays, an empty list, the
    loop that fills it, and an array of it.
    """
    other = node.orelse[0] if len(node.orelse) == 1 else None
    calls = [part for part in walk(other) if isinstance(part, ast.Call)] if other else []
    if not any(_is_in_disguise(unit, one) for one in calls):
        return False
    loop = node.body[-2] if len(node.body) > 2 else node
    return id(loop) in unit.forms.launches and unit.module.is_inserted(node)


def _is_in_disguise(unit: Unit, call: ast.Call) -> bool:
    """Whether a call is a loop over elements or vectors."""
    rule = unit.knowledge.rules.host(unit.scope.resolve(call.func) or "")
    by_vectors = rule is not None and rule.by_vectors
    return by_vectors or vectorized(unit, call.func) is not None


def vectorized(unit: Unit, function: ast.expr) -> Vectorized | None:
    """What ``np.vectorize`` made, by the expression that is called; None for other functions."""
    if isinstance(function, ast.Call):
        return _made(unit, unit.scope, function)
    owner = unit.scope.owner(function.id) if isinstance(function, ast.Name) else None
    if owner is None or not isinstance(function, ast.Name) or owner.bound.get(function.id) != 1:
        return None
    definition, given = owner.functions.get(function.id), owner.choices.get(function.id)
    if isinstance(definition, ast.FunctionDef):
        return _decorated(unit, owner, definition)
    return _made(unit, owner, given) if isinstance(given, ast.Call) else None


def _made(unit: Unit, scope: Scope, node: ast.Call) -> Vectorized | None:
    path = _called_as(unit, scope, node.func)
    given = {one.arg: one.value for one in node.keywords}
    if path is None or len(node.args) != 1 or isinstance(node.args[0], ast.Starred):
        return None
    if not given.keys() <= _TOLD:
        return None
    return Vectorized(Callback(node.args[0], scope), given.get("otypes"), path)


def _decorated(unit: Unit, scope: Scope, node: ast.FunctionDef) -> Vectorized | None:
    """``@np.vectorize`` and ``@np.vectorize(otypes=[float])``."""
    if len(node.decorator_list) != 1:
        return None
    (above,) = node.decorator_list
    given: dict[str | None, ast.expr] = {}
    if isinstance(above, ast.Call):
        given = {one.arg: one.value for one in above.keywords}
        if above.args or not given.keys() <= _TOLD:
            return None
        above = above.func
    path = _called_as(unit, scope, above)
    return None if path is None else Vectorized(Callback(node, scope), given.get("otypes"), path)


def _called_as(unit: Unit, scope: Scope, maker: ast.expr) -> str | None:
    """What a call of what ``maker`` makes is to the rules, if it goes by elements."""
    made = scope.resolve(maker)
    path = f"{made}.__call__"
    rule = unit.knowledge.rules.host(path) if made is not None else None
    return path if rule is not None and rule.by_elements else None


__all__ = [
    "Callback", "DisguisedLoop", "Unsettled", "Vectorized", "along_axis", "element_call",
    "followed", "stands_beside_kernel", "vectorized",
]  # fmt: skip
