"""Tallies: a kernel for what is added, running sums, and a kernel that begins with them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

RNG = np.random.default_rng(8)


def test_what_passes_a_test_is_packed(run: Any) -> None:
    both = run(
        """
        def packed(a):
            out = np.zeros_like(a)
            k = 0
            for i in range(len(a)):
                if a[i] > 0:
                    out[k] = a[i]
                    k += 1
            return out, k
        """,
        a=RNG.normal(size=50),
    )
    both.same()
    assert type(both.found[1]) is int
    assert "running_sum(" in both.ported.text
    assert "checked" not in both.ported.text, "no count is larger than the array"


def test_a_count_in_an_array_of_any_length_is_checked(run: Any) -> None:
    both = run(
        """
        def packed(a, out):
            k = 0
            for i in range(len(a)):
                if a[i] > 0:
                    out[k] = a[i]
                    k += 1
            return k
        """,
        a=np.arange(9.0),
        out=np.zeros(8),
    )
    both.same()
    assert "put_inside(out[checked(k, out.shape[0], outside)], a[i], outside);" in both.ported.text


def test_pairs_are_listed_in_the_order_of_the_loops(run: Any) -> None:
    run(
        """
        def pairs(near):
            n = near.shape[0]
            first = np.zeros(n * n, dtype=np.int64)
            second = np.zeros(n * n, dtype=np.int64)
            m = 0
            for i in range(n):
                for j in range(i + 1, n):
                    if near[i, j]:
                        first[m] = i
                        second[m] = j
                        m += 1
            return first, second, m
        """,
        near=RNG.random((13, 13)) < 0.3,
    ).same()


@pytest.mark.parametrize("dtype", ["float64", "int64"])
def test_a_sum_that_is_read_before_it_is_raised(run: Any, dtype: str) -> None:
    both = run(
        """
        def starts(lengths, out):
            s = 0
            for i in range(len(lengths)):
                out[i] = s
                s += lengths[i]
            return s
        """,
        lengths=RNG.integers(0, 9, 30).astype(dtype),
        out=np.zeros(30, dtype),
    )
    both.same()
    assert type(both.found) is type(both.expected)


def test_running_sums_stand_beside_arrays_that_are_stored_in_as_a_whole(run: Any) -> None:
    """They are one longer: where the arrays are known to be of one length, that is not theirs."""
    run(
        """
        def starts(lengths):
            out = np.empty(len(lengths), dtype=np.int64)
            s = 0
            for i in range(len(lengths)):
                out[i] = s
                s += lengths[i]
            return out, s
        """,
        lengths=RNG.integers(0, 9, 30),
    ).same()


@pytest.mark.parametrize("start", ["0.1", "np.float64(0.1)"])
def test_what_narrow_numbers_are_added_to_has_their_type_from_the_start(
    run: Any, start: str
) -> None:
    """The first iteration would read a number of another width than the later ones."""
    with pytest.raises(AssertionError, match="`s` begins as another type than the loop gives it"):
        run(
            f"""
            def starts(x, out):
                s = {start}
                for i in range(len(x)):
                    out[i] = s
                    s += x[i]
            """,
            x=RNG.integers(0, 9, 30).astype("float32"),
            out=np.zeros(30),
        )


def test_without_iterations_numbers_stay_what_they_are(run: Any) -> None:
    """``t`` is Python's then: the launch asks for one iteration, and the loop runs otherwise."""
    both = run(
        """
        def starts(x, out):
            s = 0
            t = 0.0
            for i in range(len(x)):
                out[i] = s
                s += int(x[i])
                t += x[i]
            return s, t
        """,
        x=np.ones(3, np.int16),
        out=np.zeros(3),
    )
    both.same()
    assert "len(x) > 0" in both.ported.kernels[0].guards


@pytest.mark.parametrize(("above", "kind"), [(9.0, int), (0.5, np.float64)])
def test_a_sum_to_which_no_iteration_adds_stays_what_it_is(
    run: Any, above: float, kind: type
) -> None:
    both = run(
        """
        def starts(a, b, m):
            y = 1
            for i in range(len(a)):
                b[i] = y - a[i]
                if a[i] > m:
                    y += a[i]
            return b, y
        """,
        a=np.array([1.0, 0.25, 2.0]),
        b=np.zeros(3),
        m=above,
    )
    both.same()
    assert type(both.found[1]) is type(both.expected[1]) is kind


def test_arrays_are_packed_in_place_from_their_old_values(run: Any) -> None:
    both = run(
        """
        def inside(points, weights, width):
            k = 0
            for i in range(points.shape[0]):
                if 0 <= points[i, 0] < width and 0 <= points[i, 1] < width:
                    points[k, 0] = points[i, 0]
                    points[k, 1] = points[i, 1]
                    weights[k] = weights[i] * 2
                    k += 1
            return k
        """,
        points=RNG.normal(size=(60, 2)),
        weights=RNG.normal(size=60),
        width=1.5,
    )
    both.same()
    assert "points_old = points.copy()" in both.ported.text
    assert "checked" not in both.ported.text, "no count is larger than the array"


def test_neighbours_of_what_only_moves_are_as_they_were(run: Any) -> None:
    both = run(
        """
        def distinct(a):
            k = 1
            for i in range(1, len(a)):
                if a[i] != a[i - 1]:
                    a[k] = a[i]
                    k += 1
            return k
        """,
        a=RNG.integers(0, 3, 70),
    )
    both.same()
    assert "running_sum(" in both.ported.text


def test_what_is_made_of_a_sum_that_is_still_pythons_is_told_of(run: Any) -> None:
    """With one iteration the loop leaves the 1 it began with, the port NumPy's 1.0."""
    source = """
        def f(x, n):
            s = 0
            y = 1
            for i in range(1, n):
                s = max(s, y)
                y = y + x[i]
            return s
        """
    both = run(source, x=np.array([1.0, -2.0, 3.0]), n=3)
    assert both.found == both.expected
    assert [kernel.kinds for kernel in both.ported.kernels] == [("s",)]


def test_what_data_count_is_not_counted_before_the_loop(ported: Any) -> None:
    """NumPy raises IndexError at the first copy that is too many."""
    made = ported(
        """
        def resampled(copies, out):
            k = 0
            for i in range(len(copies)):
                for _ in range(copies[i]):
                    out[k] = i
                    k += 1
        """,
        copies=np.array([10**15, 1]),
        out=np.zeros(4, "i"),
    )
    told = "`k` would be counted before the loop, and data say how often the loop on line 5 runs"
    assert told in made.refusals[0].message


def test_a_loop_ends_at_an_index_out_of_range(run: Any) -> None:
    """However long data say that it is; and nothing is stored in the place of what is not there."""
    with pytest.raises(IndexError) as raised:
        run(
            """
            def spread(x, counts, out):
                for i in range(len(x)):
                    for j in range(counts[i]):
                        out[i, j] = x[i]
            """,
            x=np.arange(1.0, 4.0),
            counts=np.array([2, 10**15, 1]),
            out=np.zeros((3, 3)),
        )
    assert "undone" in raised.value.__notes__
