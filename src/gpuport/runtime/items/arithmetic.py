"""Operators: of Python's numbers as Python has them, of NumPy's as NumPy has them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gpuport.runtime.division import floor_divide, remainder
from gpuport.runtime.items.containers import is_listed
from gpuport.runtime.items.guards import Sum
from gpuport.runtime.items.item import Item, Operand, is_stack
from gpuport.runtime.items.signals import Unbatched, refuse

if TYPE_CHECKING:
    from gpuport.runtime.items.trace import Trace

LARGEST = 2**31
"""Python's whole numbers below this may be multiplied in 64 bits."""

_COMPARISONS = frozenset({"less", "less_equal", "greater", "greater_equal", "equal", "not_equal"})
_BITS = frozenset({"bitwise_and", "bitwise_or", "bitwise_xor", "invert"})
_DIVISIONS = frozenset({"divide", "floor_divide", "remainder"})
_WHOLE = frozenset({
    "add", "subtract", "multiply", "floor_divide", "remainder", "negative", "positive", "absolute",
})  # fmt: skip


def operate(trace: Trace, ufunc: str, *given: Any) -> Any:
    """What an operator gives for all items."""
    if any(map(is_listed, given)):
        if any(weak_kind(one) for one in given):
            refuse("an operator of Python's between a list and a number")
        given = tuple(trace.array_of(one) if is_listed(one) else one for one in given)
    kinds = [weak_kind(one) for one in given]
    if any(isinstance(one, Item) and one.weak for one in given) and all(kinds):
        return _of_python(trace, ufunc, kinds, given)
    found = trace.call(f"numpy.{ufunc}", *given)
    if any(getattr(one, "mixed", False) for one in given) and _of_numbers_alone(given):
        _see_no_error(ufunc, given, found)
    return found


def _of_numbers_alone(given: Sequence[Any]) -> bool:
    """Whether operands may all be Python's numbers, for some items."""
    return all(weak_kind(one) or getattr(one, "mixed", False) for one in given)


def _see_no_error(ufunc: str, given: Sequence[Any], found: Any) -> None:
    """See that Python raises for none of the items: NumPy does not."""
    if ufunc in _DIVISIONS and not _all_true(given[1]):
        refuse("a division by zero, which may be Python's")
    if ufunc == "power" and not np.isfinite(found.numbers()).all():
        refuse("a power that Python may not have")
    if isinstance(found, Item):
        found.mixed = ufunc not in _COMPARISONS


def weak_kind(value: Any) -> str:
    """Which of Python's numbers something is; empty where it is none."""
    if isinstance(value, Item):
        return value.weak
    name = type(value).__name__
    return name if type(value) in (bool, int, float) else ""


def _of_python(trace: Trace, ufunc: str, kinds: Sequence[str], given: Sequence[Any]) -> Any:
    """Python's own arithmetic, which raises where NumPy's goes on."""
    if ufunc in _COMPARISONS:
        return _made(trace, ufunc, given, "bool")
    if ufunc in _BITS:
        if "float" in kinds or (ufunc == "invert" and kinds[0] == "bool"):
            refuse("bits of numbers of Python's")
        return _made(trace, ufunc, given, "int" if "int" in kinds else "bool")
    if ufunc in _DIVISIONS and not _all_true(given[1]):
        raise ZeroDivisionError
    if "float" in kinds or ufunc == "divide":
        found = _made(trace, ufunc, given, "float")
        if ufunc == "power" and not np.isfinite(found.numbers()).all():
            refuse("a power that Python may not have as a float")
        return found
    if ufunc == "power" and type(given[1]) is int and 0 < given[1] < 4:
        found = given[0]
        for _ in range(given[1] - 1):
            found = operate(trace, "multiply", found, given[0])
        return found
    if ufunc not in _WHOLE:
        refuse("an operation of whole numbers of Python's")
    return _whole(trace, ufunc, given)


def _all_true(value: Any) -> bool:
    return bool(value.numbers().all()) if isinstance(value, Item) else bool(value)


def _whole(trace: Trace, ufunc: str, given: Sequence[Any]) -> Item:
    """Whole numbers, on the host, as long as 64 bits hold them."""
    numbers = [np.asarray(_known(one), dtype="q") for one in given]
    if any(np.abs(one).max(initial=0) >= LARGEST for one in numbers):
        refuse("large whole numbers of Python's")
    found = getattr(np, ufunc)(*numbers)
    return Item(trace, known=np.broadcast_to(found, trace.count), weak="int", on_host=True)


