"""Stores that may read what they write to: NumPy copies that before, CuPy not in every case."""

from __future__ import annotations

import importlib

import numpy as np
import pytest
from tests.passes.conftest import port

from gpuport import host

PROGRAM = """\
import numpy as np


def f(u: np.ndarray, v: np.ndarray, k: int):
    w = np.sin(u)
    {}
    return u + w
"""


def ported(store):
    return port(PROGRAM.format(store.replace("; ", "\n    "))).after or ""


@pytest.mark.parametrize(
    "store",
    [
        "w[1:] = w[:-1]",
        "w[k:] = w[:-k]",
        "w[1:, :] = w[:-1, :]",
        "w[:] = w[::-1]",
        "w[...] = w.T",
        "w[:-1] = np.flip(w)[1:]",
        "w[0, 1:] = w[-1, :-1]",
        "w[k, 1:] = w[k, :-1]",
        "w[[0, 1, 2]] = w[1:4]",
        "t = w[::2]; w[:3] = t",
        "t = w; t[1:] = w[:-1]",
        "u[1:] = v[:-1]",  # a caller may give one array for both
        "w[1:] = w[:-1] if k else w[1:]",
    ],
)
def test_what_is_read_and_written_to_is_copied(store):
    text = ported(store)
    assert "@device" in text
    assert text.count(".copy()") == 1


@pytest.mark.parametrize(
    "store",
    [
        "w[1:] = w[:-1] * 2",
        "w[1:] += w[:-1]",
        "w[1:] = w[:-1].copy()[:]",
        "w[0] = w[1]",
        "w[-1, :] = w[-2, :]",
        "w[:, 0] = w[:, -2]",
        "w[0, 1:] = w[1, :-1]",
        "w[k] = w[k - 1]",
        "w[1:] = u[:-1]",
        "u[1:] = v[1:]",
        "u[...] = v",
        "t = np.cos(w); t[1:] = w[:-1]",
    ],
)
def test_what_is_elsewhere_is_not(store):
    text = ported(store)
    assert "@device" in text
    assert text.count(".copy()") == store.count(".copy()")


@pytest.mark.parametrize(
    "store",
    [
        "w[1:], w[:-1] = w[:-1], w[1:]",  # the second reads what the first wrote
        "u[1:] = w[1:] = w[:-1]",
        "w[w > 0] = w[:1]",
        "np.copyto(w[1:], w[:-1])",
        "np.sum(w, axis=0, out=w[0])",
        "t = w[0]; w.sum(axis=0, out=t)",
        "np.cumsum(w[::-1], axis=0, out=w)",
        "np.take(w, [1, 0], axis=0, out=w[:2])",
    ],
)
def test_what_no_copy_mends_stays_on_the_host(store):
    report = port(PROGRAM.format(store.replace("; ", "\n    ")))
    assert "@device" not in (report.after or "")
    assert any(one.code == "GP907" for one in report.findings)


@pytest.mark.parametrize(
    "call", ["np.cumsum(w, axis=0, out=w)", "np.add(w[1:], w[:-1], out=w[1:])", "np.copyto(w, v)"]
)
def test_calls_that_read_where_they_write_or_elsewhere_are_ported(call):
    assert "@device" in ported(call)


def test_ports_of_such_stores_give_what_numpy_gives():
    program = PROGRAM.format("w[1:] = w[:-1]\n    u[2:] = v[:-2]\n    u[:] = u[::-1]")
    original, on_device = {"__name__": "o"}, {"__name__": "p"}
    exec(program, original)
    u = np.random.default_rng(0).normal(size=(6, 4))
    host.install(version=14)
    try:
        exec(port(program).after, on_device)
        cupy = importlib.import_module("cupy")
        expected = original["f"](*[u.copy()] * 2, 1)
        np.testing.assert_array_equal(on_device["f"](*[u.copy()] * 2, 1), expected)
        moved = cupy.asarray(u)
        np.testing.assert_array_equal(cupy.asnumpy(on_device["f"](moved, moved, 1)), expected)
    finally:
        host.uninstall()
