"""One function of a module, or the code at its top: read and placed.

A function gets a boundary where a parameter of it may hold arrays that go to the device. It is read
again without one where none does: nothing checks its arguments then, so less is relied on.
"""

from __future__ import annotations

import ast
import contextlib
from typing import TYPE_CHECKING

from gpuport.analysis.calls.calledback import only_called_back
from gpuport.analysis.differences.errorstates import check_top
from gpuport.analysis.expressions import kinds  # noqa: F401  (how each is read)
from gpuport.analysis.functions.drivers import is_driver, only_arithmetic
from gpuport.analysis.functions.evidence import ASSUMED, parameter_values
from gpuport.analysis.functions.interest import reason_of, why_not
from gpuport.analysis.functions.summaries import Analysed, has_device_parameter
from gpuport.analysis.interpretation.entering import enter, enter_as_called
from gpuport.analysis.interpretation.flows import Refused
from gpuport.analysis.interpretation.modulelevel import keep_shared, pin_shared
from gpuport.analysis.interpretation.settling import finish
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.placement.bounces import without_bounces
from gpuport.analysis.placement.copies import share
from gpuport.analysis.placement.cut import Placement, Unplaceable, place
from gpuport.analysis.placement.graph import Place, Reason
from gpuport.analysis.statements import statements
from gpuport.analysis.values.lattice import (
    UNKNOWN,
    Tuple,
    Value,
    is_container,
    is_number,
    on_device_possible,
)
from gpuport.source.moduleassignments import assignments_in_order
from gpuport.source.names import Scope

if TYPE_CHECKING:
    from gpuport.analysis.project.callgraph import Project

_NOWHERE = Placement(frozenset())


def analyse_function(project: Project, scope: Scope) -> Analysed:
    """Read a function and place its values."""
    reason = why_not(project, scope)
    if reason is not None:
        unit = project.unit(scope, decorated=True)
        unit.refusal = reason
        return Analysed(unit, _NOWHERE)
    if not _may_take_arrays(project, scope):
        return _interpret(project.unit(scope))
    analysed = _interpret(project.unit(scope, decorated=True))
    if only_arithmetic(analysed):
        # Nothing says that its numbers are arrays: it is left as it is.
        analysed.unit.work.operations.clear()
        return Analysed(analysed.unit, _NOWHERE)
    if analysed.unit.refusal is None and not has_device_parameter(analysed):
        return _without_arrays(analysed)
    assert isinstance(scope.node, (ast.FunctionDef, ast.AsyncFunctionDef))
    why = only_called_back(project, scope.node)
    if why is not None and analysed.unit.refusal is None:
        analysed.unit.note(why.code, why.message, why.node)
        return Analysed(analysed.unit, _NOWHERE)
    return analysed


def analyse_top(project: Project) -> Analysed:
    """Read the code at the top of a module and place its values."""
    unit = project.unit(project.root)
    failure = project.failure(project.root)
    if failure is not None:
        unit.refusal = reason_of(failure, project.module.tree)
        return Analysed(unit, _NOWHERE)
    keep_shared(unit)
    try:
        check_top(unit)
        statements.run(unit, project.module.tree.body)
        finish(unit)
        pin_shared(unit)
        return _placed(unit)
    except Refused as refused:
        unit.refusal = refused.reason
    except Unplaceable:
        if project.gives_up_following(unit):
            return analyse_top(project)
        unit.refusal = _contradiction(unit)
    return Analysed(unit, _NOWHERE)


def read_as_called(unit: Unit, found: dict[int, dict[str, Value]]) -> None:
    """Read a function with its parameters as the calls of it are seen to pass them.

    Parameters
    ----------
    unit : Unit
    found : dict
        By the id of a loop: what is known of names where it begins; filled. Call sites are likely,
        not certain: what is built on them is guarded at run time.
    """
    assert isinstance(unit.node, (ast.FunctionDef, ast.AsyncFunctionDef))
    again = unit.project.unit(unit.scope, decorated=unit.decorated)
    again.trace, again.trial = None, found
    enter_as_called(again)
    with contextlib.suppress(Refused):
        statements.run(again, unit.node.body)


def values_of_names(project: Project) -> dict[str, Value]:
    """What the names are that a module binds once, by an assignment at its top."""
    root = project.root
    unit = Unit(project, project.module, root, "<module>", project.module.tree, decorated=False)
    try:
        statements.run(unit, assignments_in_order(project.module.tree, root.bound))
    except Refused:
        return {}
    changed = project.changed.names
    return {
        name: flow.value if name not in changed or _is_fixed(flow.value) else UNKNOWN
        for name, flow in unit.env.items()
        if root.bound.get(name) == 1 and name not in root.imports
    }


def _is_fixed(value: Value) -> bool:
    """Whether nothing can be put into a value: it is no container, or a tuple of numbers."""
    if isinstance(value, Tuple):
        return all(is_number(i) or (isinstance(i, Tuple) and _is_fixed(i)) for i in value.items)
    return not is_container(value)


def _may_take_arrays(project: Project, scope: Scope) -> bool:
    """Whether a parameter may hold an array, or nothing is known of it but arithmetic."""
    node = scope.node
    assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    values = parameter_values(scope, node, project.calls.of(node), project.uses.of(scope, node))
    return any(on_device_possible(v) or v == ASSUMED for v in values.values())


def _without_arrays(analysed: Analysed) -> Analysed:
    """A function of whose parameters none goes to the device."""
    unit = analysed.unit
    driver = is_driver(analysed) and not unit.parameters.initial
    if not driver and not analysed.placement.device:
        return analysed  # without a boundary there is more that stays on the host, not less
    return _interpret(unit.project.unit(unit.scope), numbers=driver)


def _interpret(unit: Unit, *, numbers: bool = True) -> Analysed:
    assert isinstance(unit.node, (ast.FunctionDef, ast.AsyncFunctionDef))
    enter(unit, unit.node, numbers=numbers)
    try:
        statements.run(unit, unit.node.body)
        finish(unit)
        analysed = _placed(unit)
    except Refused as refused:
        unit.refusal = refused.reason
        return Analysed(unit, _NOWHERE)
    except Unplaceable:
        project = unit.project
        if project.gives_up_following(unit):
            again = project.unit(unit.scope, decorated=unit.decorated)
            return _interpret(again, numbers=numbers)
        unit.refusal = _contradiction(unit)
        return Analysed(unit, _NOWHERE)
    if unit.decorated and unit.returned.views is not None and _returns_from_device(analysed):
        unit.refusal = unit.returned.views
        return Analysed(unit, _NOWHERE)
    return analysed


def _placed(unit: Unit) -> Analysed:
    share(unit)
    return Analysed(unit, without_bounces([unit], unit.graph, place(unit.graph)))


def _returns_from_device(analysed: Analysed) -> bool:
    """Whether what a function returns shares memory with an argument that goes to the device."""
    unit, placement = analysed.unit, analysed.placement
    groups = unit.parameters.nodes
    given = (groups[p] for p in unit.returned.parameters if p in groups)
    return any(placement.of(group) is Place.DEVICE for group in given)


def _contradiction(unit: Unit) -> Reason:
    pinned = [n.pinned for n in unit.graph.nodes if n.pinned is not None and n.pinned.slug]
    if pinned:
        return pinned[0]
    return Reason(
        "GP901",
        "unknown type: a container of arrays is needed on the device and on the host",
        unit.node,
        "unknown-type",
    )


__all__ = ["analyse_function", "analyse_top", "read_as_called", "values_of_names"]
