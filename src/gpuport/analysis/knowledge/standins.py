"""What stands in for values where NumPy is asked: small arrays, numbers and words."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import islice, product
from math import prod
from random import Random
from typing import Any

from gpuport.analysis.values.lattice import (
    Array,
    Either,
    Number,
    Scalar,
    Sequence,
    Tuple,
    Unknown,
    Value,
)
from gpuport.source.literals import literal_value

DTYPES = ("float64", "int64")
RANKS = (1, 2, 3)  # y[0, 0] is a number of a matrix and a row of a stack
_SIZE = 3  # square shapes: linear algebra and broadcasting accept them
_LONG = 64  # filters take no signal that is shorter than they are
_LONGEST = 10_000
"""Elements of a stand-in whose length an argument names."""


_LARGE = range(65, 2**31)
"""Numbers that may be lengths of an axis along which no array is made to see what it is."""


def moderate(value: Value, large: range = _LARGE) -> Value:
    """A size that is asked for; of a large one only that it is one.

    What is made is asked for its kind alone: ``np.ones((1000, 1000, 1000))`` takes eight gigabytes.
    """
    if isinstance(value, Scalar):
        number = value.constant
        return Scalar("int") if type(number) is int and number in large else value
    if isinstance(value, Tuple):
        items = tuple(moderate(item, large) for item in value.items)
        return value if items == value.items else Tuple(items, None, value.names)
    if isinstance(value, Sequence) and value.literal is not None and value.of == Scalar("int"):
        sizes = literal_value(ast.parse(value.literal, mode="eval").body)
        some = isinstance(sizes, (list, tuple)) and any(s in large for s in sizes)
        return Sequence(value.of, value.list, least=value.least) if some else value
    return value


def unsized(value: Value) -> Value:
    """A size that stand-ins do not have: no more is known of it than that it is a number."""
    return moderate(value, range(_SIZE + 1, 2**31))


def stand_ins(
    value: Value, all_ranks: tuple[int, ...] = RANKS, all_dtypes: tuple[str, ...] = DTYPES
) -> list[Any]:
    """Objects of NumPy's and Python's that a value may be; none where nothing can stand in."""
    if isinstance(value, Unknown):
        arrays = (e for d in all_dtypes for r in all_ranks for e in _examples(r, d))
        return [*_plain_values(Scalar()), *arrays]
    if isinstance(value, Scalar):
        return _plain_values(value)
    if isinstance(value, Number):
        kinds = (value.dtype,) if value.dtype else ("float64", "int64", "float32")
        return [_one(kind) for kind in kinds]
    if isinstance(value, (Array, Either)):
        return _arrays(value, all_ranks, all_dtypes)
    if isinstance(value, (Tuple, Sequence)) and value.literal is not None:
        return [_of_literal(value.literal)]
    if isinstance(value, Tuple):
        return _tuples(value, all_ranks, all_dtypes)
    if isinstance(value, Sequence):
        return _sequences(value, all_ranks, all_dtypes)
    return []


def _sequences(
    value: Sequence, all_ranks: tuple[int, ...], all_dtypes: tuple[str, ...]
) -> list[Any]:
    """Lists or tuples of several lengths, each of one thing that its items may be."""
    whole = isinstance(value.of, Scalar) and value.of.type == "int"
    of = Scalar("int") if whole else value.of  # `(2,) * n` is a shape as `(3,) * n` is
    inner = stand_ins(of, all_ranks, all_dtypes)
    make: Callable[[Any], Any] = list if value.list else tuple
    lengths = at_least(value.least, (3, 1, 2))
    found = [make([item] * length) for length in lengths for item in _spread(inner, 6)]
    if whole:
        found += [make([-1, *([1] * (length - 1))]) for length in sorted(lengths)]
        found += [make(range(length)) for length in sorted(lengths, reverse=True)]  # axes
    return found


def at_least(least: int, usual: tuple[int, ...]) -> tuple[int, ...]:
    """Those of the usual ranks, or lengths, that are no less; others where one alone is left.

    Of one rank nothing follows for those above it.
    """
    found = tuple(one for one in usual if one >= least or least <= 1)
    return found if len(found) > 1 or len(usual) == 1 else (least, least + 1)


def index_entries() -> list[Any]:
    """What may stand between brackets where nothing is known of it."""
    import numpy as np

    return [0, (0, 0), slice(None), np.array([0, 1]), np.array([True, False, True]), None]


def long_ones(value: Value, ranks: tuple[int, ...], dtypes: tuple[str, ...]) -> Iterator[Any]:
    """Arrays whose last two axes are longer than most filters; numbers far from one."""
    import numpy as np

    if isinstance(value, Scalar) and value.constant is None:
        numbers: dict[str | None, list[float]] = {"int": [8], "float": [0.25, 1000.0]}
        yield from numbers.get(value.type, [])
    if not isinstance(value, (Array, Either)):
        return
    for dtype in (value.dtype,) if value.dtype else dtypes:
        for one in _ranks(value, ranks):
            yield np.ones((*([2] * (one - 2)), _LONG, _LONG)[-one:] if one else (), dtype)
            if one == 2:
                yield np.ones((2, 6), dtype)  # sections of a filter


def of_size(size: int, value: Array | Either, dtypes: tuple[str, ...]) -> Iterator[Any]:
    """Arrays of so many elements, none of more than one axis that is longer than one."""
    import numpy as np

    for dtype in (value.dtype,) if value.dtype else dtypes:
        for one in _ranks(value, RANKS):
            yield np.ones((min(size, _LONGEST), *([1] * (one - 1)))[:one], dtype)


def sizes(value: Value) -> Iterator[int]:
    """The lengths that an argument names."""
    found: Any = None
    if isinstance(value, (Tuple, Sequence)) and value.literal is not None:
        found = _of_literal(value.literal)
    elif isinstance(value, Tuple):
        found = tuple(i.constant for i in value.items if isinstance(i, Scalar))
    elif isinstance(value, Scalar):
        found = (value.constant,)
    for one in found or ():
        if type(one) is int and 1 < one <= _LONGEST:
            yield one


def combinations(candidates: list[list[Any]], most: int) -> Iterator[tuple[Any, ...]]:
    """All combinations, or as many spread over all of them, the same ones every time."""
    total = prod(map(len, candidates))
    if total <= most:
        yield from product(*candidates)
        return
    for index in _spread_over(total, most):
        chosen: list[Any] = []
        for options in reversed(candidates):
            index, position = divmod(index, len(options))
            chosen.append(options[position])
        yield tuple(reversed(chosen))


@lru_cache(maxsize=4096)
def _spread_over(total: int, most: int) -> tuple[int, ...]:
    return tuple(sorted(Random(0).sample(range(total), most)))


def _of_literal(text: str) -> Any:
    return literal_value(ast.parse(text, mode="eval").body)


def _arrays(
    value: Array | Either, all_ranks: tuple[int, ...], all_dtypes: tuple[str, ...]
) -> list[Any]:
    dtypes = (value.dtype,) if value.dtype else all_dtypes
    arrays = [e for r in _ranks(value, all_ranks) for d in dtypes for e in _examples(r, d)]
    if not isinstance(value, Either):
        return arrays
    numbers = dtypes if value.dtype or "int64" in dtypes else (*dtypes, "int64")  # an axis is whole
    return arrays + [_one(d) for d in numbers]


def _ranks(value: Array | Either, usual: tuple[int, ...]) -> tuple[int, ...]:
    """The ranks of what stands in for an array."""
    if isinstance(value, Either):
        return usual
    if value.rank is not None:
        return (value.rank,)
    if value.matrices and value.least < 2:
        return at_least(2, usual)
    may_have_none = value.least == 0 and 0 not in usual
    return (0, *usual) if may_have_none else at_least(value.least, usual)


def _tuples(value: Tuple, all_ranks: tuple[int, ...], all_dtypes: tuple[str, ...]) -> list[Any]:
    if value.items and all(i == Scalar("int") for i in value.items):
        rest = len(value.items) - 1  # a shape, perhaps for what has other sizes
        shapes = [(s,) * (rest + 1) for s in (1, 2, _SIZE)]
        return [*shapes, (-1,) + (1,) * rest, tuple(range(rest + 1))]  # the last are axes
    choices = [_spread(stand_ins(i, all_ranks, all_dtypes), 2) for i in value.items]
    return [tuple(c) for c in islice(product(*choices), 4)] if all(choices) else []


def _spread(options: list[Any], most: int) -> list[Any]:
    """At most so many, from all along a list."""
    if len(options) <= most:
        return options
    return [options[k * (len(options) - 1) // (most - 1)] for k in range(most)]


@lru_cache(maxsize=64)
def _one(dtype: str) -> Any:
    """The number one, of NumPy's."""
    import numpy as np

    return np.ones((), dtype)[()]


