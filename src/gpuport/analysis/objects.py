"""Where the instances of the module's classes go, and where their attributes live.

The functions through which instances pass are looked at together: an attribute, a parameter and a
result are nodes that all of them share, so that one cut of the graph places the whole. Functions
among them need no boundary; what calls them is seen. An instance that goes anywhere else opens its
class: its attributes are again values of which nothing is known.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from gpuport.analysis.classes import ClassFacts
from gpuport.analysis.graph import Graph, Node, Reason, keeps
from gpuport.analysis.unit import Flow, Refused, Unit
from gpuport.analysis.values import (
    EMPTY,
    UNKNOWN,
    Array,
    Either,
    Mapping,
    Number,
    Object,
    Scalar,
    Sequence,
    Tuple,
    Unknown,
    Value,
    elements,
    is_container,
    join,
    objects_in,
    on_device_possible,
)
from gpuport.source.names import FunctionNode, Scope

if TYPE_CHECKING:
    from gpuport.analysis.calls import Argument
    from gpuport.analysis.following import Following
    from gpuport.analysis.project import Project

_MOST_ROUNDS = 10
"""Rounds over the functions until nothing more is learned."""

_DEEPEST = 4
"""Loops around a call beyond which one more makes no difference."""

Key = tuple[int, str]
K = TypeVar("K")


@dataclass(slots=True)
class Learned:
    """What one round learned, which the next one starts from.

    Attributes
    ----------
    attributes : dict
        By class and name.
    parameters : dict
        By function and name: what the calls give.
    placed : set
        Parameters that are given values with a place.
    results : dict
        By function.
    kept : set
        Functions whose result may be something that others hold too.
    shared : set
        Parameters that a function may keep or change: of others a copy does as well.
    contents : dict
        What the containers among all these hold.
    depths : dict
        How many loops are around the calls of a function, at most.
    """

    attributes: dict[tuple[str, str], Value] = field(default_factory=dict)
    parameters: dict[Key, Value] = field(default_factory=dict)
    placed: set[Key] = field(default_factory=set)
    results: dict[int, Value] = field(default_factory=dict)
    kept: set[int] = field(default_factory=set)
    shared: set[Key] = field(default_factory=set)
    contents: dict[tuple[object, str], Value] = field(default_factory=dict)
    depths: dict[int, int] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Objects:
    """The classes that are followed, and the functions through which their instances pass."""

    following: Following
    classes: dict[str, ClassFacts]
    members: dict[int, Scope] = field(default_factory=dict)
    units: dict[int, Unit] = field(default_factory=dict)
    opened: dict[str, Reason] = field(default_factory=dict)
    before: Learned = field(default_factory=Learned)
    now: Learned = field(default_factory=Learned)
    nodes: dict[tuple[object, str], Node] = field(default_factory=dict)
    common: Graph = field(default_factory=Graph)
    grown: bool = False
    seen: set[int] = field(default_factory=set)

    @property
    def project(self) -> Project:
        """The module's functions."""
        return self.following.project

    # ------------------------------------------------------------------ rounds

    def settle(self) -> bool:
        """Look at all members until nothing more is learned; False where a class was opened."""
        for _ in range(_MOST_ROUNDS):
            self._round()
            if self.opened:
                return False
            self.now.shared = self.before.shared | self._shared()
            self.now.contents = self._contents()
            if self.now == self.before and not self.grown:
                self._close()
                return not self.opened
            self.before, self.grown = self.now, False
        for facts in self.classes.values():
            self.open(facts.name, facts.node, "what they hold changes from call to call")
        return False

    def _round(self) -> None:
        self.now, self.units, self.nodes, self.common = Learned(), {}, {}, Graph()
        self.seen = set()
        calls = self.project.calls_so_far()
        for scope in list(self.members.values()):
            if isinstance(scope.node, ast.Module):
                self.interpret(scope)
        for scope in list(self.members.values()):
            self.interpret(scope)
        if self.grown or self.now != self.before:
            self.project.forget_calls(calls)

    def interpret(self, scope: Scope) -> None:
        """Look at one member, once in a round."""
        if id(scope.node) in self.units or isinstance(scope.node, (ast.ClassDef, ast.Lambda)):
            return
        unit = self.project.member_unit(scope, self)
        unit.depth = self.before.depths.get(id(scope.node), 0)
        self.units[id(scope.node)] = unit
        try:
            self._interpret(unit)
        except Refused as refused:
            self._open_all(scope, refused.reason)

    def _interpret(self, unit: Unit) -> None:
        from gpuport.analysis import statements

        node = unit.node
        if isinstance(node, ast.Module):
            statements.run(unit, node.body)
            self._check_module(unit)
            return
        reason = self.project.portable(unit.scope)
        if reason is not None:
            raise Refused(reason)
        self._enter(unit, node)
        statements.run(unit, node.body)
        result: Value = Scalar("None") if unit.returns is None else _plain(unit.returns)
        self.now.results[id(node)] = result

    def _open_all(self, scope: Scope, reason: Reason) -> None:
        """A function that cannot be followed opens its class, or all whose instances it sees."""
        owner = scope.parent.name if scope.parent is not None else ""
        names = [owner] if owner in self.classes else list(self.classes)
        for name in names:
            found = Reason("GP913", _message(reason.message), reason.node, "attributes-on-host")
            self.opened.setdefault(name, found)

    def _check_module(self, unit: Unit) -> None:
        """Instances that functions read as names of the module cannot be followed."""
        for scope in self.project.inner_scopes():
            for name in scope.loads:
                flow = unit.env.get(name)
                if flow is not None and not scope.binds(name):
                    for owner in objects_in(flow.value):
                        self.open(owner, scope.node, f"`{name}` is a name of the module")

    def _shared(self) -> set[Key]:
        sizes = Counter(id(n.root()) for n in self._every_node())
        shared = set()
        for (owner, name), node in self.nodes.items():
            if not isinstance(owner, int) or not name or owner not in self.units:
                continue
            root = node.root()
            elsewhere = root.pinned is not None and keeps(root.pinned)
            kept = elsewhere or name in self.units[owner].escaped
            if sizes[id(root)] > 1 or root.mutated or kept:
                shared.add((owner, name))
        return shared

    def _contents(self) -> dict[tuple[object, str], Value]:
        found = {}
        for key, node in self.nodes.items():
            contents = node.root().contents
            if contents is not None:
                found[key] = _plain(contents)
        return found

    def _every_node(self) -> Iterator[Node]:
        yield from self.common.nodes
        for unit in self.units.values():
            yield from unit.graph.nodes

    def graph(self) -> Graph:
        """The graphs of all members as one."""
        whole = Graph()
        whole.nodes = list(self._every_node())
        for unit in self.units.values():
            whole.uses.update(unit.graph.uses)
        return whole

    def open(self, name: str, node: ast.AST, why: str) -> None:
        """An instance goes where it cannot be followed."""
        if name in self.classes:
            reason = Reason("GP913", _message(why), node, "attributes-on-host")
            self.opened.setdefault(name, reason)

    # ------------------------------------------------------------------ instances as values

    def lost(self, node: ast.AST, after: Value, *before: Value) -> None:
        """Open the classes of instances that a claim says nothing of any more."""
        held = frozenset().union(*map(objects_in, before)) - objects_in(after)
        for name in held:
            self.open(name, node, "an instance is mixed with other things")

    def _close(self) -> None:
        """What the attributes hold decides whether they may be on the device at all."""
        for unit in self.units.values():
            for expression, value in unit.unfollowed.values():
                text = unit.module.segment(expression)[:60]
                line = unit.module.line(expression)
                for name in objects_in(value):
                    self.open(name, expression, f"`{text}` on line {line} goes to other code")
        for made, call in self.following.unseen_calls(self):
            for owner in self.classes if made is None else (made,):
                self.open(owner, call, "it is handled by code that is not looked into")
        for (owner, name), value in self.now.attributes.items():
            node = self.nodes.get((owner, name))
            facts = self.classes.get(owner)
            if node is not None and facts is not None:
                _pin_undecided(self.common, node, value, f"{owner}.{name}", facts.node)

    # ------------------------------------------------------------------ attributes

    def node(self, owner: object, name: str, label: str) -> Node:
        """The storage that all members share: of an attribute, a parameter or a result."""
        key = (owner, name)
        if key not in self.nodes:
            self.nodes[key] = self.common.node(label)
            self.nodes[key].contents = self.before.contents.get(key)
        return self.nodes[key]

    def attribute(self, unit: Unit, node: ast.Attribute, held: Object) -> Flow:
        """``instance.name`` read."""
        facts, name = self.classes.get(held.name), node.attr
        if facts is None:
            return Flow(UNKNOWN)
        if name in facts.properties:
            return self.call(unit, node, facts.methods[name], [], held)
        if name in facts.methods or name in facts.static or name.startswith("__"):
            self.open(held.name, node, f"`{unit.module.segment(node)}` is handed on as a value")
            return Flow(UNKNOWN)
        key = held.name, name
        value = self.before.attributes.get(key, self.now.attributes.get(key))
        if value is None and name in facts.constants:
            value = _constant(facts.constants[name])
        if value is None or isinstance(value, Unknown):
            return Flow(Unknown(f"`{unit.module.segment(node)}`"))
        if not on_device_possible(value):
            return Flow(value)
        return unit.refresh(Flow(value, self.node(held.name, name, name)))

    def store(
        self, unit: Unit, target: ast.AST, owner: str, name: str, expression: ast.expr, flow: Flow
    ) -> None:
        """``instance.name = value``."""
        facts = self.classes.get(owner)
        if facts is None:
            return
        if name in facts.methods or name in facts.static or name.startswith("__"):
            self.open(owner, target, f"`{name}` is bound anew")
            return
        self._learn(target, self.now.attributes, (owner, name), _plain(flow.value))
        if name in facts.constants:
            constant = _constant(facts.constants[name])
            if constant is not None:
                self._learn(target, self.now.attributes, (owner, name), constant)
        unit.follow(expression)
        if on_device_possible(flow.value) and flow.origin is not None:
            self._pass(unit, expression, flow, self.node(owner, name, name))

    def update(self, unit: Unit, target: ast.expr, owner: str, name: str, result: Flow) -> None:
        """``instance.name += value`` of a number: the attribute is bound to the result."""
        self._learn(target, self.now.attributes, (owner, name), _plain(result.value))
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
        if known is not None:
            self.lost(node, joined, known, value)
        into[key] = joined

    def _pass(self, unit: Unit, expression: ast.expr, flow: Flow, node: Node) -> None:
        """A value gets another holder: a new one may be moved on the way, others are shared."""
        assert flow.origin is not None
        if flow.fresh and not is_container(flow.value):
            unit.use(expression, flow, node)
        else:
            unit.graph.unite(node, flow.origin)

    # ------------------------------------------------------------------ calls

    def static(self, unit: Unit, function: ast.Attribute) -> FunctionNode | None:
        """The function that ``Class.name`` is, where it takes no instance."""
        base = function.value
        if not isinstance(base, ast.Name) or base.id in unit.env:
            return None
        facts = self.classes.get(base.id)
        return facts.static.get(function.attr) if facts is not None else None

    def construct(self, unit: Unit, node: ast.Call, name: str, args: list[Argument]) -> Flow:
        """``Class(...)``."""
        self.seen.add(id(node))
        facts = self.classes[name]
        made = Object(name)
        if "__init__" in facts.methods:
            self.call(unit, node, facts.methods["__init__"], args, made)
        elif facts.fields is not None:
            self._fill(unit, node, facts, args)
            if "__post_init__" in facts.methods:
                self.call(unit, node, facts.methods["__post_init__"], [], made)
        return Flow(made)

    def _fill(self, unit: Unit, node: ast.Call, facts: ClassFacts, args: list[Argument]) -> None:
        """The ``__init__`` of a dataclass."""
        from gpuport.analysis.expressions import evaluate, kept

        assert facts.fields is not None
        given = [f.name for f in facts.fields if f.given]
        for argument in args:
            position = argument.position
            name = argument.keyword
            if position is not None and position < len(given):
                name = given[position]
            if name is None or name not in given:
                self.open(facts.name, node, "what it is made with cannot be told")
                continue
            flow = kept(unit, argument.expression, argument.flow)
            self.store(unit, node, facts.name, name, argument.expression, flow)
        for one in facts.fields:
            if one.default is not None:
                plain = not isinstance(one.default, ast.Call)
                usual = Flow(_constant(one.default) or UNKNOWN)
                flow = usual if plain else evaluate(unit, one.default)
                self.store(unit, node, facts.name, one.name, one.default, flow)

    def call(
        self, unit: Unit, node: ast.expr, function: FunctionNode, args: list[Argument],
        instance: Object | None,
    ) -> Flow:  # fmt: skip
        """A call of a member: its parameters and its result are nodes of the common graph."""
        from gpuport.analysis.subscripts import keep_element

        unit.calls_project = True
        self.seen.add(id(node))
        depth = min(unit.depth + len(unit.loops), _DEEPEST)
        self.now.depths[id(function)] = max(depth, self.now.depths.get(id(function), 0))
        names = _names(function)[0 if instance is None else 1 :]
        spread = isinstance(node, ast.Call) and _spreads(node)
        for argument in args:
            name = _lands(names, argument)
            if name is None or spread:
                continue
            flow = keep_element(unit, argument.expression, argument.flow)
            self._give(unit, argument.expression, function, name, flow)
        if spread or any(_lands(names, a) is None for a in args):
            self._give_anything(unit, node, function, names, args)
        self.interpret(self.project.scope_of(function))
        return self._result(node, function)

    def _give(
        self, unit: Unit, expression: ast.expr, function: FunctionNode, name: str, flow: Flow
    ) -> None:
        key = id(function), name
        self._learn(expression, self.now.parameters, key, _plain(flow.value))
        unit.follow(expression)
        if flow.origin is None or not on_device_possible(flow.value):
            return
        self.now.placed.add(key)
        parameter = self.node(id(function), name, name)
        if key not in self.before.shared and not is_container(flow.value):
            unit.use(expression, flow, parameter)
        else:
            self._pass(unit, expression, flow, parameter)

    def _give_anything(
        self, unit: Unit, node: ast.expr, function: FunctionNode, names: list[str],
        args: list[Argument],
    ) -> None:  # fmt: skip
        """A call whose arguments cannot be matched with the parameters."""
        reason = Reason(
            "GP902", "the arguments of this call cannot be told one by one", node, "unknown-call"
        )
        for argument in args:
            unit.escape(argument.expression, argument.flow, reason)
        for name in names:
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
        self.grown = self.following.admit(self, self.project.scope_of(function)) or self.grown
        return id(function) in self.members

    # ------------------------------------------------------------------ what is given

    def _enter(self, unit: Unit, node: FunctionNode) -> None:
        names, first = _names(node), 0
        owner = unit.scope.parent.name if unit.scope.parent is not None else ""
        facts = self.classes.get(owner)
        if facts is not None and facts.methods.get(node.name) is node:
            unit.env[names[0]] = Flow(Object(owner))
            first = 1
        defaults = _defaults(node)
        for name in names[first:]:
            self._enter_parameter(unit, node, name, defaults.get(name))
        for extra in (node.args.vararg, node.args.kwarg):
            if extra is not None:
                unit.env[extra.arg] = Flow(Unknown(f"`*{extra.arg}`"))

    def _enter_parameter(
        self, unit: Unit, node: FunctionNode, name: str, default: ast.expr | None
    ) -> None:
        key = id(node), name
        value = self.before.parameters.get(key, self.now.parameters.get(key))
        if default is not None:
            usual = _constant(default) or UNKNOWN
            value = usual if value is None else join(value, usual)
        if value is None or isinstance(value, Unknown):
            unit.env[name] = Flow(Unknown(f"`{name}`"))
            if key in self.nodes:
                _pin_undecided(self.common, self.nodes[key], UNKNOWN, name, node)
            return
        placed = key in self.before.placed or key in self.now.placed
        if not on_device_possible(value) or not (placed or not isinstance(value, Number)):
            unit.env[name] = Flow(value)
            return
        held = self.node(id(node), name, name)
        held.root().parameters.add(name)
        if is_container(value):
            contents = elements(value)
            if contents is not None:
                known = held.root().contents
                held.root().contents = contents if known is None else join(known, contents)
        _pin_undecided(self.common, held, value, name, node)
        unit.env[name] = Flow(value, held)


