"""Expressions of one item, as text that computes them for a whole stack of items.

The items of a stack lie along its first axis. An operand whose items have fewer axes than those
of the other operand gets axes of length one behind the first: ``v * w`` of a matrix and a vector
becomes ``v * w[:, None]``.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from gpuport.batch import forms
from gpuport.batch.knowledge import Stacking, stacking
from gpuport.batch.records import (
    CARRIED,
    FORM,
    NO_STACKED_FORM,
    UNKNOWN_SHAPE,
    Guard,
    Item,
    Known,
    RankNeeded,
    Refused,
)


class Source(Protocol):
    """What the text of the file and the names in it are."""

    def segment(self, node: ast.AST) -> str:
        """Text of a node."""

    def extent(self, node: ast.AST) -> tuple[int, int]:
        """Character offsets of a node."""

    def resolve(self, node: ast.expr) -> str | None:
        """Dotted path that a name stands for."""

    def function(self, node: ast.Call) -> str:
        """The function of a call that is the same for all items, as the port spells it."""

    def on_device(self, node: ast.Call) -> bool:
        """Whether the port makes a call on the device."""


@dataclass(slots=True)
class Scope:
    """What the names in a loop's body are.

    Attributes
    ----------
    source : Source
    known : mapping of str to Known
        Names from before the loop.
    ranks : mapping of str to int
        Numbers of axes that are assumed: of a stack's items, of a value that is fixed.
    index : str or None
        The loop's counter.
    later : frozenset of str
        Names that the body binds.
    bound : dict of str to Item
        Those of them that are bound already.
    guard : Guard
    raises : list of ast.Call
        Calls that raise for some matrices.
    grouped : bool
        Whether the loop goes over lists, whose items may be of several shapes: each shape makes
        a stack of its own, and the counter stands for the places of its items.
    variables : dict of str to (tuple of str)
        What the stacks of each list are called.
    certain : dict of str to int
        Arrays that are the same for all items, whose number of axes needs no question.
    key : (str, str) or None
        The name of the key that a dict has for the item, and the dict.
    """

    source: Source
    known: Mapping[str, Known]
    ranks: Mapping[str, int]
    index: str | None = None
    later: frozenset[str] = frozenset()
    bound: dict[str, Item] = field(default_factory=dict)
    guard: Guard = field(default_factory=Guard)
    raises: list[ast.Call] = field(default_factory=list)
    grouped: bool = False
    variables: dict[str, tuple[str, ...]] = field(default_factory=dict)
    certain: dict[str, int] = field(default_factory=dict)
    key: tuple[str, str] | None = None

    def stack(self, name: str, node: ast.AST) -> Item:
        """All the items of an array that the loop goes over, or those of one shape."""
        known = self.known.get(name, Known())
        if known.kind == "list":
            return self.listed(name, f"{name}_stack", node)
        item = self._whole(name, known, node)
        return replace(item, text=f"{name}[{self.index}]") if self.grouped else item

    def listed(self, name: str, variable: str, node: ast.AST) -> Item:
        """The items of a list (or, in step with one, of an array) that have one shape."""
        known = self.known.get(name.removesuffix(".values()"), Known())
        given = (
            known.rank if known.kind in ("list", "dict") or known.rank is None else known.rank - 1
        )
        rank = self.guard.items.get(name, self.ranks.get(name, given))
        if rank is None:
            raise RankNeeded(name, node)
        if not isinstance(rank, int):
            raise Refused(FORM, node, f"the items of `{name}` are taken apart in two ways")
        self.guard.items[name] = rank
        (variable,) = self.variables.setdefault(name, (variable,))
        return Item(variable, rank, stacked=True, tight=True, views=frozenset({name}))

    def tuples(self, name: str, variables: Sequence[str], node: ast.AST) -> list[Item]:
        """The arrays in the tuples of a list, each a stack."""
        known = self.known.get(name, Known())
        ranks = []
        for position in range(len(variables)):
            given = known.items[position].rank if position < len(known.items) else None
            rank = self.ranks.get(f"{name}.{position}", given)
            if rank is None:
                raise RankNeeded(f"{name}.{position}", node)
            ranks.append(rank)
        if name in self.guard.items:
            raise Refused(FORM, node, f"the items of `{name}` are taken apart in two ways")
        self.guard.items[name] = tuple(ranks)
        self.variables[name] = tuple(variables)
        return [
            Item(variable, rank, stacked=True, tight=True, views=frozenset({name}))
            for variable, rank in zip(variables, ranks, strict=True)
        ]

    def _whole(self, name: str, known: Known, node: ast.AST) -> Item:
        if known.kind not in ("array", "unknown"):
            raise Refused(UNKNOWN_SHAPE, node, f"it is not known that `{name}` is an array")
        rank = self.guard.stacks.get(name)
        if rank is None:
            rank = self.ranks.get(name, known.rank)
            if rank is None:
                raise RankNeeded(name, node)
            self.guard.stacks[name] = rank
        if rank < 1:
            raise Refused(UNKNOWN_SHAPE, node, f"`{name}` has no items")
        return Item(name, rank - 1, stacked=True, tight=True, views=frozenset({name}))

    def fixed(self, name: str, node: ast.AST) -> Item:
        """A name that is the same for all items."""
        known = self.known.get(name, Known())
        if known.kind == "list":
            raise Refused(UNKNOWN_SHAPE, node, f"`{name}` is a list, not an array")
        rank = self.ranks.get(name, 0 if known.kind == "number" else known.rank)
        if rank is None:
            raise RankNeeded(name, node)
        if not (known.proven and known.rank == rank):
            self.guard.fixed[name] = rank
        elif rank:
            self.certain[name] = rank
        return Item(name, rank, stacked=False, tight=True, views=frozenset({name}))


def translate(scope: Scope, node: ast.expr) -> Item:
    """The text of an expression for all items.

    Raises
    ------
    Refused
        Where there is none.
    RankNeeded
        Where that depends on a number of axes that is neither known nor assumed.
    """
    handler = _HANDLERS.get(type(node))
    if handler is None:
        raise Refused(
            FORM, node, f"unsupported syntax: `{_short(scope, node)}` has no stacked form"
        )
    return handler(scope, node)


def spliced(scope: Scope, node: ast.AST, parts: Iterable[tuple[ast.AST, str]]) -> str:
    """The text of a node with new text for some nodes inside it."""
    start, end = scope.source.extent(node)
    whole = scope.source.segment(node)
    text, position = [], start
    for inner, new in sorted(parts, key=lambda part: scope.source.extent(part[0])):
        first, last = scope.source.extent(inner)
        text += [whole[position - start : first - start], new]
        position = last
    return "".join([*text, whole[position - start : end - start]])


def aligned(item: Item, rank: int) -> str:
    """The text of an operand whose items take part in an operation of items of this rank."""
    missing = rank - item.rank
    if not item.stacked or missing <= 0:
        return item.text
    return item.postfixed(f"[:{', None' * missing}]")


def elementwise(
    scope: Scope, node: ast.expr, operands: Sequence[ast.expr], function: str | None
) -> Item:
    """An operation on elements, of operands that broadcast against each other."""
    loose = [operand for operand in operands if _of_any_rank(scope, operand)]
    items = [
        Item(scope.source.segment(operand), 0, stacked=False, tight=True)
        if operand in loose
        else array(scope, operand, translate(scope, operand))
        for operand in operands
    ]
    rank = max((item.rank for item in items), default=0)
    if loose and not any(item.stacked for item in items):
        for operand in loose:
            translate(scope, operand)
    for operand in loose:
        assert isinstance(operand, ast.Name)
        bounds = scope.guard.bounded
        bounds[operand.id] = min(rank, bounds.get(operand.id, rank))
    parts: list[tuple[ast.AST, str]] = [
        (operand, aligned(item, rank)) for operand, item in zip(operands, items, strict=True)
    ]
    stacked = any(item.stacked for item in items)
    if isinstance(node, ast.Call):
        parts.append((node.func, function_text(scope, node, function, stacked)))
    return Item(spliced(scope, node, parts), rank, stacked, tight=isinstance(node, ast.Call))


def _of_any_rank(scope: Scope, node: ast.expr) -> bool:
    """A name that is the same for all items: with few axes it broadcasts whatever it is."""
    if not isinstance(node, ast.Name) or node.id in scope.bound or node.id in scope.later:
        return False
    known = scope.known.get(node.id, Known())
    elsewhere = node.id in scope.ranks or node.id in scope.guard.fixed
    unknown = known.kind == "unknown" or (known.kind == "array" and known.rank is None)
    named = node.id == scope.index or scope.source.resolve(node) is not None
    return unknown and not elsewhere and not named


def function_text(scope: Scope, node: ast.Call, path: str | None, stacked: bool) -> str:
    """How the port calls a function of NumPy."""
    if stacked and path is not None and path.startswith("numpy."):
        return "{cupy}." + path.removeprefix("numpy.")
    return scope.source.function(node)


def array(scope: Scope, node: ast.expr, item: Item) -> Item:
    """The item, where it is one array or number."""
    if item.results or item.sizes:
        raise Refused(FORM, node, f"`{_short(scope, node)}` is more than one array")
    return item


def _short(scope: Scope, node: ast.AST) -> str:
    return " ".join(scope.source.segment(node).split())[:60]


def _name(scope: Scope, node: ast.expr) -> Item:
    assert isinstance(node, ast.Name)
    name = node.id
    if name in scope.bound:
        return scope.bound[name]
    if scope.key is not None and name == scope.key[0]:
        raise Refused(FORM, node, f"the key `{name}` of the item takes part in the arithmetic")
    if name == scope.index:
        raise Refused(FORM, node, f"the number `{name}` of the item takes part in the arithmetic")
    if name in scope.later:
        raise Refused(
            CARRIED, node,
            f"carried dependence: iteration i reads `{name}`, which iteration i-1 bound",
        )  # fmt: skip
    path = scope.source.resolve(node)
    if path is not None and name not in scope.known:
        raise Refused(NO_STACKED_FORM, node, f"unknown call: `{name}` is handed on as a value")
    return scope.fixed(name, node)


def _constant(scope: Scope, node: ast.expr) -> Item:
    return Item(scope.source.segment(node), 0, stacked=False, tight=True)


def _attribute(scope: Scope, node: ast.expr) -> Item:
    assert isinstance(node, ast.Attribute)
    path = scope.source.resolve(node)
    if path is not None:
        return Item(scope.source.segment(node), 0, stacked=False, tight=True)
    item = translate(scope, node.value)
    if node.attr == "shape" and not item.results:
        text = item.postfixed(".shape[1:]" if item.stacked else ".shape")
        return Item(text, 0, stacked=False, tight=True, sizes=True)
    if node.attr == "dtype" and not item.results:
        return Item(item.postfixed(".dtype"), 0, stacked=False, tight=True)
    form = stacking().attributes.get(node.attr)
    array(scope, node.value, item)
    if form == "transpose":
        return forms.transposed(node, item, node.attr)
    if form == "elementwise":
        return replace(item, text=item.postfixed(f".{node.attr}"), tight=True, column="")
    raise Refused(FORM, node, f"`.{node.attr}` has no stacked form")


def _subscript(scope: Scope, node: ast.expr) -> Item:
    assert isinstance(node, ast.Subscript)
    indices = index_list(node.slice)
    if not indices:
        raise Refused(FORM, node, f"unsupported syntax: `{_short(scope, node)}`")
    if _is_counter(scope, indices[0]):
        if not isinstance(node.value, ast.Name) or node.value.id in scope.bound:
            raise Refused(FORM, node, f"`{_short(scope, node)}`: only arrays from before the loop "
                          "are stacks of items")  # fmt: skip
        base = scope.stack(node.value.id, node)
        return part(scope, node, base, indices[1:]) if len(indices) > 1 else base
    item = translate(scope, node.value)
    if item.sizes:
        return _size(scope, node, item)
    if item.results:
        position = node.slice.value if isinstance(node.slice, ast.Constant) else None
        if not isinstance(position, int) or not 0 <= position < len(item.results):
            raise Refused(FORM, node, f"`{_short(scope, node)}` is not one result")
        return replace(item.results[position], text=item.postfixed(f"[{position}]"), tight=True)
    return part(scope, node, item, indices)


def _is_counter(scope: Scope, node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == scope.index and node.id not in scope.bound


def index_list(node: ast.expr) -> list[ast.expr]:
    """The indices of a subscript, one for each axis."""
    return list(node.elts) if isinstance(node, ast.Tuple) else [node]


def part(scope: Scope, node: ast.AST, base: Item, indices: list[ast.expr]) -> Item:
    """Elements, rows, slices of an item."""
    rank, texts = base.rank, []
    for index in indices:
        if isinstance(index, ast.Slice):
            texts.append(_slice(scope, index))
        elif isinstance(index, ast.Constant) and index.value is None:
            rank += 1
            texts.append("None")
        else:
            item = translate(scope, index)
            if item.stacked or item.rank or item.results or not _whole(index):
                raise Refused(FORM, index, f"the index `{_short(scope, index)}` is no number that "
                              "is the same for all items")  # fmt: skip
            rank -= 1
            texts.append(item.text)
    used = sum(not (isinstance(i, ast.Constant) and i.value is None) for i in indices)
    if rank < 0 or used > base.rank:
        raise Refused(UNKNOWN_SHAPE, node, f"`{base.text}` has too few axes for its indices")
    inner = ", ".join([":", *texts] if base.stacked else texts)
    return Item(base.postfixed(f"[{inner}]"), rank, base.stacked, tight=True, views=base.views)


def _whole(index: ast.expr) -> bool:
    """Whether an index can be a whole number; those that are not in the file are guarded."""
    if isinstance(index, ast.Constant):
        return type(index.value) is int
    if isinstance(index, ast.UnaryOp):
        return isinstance(index.op, ast.USub) and _whole(index.operand)
    if isinstance(index, ast.BinOp):
        return _whole(index.left) and _whole(index.right)
    return isinstance(index, (ast.Name, ast.Subscript, ast.Call))


def _slice(scope: Scope, node: ast.Slice) -> str:
    parts: list[tuple[ast.AST, str]] = []
    for bound in (node.lower, node.upper, node.step):
        if bound is not None:
            item = translate(scope, bound)
            if item.stacked or item.rank or item.results:
                raise Refused(FORM, bound, f"`{_short(scope, bound)}` differs from item to item")
            parts.append((bound, item.text))
    return spliced(scope, node, parts)


def _size(scope: Scope, node: ast.Subscript, item: Item) -> Item:
    """``x.shape[0]``: the item's axes are those behind the first of the stack."""
    if not isinstance(node.slice, ast.Constant) or type(node.slice.value) is not int:
        raise Refused(FORM, node, f"`{_short(scope, node)}` is not one length")
    position = node.slice.value
    if item.text.endswith("[1:]"):
        return replace(item, text=f"{item.text[:-4]}[{position + 1}]", sizes=False)
    return replace(item, text=f"{item.text}[{position}]", sizes=False)


