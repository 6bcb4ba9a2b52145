"""Functions of Python's own, of numbers of all items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gpuport.runtime.items.arithmetic import operate
from gpuport.runtime.items.containers import Objects
from gpuport.runtime.items.guards import Sum
from gpuport.runtime.items.item import WEAK_DTYPES, Item, Operand
from gpuport.runtime.items.signals import Unbatched, refuse

if TYPE_CHECKING:
    from gpuport.runtime.items.trace import Trace


def to_float(trace: Trace, value: Any = 0.0) -> Any:
    """``float(value)``."""
    if not isinstance(value, Operand):
        return float(value)
    return _number(trace, value, "float")


def to_int(trace: Trace, value: Any = 0, *base: Any) -> Any:
    """``int(value)``."""
    if base or not isinstance(value, Operand):
        return int(value, *base)
    if value.dtype.kind == "f":
        numbers = _item(trace, value).numbers()
        if not (np.abs(numbers) < 2.0**53).all():
            refuse("`int` of what 64 bits may not hold")
    return _number(trace, value, "int")


def to_complex(trace: Trace, real: Any = 0.0, imag: Any = 0.0) -> Any:
    """``complex(real, imag)``: of numbers of all items."""
    if not isinstance(real, Operand) and not isinstance(imag, Operand):
        return complex(real, imag)
    if any(getattr(one, "ndim", 0) for one in (real, imag)):
        refuse("`complex` of something that is no number")
    found = trace.call("numpy.add", real, trace.call("numpy.multiply", imag, 1j))
    if isinstance(found, Item):
        found.mixed = True
    return found


def to_bool(trace: Trace, value: Any = False) -> Any:
    """``bool(value)``."""
    return bool(value)


_CONVERSIONS: dict[type, Any] = {
    float: to_float, int: to_int, bool: to_bool, complex: to_complex,
}  # fmt: skip


class Conversion:
    """``float`` and the like: they convert numbers of all items, and name dtypes.

    Attributes
    ----------
    stands_for : type
        Python's own.
    dtype : np.dtype
        What NumPy and CuPy ask such a value for where a dtype is wanted.
    """

    def __init__(self, trace: Trace, stands_for: type) -> None:
        self.stands_for = stands_for
        self.dtype = np.dtype(stands_for)
        self.__name__ = stands_for.__name__
        self._trace = trace

    def __call__(self, *given: Any) -> Any:
        return _CONVERSIONS[self.stands_for](self._trace, *given)

    def __eq__(self, other: object) -> bool:
        return self.stands_for == getattr(other, "stands_for", other)

    def __hash__(self) -> int:
        return hash(self.stands_for)


def conversion(trace: Trace, value: Any) -> Conversion | None:
    """What stands for a type of Python's numbers; None for anything else."""
    known = isinstance(value, type) and value in _CONVERSIONS
    return Conversion(trace, value) if known else None


def _item(trace: Trace, value: Any) -> Item:
    if isinstance(value, Item):
        return value
    return Item(trace, trace.data_of(value), stacked=False)


def _number(trace: Trace, value: Any, kind: str) -> Any:
    item = _item(trace, value)
    if item.ndim or item.dtype.kind not in "biuf":
        refuse(f"`{kind}` of something that is no real number")
    if item.weak == kind:
        return item
    dtype = WEAK_DTYPES[kind]
    if item.known is not None:
        known = item.numbers().astype(dtype)
        return Item(trace, known=known, weak=kind, on_host=True)
    data = item.data.astype(dtype)
    if not item.stacked:
        data = trace.cupy.broadcast_to(data, trace.count)
    return Item(trace, data, weak=kind, on_host=True)


def greatest(trace: Trace, *given: Any, **options: Any) -> Any:
    """``max(...)``: of the first of those that no other one is greater than."""
    return _kept(trace, max, "greater", given, options)


def least(trace: Trace, *given: Any, **options: Any) -> Any:
    """``min(...)``."""
    return _kept(trace, min, "less", given, options)


def _kept(trace: Trace, plain: Any, better: str, given: tuple[Any, ...], options: Any) -> Any:
    values = list(given[0]) if len(given) == 1 else list(given)
    if len(values) == 2 and isinstance(values[0], Sum) and not options:
        return values[0].joined(plain.__name__, values[1])
    if not any(isinstance(one, Item) for one in values):
        return plain(*given, **options)
    if options or any(getattr(one, "ndim", 0) for one in values):
        refuse(f"`{plain.__name__}` in this form")
    found = values[0]
    for one in values[1:]:
        found = _choice(trace, operate(trace, better, one, found), one, found)
    return found


def _choice(trace: Trace, test: Any, first: Any, second: Any) -> Any:
    """One of two numbers for each item; of two kinds of numbers, NumPy's."""
    found = trace.call("numpy.where", test, first, second)
    kinds = {getattr(one, "weak", type(one).__name__) for one in (first, second)}
    if len(kinds) == 1 and (kind := kinds.pop()) in ("int", "float"):
        return _number(trace, found, kind)
    if isinstance(found, Item):
        found.mixed = bool(kinds & {"int", "float", "bool"})
    return found


def is_instance(trace: Trace, value: Any, kinds: Any) -> bool:
    """``isinstance(value, kinds)``."""
    every = kinds if isinstance(kinds, tuple) else (kinds,)
    types = tuple(one.stands_for if isinstance(one, Conversion) else one for one in every)
    if isinstance(value, (Operand, Objects)) or not all(isinstance(one, type) for one in types):
        refuse("`isinstance` of a value of each item")
    return isinstance(value, types)


def rounded(trace: Trace, value: Any, digits: Any = None) -> Any:
    """``round(value)``."""
    if not isinstance(value, Operand):
        return round(value, digits)
    item = _item(trace, value)
    if item.ndim or isinstance(digits, Operand) or item.dtype.kind not in "iuf":
        raise Unbatched("`round` of something that is no number, or to places of each item")
    each = item.numbers()
    found = [round(one, digits) for one in (each.tolist() if item.weak else each)]
    if digits is None or item.weak == "int":
        if any(abs(one) >= 2**53 for one in found):
            refuse("`round` of what 64 bits may not hold")
        return Item(trace, known=np.asarray(found, "q"), weak="int", on_host=True)
    dtype = WEAK_DTYPES[item.weak] if item.weak else item.dtype
    return Item(trace, known=np.asarray(found, dtype), weak=item.weak, on_host=True)


MATH = {
    "sqrt": "sqrt", "exp": "exp", "log": "log", "log10": "log10", "log2": "log2", "sin": "sin",
    "cos": "cos", "tan": "tan", "asin": "arcsin", "acos": "arccos", "atan": "arctan",
    "atan2": "arctan2", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "hypot": "hypot",
    "fabs": "fabs", "radians": "radians", "degrees": "degrees", "expm1": "expm1",
    "log1p": "log1p",
}  # fmt: skip
"""Functions of the module `math`, and NumPy's of the same name or another one."""


def of_math(trace: Trace, name: str, *given: Any) -> Any:
    """A function of the module `math`, which raises where NumPy's gives no finite number."""
    import math

    if not any(isinstance(one, Operand) for one in given):
        return getattr(math, name)(*given)
    numbers = [to_float(trace, one) if isinstance(one, Operand) else one for one in given]
    item = _number(trace, trace.call(f"numpy.{MATH[name]}", *numbers), "float")
    if not np.isfinite(item.numbers()).all():
        refuse(f"`math.{name}` where Python may raise")
    return item
