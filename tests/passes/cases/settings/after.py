import json
from dataclasses import dataclass, field
from typing import NamedTuple

import cupy as cp
import numpy as np
from gpuport.runtime import device, kernel


@dataclass
class Case:
    dx: float = 0.5
    steps: int = 10
    drag: float = 0.1
    profile: np.ndarray = field(default_factory=lambda: np.ones(3))
    label: "str" = ""


class Limits(NamedTuple):
    low: float
    high: float


@dataclass
class Moving:
    speed: float = 1.0


def faster(moving: Moving, by):
    moving.speed = by


@kernel(
    "T u_ip, T u_im, float dx, float drag",
    "T result",
    """
    result = (u_ip - u_im) / dx - drag * (u_ip * u_ip);
    """,
)
def _slope(u_ip, u_im, dx, drag):
    return (u_ip - u_im) / dx - drag * u_ip**2


@device("u", from_size=1_000_000)
def slope(u: np.ndarray, case: Case):
    return _slope(u[1:], u[:-1], case.dx, case.drag)


@device("u", from_size=700_000)
def limited(u: np.ndarray, limits: Limits):
    return cp.minimum(cp.maximum(u, limits.low), limits.high) + cp.sqrt(u)


def moved(u: np.ndarray, moving: Moving):
    return np.exp(u) * moving.speed


def shaped(u: np.ndarray, case: Case):
    return np.exp(u) * case.profile


def read(path):
    with open(path) as f:
        return Case(**json.load(f))


@kernel(
    "T u_ip, T u_im, float dx, float drag",
    "T terms",
    """
    terms = dx * cos(u_ip) * exp(-u_im) - drag;
    """,
)
def _whole(u_ip, u_im, dx, drag):
    return dx * np.cos(u_ip) * np.exp(-u_im) - drag


def whole(path, n: int):
    case = read(path)
    u = cp.sin(cp.linspace(0.0, 1.0, n))
    for _ in range(case.steps):
        u[1:] += _whole(u[1:], u[:-1], case.dx, case.drag)
    rows = []
    for k in range(3):
        rows.append(min(max(int(case.dx * k), 0), n - 1))
    print(", ".join(f"{v:.3f}" for v in cp.asnumpy(u[cp.array(rows)])))
    return cp.asnumpy(u)
