"""Waves."""

from __future__ import annotations

import cupy as cp
from gpuport.runtime import device

PI = 3.0


@device("x", from_size=1_000_000)
def wave(x):
    return cp.sin(x) * PI
