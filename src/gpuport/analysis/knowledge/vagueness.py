"""How many different things may be where a value is, and whether stand-ins can be all of them."""

from __future__ import annotations

from gpuport.analysis.knowledge.standins import stand_ins
from gpuport.analysis.values.lattice import (
    Array,
    Either,
    Instance,
    Mapping,
    Object,
    Scalar,
    Sequence,
    Tuple,
    Unknown,
    Value,
)


def has_stand_ins(value: Value) -> bool:
    """Whether anything can stand in for a value."""
    if isinstance(value, Scalar):
        return bool(stand_ins(value))
    if isinstance(value, (Tuple, Sequence)) and value.literal is not None:
        return True
    if isinstance(value, Tuple):
        return all(map(has_stand_ins, value.items))
    if isinstance(value, Sequence):
        return has_stand_ins(value.of)
    return not isinstance(value, (Mapping, Instance, Object))


def may_be_word(value: Value) -> bool:
    """Whether a value may be one of the words that a parameter takes."""
    if isinstance(value, Scalar):
        return value.constant is None and value.type in (None, "str")
    return isinstance(value, Unknown)


def is_open(value: Value) -> bool:
    """Whether several ranks or dtypes stand in for a value."""
    if isinstance(value, (Either, Unknown)):
        return True
    if isinstance(value, Sequence):
        return value.literal is None and is_open(value.of)
    if isinstance(value, Tuple):
        return value.literal is None and any(map(is_open, value.items))
    return isinstance(value, Array) and (value.rank is None or value.dtype is None)


def of_any_rank(value: Value) -> bool:
    """Whether arrays of several ranks stand in for a value."""
    return isinstance(value, Either) or (isinstance(value, Array) and value.rank is None)


def is_vague(values: tuple[Value, ...]) -> bool:
    """Whether what stands in for arguments may not go with an array, which comes first."""
    return any(
        _stands_for_many(value) and not (isinstance(value, Either) and position == 0)
        for position, value in enumerate(values)
    )


def _stands_for_many(value: Value) -> bool:
    """Whether other things may be where a value is than those that stand in for it."""
    if isinstance(value, Tuple):
        return value.literal is None and any(map(_stands_for_many, value.items))
    if isinstance(value, Scalar):
        return value.type is None
    return isinstance(value, (Unknown, Either)) or (
        isinstance(value, Sequence) and value.literal is None
    )


def holds_unknown(value: Value) -> bool:
    """Whether nothing is known of an item of a list or a tuple, or no more than that it is a number
    or an array: of all that this may be, few go with its other items."""
    if not isinstance(value, Sequence | Tuple) or value.literal is not None:
        return False
    items = value.items if isinstance(value, Tuple) else (value.of,)
    vague = (isinstance(one, Either) and one.dtype is None for one in items)
    return any(vague) or any(isinstance(one, Unknown) or holds_unknown(one) for one in items)


__all__ = ["has_stand_ins", "holds_unknown", "is_open", "is_vague", "may_be_word", "of_any_rank"]
