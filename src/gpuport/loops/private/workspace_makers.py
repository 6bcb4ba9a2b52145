"""How an iteration makes an array of its own: ``np.zeros(m)``, ``x[i].copy()``."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from gpuport.loops.context.given import worked_in
from gpuport.loops.facts import ArrayFact, Fact
from gpuport.loops.names import (
    constant_int,
    dotted,
    function_path,
    is_shape,
    loaded,
    subscript_indices,
    walk,
)
from gpuport.rules.loopfunctions import makers

_CASTS = {"builtins.float": "float64", "builtins.int": "int64", "builtins.bool": "bool",
          "builtins.complex": "complex128", "numpy.bool_": "bool"}  # fmt: skip
_WHOLE = ast.Add | ast.Sub | ast.Mult | ast.FloorDiv


@dataclass(frozen=True)
class Made:
    """What an iteration makes.

    Attributes
    ----------
    extents : tuple of str
        Python text, over names that the loop does not bind.
    dtype : str or None
        None where it is that of ``like``, which is not known.
    like : str
        The array whose dtype it has; empty for any other.
    equal : frozenset of (str, str)
        Extents that have to be equal.
    lent : bool
        It is made before the loop, for all iterations.
    """

    extents: tuple[str, ...]
    dtype: str | None
    like: str = ""
    equal: frozenset[tuple[str, str]] = frozenset()
    lent: bool = False

    def alike(self, other: Made) -> Made | None:
        """The same with the extents of another one; None where more than those may differ."""
        kinds = [(len(one.extents), one.dtype, one.like) for one in (self, other)]
        if kinds[0] != kinds[1]:
            return None
        pairs = zip(self.extents, other.extents, strict=True)
        return replace(self, equal=self.equal | other.equal | {p for p in pairs if p[0] != p[1]})


@dataclass(frozen=True)
class Makers:
    """Understands what makes arrays.

    Parameters
    ----------
    facts : mapping of str to Fact
    ranks : mapping of str to int
        How many axes arrays are shown to have.
    bound : frozenset of str
        Names that the loop binds: no extent is made of them.
    values : mapping of str to expr
        What some of those are given, once.
    """

    facts: Mapping[str, Fact]
    ranks: Mapping[str, int]
    bound: frozenset[str]
    values: Mapping[str, ast.expr] = field(default_factory=dict)
    known: Mapping[str, Made] = field(default_factory=dict)

    def of(self, body: Sequence[ast.stmt]) -> dict[str, Made]:
        """The names of arrays that statements make, all of one kind each.

        One may be as long as another one: ``d = x[i].copy()``, ``y = np.empty(len(d))``.
        """
        found = self._of(body)
        while len(found) > len(self.known):
            more = replace(self, known=found)._of(body)
            if more.keys() == found.keys():
                break
            found = more
        return found

    def _of(self, body: Sequence[ast.stmt]) -> dict[str, Made]:
        found: dict[str, Made] = {}
        several: set[str] = set()
        for node in walk(body):
            if not isinstance(node, ast.Assign) or len(node.targets) != 1:
                continue
            target, made = node.targets[0], self.made(node.value)
            if isinstance(target, ast.Name) and made is not None:
                joined = found.setdefault(target.id, made).alike(made)
                found[target.id] = joined or made
                several |= set() if joined else {target.id}
            elif isinstance(target, ast.Name) and isinstance(node.value, ast.Call):
                several.add(target.id)  # what another call gives is an array of its own
        return {name: one for name, one in found.items() if name not in several}

    def made(self, value: ast.expr) -> Made | None:
        """What an expression makes; None for anything else."""
        filled = self.filled(value)
        if filled is not None:
            extents = self._extents(filled[0])
            kind = self._dtype(filled[1])
            return None if extents is None or kind is None else Made(extents, *kind)
        copied = self.copied(value)
        return None if copied is None else self.own(copied)

    def own(self, array: ast.expr) -> Made | None:
        """What an iteration makes, or a part of an array, as something that is made like it."""
        if isinstance(array, ast.Name) and array.id in self.known:
            return self.known[array.id]
        array = worked_in(array, self.values)
        within = replace(self, values={})  # one may be made like another that is made like it
        return self.part(array) or (within.made(array) if isinstance(array, ast.Call) else None)

    def _alike(self, array: ast.expr) -> Made | None:
        """Anything that has the extents and the dtype of an array."""
        own, name = self.own(array), dotted(array) or ""
        fact = self.facts.get(name)
        if own is not None or not isinstance(fact, ArrayFact) or name in self.bound:
            return own
        rank = fact.rank if fact.rank is not None else self.ranks.get(name, 0)
        if not 1 <= rank <= 2:
            return None
        extents = tuple(f"{name}.shape[{k}]" for k in range(rank))
        return Made(extents, fact.dtype, "" if fact.dtype else name)

    def filled(self, value: ast.expr) -> tuple[ast.expr, ast.expr | str, ast.expr | None] | None:
        """Shape, dtype and what all elements are of ``np.zeros(m)`` and its like.

        The last is None where nobody says, and ``...`` for ``np.arange(m)``.
        """
        if not isinstance(value, ast.Call) or not value.args:
            return None
        path = function_path(value.func, self.facts) or ""
        words = {k.arg: k.value for k in value.keywords}
        given, most = words.pop("dtype", None), 2
        fill: ast.expr | None
        default: str | None = "float64"
        known = makers()
        if path in known.filled:
            constant = known.filled[path]
            fill = None if constant is None else ast.Constant(constant)
        elif path in known.alike and len(value.args) == 1:
            constant = known.alike[path]
            fill = None if constant is None else ast.Constant(constant)
            array = value.args[0]
            given = ast.Attribute(array, "dtype", ast.Load()) if given is None else given
            shape = ast.Attribute(array, "shape", ast.Load())
            return None if words else (shape, given, fill)
        elif path in known.filled_with and len(value.args) > 1:
            fill, default, most = value.args[1], _type_of(value.args[1], self.facts), 3
        elif path in known.counting and isinstance(value.args[0], ast.expr):
            fill, default, most = ast.Constant(...), "int64", 1
        else:
            return None
        if words or len(value.args) > most or any(isinstance(a, ast.Starred) for a in value.args):
            return None
        if len(value.args) == most > 1 and given is None:
            given = value.args[-1] if path not in known.filled_with or most == 3 else None
        dtype = default if given is None else given
        return None if dtype is None else (value.args[0], dtype, fill)

    def copied(self, value: ast.expr) -> ast.expr | None:
        """``x[i]`` of ``x[i].copy()``, ``np.copy(x[i])``, ``np.array(x[i])``."""
        if not isinstance(value, ast.Call) or value.keywords:
            return None
        path = function_path(value.func, self.facts)
        if path in makers().copies | makers().copies_of_items and len(value.args) == 1:
            return value.args[0]
        function = value.func
        method = isinstance(function, ast.Attribute) and function.attr == "copy" and path is None
        return function.value if method and not value.args else None  # type: ignore[attr-defined]

    def part(self, node: ast.expr) -> Made | None:
        """A part of an array, one axis or two of it: ``x[i]``, ``x[:, j]``, ``stack[k]``."""
        array = dotted(node.value) if isinstance(node, ast.Subscript) else None
        fact = self.facts.get(array or "")
        if array is None or array in self.bound or not isinstance(fact, ArrayFact):
            return None
        assert isinstance(node, ast.Subscript)
        indices = subscript_indices(node)
        rank = fact.rank if fact.rank is not None else self.ranks.get(array, 0)
        indices += [ast.Slice()] * (rank - len(indices))
        whole = [k for k, index in enumerate(indices) if isinstance(index, ast.Slice)]
        plain = all(ast.unparse(indices[k]) == ":" for k in whole)
        if len(indices) != rank or not 1 <= len(whole) <= 2 or not plain:
            return None
        if len(whole) == rank or any(map(_makes_axes, indices)):
            return None
        dtype = fact.dtype
        extents = tuple(f"{array}.shape[{k}]" for k in whole)
        return Made(extents, dtype, "" if dtype else array)

    def _extents(self, shape: ast.expr) -> tuple[str, ...] | None:
        if isinstance(shape, ast.Attribute) and shape.attr == "shape":
            alike = self._alike(shape.value)
            return None if alike is None or alike.equal else alike.extents
        listed = list(shape.elts) if isinstance(shape, ast.Tuple | ast.List) else [shape]
        lengths = _Lengths(self)
        listed = [lengths.visit(worked_in(one, self.values)) for one in listed]
        if not 1 <= len(listed) <= 2 or not all(map(self._fixed, listed)):
            return None
        return tuple(map(ast.unparse, listed))

    def _fixed(self, node: ast.expr) -> bool:
        """Whether it is a whole number that no iteration changes."""
        if loaded([node]) & self.bound:
            return False
        if isinstance(node, ast.Name):
            return not isinstance(self.facts.get(node.id), ArrayFact)
        if isinstance(node, ast.BinOp):
            return (
                isinstance(node.op, _WHOLE) and self._fixed(node.left) and self._fixed(node.right)
            )
        if isinstance(node, ast.Call):
            known = function_path(node.func, self.facts) == "builtins.len" and len(node.args) == 1
            return known and dotted(node.args[0]) is not None
        if isinstance(node, ast.Subscript):
            axis = constant_int(node.slice)
            return is_shape(node.value) and axis is not None and axis >= 0
        value = constant_int(node)
        return value is not None and value >= 0

    def _dtype(self, given: ast.expr | str) -> tuple[str | None, str] | None:
        """A dtype, and the array that it is taken from where it is not known."""
        import numpy as np

        if isinstance(given, str):
            return given, ""
        if isinstance(given, ast.Attribute) and given.attr == "dtype":
            alike = self._alike(given.value)
            return None if alike is None else (alike.dtype, alike.like)
        path = function_path(given, self.facts) or ""
        text = given.value if isinstance(given, ast.Constant) else path.removeprefix("numpy.")
        if path.startswith("builtins.") and path not in _CASTS:
            return None
        try:
            known = _CASTS.get(path) or np.dtype(text).name if isinstance(text, str) else None
        except TypeError:
            return None
        return (
            None
            if known is None or (path.startswith("builtins.") and path not in _CASTS)
            else (known, "")
        )


class _Lengths(ast.NodeTransformer):
    """Puts the extents of what is made, and of parts, for ``len(d)`` and ``d.shape[0]``."""

    def __init__(self, makers: Makers) -> None:
        self.makers = makers

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Name) and node.func.id == "len" and len(node.args) == 1:
            return self._extent(node.args[0], 0) or node
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        axis = constant_int(node.slice)
        if isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
            return self._extent(node.value.value, axis) or node
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        made = self.makers.own(node.value) if node.attr == "size" else None
        one = made is not None and len(made.extents) == 1
        return (self._extent(node.value, 0) if one else None) or node

    def _extent(self, array: ast.expr, axis: int | None) -> ast.expr | None:
        made = self.makers.own(array)
        if made is None or made.equal or axis is None or not 0 <= axis < len(made.extents):
            return None
        return ast.parse(made.extents[axis], mode="eval").body


def _makes_axes(index: ast.expr) -> bool:
    """``...`` and ``None``."""
    return isinstance(index, ast.Constant) and type(index.value) is not int


def _type_of(node: ast.expr, facts: Mapping[str, Fact]) -> str | None:
    """The dtype that ``np.full`` makes of what is written out."""
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    if function_path(inner, facts) in ("numpy.inf", "numpy.nan", "math.inf", "math.nan"):
        return "float64"
    value = inner.value if isinstance(inner, ast.Constant) else None
    known = {float: "float64", int: "int64", bool: "bool", complex: "complex128"}
    return known.get(type(value))
