"""Random loop nests as kernels on the host give what the loops give; ``bench`` runs many more."""

from __future__ import annotations

import importlib
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

BENCH = Path(__file__).parents[3] / "bench"


@pytest.fixture
def programs(run: Any) -> Any:
    """The generator of ``bench``, with the host backend installed."""
    if not BENCH.is_dir():
        pytest.skip("the benchmarks are not here")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [str(BENCH), *sys.path])
        yield importlib.import_module("loop_kernels")


@pytest.mark.parametrize("first", range(0, 60, 12))
def test_random_nests_give_what_the_loops_give(programs: Any, first: int) -> None:
    counts: Counter[str] = Counter()
    for seed in range(first, first + 12):
        assert programs.attempt(seed, counts, runs=2) is None
    assert counts["kernels"] > 0
