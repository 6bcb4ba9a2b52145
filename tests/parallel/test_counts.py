"""Numbers that are counted stay near where they began; those made of themselves do not."""

from __future__ import annotations

from gpuport.parallel.counts import Counts, of_range


def test_steps_lead_no_further_than_a_thread_lives() -> None:
    counts = Counts()
    counts.begins("n", (0, 3))
    assert counts.stepped("n", (0, 3), [(1, 1)]) == (-(2**52), 2**52 + 3)


def test_the_largest_step_says_how_far() -> None:
    counts = Counts()
    counts.stepped("n", (0, 0), [(0, 1000)])
    assert counts.stepped("n", (0, 0), [(1, 1)]) == (-(2**62), 2**62)


def test_another_beginning_counts() -> None:
    counts = Counts()
    counts.stepped("n", (0, 0), [(1, 1)])
    before = counts.now()
    counts.begins("n", (2**60, 2**60))
    assert counts.now() != before
    assert counts.stepped("n", (0, 0), [(1, 1)]) == (-(2**52), 2**60 + 2**52)


def test_nothing_is_said_where_a_step_or_a_beginning_is_not_known() -> None:
    counts = Counts()
    assert counts.stepped("n", (0, 0), [(0, 2**40)]) == (None, None)
    assert counts.stepped("m", (0, None), [(1, 1)]) == (None, None)


def test_ranges_are_within_their_ends() -> None:
    assert of_range((0, 0), (3, 9), (1, 1), 2**40) == (0, 8)
    assert of_range((9, 9), (None, None), (-1, -1), 2**40) == (-(2**40), 9)
    assert of_range((0, 5), (2, 7), (None, None), 2**40) == (0, 7)
    assert of_range((0, None), (0, None), (1, 1), 2**40) == (0, 2**40)


def test_beginnings_that_are_made_of_the_count_promise_nothing() -> None:
    counts = Counts()
    bounds = (0, 0)
    for _ in range(20):
        bounds = counts.stepped("n", bounds, [(1, 1)])
        counts.begins("n", bounds)
    assert bounds == (None, None)
    before = counts.now()
    counts.begins("n", (0, 2**62))
    assert counts.now() == before


def test_beginnings_that_get_further_apart_are_taken_to_be_a_step_further() -> None:
    counts = Counts()
    for most in range(20):
        counts.begins("n", (0, most))
    assert counts.stepped("n", (0, 0), [(1, 1)]) == (-(2**52), 2**52 + 2**20)


def test_beginnings_made_of_the_count_itself_come_to_an_end() -> None:
    counts = Counts()
    bounds: tuple[int | None, int | None] = (1, 1)
    for _ in range(40):
        counts.begins("n", bounds)
        bounds = counts.stepped("n", bounds, [(1, 1)])
        bounds = (None, None) if bounds[1] is None else (1, 2 * bounds[1])
    assert bounds == (None, None)
