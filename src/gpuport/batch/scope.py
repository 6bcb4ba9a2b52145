"""What is known of the names in a loop, and of its text."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from gpuport.batch.records import (
    FORM,
    UNKNOWN_SHAPE,
    Guard,
    Item,
    Known,
    Loop,
    RankNeeded,
    Refused,
    Twin,
)
from gpuport.batch.windows import Window
from gpuport.source.syntax import dotted
from gpuport.source.workspaces import Workspaces


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

    def of_numbers(self, node: ast.Call) -> bool:
        """Whether a call is given nothing but numbers, in each iteration."""

    def made_here(self, node: ast.Call) -> bool:
        """Whether what a call of a function of the module gives is on the device."""

    def definition(self, node: ast.Call) -> ast.FunctionDef | None:
        """The function of the module that a call is of, where the port runs it on the device."""

    def inside(self, function: ast.FunctionDef) -> Source:
        """The text and the names in a function of the module."""

    def number(self, name: str) -> bool:
        """Whether the module binds a name to a number, once."""

    def place(self, node: ast.Attribute) -> int | None:
        """Which of several results an attribute names: 1 for ``svd(a).S``."""

    def names(self) -> Collection[str]:
        """The names in the function or module around the loop."""


def owner_of(text: str) -> str:
    """The name in what a loop goes over: ``blocks.values()``, ``mats[1:]``, `backwards`."""
    if text.startswith(_BY_KEYS):
        return text.removeprefix(_BY_KEYS).partition(".get")[0]
    name = text.partition("[")[0].removesuffix(".values()")
    return name.removeprefix("list(reversed(").removesuffix("))")


def names_in(text: str) -> set[str]:
    """The names in the text of some expressions."""
    parts = ast.walk(ast.parse(text, mode="eval"))
    return {part.id for part in parts if isinstance(part, ast.Name)}


_BY_KEYS = "list(map("


def of_keys(name: str, other: str) -> str:
    """The items of a dict for the keys of another one: None for a key that it has not."""
    return f"{_BY_KEYS}{name}.get, {other}))"


def backwards(name: str, kind: str) -> str:
    """An array or a list from its end on; what is taken for a list may have no slices."""
    return f"{name}[::-1]" if kind == "array" else f"list(reversed({name}))"


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
    uneven : list of ast.Call
        Those of them that raise where the loop does not, which runs then.
    grouped : bool
        Whether the loop goes over lists, whose items may be of several shapes: each shape makes
        a stack of its own, and the counter stands for the places of its items.
    variables : dict of str to (tuple of str)
        What the stacks of each list are called.
    certain : dict of str to int
        Arrays that are the same for all items, whose number of axes needs no question.
    key : (str, str) or None
        The name of the key that a dict has for the item, and the dict.
    axes : dict of str to int
        Along which axis the items of each array lie.
    twins : list of Twin
        Functions of the module that are vectorised for this loop.
    inside : frozenset of int
        Ids of the functions of the module whose body this is.
    own : set of str
        Names that the stacked code has given to values of its own.
    chosen : str
        Under a condition: the array of the places of the items that it holds for.
    picked : dict of str to str
        Arrays of which these items have a name of their own.
    branched : set of str
        Names that a branch of a condition has bound.
    parameters : frozenset of str
        Of a function's body: the parameters that hold a stack.
    neighbours : frozenset of str
        Names that a number is added to in an index, ``poses[i + 1]``.
    where : str
        Of a loop over ``np.flatnonzero(good)``: the array whose items it asks for.
    opening : dict of str to Item
        What the items of an array are taken apart into before anything else, by the text that
        stands for the names: ``r, c``.
    taken : dict of str to str
        Names that the body gives the items of an array as they are, with its name.
    mapped : dict of str to ast.Call
        Names of what `map` makes of the items, by a function that raises for some.
    numbers : dict of str to str, or None
        The counter, where stacked code names the numbers of all items by it, with their text; None
        where that has no place for a statement.
    window : Window or None
        Where the counter is among these: how far it counts, as each array then gives as many
        items from its own first one on.
    """

    source: Source
    known: Mapping[str, Known]
    ranks: Mapping[str, int]
    index: str | None = None
    later: frozenset[str] = frozenset()
    bound: dict[str, Item] = field(default_factory=dict)
    guard: Guard = field(default_factory=Guard)
    raises: list[ast.Call] = field(default_factory=list)
    uneven: list[ast.Call] = field(default_factory=list)
    grouped: bool = False
    variables: dict[str, tuple[str, ...]] = field(default_factory=dict)
    certain: dict[str, int] = field(default_factory=dict)
    key: tuple[str, str] | None = None
    axes: dict[str, int] = field(default_factory=dict)
    twins: list[Twin] = field(default_factory=list)
    inside: frozenset[int] = frozenset()
    own: set[str] = field(default_factory=set)
    chosen: str = ""
    picked: dict[str, str] = field(default_factory=dict)
    branched: set[str] = field(default_factory=set)
    parameters: frozenset[str] = frozenset()
    neighbours: frozenset[str] = frozenset()
    window: Window | None = None
    numbers: dict[str, str] | None = None
    where: str = ""
    opening: dict[str, Item] = field(default_factory=dict)
    taken: dict[str, str] = field(default_factory=dict)
    mapped: dict[str, ast.Call] = field(default_factory=dict)

    def outer(self, node: ast.AST) -> str | None:
        """What an expression names from before the loop: ``a``, or a lasting ``self.a``."""
        if isinstance(node, ast.Name):
            return None if node.id in self.bound else node.id
        name = dotted(node) if isinstance(node, ast.Attribute) else None
        return name if name in self.known else None

    def free(self, name: str) -> str:
        """A name of the stacked code's own, like this one: the user's names keep their values."""
        taken = self.source.names()
        while name in taken or name in self.own:
            name += "_"
        self.own.add(name)
        return name

    def count(self) -> str:
        """The text of how many items there are."""
        if self.chosen:
            return f"{self.chosen}.size"
        held = (
            item.text for name, item in self.bound.items()
            if item.stacked and item.text.isidentifier() and name not in self.branched
        )  # fmt: skip
        arrays = (name for name in self.guard.stacks if name not in self.guard.along)
        listed = (one[0] for one in self.variables.values())
        for name in (*held, *listed, *(() if self.grouped else arrays)):
            return f"len({self.guard.called(name)})"
        length = self.guard.length
        if length is not None and not self.grouped and self.later.isdisjoint(names_in(length)):
            return length  # as many as each array that is read later
        node = ast.Name("items", ast.Load())
        raise Refused(FORM, node, "nothing of the items is read before an array is made for them")

    def stack(self, name: str, node: ast.AST, axis: int = 0) -> Item:
        """All the items of an array that the loop goes over, or those of one shape."""
        known = self.known.get(name, Known())
        if axis and (self.grouped or known.kind == "list"):
            raise Refused(FORM, node, f"the items of `{name}` do not lie along its first axis")
        if known.kind == "list":
            return self.unnamed(name, name, node)
        item = self._whole(name, known, node)
        self.lies(name, axis, node)
        if axis:
            item = replace(item, text=f"{{cupy}}.moveaxis({name}, {axis}, 0)")
        if self.chosen:
            own = None if axis else self.picked.get(name)
            return replace(item, text=own or f"{item.text}[{self.chosen}]")
        return replace(item, text=f"{name}[{self.index}]") if self.grouped else item

    def stretch(self, name: str, text: str, node: ast.AST) -> Item:
        """The items in a part of an array or list, ``mats[1:]``; they stand under its text."""
        known = self.known.get(name, Known())
        if self.grouped and known.kind in ("array", "list"):
            return self.unnamed(name, text, node)
        if known.kind != "array":
            raise Refused(UNKNOWN_SHAPE, node, f"it is not known that `{name}` is an array")
        if known.hosted:
            raise Refused(FORM, node, f"`{name}` stays on the host")
        rank = self.ranks.get(name, known.rank)
        if rank is None:
            raise RankNeeded(name, node)
        if rank < 1:
            raise Refused(UNKNOWN_SHAPE, node, f"`{name}` has no items")
        self.guard.stacks[text] = rank
        chosen = f"{text}[{self.chosen}]" if self.chosen else text
        return Item(chosen, rank - 1, stacked=True, tight=True, views=frozenset({name, text}))

    def lies(self, name: str, axis: int, node: ast.AST) -> None:
        """Note along which axis the items of an array lie: one only."""
        if self.axes.setdefault(name, axis) != axis:
            raise Refused(FORM, node, f"items of `{name}` are taken along two axes")
        if axis:
            self.guard.along[name] = axis

    def unnamed(self, name: str, items: str, node: ast.AST) -> Item:
        """The items of a list or dict that the loop has no name for."""
        (variable,) = self.variables.get(items, ("",))
        own = name.rpartition(".")[2]
        return self.listed(items, variable or self.free(f"{own}_stack"), node)

    def listed(self, name: str, variable: str, node: ast.AST) -> Item:
        """The items of a list (or, in step with one, of an array) that have one shape."""
        known = self.known.get(owner_of(name), Known())
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
        views = frozenset({name, owner_of(name)})
        return Item(variable, rank, stacked=True, tight=True, views=views)

    def tuples(self, name: str, variables: Sequence[str], node: ast.AST) -> list[Item]:
        """The arrays in the tuples of a list, each a stack."""
        known = self.known.get(owner_of(name), Known())
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
            Item(variable, rank, stacked=True, tight=True, views=frozenset({name, owner_of(name)}))
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
        text = self._brought_over(name) if known.hosted else name
        if known.hosted and known.rank is None:
            self.guard.presumed[name] = None
        return Item(text, rank - 1, stacked=True, tight=True, views=frozenset({name}))

    def _brought_over(self, name: str) -> str:
        """The name of a copy on the device, of numbers that lie on the host."""
        parts = self.guard.parts
        if name not in parts:
            own = self.free(f"{name.rpartition('.')[2]}_stack")
            parts[name] = own, f"{{batched}}.numbers({name})"
        return parts[name][0]

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
    counted : ast.For or None
        Of a loop that counts by hand, the loop over a range that does the same.
    taken_apart : bool
        Whether the items of a comprehension are nothing but taken apart, ``zip(*(...))``.
    workspaces : mapping of str to ast.Name
        Arrays that each iteration fills before it reads them, with where it reads them.
    """

    node: Loop
    source: Source
    known: Mapping[str, Known]
    live: frozenset[str] = frozenset()
    arrays: frozenset[str] = frozenset()
    made_array: bool = False
    moved: frozenset[int] = frozenset()
    counted: ast.For | None = None
    taken_apart: bool = False
    workspaces: Workspaces = field(default_factory=dict)
