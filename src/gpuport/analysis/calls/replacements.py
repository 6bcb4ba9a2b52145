"""Calls that the rules write in another way: swaps to another name, patterns."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gpuport.analysis.expressions.evaluation import evaluate
from gpuport.analysis.placement.graph import Node
from gpuport.analysis.values.lattice import Array, Number, Value, is_number
from gpuport.rules.matching import match_rule
from gpuport.rules.rewriting import Refusal, rewrite, swap_call

if TYPE_CHECKING:
    from gpuport.analysis.interpretation.unit import Unit
    from gpuport.rules.matching import Match
    from gpuport.rules.model import PatternRule


def find_replacement(unit: Unit, node: ast.Call, path: str, graph_node: Node) -> bool:
    """Whether a rule says how a call is written for the target; remembered by the unit.

    A rule that is not safe is applied with ``--unsafe`` alone; without it the call is judged as
    it stands.
    """
    rules, unsafe = unit.knowledge.rules, unit.knowledge.unsafe
    swap = rules.swap(path, unsafe=unsafe)
    if swap is not None:
        parts = swap_call(swap, node)
        if not isinstance(parts, Refusal):
            _remember(unit, node, graph_node, parts)
            return True
        unit.pin(
            graph_node,
            "GP103",
            f"unsupported parameter: {parts.reason}",
            node,
            "unsupported-parameter",
            swap.id,
        )
        return True
    for rule, match in _matches(unit, node, path):
        parts = rewrite(rule, match)
        if not isinstance(parts, Refusal):
            _remember(unit, node, graph_node, parts)
            return True
    return False


def has_replacement(unit: Unit, node: ast.Call, path: str) -> bool:
    """Whether a pattern says how a call is written for the target."""
    return any(True for _ in _matches(unit, node, path))


def _matches(unit: Unit, node: ast.Call, path: str) -> Iterator[tuple[PatternRule, Match]]:
    """The patterns that a call matches and that are applied, with the matches."""
    for rule in unit.knowledge.rules.patterns(path):
        if rule.rewrite is None or rule.safety == "manual":
            continue
        if rule.safety == "unsafe" and not unit.knowledge.unsafe:
            continue
        match = _match(unit, rule, node)
        if match is not None:
            yield rule, match


def _remember(unit: Unit, node: ast.Call, graph_node: Node, parts: tuple[object, ...]) -> None:
    unit.work.replacements[id(node)] = parts
    written = "".join(str(part) for part in parts if not isinstance(part, ast.AST))
    if unit.in_text and not _UNFIT.isdisjoint(written):
        why = "unsupported syntax: what stands for it in CuPy does not fit into an f-string"
        unit.pin(graph_node, "GP906", why, node, "unsupported-syntax")


_UNFIT = frozenset("\"'\\\n#")
"""Characters that an expression in an f-string may not have before Python 3.12."""


def _match(unit: Unit, rule: PatternRule, node: ast.Call):  # type: ignore[no-untyped-def]
    def is_kind(expression: ast.expr, kind: str) -> bool:
        return _is_kind(evaluate(unit, expression).value, kind)

    return match_rule(rule, node, unit.scope.resolve, is_kind)


def _is_kind(value: Value, kind: str) -> bool:
    dtype = getattr(value, "dtype", None) or ""
    if kind == "array":
        return isinstance(value, Array)
    if kind == "float-array":
        return isinstance(value, Array) and dtype.startswith("float")
    if kind == "integer-array":
        return isinstance(value, Array) and dtype.startswith(("int", "uint", "bool"))
    if kind == "scalar":
        return is_number(value)
    if kind in ("integer", "string"):
        python = getattr(value, "type", None)
        numpy_integer = isinstance(value, Number) and dtype.startswith(("int", "uint"))
        return python == {"integer": "int", "string": "str"}[kind] or (
            kind == "integer" and numpy_integer
        )
    return False
