"""Advice on decompositions that are made again though nothing has changed."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gpuport.analysis.interpretation.unit import Unit
from gpuport.passes.advicepca import Advice
from gpuport.rules.stacking import stacking
from gpuport.source.syntax import children, inside, walk

_LOOPS = (ast.For, ast.While, ast.ListComp, ast.GeneratorExp, ast.DictComp)


def in_loops(unit: Unit, kinds: dict[int, frozenset[str]]) -> Iterator[Advice]:
    """A decomposition in a loop that changes nothing of what is decomposed."""
    told: set[int] = set()
    for loop in walk(unit.node):
        if not isinstance(loop, _LOOPS):
            continue
        changed: set[str] | None = None
        for node in inside(loop):
            if not isinstance(node, ast.Call) or "decomposition" not in kinds.get(id(node), ()):
                continue
            system = "system" in kinds[id(node)]  # its right sides may differ
            factored = node.args[:1] if system else node.args
            if not factored or not all(isinstance(a, ast.Name) for a in factored):
                continue
            changed = _changed(unit, loop) if changed is None else changed
            given = [*factored, *(k.value for k in node.keywords)]
            if id(node) not in told and not any(_names(one) & changed for one in given):
                told.add(id(node))
                text, line = _text(unit, node), loop.lineno
                yield "GP322", _AGAIN[system].format(text=text, line=line), node


_AGAIN = {
    False: "`{text}` is computed in each iteration of the loop on line {line}, which binds and "
    "writes none of the names in it",
    True: "`{text}` decomposes the same matrix in each iteration of the loop on line {line}: one "
    "call solves for the columns of all right sides",
}


def twice(unit: Unit, kinds: dict[int, frozenset[str]]) -> Iterator[Advice]:
    """The same decomposition of the same arrays, in two places that both run."""
    made: dict[str, list[tuple[ast.Call, frozenset[tuple[int, str]]]]] = {}
    written: set[str] | None = None
    for node, branches in _with_branches(unit.node, frozenset()):
        if not isinstance(node, ast.Call) or "decomposition" not in kinds.get(id(node), ()):
            continue
        names = set().union(*map(_names, [*node.args, *(k.value for k in node.keywords)]))
        if any(unit.scope.bound.get(name, 0) > 1 for name in names):
            continue
        written = _written(unit, unit.node) if written is None else written
        if names & written:
            continue
        earlier = made.setdefault(ast.dump(node), [])
        first = next((one for one, where in earlier if not _exclude(where, branches)), None)
        if first is not None:
            yield (
                "GP325",
                f"`{_text(unit, node)}` has been computed on line {first.lineno} already, of the "
                "same arrays: keep it",
                node,
            )
        earlier.append((node, branches))


def _with_branches(
    node: ast.AST, branches: frozenset[tuple[int, str]]
) -> Iterator[tuple[ast.AST, frozenset[tuple[int, str]]]]:
    """Nodes in the order of the text, with the branches of conditions that they stand in."""
    yield node, branches
    if not isinstance(node, (ast.If, ast.IfExp)):
        for inner in children(node):
            yield from _with_branches(inner, branches)
        return
    yield from _with_branches(node.test, branches)
    for word, parts in (("then", node.body), ("else", node.orelse)):
        for part in parts if isinstance(parts, list) else [parts]:
            yield from _with_branches(part, branches | {(id(node), word)})


def _exclude(first: frozenset[tuple[int, str]], second: frozenset[tuple[int, str]]) -> bool:
    """Whether only one of two places runs, or the first perhaps not."""
    return not first <= second


def _changed(unit: Unit, loop: ast.AST) -> set[str]:
    """Names that a loop binds, stores into, or hands to code that may change their arrays."""
    stored = {
        node.id for node in walk(loop)
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    }  # fmt: skip
    return stored | _written(unit, loop)


def _written(unit: Unit, block: ast.AST) -> set[str]:
    """Names of arrays that are stored into, or handed to code that may change them."""
    found: set[str] = set()
    for node in walk(block):
        if isinstance(node, (ast.Subscript, ast.Attribute)):
            found |= set() if isinstance(node.ctx, ast.Load) else _names(node.value)
        elif isinstance(node, ast.keyword):
            found |= _names(node.value) if node.arg == "out" else set()
        elif isinstance(node, ast.Call) and not _leaves_alone(unit, node):
            found |= _handed(unit, node)
    return found


def _handed(unit: Unit, node: ast.AST) -> set[str]:
    """Names of what a call is handed: not those that a decomposition in it makes its result of."""
    found = {node.id} if isinstance(node, ast.Name) else set()
    for part in children(node):
        path = unit.scope.resolve(part.func) or "" if isinstance(part, ast.Call) else ""
        if ".linalg." not in path:
            found |= _handed(unit, part)
    return found


def _leaves_alone(unit: Unit, node: ast.Call) -> bool:
    """Whether a call changes none of the arrays in it: a library's, or ``x.max()``."""
    path = unit.scope.resolve(node.func)
    if path is not None:
        return path.partition(".")[0] in _LIBRARIES
    method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    return method in stacking().reductions or method in stacking().methods


_LIBRARIES = frozenset({"numpy", "scipy", "builtins", "math"})


def _names(node: ast.AST) -> set[str]:
    return {part.id for part in walk(node) if isinstance(part, ast.Name)}


def _text(unit: Unit, node: ast.AST) -> str:
    return " ".join(unit.module.segment(node).split())[:60]
