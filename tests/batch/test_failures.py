"""The item of a stack that has no result is named, wherever it stands and whatever its shape."""

from __future__ import annotations

import numpy as np
import pytest

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

TEXT = """import numpy as np

def factors(ms: list[np.ndarray]):
    return [np.log(np.diag(np.linalg.cholesky(m))).sum() for m in ms]

def solved(a: np.ndarray, b: np.ndarray):
    out = []
    for m, v in zip(a, b):
        out.append(np.linalg.solve(m @ m.T, v) * 2)
    return out

def written(a: np.ndarray, out: np.ndarray):
    for i in range(len(a)):
        out[i] = np.linalg.inv(a[i]) @ a[i]

def inverses(ms: list[np.ndarray]):
    return [np.linalg.inv(m) for m in ms]

def twice(a: np.ndarray, b: np.ndarray):
    try:
        first = inverses(list(a))
    except ValueError:
        first = []
    return [np.linalg.inv(m) @ m for m in b]
"""


@pytest.fixture
def ported(cp, run):
    report = port_module(parse("program.py", TEXT), Config())
    assert report.after is not None
    assert sum(function.batched for function in report.functions) == 5
    return run(report.after)


def regular(count: int, size: int = 3) -> list[np.ndarray]:
    drawn = np.random.default_rng(count).standard_normal((count, size, size))
    return [m @ m.T + np.eye(size) for m in drawn]


def notes(function, *arguments) -> list[str]:
    with pytest.raises(np.linalg.LinAlgError) as caught:
        function(*arguments)
    return getattr(caught.value, "__notes__", [])


@pytest.mark.parametrize("place", [0, 4, 8])
def test_an_item_of_an_array_is_named(ported, place: int) -> None:
    a = np.array(regular(9))
    a[place] = 0
    assert notes(ported.solved, a, a[:, 0]) == [f"for item {place} of 9"]


@pytest.mark.parametrize("place", [0, 3, 6])
def test_an_item_of_a_list_of_several_shapes_is_named_by_its_place_there(ported, place) -> None:
    mixed = [regular(7)[0], *regular(2, 4), *regular(2), *regular(2, 4)]
    mixed[place] = -mixed[place]
    assert notes(ported.factors, mixed) == [f"for item {place} of 7"]


@pytest.mark.parametrize("place", [0, 2, 5])
def test_an_item_is_named_whose_predecessors_are_written(ported, place: int) -> None:
    a, out = np.array(regular(6)), np.full((6, 3, 3), 7.0)
    a[place] = 0
    assert notes(ported.written, a, out) == [f"for item {place} of 6"]
    np.testing.assert_allclose(out[:place], np.broadcast_to(np.eye(3), (place, 3, 3)), atol=1e-12)
    assert (out[place:] == 7).all()


def test_an_earlier_failure_has_no_part_in_a_later_one(ported) -> None:
    bad = regular(5)
    bad[1] = bad[1] * 0
    assert notes(ported.inverses, bad) == ["for item 1 of 5"]
    later = np.array(regular(5))
    later[3] = 0
    assert notes(ported.twice, np.array(regular(2)), later) == ["for item 3 of 5"]
    with pytest.raises(np.linalg.LinAlgError) as caught:
        ported.inverses([np.ones((3, 2))])
    assert "item 3" not in str(getattr(caught.value, "__notes__", ""))
