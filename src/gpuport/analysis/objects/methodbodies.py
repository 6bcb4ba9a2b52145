"""Methods that loops call for numbers, ``self.rate(u[i], v[i])``: as functions without instance.

A kernel has no instances. What such a method reads of its own, ``self.k``, the function around the
loop has under local names in the lines before it, ``k = self.k``.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.values.lattice import Array, Number, Object, Scalar, Value
from gpuport.source import syntax
from gpuport.source.syntax import inside

if TYPE_CHECKING:
    from gpuport.loops.facts import FunctionFact

Attribute = tuple[str, str]
"""The name of an instance, and that of what it holds."""

_NUMBERS = ("int", "float", "bool", "complex")


@dataclass(frozen=True, slots=True)
class Method:
    """A method that a loop calls.

    Attributes
    ----------
    definition : ast.FunctionDef
    instance : str
        The name by which the loop calls it.
    receiver : str
        That of its own first parameter.
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
    waiting = [
        (node.func.value.id, node.func.attr)
        for node in inside(loop)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
    ]
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
    methods = methods_called(unit, loop)
    for node in inside(loop):
        function = node.func if isinstance(node, ast.Call) else None
        owner = function.value if isinstance(function, ast.Attribute) else None
        if not isinstance(owner, ast.Name) or ast.unparse(function or node) in methods:
            continue
        flow = unit.env.get(owner.id)
        if flow is not None and isinstance(flow.value, Object):
            return (
                f"unknown call: `{ast.unparse(function or node)}` is a method that does more with "
                f"`{owner.id}` than read from it: give a function what it needs"
            )
    return None


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
        if isinstance(_held(unit, instance, name), Array)
    )


def _held(unit: Unit, instance: str, name: str) -> Value | None:
    """What an attribute holds."""
    flow, objects = unit.env.get(instance), unit.objects
    if flow is None or objects is None or not isinstance(flow.value, Object):
        return None
    key = flow.value.name, name
    return objects.before.attributes.get(key, objects.now.attributes.get(key))


def without_instance(unit: Unit, loop: ast.stmt) -> dict[str, FunctionFact]:
    """The methods that a loop calls, as functions that read the names of the function around it.

    Parameters
    ----------
    unit : Unit
    loop : ast.stmt
    """
    from gpuport.loops.facts import FunctionFact

    methods = methods_called(unit, loop)
    if not methods:
        return {}
    names = _named_before(unit, loop)
    found: dict[str, FunctionFact] = {}
    for text, method in methods.items():
        read = {one: names[method.instance, one] for one in method.reads
                if (method.instance, one) in names}  # fmt: skip
        if read.keys() == method.reads:
            made = _Free(method, read).made()
            found[text] = FunctionFact(text, made, closure=True, same=True)
    return found


def _method(unit: Unit, instance: str, name: str) -> Method | None:
    """What ``instance.name`` is, where nothing else can be meant by it."""
    flow, objects = unit.env.get(instance), unit.objects
    held = flow.value if flow is not None else None
    if not isinstance(held, Object) or objects is None or held.optional:
        return None
    family = objects.classes[held.name]
    stored = objects.now.attributes.keys() | objects.before.attributes.keys()
    if (held.name, name) in stored or family.any_without_instance(name):
        return None
    functions = family.methods(name, held.kinds)
    if len(functions) != 1 or family.is_property(name):
        return None
    (node,) = functions
    if not isinstance(node, ast.FunctionDef) or node.decorator_list or not _is_plain(unit, node):
        return None
    receiver = node.args.args[0].arg
    calls = {id(n.func) for n in inside(node) if isinstance(n, ast.Call)}
    read, called = set[str](), set[str]()
    for part in inside(node):
        if isinstance(part, ast.Attribute) and _is_name(part.value, receiver):
            if not isinstance(part.ctx, ast.Load):
                return None
            (called if id(part) in calls else read).add(part.attr)
    if not all(_has_form(_held(unit, instance, one)) for one in read):
        return None
    return Method(node, instance, receiver, frozenset(read), frozenset(called))


def _is_plain(unit: Unit, node: ast.FunctionDef) -> bool:
    """Whether a method makes no arrays and means by each name what the function around means."""
    from gpuport.loops.loop_rules import allocating

    objects = unit.objects
    assert objects is not None
    scope = objects.program.scope_of(node)
    if scope.children or scope.outside or scope.yields or not node.args.args:
        return False
    receiver = node.args.args[0].arg
    owned = [
        id(part.value)
        for part in inside(node)
        if isinstance(part, ast.Attribute) and _is_name(part.value, receiver)
    ]
    uses = [part for part in inside(node) if _is_name(part, receiver)]
    if len(uses) != len(owned) or scope.bound.get(receiver) != 1:
        return False
    for part in inside(node):
        if isinstance(part, ast.Call) and scope.resolve(part.func) in allocating():
            return False
    around = {name for name in scope.loads if not scope.binds(name)}
    return all(unit.scope.owner(name) is scope.owner(name) for name in around)


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _has_form(value: Value | None) -> bool:
    """Whether a kernel can be given what an attribute holds."""
    if isinstance(value, Scalar):
        return value.type in _NUMBERS
    return isinstance(value, (Array, Number))


