"""How carefully kernels are run."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

MODES = ("strict", "fast")
_MODE: ContextVar[str | None] = ContextVar("gpuport_kernel_checks", default=None)


def strict() -> bool:
    """Whether kernels are checked: by :func:`checks`, else ``GPUPORT_KERNEL_CHECKS``, else yes.

    Raises
    ------
    ValueError
        Where the environment variable is neither ``strict`` nor ``fast``.
    """
    mode = _MODE.get()
    if mode is None:
        mode = os.environ.get("GPUPORT_KERNEL_CHECKS") or "strict"
        if mode not in MODES:
            raise ValueError(f"GPUPORT_KERNEL_CHECKS={mode}: expected strict or fast")
    return mode == "strict"


@contextmanager
def checks(mode: str) -> Iterator[None]:
    """Run the kernels of the block in this mode.

    Parameters
    ----------
    mode : {"strict", "fast"}
        ``strict`` runs each kernel over all indices forward, reversed and scrambled, compares,
        and checks every access to memory. ``fast`` runs it once, unchecked: for bulk, after a
        strict run has been clean.

    Raises
    ------
    ValueError
        For any other mode.
    """
    if mode not in MODES:
        raise ValueError(f"checks({mode!r}): expected 'strict' or 'fast'")
    token = _MODE.set(mode)
    try:
        yield
    finally:
        _MODE.reset(token)
