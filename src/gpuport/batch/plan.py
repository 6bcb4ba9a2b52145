"""From a loop over items to code for their stack, or to the reason why there is none."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from gpuport.batch.body import Body, bound_by, collected, columns, is_array, summed
from gpuport.batch.expressions import Scope, Source, translate
from gpuport.batch.headers import enter, keyed, with_keys
from gpuport.batch.helpers import helper
from gpuport.batch.knowledge import stacking
from gpuport.batch.records import (
    FORM,
    UNKNOWN_SHAPE,
    Batch,
    Comprehension,
    Guard,
    Known,
    Loop,
    RankNeeded,
    Refusal,
    Refused,
    element,
)
from gpuport.source.syntax import walk

_OF_MATRICES = (3, 2)
_OF_VECTORS = (2, 3)
"""Axes that a stack is tried with where nothing says how many it has."""

_MOST_GUESSES = 24


@dataclass(frozen=True, slots=True)
class Region:
    """A loop or comprehension with what is known where it stands.

    Attributes
    ----------
    node : Loop
    source : Source
    known : mapping of str to Known
    live : frozenset of str
        Names that are read after the loop before they are bound again.
    arrays : frozenset of str
        Lists, empty before the loop, of which nothing but an array is made after it.
    made_array : bool
        Whether nothing but an array is made of a comprehension.
    moved : frozenset of int
        Ids of expressions in the loop that are brought to the host.
    """

    node: Loop
    source: Source
    known: Mapping[str, Known]
    live: frozenset[str] = frozenset()
    arrays: frozenset[str] = frozenset()
    made_array: bool = False
    moved: frozenset[int] = frozenset()


def plan(region: Region) -> Batch | Refusal:
    """Stacked code for a loop, under the numbers of axes that are known or most likely.

    What is likely only is checked at run time.
    """
    pending: list[dict[str, int]] = [{}]
    first: Refused | None = None
    for _ in range(_MOST_GUESSES):
        if not pending:
            break
        ranks = pending.pop()
        try:
            return _not_shadowed(region, _planned(region, ranks))
        except Refused as refused:
            first = first or refused
        except RankNeeded as needed:
            tried = _likely_ranks(region, needed.name)
            pending += [{**ranks, needed.name: rank} for rank in reversed(tried)]
    if first is None:
        first = Refused(UNKNOWN_SHAPE, region.node, "unknown type: the shapes are not known")
    return Refusal(first.code, first.node, first.message, region.node)


def _not_shadowed(region: Region, made: Batch) -> Batch:
    """The stacked code, where the builtins that it calls are not the user's own names."""
    for name in set(_BUILTINS.findall(" ".join(made.lines))):
        if region.source.resolve(ast.Name(name, ast.Load())) != f"builtins.{name}":
            raise Refused(FORM, made.node, f"`{name}` is not Python's own here")
    return made


_BUILTINS = re.compile(r"(?<![\w.])(dict|list|map|sum|zip)(?=\()")


def _likely_ranks(region: Region, name: str) -> tuple[int, ...]:
    """Numbers of axes to try, the likeliest first."""
    items = _items_of(region.node, name)
    if "." in name:
        return (2, 1, 0)
    if items is None:
        return (0, 1, 2)
    of_matrices = any(_as_matrix(region, n, items) for n in walk(region.node))
    of_matrices = of_matrices or (_only_source(region, name) and _any_of_matrices(region))
    if region.known.get(name, Known()).kind == "list":
        return (2, 1) if of_matrices else (1, 2)
    return _OF_MATRICES if of_matrices else _OF_VECTORS


