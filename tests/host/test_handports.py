"""Programs ported by hand give the originals' values and cost what an expert's port may cost.

The limits of launches, transfers and synchronisations were estimated on paper before any port was
measured; what the ports count on the host backend is written down beside them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpuport.host.kernels import toolchain

FOLDER = Path(__file__).with_name("handports")


@dataclass(frozen=True)
class Cost:
    """Launches, arrays to and from the device, waits for it."""

    launches: int
    h2d: int
    d2h: int
    syncs: int

    def within(self, limit: Cost) -> bool:
        """Whether no number is beyond the limit's."""
        return all(getattr(self, name) <= getattr(limit, name) for name in vars(self))


@dataclass(frozen=True)
class Case:
    """What a port may cost and what it does cost; how near its numbers have to be."""

    limit: Cost
    measured: Cost
    rtol: float
    atol: float = 0.0


CASES = {
    "drag": Case(Cost(5, 3, 3, 3), Cost(2, 2, 2, 2), 1e-12),
    "extremes": Case(Cost(16, 4, 9, 9), Cost(7, 3, 7, 7), 1e-12),
    "ledgers": Case(Cost(24, 5, 5, 5), Cost(17, 3, 4, 4), 1e-11, 1e-9),
    "reaction": Case(Cost(32, 3, 5, 5), Cost(22, 2, 2, 2), 1e-11),
    "counting": Case(Cost(18, 4, 8, 10), Cost(6, 4, 4, 4), 1e-11),
    "patches": Case(Cost(32, 3, 4, 6), Cost(11, 1, 3, 3), 1e-9, 1e-10),
    "covariances": Case(Cost(30, 4, 4, 7), Cost(17, 2, 3, 3), 1e-8, 1e-10),
    "fractals": Case(Cost(12, 3, 5, 5), Cost(8, 1, 4, 4), 1e-11),
    "cluster": Case(Cost(10, 2, 5, 5), Cost(4, 1, 3, 3), 1e-10, 1e-9),
    "drawdowns": Case(Cost(38, 3, 6, 6), Cost(30, 2, 5, 5), 1e-12, 1e-14),
    "options": Case(Cost(14, 5, 7, 7), Cost(3, 4, 6, 6), 1e-11, 1e-11),
}


def _run(file: Path, path: Path, cache: Path) -> tuple[dict[str, Any], Cost]:
    """Arrays that the program saves, and what it asked of the device, by the command line."""
    report = path.with_suffix(".json")
    command = [sys.executable, "-m", "gpuport.host", "--counters", str(report)]
    done = subprocess.run(
        [*command, str(file), str(path)],
        env={**os.environ, "GPUPORT_CACHE_DIR": str(cache)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    counts = json.loads(report.read_text("utf-8"))
    with np.load(path) as saved:
        return dict(saved), Cost(*(counts[name] for name in ("launches", "h2d", "d2h", "syncs")))


@pytest.mark.sampled(3)
@pytest.mark.skipif(not toolchain.available(), reason="kernels need a C++ compiler")
@pytest.mark.parametrize("name", CASES)
def test_port_gives_the_values_at_the_cost(
    name: str, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    assert pytestconfig.cache is not None
    kernels = pytestconfig.cache.mkdir("kernels")
    original, nothing = _run(
        FOLDER / "originals" / f"{name}.py", tmp_path / "original.npz", kernels
    )
    port, cost = _run(FOLDER / "ports" / f"{name}.py", tmp_path / "port.npz", kernels)
    assert nothing == Cost(0, 0, 0, 0)
    assert port.keys() == original.keys()
    for key, expected in original.items():
        assert (port[key].dtype, port[key].shape) == (expected.dtype, expected.shape), key
        near = CASES[name]
        exact = expected.dtype.kind != "f"
        np.testing.assert_allclose(
            port[key], expected, 0 if exact else near.rtol, 0 if exact else near.atol, err_msg=key
        )
    assert cost == CASES[name].measured
    assert cost.within(CASES[name].limit)


def test_every_port_is_measured() -> None:
    for folder in ("originals", "ports"):
        assert {file.stem for file in (FOLDER / folder).glob("*.py")} == set(CASES)


def test_limit_that_one_number_exceeds_is_not_met() -> None:
    limit = Cost(5, 3, 3, 3)
    assert limit.within(limit)
    assert not any(
        Cost(*values).within(limit)
        for values in ((6, 3, 3, 3), (5, 4, 3, 3), (5, 3, 4, 3), (5, 3, 3, 4))
    )
