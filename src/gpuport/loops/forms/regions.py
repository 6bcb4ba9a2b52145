"""A region in plain form, if it is a loop that counts and runs to its end."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from gpuport.loops.context.beginnings import Beginning
from gpuport.loops.context.ranks import ranks_of
from gpuport.loops.context.subscripted import integer_names
from gpuport.loops.dependence.grid import has_exit, is_element
from gpuport.loops.facts import Fact
from gpuport.loops.forms.first_hits import first_hit
from gpuport.loops.forms.lags import lags
from gpuport.loops.forms.plain import Plainer, PlainLoop
from gpuport.loops.forms.returns import Returned
from gpuport.loops.heads.counting import counted, increment, leaves
from gpuport.loops.names import Fresh, loaded, mentions, range_text, stored, trips_text
from gpuport.loops.private.tables import written_tables
from gpuport.loops.reasons import DATA_EXIT, UNSUPPORTED, Refused
from gpuport.loops.records import FirstHit, Packed
from gpuport.loops.ties.extremes import Begun, plain_extremes
from gpuport.loops.ties.none_first import unsure
from gpuport.loops.ties.patterns import run_on


def counters(loop: ast.For, fresh: Fresh, start: Callable[[str], str]) -> list[tuple[str, str]]:
    """Replace names that each iteration increments by expressions of the loop's variable.

    ``k += 1`` once per iteration makes ``k`` a function of the iteration: the body gets a name of
    its own for it, set at its head.

    Parameters
    ----------
    loop : ast.For
        In plain form; changed in place.
    fresh : Fresh
    start : callable
        Python text for the value that a name has before the loop.

    Returns
    -------
    list of (str, str)
        The names with the values that they have after the loop, as Python expressions.
    """
    if leaves(loop.body):
        return []
    found = _inner_counters(loop, fresh, start)
    for node in list(loop.body):
        target = node.targets[0] if isinstance(node, ast.Assign) else None
        target = node.target if isinstance(node, ast.AugAssign) else target
        if not isinstance(target, ast.Name):
            continue
        amount = increment(node, target.id)
        if amount and _stores(loop, target.id) == 1:
            found.append((target.id, _count(loop, node, target.id, amount, fresh, start)))
    return found


def _inner_counters(
    loop: ast.For, fresh: Fresh, start: Callable[[str], str]
) -> list[tuple[str, str]]:
    """``k += 1`` in the one loop inside, of as many iterations each time: ``k = i * m + j``."""
    inner = [node for node in loop.body if isinstance(node, ast.For)]
    if len(inner) != 1 or leaves(inner[0].body) or not isinstance(inner[0].iter, ast.Call):
        return []
    one = inner[0]
    assert isinstance(one.iter, ast.Call)
    assert isinstance(one.target, ast.Name)
    assert isinstance(loop.iter, ast.Call)
    assert isinstance(loop.target, ast.Name)
    heads = [[ast.unparse(item) for item in (*loop.iter.args, *one.iter.args)]]
    first, _, step, low, high, by = heads[0]
    if (first, step, low, by) != ("0", "1", "0", "1") or loaded(one.iter.args) & stored([loop]):
        return []
    found = []
    for node in list(one.body):
        target = node.target if isinstance(node, ast.AugAssign) else None
        if not isinstance(target, ast.Name) or increment(node, target.id) != 1:
            continue
        name = target.id
        if _stores(loop, name) != 1 or mentions([loop], name) != mentions(one.body, name):
            continue
        local, position = fresh.name(name), one.body.index(node)
        for child in ast.walk(one):
            if isinstance(child, ast.Name) and child.id == name:
                child.id = local
        turn = f"{loop.target.id} * ({high}) + {one.target.id}"
        before = start(name)
        head = ast.parse(f"{local} = {turn}" + (f" + {before}" if before != "0" else "")).body[0]
        for child in ast.walk(head):
            ast.copy_location(child, node)
        if local not in loaded(one.body[position + 1 :]):
            del one.body[position]
        one.body.insert(0, head)
        trips = f"{trips_text(loop.iter)} * {trips_text(one.iter)}"
        found.append((name, trips if before == "0" else f"{before} + {trips}"))
    return found


def _stores(loop: ast.stmt, name: str) -> int:
    return sum(
        isinstance(child, ast.Name) and child.id == name and isinstance(child.ctx, ast.Store)
        for child in ast.walk(loop)
    )


def _count(
    loop: ast.For,
    node: ast.stmt,
    name: str,
    amount: int,
    fresh: Fresh,
    before: Callable[[str], str],
) -> str:
    assert isinstance(loop.iter, ast.Call)
    assert isinstance(loop.target, ast.Name)
    start, step = (ast.unparse(loop.iter.args[k]) for k in (0, 2))
    local = fresh.name(name)
    for child in ast.walk(loop):
        if isinstance(child, ast.Name) and child.id == name:
            child.id = local
    variable = loop.target.id
    turn = variable if start == "0" else f"({variable} - ({start}))"
    turn = turn if step == "1" else f"({turn} // ({step}))"
    scaled = turn if amount == 1 else f"{amount} * {turn}"
    head = ast.parse(f"{local} = {before(name)} + {scaled}").body[0]
    for child in ast.walk(head):
        ast.copy_location(child, node)
    position = loop.body.index(node)
    if local not in loaded(loop.body[position + 1 :]):
        del loop.body[position]
    loop.body.insert(0, head)
    return counted(before(name), amount, loop.iter)


Loop = ast.For | ast.While


@dataclass(frozen=True)
class Reading:
    """A region in plain form.

    Attributes
    ----------
    plain : PlainLoop
    loop : ast.For
    counted : list of (str, str)
        Counters with their values after the loop.
    integers : set of str
        Names that the loop uses as whole numbers.
    hit : FirstHit or None
        Where the loop ended at the first hit.
    live : frozenset of str
        Names that something reads after it, or of which that is made.
    begun : tuple of Begun
        Numbers that the loop begins with.
    first : tuple of str
        Guards of what names hold where it begins.
    """

    plain: PlainLoop
    loop: ast.For
    counted: list[tuple[str, str]]
    integers: set[str]
    hit: FirstHit | None = None
    live: frozenset[str] = frozenset()
    begun: tuple[Begun, ...] = ()
    first: tuple[str, ...] = ()


def early(node: ast.stmt, returned: Returned | None) -> Refused:
    """The refusal of a loop that ends before its range does."""
    what = "break"
    if returned is not None:
        node, what = returned.statement, ast.unparse(returned.statement)
    message = f"`{what}` leaves the loop: a data-dependent exit, later iterations must not run"
    return Refused(DATA_EXIT, node, message)


def _hit(
    plain: PlainLoop,
    loop: ast.For,
    live: frozenset[str],
    facts: Mapping[str, Fact],
    fresh: Fresh,
) -> FirstHit | None:
    """What the loop does where it ends; None where it runs on, or cannot."""
    flag = plain.returned is not None and plain.returned.constant
    if plain.returned is None and not plain.otherwise:
        run_on(loop, live)
    if not flag and (plain.counter or plain.joint):
        return None
    return first_hit(loop, live, facts, fresh, plain.returned, plain.otherwise)


def _packed(begun: Sequence[Begun], packed: Sequence[Packed]) -> list[Begun]:
    """What the loop begins with, tuples as a whole."""
    values = {one.name: one for one in begun}
    made = []
    for one in packed:
        parts = [values.pop(name) for name in one.parts if name in values]
        if len(parts) == len(one.parts):
            items = one.written(", ".join(part.value for part in parts))
            made.append(Begun(one.name, items, parts[0].guards))
    return [*values.values(), *made]


def _counting(node: Loop, plain: PlainLoop) -> ast.For:
    """The loop, whose range is known before it."""
    loop = plain.statement
    if not isinstance(loop, ast.For):
        raise Refused(
            DATA_EXIT,
            node,
            "a `while` whose number of iterations depends on data: each iteration decides "
            "whether the next one runs",
        )
    if any(is_element(child) for child in ast.walk(loop.iter)):
        raise Refused(
            UNSUPPORTED,
            loop.iter,
            f"the range `{range_text(loop.iter)}` depends on elements of an array; put them "
            "into names before the loop (`start = int(x[i])`)",
        )
    changed = loaded([loop.iter]) & stored(loop.body)
    if changed:
        raise Refused(
            UNSUPPORTED,
            loop.iter,
            f"the loop assigns `{min(changed)}`, which its own range "
            f"`{range_text(loop.iter)}` was made from; give one of them another name",
        )
    return loop


def _check_ends(plain: PlainLoop, loop: ast.For, hit: FirstHit | None) -> None:
    """Refuse a loop that ends early, but for one that ends at its first hit."""
    exit_ = has_exit(loop.body)
    if exit_ is not None or (hit is None and plain.returned is not None):
        raise early(exit_ or loop, plain.returned)
    if plain.otherwise and hit is None:
        raise Refused(
            UNSUPPORTED,
            plain.otherwise[0],
            "`else` of a loop is not turned into a kernel: without a `break` it may stand behind "
            "the loop",
        )


def read_region(
    node: Loop, beginning: Beginning, facts: Mapping[str, Fact], fresh: Fresh, live: frozenset[str]
) -> Reading:
    """The plain form of a region.

    Parameters
    ----------
    node : ast.For or ast.While
        Its outermost loop.
    beginning : Beginning
        What names hold before it.
    facts : mapping of str to Fact
    fresh : Fresh
    live : frozenset of str
        Names that something reads after it.

    Raises
    ------
    Refused
        Where it is left early, or what it runs over depends on data.
    """
    function = beginning.nest.function
    ranks, tables = ranks_of(function, facts), written_tables(function)
    plainer = Plainer(facts, fresh, ranks, live, tables)
    plain = plainer.region(node, beginning.counter(), beginning.unset)
    live = plainer.live
    loop = _counting(node, plain)
    hit = _hit(plain, loop, live, facts, fresh)
    _check_ends(plain, loop, hit)
    integers = integer_names(loop) | plain.integers
    begun: list[Begun] = []
    first: list[str] = []
    if hit is None:
        begun, first = plain_extremes(loop, beginning, facts, fresh, plain.first)
        begun = _packed(begun, plain.packed)
    elif plain.first:
        raise unsure(min(plain.first), loop)
    counted = counters(loop, fresh, beginning.text)
    counted += lags(loop, fresh, live)
    integers |= integer_names(loop)
    return Reading(
        plain=plain,
        loop=loop,
        counted=counted,
        integers=integers,
        hit=hit,
        live=live,
        begun=tuple(begun),
        first=tuple(first),
    )