def _binary(scope: Scope, node: ast.expr) -> Item:
    assert isinstance(node, ast.BinOp)
    if isinstance(node.op, ast.MatMult):
        return forms.product(scope, node, node.left, node.right)
    return elementwise(scope, node, (node.left, node.right), None)


def _unary(scope: Scope, node: ast.expr) -> Item:
    assert isinstance(node, ast.UnaryOp)
    item = translate(scope, node.operand)
    if isinstance(node.op, ast.Not) and item.stacked:
        raise Refused(FORM, node, f"`{_short(scope, node)}` asks for the truth of each item")
    array(scope, node.operand, item)
    text = spliced(scope, node, [(node.operand, item.text)])
    return Item(text, item.rank, item.stacked)


def _compare(scope: Scope, node: ast.expr) -> Item:
    assert isinstance(node, ast.Compare)
    plain = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
    if len(node.ops) != 1 or not isinstance(node.ops[0], plain):
        raise Refused(FORM, node, f"`{_short(scope, node)}` asks for the truth of each item")
    return elementwise(scope, node, (node.left, node.comparators[0]), None)


def _call(scope: Scope, node: ast.expr) -> Item:
    assert isinstance(node, ast.Call)
    if any(isinstance(a, ast.Starred) for a in node.args) or any(
        k.arg is None for k in node.keywords
    ):
        raise Refused(FORM, node, "arguments are spread from a sequence")
    path = scope.source.resolve(node.func)
    if path is None:
        return _method(scope, node)
    table = stacking()
    item = _library_call(scope, node, path, table)
    if item is None:
        return _plain_call(scope, node, path)
    if item.stacked and path.startswith("numpy.") and not scope.source.on_device(node):
        raise Refused(FORM, node, f"`{_short(scope, node)}` stays on the host")
    return item


