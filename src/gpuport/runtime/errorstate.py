"""Floating-point errors that the program asks NumPy for; CuPy cannot give them."""

from __future__ import annotations

import numpy as np

from gpuport.runtime.arguments import NotForDevice

_ASKED = frozenset(("raise", "call", "log", "print"))
"""Modes of ``np.errstate`` in which a floating-point error does something to the program."""


def asks_for_errors() -> bool:
    """Whether ``np.errstate`` or ``np.seterr`` want to hear of floating-point errors."""
    return not _ASKED.isdisjoint(np.geterr().values())


def refuse_error_state() -> None:
    """Send the call to the host where errors are asked for.

    Raises
    ------
    NotForDevice
    """
    if asks_for_errors():
        raise NotForDevice("floating-point errors are asked for, which CuPy does not tell")
