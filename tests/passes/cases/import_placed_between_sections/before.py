"""Waves."""

from __future__ import annotations

import math
import os

import attr
import numpy as np
import scipy

from . import local


def wave(x, order):
    return np.sin(x) * math.factorial(order)
