"""Matrices of the host computed wherever there is room: the results and errors are NumPy's."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from gpuport import host
from gpuport.runtime import batched
from gpuport.runtime.batched import each as each_module
from gpuport.runtime.batched import grouping, hosted, pool, sizes, streams

NAMES = (
    "inv", "det", "slogdet", "svd", "qr", "pinv", "matrix_rank", "eigh", "eigvalsh", "cholesky",
    "eig", "eigvals",
)  # fmt: skip


@pytest.fixture
def cp(emulated: Any) -> Any:
    """The emulated CuPy."""
    return emulated


@pytest.fixture(params=["device", "host", "processes"])
def place(request, monkeypatch) -> Iterator[str]:
    """Where the matrices are computed."""
    if request.param == "device":
        host.install(version=14)
        yield request.param
        host.uninstall()
        return
    if request.param == "processes":
        limits(monkeypatch, processes_from=-1.0, processes_sample=0.0, host_several=10**6)
        monkeypatch.setattr(pool, "cores", lambda: 2)
    yield request.param


def limits(monkeypatch: pytest.MonkeyPatch, **values: Any) -> None:
    """Have other numbers in the table of sizes."""
    changed = dataclasses.replace(sizes.sizes(), **values)
    monkeypatch.setattr(hosted, "sizes", lambda: changed)


def positive(seed: int, n: int, dtype: str) -> np.ndarray:
    a = np.random.default_rng(seed).normal(size=(n, n))
    return (a @ a.T + np.eye(n)).astype(dtype)


def assert_like(found: Any, expected: Any) -> None:
    """The same types and dtypes, and the values up to rounding and signs."""
    assert type(found) is type(expected)
    if isinstance(expected, tuple):
        for one, other in zip(found, expected, strict=True):
            assert_like(one, other)
        return
    assert found.dtype == expected.dtype
    tolerance = 1e-3 if expected.dtype.char in "fF" else 1e-9
    np.testing.assert_allclose(np.abs(found), np.abs(expected), rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("name", NAMES)
def test_results_are_those_of_the_loop_wherever(place, name) -> None:
    kinds = [(3, "d"), (2, "f"), (3, "d"), (4, "d")]
    matrices = [positive(k, n, dtype) for k, (n, dtype) in enumerate(kinds)]
    found = getattr(batched, name)(matrices, device="auto")
    assert len(found) == len(matrices)
    for one, m in zip(found, matrices, strict=True):
        assert_like(one, getattr(np.linalg, name)(m))


def test_right_sides_go_with_their_matrices(place) -> None:
    rng = np.random.default_rng(0)
    matrices = [positive(k, 3, "d") for k in range(5)]
    rights = [rng.normal(size=3) if k % 2 else rng.normal(size=(3, 2)) for k in range(5)]
    found = batched.solve(matrices, rights, device="auto")
    for one, m, right in zip(found, matrices, rights, strict=True):
        assert_like(one, np.linalg.solve(m, right))


@pytest.mark.parametrize("name", ["inv", "cholesky"])
def test_the_first_item_without_result_is_named(place, name) -> None:
    matrices = [positive(k, 3, "d") for k in range(6)]
    matrices[2], matrices[4] = -np.zeros((3, 3)), np.zeros((3, 3))
    with pytest.raises(np.linalg.LinAlgError) as caught:
        getattr(batched, name)(matrices, device="auto")
    assert caught.value.__notes__ == ["for item 2 of 6"]
    with pytest.raises(np.linalg.LinAlgError) as expected:
        getattr(np.linalg, name)(matrices[2])
    assert str(caught.value) == str(expected.value)


def test_what_is_not_finite_is_what_numpy_makes_of_it(place) -> None:
    matrices = [positive(k, 3, "d") for k in range(3)]
    matrices[1][0, 0] = np.nan
    found = batched.inv(matrices, device="auto")
    for one, m in zip(found, matrices, strict=True):
        np.testing.assert_allclose(one, np.linalg.inv(m))


@pytest.mark.parametrize(
    "matrices",
    [[], np.zeros((0, 3, 3)), [np.arange(4).reshape(2, 2) + np.eye(2, dtype=int)] * 3,
     [np.asfortranarray(positive(0, 3, "d")), positive(1, 6, "d")[::2, ::2]],
     np.stack([positive(k, 3, "d") for k in range(3)]), [np.zeros((0, 0))]],
)  # fmt: skip
def test_odd_lists_give_what_the_loop_gives(place, matrices) -> None:
    found = batched.inv(matrices, device="auto")
    expected = [np.linalg.inv(m) for m in matrices]
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        assert_like(one, other)


def test_what_numpy_refuses_is_refused(place) -> None:
    with pytest.raises(np.linalg.LinAlgError, match="square"):
        batched.inv([np.zeros((2, 3))], device="auto")
    with pytest.raises(ValueError, match="device is None or 'auto'"):
        batched.inv([np.eye(2)], device="cuda")


def test_arrays_of_the_device_stay_there(cp) -> None:
    (found,) = batched.inv([cp.asarray(np.eye(2))], device="auto")
    assert isinstance(found, cp.ndarray)


def test_a_full_device_is_no_error(cp, monkeypatch) -> None:
    def full(*args: Any) -> None:
        raise cp.cuda.memory.OutOfMemoryError(1, 1)

    monkeypatch.setattr(each_module, "_on_device", full)
    (found,) = batched.inv([2 * np.eye(2)], device="auto")
    np.testing.assert_array_equal(found, np.eye(2) / 2)


def test_parts_cross_while_others_are_computed(cp, monkeypatch) -> None:
    order: list[str] = []
    for step in ("upload", "compute", "finish"):
        real = getattr(streams._Part, step)

        def noted(self: Any, *args: Any, step: str = step, real: Any = real) -> Any:
            order.append(f"{step} {self._number}")
            return real(self, *args)

        monkeypatch.setattr(streams._Part, step, noted)
    create = streams._Part.__init__
    numbers = iter("abcd")
    used: list[Any] = []

    def numbered(self: Any, cupy: Any, stream: Any) -> None:
        self._number = next(numbers)
        used.append(stream)
        create(self, cupy, stream)

    monkeypatch.setattr(streams._Part, "__init__", numbered)
    monkeypatch.setattr(grouping, "_PIECE", 2 * 8 * 9)
    found = batched.inv([np.eye(3) * (k + 1) for k in range(7)], device="auto")
    assert [float(one[0, 0]) for one in found] == [1 / (k + 1) for k in range(7)]
    assert " ".join(order) == (
        "upload a upload b compute a upload c compute b finish a upload d compute c finish b "
        "compute d finish c finish d"
    )
    assert used[0] is used[2]
    assert used[1] is used[3]
    assert used[0] != used[1]


def test_parts_that_several_are_there_of_are_smaller(cp, monkeypatch) -> None:
    rows = [(np.eye(3),)] * 24
    monkeypatch.setattr(grouping, "_SMALL", 0)
    monkeypatch.setattr(cp.cuda.runtime, "memGetInfo", lambda: (12 * 4 * 72, 2**40))
    assert [len(part) for part in grouping.places_of(cp, rows)] == [12, 12]
    assert [len(part) for part in grouping.places_of(cp, rows, streams=True)] == [4] * 6


class TestProcesses:
    """Work that takes long."""

    def test_nothing_is_started_below_ten_seconds(self, monkeypatch) -> None:
        monkeypatch.setattr(pool, "in_processes", None)
        limits(monkeypatch, processes_sample=0.0)
        found = list(batched.svd([np.eye(40)] * 20, device="auto"))
        assert len(found) == 20
        assert all((singular == 1).all() for _, singular, _ in found)

    def test_the_rest_is_estimated_from_the_first(self, monkeypatch) -> None:
        asked: list[tuple[int, int]] = []

        def noted(name: str, rows: Any, options: Any, before: int) -> list[Any]:
            asked.append((before, len(rows)))
            return [None] * len(rows)

        monkeypatch.setattr(pool, "in_processes", noted)
        for count, expected in ((52, []), (55, [(3, 52)])):
            clock = iter([0.0, 0.2, 0.4, 0.6, *[0.6] * count])
            monkeypatch.setattr(hosted.time, "perf_counter", lambda clock=clock: next(clock))
            asked.clear()
            hosted.rows_on_host("svd", [(np.zeros((40, 40)),)] * count, ((2,),), {})
            assert asked == expected

    def test_each_has_one_thread_and_all_have_the_cores(self, monkeypatch) -> None:
        started: list[dict[str, str]] = []
        real = pool.subprocess.Popen

        def noted(command: Any, **options: Any) -> Any:
            started.append(options["env"])
            return real(command, **options)

        monkeypatch.setattr(pool.subprocess, "Popen", noted)
        monkeypatch.setattr(pool, "cores", lambda: 3)
        rows = [(np.eye(2) * (k + 1),) for k in range(8)]
        found = pool.in_processes("inv", rows, {}, 0)
        assert [float(one[0, 0]) for one in found] == [1 / (k + 1) for k in range(8)]
        assert [env["OPENBLAS_NUM_THREADS"] for env in started] == ["1"] * 3

    @pytest.mark.parametrize("broken", ["no process", "dies", "talks", "no python", "one core"])
    def test_without_processes_the_host_computes(self, monkeypatch, broken) -> None:
        monkeypatch.setattr(pool, "cores", lambda: 1 if broken == "one core" else 2)
        real = pool.subprocess.Popen
        code = {"dies": "raise SystemExit", "talks": "print('hello' * 99)"}.get(broken, "")

        def start(command: Any, **options: Any) -> Any:
            assert broken not in ("no python", "one core")
            if broken == "no process":
                raise OSError("no more processes")
            return real([sys.executable, "-c", code], **options)

        monkeypatch.setattr(pool.subprocess, "Popen", start)
        if broken == "no python":
            monkeypatch.setattr(pool.sys, "executable", "")
        found = pool.in_processes("inv", [(np.eye(2) * (k + 1),) for k in range(3)], {}, 0)
        assert [float(one[0, 0]) for one in found] == [1 / (k + 1) for k in range(3)]
