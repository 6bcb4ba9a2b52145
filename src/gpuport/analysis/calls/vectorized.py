"""Functions of numbers that ``np.vectorize`` lets take arrays.

``f = np.vectorize(rate)``, ``@np.vectorize`` above a function, and ``np.vectorize(rate)(x)``: the
call runs the function for one element after the other, each a Python number, and makes one array of
what it gives, where that is one number.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gpuport.analysis.calls.arguments import Argument, arguments
from gpuport.analysis.calls.callers import by_parameter
from gpuport.analysis.calls.hostcalls import host_call
from gpuport.analysis.functions.ofnumbers import gives_one_number
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.placement.graph import Reason
from gpuport.analysis.values.lattice import Array, Scalar
from gpuport.source.names import Scope
from gpuport.source.syntax import walk

if TYPE_CHECKING:
    from gpuport.analysis.interpretation.unit import Unit
    from gpuport.rules.model import HostRule

VECTORIZE = "numpy.vectorize"
CALLED = f"{VECTORIZE}.__call__"
BY_ELEMENT = "host-numpy-vectorized"
BY_VECTOR = "host-numpy-along-axes"
"""The rules of calls that are loops in disguise."""
_TOLD = frozenset({"otypes", "doc", "cache"})
"""Parameters that change nothing of what the function is given, nor of how many arrays come."""


@dataclass(frozen=True, slots=True, eq=False)
class Vectorized:
    """What ``np.vectorize`` makes.

    Attributes
    ----------
    function : ast.expr or ast.FunctionDef
        What is called for each element, as it is written; the definition under the decorator.
    otypes : ast.expr or None
        The types that it is asked for.
    scope : Scope
        Where the function is written.
    """

    function: ast.expr | ast.FunctionDef
    otypes: ast.expr | None
    scope: Scope


@dataclass(frozen=True, slots=True, eq=False)
class ElementCall:
    """A call of such a function, with what it is given."""

    called: Vectorized
    given: tuple[Argument, ...]


@dataclass(frozen=True, slots=True, eq=False)
class VectorCall:
    """A call of ``np.apply_along_axis`` for the rows or columns of a matrix.

    Attributes
    ----------
    called : Vectorized
        What is called for each.
    array : Argument
    rows : bool
        Whether it is called for rows.
    """

    called: Vectorized
    array: Argument
    rows: bool


def along_axis(unit: Unit, node: ast.Call, rule: HostRule, args: list[Argument]) -> None:
    """Note a call of a function for each vector, where a loop over a matrix does the same."""
    given = by_parameter(node, rule, args)
    if unit.beside_kernel or given is None or given.keys() != set(rule.parameters):
        return
    function, axis, array = (given[name] for name in rule.parameters)
    value, along = array.flow.value, axis.flow.value
    place = along.constant if isinstance(along, Scalar) else None
    if not isinstance(value, Array) or value.rank != 2 or value.optional or type(place) is not int:
        return
    found = Vectorized(function.expression, None, unit.scope)
    if place in (-2, -1, 0, 1) and defined(found) is not None:
        unit.work.vector_calls[id(node)] = VectorCall(found, array, place in (-1, 1))


def element_call(unit: Unit, node: ast.Call) -> Flow | None:
    """The call of a function that ``np.vectorize`` made; None for others.

    Those that may give several arrays are left to what is said of unknown calls.
    """
    found = vectorized(unit.scope, node.func)
    if found is None or not _gives_one_number(unit, found):
        return None
    given = arguments(unit, node)
    if not unit.beside_kernel:
        unit.work.element_calls[id(node)] = ElementCall(found, tuple(given))
        _tell(unit, node, found)
    return host_call(unit, node, CALLED, given)


def followed(unit: Unit, node: ast.Call) -> bool:
    """Whether ``np.vectorize`` makes something there of which each call is looked into."""
    found = _made(unit.scope, node)
    return found is not None and _gives_one_number(unit, found)


def _gives_one_number(unit: Unit, found: Vectorized) -> bool:
    return gives_one_number(unit, found.scope, defined(found), found.function)


def _tell(unit: Unit, node: ast.Call, found: Vectorized) -> None:
    """A call for each element is a loop in disguise."""
    function = found.function
    name = function.name if isinstance(function, ast.FunctionDef) else ast.unparse(function)
    called = unit.module.segment(node.func).splitlines()[0][:60]
    message = (
        f"`{called}` stays on the host: it calls the Python function `{name}` for each element"
    )
    unit.work.host_calls[id(node)] = Reason("GP203", message, node, "unknown-call")
    unit.note("GP203", message, node, rule=BY_ELEMENT)


def stands_beside_kernel(unit: Unit, node: ast.If) -> bool:
    """Whether the other branch is such a call, and the first one a kernel that does the same.

    So the loop stands that `gpuport.passes.vectorizedcalls` writes: its arrays, an empty list, the
    loop that fills it, and an array of it.
    """
    from gpuport.analysis.loops.ported import launches_kernel

    other = node.orelse[0] if len(node.orelse) == 1 else None
    calls = [part for part in walk(other) if isinstance(part, ast.Call)] if other else []
    if not any(_is_in_disguise(unit, one) for one in calls):
        return False
    if launches_kernel(unit, node):
        return True
    loop = node.body[-2] if len(node.body) > 2 else node
    if id(loop) not in unit.forms.launches or not unit.module.is_inserted(node):
        return False
    unit.forms.other_branches[id(loop)] = node
    return True


def _is_in_disguise(unit: Unit, call: ast.Call) -> bool:
    """Whether a call is a loop over elements or vectors."""
    rule = unit.knowledge.rules.host(unit.scope.resolve(call.func) or "")
    by_vectors = rule is not None and rule.by_vectors
    return by_vectors or vectorized(unit.scope, call.func) is not None


def vectorized(scope: Scope, function: ast.expr) -> Vectorized | None:
    """What ``np.vectorize`` made, by the expression that is called; None for other functions."""
    if isinstance(function, ast.Call):
        return _made(scope, function)
    owner = scope.owner(function.id) if isinstance(function, ast.Name) else None
    if owner is None or not isinstance(function, ast.Name) or owner.bound.get(function.id) != 1:
        return None
    definition, given = owner.functions.get(function.id), owner.choices.get(function.id)
    if isinstance(definition, ast.FunctionDef):
        return _decorated(owner, definition)
    return None if given is None else _made(owner, given)


def _made(scope: Scope, node: ast.expr) -> Vectorized | None:
    if not isinstance(node, ast.Call) or scope.resolve(node.func) != VECTORIZE:
        return None
    given = {one.arg: one.value for one in node.keywords}
    if len(node.args) != 1 or isinstance(node.args[0], ast.Starred) or not given.keys() <= _TOLD:
        return None
    return Vectorized(node.args[0], given.get("otypes"), scope)


def _decorated(scope: Scope, node: ast.FunctionDef) -> Vectorized | None:
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
    return (
        Vectorized(node, given.get("otypes"), scope) if scope.resolve(above) == VECTORIZE else None
    )


def defined(found: Vectorized) -> ast.FunctionDef | ast.Lambda | None:
    """The text of a function that is called by element; None for one of a library."""
    function = found.function
    if isinstance(function, (ast.FunctionDef, ast.Lambda)):
        return function
    owner = found.scope.owner(function.id) if isinstance(function, ast.Name) else None
    if owner is None or not isinstance(function, ast.Name) or owner.bound.get(function.id) != 1:
        return None
    node = owner.functions.get(function.id)
    return node if isinstance(node, ast.FunctionDef) and not node.decorator_list else None


__all__ = [
    "BY_ELEMENT", "BY_VECTOR", "CALLED", "ElementCall", "VectorCall", "Vectorized", "along_axis",
    "defined", "element_call", "followed", "stands_beside_kernel", "vectorized",
]  # fmt: skip
