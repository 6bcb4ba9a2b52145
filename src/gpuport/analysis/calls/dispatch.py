"""Calls: of NumPy, of array and container methods, of the project, of the host, of the unknown."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from gpuport.analysis.calls.arguments import arguments
from gpuport.analysis.calls.hostcalls import host_call, unknown_call, unknown_reason
from gpuport.analysis.calls.numpycalls import method_call, numpy_call
from gpuport.analysis.calls.partials import partial_made
from gpuport.analysis.calls.projectcalls import outside_call, project_call
from gpuport.analysis.calls.vectorized import element_call
from gpuport.analysis.expressions.builtins import builtin_call, making, starmap
from gpuport.analysis.expressions.containermethods import container_method
from gpuport.analysis.expressions.evaluation import evaluate
from gpuport.analysis.functions.functionvalues import holds_arguments, is_function, made_by
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.objects.followedcalls import followed_call
from gpuport.analysis.objects.settings import makes_setting
from gpuport.analysis.objects.texts import ask_for_text, by_text, copied, replaced
from gpuport.analysis.placement.graph import Reason
from gpuport.analysis.project.modulenames import is_followed_abroad
from gpuport.analysis.values.contents import objects_in
from gpuport.analysis.values.lattice import (
    UNKNOWN,
    Instance,
    Object,
    Scalar,
    is_arraylike,
    is_container,
    on_device_possible,
)
from gpuport.facts.knowledge import knowledge
from gpuport.rules.libraries import library_of
from gpuport.rules.numpynames import read_as

if TYPE_CHECKING:
    from gpuport.analysis.objects.families import Family
    from gpuport.analysis.objects.instances import Objects

_ASKING = ("__getattr__", "__getattribute__")


def member_by_text(unit: Unit, node: ast.Call) -> Flow | None:
    """One of the methods of an instance whose names begin alike, as if a dict chose it.

    Parameters
    ----------
    unit : Unit
    node : ast.Call
        Of ``getattr``.

    Returns
    -------
    Flow or None
        None where an attribute may be meant that is no such method.
    """
    if unit.objects is None or node.keywords or len(node.args) != 2:
        return None
    owner, text = node.args
    start = _beginning(text)
    if not isinstance(owner, ast.Name) or not start or start.startswith("__"):
        return None
    held = unit.load(owner.id)
    value = None if held is None else held.value
    if not isinstance(value, Object) or value.optional:
        return None
    family = unit.objects.classes.get(value.name)
    if family is None or is_function(family) or holds_arguments(family) or made_by(family, value):
        return None
    names = _methods(unit.objects, family, start)
    if not names:
        return None
    chosen = unit.project.equivalents.chosen_member(node, names)
    flow = evaluate(unit, chosen)
    unit.follow(chosen)  # the call itself goes on to where it is seen
    return flow


def _beginning(text: ast.expr) -> str:
    """What a text begins with, whatever the rest of it is."""
    if isinstance(text, ast.BinOp) and isinstance(text.op, ast.Add):
        return _beginning(text.left)
    if isinstance(text, ast.JoinedStr) and text.values:
        return _beginning(text.values[0])
    if isinstance(text, ast.Constant) and isinstance(text.value, str):
        return text.value
    return ""


def _methods(objects: Objects, family: Family, start: str) -> list[str]:
    """The names that begin so, where all of them are those of plain methods of the module."""
    found: dict[str, None] = {}
    for one in family.classes.values():
        node = one.node
        if not isinstance(node, ast.ClassDef) or len(node.bases) != (one.base is not None):
            return []
        others = (one.static, one.class_methods, one.setters, one.constants, one.properties)
        fields = [f.name for f in one.fields or ()]
        if any(n.startswith(start) for names in (*others, fields) for n in names):
            return []
        for name, method in one.methods.items():
            if name in _ASKING or (name.startswith(start) and method.decorator_list):
                return []
            if name.startswith(start):
                found[name] = None
    stored = (*objects.before.attributes, *objects.now.attributes)
    if any(owner == family.name and name.startswith(start) for owner, name in stored):
        return []
    return list(found)


def call(unit: Unit, node: ast.Call) -> Flow:
    """Interpret a call."""
    path = unit.scope.resolve(node.func)
    if path is not None:
        return _call_of_path(unit, node, path)
    if unit.objects is not None:
        followed = followed_call(unit, node)
        if followed is not None:
            return followed
    by_element = element_call(unit, node)
    if by_element is not None:
        return by_element
    if isinstance(node.func, ast.Name) and node.func.id not in unit.env:
        definition = unit.project.own_function(unit, node.func.id)
        if definition is not None:
            return project_call(unit, node, node.func.id, definition)
    if isinstance(node.func, ast.Name) and makes_setting(unit, node.func.id):
        unknown_call(unit, node, arguments(unit, node))
        return Flow(Instance(node.func.id))
    if isinstance(node.func, ast.Attribute):
        base = evaluate(unit, node.func.value)
        if is_arraylike(base.value):
            return method_call(unit, node, node.func, base)
        if is_container(base.value):
            return container_method(unit, node, node.func, base)
        if isinstance(base.value, Instance):
            name = f"{base.value.path}.{node.func.attr}"
            return host_call(unit, node, name, arguments(unit, node))
        if isinstance(base.value, Scalar):
            return _scalar_method(unit, node, base.value)
        if not isinstance(base.value, Object):
            return unknown_call(unit, node, arguments(unit, node))
    called = (
        unit.load(node.func.id) if isinstance(node.func, ast.Name) else evaluate(unit, node.func)
    )
    if called is not None and isinstance(called.value, Instance):
        return host_call(unit, node, f"{called.value.path}.__call__", arguments(unit, node))
    return unknown_call(unit, node, arguments(unit, node))


def _call_of_path(unit: Unit, node: ast.Call, path: str) -> Flow:
    """A call of what a dotted path stands for: of a library, a builtin or another module."""
    # These import this module: each branch looks up what it needs.
    if unit.objects is not None:
        inside = unit.project.program.leads_inside(unit.project, path)
        inside = inside or is_followed_abroad(unit, path)
        followed = followed_call(unit, node) if inside else partial_made(unit, node)
        if followed is not None:
            return followed
    words = unit.knowledge.words
    if path in words.brings_back and len(node.args) == 1:
        return replace(evaluate(unit, node.args[0]), fresh=False)
    path = read_as(path)
    if path in words.runs_generators:
        unit.marked.consume(*node.args)
    found = by_text(unit, node, path)
    if path == "builtins.getattr" and found is None:
        found = member_by_text(unit, node)
    if found is not None:
        return found
    if path in words.asks_type:
        return _type_question(unit, node, keeps=path not in words.asks_only)
    if library_of(path) is not None:
        return numpy_call(unit, node, path)
    if path.startswith("builtins."):
        return builtin_call(unit, node, path)
    found = starmap(unit, node) if path == "itertools.starmap" else None
    found = found or (making(unit, node) if path in words.makes_when_asked else None)
    found = found or outside_call(unit, node, path) or replaced(unit, node, path)
    found = found or copied(unit, node, path)
    return host_call(unit, node, path, arguments(unit, node)) if found is None else found


def _type_question(unit: Unit, node: ast.Call, *, keeps: bool) -> Flow:
    """``isinstance(x, np.ndarray)``: what is asked about stays what it was.

    ``keeps``: the answer may be, or depend on, the very object: a copy would not do.
    """
    for argument in arguments(unit, node):
        text = unit.module.segment(argument.expression)[:60]
        if isinstance(argument.flow.value, Object) and not _reaches_inside(unit, node):
            unit.follow(argument.expression)
        reason = Reason("GP902", f"the program asks what `{text}` is", node, "unknown-type")
        flow = argument.flow
        if keeps or is_container(flow.value):
            unit.escape(argument.expression, flow, reason)
        elif flow.origin is not None and on_device_possible(flow.value):
            if not flow.fresh:
                unit.graph.pin(flow.origin, reason)
            unit.to_host(argument.expression, flow)
    return Flow(Scalar())


def _reaches_inside(unit: Unit, node: ast.Call) -> bool:
    """``getattr(x, name)`` and its kin: more than a question about what ``x`` is."""
    path = unit.scope.resolve(node.func) or ""
    return path not in ("builtins.isinstance", "builtins.id", "builtins.callable")


def _scalar_method(unit: Unit, node: ast.Call, value: Scalar) -> Flow:
    """A method of a string or number: its arguments are Python values."""
    if value.type == "str" and isinstance(node.func, ast.Attribute) and node.func.attr == "join":
        unit.marked.consume(*node.args)
    for argument in arguments(unit, node):
        if objects_in(argument.flow.value) and value.type == "str":
            ask_for_text(unit, argument.expression, argument.flow.value, as_repr=False)
        unit.to_host(argument.expression, argument.flow)
        if is_container(argument.flow.value):
            unit.escape(argument.expression, argument.flow, unknown_reason(unit, node))
    texts = knowledge().methods["string"] if value.type == "str" else {}
    return Flow(Scalar(texts.get(getattr(node.func, "attr", ""))) if value.type else UNKNOWN)


__all__ = ["call"]