@lru_cache(maxsize=64)
def _items_of(node: Loop, name: str) -> frozenset[str] | None:
    """Names that an array's items have in the loop; None where the loop does not go over it."""
    found = [
        inner for inner in walk(node)
        if isinstance(inner, ast.Subscript) and _is_name(inner.value, name)
    ]  # fmt: skip
    targets: set[str] = {ast.dump(inner) for inner in found}
    over = False
    for inner in walk(node):
        if isinstance(inner, ast.Assign) and ast.dump(inner.value) in targets:
            targets |= {t.id for t in inner.targets if isinstance(t, ast.Name)}
    for inner in walk(node):
        if isinstance(inner, (ast.For, ast.comprehension)):
            pairs = list(_in_step(inner.target, inner.iter))
            over = over or any(_is_name(n, name) for n in walk(inner.iter))
            targets |= {t.id for t, it in pairs if _is_name(it, name) and isinstance(t, ast.Name)}
    return frozenset(targets) if found or over else None


def _only_source(region: Region, name: str) -> bool:
    """Whether the loop reads the items of nothing else."""
    stored = {
        inner.value.id for inner in walk(region.node)
        if isinstance(inner, ast.Subscript) and isinstance(inner.ctx, ast.Store)
        and isinstance(inner.value, ast.Name)
    }  # fmt: skip
    return not any(
        other != name and other not in stored and known.kind in ("array", "list", "unknown")
        and _items_of(region.node, other) is not None
        for other, known in region.known.items()
    )  # fmt: skip


def _any_of_matrices(region: Region) -> bool:
    """Whether the loop calls a function of matrices."""
    return any(
        isinstance(inner, ast.Call)
        and (region.source.resolve(inner.func) or "") in stacking().matrices
        for inner in walk(region.node)
    )


