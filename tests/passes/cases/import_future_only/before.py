"""Waves."""

from __future__ import annotations

import numpy as np

PI = 3.0


def wave(x):
    return np.sin(x) * PI
