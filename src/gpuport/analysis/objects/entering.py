"""What members are entered with: what callers were seen to give for their parameters."""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import TYPE_CHECKING

from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.objects.claims import default_of, joined, pin_undecided
from gpuport.analysis.objects.settings import annotated_as
from gpuport.analysis.values.lattice import (
    UNKNOWN,
    Number,
    Object,
    Scalar,
    Unknown,
    is_container,
    join_paths,
    on_device_possible,
)
from gpuport.analysis.values.nesting import fill, held_by
from gpuport.loops.context.subscripted import integer_names
from gpuport.source.annotations import annotated_in
from gpuport.source.innernames import captured, is_inner
from gpuport.source.names import FunctionNode
from gpuport.source.parameters import defaults_of, names_of

if TYPE_CHECKING:
    from gpuport.analysis.objects.instances import Objects


def enter(objects: Objects, unit: Unit, node: FunctionNode) -> None:
    """Bind the parameters of a member, and what it reads of the function around it."""
    names, first = names_of(node), 0
    owner = unit.scope.parent.name if unit.scope.parent is not None else ""
    family = objects.classes.get(owner)
    if family is not None and family.takes_instance(node):
        unit.env[names[0]] = Flow(Object(family.name, kinds=frozenset(family.descendants(owner))))
        first = 1
    elif family is not None and family.takes_class(node):
        unit.env[names[0]] = Flow(Scalar("type"))
        first = 1
    defaults = defaults_of(node)
    for name in names[first:]:
        _enter_parameter(objects, unit, node, name, defaults.get(name))
    for extra in (node.args.vararg, node.args.kwarg):
        if extra is not None:
            _enter_parameter(objects, unit, node, extra.arg, None)
    for name in captured(unit.scope) if is_inner(unit.scope) else ():
        _enter_parameter(objects, unit, node, name, None)


@lru_cache(maxsize=64)
def _indices(node: FunctionNode) -> frozenset[str]:
    """The names that a function takes elements of arrays by, ``x[i + 1]``, or counts to."""
    return frozenset(integer_names(node))


def _enter_parameter(
    objects: Objects, unit: Unit, node: FunctionNode, name: str, default: ast.expr | None
) -> None:
    key = id(node), name
    value = joined(objects.before.parameters.get(key), objects.now.parameters.get(key))
    placed = key in objects.before.placed or key in objects.now.placed
    if key not in objects.nodes and not placed:
        value = annotated_as(unit.project, name, annotated_in(node, name), value)
    if default is not None:
        usual = default_of(unit, default) or UNKNOWN
        given = is_inner(unit.scope) or id(unit.project.root.code) in objects.members
        if not (isinstance(usual, Unknown) and given):  # its definition gives it
            value = usual if value is None else join_paths(value, usual)
    if value is None and key not in objects.nodes and name in _indices(node):
        unit.env[name] = Flow(Scalar("int"))  # of a call that nobody makes
        return
    if value is None or isinstance(value, Unknown):
        unit.env[name] = Flow(Unknown(f"`{name}`", None if value is None else value.number))
        if key in objects.nodes:
            pin_undecided(objects.common, objects.nodes[key], UNKNOWN, name, node)
        return
    if not on_device_possible(value) or not (placed or not isinstance(value, Number)):
        unit.env[name] = Flow(value)
        return
    held = objects.node(id(node), name, name)
    if is_container(value):
        fill(objects.common, held, held_by(value))
    for place in held.places():
        place.parameters.add(name)
    pin_undecided(objects.common, held, value, name, node)
    unit.env[name] = Flow(value, held)


__all__ = ["enter"]
