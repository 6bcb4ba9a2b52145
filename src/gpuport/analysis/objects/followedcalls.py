"""Calls among the functions that handle instances of the module's classes."""

from __future__ import annotations

import ast
from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING

from gpuport.analysis.calls.arguments import Argument, arguments
from gpuport.analysis.calls.libraryvalues import calls_of_library
from gpuport.analysis.calls.matching import Parameters, matched
from gpuport.analysis.calls.partials import partials_among
from gpuport.analysis.expressions.evaluation import evaluate, kept
from gpuport.analysis.functions.exchanged import holds_arrays, makes_array
from gpuport.analysis.functions.functionvalues import is_bound, made_by
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.objects.claims import literal
from gpuport.analysis.objects.classfacts import Field
from gpuport.analysis.objects.families import Family
from gpuport.analysis.objects.membercalls import (
    Callee,
    call_any,
    call_member,
    methods_of,
    unite_with_call,
)
from gpuport.analysis.objects.supercalls import is_super
from gpuport.analysis.objects.texts import with_others
from gpuport.analysis.values.contents import objects_in
from gpuport.analysis.values.lattice import UNKNOWN, Object, Scalar, on_device_possible
from gpuport.source.names import FunctionNode
from gpuport.source.syntax import has_star

if TYPE_CHECKING:
    from gpuport.analysis.calls.arguments import Argument
    from gpuport.analysis.objects.instances import Objects


def construct(
    objects: Objects, unit: Unit, node: ast.Call, made: tuple[str, bool], args: list[Argument]
) -> Flow:
    """``Class(...)``; ``cls(...)`` makes an instance of a class or of one made of it."""
    objects.seen.update((id(node), id(node.func)))  # that of `default_factory=Class` stands alone
    name, exact = made
    family = objects.classes[name]
    owners = [name] if exact else list(family.descendants(name))
    for owner in owners:
        maker = family.maker(owner)
        if isinstance(maker, tuple):
            _fill(objects, unit, node, family, maker, args)
            after = family.exactly(owner, "__post_init__")
            if after is not None:
                call_member(objects, unit, node, Callee(after, 1), [])
        elif maker is not None:
            call_member(objects, unit, node, Callee(maker, 1), args)
    return Flow(Object(family.name, kinds=frozenset(owners)))


def _fill(
    objects: Objects, unit: Unit, node: ast.Call, family: Family, fields: tuple[Field, ...],
    args: list[Argument],
) -> None:  # fmt: skip
    """The ``__init__`` of a dataclass."""
    given = Parameters(tuple(field.name for field in fields if field.given))
    found = matched(unit, given, args)
    if found is None:
        objects.open(family.name, node, "what it is made with cannot be told")
        return
    for name, each in found.single:  # of `*values` each field may hold any
        whole = replace(each.flow, fresh=False)
        flow = whole if each.whole else kept(unit, each.expression, each.flow)
        objects.store(unit, node, family.name, name, each.expression, flow)
    for one in fields:
        if one.default is not None and not family.binds(one):
            flow = _default(objects, unit, node, family, one.default)
            objects.store(unit, node, family.name, one.name, one.default, flow)


def _default(
    objects: Objects, unit: Unit, node: ast.Call, family: Family, default: ast.expr
) -> Flow:
    """What a field holds for which nothing is given; its text is that of the class."""
    if not isinstance(default, ast.Call):
        return Flow(literal(default) or UNKNOWN)
    if objects.program.home(family.scope) is unit.project:
        return evaluate(unit, default)
    name = default.func.id if isinstance(default.func, ast.Name) else ""
    if name in objects.classes and not (default.args or default.keywords):
        return construct(objects, unit, default, (name, True), [])
    if name in ("list", "dict"):
        return evaluate(unit, default)
    objects.open(family.name, node, "a field of it is made by code of another file")
    return Flow(UNKNOWN)


def followed_call(unit: Unit, node: ast.Call) -> Flow | None:
    """A call among the functions that handle instances of the module's classes; None for others."""
    objects, function = unit.objects, node.func
    assert objects is not None
    made = objects.class_named(unit, function)
    if made is not None:
        return construct(objects, unit, node, made, arguments(unit, node))
    local = isinstance(function, ast.Name) and function.id in unit.env
    definition = None if local else _defined(unit, function)
    if definition is not None:
        return _call_of_definition(unit, node, definition)
    if isinstance(function, ast.Attribute):
        return _call_of_attribute(unit, node, function)
    if isinstance(function, (ast.Name, ast.Subscript, ast.Call, ast.Lambda, ast.IfExp)):
        return _call_of_value(unit, node)
    return None


