"""What an unknown value comes from: the first thing on the way of which nothing is known."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.values.lattice import EMPTY, Unknown
from gpuport.source.syntax import walk

_DEEPEST = 12
"""Steps back from an unknown value to what it came from."""


@dataclass(frozen=True, slots=True)
class Cause:
    """``kind`` is ``parameter``, ``call`` or ``value``; ``text`` is it as written."""

    kind: str
    text: str
    line: int


def advice(cause: Cause, function: str) -> str:
    """What to write down so that what came of a cause becomes known."""
    text, line = cause.text, cause.line
    if cause.kind == "parameter":
        return (
            f"annotate the parameter `{text}` of `{function}` (line {line}): "
            f"`{text}: np.ndarray`, or the number that it is"
        )
    if cause.kind == "call":
        return (
            f"nothing is known of `{text}` (line {line}): give its result to a function whose "
            "parameter is annotated, `x: np.ndarray`; or write a host rule for it"
        )
    return (
        f"nothing is known of `{text}` (line {line}): give it to a function as an argument whose "
        "parameter is annotated, `x: np.ndarray`"
    )


@dataclass
class Causes:
    """Finds causes in one traced function.

    Parameters
    ----------
    unit : Unit
    follows : callable
        Whether what a call gives depends on its arguments alone: then these are looked at.
    """

    unit: Unit
    follows: Callable[[ast.Call], bool]
    _seen: set[int] = field(default_factory=set)

    def of(self, node: ast.AST) -> Cause | None:
        """The cause of an unknown value."""
        self._seen.clear()
        return self._cause(node, 0)

    def _cause(self, node: ast.AST, depth: int) -> Cause | None:
        if depth > _DEEPEST or id(node) in self._seen:
            return None
        self._seen.add(id(node))
        line = self._line(node)
        if isinstance(node, ast.arg):
            return Cause("parameter", node.arg, line)
        if isinstance(node, ast.Name):
            return self._cause_of_name(node, depth)
        inner = self._unknown_parts(node)
        if isinstance(node, ast.Call):
            # What it is given decides only where it is a function of NumPy's.
            method = isinstance(node.func, ast.Attribute) and node.func.value in inner
            if not self.follows(node) and not method:
                text = " ".join(self.unit.module.segment(node.func).split())[:60]
                return Cause("call", text, line)
        for part in inner:
            cause = self._cause(part, depth + 1)
            if cause is not None:
                return cause
        text = " ".join(self.unit.module.segment(node).split())[:60]
        return Cause("call" if isinstance(node, ast.Call) else "value", text, line)

    def _unknown_parts(self, node: ast.AST) -> list[ast.expr]:
        trace = self.unit.trace
        flows = trace.flows if trace is not None else {}
        parts: list[ast.expr] = []
        pending = list(ast.iter_child_nodes(node))
        for child in pending:
            if isinstance(child, ast.keyword):
                child = child.value
            if not isinstance(child, ast.expr):
                continue
            found = flows.get(id(child))
            if found is not None:
                value = found[1].value
                if isinstance(value, Unknown) and value != EMPTY:
                    parts.append(child)
            elif isinstance(child, ast.Attribute):
                parts.extend(self._unknown_parts(child))
        return parts

    def _cause_of_name(self, node: ast.Name, depth: int) -> Cause | None:
        name, line = node.id, self._line(node)
        trace = self.unit.trace
        bindings = trace.bindings.get(name, {}) if trace is not None else {}
        if not bindings and name in self._arguments:
            return Cause("parameter", name, self._line(self._arguments[name]))
        for target, flow in bindings.values():
            if not isinstance(flow.value, Unknown):
                continue
            expression = self._bound_from.get(id(target))
            cause = self._cause(expression, depth + 1) if expression is not None else None
            if cause is not None:
                return cause
        if name in self._arguments:
            return Cause("parameter", name, self._line(self._arguments[name]))
        return Cause("value", name, line)

    @cached_property
    def _bound_from(self) -> dict[int, ast.expr]:
        return bound_from(self.unit.node)

    @cached_property
    def _arguments(self) -> dict[str, ast.arg]:
        return arguments(self.unit.node)

    def _line(self, node: ast.AST) -> int:
        return self.unit.module.line(node)


def arguments(node: ast.AST) -> dict[str, ast.arg]:
    """The parameters of a function, by name; none for the module."""
    args = getattr(node, "args", None)
    if not isinstance(args, ast.arguments):
        return {}
    extra = [a for a in (args.vararg, args.kwarg) if a is not None]
    return {a.arg: a for a in (*args.posonlyargs, *args.args, *args.kwonlyargs, *extra)}


@lru_cache(maxsize=64)
def bound_from(function: ast.AST) -> dict[int, ast.expr]:
    """The expression that each target of a function is bound from, by the target's id."""
    found: dict[int, ast.expr] = {}
    for node in walk(function):
        pairs: list[tuple[ast.expr, ast.expr]] = []
        if isinstance(node, ast.Assign):
            pairs = [(t, node.value) for t in node.targets]
        elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
            pairs = [(node.target, node.value)]
        elif isinstance(node, (ast.For, ast.comprehension)):
            pairs = [(node.target, node.iter)]
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            pairs = [(node.optional_vars, node.context_expr)]
        for target, value in pairs:
            found.update((id(inner), value) for inner in walk(target))
    return found


__all__ = ["Cause", "Causes", "advice", "arguments", "bound_from"]
