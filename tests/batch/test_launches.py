"""What is stacked takes no more launches for forty items than for six."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpuport import host
from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

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
def test_launches_do_not_grow_with_the_items(cp, run, program, name, more) -> None:
    text = (PROGRAMS / f"{program}.py").read_text(encoding="utf-8")
    report = port_module(parse(f"{program}.py", text), Config())
    assert report.after is not None
    function = getattr(run(report.after), name)
    few, many = (launches(function, (matrices(count), *more)) for count in (6, 40))
    assert few >= many > 0  # CuPy joins a handful of arrays one by one, many at once
