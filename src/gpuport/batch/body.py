"""The statements of a loop's body, as statements for the whole stack."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from gpuport.batch.arguments import aligned, array, spliced, taken_apart
from gpuport.batch.changes import augmented, is_own, spread, store
from gpuport.batch.choices import branches, go_on, skips
from gpuport.batch.collecting import append, grows, put, put_numbered
from gpuport.batch.expressions import translate
from gpuport.batch.extremes import extreme_of, keep
from gpuport.batch.gathers import item_of
from gpuport.batch.places import by_key, by_number, place
from gpuport.batch.rebinding import note_floats, rebind
from gpuport.batch.records import (
    CARRIED,
    FORM,
    UNKNOWN_SHAPE,
    Item,
    Known,
    Refused,
    own_memory,
)
from gpuport.batch.repeats import repeated
from gpuport.batch.scope import Scope
from gpuport.batch.sums import add, added
from gpuport.source.syntax import walk


@dataclass(slots=True)
class Body:
    """The statements so far.

    Attributes
    ----------
    scope : Scope
    lines : list of str
    appended : dict of str to str
        Lists that grow, with the names of what holds their stacks in a grouped loop.
    arrays : frozenset of str
        Lists that may be one array instead.
    sums : frozenset of str
        Names that do nothing in the loop but grow by what is added to them.
    extremes : frozenset of str
        Names that do nothing in the loop but keep the least or greatest of what it gives.
    moved : frozenset of int
        Ids of expressions that are brought to the host.
    keyed : dict
        Those of the lists that are dicts (an ordered set).
    numbered : dict
        Dicts whose keys are the numbers of the items (an ordered set).
    visible : bool
        Whether something that callers see has been written.
    late : bool
        Whether a call that may raise comes after such a write.
    grown : bool
        Whether something has grown by what the items give: the loop would have it grow again.
    again : bool
        Whether a call that may raise comes after that.
    depth : int
        Conditions and loops around the next line.
    stored : frozenset of str
        Names that the body stores elements of.
    made : dict of str to str
        Names that lines of the body have bound, with the items that they hold: those that a
        condition has chosen, or all.
    merged : frozenset of str
        Names that a branch of a condition binds anew for the items that it chooses.
    floats : set of str
        Names whose elements are no whole numbers, whatever the items hold.
    frozen : set of str
        Names that share memory with others for some items alone, so that nothing may change them.
    """

    scope: Scope
    lines: list[str] = field(default_factory=list)
    appended: dict[str, str] = field(default_factory=dict)
    arrays: frozenset[str] = frozenset()
    sums: frozenset[str] = frozenset()
    extremes: frozenset[str] = frozenset()
    moved: frozenset[int] = frozenset()
    keyed: dict[str, None] = field(default_factory=dict)
    numbered: dict[str, None] = field(default_factory=dict)
    visible: bool = False
    late: bool = False
    grown: bool = False
    again: bool = False
    depth: int = 0
    stored: frozenset[str] = frozenset()
    made: dict[str, str] = field(default_factory=dict)
    merged: frozenset[str] = frozenset()
    floats: set[str] = field(default_factory=set)
    frozen: set[str] = field(default_factory=set)

    def emit(self, text: str) -> None:
        """Add a line, as deep as the conditions around it have it."""
        self.lines.append("    " * self.depth + text)

    def block(self, statements: Sequence[ast.stmt]) -> None:
        """Add some statements, one after the other."""
        for done, statement in enumerate(statements, 1):
            if isinstance(statement, ast.If) and skips(statement):
                go_on(self, statement, statements[done:])
                return
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        """Add one statement of the body.

        Raises
        ------
        Refused, RankNeeded
            As :func:`~gpuport.batch.expressions.translate` does.
        """
        shown, grown, raising = self.visible, self.grown, len(self.scope.raises)
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            self._assign(node, node.targets[0], node.value)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            self._assign(node, node.target, node.value)
        elif isinstance(node, ast.AugAssign) and not grows(self, node):
            augmented(self, node)
        elif isinstance(node, (ast.Expr, ast.AugAssign)):
            append(self, node)
        elif isinstance(node, ast.If):
            branches(self, node)
        elif isinstance(node, ast.For):
            repeated(self, node)
        elif not isinstance(node, ast.Pass):
            raise Refused(_CODES.get(type(node), FORM), node, _why(node))
        if len(self.scope.raises) > raising:
            self.late, self.again = self.late or shown, self.again or grown

    def _assign(self, node: ast.stmt, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name) and target.id in self.extremes:
            assert isinstance(node, ast.Assign)
            keep(self, node, *extreme_of(node, self.scope.source.resolve))
        elif isinstance(target, ast.Name) and target.id in self.sums:
            add(self, node, target.id, added(ast.Assign([target], value))[1], anew=True)
        elif isinstance(target, ast.Name):
            self._name(node, target, value)
        elif isinstance(target, ast.Tuple) and all(map(_is_name, _without_rest(target.elts))):
            self._unpack(node, target, value)
        elif isinstance(target, ast.Subscript) and by_key(self.scope, target):
            put(self, target, value)
        elif isinstance(target, ast.Subscript) and by_number(self.scope, target):
            put_numbered(self, target, value)
        elif isinstance(target, ast.Subscript) and is_own(self, target):
            store(self, node, target, value)
        elif isinstance(target, ast.Subscript):
            item = array(self.scope, value, translate(self.scope, value))
            text, rank = self._store(target, item)
            self.emit(spliced(self.scope, node, [(target, text), (value, aligned(item, rank))]))
        elif isinstance(target, ast.Tuple) and not isinstance(value, ast.Tuple):
            self._store_results(node, target, value)
        elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            self._store_several(node, target.elts, value.elts)
        else:
            raise Refused(FORM, target, "unsupported syntax: the target of the assignment")

    def _name(self, node: ast.stmt, target: ast.Name, value: ast.expr) -> None:
        """``x = value``."""
        name, item = target.id, translate(self.scope, value)
        taken_out = isinstance(value, (ast.Subscript, ast.Attribute, ast.Name))
        if self.stored and taken_out and item.stacked and not (item.rank or item.results):
            item = replace(item, text=item.postfixed(".copy()"))  # a number of NumPy's is no view
        item = spread(self, name, item)
        self.scope.taken.pop(name, None)
        if name in self.merged and self.made.get(name) != self.scope.chosen:
            rebind(self, node, name, item)
            return
        taken = {name: source} if (source := item_of(self.scope, item)) else {}
        self._bind(target, item)
        self.scope.taken |= taken
        note_floats(self, [name], value)
        self.emit(spliced(self.scope, node, [(value, item.text)]))

    def _bind(self, target: ast.Name, item: Item) -> None:
        name = target.id
        if item.views & self.scope.guard.writes.keys():
            raise Refused(FORM, target, f"`{name}` is a view of what the loop writes")
        guard = self.scope.guard
        if name in guard.stacks or name in guard.fixed or name in guard.bounded:
            raise Refused(
                CARRIED, target,
                f"carried dependence: `{name}` is read by an iteration and bound anew in it",
            )  # fmt: skip
        own = replace(item, text=name, tight=True, column="", factors=None)
        self.scope.bound[name] = replace(own, views=item.views | {own_memory(name)})
        self.scope.branched.discard(name)
        self.scope.taken.pop(name, None)
        self.made[name] = self.scope.chosen

    def _store(self, target: ast.Subscript, item: Item) -> tuple[str, int]:
        """Where all items go, and how many axes one has there."""
        text, rank, name = place(self.scope, target, item)
        if name in item.views:
            raise Refused(FORM, target, f"`{name}` is written from a view of itself")
        if item.rank > rank:
            raise Refused(UNKNOWN_SHAPE, target, f"an item of `{name}` has too few axes")
        self.written(name)
        return text, rank

    def _store_results(self, node: ast.stmt, target: ast.Tuple, value: ast.expr) -> None:
        """``x[i], p[i] = f(x[i], p[i])``: results that have the axes of their places."""
        item = translate(self.scope, value)
        parts: list[tuple[ast.AST, str]] = [(value, item.text)]
        if len(item.results) != len(target.elts):
            raise Refused(FORM, node, "unsupported syntax: the number of values is not evident")
        for one, result in zip(target.elts, item.results, strict=True):
            if isinstance(one, ast.Name):
                self._bind(one, result)
                continue
            if not isinstance(one, ast.Subscript) or by_key(self.scope, one):
                raise Refused(FORM, one, "unsupported syntax: the target of the assignment")
            text, rank = self._store(one, array(self.scope, value, result))
            if rank != result.rank:
                raise Refused(UNKNOWN_SHAPE, one, f"an item of `{text}` has other axes")
            parts.append((one, text))
        self.emit(spliced(self.scope, node, parts))

    def _store_several(
        self, node: ast.stmt, targets: list[ast.expr], values: list[ast.expr]
    ) -> None:  # fmt: skip
        """``x[i], p[i] = y, q``: what is stored is no part of where it is stored."""
        items = [array(self.scope, value, translate(self.scope, value)) for value in values]
        views = frozenset[str]().union(*(item.views for item in items))
        parts: list[tuple[ast.AST, str]] = []
        if len(targets) != len(items):
            raise Refused(FORM, node, "unsupported syntax: the number of values is not evident")
        for target, value, item in zip(targets, values, items, strict=True):
            if not isinstance(target, ast.Subscript) or by_key(self.scope, target):
                raise Refused(FORM, target, "unsupported syntax: the target of the assignment")
            text, rank = self._store(target, replace(item, views=views))
            parts += [(target, text), (value, aligned(item, rank))]
        self.emit(spliced(self.scope, node, parts))

    def _unpack(self, node: ast.stmt, target: ast.Tuple, value: ast.expr) -> None:
        names = [e for e in target.elts if isinstance(e, ast.Name)]
        rest = target.elts[len(names) :]
        if isinstance(value, ast.Tuple) and len(value.elts) == len(names) and not rest:
            items = [translate(self.scope, e) for e in value.elts]
            parts = [(e, i.text) for e, i in zip(value.elts, items, strict=True)]
            text = spliced(self.scope, node, parts)
        else:
            item = translate(self.scope, value)
            if item.stacked and item.rank and not (item.results or rest):
                item = self._rows(item, len(names))
            if len(item.results) != len(names) and not (rest and len(item.results) > len(names)):
                raise Refused(FORM, node, "unsupported syntax: the number of values is not evident")
            items = list(item.results[: len(names)])
            for one in rest:  # a list of stacks, where the loop has a list of items
                names += [n for n in walk(one) if isinstance(n, ast.Name)]
                items.append(Item("", 0, stacked=True, absent=True))
            text = spliced(self.scope, node, [(value, item.text)])
        for name, item in zip(names, items, strict=True):
            self._bind(name, item)
        note_floats(self, [name.id for name in names], value)
        self.emit(text)

    def _rows(self, item: Item, count: int) -> Item:
        """What an array of each item is taken apart into: a row of it for each name.

        Python raises ValueError where there are more rows or fewer, for one item as for all.
        """
        numbers = item.rank == 1
        text = taken_apart(item) + (".copy()" if numbers and self.stored else "")
        views = frozenset[str]() if numbers else item.views
        row = Item("", item.rank - 1, stacked=True, tight=True, views=views, whole=item.whole)
        return replace(item, text=text, results=(row,) * count)

    def written(self, name: str) -> None:
        self.scope.guard.writes[name] = None
        self.shown(name)

    def shown(self, name: str) -> None:
        if self.scope.known.get(name, Known()).argument:
            self.visible = True


def _is_name(node: ast.expr) -> bool:
    return isinstance(node, ast.Name)


def _without_rest(targets: list[ast.expr]) -> list[ast.expr]:
    """What values are taken apart into, but for a last ``*rest``."""
    last = targets[-1] if targets else None
    rest = isinstance(last, ast.Starred) and isinstance(last.value, ast.Name)
    return targets[:-1] if rest else targets


_CODES: dict[type[ast.stmt], str] = {ast.Break: FORM, ast.Return: FORM, ast.Try: FORM}

_WORDS: dict[type[ast.stmt], str] = {
    ast.While: "another loop stands in it",
    ast.Break: "data-dependent exit: `break`",
    ast.Continue: "`continue` skips items",
    ast.Return: "data-dependent exit: `return`",
    ast.Try: "exception handling in it",
    ast.With: "a `with` stands in it",
}


def _why(node: ast.stmt) -> str:
    return f"unsupported syntax: {_WORDS.get(type(node), type(node).__name__)}"


def bound_by(body: list[ast.stmt]) -> Iterator[str]:
    """Names that plain assignments of a body bind."""
    for statement in body:
        for node in walk(statement):
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                yield node.id
