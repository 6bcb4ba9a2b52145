"""What counts as exact, and what the processor's switches do."""

from __future__ import annotations

import math
import platform
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gpuport.verify.execution.exactness import rounds_silently, watched
from gpuport.verify.execution.flushing import flushing
from gpuport.verify.execution.tolerance import Policy, judge_floats

GLIBC = platform.machine() == "x86_64" and platform.libc_ver()[0] == "glibc"


def plain(x: Any) -> Any:
    return np.sqrt(x * x) + x**2 + abs(x) ** 0.5


def transcendental(x: Any) -> Any:
    return np.exp(x)


def powers(x: Any) -> Any:
    return x**3


def inner(x: Any) -> Any:
    return sum(math.log(v) for v in x)


def indirect(x: Any) -> Any:
    return plain(x) + transcendental(x)


def halved(x: Any) -> Any:
    return x.astype(np.float16) * 3 + x


def halved_by_text(x: Any) -> Any:
    return x.astype("float16") * 3 + x


@pytest.mark.parametrize(
    "function", [transcendental, powers, inner, indirect, halved, halved_by_text]
)
def test_functions_that_may_round_without_telling(function: Callable[[Any], Any]) -> None:
    assert rounds_silently(function.__code__, globals())


def test_arithmetic_and_roots_tell() -> None:
    assert not rounds_silently(plain.__code__, globals())


@pytest.mark.skipif(not GLIBC, reason="the flag is read on Linux")
def test_the_flag_tells_an_exact_sum_from_a_rounded_one() -> None:
    with watched() as exact:
        np.add(np.array([0.5, 2.0]), 0.25)
    with watched() as rounded:
        np.add(np.array([0.1, 2.0]), 0.2)
    assert exact.exact
    assert not rounded.exact


@pytest.mark.skipif(not GLIBC, reason="the switch is known for glibc on x86-64")
def test_subnormals_are_flushed_inside_and_kept_outside() -> None:
    tiny = np.array([1e-30], np.float32)
    with flushing():
        inside = (tiny * np.float32(1e-10)).copy()
    assert inside[0] == 0
    assert (tiny * np.float32(1e-10))[0] > 0


def test_no_more_responses_are_taken_than_explain_the_deviation() -> None:
    from gpuport.verify.aftermath.leaves import Leaf, Observation

    taken = []

    def responses() -> Any:
        for run in range(9):
            taken.append(run)
            yield Observation((Leaf("result", "array", np.array([1.0 + 2.0**-40, 1.0])),))

    a, b = np.array([1.0, 1.0]), np.array([1.0 + 2.0**-39, 1.0])
    judged = judge_floats("result", a, b, a != b, Policy(responses=responses()))
    assert not judged.bad.any()
    assert taken == [0]


def test_an_absolute_effect_says_nothing_of_far_smaller_elements() -> None:
    from gpuport.verify.aftermath.leaves import Leaf, Observation

    a = np.array([1.0, 1.0, 1e-30])
    moved = Observation((Leaf("result", "array", np.nextafter(a, 2)),))
    judged = judge_floats("result", a, a * [1, 1, 2], np.array([False, False, True]),
                          Policy(responses=[moved] * 15))  # fmt: skip
    assert judged.bad[2]
