"""How large an array is: NumPy is asked with distinct primes in the place of lengths.

An expression is computed twice, each length and each whole number in it replaced by a prime of its
own; an extent of the result is that of a length when it follows it both times. Only functions that
the analysis may probe are called, on a few hundred elements.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import prod
from typing import Any

from gpuport.analysis.explanation.causes import arguments, bound_from
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.knowledge.hostfunctions import OPERATORS, function_of
from gpuport.analysis.knowledge.numpynames import as_numpy
from gpuport.analysis.values.lattice import Array, Either, Scalar
from gpuport.rules.libraries import library_of
from gpuport.source.syntax import walk

Extent = int | str

_PRIMES = (
    (11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53),
    (61, 59, 71, 67, 79, 73, 89, 83, 101, 97, 107, 103),
)
_SMALL = 8
"""Whole numbers up to this are taken as they are: axes, ranks, orders, widths."""
_MOST_ELEMENTS = 2_000_000
_DEEPEST = 16
_RANDOM = ("numpy.random.Generator.", "numpy.random.RandomState.")


class _NotKnown(Exception):
    """The size cannot be told."""


@dataclass(slots=True)
class _Symbols:
    """The primes of one computation, and what they stand for."""

    primes: tuple[int, ...]
    values: dict[str, Extent] = field(default_factory=dict)
    taken: dict[str, int] = field(default_factory=dict)

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
        import warnings

        import numpy as np

        answers, symbols = [], []
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            for primes in _PRIMES:
                table = _Symbols(primes)
                try:
                    answers.append(self._compute(node, table, 0))
                except Exception:  # what it is cannot be told, for whatever reason
                    return None
                symbols.append(table)
        first, second = answers
        arrays = isinstance(first, np.ndarray) and isinstance(second, np.ndarray)
        if not arrays or first.dtype != second.dtype or first.ndim != second.ndim:
            return None
        shape = [_extent(a, b, *symbols) for a, b in zip(first.shape, second.shape, strict=True)]
        known = tuple(n for n in shape if n is not None)
        return Size(known, first.dtype.name) if len(known) == len(shape) else None

    # ------------------------------------------------------------------ computing with primes

    def _compute(self, node: ast.expr, symbols: _Symbols, depth: int) -> Any:
        if depth > _DEEPEST:
            raise _NotKnown
        if isinstance(node, ast.Constant):
            return self._constant(node, symbols)
        if isinstance(node, ast.Name):
            return self._name(node, symbols, depth)
        if isinstance(node, (ast.Tuple, ast.List)):
            items = [self._compute(e, symbols, depth + 1) for e in node.elts]
            return tuple(items) if isinstance(node, ast.Tuple) else items
        if isinstance(node, (ast.BinOp, ast.UnaryOp)):
            parts = [node.left, node.right] if isinstance(node, ast.BinOp) else [node.operand]
            values = [self._compute(p, symbols, depth + 1) for p in parts]
            return _bounded(OPERATORS[type(node.op).__name__](*values))
        if isinstance(node, ast.Attribute):
            return self._attribute(node, symbols, depth)
        if isinstance(node, ast.Subscript):
            base = self._compute(node.value, symbols, depth + 1)
            return base[self._index(node.slice, symbols, depth)]
        if isinstance(node, ast.Call):
            return _bounded(self._call(node, symbols, depth))
        raise _NotKnown

    def _constant(self, node: ast.Constant, symbols: _Symbols) -> Any:
        value = node.value
        if type(value) is int and value > _SMALL:
            return symbols.prime(f"={value}", value)
        return value

    def _name(self, node: ast.Name, symbols: _Symbols, depth: int) -> Any:
        name = node.id
        path = self.unit.scope.resolve(node)
        if path is not None:
            return self._constant_of(path)
        targets = self._targets.get(name, [])
        argument = self._arguments.get(name)
        if argument is not None and not targets:
            return self._parameter(name, symbols)
        if argument is None and len(targets) == 1 and targets[0] in self._assigned:
            if isinstance(self._assigned[targets[0]], ast.List) and name in self._used:
                raise _NotKnown  # what was appended since
            return self._compute(self._assigned[targets[0]], symbols, depth + 1)
        value = self.unit.project.constant(name) if not targets and argument is None else None
        if isinstance(value, Scalar) and value.constant is not None:
            return self._constant(ast.Constant(value.constant), symbols)  # type: ignore[arg-type]
        raise _NotKnown

    def _parameter(self, name: str, symbols: _Symbols) -> Any:
        import numpy as np

        value = self.unit.parameters.initial.get(name)
        if isinstance(value, (Array, Either)):
            rank = value.rank if isinstance(value, Array) else None
            if rank is None or value.dtype is None:
                raise _NotKnown
            extents = [symbols.prime(f"{name}.{k}", f"{name}.shape[{k}]") for k in range(rank)]
            return _bounded(np.ones(extents, value.dtype))
        flow = self.unit.env.get(name)
        known = flow.value if flow is not None else None
        if isinstance(known, Scalar) and known.type == "int":
            return symbols.prime(name, name)
        if isinstance(known, Scalar) and known.type in ("float", "assumed"):
            return 0.5
        raise _NotKnown

    def _attribute(self, node: ast.Attribute, symbols: _Symbols, depth: int) -> Any:
        path = self.unit.scope.resolve(node)
        if path is not None:
            return self._constant_of(path)
        base = self._compute(node.value, symbols, depth + 1)
        if not hasattr(base, "dtype"):
            raise _NotKnown
        return getattr(base, node.attr)

    def _constant_of(self, path: str) -> Any:
        from gpuport.analysis.expressions.attributes import constant_value

        value = constant_value(path)
        if isinstance(value, Scalar) and (value.constant is not None or value.type == "None"):
            return value.constant
        raise _NotKnown

    def _index(self, node: ast.expr, symbols: _Symbols, depth: int) -> Any:
        if isinstance(node, ast.Tuple):
            return tuple(self._index(e, symbols, depth) for e in node.elts)
        if isinstance(node, ast.Slice):
            parts = (node.lower, node.upper, node.step)
            return slice(*(p and self._compute(p, symbols, depth + 1) for p in parts))
        return self._compute(node, symbols, depth + 1)

    def _call(self, node: ast.Call, symbols: _Symbols, depth: int) -> Any:
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
            return len(args[0])
        if path is None and isinstance(node.func, ast.Attribute):
            return self._method(node.func, args, keywords, symbols, depth)
        function = self._askable(as_numpy(path)) if path is not None else None
        if function is None:
            raise _NotKnown
        return function(*args, **keywords)

    def _method(
        self,
        node: ast.Attribute,
        args: list[Any],
        keywords: dict[str, Any],
        symbols: _Symbols,
        depth: int,
    ) -> Any:
        found = self.unit.env.get(node.value.id) if isinstance(node.value, ast.Name) else None
        path = getattr(found.value, "path", None) if found is not None else None
        if isinstance(path, str) and f"{path}." in _RANDOM:
            function = self._askable(f"{path}.{node.attr}")
        else:
            base = self._compute(node.value, symbols, depth + 1)
            function = (
                self._askable(f"numpy.ndarray.{node.attr}") if hasattr(base, "dtype") else None
            )
            args = [base, *args]
        if function is None:
            raise _NotKnown
        return function(*args, **keywords)

    def _askable(self, path: str) -> Any:
        """The real function, where it is pure: one that exists on the device, or a draw."""
        if path.startswith(_RANDOM):
            return function_of(path)
        tables = self.unit.knowledge.tables
        if library_of(path) is None or tables.entry(path) is None:
            return None
        pure = self.unit.knowledge.rules.host(path) is None
        return function_of(path) if pure and tables.counterpart(path).target_name else None


def _bounded(value: Any) -> Any:
    if getattr(value, "size", 0) > _MOST_ELEMENTS:
        raise _NotKnown
    return value


def _extent(a: int, b: int, first: _Symbols, second: _Symbols) -> Extent | None:
    """The length that an extent is, in both computations; a sum with a small number at most."""
    if a == b:
        return a
    for key, value in first.values.items():
        if key not in second.taken:
            continue
        more = a - first.taken[key]
        if more == b - second.taken[key] and abs(more) <= _SMALL:
            return _sum(value, more)
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
