"""Values that go from one iteration to the next: the same results, or a reason."""

from __future__ import annotations

import pytest
from tests.canonicalise.conftest import rewritten
from tests.canonicalise.recurrences import REFUSED, SCANS, START, TAKEN

from gpuport.ir.interpreter import NeedFailed


@pytest.mark.parametrize("name", TAKEN)
def test_values_that_iterations_hand_on(same, name):
    made = same(START + TAKEN[name])
    assert made.regions, made.left


@pytest.mark.parametrize("name", REFUSED)
def test_what_hangs_on_the_order_of_iterations_is_refused(same, name):
    reason, text = REFUSED[name]
    made = same(START + text)
    assert any(reason in left for left in made.left), made.left


def test_a_running_total_is_a_scan_before_the_map(same):
    made = same(START + SCANS["running sums and products"])
    (region,) = made.regions
    scans = [op for op in region.prologue.ops if op.kind == "Scan"]
    assert [scan.attributes["operator"] for scan in scans] == ["+", "*"]
    assert [op.kind for op in scans[0].regions[0].ops] == ["Load", "Yield"]
    assert not region.map.results


def test_what_a_running_total_reads_must_not_overlap_what_is_stored():
    text = f"""{START}
def f(x, y):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
        y[i] = s
x = rng.random(9)
f(x[:-1], x[1:])
"""
    made = rewritten(text + "RESULT = x\n")
    assert made.regions
    with pytest.raises(NeedFailed):
        made.run()