def _message(why: str) -> str:
    return f"attributes stay NumPy arrays: {why}"


def _pin_undecided(graph: Graph, node: Node, value: Value, name: str, at: ast.AST) -> None:
    """What may be an array or something else is nowhere but on the host for certain."""
    undecided = isinstance(value, (Unknown, Either)) or (
        isinstance(value, Number) and not value.numpy_scalar
    )
    strange = isinstance(value, Array) and value.dtype is not None and _foreign(value.dtype)
    if undecided or strange:
        graph.pin(
            node,
            Reason(
                "GP905" if strange else "GP901",
                f"unknown type: `{name}` may be an array or something else" if undecided
                else f"`{name}` has a dtype that CuPy has no arrays of",
                at,
                "object-dtype" if strange else "unknown-type",
            ),
        )  # fmt: skip


def _foreign(dtype: str) -> bool:
    import numpy as np

    from gpuport.analysis.probing import DEVICE_DTYPES

    try:
        return np.dtype(dtype).char not in DEVICE_DTYPES
    except TypeError:
        return True


def _plain(value: Value) -> Value:
    """A claim that outlives the function in which it was made."""
    if isinstance(value, Array):
        return Array(value.dtype, value.rank, optional=value.optional)
    if isinstance(value, Either):
        return Either(value.dtype, optional=value.optional, python=value.python)
    if isinstance(value, Tuple):
        return Tuple(tuple(map(_plain, value.items)))
    if isinstance(value, Sequence):
        return Sequence(value.of if value.of == EMPTY else _plain(value.of), value.list)
    if isinstance(value, Mapping):
        return Mapping(value.of if value.of == EMPTY else _plain(value.of))
    if isinstance(value, Scalar):
        return Scalar(value.type)
    if isinstance(value, Unknown):
        return UNKNOWN
    return value


