"""Arrays that are made before a loop, for its iterations to work in."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gpuport.runtime import FallbackWarning

SORTED = """
    def f(a, order, out, width):
        half = width // 2
        window = np.empty(width)
        for i in range(half, len(a) - half):
            for k in range(width):
                v = a[i - half + k]
                j = k
                while j > 0 and window[j - 1] > v:
                    window[j] = window[j - 1]
                    j -= 1
                window[j] = v
            out[i] = window[half]
    """
ORDERED = """
    def f(a, order, out, width):
        work = np.empty((width, 2))
        for i in range(len(a) - width):
            for k in range(width):
                work[order[k], 0] = a[i + k] * (k + 1)
                work[order[k], 1] = work[order[k], 0] - 1.0
            out[i] = work[0, 0] - work[3, 1] + work[order[1], 0]
    """
CARRIED = """
    def f(a, order, out, width):
        last = np.empty(4)
        for i in range(len(a)):
            if i >= 4:
                out[i] = a[i] - last[order[i % 4]]
            last[order[i % 4]] = a[i]
    """


def _given(a: np.ndarray) -> dict[str, Any]:
    return {"a": a, "order": np.array([2, 0, 3, 1]), "out": np.zeros(60), "width": 4}


@pytest.mark.parametrize("source", [SORTED, ORDERED])
@pytest.mark.parametrize("missing", [False, True])
def test_each_iteration_has_its_own(run: Any, source: str, missing: bool) -> None:
    a = np.random.default_rng(3).standard_normal(60)
    a[20] = np.nan if missing else a[20]
    both = run(source, **_given(a))
    both.same()
    assert "written(" in both.ported.text


def test_what_an_iteration_takes_from_the_one_before_is_seen(run: Any) -> None:
    given = _given(np.random.default_rng(3).standard_normal(60))
    with pytest.warns(FallbackWarning, match="is out of range"):
        run(CARRIED, **given).same()


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("np.empty((width, 2))", "np.zeros((width, 2))"),
        ("np.empty((width, 2))", "np.empty((width, 2), dtype=np.float32)"),
        ("= work[order[k], 0] - 1.0", "+= work[order[k], 0]"),
        ("        for i in", "        work[:] = 0.0\n        for i in"),
        ("order[1], 0]", "order[1], 0]\n        return work.sum()"),
    ],
)
def test_what_it_holds_before_or_after_counts(ported: Any, was: str, now: str) -> None:
    assert was in ORDERED
    assert not ported(ORDERED.replace(was, now), **_given(np.zeros(60))).kernels


COUNTED = """
    def f(a, out, row, reach):
        for r in range(reach):
            steps = max(abs(r - row), 1)
            total, k = 0.0, 1
            while total < 5.0 and k < steps:
                i = min(int(row + (r - row) * k / steps), len(a) - 1)
                total += a[i]
                k += 1
            out[r] = total
    """


def test_counts_are_less_than_what_the_test_compares_them_with(run: Any) -> None:
    a = np.random.default_rng(3).uniform(0.0, 1.0, 40)
    run(COUNTED, a=a, out=np.zeros(40), row=20, reach=40).same()


def test_what_the_text_says_of_its_places_needs_no_room_for_each_iteration(ported: Any) -> None:
    direct = ORDERED.replace("order[k]", "k").replace("order[1]", "1")
    assert "written(" not in ported(direct, **_given(np.zeros(60))).text
