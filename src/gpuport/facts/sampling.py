"""Small real values of given types, to ask NumPy with; and what sizes of an answer mean.

Extents of one sample are distinct primes: an extent of the answer tells where it comes from.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from gpuport.facts.knowledge import Unresolved, resolve
from gpuport.ir.extents import Affine, Symbol
from gpuport.ir.types import NONE, STRING, UNKNOWN, Type, join_all

#: Extents of the samples: rising, falling, larger than the constants of programs; and others, which
#: are smaller where there are so many axes that a result of all of them would not fit.
PRIMES = (
    (11, 13, 17, 19, 23, 29, 31, 37, 41, 43),
    (47, 43, 41, 37, 31, 29, 23, 19, 17, 13),
    (211, 223, 227, 229, 233, 239, 241, 251, 257, 263),
    (53, 59, 61, 67, 71, 73, 79, 83, 89, 97),
    (23, 19, 17, 13, 11, 7, 5, 29, 31, 37),
    (13, 7, 19, 11, 5, 17, 23, 31, 29, 41),
)
#: Constants from here on would make samples large: another size stands in for each of them.
LARGE = 200
MOST_ELEMENTS = 300_000
MOST_AN_AXIS = 600
_VALUES = {"b": True, "f": 0.7, "c": 0.7 + 0.2j}


class Impossible(Exception):
    """No sample of that type can be made."""


class Sampler:
    """Makes the values of one sample.

    Parameters
    ----------
    row : int
        Which row of `PRIMES` extents are taken from.
    same : int
        An extent for all axes that are not constants, where shapes did not fit each other; 0: none.
    order : str
        Memory order of arrays of which it is not known.
    """

    def __init__(self, row: int, same: int, order: str) -> None:
        self.row, self.same, self.order = row, same, order
        self.symbols: dict[Symbol, int] = {}
        self._large: dict[int, int] = {}
        self._fresh = iter(PRIMES[row])
        self._random = np.random.default_rng(row)

    def _next(self) -> int:
        if self.same:
            return self.same + 2 * self.row if self.same == 5 else self.same
        try:
            return next(self._fresh)
        except StopIteration:
            raise Impossible from None

    def _extent(self, extent: Affine | None) -> int:
        if extent is None:
            return self._next()
        number = extent.number
        if number is not None and number >= LARGE and number not in self._large:
            if number >= 2**63:  # NumPy takes it for no int64
                raise Impossible
            self._large[number] = self._next()
        for symbol in extent.symbols:
            if symbol not in self.symbols:
                self.symbols[symbol] = self._next()
        size = self.size(extent)
        if size is None or not 0 <= size <= MOST_AN_AXIS:
            raise Impossible
        return size

    def size(self, extent: Affine) -> int | None:
        """What an extent is in this sample; None where it is not part of it."""
        if extent.terms or extent.constant < LARGE:
            return extent.value(self.symbols)
        return self._large.get(extent.constant)

    def make(self, t: Type) -> Any:
        """A value of a type.

        Raises
        ------
        Impossible
            Where the type says too little, or the value would be too large.
        """
        make = _MAKERS.get(t.kind)
        if make is None:
            raise Impossible
        return make(self, t)

    def array(self, t: Type) -> Any:
        """An array; square matrices among them can be factorised."""
        if t.dtype is None or t.shape is None:
            raise Impossible
        shape = tuple(map(self._extent, t.shape))
        if math.prod(shape) > MOST_ELEMENTS:
            raise Impossible
        data = self._random.random(shape) * 2 + 1
        if len(shape) >= 2 and shape[-1] == shape[-2]:
            data = data / 10 + 5 * np.eye(shape[-1])
        made = np.asarray(data).astype(t.dtype)
        return np.asfortranarray(made) if (t.order or self.order) == "F" else made

    def number(self, t: Type) -> Any:
        """A number of Python's or of NumPy's."""
        if t.constant is not None:
            return t.constant[0]
        if t.dtype is None:
            raise Impossible
        if t.kind == "number" and t.dtype == "int":
            number = t.number
            return number if number is not None and number < LARGE else self._extent(t.integer)
        kind = np.dtype(t.dtype).kind
        sample = self._next() % 120 if kind in "iu" else _VALUES[kind]
        return sample if t.kind == "number" else np.dtype(t.dtype).type(sample)

    def text(self, t: Type) -> Any:
        """A text: only a known one."""
        if t.constant is None:
            raise Impossible
        return t.constant[0]

    def sequence(self, t: Type) -> Any:
        """A tuple, a list or a slice."""
        if t.items is not None:
            parts = [self.make(item) for item in t.items]
        elif t.element is not None and t.kind == "list":
            parts = self._listed(t)
        else:
            raise Impossible
        return slice(*parts) if t.kind == "slice" else tuple(parts) if t.kind == "tuple" else parts

    def _listed(self, t: Type) -> list[Any]:
        """Items of a list; where it is taken for granted that it has some, few that are alike, as
        what joins them asks: each may be large. In no two samples as many: it may be a shape."""
        assert t.element is not None
        if t.constant is not None:
            return [self.make(t.element)] * (3 + 2 * self.row)
        return [self.make(t.element) for _ in range(self._next())]

    def library(self, t: Type) -> Any:
        """What a path names."""
        try:
            return resolve(t.path or "")
        except Unresolved:
            raise Impossible from None

    def instance(self, t: Type) -> Any:
        """A generator of random numbers: the one kind of object that is asked."""
        if t.path == f"numpy.random.{np.random.RandomState.__name__}":
            return np.random.RandomState(0)
        if t.path == f"numpy.random.{np.random.Generator.__name__}":
            return np.random.Generator(np.random.PCG64(0))
        raise Impossible


_MAKERS: dict[str, Callable[[Sampler, Type], Any]] = {
    "array": Sampler.array,
    "scalar": Sampler.number,
    "number": Sampler.number,
    "string": Sampler.text,
    "tuple": Sampler.sequence,
    "list": Sampler.sequence,
    "slice": Sampler.sequence,
    "library": Sampler.library,
    "instance": Sampler.instance,
    "none": lambda sampler, t: None,
    "ellipsis": lambda sampler, t: Ellipsis,
}


def dtype_name(dtype: np.dtype[Any]) -> str | None:
    """The name of a dtype of numbers; None for those that depend on values (texts, objects)."""
    return dtype.name if dtype.kind in "biufc" and dtype.isnative else None


def type_of(value: Any) -> Type:
    """The type of a real value, without where it lives."""
    if type(value) is np.ndarray:
        shape = tuple(Affine((), size) for size in value.shape)
        return Type("array", dtype_name(value.dtype), shape, order_of(value), sites=None)
    if isinstance(value, np.generic):
        return Type("scalar", dtype_name(value.dtype))
    if type(value) in (bool, int, float, complex):
        integer = Affine((), value) if type(value) is int else None
        return Type("number", type(value).__name__, integer=integer)
    if value is None:
        return NONE
    if type(value) is str:
        return STRING
    if isinstance(value, tuple):  # those with names, of numpy.linalg, too
        return Type("tuple", items=tuple(map(type_of, value)), sites=None)
    if type(value) is list and len(value) < 50:
        return Type("list", element=join_all(map(type_of, value)), sites=None)
    if isinstance(value, (np.random.Generator, np.random.RandomState)):
        return Type("instance", path=f"numpy.random.{type(value).__name__}")
    return UNKNOWN


def stride_orders(value: np.ndarray[Any, Any]) -> frozenset[str]:
    """``C`` where later axes have the smaller strides, ``F`` where earlier ones have; or both.

    It is what elementwise operations go by when they lay out their results (``order="K"``); axes of
    one element count for nothing.
    """
    strides = [abs(s) for s, size in zip(value.strides, value.shape, strict=True) if size > 1]
    if not value.size:
        return frozenset("CF")
    if 0 in strides and len(strides) > 1:
        return frozenset()
    falling = strides == sorted(strides, reverse=True)
    return frozenset([*("C" * falling), *("F" * (strides == sorted(strides)))])


def order_of(value: np.ndarray[Any, Any]) -> str | None:
    """The order of an array's memory; ``C`` where it is both."""
    return min(stride_orders(value), default=None)


def sizes_mean(
    sizes: tuple[int, ...], samplers: list[Sampler], candidates: list[Affine]
) -> Affine | None:
    """The extent that all samples agree on.

    One of the arguments', one that differs from it by 1 or 2, or a constant.
    """
    for extent in candidates:
        apart = {
            None if (told := sampler.size(extent)) is None else size - told
            for size, sampler in zip(sizes, samplers, strict=True)
        }
        difference = apart.pop() if len(apart) == 1 else None
        telling = extent.terms or extent.constant >= LARGE
        if telling and difference is not None and abs(difference) <= 2:
            return extent + difference
    same = len(set(sizes)) == 1 and sizes[0] < LARGE
    return Affine((), sizes[0]) if same else None