def _in_step(target: ast.expr, iterable: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Targets of a loop with what each goes over."""
    if not isinstance(iterable, ast.Call) or not isinstance(iterable.func, ast.Name):
        yield target, iterable
        return
    parts = target.elts if isinstance(target, ast.Tuple) else []
    if iterable.func.id == "enumerate" and len(parts) == 2 and iterable.args:
        yield from _in_step(parts[1], iterable.args[0])
    elif iterable.func.id == "zip":
        for part, one in zip(parts, iterable.args, strict=False):
            yield from _in_step(part, one)


def _is_name(node: ast.expr | ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _as_matrix(region: Region, node: ast.AST, items: frozenset[str]) -> bool:
    """Whether an expression takes one of the items for a matrix."""
    parts: list[ast.expr] = []
    if isinstance(node, ast.Attribute) and node.attr in ("T", "mT"):
        parts = [node.value]
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        parts = [node.left]
    elif isinstance(node, ast.Call):
        path = region.source.resolve(node.func) or ""
        takes_matrix = path in stacking().matrices or stacking().forms.get(path) in _TAKE_MATRICES
        parts = node.args[:1] if takes_matrix else []
    return any(
        (isinstance(p, ast.Name) and p.id in items)
        or (isinstance(p, ast.Subscript) and ast.dump(p) in items)
        for p in parts
    )


_TAKE_MATRICES = frozenset({"solve", "product", "transpose", "diagonal", "trace"})


def _planned(region: Region, ranks: Mapping[str, int]) -> Batch:
    scope = Scope(region.source, region.known, ranks, guard=Guard())
    scope.grouped = any(
        known.kind in ("list", "dict") and _items_of(region.node, name) is not None
        for name, known in region.known.items()
    )
    helped = None if region.moved else helper(region.node, scope)
    if helped is not None:
        return helped
    if isinstance(region.node, ast.Call):
        raise Refused(FORM, region.node, "unsupported syntax: `map` in this form")
    if not isinstance(region.node, ast.For):
        return _comprehension(region, region.node, scope)
    return _loop(region, region.node, scope)


def _comprehension(region: Region, node: Comprehension, scope: Scope) -> Batch:
    if len(node.generators) != 1 or node.generators[0].ifs or node.generators[0].is_async:
        raise Refused(FORM, node, "unsupported syntax: conditions or several loops")
    generator = node.generators[0]
    enter(scope, generator.target, generator.iter)
    value = element(node)
    text = collected(scope, value, region.moved)
    whole = region.made_array and is_array(scope, value)
    if not scope.grouped:
        if isinstance(node, ast.DictComp):
            text = with_keys(node, keyed(scope, generator.target, generator.iter), text)
        elif isinstance(node, ast.ListComp) and isinstance(value, ast.Tuple):
            *parts, last = columns(scope, value, region.moved)
            inner = (*(f"    {part}," for part in parts), f"    {last}")
            return Batch(node, scope.guard, ("list(zip(", *inner, "))"))
        elif isinstance(node, ast.ListComp) and not whole:
            text = f"list({text})"
        return Batch(node, scope.guard, (text,))
    index = scope.index or _free("k", node)
    pair = f"    ({index}, {text})"
    function = "array" if whole else "unstack"
    first, last = f"{{batched}}.{function}(", ")"
    if isinstance(node, ast.DictComp):
        key = keyed(scope, generator.target, generator.iter)
        first, last = with_keys(node, key, f"{first}\n)").split("\n")
    return Batch(node, scope.guard, (first, pair, f"    {_over_stacks(scope, index)}", last))


def _over_stacks(scope: Scope, index: str) -> str:
    """``for k, x in batched.stacks(xs)``."""
    names = ", ".join([index, *(v for variables in scope.variables.values() for v in variables)])
    return f"for {names} in {{batched}}.stacks({', '.join(scope.variables)})"


def _free(name: str, node: ast.AST) -> str:
    taken = {inner.id for inner in walk(node) if isinstance(inner, ast.Name)}
    while name in taken:
        name += "_"
    return name


def _loop(region: Region, node: ast.For, scope: Scope) -> Batch:
    if node.orelse:
        raise Refused(FORM, node.orelse[0], "unsupported syntax: `else` of a loop")
    bound = {n.id for n in walk(node.target) if isinstance(n, ast.Name)}
    bound |= set(bound_by(node.body))
    sums = summed(node.body)
    after = sorted((bound - sums) & region.live)
    if after:
        raise Refused(FORM, node, f"`{after[0]}` of the last item is read after the loop")
    enter(scope, node.target, node.iter)
    if scope.grouped and scope.index is None:
        scope.index = _free("k", node)
    scope.later = frozenset(bound_by(node.body))
    body = Body(scope, arrays=region.arrays, sums=sums, moved=region.moved)
    for statement in node.body:
        body.statement(statement)
    guard = scope.guard
    held = guard.stacks.keys() | guard.fixed.keys() | guard.items.keys() | guard.bounded.keys()
    kept = scope.guard.writes or body.appended or sums
    if not (guard.stacks or guard.items) or not kept:
        raise Refused(FORM, node, "nothing of the items is kept")
    if scope.later & held:
        raise Refused(FORM, node, "a name is read by an iteration and bound anew in it")
    if (
        guard.writes or guard.adds
    ):  # whether these share memory with what is written is asked for too
        guard.fixed.update(scope.certain)
    if body.appended.keys() & held:
        raise Refused(FORM, node, "a list is read while it grows")
    retried = body.visible and bool(scope.raises)
    shown = any(region.known.get(n, Known()).argument for n in (*guard.writes, *guard.adds))
    if retried and (body.late or (scope.grouped and shown)):
        raise Refused(
            FORM, node, "what is written before a matrix without result is found would show"
        )
    if not scope.grouped:
        made = body.arrays & body.appended.keys()
        return Batch(node, scope.guard, tuple(body.lines), retried, made)
    assert scope.index is not None
    if not scope.variables:
        raise Refused(FORM, node, "nothing of the items is read")
    lines = [f"{stacks} = []" for stacks in body.appended.values()]
    lines.append(f"{_over_stacks(scope, scope.index)}:")
    lines += [f"    {line}" for line in body.lines]
    for name, stacks in body.appended.items():
        if name in body.keyed and scope.key is not None:
            lines.append(f"{name}.update(zip({scope.key[1]}, {{batched}}.unstack({stacks})))")
        elif name in body.arrays:
            lines.append(f"{name} = {{batched}}.array({stacks})")
        else:
            lines.append(f"{name}.extend({{batched}}.unstack({stacks}))")
    return Batch(node, guard, tuple(lines), retried, body.arrays & body.appended.keys())


__all__ = ["Known", "Region", "plan", "translate"]
