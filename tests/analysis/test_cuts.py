"""Minimum cuts, against all the ways to part a small network."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from gpuport.analysis.cuts import minimum_cut

NODES = ("device", 1, 2, 3, 4, 5, "host")
PRICES = (0.1, 0.2, 0.3, 1.0, 1.01, 2.0, 4.04, 5.0, 1e9)


def cost_of(costs: dict[tuple[object, object], float], side: set[object]) -> float:
    return sum(cost for (a, b), cost in costs.items() if a in side and b not in side)


@st.composite
def networks(draw: st.DrawFn) -> dict[tuple[object, object], float]:
    pairs = [(a, b) for a in NODES for b in NODES if a != b and a != "host" and b != "device"]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=18))
    return {pair: draw(st.sampled_from(PRICES)) for pair in chosen}


@given(networks())
def test_no_cut_is_cheaper_and_no_equal_one_is_larger(costs: dict[tuple[object, object], float]):
    found, side = minimum_cut(costs, "device", "host")
    assert round(found, 4) == round(cost_of(costs, side), 4)
    inner = {node for pair in costs for node in pair} - {"device", "host"}
    for size in range(len(inner) + 1):
        for others in combinations(inner, size):
            other = {"device", *others}
            price = round(cost_of(costs, other), 4)
            assert price >= round(found, 4)
            assert price > round(found, 4) or other <= side


def test_what_is_forbidden_costs_no_less():
    costs: dict[tuple[object, object], float] = {("device", 1): 1e9, (1, "host"): 1e9}
    assert minimum_cut(costs, "device", "host") == (1e9, {"device", 1})


def test_a_long_chain_is_cut_at_its_cheapest_link():
    links = [("device", 0), *((n, n + 1) for n in range(5000)), (5000, "host")]
    costs: dict[tuple[object, object], float] = dict.fromkeys(links, 2.0)
    costs[1234, 1235] = 1.5
    found, side = minimum_cut(costs, "device", "host")
    assert found == 1.5
    assert side == {"device", *range(1235)}
