"""How large an array is: NumPy is asked with distinct primes in the place of lengths.

An expression is computed twice, each length and each whole number in it replaced by a prime of its
own; an extent of the result is that of a length when it follows it both times. Only functions that
the analysis may probe are called, on a few hundred elements, in the process that asks libraries.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import prod

from gpuport.analysis.explanation.causes import arguments, bound_from
from gpuport.analysis.expressions.attributes import constant_value
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.values.lattice import Array, Either, Scalar
from gpuport.probing.terms import Term, kinds, value
from gpuport.rules.libraries import library_of
from gpuport.rules.numpynames import as_numpy
from gpuport.source.syntax import walk

Extent = int | str

_PRIMES = (
    (11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53),
    (61, 59, 71, 67, 79, 73, 89, 83, 101, 97, 107, 103),
)
_SMALL = 8
"""Whole numbers up to this are taken as they are: axes, ranks, orders, widths."""
_DEEPEST = 16
_MOST_PARTS = 400
"""Parts of an expression, with those of what its names stand for."""
_RANDOM = ("numpy.random.Generator.", "numpy.random.RandomState.")


class _NotKnown(Exception):
    """The size cannot be told."""


@dataclass(slots=True)
class _Symbols:
    """The primes of one computation, and what they stand for."""

    primes: tuple[int, ...]
    values: dict[str, Extent] = field(default_factory=dict)
    taken: dict[str, int] = field(default_factory=dict)
    parts: int = 0

    def prime(self, key: str, meaning: Extent) -> int:
        """The prime of a length."""
        if key not in self.taken:
            if len(self.taken) == len(self.primes):
                raise _NotKnown
            self.taken[key] = self.primes[len(self.taken)]
            self.values[key] = meaning
        return self.taken[key]


@dataclass(frozen=True, slots=True)
class Size:
    """Shape and type of an array; extents are numbers or texts in the user's names."""

    shape: tuple[Extent, ...]
    dtype: str

    @property
    def bytes(self) -> int | None:
        """Size in bytes; None where an extent is not known as a number."""
        import numpy as np

        if not all(isinstance(n, int) for n in self.shape):
            return None
        return prod(n for n in self.shape if isinstance(n, int)) * int(
            np.dtype(self.dtype).itemsize
        )

    def __str__(self) -> str:
        return f"{self.dtype}[{', '.join(map(str, self.shape))}]"


