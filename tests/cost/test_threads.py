"""When a few threads are slower than NumPy."""

from __future__ import annotations

import pytest

from gpuport.cost.threads import too_few


@pytest.mark.parametrize("trips", [[3], [1], [2, 4], [12]])
def test_a_few_that_go_through_many_elements_are(trips: list[int | None]) -> None:
    assert too_few(trips, [None]) > 0
    assert too_few(trips, [10**6, 3]) > 0


@pytest.mark.parametrize("trips", [[None], [3, None], [13], [4, 4], [100]])
def test_many_are_not_nor_as_many_as_nobody_knows(trips: list[int | None]) -> None:
    assert too_few(trips, [None]) == 0


@pytest.mark.parametrize("lengths", [[1], [3, 30], []])
def test_few_elements_are_no_work(lengths: list[int | None]) -> None:
    assert too_few([3], lengths) == 0
