"""Loops that run once for all of their items give what they give one by one."""

from __future__ import annotations

import copy
import importlib.util
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
    if type(value) in (list, tuple):
        return type(value)(on_device(cp, one) for one in value)
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
        np.testing.assert_allclose(other, one, rtol=1e-9, atol=1e-12)
    elif isinstance(one, float):
        assert isinstance(other, float)
        np.testing.assert_allclose(other, one, rtol=1e-9, atol=1e-12)
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
