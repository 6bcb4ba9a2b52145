"""Waves."""

from __future__ import annotations

import math
import os

import attr
import cupy as cp
import scipy
from gpuport.runtime import device

from . import local


@device("x", from_size=1_000_000)
def wave(x, order):
    return cp.sin(x) * math.factorial(order)
