"""Inputs with more axes than a function of CuPy's takes, which says so.

SciPy takes stacks of matrices where CuPy takes one. Whether callers have stacks is not known where
ranks are guessed: such inputs prove nothing, and the report names the limit. Inputs that were
recorded, annotated or declared are the callers' own, and the port fails for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_SAYS = (
    "Input must be 1- or 2-d.",  # cupyx.scipy.linalg.expm, which takes the diagonal first
    "Only 1 or 2 dimensional arrays can be column stacked",  # cupy.column_stack
)


def limit_of(answer: Mapping[str, Any], source: str) -> str | None:
    """What CuPy says of the number of axes of a guessed input; None where it is something else.

    Parameters
    ----------
    answer : mapping
        Of a comparison in which the port raised.
    source : str
        Where the inputs come from.
    """
    if answer["status"] != "port-raised" or source != "guessed":
        return None
    said = str(answer["difference"])
    return next((text for text in _SAYS if text in said), None)