def _library_call(scope: Scope, node: ast.Call, path: str, table: Stacking) -> Item | None:
    """A call of which the tables know; None for others."""
    if path in table.matrices:
        return forms.of_matrices(scope, node, path, table.matrices[path])
    if path in table.forms:
        return forms.FORMS[table.forms[path]](scope, node, None)
    if path in table.elementwise or path == "builtins.abs":
        if node.keywords:
            raise Refused(FORM, node, f"`{node.keywords[0].arg}=` has no stacked form here")
        return elementwise(scope, node, node.args, path)
    head, _, name = path.rpartition(".")
    if head == "numpy" and node.args and name in table.reductions | table.along:
        item = array(scope, node.args[0], translate(scope, node.args[0]))
        return forms.reduced(scope, node, name, item, node.args[1:], path)
    if path == "builtins.len" and len(node.args) == 1:
        return _length(scope, node)
    return None


def _length(scope: Scope, node: ast.Call) -> Item:
    item = translate(scope, node.args[0])
    if not item.stacked or item.results or not item.rank:
        text = spliced(scope, node, [(node.args[0], item.text)])
        return Item(text, 0, stacked=False, tight=True)
    return Item(item.postfixed(".shape[1]"), 0, stacked=False, tight=True)


_PURE = frozenset(
    {"builtins.int", "builtins.float", "builtins.min", "builtins.max", "builtins.round"}
)


