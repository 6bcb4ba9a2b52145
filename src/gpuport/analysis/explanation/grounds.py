"""Where what is known of an expression comes from, and what would settle what is not known."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from gpuport.analysis.explanation.causes import Causes, advice, arguments, bound_from
from gpuport.analysis.explanation.trace import CallSite
from gpuport.analysis.explanation.words import describe
from gpuport.analysis.functions.evidence import Ground, judge
from gpuport.analysis.functions.uses import Use, Uses
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.values.lattice import (
    UNKNOWN,
    Instance,
    Scalar,
    Unknown,
    Value,
    is_arraylike,
    is_container,
)
from gpuport.records import Fact
from gpuport.rules.libraries import library_of
from gpuport.rules.numpynames import as_numpy
from gpuport.source.parameters import default_values

_OPERATORS = (ast.BinOp, ast.UnaryOp, ast.Compare)
_WRITTEN = (ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.JoinedStr)


@dataclass
class Grounds:
    """The grounds of one traced function."""

    unit: Unit

    @cached_property
    def entered(self) -> dict[str, Flow]:
        """What each parameter was taken for when the body was entered."""
        node = self.unit.node
        if isinstance(node, ast.Module):
            return {}
        args = node.args
        found = {}
        for argument in (*args.posonlyargs, *args.args, *args.kwonlyargs):
            value, _ = self._judged(argument)
            value = self.unit.parameters.initial.get(argument.arg, value)
            found[argument.arg] = Flow(value, self.unit.parameters.nodes.get(argument.arg))
        return found

    def of(self, node: ast.AST, flow: Flow) -> Iterator[Fact]:
        """Every ground for what is known of an expression, the strongest first."""
        if isinstance(node, ast.arg):
            yield from self._parameter(node)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield from self._target(node)
        elif isinstance(node, ast.Name):
            yield from self._name(node)
        elif isinstance(node, ast.Call):
            yield self.call(node)
        elif isinstance(node, ast.Attribute):
            yield self._attribute(node)
        elif isinstance(node, ast.Subscript):
            yield self._subscript(node)
        elif isinstance(node, _OPERATORS):
            yield self._operator(node)
        elif isinstance(node, ast.IfExp):
            yield Fact("join", "what is true of both branches", self._line(node))
        elif isinstance(node, _WRITTEN):
            yield Fact("literal", "written out here", self._line(node))
        elif isinstance(flow.value, Unknown):
            yield Fact("unknown", f"{type(node).__name__} is not followed", self._line(node))
        else:
            yield Fact("language", f"what {type(node).__name__} gives in Python", self._line(node))
        trace = self.unit.trace
        earlier = trace.earlier.get(id(node), []) if trace is not None else []
        if earlier and earlier[-1] != flow.value:
            text = ", ".join(dict.fromkeys(_told(v) for v in earlier))
            yield Fact("join", f"{text} in the first trips of a loop: the weaker claim holds")

    def _target(self, node: ast.Name) -> Iterator[Fact]:
        """What a name is bound from."""
        source = self._bound_from.get(id(node))
        trace = self.unit.trace
        found = trace.flows.get(id(source)) if trace is not None and source is not None else None
        if source is None or found is None:
            return
        text = " ".join(self.unit.module.segment(source).split())[:60]
        line = self._line(source)
        yield Fact("binding", f"bound to, or to a part of, `{text}`", line)
        if not isinstance(source, ast.Name):
            yield from self.of(source, found[1])

    def _name(self, node: ast.Name) -> Iterator[Fact]:
        trace = self.unit.trace
        bindings = trace.bindings.get(node.id, {}) if trace is not None else {}
        parameter = self._arguments.get(node.id)
        if parameter is not None:
            yield from self._parameter(parameter)
        for target, flow in bindings.values():
            if target is not node:
                line = self._line(target)
                yield Fact("binding", f"bound on line {line}: {_told(flow.value)}", line)
        if len(bindings) + (parameter is not None) > 1 and isinstance(node.ctx, ast.Load):
            yield Fact("join", f"what holds for every binding of `{node.id}` that reaches here")
        if bindings or parameter is not None:
            return
        owner = self.unit.scope.owner(node.id)
        if owner is None:
            yield Fact("unknown", f"nothing binds `{node.id}` in this file")
        elif owner is self.unit.project.root:
            value = self.unit.project.constant(node.id)
            known = not isinstance(value, Unknown)
            how = f"the module binds it once: {_told(value)}" if known else (
                "a name of the module that is bound more than once, by an import or in a way "
                "that is not followed")  # fmt: skip
            yield Fact("binding" if known else "unknown", how)
        else:
            yield Fact("unknown", f"`{node.id}` belongs to the function around this one")

    @cached_property
    def _arguments(self) -> dict[str, ast.arg]:
        return arguments(self.unit.node)

    def _judged(self, argument: ast.arg) -> tuple[Value, Ground]:
        node = self.unit.node
        assert not isinstance(node, ast.Module)
        default = default_values(node.args).get(argument.arg)
        seen = self.unit.project.calls.of(node).get(argument.arg)
        return judge(argument, default, seen, self._uses.of(argument.arg))

    @cached_property
    def _uses(self) -> _Located:
        project, node = self.unit.project, self.unit.node
        assert not isinstance(node, ast.Module)
        plain = project.uses.of(self.unit.scope, node)
        located = _Located(plain.scope, plain.names, plain.takes, plain.taken, plain.indices)
        for statement in node.body if plain.names else ():
            located.collect(statement, project.module.nodes)
        return located

    def _parameter(self, argument: ast.arg) -> Iterator[Fact]:
        node = self.unit.node
        assert not isinstance(node, ast.Module)
        name, line = argument.arg, self._line(argument)
        value, ground = self._judged(argument)
        if ground is Ground.ANNOTATION and argument.annotation is not None:
            text = self.unit.module.segment(argument.annotation)
            yield Fact("annotation", f"annotated `{text}` on line {line}", line)
        elif argument.annotation is not None:
            text = self.unit.module.segment(argument.annotation)
            yield Fact("unknown", f"its annotation `{text}` says nothing of arrays", line)
        sites = self.unit.project.calls.traced.get((id(node), name), {})
        if ground is Ground.CALL_SITE:
            yield from self._call_sites(sites)
        default = default_values(node.args).get(name)
        if ground is Ground.DEFAULT and default is not None:
            text = self.unit.module.segment(default)
            yield Fact("default", f"its default is `{text}`", self._line(default))
        if ground in (Ground.USE, Ground.CALL_SITE):
            yield from self._located(name)
        if ground is Ground.NOTHING or isinstance(value, Unknown):
            yield from self._call_sites(sites)
            yield from self._located(name)
            yield Fact("unknown", f"nothing says whether the parameter `{name}` is an array", line)
        if name in self.unit.parameters.required:
            yield Fact("use", f"`{name}` must be an array: the boundary sees to it at run time")

    def _call_sites(self, sites: dict[int, CallSite]) -> Iterator[Fact]:
        for site in sites.values():
            line = self._line(site.call)
            yield Fact("call-site", f"the call on line {line} passes {_told(site.value)}", line)

    def _located(self, name: str) -> Iterator[Fact]:
        for what, place in self._uses.places.get(name, {}).items():
            node = place.iter if isinstance(place, ast.comprehension) else place
            text = " ".join(self.unit.module.segment(node).split())[:60]
            line = self._line(node)
            yield Fact("use", f"{_USES[what]} on line {line}: `{text}`", line)

    def call(self, node: ast.Call) -> Fact:
        """Where what a call gives is known from."""
        unit, line = self.unit, self._line(node)
        path = unit.scope.resolve(node.func)
        base = self.base(node)
        if path is not None:
            path = as_numpy(path)
        elif base is not None and is_arraylike(base):
            assert isinstance(node.func, ast.Attribute)
            path = f"numpy.ndarray.{node.func.attr}"
        elif isinstance(base, Instance) and isinstance(node.func, ast.Attribute):
            path = f"{base.path}.{node.func.attr}"
        if path is not None:
            return self._named_call(node, path)
        name = node.func.id if isinstance(node.func, ast.Name) else None
        function = unit.project.root.functions.get(name) if name is not None else None
        if function is not None and unit.project.function_called(unit, name or "") is not None:
            at = self._line(function)
            return Fact("function", f"what `{name}` (line {at}) gives back", at)
        if base is not None and is_container(base):
            return Fact("language", f"what the method of the {_told(base)} gives", line)
        if isinstance(base, Scalar):
            return Fact("language", "what the method of a Python value gives", line)
        text = " ".join(unit.module.segment(node.func).split())[:60]
        return Fact("unknown", f"nothing is known of what `{text}` gives back", line)

    def _named_call(self, node: ast.Call, path: str) -> Fact:
        unit, line = self.unit, self._line(node)
        rules = unit.knowledge.rules
        library = library_of(path)
        rule = rules.host(path)
        swapped = rules.swap(path, unsafe=unit.knowledge.unsafe) if library is not None else None
        if rule is not None and swapped is None:
            return Fact("rule", f"rule {rule.id}: {rule.summary}", line)
        if library is not None:
            known = unit.knowledge.tables.entry(path) is not None
            if known:
                return Fact("probe", f"`{path}` was asked with small arrays of these kinds", line)
            return Fact("unknown", f"`{path}` is not in the tables of {library.name}", line)
        if path.startswith("builtins."):
            return Fact("language", f"what Python's `{path.partition('.')[2]}` gives", line)
        return Fact("unknown", f"no rule says what `{path}` does or gives back", line)

    def base(self, node: ast.Call) -> Value | None:
        """What a method is called on."""
        if not isinstance(node.func, ast.Attribute) or self.unit.trace is None:
            return None
        found = self.unit.trace.flows.get(id(node.func.value))
        return found[1].value if found is not None else None

    def _attribute(self, node: ast.Attribute) -> Fact:
        path = self.unit.scope.resolve(node)
        if path is not None:
            return Fact("probe", f"`{path}` was looked up", self._line(node))
        trace = self.unit.trace
        base = trace.flows.get(id(node.value)) if trace is not None else None
        if base is not None and is_arraylike(base[1].value):
            return Fact("probe", f"`.{node.attr}` of a small array of this kind", self._line(node))
        return Fact("unknown", f"nothing is known of the attribute `.{node.attr}`",
                    self._line(node))  # fmt: skip

    def _subscript(self, node: ast.Subscript) -> Fact:
        trace = self.unit.trace
        base = trace.flows.get(id(node.value)) if trace is not None else None
        if base is not None and is_arraylike(base[1].value):
            return Fact("probe", "a small array of this kind was indexed so", self._line(node))
        if base is not None and is_container(base[1].value):
            return Fact("language", f"an item of the {_told(base[1].value)}", self._line(node))
        return Fact("unknown", "nothing is known of what is indexed", self._line(node))

    def _operator(self, node: ast.AST) -> Fact:
        name = type(getattr(node, "op", None) or getattr(node, "ops", [node])[0]).__name__
        message = f"the operator {name} was tried on small values of these kinds"
        return Fact("probe", message, self._line(node))

    def settle(self, node: ast.AST) -> str | None:
        """What to write down so that an unknown value becomes known."""
        cause = Causes(self.unit, lambda call: self.call(call).source == "probe").of(node)
        return advice(cause, self.unit.name) if cause is not None else None

    @cached_property
    def _bound_from(self) -> dict[int, ast.expr]:
        return bound_from(self.unit.node)

    def _line(self, node: ast.AST) -> int:
        return self.unit.module.line(node)


def _told(value: Value) -> str:
    return describe(value) if value != UNKNOWN else "something unknown"


_USES = {
    "array": "used as an array",
    "passed": "given to NumPy",
    "operand": "an operand",
    "number": "used as a number",
    "item": "indexed",
    "element": "indexed by a loop variable",
    "sized": "its length is asked for",
    "mapping": "used as a dict",
    "other": "used in another way",
}


class _Located(Uses):
    """How parameters are used, and where for the first time."""

    places: dict[str, dict[str, ast.AST]]

    def __init__(self, *args: object) -> None:
        super().__init__(*args)  # type: ignore[arg-type]
        self.places = {}

    def _look(self, node: ast.AST) -> None:
        before = {name: _flags(use) for name, use in self.found.items()}
        super()._look(node)
        for name, use in self.found.items():
            for flag in _flags(use) - before.get(name, frozenset()):
                self.places.setdefault(name, {})[flag] = node


def _flags(use: Use) -> frozenset[str]:
    return frozenset(flag for flag in _USES if getattr(use, flag))


__all__ = ["Grounds"]