@dataclass
class Sizes:
    """The sizes of the values of one function."""

    unit: Unit

    def __post_init__(self) -> None:
        self._bound = bound_from(self.unit.node)
        self._arguments = arguments(self.unit.node)
        self._targets: dict[str, list[int]] = {}
        every = walk(self.unit.node)
        for node in every:
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                self._targets.setdefault(node.id, []).append(id(node))
        self._assigned = {
            id(target): node.value for node in every
            if isinstance(node, ast.Assign) for target in node.targets
        }  # fmt: skip
        self._used = {
            node.value.id for node in every
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        }  # fmt: skip

    def of(self, node: ast.expr) -> Size | None:
        """Size of an expression's value; None where it cannot be told."""
        terms, symbols = [], []
        for primes in _PRIMES:
            table = _Symbols(primes)
            try:
                terms.append(self._compute(node, table, 0))
            except (_NotKnown, TypeError):  # the last of a constant that is no number
                return None
            symbols.append(table)
        first, second = kinds(terms)
        if first is None or second is None:
            return None
        (one, dtype), (other, other_dtype) = first, second
        if dtype != other_dtype or len(one) != len(other):
            return None
        shape = [_extent(a, b, *symbols) for a, b in zip(one, other, strict=True)]
        known = tuple(n for n in shape if n is not None)
        return Size(known, dtype) if len(known) == len(shape) else None

    # ------------------------------------------------------------------ computing with primes

    def _compute(self, node: ast.expr, symbols: _Symbols, depth: int) -> Term:
        symbols.parts += 1
        if depth > _DEEPEST or symbols.parts > _MOST_PARTS:
            raise _NotKnown
        if isinstance(node, ast.Constant):
            return self._constant(node.value, symbols)
        if isinstance(node, ast.Name):
            return self._name(node, symbols, depth)
        if isinstance(node, (ast.Tuple, ast.List)):
            items = [self._compute(e, symbols, depth + 1) for e in node.elts]
            return ["tuple" if isinstance(node, ast.Tuple) else "list", *items]
        if isinstance(node, (ast.BinOp, ast.UnaryOp)):
            parts = [node.left, node.right] if isinstance(node, ast.BinOp) else [node.operand]
            operands = [self._compute(p, symbols, depth + 1) for p in parts]
            return ["operator", type(node.op).__name__, *operands]
        if isinstance(node, ast.Attribute):
            return self._attribute(node, symbols, depth)
        if isinstance(node, ast.Subscript):
            base = self._compute(node.value, symbols, depth + 1)
            return ["item", base, self._index(node.slice, symbols, depth)]
        if isinstance(node, ast.Call):
            return self._call(node, symbols, depth)
        raise _NotKnown

    def _constant(self, constant: object, symbols: _Symbols) -> Term:
        if type(constant) is int and constant > _SMALL:
            return value(symbols.prime(f"={constant:x}", constant))
        return value(constant)

    def _name(self, node: ast.Name, symbols: _Symbols, depth: int) -> Term:
        name = node.id
        path = self.unit.scope.resolve(node)
        if path is not None:
            return _constant_of(path)
        targets = self._targets.get(name, [])
        argument = self._arguments.get(name)
        if argument is not None and not targets:
            return self._parameter(name, symbols)
        if argument is None and len(targets) == 1 and targets[0] in self._assigned:
            if isinstance(self._assigned[targets[0]], ast.List) and name in self._used:
                raise _NotKnown  # what was appended since
            return self._compute(self._assigned[targets[0]], symbols, depth + 1)
        known = self.unit.project.constant(name) if not targets and argument is None else None
        if isinstance(known, Scalar) and known.constant is not None:
            return self._constant(known.constant, symbols)
        raise _NotKnown

    def _parameter(self, name: str, symbols: _Symbols) -> Term:
        given = self.unit.parameters.initial.get(name)
        if isinstance(given, (Array, Either)):
            rank = given.rank if isinstance(given, Array) else None
            if rank is None or given.dtype is None:
                raise _NotKnown
            extents = [symbols.prime(f"{name}.{k}", f"{name}.shape[{k}]") for k in range(rank)]
            return ["ones", extents, given.dtype]
        flow = self.unit.env.get(name)
        known = flow.value if flow is not None else None
        if isinstance(known, Scalar) and known.type == "int":
            return value(symbols.prime(name, name))
        if isinstance(known, Scalar) and known.type in ("float", "assumed"):
            return value(0.5)
        raise _NotKnown

    def _attribute(self, node: ast.Attribute, symbols: _Symbols, depth: int) -> Term:
        path = self.unit.scope.resolve(node)
        if path is not None:
            return _constant_of(path)
        return ["attribute", node.attr, self._compute(node.value, symbols, depth + 1)]

    def _index(self, node: ast.expr, symbols: _Symbols, depth: int) -> Term:
        if isinstance(node, ast.Tuple):
            return ["tuple", *(self._index(e, symbols, depth) for e in node.elts)]
        if isinstance(node, ast.Slice):
            parts = (node.lower, node.upper, node.step)
            bounds = [value(None) if p is None else self._compute(p, symbols, depth + 1)
                      for p in parts]  # fmt: skip
            return ["slice", *bounds]
        return self._compute(node, symbols, depth + 1)

    def _call(self, node: ast.Call, symbols: _Symbols, depth: int) -> Term:
        if any(isinstance(a, ast.Starred) for a in node.args) or any(
            k.arg is None for k in node.keywords
        ):
            raise _NotKnown
        args = [self._compute(a, symbols, depth + 1) for a in node.args]
        keywords = {
            k.arg: self._compute(k.value, symbols, depth + 1) for k in node.keywords if k.arg
        }
        path = self.unit.scope.resolve(node.func)
        if path == "builtins.len" and len(args) == 1:
            return ["length", args[0]]
        if path is None and isinstance(node.func, ast.Attribute):
            return self._method(node.func, args, keywords, symbols, depth)
        if path is None:
            raise _NotKnown
        return ["call", self._askable(as_numpy(path)), args, keywords]

    def _method(
        self,
        node: ast.Attribute,
        args: list[Term],
        keywords: dict[str, Term],
        symbols: _Symbols,
        depth: int,
    ) -> Term:
        found = self.unit.env.get(node.value.id) if isinstance(node.value, ast.Name) else None
        path = getattr(found.value, "path", None) if found is not None else None
        if isinstance(path, str) and f"{path}." in _RANDOM:
            return ["call", f"{path}.{node.attr}", args, keywords]
        base = self._compute(node.value, symbols, depth + 1)
        self._askable(f"numpy.ndarray.{node.attr}")
        return ["method", node.attr, base, args, keywords]

    def _askable(self, path: str) -> str:
        """The name of a function, where it is pure: one that exists on the device, or a draw."""
        if path.startswith(_RANDOM):
            return path
        tables = self.unit.knowledge.tables
        if library_of(path) is None or tables.entry(path) is None:
            raise _NotKnown
        if self.unit.knowledge.rules.host(path) or not tables.counterpart(path).target_name:
            raise _NotKnown
        return path


def _constant_of(path: str) -> Term:
    found = constant_value(path)
    if isinstance(found, Scalar) and (found.constant is not None or found.type == "None"):
        return value(found.constant)
    raise _NotKnown


def _extent(a: int, b: int, first: _Symbols, second: _Symbols) -> Extent | None:
    """The length that an extent is, in both computations; a sum with a small number at most."""
    if a == b:
        return a
    for key, meaning in first.values.items():
        if key not in second.taken:
            continue
        more = a - first.taken[key]
        if more == b - second.taken[key] and abs(more) <= _SMALL:
            return _sum(meaning, more)
    for extent in _products(a, b, first, second):
        return extent
    return None


def _products(a: int, b: int, first: _Symbols, second: _Symbols) -> Iterator[Extent]:
    keys = [k for k in first.values if k in second.taken]
    for i, one in enumerate(keys):
        for other in keys[i:]:
            fits = a == first.taken[one] * first.taken[other]
            if fits and b == second.taken[one] * second.taken[other]:
                x, y = first.values[one], first.values[other]
                yield x * y if isinstance(x, int) and isinstance(y, int) else f"{x}*{y}"


def _sum(value: Extent, more: int) -> Extent:
    if isinstance(value, int):
        return value + more
    return value if not more else f"{value} {'+' if more > 0 else '-'} {abs(more)}"