def _plain_call(scope: Scope, node: ast.Call, path: str) -> Item:
    """A function of numbers that are the same for all items."""
    pure = path in _PURE or path.startswith("math.")
    if pure and not node.keywords:
        items = [translate(scope, argument) for argument in node.args]
        if not any(item.stacked or item.rank or item.results for item in items):
            parts = [(a, i.text) for a, i in zip(node.args, items, strict=True)]
            return Item(spliced(scope, node, parts), 0, stacked=False, tight=True)
    raise Refused(
        NO_STACKED_FORM, node,
        f"unknown call: `{_short(scope, node.func)}` has no form for a stack of items",
    )  # fmt: skip


def _method(scope: Scope, node: ast.Call) -> Item:
    if not isinstance(node.func, ast.Attribute):
        raise Refused(
            NO_STACKED_FORM, node,
            f"unknown call: `{_short(scope, node.func)}` has no form for a stack of items",
        )  # fmt: skip
    name, table = node.func.attr, stacking()
    item = array(scope, node.func.value, translate(scope, node.func.value))
    if name in table.reductions or (name in table.along and name not in ("sort", "argsort")):
        return forms.reduced(scope, node, name, item, node.args, None)
    form = table.methods.get(name)
    if form == "elementwise" and not node.keywords:
        return _elementwise_method(scope, node, node.func, item)
    if form is not None and form != "elementwise":
        return forms.FORMS[form](scope, node, item)
    raise Refused(
        NO_STACKED_FORM, node, f"unknown call: `.{name}()` has no form for a stack of items"
    )


def _elementwise_method(scope: Scope, node: ast.Call, function: ast.Attribute, item: Item) -> Item:
    """``x.clip(low, high)``, ``x.copy()``."""
    others = [array(scope, a, translate(scope, a)) for a in node.args]
    if any(other.rank > item.rank or (other.stacked and not item.stacked) for other in others):
        raise Refused(FORM, node, f"`{_short(scope, node)}` grows the item")
    parts: list[tuple[ast.AST, str]] = [(function.value, item.text)]
    parts += [(a, aligned(o, item.rank)) for a, o in zip(node.args, others, strict=True)]
    if not isinstance(function.value, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)):
        # Its parentheses, if it has any, stand outside its extent.
        return Item(spliced(scope, node, parts), item.rank, item.stacked, tight=True)
    head = item.postfixed("")
    parts[0] = (function.value, head)
    return Item(spliced(scope, node, parts), item.rank, item.stacked, tight=True)


_HANDLERS: dict[type[ast.expr], Callable[[Scope, ast.expr], Item]] = {
    ast.Name: _name,
    ast.Constant: _constant,
    ast.Attribute: _attribute,
    ast.Subscript: _subscript,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.Compare: _compare,
    ast.Call: _call,
}
