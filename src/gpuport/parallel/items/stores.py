"""What a loop over items stores to: elements of arrays, lists and dicts from before it."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from gpuport.parallel.items.records import CARRIED, FORM, SIDE_EFFECT, Refused, Source
from gpuport.rules.stacking import stacking
from gpuport.source.carried import own_names
from gpuport.source.stores import adds
from gpuport.source.syntax import children, dotted, walk

_SIZES = frozenset(("shape", "ndim", "size", "dtype"))


@dataclass(frozen=True, slots=True)
class Store:
    """Something that is put into an array, a list or a dict.

    Attributes
    ----------
    name : str
        The name that the target begins with.
    target : ast.Subscript or ast.Name
        A name where something is appended to it.
    value : ast.expr
    adds : bool
        Whether it is added to what is there.
    appends : bool
    """

    name: str
    target: ast.expr
    value: ast.expr
    adds: bool = False
    appends: bool = False


def entries(node: ast.expr) -> list[ast.expr]:
    """The entries of the index that stands next to the name: ``i, 0`` of ``a[i, 0][k]``."""
    found: ast.expr | None = None
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        found = node.slice if isinstance(node, ast.Subscript) else found
        node = node.value
    return found.elts if isinstance(found, ast.Tuple) else [] if found is None else [found]


def place_of(node: ast.expr, items: Collection[str]) -> frozenset[tuple[int, str]]:
    """What of an index differs from item to item: each such entry with its number."""
    return frozenset(
        (number, ast.dump(one)) for number, one in enumerate(entries(node)) if _reads(one, items)
    )


def owner_of(node: ast.AST) -> str:
    """What an index is of: ``a`` of ``a.T[i]``, ``self.x`` of ``self.x[i]``; empty for others."""
    found = node
    while isinstance(found, (ast.Subscript, ast.Attribute)):
        node, found = found, found.value
        if isinstance(node, ast.Subscript):
            owner = node.value
            if isinstance(owner, (ast.Name, ast.Attribute)) and dotted(owner) is not None:
                return _bare(owner)
    return _bare(found)


def _bare(node: ast.AST) -> str:
    """A name or chain of attributes without what arrays have for attributes."""
    while isinstance(node, ast.Attribute) and node.attr in (*stacking().attributes, "flat"):
        node = node.value
    return dotted(node) or ""


def root_of(node: ast.AST) -> str | None:
    """The name that ``a.T[i].x`` begins with."""
    while isinstance(node, (ast.Subscript, ast.Attribute, ast.Starred)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def appended(node: ast.stmt) -> tuple[ast.expr, ast.expr] | None:
    """What ``found.append(value)`` appends to, and the value; None for any other statement.

    ``found += [value]`` is such a statement, too.
    """
    if isinstance(node, ast.AugAssign):
        one = isinstance(node.value, ast.List) and len(node.value.elts) == 1
        named = isinstance(node.target, ast.Name) and isinstance(node.op, ast.Add)
        return (node.target, node.value.elts[0]) if one and named else None  # type: ignore[attr-defined]
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return None
    grows = call.func.attr in stacking().growing_methods
    if not grows or len(call.args) != 1 or call.keywords:
        return None
    return call.func.value, call.args[0]


def stores_of(source: Source, body: Sequence[ast.stmt]) -> Iterator[Store]:
    """What the statements of a loop store.

    Raises
    ------
    Refused
        Where something is done that is no store.
    """
    for one in body:
        if isinstance(one, (ast.If, ast.For)):
            yield from stores_of(source, [*one.body, *one.orelse])
        elif isinstance(one, ast.AugAssign) and (found := appended(one)) is not None:
            yield Store(str(root_of(found[0])), found[0], found[1], appends=True)
        elif isinstance(one, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            targets = one.targets if isinstance(one, ast.Assign) else [one.target]
            for target in targets:
                yield from _stored(source, target, one)
        elif isinstance(one, ast.Expr) and not isinstance(one.value, ast.Constant):
            found = appended(one)
            name = None if found is None else root_of(found[0])
            if found is None or name is None:
                text = " ".join(source.segment(one).split())[:60]
                why = f"side effect: `{text}` happens once for each item, in order"
                raise Refused(SIDE_EFFECT, one, why)
            yield Store(name, found[0], found[1], appends=True)


def _stored(
    source: Source, target: ast.expr, statement: ast.Assign | ast.AnnAssign | ast.AugAssign
) -> Iterator[Store]:
    if isinstance(target, (ast.Tuple, ast.List)):
        for one in target.elts:
            yield from _stored(source, one, statement)
    elif isinstance(target, ast.Starred):
        yield from _stored(source, target.value, statement)
    elif isinstance(target, ast.Attribute):
        text = " ".join(source.segment(target).split())[:60]
        raise Refused(SIDE_EFFECT, target, f"side effect: `{text}` is bound for each item")
    elif isinstance(target, ast.Subscript):
        name = root_of(target)
        if name is None or statement.value is None:
            raise Refused(FORM, target, "unsupported syntax: what is stored to has no name")
        yield Store(name, target, statement.value, adds=adds(statement))


def views_of(source: Source, node: ast.AST) -> set[str]:
    """Names whose memory the value of an expression may be a part of."""
    if isinstance(node, ast.Name):
        return {node.id}
    if isinstance(node, (ast.Subscript, ast.Attribute, ast.Starred)):
        return views_of(source, node.value)
    if isinstance(node, ast.Call):
        return _views_of_call(source, node)
    if isinstance(node, (ast.IfExp, ast.BoolOp, ast.Tuple, ast.List, ast.Dict)):
        parts = [node.body, node.orelse] if isinstance(node, ast.IfExp) else children(node)
        return {name for part in parts for name in views_of(source, part)}
    return set()


def _views_of_call(source: Source, node: ast.Call) -> set[str]:
    given = [*node.args, *(keyword.value for keyword in node.keywords)]
    path, table = source.resolve(node.func), stacking()
    if path is None and isinstance(node.func, ast.Attribute):
        return set() if table.is_fresh(node.func.attr) else views_of(source, node.func.value)
    if path in table.elementwise or path in table.matrices or path in _MADE_ANEW:
        return set()
    return {name for one in given for name in views_of(source, one)}


_MADE_ANEW = frozenset(("builtins.range", "builtins.len", "builtins.float", "builtins.int"))


def roots(source: Source, statements: Sequence[ast.AST]) -> dict[str, set[str]]:
    """Of each name that a loop binds: the names whose memory it may be a part of."""
    found: dict[str, set[str]] = {}
    for part in (part for one in statements for part in walk(one)):
        pairs: list[tuple[ast.expr, ast.expr]] = []
        if isinstance(part, ast.Assign):
            pairs = [(target, part.value) for target in part.targets]
        elif isinstance(part, (ast.For, ast.comprehension)):
            pairs = [(part.target, part.iter)]
        for target, value in pairs:
            seen = views_of(source, value)
            for name in own_names(target):
                if not isinstance(name.ctx, ast.Load):
                    found.setdefault(name.id, set()).update(seen)
    for _ in range(len(found)):
        for bound, seen in found.items():
            found[bound] = seen | {more for one in seen if one in found for more in found[one]}
    return found


def check_reads(
    loop: ast.AST, stores: Sequence[Store], items: Collection[str], written: Collection[str]
) -> None:
    """Refuse a loop that reads of an array what other iterations store there.

    Raises
    ------
    Refused
    """
    own = _own_reads(loop, stores)
    for owner in {_owner(one): None for one in stores if one.name in written}:
        mine = [one for one in stores if _owner(one) == owner]
        for one in mine:
            same = entries(one.target) and not _reads(one.target, items)
            if same and not one.adds and not one.appends and owner not in own:
                why = f"carried dependence: items of `{owner}` are written twice"
                raise Refused(CARRIED, one.target, why)
        taken = _taken(loop)
        if own.get(owner) and any(_names_alone(one.target, items, taken) for one in mine):
            why = f"carried dependence: several items may name the same place of `{owner}`"
            raise Refused(CARRIED, mine[0].target, why)
        places = [place_of(one.target, items) for one in mine]
        works = not any(places) and not any(one.appends or one.adds for one in mine)
        filled = min(one.target.lineno for one in mine)
        for node in own.get(owner, []):
            if works and node.lineno > filled:
                continue  # each item works in it: what it finds there is seen where it runs
            read = place_of(node, items)
            if not read or not all(place and place <= read for place in places):
                why = f"carried dependence: an iteration reads parts of `{owner}` that others write"
                raise Refused(CARRIED, node, why)


def _taken(loop: ast.AST) -> frozenset[str]:
    """Names that loops bind to what is taken out of something: anything but what counts."""
    found: set[str] = set()
    for one in walk(loop):
        head = getattr(one, "iter", None)
        if head is not None:
            counts = getattr(getattr(head, "func", None), "id", "") in _COUNTING
            target = one.target  # type: ignore[attr-defined]
            parts = getattr(target, "elts", [target])[counts:]
            found |= {name.id for part in parts for name in own_names(part)}
    return frozenset(found)


_COUNTING = ("range", "enumerate")


def _names_alone(node: ast.expr, items: Collection[str], taken: Collection[str]) -> bool:
    """Whether the places of an index that differ from item to item were all taken out."""
    varying = [one for one in entries(node) if _reads(one, items)]
    return bool(varying) and all(getattr(n, "id", None) in taken for n in varying)


def _owner(one: Store) -> str:
    return owner_of(one.target) if root_of(one.target) == one.name else one.name


def _own_reads(loop: ast.AST, stores: Sequence[Store]) -> Mapping[str, list[ast.expr]]:
    """Where names are read, each with its index, but for their sizes and what is stored to."""
    targets = {id(part) for one in stores for part in _chain(one.target)}
    found: dict[str, list[ast.expr]] = {}
    waiting: list[ast.AST] = [loop]
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Name, ast.Subscript, ast.Attribute)):
            chain = list(_chain(node))
            waiting += [one.slice for one in chain if isinstance(one, ast.Subscript)]
            first = chain[-1]
            size = any(isinstance(one, ast.Attribute) and one.attr in _SIZES for one in chain)
            if not isinstance(first, ast.Name):
                waiting.append(first)
            elif id(first) not in targets and not size:
                found.setdefault(owner_of(node), []).append(node)
            continue
        if isinstance(node, (ast.For, ast.comprehension)):
            waiting += [one for one in children(node) if one is not node.iter]
        elif not _is_length(node):
            waiting += children(node)
    return found


def _is_length(node: ast.AST) -> bool:
    name = node.func if isinstance(node, ast.Call) else None
    return isinstance(name, ast.Name) and name.id == "len"


def _chain(node: ast.AST) -> Iterator[ast.AST]:
    """``a.T[i]`` and what it begins with, but for the index."""
    yield node
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
        yield node


def _reads(node: ast.AST, names: Collection[str]) -> bool:
    return any(name.id in names for name in own_names(node))


__all__ = ["Store", "appended", "check_reads", "root_of", "roots", "stores_of", "views_of"]
