"""Values that go from one iteration to the next: the same results, or a reason."""

from __future__ import annotations

import pytest
from tests.canonicalise.recurrences import REFUSED, START, TAKEN


@pytest.mark.parametrize("name", TAKEN)
def test_values_that_iterations_hand_on(same, name):
    made = same(START + TAKEN[name])
    assert made.regions, made.left


@pytest.mark.parametrize("name", REFUSED)
def test_what_hangs_on_the_order_of_iterations_is_refused(same, name):
    reason, text = REFUSED[name]
    made = same(START + text)
    assert any(reason in left for left in made.left), made.left