def _named_before(unit: Unit, loop: ast.stmt) -> dict[Attribute, str]:
    """The names that the lines right before a loop give to attributes: ``k = self.k``.

    Before the loops around it as well, where all that these do is arithmetic.
    """
    found: dict[Attribute, str] = {}
    inner: ast.stmt | None = loop
    while inner is not None:
        block, owner = _block_of(unit.node, inner)
        for statement in reversed(block[: block.index(inner)]):
            target = statement.targets[0] if isinstance(statement, ast.Assign) else None
            value = statement.value if isinstance(statement, ast.Assign) else None
            if not isinstance(target, ast.Name) or not isinstance(value, ast.Attribute):
                break
            if not isinstance(value.value, ast.Name) or unit.scope.bound.get(target.id) != 1:
                break
            found.setdefault((value.value.id, value.attr), target.id)
        plain = isinstance(owner, ast.For | ast.While) and keeps_attributes(unit, owner)
        inner = owner if plain else None  # type: ignore[assignment]
    return found


def keeps_attributes(
    unit: Unit, loop: ast.stmt, harmless: Callable[[ast.Call], bool] = lambda call: False
) -> bool:
    """Whether attributes are what they were before a loop all the way through it.

    Parameters
    ----------
    unit : Unit
    loop : ast.stmt
    harmless : callable
        Tells of a call that it changes none, whatever it calls.
    """
    methods = methods_called(unit, loop)
    for node in inside(loop):
        if isinstance(node, ast.Call) and not harmless(node):
            path = unit.scope.resolve(node.func)
            own = isinstance(node.func, ast.Name) and node.func.id in unit.project.root.functions
            if path is None and not own and ast.unparse(node.func) not in methods:
                return False
        stores = isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load)
        if stores or isinstance(node, (ast.Yield, ast.YieldFrom, ast.Lambda, ast.GeneratorExp)):
            return False
    return True


def _block_of(function: ast.AST, statement: ast.stmt) -> tuple[list[ast.stmt], ast.AST]:
    """The list of statements that one is in, and what has that list."""
    for node in ast.walk(function):
        for _, field in ast.iter_fields(node):
            if isinstance(field, list) and any(one is statement for one in field):
                return field, node
    return [statement], function


class _Free(ast.NodeTransformer):
    """Rewrites a method as a function without an instance.

    Its own names that the function with the loop gives to attributes become others.
    """

    def __init__(self, method: Method, names: Mapping[str, str]) -> None:
        self.method, self.names = method, names
        taken = set(names.values())
        used = {node.id for node in inside(method.definition) if isinstance(node, ast.Name)}
        self.renamed: dict[str, str] = {}
        for name in sorted(method.bound & taken):
            other = f"{name}_"
            while other in used | taken | method.bound:
                other += "_"
            self.renamed[name] = other
            taken.add(other)

    def made(self) -> ast.FunctionDef:
        made = syntax.copied(self.method.definition)
        made.args.args = made.args.args[1:]
        made.args = self.visit(made.args)
        body = [one for one in made.body if not self._names_attribute(one)]
        made.body = [self.visit(statement) for statement in body]
        return ast.fix_missing_locations(made)

    def _names_attribute(self, statement: ast.stmt) -> bool:
        """Whether a statement only gives an attribute a name: ``u = self.u``."""
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        value = statement.value if isinstance(statement, ast.Assign) else None
        if not isinstance(target, ast.Name) or not isinstance(value, ast.Attribute):
            return False
        bound = [
            node
            for node in inside(self.method.definition)
            if _is_name(node, target.id) and not isinstance(node.ctx, ast.Load)  # type: ignore[attr-defined]
        ]
        name = self.names.get(value.attr) if _is_name(value.value, self.method.receiver) else None
        if name is None or len(bound) != 1 or target.id in self.method.parameters:
            return False
        self.renamed[target.id] = name
        return True

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.arg = self.renamed.get(node.arg, node.arg)
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = self.renamed.get(node.id, node.id)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if not _is_name(node.value, self.method.receiver):
            return self.generic_visit(node)
        name = self.names.get(node.attr)
        if name is not None:
            return ast.copy_location(ast.Name(name, ast.Load()), node)
        node.value = ast.copy_location(ast.Name(self.method.instance, ast.Load()), node.value)
        return node


__all__ = [
    "attributes_read", "call_with_instance", "keeps_attributes", "left_to_kernel",
    "methods_called", "without_instance",
]  # fmt: skip
