"""Guessed inputs of a kind that a function of CuPy's refuses, and says so.

SciPy takes stacks of matrices where CuPy takes one, NumPy takes complex numbers where CuPy orders
real ones, and gives NaN for the mean of nothing where CuPy raises. Whether callers have such inputs
is not known where they are guessed: they prove nothing, and the report names the limit. Inputs that
were recorded, annotated or declared are the callers' own, and the port fails for them.
``x: np.ndarray`` says nothing of complex numbers, and nothing of half precision.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from gpuport.verify.slots import Trial

_SAYS = re.compile(
    "|".join([
        r"Input must be 1- or 2-d\.",  # cupyx.scipy.linalg.expm, which takes the diagonal first
        r"Only 1 or 2 dimensional arrays can be column stacked",  # cupy.column_stack
        r"Wrong type \(.*complex.*\) of arguments for cupy_\w+",
        r"complex number is not supported",  # cupy.histogram
        r"float16 is unsupported in linalg",
        r"cupy\.\w+\.at only supports (?=.* as data type)",
        r"'numpy\.u?int\d+' object is not iterable",  # cupy.argpartition, of NumPy's own numbers
        r"acceptable mode flags are `valid`, `same`, or `full`",  # cupy.convolve, of other words
        r"zero-size array to reduction operation cupy_nanmean",
        r"kth\(=-1\) out of bounds 0",  # cupy.median of no elements
    ])
)  # fmt: skip

# `ndarray.clip` with one bound: of complex numbers CuPy knows no lowest or highest for the other
_ONE_BOUND = "Unsupported type <class 'NoneType'>"
# NumPy makes a range of a float, and so an array of as many rows: `numpy.tri(2.5)`
_COUNTS = "'float' object cannot be interpreted as an integer"
_OF_LAYOUT = "Sorting non-contiguous array is not supported"
_SELDOM_TAKEN = ("complex", "float16")


def limit_of(answer: Mapping[str, Any], source: str, trial: Trial) -> str | None:
    """What CuPy says of a guessed input that it does not take; None where it is something else.

    Parameters
    ----------
    answer : mapping
        Of a comparison in which the port raised.
    source : str
        Where the inputs come from.
    trial : Trial
    """
    if answer["status"] != "port-raised":
        return None
    if trial.family == "specials" and answer.get("raised") == "LinAlgError":
        return "LinAlgError of a matrix with an infinity or NaN, where NumPy's LAPACK gives NaN"
    if trial.layout not in ("C", "F") and _OF_LAYOUT in str(answer["difference"]):
        return _OF_LAYOUT
    one_bound = _ONE_BOUND in str(answer["difference"]) and "complex" in str(answer["inputs"])
    if one_bound and source == "guessed":
        return f"{_ONE_BOUND}, of complex numbers clipped at one side"
    counts = _COUNTS in str(answer["difference"]) and any(s.kind == "float" for s in trial.slots)
    if counts and source == "guessed":
        return _COUNTS
    found = _SAYS.search(str(answer["difference"]))
    if found is None or not (source == "guessed" or _guessed_dtype(found.group(), trial)):
        return None
    return found.group()


def _guessed_dtype(said: str, trial: Trial) -> bool:
    """Whether a dtype is refused in an array of which nobody has said what it holds."""
    kinds = [kind for kind in _SELDOM_TAKEN if kind in said]
    slots = [slot for slot in (*trial.parameters, *(trial.init or ())) if slot.kind == "array"]
    declared = any((slot.dtype or "").startswith(kind) for slot in slots for kind in kinds)
    return bool(kinds) and not declared and any(slot.dtype is None for slot in slots)
