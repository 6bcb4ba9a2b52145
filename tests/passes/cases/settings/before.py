import json
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np


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


def slope(u: np.ndarray, case: Case):
    return (u[1:] - u[:-1]) / case.dx - case.drag * u[1:] ** 2


def limited(u: np.ndarray, limits: Limits):
    return np.minimum(np.maximum(u, limits.low), limits.high) + np.sqrt(u)


def moved(u: np.ndarray, moving: Moving):
    return np.exp(u) * moving.speed


def shaped(u: np.ndarray, case: Case):
    return np.exp(u) * case.profile


def read(path):
    with open(path) as f:
        return Case(**json.load(f))


def whole(path, n: int):
    case = read(path)
    u = np.sin(np.linspace(0.0, 1.0, n))
    for _ in range(case.steps):
        u[1:] += case.dx * np.cos(u[1:]) * np.exp(-u[:-1]) - case.drag
    rows = []
    for k in range(3):
        rows.append(min(max(int(case.dx * k), 0), n - 1))
    print(", ".join(f"{v:.3f}" for v in u[np.array(rows)]))
    return u
