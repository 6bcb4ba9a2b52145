"""Windows that taper off: their angles are numbers of float32, whatever the result's type.

Source: the kernels of _math/window.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gpuport.host.counters import KERNELS
from gpuport.host.ndarray import ndarray, wrap
from gpuport.host.operands import operand
from gpuport.host.registry import implements
from gpuport.host.silence import quiet, restore

_float32 = np.float32
_Shape = Callable[[Any, Any], Any]


def _bartlett(places: Any, middle: Any) -> Any:
    rising = places / middle
    return np.where(places < middle, rising, 2.0 - rising.astype(np.float64))


def _cosine(places: Any, step: Any) -> Any:
    return np.cos(places * step).astype(np.float64)


def _blackman(places: Any, step: Any) -> Any:
    double = np.cos(_float32(2) * step * places).astype(np.float64)
    return 0.42 - 0.5 * _cosine(places, step) + 0.08 * double


def _hanning(places: Any, step: Any) -> Any:
    return 0.5 - 0.5 * _cosine(places, step)


def _hamming(places: Any, step: Any) -> Any:
    return 0.54 - 0.46 * _cosine(places, step)


def _window(name: str, shape: _Shape, step: Callable[[int], float]) -> None:
    def window(M: Any) -> ndarray:
        if M == 1:
            KERNELS["cupy_fill"] += 1
            return wrap(np.ones(1))
        if M <= 0:
            return wrap(np.empty(0))
        KERNELS[f"cupy_{name}"] += 1
        return wrap(np.asarray(shape(np.arange(M, dtype=_float32), _float32(step(M)))))

    window.__doc__ = f"The {name} window."
    implements(f"cupy.{name}")(window)


_window("bartlett", _bartlett, lambda length: (length - 1) / 2)
_window("blackman", _blackman, lambda length: np.pi * 2 / (length - 1))
_window("hanning", _hanning, lambda length: np.pi * 2 / (length - 1))
_window("hamming", _hamming, lambda length: np.pi * 2 / (length - 1))


@implements("cupy.kaiser")
def kaiser(M: Any, beta: Any) -> ndarray:
    """The Kaiser window; `beta` is a number."""
    if M == 1:
        KERNELS["cupy_fill"] += 1
        return wrap(np.ones(1))
    if M <= 0:
        return wrap(np.empty(0))
    height = operand(beta)
    if isinstance(beta, ndarray):
        if height.shape not in ((), (1,), (M,)):
            raise ValueError(
                f"operands could not be broadcast together with shapes {height.shape} () ({M},)"
            )
        if height.dtype != _float32:
            raise TypeError(f"Type is mismatched. beta {height.dtype} float32")
    KERNELS["cupy_kaiser"] += 1
    middle = _float32((M - 1) / 2)
    inside = (np.arange(M, dtype=_float32) - middle) / middle
    token = quiet()
    try:
        slope = np.asarray(height, _float32)
        found = np.i0(slope * np.sqrt(_float32(1) - inside * inside)) / np.i0(slope)
    finally:
        restore(token)
    return wrap(np.asarray(found, np.float64))
