"""Where the instances of the module's classes go, and where their attributes live.

The functions through which instances pass are looked at together: an attribute, a parameter and a
result are nodes that all of them share, so that one cut of the graph places the whole. Functions
among them need no boundary; what calls them is seen. An instance that goes anywhere else opens its
class: its attributes are again values of which nothing is known.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import TYPE_CHECKING, TypeVar

from gpuport.analysis.calls.arguments import Argument
from gpuport.analysis.functions.functionvalues import (
    holds_arguments,
    is_function,
    made_by,
    method_of,
    owners,
)
from gpuport.analysis.functions.leaving import Leaving, is_one_of, leaving
from gpuport.analysis.functions.returncases import Case
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.objects.admission import Admission
from gpuport.analysis.objects.claims import Learned, joined, why_host
from gpuport.analysis.objects.classattributes import class_of
from gpuport.analysis.objects.families import Family
from gpuport.analysis.objects.membercalls import Callee, call_any, call_member, methods_of
from gpuport.analysis.placement.graph import Graph, Node, Reason
from gpuport.analysis.project.programnames import ModuleName, Name
from gpuport.analysis.values.contents import objects_in
from gpuport.analysis.values.lasting import lasting
from gpuport.analysis.values.lattice import (
    UNKNOWN,
    Object,
    Scalar,
    Unknown,
    Value,
    is_container,
    join_paths,
    on_device_possible,
)
from gpuport.analysis.values.nesting import fill
from gpuport.source.names import FunctionNode, Scope
from gpuport.source.parameters import names_of
from gpuport.source.syntax import has_star

if TYPE_CHECKING:
    from gpuport.analysis.objects.following import Following
    from gpuport.analysis.project.program import Program

K = TypeVar("K")


@dataclass(slots=True, eq=False)
class Objects:
    """The classes that are followed, and the functions through which their instances pass."""

    following: Following
    classes: dict[str, Family]
    members: dict[int, Scope] = field(default_factory=dict)
    units: dict[int, Unit] = field(default_factory=dict)
    opened: dict[str, Reason] = field(default_factory=dict)
    merged: list[frozenset[str]] = field(default_factory=list)
    before: Learned = field(default_factory=Learned)
    now: Learned = field(default_factory=Learned)
    nodes: dict[tuple[object, str], Node] = field(default_factory=dict)
    common: Graph = field(default_factory=Graph)
    grown: bool = False
    names: dict[Name, ModuleName] = field(default_factory=dict)
    """Names of modules that are followed with the functions that read them."""
    optional: set[int] = field(default_factory=set)
    """Members that others can do without, by their ids."""
    stopped: bool = False
    """A member cannot be read, and is none for the sake of a class."""
    seen: set[int] = field(default_factory=set)
    done: set[int] = field(default_factory=set)
    leaving: list[Leaving] = field(default_factory=list)
    """Arrays that functions return, of which the round is to tell whether others hold them."""

    @property
    def program(self) -> Program:
        """The modules whose functions handle instances."""
        return self.following.program

    @property
    def fails(self) -> bool:
        """Whether less is to be followed, or together."""
        return self.stopped or bool(self.opened or self.merged)

    def every_node(self) -> Iterator[Node]:
        """The nodes of all members, and those that they share."""
        yield from self.common.nodes
        for unit in self.units.values():
            yield from unit.graph.nodes

    def graph(self) -> Graph:
        """The graphs of all members as one."""
        whole = Graph()
        whole.nodes = list(self.every_node())
        for unit in self.units.values():
            whole.uses.update(unit.graph.uses)
        return whole

    def open(self, name: str, node: ast.AST, why: str) -> None:
        """An instance goes where it cannot be followed."""
        family = self.classes.get(name)
        if family is not None:
            reason = Reason("GP913", why_host(why), node, "attributes-on-host")
            self.opened.setdefault(family.name, reason)
            for owner in owners(family):
                self.open(owner, node, why)

    # ------------------------------------------------------------------ instances as values

    def lost(self, node: ast.AST, after: Value, *before: Value) -> bool:
        """Open the classes of instances that a claim says nothing of any more.

        Where it is of one of several functions, or of an instance of one of several classes, these
        are one family from the next look on.

        Returns
        -------
        bool
            Whether families are to be joined, with which the claim will say something.
        """
        joined = len(self.merged)
        held = frozenset().union(*map(objects_in, before)) - objects_in(after)
        functions = frozenset(name for name in held if is_function(self.classes[name]))
        for names in (functions, held - functions):
            if len(names) > 1 and not any(self.classes[name].items for name in names):
                self.merged.append(names)
                continue
            for name in sorted(names):
                self.open(name, node, "an instance is mixed with other things")
        return len(self.merged) > joined

    # ------------------------------------------------------------------ attributes

    def node(self, owner: object, name: str, label: str) -> Node:
        """The storage that all members share: of an attribute, a parameter or a result."""
        key = (owner, name)
        if key not in self.nodes:
            self.nodes[key] = self.common.node(label, told_apart=True)
            fill(self.common, self.nodes[key], self.before.contents.get(key))
        return self.nodes[key]

    def result_node(self, function: ast.Module | FunctionNode, case: Case = ()) -> Node:
        """Where what a function gives back in a case is."""
        owner = (id(function), case) if case else id(function)
        return self.node(owner, "", f"{getattr(function, 'name', 'lambda')}()")

    def attribute(self, unit: Unit, node: ast.Attribute, held: Object) -> Flow:
        """``instance.name`` read."""
        family, name = self.classes.get(held.name), node.attr
        if family is None:
            return Flow(UNKNOWN)
        if family.is_property(name):
            found = family.methods(name, held.kinds)
            if not found:
                self.open(held.name, node, f"`{name}` is a property of another class")
                return Flow(UNKNOWN)
            if family.is_cached(name):  # the instance keeps it
                self.now.kept.update(map(id, found))
            unit.graph.called.add(id(node))
            return call_any(self, unit, node, methods_of(found), [])
        if holds_arguments(family):
            self.open(held.name, node, f"`{unit.module.segment(node)}` is asked of a `partial`")
            return Flow(UNKNOWN)
        made = made_by(family, held)
        if made and name not in ("__name__", "__qualname__"):
            return self._of_class(unit, node, held, made)
        if is_function(family) and name in ("__name__", "__qualname__"):
            return Flow(Scalar("str"))
        methods = [] if is_function(family) else family.methods(name, held.kinds)
        if methods and not name.startswith("__"):
            return method_of(self, held, methods)
        if family.defines(name) or name.startswith("__"):
            self.open(held.name, node, f"`{unit.module.segment(node)}` is handed on as a value")
            return Flow(UNKNOWN)
        if family.items and not family.has_constant(name) and not family.has_field(name):
            self.open(held.name, node, f"`{unit.module.segment(node)}` reads it as a tuple")
        return self.read(unit, family, name, node)

    def _of_class(self, unit: Unit, node: ast.Attribute, held: Object, made: list[str]) -> Flow:
        """``make.name``, where a class is a value: what its body binds, for all instances."""
        name, families = node.attr, [self.classes[one] for one in made]
        plain = all(one.has_constant(name) and not one.defines(name) for one in families)
        if len(made) < len(held.kinds) or not plain:
            self.open(held.name, node, f"`{unit.module.segment(node)}` is asked of a class")
            return Flow(UNKNOWN)
        return reduce(unit.join_flows, [self.read(unit, one, name, node) for one in families])

    def _known(self, family: Family, name: str) -> Value | None:
        key = family.name, name
        value = joined(self.before.attributes.get(key), self.now.attributes.get(key))
        return family.constant(name) if value is None else value

    def items(self, unit: Unit, node: ast.expr, held: Object) -> list[Flow] | None:
        """What a named tuple is unpacked into; None for instances of other classes."""
        family = self.classes.get(held.name)
        if family is None or not family.items or held.optional:
            return None
        return [self.read(unit, family, one.name, node) for one in family.fields(family.name)]

    def read(self, unit: Unit, family: Family, name: str, node: ast.expr) -> Flow:
        """What an attribute is known to hold."""
        value = self._known(family, name)
        if value is None or isinstance(value, Unknown):
            number = None if value is None else value.number
            return Flow(Unknown(f"`{unit.module.segment(node)}`", number))
        if not on_device_possible(value):
            return Flow(value)
        return unit.refresh(Flow(value, self.node(family.name, name, name)))

    def store(
        self, unit: Unit, target: ast.AST, owner: str, name: str, expression: ast.expr, flow: Flow
    ) -> None:
        """``instance.name = value``."""
        family = self.classes.get(owner)
        if family is None:
            return
        if made_by(family, Object(owner)):
            self.open(owner, target, f"`{name}` of a class is bound anew")
            return
        setters = family.setters(name)
        if setters and isinstance(target, ast.expr):
            self._set(unit, target, setters, expression, flow)
            return
        if family.defines(name) or name.startswith("__"):
            self.open(owner, target, f"`{name}` is bound anew")
            return
        self._keep(target, family, owner, name, flow.value)
        unit.follow(expression)
        if on_device_possible(flow.value) and flow.origin is not None:
            self.hand_over(unit, expression, flow, self.node(owner, name, name))

    def merely_keeps(self, held: Object, name: str) -> bool:
        """Whether an attribute can be stored twice: no function of the class runs where it is."""
        family = self.classes.get(held.name)
        if family is None or made_by(family, held) or family.setters(name):
            return False
        asked = (name, "__setattr__", "__getattribute__")
        return not family.is_property(name) and not any(family.defines(one) for one in asked)

    def _set(
        self, unit: Unit, target: ast.expr, setters: list[FunctionNode], expression: ast.expr,
        flow: Flow,
    ) -> None:  # fmt: skip
        """``instance.name = value``, where ``name`` is a property."""
        call_any(self, unit, target, methods_of(setters), [Argument(0, None, expression, flow)])

    def _keep(self, target: ast.AST, family: Family, owner: str, name: str, value: Value) -> None:
        """An attribute holds a value too, beside what the body of its class binds."""
        key = (owner, name)
        self.learn(target, self.now.attributes, key, lasting(value))
        constant = family.constant(name)
        if constant is not None:
            self.learn(target, self.now.attributes, key, constant)

    def update(self, unit: Unit, target: ast.expr, owner: str, name: str, result: Flow) -> None:
        """``instance.name += value``: the attribute is bound to the result."""
        self._keep(target, self.classes[owner], owner, name, result.value)
        if result.origin is not None and on_device_possible(result.value):
            self.share(self.node(owner, name, name), result)

    def unknown_base(self, unit: Unit, node: ast.Attribute, base: Value) -> None:
        """An attribute of something unknown: were it an instance, it would be one of an array."""
        if not isinstance(base, Unknown):
            return
        for (owner, name), value in self.before.attributes.items():
            if name == node.attr and (on_device_possible(value) or objects_in(value)):
                text = unit.module.segment(node)[:60]
                self.open(owner, node, f"`{text}` may be an attribute of an instance")

    def learn(self, node: ast.AST, into: dict[K, Value], key: K, value: Value) -> None:
        known = into.get(key)
        joined = value if known is None else join_paths(known, value)
        if known is not None and self.lost(node, joined, known, value):
            joined = known  # to see what else arrives here
        into[key] = joined

    def hand_over(self, unit: Unit, expression: ast.expr, flow: Flow, node: Node) -> None:
        """A value gets another holder: a new one may be moved on the way, others are shared."""
        assert flow.origin is not None
        if flow.fresh and not is_container(flow.value):
            unit.use(expression, flow, node)
        else:
            self.share(node, flow)

    def share(self, node: Node, flow: Flow) -> None:
        """A value is held by a node too: a container is the same, an array is in the same place."""
        assert flow.origin is not None
        if is_container(flow.value):
            self.common.unite(node, flow.origin)
        else:
            self.common.gather(node, flow.origin)

    # ------------------------------------------------------------------ calls

    def class_named(self, unit: Unit, expression: ast.expr) -> tuple[str, bool] | None:
        """The class that a name stands for, its own or, in its class methods, ``cls``.

        The second item: whether it is just this class, not one that is made of it.
        """
        held = class_of(unit, expression)
        if held is not None:
            return held.name, False
        at_top = isinstance(unit.node, ast.Module)  # `Pair = namedtuple(...)` binds one there
        if at_top or not isinstance(expression, ast.Name) or expression.id not in unit.env:
            found = self.program.defined(unit.scope, expression)
            family = self.classes.get(found.name) if found is not None else None
            if found is None or family is None or family.classes[found.name].node is not found.node:
                return None
            return found.name, True
        (family, owner), node, name = self._around(unit), unit.node, expression.id
        if family is None or isinstance(node, ast.Module):
            return None
        given = family.takes_class(node) and names_of(node)[0] == name
        return (owner, False) if given and unit.scope.bound.get(name) == 1 else None

    def without_instance(self, unit: Unit, function: ast.Attribute) -> Callee | None:
        """The function that ``Class.name`` is, which may be given the class."""
        owner = self.class_named(unit, function.value)
        if owner is None:
            return None
        found = self.classes[owner[0]].without_instance(owner[0], function.attr)
        return None if found is None else Callee(*found)

    def call_of_class(
        self, unit: Unit, node: ast.Call, function: ast.Attribute, args: list[Argument]
    ) -> Flow | None:
        """``Class.method(instance, ...)``: just the method that this class has."""
        named = self.class_named(unit, function.value)
        assert named is not None
        family = self.classes[named[0]]
        method = family.exactly(named[0], function.attr)
        held = args[0].flow.value if args and args[0].position == 0 else None
        mine = isinstance(held, Object) and held.name == family.name and not held.optional
        if method is None or not mine or has_star(node):
            self.open(family.name, node, f"`{unit.module.segment(function)}` is handed on")
            return None
        unit.follow(args[0].expression)
        others = [
            replace(one, position=None if one.position is None else one.position - 1)
            for one in args[1:]
        ]
        return call_member(self, unit, node, Callee(method, 1), others)

    def above(self, unit: Unit, function: ast.Attribute) -> FunctionNode | None:
        """The method that ``super().name`` is; of what is no class of the module, none."""
        family, owner = self._around(unit)
        return None if family is None else family.above(owner, function.attr)

    def _around(self, unit: Unit) -> tuple[Family | None, str]:
        """The family, and the class, in which a function stands."""
        owner = unit.scope.parent.name if unit.scope.parent is not None else ""
        return self.classes.get(owner), owner

    def returned(
        self, unit: Unit, expression: ast.expr, flow: Flow, places: tuple[str | None, ...]
    ) -> None:
        """``return value`` in a member; ``places`` in the displays around it that are returned."""
        unit.follow(expression)
        if flow.origin is None or not on_device_possible(flow.value):
            return
        if not flow.fresh:
            self.now.kept.add(id(unit.node))
        node, told = self.result_node(unit.node, unit.returned.case), None not in places
        for depth, place in enumerate(places, 1):
            node = self.common.slot(node, place)
            if depth < len(places) or is_container(flow.value):
                node = self.common.inner(node)
        later = leaving(unit, expression, flow, node) if told else None
        if later is None:
            self.hand_over(unit, expression, flow, node)
        else:
            if is_one_of(later, self.leaving):  # callers may not move one without the other
                self.now.kept.add(id(unit.node))
            self.leaving.append(later)

    def joins(self, function: FunctionNode, *, for_containers: bool = False) -> bool:
        """Whether a function can be a member: one that is only ever called by its name.

        One ``for_containers`` is a member as long as it can be read: others can do without it.
        """
        if id(function) in self.members:
            return True
        admission = Admission(self.following, self)
        admit = admission.admit_for_containers if for_containers else admission.admit
        self.grown = admit(self.program.scope_of(function)) or self.grown
        return id(function) in self.members


__all__ = ["Objects"]
