"""Loops over rows and over parts of arrays, as loops over places.

``for i, row in enumerate(x): y[i] = row - row.mean()`` is ``y[i] = x[i] - x[i].mean()`` for each
`i`; ``for v in x[lo:hi]`` goes over ``x[k]`` for each `k` of that part, cut off as slices are.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping

from gpuport.loops.context.subscripted import counted_names
from gpuport.loops.facts import ArrayFact, Fact
from gpuport.loops.heads.heads import Row
from gpuport.loops.names import (
    Fresh,
    blocks,
    constant_int,
    dotted,
    function_path,
    is_shape,
    loaded,
    mentions,
    stored,
    walk,
)
from gpuport.source import syntax
from gpuport.source.making import Standing, statements
from gpuport.source.slicebounds import never_negative

Loop = ast.For | ast.While


def parts_by_index(loop: Loop, facts: Mapping[str, Fact], fresh: Fresh) -> set[str]:
    """Write loops over parts of vectors inside a loop as such over places, in a copy of it.

    Parameters
    ----------
    loop : ast.For or ast.While
    facts : mapping of str to Fact
    fresh : Fresh

    Returns
    -------
    set of str
        Names that stand in bounds: whole numbers.
    """
    integers: set[str] = set()
    for block in blocks(loop):
        for statement in [one for one in block if isinstance(one, ast.For)]:
            found = _part_gone_over(statement, facts)
            if found is None:
                continue
            count, element, part = found
            first, place = fresh.name("from"), fresh.name("k")
            assert isinstance(part.slice, ast.Slice)
            for bound in (part.slice.lower, part.slice.upper):
                integers |= set() if bound is None else counted_names(bound)
            extent = f"{ast.unparse(part.value)}.shape[0]"
            last = fresh.name("to")
            low, high = part.slice.lower or ast.Constant(0), part.slice.upper
            lines = [f"{first} = {_cut_off(low, extent, open_ended=count is None)}"]
            lines += [f"{last} = {extent if high is None else _cut_off(high, extent)}"]
            lines += [f"for {place} in range({first}, {last}):"]
            lines += [] if count is None else [f"    {count} = {place} - {first}"]
            lines += [f"    {element} = {ast.unparse(part.value)}[{place}]"]
            *begin, made = statements("\n".join(lines), statement)
            assert isinstance(made, ast.For)
            made.body += statement.body
            made.orelse = statement.orelse
            at = block.index(statement)
            block[at : at + 1] = [*begin, made]
    return integers


def _cut_off(bound: ast.expr, extent: str, *, open_ended: bool = False) -> str:
    """A bound as slices take it: counted from the end where it is negative, cut off there.

    A lower one beyond the end may be left as it is where nothing is counted from it.
    """
    if constant_int(bound) == 0:
        return "0"
    text = ast.unparse(bound)
    if not isinstance(bound, ast.Name | ast.Constant):
        text = f"({text})"
    if not never_negative(bound):
        text = f"max({text} if {text} >= 0 else {extent} + {text}, 0)"
    return text if open_ended else f"min({text}, {extent})"


def _counted(
    node: ast.For, facts: Mapping[str, Fact]
) -> tuple[str | None, ast.expr, ast.expr] | None:
    """The name that counts, if any, the target beside it, and what is gone over."""
    target, over = node.target, node.iter
    if _called(over, facts) != "builtins.enumerate" or not isinstance(over, ast.Call):
        return None, target, over
    pair = target.elts if isinstance(target, ast.Tuple) else []
    if len(pair) != 2 or len(over.args) != 1 or over.keywords:
        return None
    return (pair[0].id, pair[1], over.args[0]) if isinstance(pair[0], ast.Name) else None


def _part_gone_over(
    node: ast.For, facts: Mapping[str, Fact]
) -> tuple[str | None, str, ast.Subscript] | None:
    """The names of ``for k, v in enumerate(x[lo:hi])`` and the part; `k` may be none."""
    counted = _counted(node, facts)
    if counted is None:
        return None
    count, target, over = counted
    if not isinstance(over, ast.Subscript) or not isinstance(over.slice, ast.Slice):
        return None
    fact = facts.get(dotted(over.value) or "")
    if not isinstance(target, ast.Name) or not isinstance(fact, ArrayFact) or is_shape(over.value):
        return None
    bounds = [bound for bound in (over.slice.lower, over.slice.upper) if bound is not None]
    told = fact.rank if fact.rank is not None else fact.told
    plain = over.slice.step is None and told in (None, 1) and not _indexed(node, target.id)
    if not plain or all(constant_int(bound) is not None for bound in bounds):
        return None
    return count, target.id, over


def _indexed(node: ast.For, name: str) -> bool:
    """Whether a loop takes what it goes over apart: rows, not elements."""
    return any(
        isinstance(one, ast.Subscript) and getattr(one.value, "id", None) == name
        for one in walk(node.body)
    )


def rows_by_index(
    loop: Loop, facts: Mapping[str, Fact], fresh: Fresh, live: Collection[str]
) -> dict[str, Row]:
    """Write rows that a loop uses as a whole as those of their arrays, in a copy of a loop.

    Parameters
    ----------
    loop : ast.For or ast.While
    facts : mapping of str to Fact
    fresh : Fresh
    live : collection of str
        Names that something reads after the loop: they stay.

    Returns
    -------
    dict of str to Row
        What was written in the place of names.
    """
    written: dict[str, Row] = {}
    bound = stored([loop])
    for node in [one for one in walk([loop]) if isinstance(one, ast.For)]:
        found = _rows_gone_over(node, facts)
        if found is None:
            continue
        count, pairs = found
        rows = {name: array for name, array in pairs if _used_whole(node.body, name)}
        names = {name for name, _ in pairs} | ({count} if count is not None else set())
        once = len(names) == len(pairs) + (count is not None) and not names & set(live)
        arrays = {name for _, array in pairs for name in loaded([array])}
        if not rows or not once or arrays & bound or not _belong_to(node, names, loop):
            continue
        index = count if count is not None and count not in stored(node.body) else fresh.name("i")
        lengths = list(dict.fromkeys(f"len({ast.unparse(array)})" for _, array in pairs))
        length = lengths[0] if len(lengths) == 1 else f"min({', '.join(lengths)})"
        head = [f"for {index} in range({length}):"]
        head += [f"    {name} = {ast.unparse(a)}[{index}]" for name, a in pairs if name not in rows]
        head += [f"    {count} = {index}"] if count not in (None, index) else []
        (made,) = statements("\n".join([*head, "    pass"]), node)
        assert isinstance(made, ast.For)
        node.target, node.iter = made.target, made.iter
        placed = Standing({n: _element(array, index) for n, array in rows.items()})
        node.body[:] = [*made.body[:-1], *(placed.visit(one) for one in node.body)]
        ast.fix_missing_locations(node)
        place = ast.Name(index, ast.Load())
        written |= {name: (array, (place,)) for name, array in rows.items()}
    return written


def _rows_gone_over(
    node: ast.For, facts: Mapping[str, Fact]
) -> tuple[str | None, list[tuple[str, ast.expr]]] | None:
    """The name that counts, if any, and the names of rows and elements with their arrays."""
    counted = _counted(node, facts)
    if counted is None:
        return None
    count, target, over = counted
    targets, arrays = [target], [over]
    if _called(over, facts) == "builtins.zip" and isinstance(over, ast.Call):
        if over.keywords or not isinstance(target, ast.Tuple) or not over.args:
            return None
        targets, arrays = list(target.elts), list(over.args)
    if len(targets) != len(arrays):
        return None
    pairs: list[tuple[str, ast.expr]] = []
    for one, array in zip(targets, arrays, strict=True):
        known = isinstance(facts.get(dotted(array) or ""), ArrayFact)
        if not isinstance(one, ast.Name) or not known:
            return None
        pairs.append((one.id, array))
    return count, pairs


def _used_whole(body: list[ast.stmt], name: str) -> bool:
    """Whether a row is taken as a whole, and is changed in place at most: ``row /= row.sum()``."""
    apart, whole, changed = 0, 0, 0
    for node in walk(body):
        if isinstance(node, ast.Subscript) and getattr(node.value, "id", None) == name:
            apart += 1
        elif isinstance(node, ast.Attribute) and getattr(node.value, "id", None) == name:
            apart += node.attr in ("shape", "size")
            whole += node.attr not in ("shape", "size")
        elif isinstance(node, ast.AugAssign) and getattr(node.target, "id", None) == name:
            changed += 1
        elif isinstance(node, ast.Call) and dotted(node.func) == "len":
            apart += sum(getattr(one, "id", None) == name for one in node.args)
    stores = sum(
        isinstance(n, ast.Name) and n.id == name and not isinstance(n.ctx, ast.Load)
        for n in walk(body)
    )
    if stores != changed:
        return False
    rows = whole or _in_reductions(body, name)
    return bool(rows) and mentions(body, name) > apart


_OF_VECTORS = frozenset(
    ("sum", "mean", "max", "min", "amax", "amin", "std", "var", "median", "dot", "norm", "argmax",
     "argmin", "any", "all", "inner", "vdot", "sort", "cumsum", "ptp", "prod")
)  # fmt: skip


def _in_reductions(body: list[ast.stmt], name: str) -> bool:
    """Whether a function of vectors is given it: ``np.mean(row)``, ``x @ row``."""
    for node in walk(body):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            if name in loaded([node]):
                return True
        elif isinstance(node, ast.Call):
            last = (dotted(node.func) or "").rpartition(".")[2]
            if last in _OF_VECTORS and name in loaded(node.args):
                return True
    return False


def _belong_to(node: ast.For, names: set[str], loop: Loop) -> bool:
    """Whether names mean nothing outside of the loop that binds them."""
    return all(mentions([node], name) == mentions([loop], name) for name in names)


def _called(node: ast.expr, facts: Mapping[str, Fact]) -> str | None:
    return function_path(node.func, facts) if isinstance(node, ast.Call) else None


def _element(array: ast.expr, index: str) -> ast.Subscript:
    made = ast.Subscript(syntax.copied(array), ast.Name(index, ast.Load()), ast.Load())
    return ast.fix_missing_locations(ast.copy_location(made, array))
