"""Claims that outlive the function in which they were made."""

from __future__ import annotations

from gpuport.analysis.values.lattice import (
    ASIDE,
    EMPTY,
    Array,
    Either,
    Mapping,
    Scalar,
    Sequence,
    Tuple,
    Unknown,
    Value,
    record,
)


def lasting(value: Value, *, reasons: bool = False) -> Value:
    """A claim that outlives the function in which it was made: without its parameters.

    Parameters
    ----------
    value : Value
    reasons : bool
        Keep why something is not known.
    """
    if isinstance(value, Array):
        return Array(value.dtype, value.rank, optional=value.optional, least=value.least)
    if isinstance(value, Either):
        return Either(value.dtype, optional=value.optional, python=value.python)
    if isinstance(value, Tuple):
        items = tuple(lasting(item, reasons=reasons) for item in value.items)
        return Tuple(items, optional=value.optional)
    if isinstance(value, Mapping) and value.fields is not None:
        fields = {name: _lasting_item(one, reasons) for name, one in value.fields}
        return record(fields, optional=value.optional)
    if isinstance(value, (Sequence, Mapping)):
        return holding(value, _lasting_item(value.of, reasons))
    if isinstance(value, Scalar):
        return Scalar(value.type)
    if isinstance(value, Unknown) and value != ASIDE and not reasons:
        return Unknown(number=value.number)
    return value


def holding(value: Sequence | Mapping, of: Value) -> Value:
    """The claim of a container as one that holds other things, of which no text is known."""
    if isinstance(value, Mapping):
        return Mapping(of, optional=value.optional)
    return Sequence(of, value.list, optional=value.optional)


def _lasting_item(value: Value, reasons: bool) -> Value:
    return value if value == EMPTY else lasting(value, reasons=reasons)


__all__ = ["holding", "lasting"]
