"""How CuPy 13 takes numbers beside arrays: by their value, as NumPy 1 did; CuPy 14 by NEP 50.

Source: ``_check_should_use_min_scalar`` and ``_min_scalar_type`` of CuPy 13, ``_kernel.pyx``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

_SCORES = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 2}
_LOOPS = "?bBhHiIlLqQefdFD"
"""Types in the order in which CuPy tries the loops of a ufunc."""


class _Rule:
    """Which rule holds.

    Attributes
    ----------
    by_value : bool
        Whether it is CuPy 13's.
    """

    by_value = False


RULE = _Rule()


def by_value(values: list[Any]) -> list[Any]:
    """Operands with numbers of the types that CuPy 13 gives them.

    A number whose kind is no higher than that of the arrays only counts as far as its value needs:
    it gets the type of the loop that fits it. Any other has its own type, ``int64``, ``float64`` or
    ``complex128`` for Python's.
    """
    arrays = [v.dtype for v in values if type(v) is np.ndarray]
    numbers = [np.asarray(v) for v in values if type(v) is not np.ndarray]
    types = [*arrays, *(n.dtype for n in numbers)]
    if not numbers or any(t.kind not in _SCORES for t in types):
        return values
    highest = max((_SCORES[t.kind] for t in arrays), default=-1)
    if highest < max(_SCORES[n.dtype.kind] for n in numbers):
        return [v if type(v) is np.ndarray else np.asarray(v)[()] for v in values]
    common = np.result_type(*arrays)
    return [v if type(v) is np.ndarray else _beside(common, np.asarray(v)) for v in values]


def _beside(common: np.dtype[Any], number: Any) -> Any:
    """A number of the smallest type that holds it, widened to the loop that takes the arrays."""
    smallest = np.min_scalar_type(number)
    choices = [smallest]
    if smallest.kind == "u":
        signed = np.dtype(f"i{smallest.itemsize}")
        if number <= np.iinfo(signed).max:
            choices.append(signed)
    loops = [(np.result_type(common, choice), choice) for choice in choices]
    loop, choice = min(loops, key=lambda row: _LOOPS.index(row[0].char))
    if number.dtype.kind == "f":  # its digits are those of the loop
        choice = np.dtype(loop.char.lower()) if loop.kind == "c" else loop
    elif number.dtype.kind == "c":
        choice = loop
    return number.astype(choice)[()]
