"""Where the instances of the module's classes go, and where their attributes live.

The functions through which instances pass are looked at together: an attribute, a parameter and a
result are nodes that all of them share, so that one cut of the graph places the whole. Functions
among them need no boundary; what calls them is seen. An instance that goes anywhere else opens its
class: its attributes are again values of which nothing is known.
"""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import TYPE_CHECKING, TypeVar

from gpuport.analysis.classattributes import class_of
from gpuport.analysis.classes import Field
from gpuport.analysis.families import Family
from gpuport.analysis.flows import Flow
from gpuport.analysis.functionvalues import is_function, method_of, owners
from gpuport.analysis.graph import Graph, Node, Reason
from gpuport.analysis.matching import Given, Matched, Parameters, matched
from gpuport.analysis.nesting import fill, put
from gpuport.analysis.objectclaims import (
    Learned,
    every_name,
    literal,
    names_of,
    pin_undecided,
    why_host,
)
from gpuport.analysis.rounds import interpret
from gpuport.analysis.unit import Unit
from gpuport.analysis.values import (
    EMPTY,
    UNKNOWN,
    Mapping,
    Object,
    Scalar,
    Tuple,
    Unknown,
    Value,
    is_container,
    join,
    join_all,
    lasting,
    objects_in,
    on_device_possible,
)
from gpuport.source.names import FunctionNode, Scope
from gpuport.source.syntax import has_star

if TYPE_CHECKING:
    from gpuport.analysis.arguments import Argument
    from gpuport.analysis.following import Following
    from gpuport.analysis.program import Program