def _defined(unit: Unit, function: ast.expr) -> FunctionNode | None:
    """The function of the program that a name stands for."""
    assert unit.objects is not None
    found = unit.objects.program.defined(unit.scope, function)
    node = found.node if found is not None else None
    return node if isinstance(node, FunctionNode) else None


def _call_of_definition(unit: Unit, node: ast.Call, function: FunctionNode) -> Flow | None:
    objects = unit.objects
    assert objects is not None
    args = arguments(unit, node)
    if id(function) not in objects.members:
        for_containers = not _matters(function, args)
        holds = any(holds_arrays(one.flow.value) for one in args)
        plain = for_containers and not holds
        if plain and not _joins_arrays(objects, function, args):
            return None
        if not objects.joins(function, for_containers=for_containers):
            return None
        objects.following.joined |= plain
    return call_member(objects, unit, node, Callee(function), args)


def _joins_arrays(objects: Objects, function: FunctionNode, args: list[Argument]) -> bool:
    """Whether functions that are given arrays, or make some, join those that call them."""
    if not objects.following.joins_arrays:
        return False
    given = any(on_device_possible(argument.flow.value) for argument in args)
    program = objects.program
    home = program.home(program.scope_of(function))
    return given or program.placements.ask(makes_array, home, function)


def _matters(function: FunctionNode, args: list[Argument]) -> bool:
    """Whether a function is given instances, or gathers arrays into a container of its own."""
    if any(objects_in(one.flow.value) for one in args):
        return True
    gathers = function.args.vararg is not None or function.args.kwarg is not None
    return gathers and any(one.flow.origin is not None for one in args)


def _call_of_attribute(unit: Unit, node: ast.Call, function: ast.Attribute) -> Flow | None:
    """A call of a method, by an instance, its class or ``super()``."""
    objects = unit.objects
    assert objects is not None
    found = objects.without_instance(unit, function)
    if found is not None:
        return call_member(objects, unit, node, found, arguments(unit, node))
    if objects.class_named(unit, function.value) is not None:
        return objects.call_of_class(unit, node, function, arguments(unit, node))
    if is_super(function.value):
        above = objects.above(unit, function)
        if above is not None:
            return call_member(objects, unit, node, Callee(above, 1), arguments(unit, node))
        if function.attr == "__init__" and not (node.args or node.keywords):
            return Flow(Scalar("None"))  # that of `object`
    held = evaluate(unit, function.value).value
    if isinstance(held, Object):
        return _call_of_method(unit, node, function, held)
    return _call_of_value(unit, node) if unit.scope.resolve(function) is not None else None


def _call_of_method(
    unit: Unit, node: ast.Call, function: ast.Attribute, held: Object
) -> Flow | None:
    """``instance.name(...)``: a method, or what an attribute holds."""
    objects = unit.objects
    assert objects is not None
    family = objects.classes[held.name]
    found = family.any_without_instance(function.attr)
    if found is not None:
        unit.follow(function.value)
        return call_member(
            objects, unit, node, Callee(found[0], int(found[1])), arguments(unit, node)
        )
    if family.items and function.attr == "_replace" and not (node.args or has_star(node)):
        unit.follow(function.value)
        return with_others(unit, node, held, arguments(unit, node))
    methods = family.methods(function.attr, held.kinds)
    if methods and not family.is_property(function.attr):
        unit.follow(function.value)
        return call_any(objects, unit, node, methods_of(methods), arguments(unit, node))
    return _call_of_value(unit, node)


def _call_of_value(unit: Unit, node: ast.Call) -> Flow | None:
    """A call of a value: of an instance with ``__call__``, of a function that is handed on."""
    objects = unit.objects
    assert objects is not None
    held = evaluate(unit, node.func).value
    if not isinstance(held, Object):
        return None
    unit.follow(node.func)
    family = objects.classes[held.name]
    callees = called(family, held)
    args = arguments(unit, node)
    made = made_by(family, held)
    flows = [construct(objects, unit, node, (name, True), args) for name in made]
    flows += calls_of_library(objects, unit, node, held, args)
    if callees:
        at_once = bool(flows)
        flows.append(call_any(objects, unit, node, callees, args))
        if at_once:
            unite_with_call(objects, unit, node, [one.function for one in callees])
    if not flows:
        objects.open(held.name, node, f"`{unit.module.segment(node.func)}` is called")
        return None
    return reduce(unit.join_flows, flows)


def called(family: Family, held: Object) -> list[Callee]:
    """The functions that a call of a value may run."""
    partials = partials_among(family, held.kinds)
    others = (held.kinds or family.classes.keys()) - partials.keys()
    methods = family.methods("__call__", others) if others else []
    plain = [Callee(one, int(is_bound(family, one))) for one in methods]
    return [*plain, *partials.values()]


__all__ = ["called", "followed_call"]
