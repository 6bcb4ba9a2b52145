"""Shapes of what a function computes, as far as the program's text shows them.

What each name is at most is found in rounds, beginning with nothing: ``m = np.eye(2)`` and
``m = a @ m`` are two by two where `a` is. A guess at costs, never a claim: numbers whose types
nothing shows are taken for numbers where they are combined with what is shown.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from gpuport.cost.broadcasting import (
    ANY,
    NOTHING,
    Shape,
    at_most,
    broadcast,
    count,
    joined,
    multiplied,
    without_axis,
)
from gpuport.cost.singles import Singles, is_renewed
from gpuport.cost.slices import width
from gpuport.source.bindings import Item, bound_in_text
from gpuport.source.lengths import Lengths, parameters_of
from gpuport.source.syntax import dotted, walk

_ROUNDS = 6
"""After so many what a name is has settled, or grows."""

FEW = 36
"""Elements, those of six by six, on which NumPy is done before a launch has begun."""

FEW_IN_NESTS = 128
"""Elements of what two loops or more compute in each trip, up to which no launch is worth it."""

_FIELD = 64
"""A few elements of an object's array. Those of arrays that calls pass tell nothing here: what
running through the program shows of them is ``told``.
"""

_MAKERS = ("displays", "lengths", "spaced", "counted")
_CONSTANTS = frozenset({"pi", "e", "inf", "nan", "newaxis", "size", "ndim", "real", "imag"})
_NUMBERS = frozenset({"int", "float", "complex", "bool", "len", "round", "ord", "sum"})


class Shapes:
    """The shapes of the names of a function, and of expressions in it.

    Parameters
    ----------
    function : ast.AST
        Or a module.
    words : mapping
        ``shown_lengths`` of the words of placement.
    elsewhere : callable, optional
        What binds a name outside of the function, or an attribute, given as ``.name``.
    told : callable, optional
        What is known of an expression besides, by running through the program.
    repeated : int, optional
        In how many loops of the program the function is called.

    Attributes
    ----------
    few : dict of int to tuple of two frozensets of int
        What was found to be of so many elements at most, kept here by who asked.
    lengths : Lengths
        How long things are in this program, where it is run as it is written.
    """

    def __init__(
        self,
        function: ast.AST,
        words: Mapping[str, frozenset[str]],
        elsewhere: Callable[[str], list[Bound]] = lambda name: [],
        told: Callable[[ast.expr], Shape] = lambda node: ANY,
        *,
        repeated: int = 0,
    ) -> None:
        self.words = words
        self.told = told
        self.repeated = repeated
        self.elsewhere = elsewhere
        self.bound = bound_in_text(function)
        self.sources, self.changes = _sources_and_changes(function, self.bound)
        self.singles = Singles(walk(function), self.bound)
        self.own = Lengths(self.bound, words)
        self.lengths = Lengths(
            self.bound,
            words,
            lambda name: [(where.lengths, one) for where, one in elsewhere(name)],
        )
        self.parameters = parameters_of(function) if isinstance(function, ast.FunctionDef) else []
        self.names: dict[str, Shape] = {}
        self.outside: dict[str, Shape] = {}
        self.solved = False
        self.few: dict[int, tuple[frozenset[int], frozenset[int]]] = {}

    def elements(self, node: ast.expr) -> int | None:
        """How many elements an expression's value has at most; None where nothing says so."""
        return count(self.of(node))

    def makes(self, node: ast.Call) -> bool:
        """Whether a call makes an array of numbers, or of the length that it is given."""
        return any(_word(node) in self.words[kind] for kind in _MAKERS)

    def of(self, node: ast.expr | None) -> Shape:
        """The shape of an expression's value, at most."""
        self._solve()
        return self._of(node)

    def _solve(self) -> None:
        """Find the names' shapes: round after round, until they stay."""
        if self.solved:
            return
        self.solved = True
        self.names = dict.fromkeys(self.sources, NOTHING)
        for _ in range(_ROUNDS):
            found = {name: self._bound(name) for name in self.sources}
            if found == self.names:
                return
            self.names = found
        grown = {name: self._bound(name) for name in self.sources}
        self.names = {n: s if grown[n] == s else ANY for n, s in self.names.items()}

    def _bound(self, name: str) -> Shape:
        found = joined([*self._made(name), *self._given(name)])
        if found != ():
            return found  # what is added to an array has no more elements than that
        return joined([found, *map(self._of, self.changes.get(name, ()))])

    def _made(self, name: str) -> list[Shape]:
        """What a name is bound to; where a loop renews it, it stays as large as it began."""
        found = [(one, self._of(one)) for one in self.sources[name]]
        others = [shape for one, shape in found if shape is not ANY or not self.renews(name, one)]
        if (count(joined(others)) or 0) > 1:  # one element may well become many
            return others
        return [shape for _, shape in found]

    def renews(self, name: str, value: ast.expr | None) -> bool:
        """Whether a name is computed of itself and of the items of a loop, element by element.

        ``x = x + k * (value - x[0])``: items have no more axes than what they are combined with.
        """
        if value is None or not is_renewed(name, value):
            return False
        names = {one.id for one in walk(value) if isinstance(one, ast.Name)} - {name}
        unknown = [one for one in names if self._named(one) is ANY]
        return all(
            isinstance(made, Item) for one in unknown for made in self.sources.get(one, [None])
        )

    def _given(self, name: str) -> list[Shape]:
        """What a name, or an attribute, is given outside of the function."""
        given = [where.of(one) if where is not self else ANY for where, one in self.elsewhere(name)]
        if name.startswith("."):
            return [one if (count(one) or 0) <= _FIELD else ANY for one in given]
        return [(None,) * len(one) if isinstance(one, tuple) else one for one in given]

    def _named(self, name: str) -> Shape:
        if name in self.names:
            return self.names[name]
        if name not in self.outside:
            self.outside[name] = ANY  # where it depends on itself
            given = self._given(name)
            self.outside[name] = joined(given) if given else ANY
        return self.outside[name]

    def _of(self, node: ast.expr | None) -> Shape:
        shape = self._shape(node)
        if node is None or shape is NOTHING or count(shape) is not None:
            return shape
        told = self.told(node)
        if (count(told) or FEW_IN_NESTS + 1) <= FEW_IN_NESTS:
            return told
        single = shape is ANY and self.singles.is_single(node, 0)
        return () if single else shape

    def _shape(self, node: ast.expr | None) -> Shape:
        if isinstance(node, ast.Constant):
            return () if isinstance(node.value, bool | int | float | complex) else ANY
        if isinstance(node, ast.Name):
            return self._named(node.id)
        if isinstance(node, ast.Attribute):
            return self._attribute(node)
        if isinstance(node, Item):
            return self._item(node.of)
        if isinstance(node, ast.BinOp):
            sides = self._of(node.left), self._of(node.right)
            return multiplied(*sides) if isinstance(node.op, ast.MatMult) else broadcast(sides)
        if isinstance(node, ast.UnaryOp):
            return self._of(node.operand)
        if isinstance(node, ast.Compare):
            return broadcast(map(self._of, (node.left, *node.comparators)))
        if isinstance(node, ast.IfExp):
            return joined([self._of(node.body), self._of(node.orelse)])
        if isinstance(node, ast.Subscript):
            return self._subscript(node)
        if isinstance(node, ast.List | ast.Tuple):
            return self._display(node)
        if isinstance(node, ast.ListComp):
            item = self._of(node.elt)
            return (None, *item) if isinstance(item, tuple) else item
        return self._call(node) if isinstance(node, ast.Call) else ANY

    def _attribute(self, node: ast.Attribute) -> Shape:
        if node.attr in ("T", "mT"):
            shape = self._of(node.value)
            return shape[::-1] if isinstance(shape, tuple) else shape
        return () if node.attr in _CONSTANTS else self._named(f".{node.attr}")

    def _item(self, of: ast.expr) -> Shape:
        if isinstance(of, ast.Call) and getattr(of.func, "id", "") == "range":
            return ()
        shape = self._of(of)
        return shape[1:] if isinstance(shape, tuple) and shape else ANY

    def _subscript(self, node: ast.Subscript) -> Shape:
        if isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
            return ()
        shape = self._of(node.value)
        if not isinstance(shape, tuple):
            return shape
        index = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        left: list[int | None] = []
        wide = len(shape) - sum(not _is_new_axis(one) for one in index)
        for part in index:
            if _is_ellipsis(part):
                left += shape[: wide + 1]
                shape = shape[wide + 1 :]
            elif _is_new_axis(part):
                left.append(1)
            elif not shape:
                return ANY
            elif isinstance(part, ast.Slice):
                left.append(width(part, shape[0], lambda one: self.lengths.length(one, 0)))
                shape = shape[1:]
            else:
                taken = self._of(part)
                if not isinstance(taken, tuple):
                    return taken
                left += taken
                shape = shape[1:]
        return at_most((*left, *shape))

    def _call(self, node: ast.Call) -> Shape:
        word = _word(node)
        method = isinstance(node.func, ast.Attribute)
        if not method and word in _NUMBERS:
            return ()
        if not method and word in ("min", "max", "abs"):
            return joined(map(self._of, node.args)) if len(node.args) > 1 else ()
        if method and getattr(node.func.value, "id", "") in ("math", "cmath"):  # type: ignore[attr-defined]
            return ()
        if word in self.words["displays"] and node.args:
            return self._display(node.args[0])
        if self.makes(node) or not {"size", "shape"}.isdisjoint(k.arg for k in node.keywords):
            return self.own.shape(node, 0) or self._of_any_length(node)
        return self._computed(node, word) if method else ANY

    def _of_any_length(self, node: ast.Call) -> Shape:
        """``np.zeros(n)``: one axis."""
        alone = len(node.args) == 1 and not node.keywords
        return (None,) if alone and self._of(node.args[0]) == () else ANY

    def _computed(self, node: ast.Call, word: str) -> Shape:
        """``np.exp(x)``, ``x.sum()``, ``x.dot(y)``."""
        assert isinstance(node.func, ast.Attribute)
        given = list(map(self._of, self._given_to(node)))
        if word in self.words["alike"] and given:
            return given[0]
        if word in self.words["element_by_element"]:
            return broadcast(given)
        if word in self.words["products"] and len(given) == 2:
            return multiplied(*given)
        if word in self.words["reductions"] and given:
            return without_axis(given[0], node, len(given) - len(node.args))
        return ANY

    def given_to(self, node: ast.Call) -> list[ast.expr]:
        """What a call is given: the array whose method it is, and the arguments."""
        self._solve()
        return self._given_to(node)

    def _given_to(self, node: ast.Call) -> list[ast.expr]:
        function = node.func
        method = isinstance(function, ast.Attribute) and not self._is_library(function.value)
        return [*([function.value] if method else []), *node.args]  # type: ignore[attr-defined]

    def _is_library(self, node: ast.expr) -> bool:
        """``np``, ``np.linalg``: a name that nothing is known to be bound to."""
        name = (dotted(node) or "").partition(".")[0]
        bound = name in self.names or name in self.parameters or self._of(node) is not ANY
        return bool(name) and not bound and self._named(name) is ANY

    def _display(self, node: ast.expr) -> Shape:
        """``[[c, -s], [s, c]]``: rows are as long as one another, and items alike."""
        if isinstance(node, ast.List | ast.Tuple):
            if any(isinstance(one, ast.Starred) for one in node.elts):
                return ANY
            every = [self._display(one) for one in node.elts]
            rows = {shape for shape in every if isinstance(shape, tuple)}
            if not rows and NOTHING in every:
                return NOTHING
            return at_most((len(node.elts), *rows.pop())) if len(rows) == 1 else ANY
        return self._of(node)


Bound = tuple[Shapes, ast.expr | None]
"""What binds a name, and where that is written; None for what is not looked into."""


def _is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...


def _is_new_axis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _word(node: ast.Call) -> str:
    """The last word of what is called."""
    return str(getattr(node.func, "attr", getattr(node.func, "id", "")))


def _sources_and_changes(
    function: ast.AST, bound: dict[str, list[ast.expr | None]]
) -> tuple[dict[str, list[ast.expr | None]], dict[str, list[ast.expr]]]:
    """What binds names; of ``a += b``, which binds `a` too, ``a + b`` apart from the rest."""
    found = {name: list(sources) for name, sources in bound.items()}
    changes: dict[str, list[ast.expr]] = {}
    for node in walk(function):
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            name = node.target.id
            if None in found.get(name, []):
                found[name].remove(None)
                sum_ = ast.BinOp(ast.Name(name, ast.Load()), node.op, node.value)
                changes.setdefault(name, []).append(sum_)
    return found, changes


__all__ = ["FEW", "FEW_IN_NESTS", "Bound", "Shapes"]