def _known(value: Any) -> Any:
    return value.numbers() if isinstance(value, Item) else value


def _made(trace: Trace, ufunc: str, given: Sequence[Any], kind: str) -> Item:
    """The numbers of all items: on the host where it knows them."""
    if all(not isinstance(one, Item) or one.known is not None for one in given):
        with np.errstate(all="ignore"):
            found = getattr(np, ufunc)(*(_known(one) for one in given))
        known = np.broadcast_to(found, trace.count)
        return Item(trace, known=known, weak=kind, on_host=True)
    data = [one.data if isinstance(one, Item) else one for one in given]
    return Item(trace, getattr(trace.cupy, ufunc)(*data), weak=kind, on_host=True)


def elementwise(trace: Trace, name: str, *given: Any, **options: Any) -> Any:
    """A function of NumPy's that goes element by element."""
    if options.keys() - {"dtype"}:
        refuse(f"`{name}` with {', '.join(sorted(options))}")
    if name in ("minimum", "maximum") and len(given) == 2 and isinstance(given[0], Sum):
        return given[0].joined(name, given[1])
    operands = [trace.array_of(one) if is_listed(one) else one for one in given]
    arrays = [one for one in operands if isinstance(one, Operand)]
    if not arrays:
        return _of_numbers(trace, name, operands, options)
    strong = [one.dtype for one in arrays if not getattr(one, "weak", "")]
    strong += [one.dtype for one in operands if isinstance(one, np.generic)]
    stacked = any(is_stack(one) for one in arrays)
    rank = max(one.ndim for one in arrays)
    if all(_is_known(one) for one in arrays):
        library: Any = np
        data = [_host_data(one, rank, strong) for one in operands]
    else:
        library = trace.cupy
        data = [_device_data(trace, one, rank, strong) for one in operands]
    function = _EXACT.get(name) or getattr(library, name)
    with np.errstate(all="ignore"):
        found = function(*data, **options)
    return wrapped(trace, found, stacked, arrays)


_EXACT = {"remainder": remainder, "mod": remainder, "floor_divide": floor_divide}
"""What CuPy computes otherwise than NumPy."""


def _of_numbers(trace: Trace, name: str, given: Sequence[Any], options: Any) -> Any:
    if not all(isinstance(one, (bool, int, float, complex, np.generic)) for one in given):
        refuse(f"`{name}` of something that is no number and no array")
    return getattr(np, name)(*given, **options)


def _is_known(one: Any) -> bool:
    return bool(one.on_host) if not isinstance(one, Item) else one.known is not None


def _host_data(one: Any, rank: int, strong: Sequence[Any]) -> Any:
    if not isinstance(one, Operand):
        return one
    return _aligned(one, one.known, rank, strong)


def _device_data(trace: Trace, one: Any, rank: int, strong: Sequence[Any]) -> Any:
    if isinstance(one, Operand):
        return _aligned(one, trace.data_of(one), rank, strong)
    if isinstance(one, (bool, int, float, complex, np.generic)):
        return one
    if one is None:  # a bound of `clip` that there is not
        return None
    raise Unbatched("something that is no number and no array takes part in arithmetic")


def _aligned(one: Any, data: Any, rank: int, strong: Sequence[Any]) -> Any:
    """The data with axes of length 1 between the items' and those of the item."""
    weak = getattr(one, "weak", "")
    if weak and strong:
        data = data.astype(_dtype_beside(weak, strong), copy=False)
    if not is_stack(one) or one.ndim == rank:
        return data
    return data.reshape(data.shape[0], *[1] * (rank - one.ndim), *data.shape[1:])


_SAMPLES = {"bool": True, "int": 1, "float": 1.0}


def _dtype_beside(weak: str, strong: Sequence[Any]) -> Any:
    """The dtype in which a number of Python's takes part beside arrays of others."""
    return np.result_type(*strong, _SAMPLES[weak])


def wrapped(trace: Trace, found: Any, stacked: bool, given: Sequence[Any]) -> Any:
    """What a function gave, as a value of the loop's; several as a tuple."""
    if isinstance(found, tuple):
        parts = [wrapped(trace, one, stacked, given) for one in found]
        make = getattr(type(found), "_make", tuple)
        return make(parts)
    on_host = all(one.on_host for one in given if isinstance(one, Operand))
    if isinstance(found, (np.ndarray, np.generic)):
        if not stacked and isinstance(found, np.generic):
            return found
        return Item(trace, known=np.asarray(found), stacked=stacked, on_host=on_host)
    return Item(trace, found, stacked=stacked, on_host=on_host)