_DEEPEST = 4
"""Loops around a call beyond which one more makes no difference."""

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
    seen: set[int] = field(default_factory=set)

    @property
    def program(self) -> Program:
        """The modules whose functions handle instances."""
        return self.following.program

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
            for name in names:
                self.open(name, node, "an instance is mixed with other things")
        return len(self.merged) > joined

    # ------------------------------------------------------------------ attributes

    def node(self, owner: object, name: str, label: str) -> Node:
        """The storage that all members share: of an attribute, a parameter or a result."""
        key = (owner, name)
        if key not in self.nodes:
            self.nodes[key] = self.common.node(label)
            fill(self.common, self.nodes[key], self.before.contents.get(key, ()))
        return self.nodes[key]

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
            return self.call_any(unit, node, found, [])
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
        return self._read(unit, family, name, node)

    def items(self, unit: Unit, node: ast.expr, held: Object) -> list[Flow] | None:
        """What a named tuple is unpacked into; None for instances of other classes."""
        family = self.classes.get(held.name)
        if family is None or not family.items or held.optional:
            return None
        return [self._read(unit, family, one.name, node) for one in family.fields(family.name)]

    def _read(self, unit: Unit, family: Family, name: str, node: ast.expr) -> Flow:
        """What an attribute is known to hold."""
        key = family.name, name
        value = self.before.attributes.get(key, self.now.attributes.get(key))
        if value is None:
            value = family.constant(name)
        if value is None or isinstance(value, Unknown):
            return Flow(Unknown(f"`{unit.module.segment(node)}`"))
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
        setters = family.setters(name)
        if setters and isinstance(target, ast.expr):
            self._set(unit, target, setters, expression, flow)
            return
        if family.defines(name) or name.startswith("__"):
            self.open(owner, target, f"`{name}` is bound anew")
            return
        self._learn(target, self.now.attributes, (owner, name), lasting(flow.value))
        constant = family.constant(name)
        if constant is not None:
            self._learn(target, self.now.attributes, (owner, name), constant)
        unit.follow(expression)
        if on_device_possible(flow.value) and flow.origin is not None:
            self._pass(unit, expression, flow, self.node(owner, name, name))

    def _set(
        self, unit: Unit, target: ast.expr, setters: list[FunctionNode], expression: ast.expr,
        flow: Flow,
    ) -> None:  # fmt: skip
        """``instance.name = value``, where ``name`` is a property."""
        from gpuport.analysis.arguments import Argument

        self.call_any(unit, target, setters, [Argument(0, None, expression, flow)])

    def update(self, unit: Unit, target: ast.expr, owner: str, name: str, result: Flow) -> None:
        """``instance.name += value`` of a number: the attribute is bound to the result."""
        self._learn(target, self.now.attributes, (owner, name), lasting(result.value))
        if result.origin is not None and on_device_possible(result.value):
            unit.graph.unite(self.node(owner, name, name), result.origin)

    def unknown_base(self, unit: Unit, node: ast.Attribute, base: Value) -> None:
        """An attribute of something unknown: were it an instance, it would be one of an array."""
        if not isinstance(base, Unknown):
            return
        for (owner, name), value in self.before.attributes.items():
            if name == node.attr and (on_device_possible(value) or objects_in(value)):
                text = unit.module.segment(node)[:60]
                self.open(owner, node, f"`{text}` may be an attribute of an instance")

    def _learn(self, node: ast.AST, into: dict[K, Value], key: K, value: Value) -> None:
        known = into.get(key)
        joined = value if known is None else join(known, value)
        if known is not None and self.lost(node, joined, known, value):
            joined = known  # to see what else arrives here
        into[key] = joined

    def _pass(self, unit: Unit, expression: ast.expr, flow: Flow, node: Node) -> None:
        """A value gets another holder: a new one may be moved on the way, others are shared."""
        assert flow.origin is not None
        if flow.fresh and not is_container(flow.value):
            unit.use(expression, flow, node)
        else:
            unit.graph.unite(node, flow.origin)

    # ------------------------------------------------------------------ calls

    def class_named(self, unit: Unit, expression: ast.expr) -> tuple[str, bool] | None:
        """The class that a name stands for, its own or, in its class methods, ``cls``.

        The second item: whether it is just this class, not one that is made of it.
        """
        held = class_of(unit, expression)
        if held is not None:
            return held.name, False
        if not isinstance(expression, ast.Name) or expression.id not in unit.env:
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

    def without_instance(
        self, unit: Unit, function: ast.Attribute
    ) -> tuple[FunctionNode, bool] | None:
        """The function that ``Class.name`` is; and whether it is given the class."""
        owner = self.class_named(unit, function.value)
        if owner is None:
            return None
        return self.classes[owner[0]].without_instance(owner[0], function.attr)

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
        return self.call(unit, node, method, others, bound=True)

    def above(self, unit: Unit, function: ast.Attribute) -> FunctionNode | None:
        """The method that ``super().name`` is; of what is no class of the module, none."""
        family, owner = self._around(unit)
        return None if family is None else family.above(owner, function.attr)

    def _around(self, unit: Unit) -> tuple[Family | None, str]:
        """The family, and the class, in which a function stands."""
        owner = unit.scope.parent.name if unit.scope.parent is not None else ""
        return self.classes.get(owner), owner

    def construct(
        self, unit: Unit, node: ast.Call, made: tuple[str, bool], args: list[Argument]
    ) -> Flow:
        """``Class(...)``; ``cls(...)`` makes an instance of a class or of one made of it."""
        self.seen.add(id(node))
        name, exact = made
        family = self.classes[name]
        owners = [name] if exact else list(family.descendants(name))
        for owner in owners:
            maker = family.maker(owner)
            if isinstance(maker, tuple):
                self._fill(unit, node, family, maker, args)
                after = family.exactly(owner, "__post_init__")
                if after is not None:
                    self.call(unit, node, after, [], bound=True)
            elif maker is not None:
                self.call(unit, node, maker, args, bound=True)
        return Flow(Object(family.name, kinds=frozenset(owners)))

    def _fill(
        self, unit: Unit, node: ast.Call, family: Family, fields: tuple[Field, ...],
        args: list[Argument],
    ) -> None:  # fmt: skip
        """The ``__init__`` of a dataclass."""
        from gpuport.analysis.expressions import kept

        given = [f.name for f in fields if f.given]
        for argument in args:
            position = argument.position
            name = argument.keyword
            if position is not None and position < len(given):
                name = given[position]
            if name is None or name not in given:
                self.open(family.name, node, "what it is made with cannot be told")
                continue
            flow = kept(unit, argument.expression, argument.flow)
            self.store(unit, node, family.name, name, argument.expression, flow)
        for one in fields:
            if one.default is not None and not family.binds(one):
                flow = self._default(unit, node, family, one.default)
                self.store(unit, node, family.name, one.name, one.default, flow)

    def _default(self, unit: Unit, node: ast.Call, family: Family, default: ast.expr) -> Flow:
        """What a field holds for which nothing is given; its text is that of the class."""
        from gpuport.analysis.expressions import evaluate

        if not isinstance(default, ast.Call):
            return Flow(literal(default) or UNKNOWN)
        if self.program.home(family.scope) is unit.project:
            return evaluate(unit, default)
        name = default.func.id if isinstance(default.func, ast.Name) else ""
        if name in self.classes and not (default.args or default.keywords):
            return self.construct(unit, default, (name, True), [])
        if name in ("list", "dict"):
            return evaluate(unit, default)
        self.open(family.name, node, "a field of it is made by code of another file")
        return Flow(UNKNOWN)

    def call_any(
        self, unit: Unit, node: ast.expr, functions: list[FunctionNode], args: list[Argument],
        *, unbound: Collection[int] = (),
    ) -> Flow:  # fmt: skip
        """A call of what may be any of several definitions of a method.

        ``unbound``: the ids of those among them that are given no instance before the arguments.
        """
        flows = [
            self.call(unit, node, one, args, bound=id(one) not in unbound) for one in functions
        ]
        if len(functions) > 1:
            self._unite_parameters(functions, unbound)
        return reduce(unit.join_flows, flows)

    def _unite_parameters(self, functions: list[FunctionNode], unbound: Collection[int]) -> None:
        """One argument, one place: it is moved before it is known which definition runs."""
        together: dict[int | str, list[Node]] = defaultdict(list)
        for one in functions:
            for place, name in enumerate(names_of(one)[id(one) not in unbound :]):
                node = self.nodes.get((id(one), name))
                if node is not None:  # arguments are given by position or by name
                    together[place].append(node)
                    together[name].append(node)
        for first, *others in together.values():
            for node in others:
                self.common.unite(first, node)

    def unite_with_call(self, unit: Unit, node: ast.Call, functions: list[FunctionNode]) -> None:
        """One argument, one place, also where the call may be of a function of a library."""
        operation = unit.nodes.get(("operation", id(node)))
        for one in functions if operation is not None else ():
            for name in names_of(one):
                parameter = self.nodes.get((id(one), name))
                if parameter is not None and operation is not None:
                    self.common.unite(parameter, operation)

    def call(
        self, unit: Unit, node: ast.expr, function: FunctionNode, args: list[Argument],
        *, bound: bool,
    ) -> Flow:  # fmt: skip
        """A call of a member: its parameters and its result are nodes of the common graph.

        ``bound``: its first parameter is given an instance, or the class, already.
        """
        unit.calls_project = True
        self.seen.add(id(node))
        depth = min(unit.depth + len(unit.loops), _DEEPEST)
        self.now.depths[id(function)] = max(depth, self.now.depths.get(id(function), 0))
        parameters = Parameters.of(function, bound=bound)
        found = matched(unit, parameters, args)
        if found is None:
            self._give_anything(unit, node, function, args)
        else:
            self._give_all(unit, node, function, parameters, found)
        interpret(self, self.program.scope_of(function))
        return self._result(node, function)

    def _give_all(
        self, unit: Unit, node: ast.expr, function: FunctionNode, parameters: Parameters,
        found: Matched,
    ) -> None:  # fmt: skip
        """What each parameter is given, those that gather the rest among them."""
        from gpuport.analysis.subscripts import keep_element

        every = (*(one for _, one in found.single), *found.rest, *found.options)
        origins = {(id(e.expression), e.flow.origin.root()) for e in every if e.flow.origin}
        given = Counter(id(root) for _, root in origins)
        for name, one in found.single:
            flow = one.flow if one.whole else keep_element(unit, one.expression, one.flow)
            reached = flow.origin is not None and given[id(flow.origin.root())] > 1
            self._give(unit, one.expression, function, name, flow, reached=reached or one.whole)
        if parameters.rest is not None:
            rest = self._gathered(unit, node, found.gathered(), found.rest)
            self._give(unit, node, function, parameters.rest, rest, reached=False)
        if parameters.options is not None:
            of = join_all([one.flow.value for one in found.options]) if found.options else EMPTY
            options = self._gathered(unit, node, Mapping(of), found.options)
            self._give(unit, node, function, parameters.options, options, reached=False)

    def _gathered(self, unit: Unit, node: ast.expr, value: Value, found: list[Given]) -> Flow:
        """What ``*rest`` or ``**options`` hold of a call: a new container."""
        unit.lost(node, value, *(one.flow.value for one in found))
        for one in found:
            unit.follow(one.expression)
        held = [one for one in found if one.flow.origin is not None]
        if not held:
            return Flow(value)
        container = unit.node_for("gathered", node, type(value).__name__)
        for one in held:
            told = isinstance(value, Tuple)
            flow = replace(one.flow, fresh=not one.whole)
            put(unit, container, one.expression, flow, stored=False, told=told)
        return Flow(value, container, fresh=True)

    def _give(
        self, unit: Unit, expression: ast.expr, function: FunctionNode, name: str, flow: Flow,
        *, reached: bool,
    ) -> None:  # fmt: skip
        """An argument; ``reached``: the function may get at its array in another way too."""
        key = id(function), name
        self._learn(expression, self.now.parameters, key, lasting(flow.value))
        unit.follow(expression)
        if flow.origin is None or not on_device_possible(flow.value):
            return
        self.now.placed.add(key)
        parameter = self.node(id(function), name, name)
        # The function may have been looked at before any call gave it a value with a place.
        pin_undecided(self.common, parameter, self.now.parameters[key], name, function)
        reached = reached or self._is_written_attribute(flow.origin)
        if key not in self.before.shared and not reached and not is_container(flow.value):
            unit.use(expression, flow, parameter)
        else:
            self._pass(unit, expression, flow, parameter)

    def give_name(self, unit: Unit, function: FunctionNode, name: str, flow: Flow) -> None:
        """What an inner function is given where it is defined: a name around it, a default."""
        key = id(function), name
        self._learn(function, self.now.parameters, key, lasting(flow.value))
        if flow.origin is None or not on_device_possible(flow.value):
            return
        self.now.placed.add(key)
        parameter = self.node(id(function), name, name)
        pin_undecided(self.common, parameter, self.now.parameters[key], name, function)
        unit.graph.unite(parameter, flow.origin)

    def _is_written_attribute(self, origin: Node) -> bool:
        """Whether an array is that of an attribute which something writes: a copy would age."""
        return any(
            node.root() is origin.root() and (owner, name) in self.before.written
            for (owner, name), node in self.nodes.items() if isinstance(owner, str)
        )  # fmt: skip

    def _give_anything(
        self, unit: Unit, node: ast.expr, function: FunctionNode, args: list[Argument]
    ) -> None:
        """A call whose arguments cannot be matched with the parameters."""
        reason = Reason(
            "GP902", "the arguments of this call cannot be told one by one", node, "unknown-call"
        )
        for argument in args:
            unit.escape(argument.expression, argument.flow, reason)
        for name in every_name(function):
            key = id(function), name
            self.lost(node, UNKNOWN, self.now.parameters.get(key, UNKNOWN))
            self.now.parameters[key] = UNKNOWN

    def _result(self, node: ast.AST, function: FunctionNode) -> Flow:
        key = id(function)
        value = self.before.results.get(key, self.now.results.get(key, UNKNOWN))
        if not on_device_possible(value):
            return Flow(value)
        kept = key in self.before.kept or key in self.now.kept
        returned = self.node(key, "", f"{function.name}()")
        return Flow(value, returned, view=kept, fresh=not kept)

    def returned(self, unit: Unit, expression: ast.expr, flow: Flow) -> None:
        """``return value`` in a member."""
        unit.follow(expression)
        if flow.origin is None or not on_device_possible(flow.value):
            return
        if not flow.fresh:
            self.now.kept.add(id(unit.node))
        self._pass(unit, expression, flow, unit.return_node)

    def joins(self, function: FunctionNode) -> bool:
        """Whether a function can be a member: one that is only ever called by its name."""
        if id(function) in self.members:
            return True
        self.grown = self.following.admit(self, self.program.scope_of(function)) or self.grown
        return id(function) in self.members

    # ------------------------------------------------------------------ what is given


__all__ = ["Objects"]
