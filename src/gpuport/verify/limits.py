"""Guessed inputs of a kind that a function of CuPy's refuses, and says so.

SciPy takes stacks of matrices where CuPy takes one, NumPy takes complex numbers where CuPy orders
real ones. Whether callers have such inputs is not known where they are guessed: they prove nothing,
and the report names the limit. Inputs that were recorded, annotated or declared are the callers'
own, and the port fails for them.
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
        r"cupy\.\w+\.at only supports (?=.* as data type)",
        r"'numpy\.u?int\d+' object is not iterable",  # cupy.argpartition, of NumPy's own numbers
        r"acceptable mode flags are `valid`, `same`, or `full`",  # cupy.convolve, of other words
    ])
)  # fmt: skip


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
    found = _SAYS.search(str(answer["difference"])) if source == "guessed" else None
    return None if found is None else found.group()
