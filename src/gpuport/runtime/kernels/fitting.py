"""Whether arguments are of the types that a signature says, and the kernel for them."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuport.runtime.kernels.declared import Declared
from gpuport.runtime.kernels.plaindata import NOT_STORED
from gpuport.runtime.kernels.signature import WEAK, Parameter
from gpuport.runtime.kernels.text import Instance

SMALL = 2**24
"""Whole numbers up to here are float32's and float64's too."""

LARGEST = 2**60
"""The largest of Python's whole numbers that a kernel takes: sums of a few stay within 64 bits."""

_NUMBERS = (bool, int, float, complex)
_PYTHON = {"f": (float, int), "i": (int,), "b": (bool,), "c": (complex, float, int)}


class Unfit(Exception):
    """Why a kernel cannot be launched; never leaves the runtime.

    Parameters
    ----------
    reason : str
    hosted : bool
        Whether the body must not run on arrays of the device, where NumPy would do otherwise.
    shared : bool
        Whether it is memory that arrays share: each step sees then what the one before wrote, and
        the call belongs on the host.
    """

    def __init__(self, reason: str, *, hosted: bool = False, shared: bool = False) -> None:
        super().__init__(reason)
        self.hosted, self.shared = hosted, shared


def instance_for(one: Declared, cupy: Any, values: dict[str, Any]) -> Instance:
    """What the text has to be made for.

    Raises
    ------
    Unfit
    """
    arrays = {name: value for name, value in values.items() if isinstance(value, cupy.ndarray)}
    generic = _generic(one, arrays)
    if not one.axes and all(p.raw for p in one.parameters if p.name in arrays):
        raise Unfit("no argument that goes element by element is an array")
    numbers = _module_numbers(one)
    boxed = frozenset(
        p.name for p in one.inputs if one.axes and not p.raw and p.name in arrays
    )  # fmt: skip
    python = frozenset(
        p.name for p in one.inputs
        if type(values[p.name]) in (int, float) and p.dtype(generic).startswith("float")
    )  # fmt: skip
    made = Instance(generic, boxed, python, numbers)
    narrow = made.is_narrow(one)
    if not narrow:  # the text is the same for all kinds of numbers
        made = Instance(generic, boxed, frozenset(), numbers)
    if narrow and one.mixes_whole:
        raise Unfit("whole numbers of arrays take part in arithmetic with float32")
    for p in one.by_argument:
        _check(one, p, values[p.name], generic, narrow, cupy)
    return made


def _generic(one: Declared, arrays: dict[str, Any]) -> str:
    said = {p.name for p in one.parameters if p.generic}
    every = [name for name in arrays if name in said]
    # an array without axes is a number beside others that are arrays
    names = [name for name in every if arrays[name].ndim or one.axes] or every
    found = {str(arrays[name].dtype.name) for name in names}
    if not found <= {"float32", "float64"}:
        wrong = next(n for n in names if arrays[n].dtype.name not in ("float32", "float64"))
        raise Unfit(f"{wrong} is of {arrays[wrong].dtype.name}, neither float32 nor float64")
    if len(found) > 1:
        raise Unfit(f"{', '.join(names)} are of {' and '.join(sorted(found))}, not of one dtype")
    return found.pop() if found else "float64"


def _module_numbers(one: Declared) -> tuple[tuple[str, str], ...]:
    found = []
    for name in one.numbers:
        value = one.function.__globals__.get(name)
        if type(value) not in (int, float):
            raise Unfit(f"{name} of the module is a {type(value).__name__}, not int or float")
        if type(value) is int and abs(value) > LARGEST:
            raise Unfit(f"{name} of the module is a large whole number")
        found.append((name, type(value).__name__))
    return tuple(found)


def _check(one: Declared, p: Parameter, value: Any, generic: str, narrow: bool, cupy: Any) -> None:
    """Refuse what the parameter's type does not say."""
    dtype = p.dtype(generic)
    if value is NOT_STORED:
        reason = f"{p.shown} is nothing that {p.owner} stores: reading it may run code"
        raise Unfit(reason, hosted=True)
    if isinstance(value, cupy.ndarray):
        _check_array(one, p, value, dtype, narrow)
        return
    if p.raw or p in one.written:
        number = p.name in one.given_back and type(value) in _NUMBERS
        reason = f"{p.shown} is {_described(value)}, not an array of the device"
        raise Unfit(reason, hosted=not number)
    if isinstance(value, np.generic):
        if value.dtype.name != dtype:
            raise Unfit(f"{p.shown} is {_described(value)}, not {dtype}", hosted=True)
        if narrow and dtype not in ("float32", "bool", "complex64"):
            raise Unfit(f"{p.shown} is {_described(value)} among float32", hosted=True)
    elif not _is_number(p, type(value), dtype):
        hosted = hasattr(type(value), "__array__")
        raise Unfit(f"{p.shown} is {_described(value)}, not {dtype}", hosted=hosted)


def _is_number(p: Parameter, kind: type, dtype: str) -> bool:
    """Whether a number of Python's does for a parameter: whole ones for no dtype of fractions."""
    if kind is int and dtype.startswith("float") and p.type != "float" and not p.generic:
        return False
    return kind in _PYTHON.get(dtype[0], ()) and (dtype[0] != "i" or dtype == "int64")


def _check_array(one: Declared, p: Parameter, value: Any, dtype: str, narrow: bool) -> None:
    if value.dtype.name != dtype:
        raise Unfit(f"{p.shown} is of {value.dtype.name}, not {dtype}")
    rank = one.ranks.get(p.name)
    if rank is not None and value.ndim != rank:
        raise Unfit(f"{p.shown} has {value.ndim} axes, not {rank}")
    if p.raw or p in one.written:
        return
    if value.ndim and (one.axes or p.type in WEAK):
        raise Unfit(f"{p.shown} is an array of {value.ndim} axes, not a number")
    if not value.ndim and narrow and dtype not in ("float32", "bool", "complex64"):
        raise Unfit(f"{p.shown} is a number of {dtype} among float32")


def _described(value: Any) -> str:
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeio' else 'a'} {name}"
