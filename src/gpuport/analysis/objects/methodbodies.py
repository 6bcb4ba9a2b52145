"""Methods that loops over elements call, ``self.rate(u[i], v[i])``: those that only compute.

Such a loop may become a kernel with the statements of the method, which then is called only where
the loop runs on the host.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.values.lattice import Array, Number, Object, Scalar, Value
from gpuport.rules.loopfunctions import allocating
from gpuport.source import syntax
from gpuport.source.syntax import dotted, inside, is_name

Attribute = tuple[str, str]
"""The name of an instance, and that of what it holds."""

_NUMBERS = (None, "number", "int", "float", "bool", "complex")
"""Types of what may be numbers: of what is no array the launch asks whether it is one."""


@dataclass(frozen=True, slots=True)
class Method:
    """A method that a loop calls.

    Attributes
    ----------
    definition : ast.FunctionDef
    instance : str
        The name by which the loop calls it.
    receiver : str
        That of its own first parameter; empty for a static method.
    reads : frozenset of str
        The attributes that it reads.
    calls : frozenset of str
        The methods of the same instance that it calls.
    """

    definition: ast.FunctionDef
    instance: str
    receiver: str
    reads: frozenset[str]
    calls: frozenset[str]

    @property
    def bound(self) -> frozenset[str]:
        """The names that it binds, those of its parameters among them."""
        return syntax.bound_in(self.definition) | self.parameters

    @property
    def parameters(self) -> frozenset[str]:
        """The names of its parameters, that of the instance among them."""
        listed = (one for one in ast.walk(self.definition.args) if isinstance(one, ast.arg))
        return frozenset(one.arg for one in listed)


def methods_called(unit: Unit, loop: ast.stmt) -> dict[str, Method]:
    """The methods that a loop calls, and those that they call, by their texts ``self.rate``.

    Those alone of which it is certain which one runs, and that do no more with their instance
    than read arrays and numbers from it.
    """
    found: dict[str, Method] = {}
    bound = unit.project.bound_in(loop)
    waiting = []
    for call in unit.module.nodes.inside(loop, ast.Call):
        owner = dotted(call.func.value) if isinstance(call.func, ast.Attribute) else None
        if owner is not None and owner.partition(".")[0] not in bound:
            waiting.append((owner, call.func.attr))
    while waiting:
        instance, name = waiting.pop()
        text = f"{instance}.{name}"
        if text in found:
            continue
        method = _method(unit, instance, name)
        if method is not None:
            found[text] = method
            waiting += [(instance, other) for other in method.calls]
    while True:
        known = {
            text: one for text, one in found.items()
            if all(f"{one.instance}.{other}" in found for other in one.calls)
        }  # fmt: skip
        if known.keys() == found.keys():
            return found
        found = known


def call_with_instance(unit: Unit, loop: ast.stmt) -> str | None:
    """Why a loop that calls a method cannot be a kernel; None where none stands in the way."""
    methods, bound = methods_called(unit, loop), unit.project.bound_in(loop)
    for call in unit.module.nodes.inside(loop, ast.Call):
        function = call.func
        owner = dotted(function.value) if isinstance(function, ast.Attribute) else None
        if not isinstance(function, ast.Attribute) or owner is None:
            continue
        text = f"{owner}.{function.attr}"
        if text not in methods and isinstance(held_by(unit, owner), Object):
            if owner.partition(".")[0] in bound:
                return f"unknown call: `{text}`: `{owner}` is another object in each iteration"
            return f"unknown call: {_why_not(unit, owner, function.attr, set())}"
    return None


def _why_not(unit: Unit, instance: str, name: str, asked: set[str]) -> str:
    """Why a method, or one that it calls, cannot be a part of a kernel."""
    asked.add(name)
    method = _method(unit, instance, name)
    for other in sorted(method.calls - asked) if method is not None else ():
        if _method(unit, instance, other) is None:
            return _why_not(unit, instance, other, asked)
    held, objects = held_by(unit, instance), unit.objects
    assert objects is not None
    assert isinstance(held, Object)
    if len(objects.classes[held.name].methods(name, held.kinds)) > 1:
        return f"which method `{instance}.{name}` is, depends on the class of `{instance}`"
    return (
        f"`{instance}.{name}` is a method that does more with `{instance}` than read from it: "
        "give a function what it needs"
    )


def attributes_read(methods: Mapping[str, Method]) -> dict[Attribute, None]:
    """What methods read of their instances, in an order that is always the same."""
    found = {(one.instance, name) for one in methods.values() for name in one.reads}
    return dict.fromkeys(sorted(found))


def left_to_kernel(unit: Unit, loop: ast.stmt) -> tuple[Attribute, ...]:
    """Note that a loop becomes a kernel, the methods that it calls being parts of it.

    Returns
    -------
    tuple of (str, str)
        The arrays that these methods read, each as the names of the instance and the attribute.
    """
    methods = methods_called(unit, loop)
    if unit.objects is not None:
        unit.objects.now.within_kernels |= {id(one.definition) for one in methods.values()}
    return tuple(
        (instance, name)
        for instance, name in attributes_read(methods)
        if isinstance(held_by(unit, f"{instance}.{name}"), Array)
    )


def held_by(unit: Unit, text: str) -> Value | None:
    """What a name holds, or an attribute of an instance, ``self.mesh.dx``."""
    owner, _, name = text.rpartition(".")
    if not owner:
        flow = unit.env.get(name)
        return flow.value if flow is not None else None
    held, objects = held_by(unit, owner), unit.objects
    if not isinstance(held, Object) or objects is None:
        return None
    key = held.name, name
    found = objects.before.attributes.get(key, objects.now.attributes.get(key))
    return objects.classes[held.name].constant(name) if found is None else found


def _method(unit: Unit, instance: str, name: str) -> Method | None:
    """What ``instance.name`` is, where nothing else can be meant by it."""
    held, objects = held_by(unit, instance), unit.objects
    if not isinstance(held, Object) or objects is None or held.optional:
        return None
    family = objects.classes[held.name]
    stored = objects.now.attributes.keys() | objects.before.attributes.keys()
    if (held.name, name) in stored or family.is_property(name):
        return None
    alone = family.any_without_instance(name)  # a static method, or one of the class
    functions = family.methods(name, held.kinds) if alone is None else [alone[0]]
    node = functions[0] if len(functions) == 1 else None
    if not isinstance(node, ast.FunctionDef) or (alone is not None and alone[1]):
        return None
    if len(node.decorator_list) != (alone is not None) or not (node.args.args or alone):
        return None
    receiver = node.args.args[0].arg if alone is None else ""
    if not _is_plain(unit, node, receiver):
        return None
    calls = {id(n.func) for n in inside(node) if isinstance(n, ast.Call)}
    read, called = set[str](), set[str]()
    for part in inside(node):
        if isinstance(part, ast.Attribute) and is_name(part.value, receiver):
            if not isinstance(part.ctx, ast.Load):
                return None
            (called if id(part) in calls else read).add(part.attr)
    if not all(_has_form(held_by(unit, f"{instance}.{one}")) for one in read):
        return None
    return Method(node, instance, receiver, frozenset(read), frozenset(called))


def _is_plain(unit: Unit, node: ast.FunctionDef, receiver: str) -> bool:
    """Whether a method makes no arrays and means by each name what the function around means."""
    objects = unit.objects
    assert objects is not None
    scope = objects.program.scope_of(node)
    if scope.children or scope.outside or scope.yields:
        return False
    owned = [
        id(part.value)
        for part in inside(node)
        if isinstance(part, ast.Attribute) and is_name(part.value, receiver)
    ]
    uses = [part for part in inside(node) if is_name(part, receiver)]
    if len(uses) != len(owned) or (receiver and scope.bound.get(receiver) != 1):
        return False
    for part in inside(node):
        if isinstance(part, ast.Call) and scope.resolve(part.func) in allocating():
            return False
    around = {name for name in scope.loads if not scope.binds(name)}
    return all(unit.scope.owner(name) is scope.owner(name) for name in around)


def _has_form(value: Value | None) -> bool:
    """Whether a kernel can be given what an attribute holds."""
    if isinstance(value, Scalar):
        return value.type in _NUMBERS
    return isinstance(value, (Array, Number))


__all__ = [
    "Attribute",
    "Method",
    "attributes_read",
    "call_with_instance",
    "held_by",
    "left_to_kernel",
    "methods_called",
]
