"""The order in which the files of a run are handled."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from gpuport.scheduling import schedule
from gpuport.source.layout import Files

_EDGES = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=20)


@given(_EDGES)
def test_what_a_file_imports_comes_first_unless_it_imports_the_file(edges: list[tuple[int, int]]):
    paths = [Path(f"/project/m{i}.py") for i in range(8)]
    files = Files()
    files._imports.update(
        {p: tuple(paths[b] for a, b in edges if a == i) for i, p in enumerate(paths)}
    )
    plan = schedule(paths, files)
    assert sorted(plan.order) == list(range(8))
    place = {position: index for index, position in enumerate(plan.order)}
    for a, b in edges:
        circle = a == b or paths[a] in files.reached(paths[b])
        assert circle or (b in plan.after[a] and place[b] < place[a])
    for position, before in enumerate(plan.after):
        assert all(place[other] < place[position] for other in before)
        assert all(plan.after[other] < before for other in before)


def test_one_file_needs_no_plan():
    assert schedule([Path("/nowhere/a.py")], Files()).order == (0,)
