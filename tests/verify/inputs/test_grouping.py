"""Which dimensions vary together, where another size is accepted of whole classes alone."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from gpuport.verify.inputs.grouping import Grouping
from gpuport.verify.signatures.templates import Refusal


def _grouped(classes: list[set[str]], lines: bool = False) -> Grouping:
    """What is found where a trial is accepted that moves a union of these classes.

    With `lines` a refusal comes further the more of the first class that is hurt has moved.
    """
    latest = [Refusal()]

    def moves(names: tuple[str, ...]) -> bool:
        hurt = [one for one in classes if set(names) & one and not one <= set(names)]
        latest[0] = Refusal(len(hurt[0] & set(names)) if hurt and lines else 1)
        return not hurt

    grouping = Grouping(moves, _last(latest))
    grouping.run(name for one in classes for name in sorted(one))
    return grouping


def _last(latest: list[Refusal]) -> Callable[[], Refusal]:
    return lambda: latest[0]


def test_fields_on_a_grid_move_along_one_axis_all_at_once() -> None:
    rows = {f"{name}.0" for name in "uvpqrs"}
    columns = {f"{name}.1" for name in "uvpqrs"}
    assert set(map(frozenset, _grouped([rows, columns]).groups)) == {
        frozenset(rows), frozenset(columns),
    }  # fmt: skip


def test_weights_go_with_the_columns_and_three_others_with_the_rows() -> None:
    classes = [{"X.0", "y.0", "s.0"}, {"X.1", "w.0"}, {"b.0"}]
    assert set(map(frozenset, _grouped(classes).groups)) == set(map(frozenset, classes))


def test_what_brings_a_refusal_further_belongs_together() -> None:
    classes = [{f"a{k}.0" for k in range(5)} | {"m.1"}, {"m.0", "b.0"}]
    assert set(map(frozenset, _grouped(classes, lines=True).groups)) == set(map(frozenset, classes))


@given(st.lists(st.integers(0, 3), min_size=1, max_size=9), st.booleans())
def test_every_group_is_accepted_and_no_dimension_is_lost(owners: list[int], lines: bool) -> None:
    classes = [{f"x{k}.0" for k, one in enumerate(owners) if one == owner} for owner in range(4)]
    classes = [one for one in classes if one]
    grouping = _grouped(classes, lines)
    found = [name for group in grouping.groups for name in group]
    assert sorted([*found, *grouping.rest]) == sorted(n for one in classes for n in one)
    for group in grouping.groups:
        assert all(one <= set(group) or not one & set(group) for one in classes)
