"""What is known of a value, in words."""

from __future__ import annotations

from gpuport.analysis.values.lattice import (
    EMPTY,
    Array,
    Either,
    Instance,
    Mapping,
    Number,
    Scalar,
    Sequence,
    Tuple,
    Unknown,
    Value,
)
from gpuport.analysis.values.lattice import describe as named

_KINDS: dict[type, str] = {
    Array: "array",
    Either: "array-or-number",
    Number: "number",
    Scalar: "python",
    Tuple: "tuple",
    Mapping: "dict",
    Instance: "object",
    Unknown: "unknown",
}


def kind_of(value: Value) -> str:
    if isinstance(value, Sequence):
        return "list" if value.list else "tuple"
    return _KINDS.get(type(value), "object")


def describe(value: Value) -> str:
    """A claim in full: ``2-d array of float64, or None``."""
    if isinstance(value, (Sequence, Mapping)):
        what = kind_of(value)
        return f"{what}, empty so far" if value.of == EMPTY else f"{what} of {describe(value.of)}"
    if isinstance(value, Tuple):
        return f"tuple ({', '.join(map(describe, value.items))})"
    if isinstance(value, Array):
        rank = "" if value.rank is None else f"{value.rank}-d "
        text = f"{rank}array" + (f" of {value.dtype}" if value.dtype else "")
    elif isinstance(value, Either):
        number = "number" if value.python else "NumPy scalar"
        text = f"array or {number}" + (f" of {value.dtype}" if value.dtype else "")
    elif isinstance(value, Number):
        text = "NumPy scalar" if value.numpy_scalar else "number, NumPy's or Python's"
        text += f" of {value.dtype}" if value.dtype else ""
    elif isinstance(value, Scalar):
        return _plain(value)
    elif isinstance(value, Unknown):
        return "unknown"
    else:
        return f"object: {named(value)}"
    optional = ", or None" if getattr(value, "optional", False) else ""
    checked = sorted(getattr(value, "sources", ()))
    given = ", if " + " and ".join(f"`{s}`" for s in checked) + " is one" if checked else ""
    return text + optional + given


def _plain(value: Scalar) -> str:
    if value.type == "assumed":
        return "taken for a number"
    if value.constant is not None:
        return f"{value.type} {value.constant!r}"
    return value.type or "Python value, no array"


__all__ = ["describe", "kind_of"]
