"""Loops that run once for all of their items give what they give one by one.

``GPUPORT_PROPERTY_PROGRAMS`` and ``GPUPORT_PROPERTY_SEED`` choose how many random ones are tried.
"""

from __future__ import annotations

import copy
import importlib.util
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpuport.runtime import batched, reset_stats, stats


def on_device(cp: Any, value: Any) -> Any:
    """A copy of arguments, arrays on the device."""
    if isinstance(value, np.ndarray):
        return cp.asarray(value)
    if isinstance(value, (list, tuple)):
        make = getattr(type(value), "_make", type(value))
        return make([on_device(cp, one) for one in value])
    if isinstance(value, dict):
        made = value.copy()
        made.update((key, on_device(cp, one)) for key, one in value.items())
        return made
    return copy.copy(value)


def on_host(cp: Any, value: Any) -> Any:
    """Likewise, arrays of the device as NumPy's."""
    if isinstance(value, cp.ndarray):
        return value.get()
    if isinstance(value, np.ndarray):
        return value.copy()
    if type(value) in (list, tuple):
        return type(value)(on_host(cp, one) for one in value)
    if isinstance(value, tuple):
        return type(value)(*(on_host(cp, one) for one in value))
    if isinstance(value, dict):
        made = value.copy()
        made.update((key, on_host(cp, one)) for key, one in value.items())
        return made
    return copy.copy(value)


def see_equal(one: Any, other: Any) -> None:
    """Assert that two results are alike."""
    if isinstance(one, (list, tuple)):
        assert type(one) is type(other)
        assert len(one) == len(other)
        for a, b in zip(one, other, strict=True):
            see_equal(a, b)
    elif isinstance(one, dict):
        assert list(one) == list(other)
        for key in one:
            see_equal(one[key], other[key])
    elif isinstance(one, (np.ndarray, np.generic)):
        assert np.shape(one) == np.shape(other)
        assert one.dtype == other.dtype
        np.testing.assert_allclose(other, one, rtol=1e-7, atol=1e-9)
    elif isinstance(one, float):
        assert isinstance(other, float)
        np.testing.assert_allclose(other, one, rtol=1e-7, atol=1e-9)
    else:
        assert type(one) is type(other)
        assert one == other


def _loaded(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CASES = _loaded("items_cases").CASES
for _name in ("at_once", "one_by_one"):
    _loaded(_name)
RANDOM = {name: _loaded(name) for name in ("random_loops", "random_blocks")}

PROGRAMS = int(os.environ.get("GPUPORT_PROPERTY_PROGRAMS", "600"))
FIRST = int(os.environ.get("GPUPORT_PROPERTY_SEED", "0"))
EACH = 50


def see_as_written(cp: Any, case: Any) -> None:
    """Assert that a loop gives, changes and raises what it does one by one."""
    made = batched.loop(**case.words)(case.function)
    mine, theirs = on_host(cp, case.given), on_device(cp, on_host(cp, case.given))
    expected, found = outcome(case.function, mine), outcome(made, theirs)
    see_equal(expected, on_host(cp, found))
    see_equal(mine, on_host(cp, theirs))


def outcome(function: Any, given: Any) -> Any:
    """What a function gives, or how it fails."""
    try:
        return function(*given)
    except Exception as error:
        return type(error).__name__, str(error)


@pytest.mark.parametrize("name", CASES["at_once"])
def test_all_items_at_once(name: str, emulated: Any, monkeypatch: Any) -> None:
    monkeypatch.setenv("GPUPORT_FALLBACK", "error")
    reset_stats()
    see_as_written(emulated, CASES["at_once"][name])
    assert stats()[f"at_once.{name}"].device == 1


@pytest.mark.parametrize("name", CASES["one_by_one"])
@pytest.mark.filterwarnings("ignore")
def test_one_by_one(name: str, emulated: Any) -> None:
    reset_stats()
    see_as_written(emulated, CASES["one_by_one"][name])
    assert stats()[f"one_by_one.{name}"].device == 0


@pytest.mark.sampled(6)
@pytest.mark.parametrize("first", range(FIRST, FIRST + PROGRAMS, EACH))
@pytest.mark.parametrize(
    ("kind", "least"), [("random_loops", EACH // 3), ("random_blocks", EACH // 3)]
)
@pytest.mark.filterwarnings("ignore")
def test_random_loops(kind: str, least: int, first: int, emulated: Any) -> None:
    reset_stats()
    forms = RANDOM[kind]
    for seed in range(first, first + EACH):
        text = forms.Writer(seed).text()
        space: dict[str, Any] = {"__name__": "random_loop"}
        exec(compile(text, "random_loop.py", "exec"), space)
        made = batched.loop(**forms.WORDS)(space["f"])
        mine, theirs = forms.arguments(seed), on_device(emulated, forms.arguments(seed))
        with np.errstate(all="ignore"):
            expected, found = outcome(space["f"], mine), outcome(made, theirs)
        try:
            see_equal(scaled(mine), scaled(on_host(emulated, theirs)))
            assert isinstance(expected, tuple) == isinstance(found, tuple)
            if not isinstance(expected, tuple):  # what it raises is told otherwise on the device
                see_equal(scaled(expected), scaled(on_host(emulated, found)))
        except AssertionError as error:
            raise AssertionError(f"{seed}: {error}\n{text}") from error
    assert stats()["random_loop.f"].device >= least


def scaled(value: Any) -> Any:
    """Values as parts of the largest one: what is computed of large numbers is as far off."""
    if isinstance(value, (list, tuple)):
        return [scaled(one) for one in value]
    if isinstance(value, dict):
        return {key: scaled(one) for key, one in value.items()}
    floating = isinstance(value, np.ndarray) and value.dtype.kind == "f" and value.size
    if isinstance(value, float) or floating:
        return value / max(1.0, float(np.abs(value).max()))
    return value


def test_functions_that_are_ported_run_on_the_host_where_the_arrays_are(emulated: Any) -> None:
    space: dict[str, Any] = {"__name__": "ported", "cp": emulated, "np": np}
    text = """
def whiten(m):
    return cp.linalg.inv(m) @ cp.ones(3)

def each(ms, out):
    for i in range(len(ms)):
        out[i] = whiten(ms[i])
"""
    exec(compile(text, "ported.py", "exec"), space)
    space["each"] = each = batched.loop(writes="out")(space["each"])
    on_host_, there = np.zeros((4, 3)), emulated.zeros((4, 3))
    given = np.random.default_rng(0).normal(size=(4, 3, 3))
    each(given, out=on_host_)
    each(emulated.asarray(given), there)
    np.testing.assert_allclose(there.get(), on_host_)
    assert on_host_.any()
