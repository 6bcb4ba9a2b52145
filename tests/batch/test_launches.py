"""What is stacked takes no more launches for forty items than for six."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpuport import host

PROGRAMS = Path(__file__).parent / "programs"


def matrices(count: int) -> list[np.ndarray]:
    drawn = np.random.default_rng(count).standard_normal((count, 3, 3))
    return [m @ m.T + np.eye(3) for m in drawn]


def launches(function: Any, arguments: tuple[Any, ...]) -> int:
    with host.count() as counted:
        function(*arguments)
    return int(counted.launches)


@pytest.mark.parametrize(
    ("program", "name", "more"),
    [
        *(("list_parts", name, ()) for name in (
            "backwards", "numbered_backwards", "every_second", "steps", "three", "ends", "before",
        )),
        *(("scipy_matrices", name, ()) for name in (
            "inverses", "singular_values", "decomposed", "lower_factors", "spectra", "products",
        )),
        *(("enumerated", name, ()) for name in ("numbered", "listed", "from_one")),
    ],
)  # fmt: skip
def test_launches_do_not_grow_with_the_items(cp, run, ported, program, name, more) -> None:
    report = ported(PROGRAMS / f"{program}.py")
    assert report.after is not None
    function = getattr(run(report.after), name)
    few, many = (launches(function, (matrices(count), *more)) for count in (6, 40))
    assert few >= many > 0  # CuPy joins a handful of arrays one by one, many at once


def stack(count: int) -> np.ndarray:
    return np.stack(matrices(count))


def vectors(count: int) -> np.ndarray:
    return np.random.default_rng(count).standard_normal((count, 3))


ARRAYS = {
    "gap": lambda n: (stack(n),),
    "residual": lambda n: (stack(n), vectors(n)),
    "envelope": lambda n: (stack(n),),
    "within": lambda n: (stack(n), 3),
    "distances": lambda n: (stack(n), stack(1)[0]),
    "parts": lambda n: (stack(n), stack(1)[0]),
    "likelihood": lambda n: (vectors(n), stack(n)),
    "spins": lambda n: (vectors(n),),
    "bounded": lambda n: (stack(n),),
    "squared": lambda n: (stack(n),),
    "bands": lambda n: (vectors(n)[:, :2],),
    "one_before": lambda n: (stack(n),),
    "numbers": lambda n: (stack(n),),
    "smooth": lambda n: (np.linspace(0, 1, n + 4), 2),
    "covariances": lambda n: (vectors(n + 4), 2),
    "slopes": lambda n: (np.linspace(0, 1, n), np.linspace(2, 1, n), 3),
    "rolling": lambda n: (np.linspace(0, 1, n), np.linspace(2, 1, n), 3),
    "from_there": lambda n: (stack(n), 2),
    "before": lambda n: (stack(n), 2),
    "until": lambda n: (stack(n), 2),
    "path": lambda n: (vectors(9), vectors(3).ravel(), np.linspace(0.1, 1, n)),
    "grid": lambda n: (stack(1)[0], vectors(1)[0], [0.5, 1.0], np.linspace(0.1, 1, n)),
}
"""What some functions are called with, for so many items."""


@pytest.mark.parametrize(
    ("program", "name"),
    [
        *(("extremes", name) for name in ("gap", "residual", "envelope", "within")),
        *(("called_once", name) for name in ("distances", "parts", "likelihood", "spins")),
        *(("numbers_in_bodies", name) for name in (
            "bounded", "squared", "one_before", "numbers", "bands",
        )),
        *(("windows_by_counter", name) for name in (
            "smooth", "covariances", "slopes", "rolling", "from_there", "before", "until",
        )),
        *(("vectors_on_host", name) for name in ("path", "grid")),
    ],
)  # fmt: skip
def test_launches_for_arrays_do_not_grow_with_the_items(cp, run, ported, program, name) -> None:
    report = ported(PROGRAMS / f"{program}.py")
    assert report.after is not None
    function = getattr(run(report.after), name)
    few, many = (launches(function, ARRAYS[name](count)) for count in (6, 40))
    assert few >= many > 0
