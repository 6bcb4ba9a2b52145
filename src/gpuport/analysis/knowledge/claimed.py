"""What is claimed of a result, and what is claimed no more where too little was tried."""

from __future__ import annotations

from dataclasses import replace

from gpuport.analysis.values.lattice import (
    Array,
    Either,
    Number,
    Scalar,
    Sequence,
    Tuple,
    Value,
)

ALWAYS = ("bool", "int64")
"""Dtypes of results that are theirs whatever is asked: truth values and places."""


def says_much(value: Value) -> bool:
    """Whether a rank or a dtype is claimed, or the type of a number of Python's."""
    if isinstance(value, Tuple):
        return any(map(says_much, value.items))
    if isinstance(value, Array):
        return value.rank is not None or value.dtype is not None or value.least > 1
    if isinstance(value, Scalar):
        return value.type in ("int", "float", "complex", "bool")
    return isinstance(value, (Either, Number)) and value.dtype is not None


def claims_rank(value: Value) -> bool:
    """Whether it is said that there are axes at all, or how many."""
    if isinstance(value, Tuple):
        return any(map(claims_rank, value.items))
    return isinstance(value, Array) and value.fewest > 0


def forget_rank(value: Value) -> Value:
    """A claim that says no more how many axes its arrays have."""
    if isinstance(value, Tuple):
        return replace(value, items=tuple(map(forget_rank, value.items)))
    if not isinstance(value, Array):
        return value
    return replace(value, rank=None, least=min(value.fewest, 1))


def forget_dtype(value: Value, but: tuple[str, ...] = ALWAYS) -> Value:
    """A claim that names no dtypes but these."""
    if isinstance(value, (Array, Either, Number)) and value.dtype not in but:
        return replace(value, dtype=None)
    if isinstance(value, Tuple):
        return replace(value, items=tuple(forget_dtype(item, but) for item in value.items))
    if isinstance(value, Sequence):
        return replace(value, of=forget_dtype(value.of, but))
    return value


__all__ = ["ALWAYS", "claims_rank", "forget_dtype", "forget_rank", "says_much"]
