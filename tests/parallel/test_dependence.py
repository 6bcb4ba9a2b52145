"""Iterations that may run in any order, against all pairs of iterations."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gpuport.canonicalise.blocked import Blocked
from gpuport.canonicalise.nests import map_of_nest
from gpuport.facts import infer
from gpuport.ir import walk
from gpuport.lower import lower
from gpuport.parallel.dependence import check_independent

SIZE = 400  # of each axis: no index of the loops below leaves it


def conflict(text: str) -> str | None:
    """Why iterations of the first loop of ``f`` conflict; None where they do not."""
    module = lower(text, "sample")
    facts = infer([module])
    function = next(f for f in module.functions if f.name == "f")
    loop = next(op for op in walk(function.body) if op.kind == "For")
    region = map_of_nest(function, facts.contexts[function], loop)
    try:
        check_independent(region)
    except Blocked as blocked:
        return blocked.reason
    return None


CALL = "import numpy as np\nf({}np.zeros(400), np.zeros(400))\n"
INDEPENDENT = {
    "each its own": "for i in range(100): a[i] = a[i] + b[i + 1]",
    "even and odd": "for i in range(100): a[2 * i] = a[2 * i + 1]",
    "halves": "for i in range(100): a[i] = a[i + 100]",
    "a stride that never meets": "for i in range(0, 90, 3): a[i] = a[i + 1] + a[i + 2]",
    "backwards": "for i in range(99, -1, -1): a[i] = b[99 - i]",
    "read only": "for i in range(100): a[i] = b[3] + b[i]",
}
DEPENDENT = {
    "the one before": "for i in range(1, 100): a[i] = a[i - 1] + b[i]",
    "all to one place": "for i in range(100): a[3] = b[i]",
    "meets in the middle": "for i in range(100): a[i] = a[99 - i]",
    "every third": "for i in range(0, 90, 3): a[i] = a[i + 3]",
    "a place that is read": "for i in range(100): a[i] = a[50] + b[i]",
}


def program(loop: str) -> str:
    return f"def f(a, b):\n    {loop}\n" + CALL.format("")


@pytest.mark.parametrize("name", INDEPENDENT)
def test_independent_loops(name):
    assert conflict(program(INDEPENDENT[name])) is None


@pytest.mark.parametrize("name", DEPENDENT)
def test_dependent_loops(name):
    reason = conflict(program(DEPENDENT[name]))
    assert reason is not None
    assert "`a`" in reason


FROM_THE_END = {
    "stores that go round": "for i in range(len(a)): a[i - 1] = b[i]",
    "loads that go round": "for i in range(len(a)): a[i] = b[i - 2]",
    "places of data are read": "for i in range(len(a)): a[i] = b[int(b[i])]",
    "places of data are updated": "for i in range(len(a)): a[int(b[i])] += b[i]",
}
MEET_FROM_THE_END = {
    "the last one twice": ("for i in range(401): a[i - 1] = b[0]", "another one stores to"),
    "reads the last one": ("for i in range(400): a[i] = a[i - 1]", "another one stores to"),
    "a view of the iteration's": ("for i in range(99): a[1:][i - 2] = a[i]", "another one"),
    "places of data": ("for i in range(9): a[int(b[i])] = b[i]", "depends on data"),
    "updates that are read": ("for i in range(9): a[int(b[i])] += a[i]", "depends on data"),
}


@pytest.mark.parametrize("name", FROM_THE_END)
def test_a_negative_index_counts_from_the_end(name):
    assert conflict(program(FROM_THE_END[name])) is None


@pytest.mark.parametrize("name", MEET_FROM_THE_END)
def test_stores_that_meet_from_the_end(name):
    loop, why = MEET_FROM_THE_END[name]
    reason = conflict(program(loop))
    assert reason is not None
    assert why in reason


def test_an_index_that_is_shown_to_be_from_the_front_is_plain():
    module = lower(program("for i in range(2, 90): a[i] = b[i - 2] + b[i - 3]"), "sample")
    facts = infer([module])
    function = next(f for f in module.functions if f.name == "f")
    loop = next(op for op in walk(function.body) if op.kind == "For")
    region = map_of_nest(function, facts.contexts[function], loop)
    check_independent(region)
    assert [op.kind for op in walk(region.body)].count("Wrap") == 1


def test_views_of_one_array_may_meet():
    text = """
import numpy as np
def f(x):
    a = x[1:]
    for i in range(100):
        a[i] = x[i] + 1
f(np.zeros(400))
"""
    reason = conflict(text)
    assert reason is not None


def test_two_arrays_that_a_loop_swaps_are_different_ones():
    text = """
import numpy as np
def f(u):
    v = u.copy()
    for _ in range(4):
        for i in range(1, 99):
            v[i] = u[i - 1] + u[i + 1]
        u, v = v, u
    return u
f(np.zeros(400))
"""
    module = lower(text, "sample")
    facts = infer([module])
    function = next(f for f in module.functions if f.name == "f")
    inner = [op for op in walk(function.body) if op.kind == "For"][1]
    found = check_independent(map_of_nest(function, facts.contexts[function], inner))
    assert (found.apart, found.shared) == ((), frozenset())


def test_the_same_array_under_two_names_is_not_swapped():
    text = """
import numpy as np
def f(u):
    v = np.asarray(u)
    for _ in range(4):
        for i in range(1, 99):
            v[i] = u[i - 1] + u[i + 1]
        u, v = v, u
    return u
f(np.zeros(400))
"""
    module = lower(text, "sample")
    facts = infer([module])
    function = next(f for f in module.functions if f.name == "f")
    inner = [op for op in walk(function.body) if op.kind == "For"][1]
    with pytest.raises(Blocked, match="share memory"):
        check_independent(map_of_nest(function, facts.contexts[function], inner))


def test_arrays_of_callers_are_asked_for_overlap():
    module = lower(program("for i in range(100): a[i] = b[i + 1]"), "sample")
    facts = infer([module])
    function = next(f for f in module.functions if f.name == "f")
    loop = next(op for op in walk(function.body) if op.kind == "For")
    (apart,) = check_independent(map_of_nest(function, facts.contexts[function], loop)).apart
    assert {apart.one.name, apart.other.name} == {"a", "b"}


# -- all pairs of iterations

COEFFICIENTS = st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 12))
BOUNDS = st.tuples(st.integers(0, 3), st.integers(4, 8), st.sampled_from([1, 2, 3]))


def written(index: tuple[int, int, int]) -> str:
    return f"{index[0]} * i + {index[1]} * j + {index[2]}"


@settings(max_examples=60, deadline=None)
@given(COEFFICIENTS, st.lists(COEFFICIENTS, min_size=1, max_size=2), BOUNDS, BOUNDS)
def test_isl_says_what_all_pairs_say(store, loads, outer, inner):
    assume(store[0] or store[1])
    value = " + ".join(f"a[{written(load)}]" for load in loads)
    text = (
        f"import numpy as np\ndef f(a):\n for i in range{outer}:\n  for j in range{inner}:\n"
        f"   a[{written(store)}] = {value}\nf(np.zeros({SIZE}))\n"
    )
    points = list(itertools.product(range(*outer), range(*inner)))

    def at(index: tuple[int, int, int], point: tuple[int, int]) -> int:
        return index[0] * point[0] + index[1] * point[1] + index[2]

    meets = any(
        one != two and at(store, one) == at(other, two)
        for other in [store, *loads]
        for one in points
        for two in points
    )
    assert (conflict(text) is not None) == meets