def _examples(rank: int, dtype: str) -> Iterator[Any]:
    """Arrays of a rank and dtype that most functions accept, and that differ in what decides.

    Each is a new one: what is asked may write into it.
    """
    return (template.copy() for template in _templates(rank, dtype))


@lru_cache(maxsize=256)
def _templates(rank: int, dtype: str) -> tuple[Any, ...]:
    return tuple(_made(rank, dtype))


def _made(rank: int, dtype: str) -> Iterator[Any]:
    import numpy as np

    if rank == 1:
        yield np.ones(_SIZE, dtype)
        if dtype == "int64":
            yield np.ones(1, dtype)  # a shape: its length is a rank
        if dtype in ("int64", "float64"):
            yield np.ones(2, dtype)  # the cross product in the plane is a number
        if dtype == "float64":
            yield np.array([1.0, -3.0, 2.0])  # a polynomial of real roots
    elif rank == 2 and dtype == "float64":
        yield np.eye(_SIZE)
        yield np.eye(_SIZE)[[1, 2, 0]]  # a rotation: its eigenvalues are complex
    elif rank >= 2:
        # Identity matrices: linear algebra accepts them, indices stay in range.
        yield np.broadcast_to(np.eye(_SIZE, dtype=dtype), (_SIZE,) * rank)
    else:
        yield np.ones((), dtype)


def _plain_values(value: Scalar) -> list[Any]:
    return [value.constant] if value.constant is not None else list(_usual(value.type))


@lru_cache(maxsize=16)
def _usual(kind: str | None) -> tuple[Any, ...]:
    """What stands in for a Python value of which no more than the type is known."""
    import numpy as np

    stand_ins: dict[str | None, list[Any]] = {
        None: [0, 1, None, 1.0, (1,), (1, 1), (0, 1), np.float32, np.float64, "F"],
        "str": ["C", "ij"],
        "dtype": [np.float64, np.int64, np.float32, np.bool_],
        "slice": [slice(None)],
        "place": [slice(None), 0],
        "int": [1, 0, 2, -1, _SIZE],
        "float": [1.0],
        "number": [1, 1.0, 0, 2, -1, _SIZE],
        "bool": [False, True],
        "complex": [1j],
        "None": [None],
    }
    return tuple(stand_ins.get(kind, ()))
