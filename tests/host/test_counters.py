"""Counts follow what was asked of the device."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gpuport import host


def count(use: Callable[[], Any]) -> host.Snapshot:
    with host.count() as counted:
        use()
    return counted.snapshot


@pytest.mark.parametrize(
    ("use", "launches"),
    [
        (lambda cp, a: a + a, 1),
        (lambda cp, a: np.sin(a), 1),
        (lambda cp, a: a.sum(), 1),
        (lambda cp, a: a[1:], 0),
        (lambda cp, a: a.T, 0),
        (lambda cp, a: a.reshape(-1), 0),
        (lambda cp, a: cp.reshape(a.T, (-1,)), 1),
        (lambda cp, a: cp.broadcast_to(a, (2, 3, 4)), 0),
        (lambda cp, a: cp.zeros(5), 0),
        (lambda cp, a: cp.empty(5), 0),
        (lambda cp, a: cp.ones(5), 1),
        (lambda cp, a: a.copy(), 1),
        (lambda cp, a: a[:0] + 1, 0),
        (lambda cp, a: a[:0].astype("f4"), 0),
        (lambda cp, a: cp.asarray(a), 0),
        (lambda cp, a: a.fill(1), 1),
        (lambda cp, a: a[cp.zeros(2, dtype=int)], 1),
        (lambda cp, a: a.mean(), 1),
        (lambda cp, a: a[0].__setitem__(slice(None), a[1]), 1),
        (lambda cp, a: cp.stack([a] * 8), 8),
        (lambda cp, a: cp.stack([a] * 9), 1),
        (lambda cp, a: cp.concatenate([a] * 9), 1),
        (lambda cp, a: cp.vstack([a] * 9), 1),
        (lambda cp, a: cp.array([a] * 9), 1),
        (lambda cp, a: cp.concatenate([a] * 9, dtype="f4"), 9),
    ],
)
def test_launches(emulated: Any, use: Any, launches: int) -> None:
    a = emulated.asarray(np.ones((3, 4)))
    found = count(lambda: use(emulated, a))
    assert found.launches == launches == sum(found.kernels.values())
    assert (found.h2d, found.d2h, found.syncs) == (0, 0, 0)


@pytest.mark.parametrize(
    "use", [float, bool, lambda x: x.item(), lambda x: x.tolist(), str, lambda x: x.get(), repr]
)
def test_reading_back_is_a_copy_and_a_wait(emulated: Any, use: Any) -> None:
    x = emulated.array(2.0)
    found = count(lambda: use(x))
    assert (found.d2h, found.d2h_bytes, found.syncs, found.launches) == (1, 8, 1, 0)


def test_moving_to_the_device(emulated: Any) -> None:
    data = np.ones((2, 5), dtype=np.float32)
    for move in (emulated.asarray, emulated.array, emulated.asanyarray):
        found = count(lambda move=move: move(data))
        assert (found.h2d, found.h2d_bytes, found.launches, found.d2h) == (1, 40, 0, 0)


def test_a_mask_is_read_back_once(emulated: Any) -> None:
    a = emulated.arange(6.0)
    mask = a > 2
    assert count(lambda: a[mask]).syncs == 1


def test_blocks_nest_and_freeze(emulated: Any) -> None:
    a = emulated.ones(3)
    with host.count() as outer:
        a + a
        with host.count() as inner:
            a * a
        a - a
    a / a
    assert inner.snapshot.kernels == {"cupy_multiply": 1}
    assert outer.snapshot.launches == 3


def test_the_handle_has_the_counts_and_the_document(emulated: Any) -> None:
    a = emulated.ones(3)
    with host.count() as counts:
        (a + a).get()
    assert (counts.launches, counts.d2h_bytes, counts.kernels) == (1, 24, {"cupy_add": 1})
    document = counts.as_dict()
    assert document == counts.snapshot.as_dict()
    assert (document["launches"], document["kernels"]) == (1, {"cupy_add": 1})


def test_memory_is_counted_in_units_of_the_pool(emulated: Any) -> None:
    with host.count() as before:
        pass
    with host.count() as counts:
        a = emulated.ones(64)  # one unit of 512 bytes
        b = emulated.ones(65)  # two
        views = [a[1:], a.T, b.reshape(5, 13), b.view(), emulated.ones(0)]
    assert (counts.allocations, counts.peak_bytes - before.peak_bytes) == (2, 3 * 512)
    assert len(views) == 5


def test_the_peak_is_of_what_lives_at_once(emulated: Any) -> None:
    size = 1024 * 512
    with host.count() as together:
        a = emulated.zeros(size, dtype="u1")
        b = emulated.zeros(size, dtype="u1")
        del a, b
    with host.count() as apart:
        for _ in range(2):
            c = emulated.zeros(size, dtype="u1")
            del c
    assert together.allocations == apart.allocations == 2
    assert together.peak_bytes - apart.peak_bytes == size


def test_a_view_keeps_the_memory_of_its_owner(emulated: Any) -> None:
    size = 1024 * 512
    owner = emulated.zeros(size, dtype="u1")
    view = owner[:1]
    del owner
    with host.count() as kept:
        pass
    del view
    with host.count() as freed:
        pass
    assert kept.peak_bytes - freed.peak_bytes == size


def test_an_inner_block_leaves_the_outer_peak(emulated: Any) -> None:
    with host.count() as outer:
        a = emulated.zeros(1024 * 512, dtype="u1")
        del a
        with host.count() as inner:
            pass
    assert outer.peak_bytes - inner.peak_bytes == 1024 * 512


@pytest.mark.parametrize(
    ("use", "moved"),
    [
        (lambda cp, x: cp.zeros_like(x), 0),
        (lambda cp, x: cp.full_like(x, 2.0), 0),
        (lambda cp, x: cp.shape(x), 0),
        (lambda cp, x: cp.asarray(x), 1),
    ],
)
def test_what_is_asked_for_its_form_alone_is_not_moved(emulated: Any, use: Any, moved: int) -> None:
    assert count(lambda: use(emulated, np.ones(4))).h2d == moved


@pytest.mark.parametrize(
    ("use", "waits"),
    [
        (lambda cp, a: cp.extract(a > 1, a), 1),
        (lambda cp, a: cp.compress(a > 1, a), 1),
        (lambda cp, a: cp.union1d(a, a), 1),
        (lambda cp, a: cp.unique(a), 1),
        (lambda cp, a: cp.histogram(a), 2),
        (lambda cp, a: cp.histogram(a, 5, (0.0, 2.0)), 0),
        (lambda cp, a: cp.histogram(a, a), 1),
        (lambda cp, a: cp.unique(a, return_index=True, return_inverse=True), 2),
        (lambda cp, a: cp.unique_all(a), 3),
        (lambda cp, a: cp.unique_inverse(a), 1),
        (lambda cp, a: cp.setdiff1d(a, a), 3),
        (lambda cp, a: cp.average(a), 0),
        (lambda cp, a: cp.average(a, weights=a), 1),
        (lambda cp, a: cp.percentile(a, 50), 0),
        (lambda cp, a: cp.percentile(a, a), 2),
        (lambda cp, a: cp.real_if_close(a), 0),
        (lambda cp, a: cp.real_if_close(a * 1j), 1),
        (lambda cp, a: cp.linspace(a, a + 1, 3), 1),
        (lambda cp, a: cp.random.randint(0, 5, 3), 1),
        (lambda cp, a: cp.random.exponential(1.0, 3), 1),
        (lambda cp, a: cp.random.default_rng(1).exponential(1.0, 3), 0),
        (lambda cp, a: cp.random.normal(size=3), 0),
    ],
)
def test_functions_that_read_something_back(emulated: Any, use: Any, waits: int) -> None:
    a = emulated.arange(4.0)
    assert count(lambda: use(emulated, a)).syncs == waits


def test_an_array_is_arranged_on_the_device_before_it_is_moved(emulated: Any) -> None:
    a = emulated.ones((2, 3))
    assert count(lambda: a.get()).launches == 0
    assert count(lambda: a.T.get()).launches == 1
    assert count(lambda: a.T.get(order="A")).launches == 0
    assert count(lambda: a.get(order="F")).launches == 1
    assert count(lambda: a.T.get(out=np.empty((3, 2)))).launches == 1
    assert count(lambda: a[:0].get()).d2h == 0
