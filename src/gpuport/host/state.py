"""``cupyx.errstate``: how CuPy reports failures of linear algebra and of FFT."""

from __future__ import annotations

import sys
import threading
from contextvars import ContextVar
from typing import Any

_DEFAULT = {"divide": None, "over": None, "under": None, "invalid": None}
_CURRENT: ContextVar[dict[str, Any]] = ContextVar("cupyx_errstate")
_INITIAL: dict[str, Any] = {**_DEFAULT, "linalg": "ignore", "fallback_mode": "ignore"}


def geterr() -> dict[str, Any]:
    """Current settings."""
    return dict(_CURRENT.get(_INITIAL))


def seterr(
    *,
    divide: Any = None,
    over: Any = None,
    under: Any = None,
    invalid: Any = None,
    linalg: Any = None,
    fallback_mode: Any = None,
) -> dict[str, Any]:
    """Change settings; gives the former ones."""
    if any(value is not None for value in (divide, over, under, invalid)):
        raise NotImplementedError
    if linalg not in (None, "ignore", "raise"):
        raise NotImplementedError(f"linalg={linalg!r}")
    old = geterr()
    new = dict(old)
    if linalg is not None:
        new["linalg"] = linalg
    if fallback_mode is not None:
        new["fallback_mode"] = fallback_mode
    _CURRENT.set(new)
    return old


class Synchronise(threading.local):
    """What ``cupyx.allow_synchronize`` forbids in a thread.

    Attributes
    ----------
    refusal : type, optional
        The exception to raise where an array is read back; None where that is allowed.
    """

    refusal: type[Exception] | None = None

    def check(self) -> None:
        """Raise where synchronising is forbidden."""
        if self.refusal is not None:
            raise self.refusal()


SYNCHRONISE = Synchronise()


def cupy_major() -> int:
    """Major version of CuPy that the installed backend stands for."""
    return int(vars(sys.modules["cupy"])["_version"]) if "cupy" in sys.modules else 14


def linalg_raises() -> bool:
    """Whether a singular matrix is an error."""
    return bool(_CURRENT.get(_INITIAL)["linalg"] == "raise")


class errstate:
    """Settings for a block."""

    def __init__(self, **kwargs: Any) -> None:
        self.kw = kwargs

    def __enter__(self) -> None:
        self._token = _CURRENT.set(geterr())
        try:
            seterr(**self.kw)
        except BaseException:
            _CURRENT.reset(self._token)
            raise

    def __exit__(self, *exc_info: object) -> None:
        _CURRENT.reset(self._token)
