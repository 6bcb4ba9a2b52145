"""Whether a loop over items may become a function that the runtime runs once for all of them.

Only names and the ways through the text are asked here. What the items are, how many axes they
have and whether they have one shape is found out where the function runs.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from gpuport.parallel.items.calls import check_calls
from gpuport.parallel.items.conditions import check_conditions
from gpuport.parallel.items.records import (
    CARRIED,
    FORM,
    Comprehension,
    ItemLoop,
    Loop,
    Refusal,
    Refused,
    Source,
    element,
)
from gpuport.parallel.items.stores import Store, appended, check_reads, roots, stores_of
from gpuport.parallel.items.sums import added, summed
from gpuport.parallel.items.syntax import (
    by_hand,
    check_expressions,
    check_statements,
    right_inside,
)
from gpuport.source.carried import (
    bound_names,
    exposed,
    own_names,
    surely_bound,
    surely_runs,
)
from gpuport.source.depending import differing, reads
from gpuport.source.syntax import walk


@dataclass(frozen=True, slots=True)
class Around:
    """What is known of the names around a loop.

    Attributes
    ----------
    live : frozenset of str
        Names that are read after the loop before they are bound again.
    before : frozenset of str
        Those that have a value wherever the loop is reached.
    wanted : frozenset of str
        Those that are read after it whatever comes.
    shared : frozenset of str
        Those that other code may bind: ``global``, ``nonlocal``.
    caught : bool
        Whether the loop stands where what it raises is caught.
    """

    live: frozenset[str] = frozenset()
    before: frozenset[str] = frozenset()
    wanted: frozenset[str] = frozenset()
    shared: frozenset[str] = frozenset()
    caught: bool = False


def planned(source: Source, node: Loop, around: Around) -> ItemLoop | Refusal:
    """The function that a loop becomes, or why it becomes none."""
    try:
        if isinstance(node, ast.For):
            return _of_loop(source, node, around)
        if isinstance(node, (ast.ListComp, ast.GeneratorExp, ast.DictComp)):
            return _of_comprehension(source, node)
        if isinstance(node, ast.While):
            raise by_hand(node)
        raise Refused(FORM, node, "unsupported syntax: `map` in this form")
    except Refused as refused:
        where = refused.node if hasattr(refused.node, "lineno") else node
        return Refusal(refused.code, where, refused.message, node)


def _of_loop(source: Source, node: ast.For, around: Around) -> ItemLoop:
    if isinstance(node.iter, ast.Tuple | ast.List):
        raise Refused(FORM, node, "its items are written out, and few: it is as good as it is")
    check_statements(node)
    heads = list(bound_names([node.target]))
    grown = {name for one in walk(node) for name in _grown(one)}
    bound = {name: None for name in bound_names([node]) if name not in grown}
    sums = _sums(source, node, bound)
    stores = _from_before(source, node, bound, list(stores_of(source, node.body)))
    check_expressions(source, node)
    items = differing([node], heads)
    check_calls_of(source, node, items)
    if not any(reads(one, items) for one in node.body):
        raise Refused(FORM, node, "its iterations do not differ")
    written = list(dict.fromkeys(one.name for one in stores))
    check_reads(node, stores, items, written)
    written += _changed(source, node, bound)
    left = _returned(node, bound, sums, around)
    if not (written or sums or left):
        raise Refused(FORM, node, "nothing of the items is kept")
    if around.caught and (sums or left):
        name = next(iter([*sums, *left]))
        raise Refused(FORM, node, f"`{name}` may be read where an item has raised")
    first = {name.id for name in own_names(node.iter)}
    local = bound.keys() - sums - first - {name for name in left if name in around.before}
    for name in (bound.keys() | set(written)) & around.shared:
        raise Refused(FORM, node, f"`{name}` is bound for other functions as well")
    passed = [
        name.id for name in own_names(node) if name.id not in local and source.is_passed(name.id)
    ]
    parameters = tuple(dict.fromkeys(passed))
    axes = _independent(node, stores)
    check_conditions(source, node, axes, items)
    ends = [(one.name, one.value) for one in stores]
    ends += [
        (name, value) for one in walk(node) for name, value in added(source, one) if name in sums
    ]
    return ItemLoop(
        node, parameters, tuple(name for name in parameters if name in written),
        tuple(name for name in parameters if name in sums), tuple(left),
        axes, tuple(ends),
    )  # fmt: skip


def _grown(node: ast.AST) -> Iterator[str]:
    """The list of ``found += [value]``."""
    found = appended(node) if isinstance(node, ast.AugAssign) else None
    if found is not None and isinstance(found[0], ast.Name):
        yield found[0].id


def check_calls_of(source: Source, node: ast.For, items: frozenset[str]) -> None:
    """Refuse what the statements of a loop call, but for what makes lists longer."""
    _check_head(source, node.iter, items)
    for one in node.body:
        for part in _called_parts(one):
            check_calls(source, part, items)


def _check_head(source: Source, head: ast.expr, items: frozenset[str]) -> None:
    """Refuse what a loop goes over that is found by a function of the program."""
    for call in walk(head):
        if isinstance(call, ast.Call) and source.definition(call) is not None:
            text = " ".join(source.segment(call).split())[:60]
            why = f"the loop goes over what `{text}` gives: name that before the loop"
            raise Refused(FORM, call, why)
    check_calls(source, head, items)


def _called_parts(statement: ast.stmt) -> Iterator[ast.AST]:
    """The parts of a statement in which calls are looked at."""
    if isinstance(statement, (ast.If, ast.For)):
        yield statement.test if isinstance(statement, ast.If) else statement.iter
        for one in (*statement.body, *statement.orelse):
            yield from _called_parts(one)
    elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        yield from statement.value.args  # of an `append`
    elif not isinstance(statement, ast.Raise):
        yield statement


def _sums(source: Source, node: ast.For, bound: dict[str, None]) -> set[str]:
    """The names that every item adds to.

    Raises
    ------
    Refused
        Where an iteration reads another name as the one before it has left it.
    """
    heads = frozenset(bound_names([node.target]))
    found: set[str] = set()
    for name in exposed(node.body, heads):
        if name.id not in bound or name.id in found:
            continue
        if not summed(source, node, name.id):
            _tell_of_records(node)
            why = f"carried dependence: iteration i reads `{name.id}`, which iteration i-1 bound"
            raise Refused(CARRIED, name, why)
        found.add(name.id)
    return found


def _tell_of_records(node: ast.For) -> None:
    """Say of a loop that keeps the best of its items how else it may be found."""
    tests = [one for one in walk(node) if isinstance(one, ast.If)]
    kept = [name for one in tests for name in bound_names(one.body) if reads(one.test, {name})]
    if kept:
        why = (
            f"`{min(kept)}` is bound where an item is better than those before it: collect what "
            "is compared, and look for the best of it after the loop, `np.argmax`"
        )
        raise Refused(CARRIED, node, f"carried dependence: {why}")


def _from_before(
    source: Source, node: ast.For, bound: dict[str, None], stores: list[Store]
) -> list[Store]:
    """What is stored in arrays from before the loop: `row` of ``row = a[i]`` is a part of `a`."""
    views = roots(source, [node])
    found: list[Store] = []
    for one in stores:
        if one.name not in bound:
            found.append(one)
            continue
        part = _taken(node, one.name)
        found += [
            replace(one, name=name, target=part, appends=False)
            for name in sorted(views.get(one.name, set()))
            if name not in bound and source.is_passed(name)
        ]
    return found


def _changed(source: Source, node: ast.For, bound: dict[str, None]) -> list[str]:
    """Arrays from before the loop of which a part may be changed in place: ``part += 1``."""
    views = roots(source, [node])
    parts = [
        one.target.id for one in walk(node)
        if isinstance(one, ast.AugAssign) and isinstance(one.target, ast.Name)
    ]  # fmt: skip
    found = {name for part in parts for name in views.get(part, ())}
    return sorted(name for name in found if name not in bound and source.is_passed(name))


def _taken(node: ast.For, name: str) -> ast.expr:
    """What a name is bound to, ``a[i]``; the name itself where that is not written as such."""
    values = [
        one.value for one in walk(node) if isinstance(one, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == name for target in one.targets)
    ]  # fmt: skip
    own = values[0] if len(values) == 1 and isinstance(values[0], ast.Subscript) else None
    return own if own is not None else ast.Name(name, ast.Load())


def _returned(node: ast.For, bound: dict[str, None], sums: set[str], around: Around) -> list[str]:
    """Names that are read after the loop, as the last item leaves them.

    Raises
    ------
    Refused
        Where the last item may not bind one, or there may be no last item.
    """
    found: list[str] = []
    sure = surely_bound(node.body) | bound_names([node.target]).keys()
    for name in bound:
        if name in sums or name not in around.live:
            continue
        some = name in around.before or name in around.wanted or surely_runs(node.iter)
        if not some or name not in sure:
            raise Refused(FORM, node, f"`{name}` of the last item is read after the loop")
        found.append(name)
    return found


def _independent(node: ast.For, stores: Sequence[Store]) -> int:
    """Of how many loops, one right inside the other, the iterations may all be items."""
    loops = [node]
    while (inner := right_inside(loops[-1])) is not None:
        loops.append(inner)
    for deep in range(len(loops), 1, -1):
        own = [differing([one], bound_names([one.target])) for one in loops[:deep]]
        if all(
            one.adds or one.appends or all(reads(one.target, names) for names in own)
            for one in stores
        ):
            return deep
    return 1


def _of_comprehension(source: Source, node: Comprehension) -> ItemLoop:
    if len(node.generators) != 1 or node.generators[0].is_async:
        raise Refused(FORM, node, "unsupported syntax: several loops")
    check_expressions(source, node)
    (generator,) = node.generators
    items = frozenset(n.id for n in walk(generator.target) if isinstance(n, ast.Name))
    if not reads(element(node), items):
        raise Refused(FORM, node, "its iterations do not differ")
    _check_head(source, generator.iter, items)
    key = [node.key] if isinstance(node, ast.DictComp) else []
    for one in (*generator.ifs, *key, element(node)):
        check_calls(source, one, items)
    passed = (name.id for name in own_names(node) if source.is_passed(name.id))
    return ItemLoop(node, tuple(dict.fromkeys(passed)), ends=(("", element(node)),))


__all__ = ["Around", "planned"]
