"""What lists, tuples and dicts hold, as far as it is known."""

from __future__ import annotations

import ast

from gpuport.analysis.values.lattice import (
    ASIDE,
    EMPTY,
    Array,
    Either,
    Instance,
    Mapping,
    Number,
    Object,
    Scalar,
    Sequence,
    Tuple,
    Unknown,
    Value,
    is_container,
    is_number,
    parts,
)


def objects_in(value: Value) -> frozenset[str]:
    """Names of the classes of which a value is, or holds, an instance."""
    if isinstance(value, Object):
        return frozenset((value.name,))
    if not is_container(value):
        return frozenset()
    return frozenset().union(*map(objects_in, parts(value)))


def is_undecided(value: Value) -> bool:
    """Whether a value in a container may be an array, so that nobody knows where it is."""
    return isinstance(value, Unknown) and value not in (EMPTY, ASIDE)


def key_of(index: Value) -> str | None:
    """The key that an index is, where it is known."""
    known = index.constant if isinstance(index, Scalar) and index.type == "str" else None
    return known if isinstance(known, str) else None


def item_names(value: Value) -> tuple[str, ...]:
    """Names that NumPy gives the items of a tuple, or of tuples in a container; none in CuPy."""
    if isinstance(value, Tuple):
        return value.names or next(filter(None, map(item_names, value.items)), ())
    return item_names(value.of) if isinstance(value, (Sequence, Mapping)) else ()


def of_numbers(value: Value) -> bool:
    """Whether a list or tuple, or lists in it, hold numbers alone, whatever their types."""
    if isinstance(value, Tuple):
        return all(is_number(item) or of_numbers(item) for item in value.items)
    if not isinstance(value, Sequence):
        return False
    return is_number(value.of) or of_numbers(value.of) or _numbers_written(value.literal)


def _numbers_written(literal: str | None) -> bool:
    """Whether the text of a display is one of numbers: of different types its claim says less."""
    if literal is None:
        return False
    ahead = [ast.literal_eval(literal)]
    for one in ahead:
        if isinstance(one, (list, tuple)):
            ahead += one
        elif not isinstance(one, (bool, int, float, complex)):
            return False
    return True


def is_no_table(value: Value) -> bool:
    """Whether no array holds a list as it is: of objects, or of whole numbers beside others."""
    of = value.of if isinstance(value, Sequence) else None
    kinds = {getattr(item, "type", None) for item in (of.items if isinstance(of, Tuple) else ())}
    return isinstance(of, Instance | Object | Mapping) or (
        "int" in kinds and not kinds.isdisjoint({"float", "number", "complex", "str"})
    )


def has_unknown(value: Value) -> bool:
    """Whether the value, or a part of it, is not known."""
    if is_container(value):
        return any(item != EMPTY and has_unknown(item) for item in parts(value))
    return isinstance(value, Unknown)


def has_movable_leaves(value: Value) -> bool:
    """Whether each thing in a list, tuple or dict is an array or a number of NumPy's."""
    leaves = parts(value)
    optional = bool(getattr(value, "optional", False))
    return bool(leaves) and not optional and all(map(_is_movable, leaves))


def _is_movable(leaf: Value) -> bool:
    if isinstance(leaf, Array):
        return not leaf.optional
    if isinstance(leaf, Either):
        return not leaf.optional and not leaf.python
    return isinstance(leaf, Number) and leaf.numpy_scalar


def can_cross(value: Value) -> bool:
    """Whether the value is a list that holds arrays alone, which can be moved as a whole."""
    return (
        isinstance(value, Sequence)
        and value.list
        and not value.optional
        and isinstance(value.of, Array)
        and not value.of.optional
    )


__all__ = [
    "can_cross", "has_movable_leaves", "has_unknown", "is_no_table", "is_undecided", "item_names",
    "key_of", "objects_in", "of_numbers",
]  # fmt: skip
