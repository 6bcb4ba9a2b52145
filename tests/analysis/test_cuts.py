"""The cut of least cost, against trying all of them."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from gpuport.analysis.cuts import minimum_cut

NODES = ("source", "a", "b", "c", "d", "sink")
EDGES = [(one, other) for one in NODES for other in NODES if one != other]
COSTS = st.dictionaries(st.sampled_from(EDGES), st.sampled_from([0.25, 0.5, 1.0, 2.0, 5.0, 80.0]))


def cost(costs: dict[tuple[str, str], float], beside: set[str]) -> float:
    return sum(c for (a, b), c in costs.items() if a in beside and b not in beside)


@given(COSTS)
def test_no_other_cut_costs_less_and_none_that_costs_as_little_is_larger(costs):
    total, beside = minimum_cut(costs, "source", "sink")
    assert total == cost(costs, beside)
    assert "source" in beside
    assert "sink" not in beside
    named = {end for edge in costs for end in edge} - {"source", "sink"}
    for size in range(len(named) + 1):
        for chosen in combinations(sorted(named), size):
            other = {"source", *chosen}
            assert cost(costs, other) >= total
            if cost(costs, other) == total:
                assert other <= beside


def test_tenths_add_up():
    costs = {("source", "a"): 0.3, ("a", "sink"): 0.1, ("a", "b"): 0.1, ("b", "sink"): 0.2}
    costs["a", "c"], costs["c", "sink"] = 0.1, 0.1
    assert minimum_cut(costs, "source", "sink") == (0.3, {"source", "a", "c"})


def test_a_long_chain_needs_no_stack():
    costs = {(k, k + 1): 1.0 for k in range(20_000)}
    total, beside = minimum_cut(costs, 0, 20_000)
    assert total == 1.0
    assert len(beside) == 20_000