def _constant(node: ast.expr | None) -> Value | None:
    """A literal as a claim; `Unknown` for anything else, None for nothing."""
    if node is None:
        return None
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    if isinstance(node, ast.Constant):
        kind = type(node.value)
        return Scalar("None" if node.value is None else kind.__name__)
    if isinstance(node, ast.Tuple):
        return Tuple(tuple(_constant(e) or UNKNOWN for e in node.elts))
    return UNKNOWN


def _names(function: FunctionNode) -> list[str]:
    args = function.args
    return [a.arg for a in (*args.posonlyargs, *args.args, *args.kwonlyargs)]


def _defaults(function: FunctionNode) -> dict[str, ast.expr]:
    args = function.args
    positional = [a.arg for a in (*args.posonlyargs, *args.args)]
    found = dict(zip(positional[::-1], args.defaults[::-1], strict=False))
    for argument, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        if default is not None:
            found[argument.arg] = default
    return found


def _lands(names: list[str], argument: Argument) -> str | None:
    if argument.keyword is not None:
        return argument.keyword if argument.keyword in names else None
    position = argument.position
    return names[position] if position is not None and position < len(names) else None


def _spreads(node: ast.Call) -> bool:
    return any(isinstance(a, ast.Starred) for a in node.args) or any(
        k.arg is None for k in node.keywords
    )


__all__ = ["Objects"]
