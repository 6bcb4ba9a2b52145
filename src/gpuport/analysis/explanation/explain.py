"""What is known of the expressions of a line, and why: read off the analysis itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from gpuport.analysis.explanation.causes import arguments
from gpuport.analysis.explanation.grounds import Grounds
from gpuport.analysis.explanation.words import describe, kind_of
from gpuport.analysis.functions.summaries import Analysed
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.placement.graph import Place
from gpuport.analysis.values.lattice import (
    EMPTY,
    Unknown,
    is_arraylike,
    on_device_possible,
)
from gpuport.records import KnownValue
from gpuport.rules.numpynames import as_numpy, positional_name


@dataclass
class Effects:
    """The effects of the calls of one traced function."""

    grounds: Grounds

    def of(self, node: ast.Call) -> Iterator[str]:
        """What a call does beyond giving its result, in words."""
        fact = self.grounds.call(node)
        unit = self.grounds.unit
        path = unit.scope.resolve(node.func)
        base = self.grounds.base(node)
        if path is None and base is not None and is_arraylike(base):
            assert isinstance(node.func, ast.Attribute)
            path = f"numpy.ndarray.{node.func.attr}"
        if fact.source == "rule" and path is not None:
            yield from self._host_effects(as_numpy(path))
        elif fact.source == "function" and isinstance(node.func, ast.Name):
            yield from self._function_effects(node.func.id)
        elif fact.source == "probe" and path is not None:
            yield from self._numpy_effects(as_numpy(path), node)
        elif fact.source == "unknown":
            yield "may change or keep what it is given"

    def _host_effects(self, path: str) -> Iterator[str]:
        rule = self.grounds.unit.knowledge.rules.host(path)
        if rule is None:
            return
        if rule.source:
            yield "gives values of the host"
        if rule.sink:
            yield "wants values of the host"
        if rule.retains:
            yield "may keep what it is given"
        if rule.mutates:
            yield "changes " + ", ".join(f"`{m}`" for m in rule.mutates)
        if not (rule.retains or rule.mutates):
            yield "changes and keeps nothing"

    def _numpy_effects(self, path: str, node: ast.Call) -> Iterator[str]:
        effect = self.grounds.unit.knowledge.rules.effect(path)
        entry = self.grounds.unit.knowledge.tables.entry(path)
        given = {keyword.arg for keyword in node.keywords} | {"self"}
        if entry is not None and entry.parameters is not None:
            parameters = entry.parameters
            by_position = (positional_name(parameters, i) for i in range(len(node.args)))
            given.update(by_position)
        changed = [m for m in effect.mutates if m in given] if effect is not None else []
        if changed:
            yield "changes " + ", ".join(f"`{m}`" for m in changed)
        if effect is not None and effect.view:
            yield "its result may share memory with what it is given"
        if not changed and (effect is None or not effect.view):
            yield "pure"

    def _function_effects(self, name: str) -> Iterator[str]:
        summary = self.grounds.unit.project.function_called(self.grounds.unit, name)
        if summary is None:
            return
        for names, what in (
            (summary.mutated, "changes"),
            (summary.escaped, "may keep or change"),
            (summary.returned, "may give back memory of"),
        ):
            if names:
                yield f"{what} " + ", ".join(f"`{n}`" for n in sorted(names))
        if not (summary.mutated or summary.escaped or summary.returned):
            yield "changes and keeps nothing of its arguments"
        yield "runs on the device" if summary.ported else "stays on the host"


@dataclass(slots=True)
class Explainer:
    """Explains the expressions of one analysed function.

    Parameters
    ----------
    analysed : Analysed
        Of a project that was traced (`Project.tracing`), before it is released.
    crossings : dict of int to str
        Direction of the transfer that an expression is wrapped in, by the id of the expression.
    """

    analysed: Analysed
    crossings: dict[int, str] = field(default_factory=dict)

    @property
    def unit(self) -> Unit:
        """The function."""
        return self.analysed.unit

    def line(self, line: int) -> Iterator[KnownValue]:
        """The values of a line of the user's file, inner expressions before outer ones."""
        trace = self.unit.trace
        if trace is None:
            return
        module = self.unit.module
        grounds = Grounds(self.unit)
        found: dict[int, tuple[ast.AST, Flow]] = {}
        for parameter in arguments(self.unit.node).values():
            flow = grounds.entered.get(parameter.arg)
            if flow is not None and module.line(parameter) == line:
                found[id(parameter)] = parameter, flow
        for expression, flow in trace.flows.values():
            if module.line(expression) == line and not _is_literal(expression):
                found[id(expression)] = expression, flow
        for targets in trace.bindings.values():
            for target, flow in targets.values():
                if isinstance(target, ast.Name) and module.line(target) == line:
                    found[id(target)] = target, flow
        said: set[tuple[str, str, str, str]] = set()
        for node, flow in sorted(found.values(), key=lambda one: self._order(one[0])):
            known = self.value(node, flow, grounds)
            same = known.text, known.description, known.place, known.because
            if same not in said:
                said.add(same)
                yield known

    def _order(self, node: ast.AST) -> tuple[int, int]:
        start, end = self.unit.module.extent(node)
        return end, -start

    def value(self, node: ast.AST, flow: Flow, grounds: Grounds) -> KnownValue:
        """One expression."""
        value = flow.value
        text = node.arg if isinstance(node, ast.arg) else self.unit.module.segment(node)
        place, free, because = self._place(node, flow)
        return KnownValue(
            text=" ".join(text.split()),
            span=self.unit.module.span(node),
            kind=kind_of(value),
            description=describe(value),
            dtype=getattr(value, "dtype", None),
            rank=getattr(value, "rank", None),
            place=place,
            free=free,
            because=because,
            facts=tuple(grounds.of(node, flow)),
            effects=tuple(Effects(grounds).of(node)) if isinstance(node, ast.Call) else (),
            settle=grounds.settle(node) if isinstance(value, Unknown) and value != EMPTY else None,
        )

    def _place(self, node: ast.AST, flow: Flow) -> tuple[str, bool, str]:
        unit = self.unit
        if isinstance(flow.value, Unknown):
            return "host", False, "what is not known is not moved"
        if not on_device_possible(flow.value):
            return "host", False, "a value of Python"
        if unit.refusal is not None:
            line = unit.module.line(unit.refusal.node)
            return "host", False, f"{unit.refusal.message} (line {line})"
        if flow.origin is None:
            return "host", False, "a number of NumPy's, which goes along as it is"
        root = flow.origin.root()
        if self.analysed.placement.of(root) is Place.DEVICE:
            return "device", not root.device_only, self._on_device(node, root.device_only)
        if root.pinned is None:
            return "host", True, "moving it would cost more than the device saves"
        line = unit.module.line(root.pinned.node)
        moved = ", and is moved to the device here" if self._crosses(node, "h2d") else ""
        return "host", False, f"{root.pinned.message} (line {line}){moved}"

    def _on_device(self, node: ast.AST, fixed: bool) -> str:
        if self._crosses(node, "d2h"):
            return "the work is there; it is brought back to the host here"
        return "callers get it from there" if fixed else "the work on it is there"

    def _crosses(self, node: ast.AST, direction: str) -> bool:
        return self.crossings.get(id(node)) == direction


def _is_literal(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp):
        return _is_literal(node.operand)
    if isinstance(node, (ast.Tuple, ast.List)):
        return all(map(_is_literal, node.elts))
    return isinstance(node, (ast.Constant, ast.Slice))


__all__ = ["Explainer", "describe"]
