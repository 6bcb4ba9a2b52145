"""Whether no item reads or changes what another one changes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from gpuport.runtime.items.cells import cells_of
from gpuport.runtime.items.effects import AddTo, AddWhere, AddWhole, Leave, Store
from gpuport.runtime.items.signals import refuse

if TYPE_CHECKING:
    from gpuport.runtime.items.outside import OuterArray
    from gpuport.runtime.items.trace import Trace


def see_that_apart(traces: list[Trace]) -> None:
    """See that no item reads or changes what another one changes.

    Raises
    ------
    Unbatched
        Where it may.
    """
    roots = {id(one.array): one for trace in traces for one in trace.arrays()}
    for key, root in roots.items():
        changes = [
            one for trace in traces for one in trace.effects
            if isinstance(one, (Store, AddTo, AddWhere, AddWhole, Leave))
            and id(one.target.root.array) == key
        ]  # fmt: skip
        if not changes:
            continue
        reads = [
            (trace, one.reads) for trace in traces for one in trace.arrays()
            if id(one.array) == key
        ]  # fmt: skip
        _see_alone(traces, root)
        if any(isinstance(one, Leave) for one in changes):
            _see_scratch(traces, changes, any(found for _, found in reads))
            continue
        stores = [one for one in changes if isinstance(one, Store)]
        if len(stores) < len(changes):
            if stores or any(found for _, found in reads):
                why = "an array that the items add to is read, or stored to, at the same places"
                _see_cells(traces, root, why)
            continue
        if not _is_own(traces, key, reads):
            _see_cells(traces, root, "an item may read, or store, what another one stores")


def _see_scratch(traces: list[Trace], changes: list[Any], is_read: bool) -> None:
    """See that each item finds in an array what it has stored there, or nobody stores."""
    if is_read or len(changes) != len(traces) or not all(isinstance(one, Leave) for one in changes):
        refuse("an item may find what another one stores")
    first = changes[0].scratch
    for one in changes:
        one.scratch.see_own()
        if not np.array_equal(one.scratch.written, first.written):
            refuse("some items store where others do not")


def _see_cells(traces: list[Trace], root: OuterArray, why: str) -> None:
    """See of each element that it is one item's own, or only read, or only added to."""
    found = cells_of(traces, root)
    if found is None or not found.is_apart():
        refuse(why)


def _is_own(traces: list[Trace], key: int, reads: list[tuple[Trace, Any]]) -> bool:
    """Whether each item stores to, and reads, what is its own, as far as axes tell."""
    parts: list[list[dict[int, tuple[Any, int]]]] = []
    for trace in traces:
        stored = [
            one.where for one in trace.effects
            if isinstance(one, Store) and id(one.target.array) == key
        ]  # fmt: skip
        found = [where for other, listed in reads if other is trace for where in listed]
        if None in found:
            refuse("an array is read as a whole while the items store to it")
        regions = [*stored, *found]
        if regions:
            parts.append([one.owned for one in regions])
    return is_apart(parts)


def is_apart(runs: Iterable[list[dict[int, tuple[Any, int]]]]) -> bool:
    """Whether parts belong to different items along the axes that all accesses name alike.

    Parameters
    ----------
    runs : iterable of list of (dict of int to (numpy.ndarray, int))
        Of each run what each access names: by the axis where the items' parts begin, and how long
        they are.
    """
    runs = list(runs)
    common: set[int] | None = None
    for accesses in runs:
        first = accesses[0]
        same = {
            axis for axis, (starts, _) in first.items()
            if all(axis in one and np.array_equal(one[axis][0], starts) for one in accesses)
        }  # fmt: skip
        common = same if common is None else common & same
    if not common:
        return False
    spans = {
        axis: (
            np.concatenate([run[0][axis][0] for run in runs]),
            np.concatenate([
                np.full(len(run[0][axis][0]), max(one[axis][1] for one in run)) for run in runs
            ]),
        )
        for axis in sorted(common)
    }  # fmt: skip
    if any(_disjoint(starts, widths) for starts, widths in spans.values()):
        return True
    tiled = [starts for starts, widths in spans.values() if _tiles(starts, widths)]
    if not tiled:
        return False
    rows = np.stack(tiled, axis=1)
    return len(np.unique(rows, axis=0)) == len(rows)


def _disjoint(starts: Any, widths: Any) -> bool:
    order = np.argsort(starts, kind="stable")
    begin, end = starts[order], (starts + widths)[order]
    return bool((begin[1:] >= end[:-1]).all() and (np.diff(begin) > 0).all())


def _tiles(starts: Any, widths: Any) -> bool:
    """Whether parts of an axis either begin at the same place or have nothing in common."""
    return bool((np.diff(np.unique(starts)) >= widths.max(initial=0)).all())


def _see_alone(traces: list[Trace], root: OuterArray) -> None:
    """See that what is changed shares memory with nothing else that the loop has."""
    cupy, array = traces[0].cupy, root.array
    library = np if isinstance(array, np.ndarray) else cupy
    for trace in traces:
        for other in trace.touched():
            alike = other is not array and type(other) is type(array)
            if alike and library.may_share_memory(array, other):
                refuse("an array that is changed shares memory with another one")
