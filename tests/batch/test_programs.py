"""Ports of loops over matrices give what the loops give, whatever they are called with.

Each program defines functions and ``CASES``: arguments by the name of a function, with a word of
what is odd about them behind a hyphen.
"""

from __future__ import annotations

import contextlib
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

SINGLE = ("-single", "-f4")
"""Cases of float32: how items are added up is another order."""

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.py"))


def outcome(function: Any, arguments: tuple[Any, ...]) -> tuple[Any, Any, str]:
    """What a call gives or raises, what it leaves in its arguments, and what it prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), np.errstate(all="ignore"):
        try:
            result = function(*arguments)
            if hasattr(result, "__next__"):
                result = list(result)
        except Exception as error:  # compared with what the port raises
            result = error
    return result, arguments, printed.getvalue()


def assert_same(found: Any, expected: Any, rough: float = 1e-9) -> None:
    """The same types, dtypes, shapes, order and values."""
    if isinstance(expected, Exception):
        assert isinstance(found, Exception), found
        assert isinstance(expected, type(found)), (found, expected)
        return
    if type(expected).__module__ == "numpy.linalg._linalg":  # CuPy gives plain tuples
        expected = tuple(expected)
        found = tuple(found) if isinstance(found, tuple) else found
    assert type(found) is type(expected), (found, expected)
    if isinstance(expected, dict):
        assert list(found) == list(expected)
        found, expected = list(found.values()), list(expected.values())
    if isinstance(expected, (list, tuple)):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            assert_same(one, other, rough)
    elif isinstance(expected, (np.ndarray, np.generic, float, complex)):
        one, other = np.asarray(found), np.asarray(expected)
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        if other.dtype.kind in "fc":
            rough = 1e-4 if other.dtype in (np.float32, np.complex64) else rough
            np.testing.assert_allclose(one, other, rtol=rough, atol=rough)
        else:
            np.testing.assert_array_equal(one, other)
    elif not hasattr(expected, "__next__"):
        assert found == expected


@pytest.mark.sampled(3)
@pytest.mark.parametrize("path", PROGRAMS, ids=[p.stem for p in PROGRAMS])
@pytest.mark.filterwarnings("ignore::gpuport.runtime.FallbackWarning")
def test_ports_do_what_the_loops_do(cp, run, ported, path) -> None:
    text = path.read_text(encoding="utf-8")
    report = ported(path)
    assert report.after is not None
    assert not port_module(parse(path.name, report.after), Config()).changed
    original, port = vars(run(text)), vars(run(report.after))
    for case, arguments in original["CASES"].items():
        name = case.partition("-")[0]
        expected = outcome(original[name], arguments())
        found = outcome(port[name], arguments())
        try:
            rough = 1e-6 if case.endswith(SINGLE) else 1e-9
            for one, other in zip(found, expected, strict=True):
                assert_same(one, other, rough)
        except AssertionError as error:
            raise AssertionError(f"{path.name}: {case}: {error}") from error


@pytest.mark.everything
def test_many_of_the_loops_are_stacked(ported) -> None:
    """Refusing everything would make the test above pass."""
    functions = [function for path in PROGRAMS for function in ported(path).functions]
    assert sum(function.batched > 0 for function in functions) > len(functions) // 4
