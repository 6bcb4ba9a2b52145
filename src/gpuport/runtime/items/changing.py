"""Reading and changing parts of the values of a loop, and what is left of them at its end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gpuport.runtime.items.containers import is_listed
from gpuport.runtime.items.effects import Store
from gpuport.runtime.items.indexing import region
from gpuport.runtime.items.item import Item, Operand, is_stack
from gpuport.runtime.items.outside import OuterArray, is_varying, spelt
from gpuport.runtime.items.parts import Added, Part, see_castable
from gpuport.runtime.items.regions import Region
from gpuport.runtime.items.scratch import Working
from gpuport.runtime.items.signals import refuse
from gpuport.runtime.places import names_twice

if TYPE_CHECKING:
    from gpuport.runtime.items.trace import Trace


def read(trace: Trace, item: Item, index: Any) -> Any:
    """``item[index]``."""
    index = spelt(index)
    if item.weak:
        raise TypeError("a number is not subscriptable")
    if not item.stacked and not is_varying(index):
        part = item.data[trace.plain_index(index, False)]
        return _part(item, part, stacked=False, shares=True, is_view=True)
    where = region(trace, item.shape, index, stacked=item.stacked)
    if item.known is not None and item._data is None:
        found = Item(trace, known=where.of(item.known), on_host=item.on_host)
        found.frozen = "a part of an array is changed in place"
        return found
    return _part(item, where.of(item.data), True, not where.copies, where.is_view)


def _part(item: Item, data: Any, stacked: bool, shares: bool, is_view: bool) -> Item:
    found = Item(item.trace, data, stacked=stacked, on_host=item.on_host)
    if not found.ndim:
        if shares:
            found.data = data.copy()
        return found
    if is_view:
        derived(item, found, shares)
    return found


def derived(item: Operand, found: Item, shares: bool) -> None:
    """Note that NumPy has a view here."""
    if isinstance(item, OuterArray) or item.origin is not None:
        found.frozen = "a part of an array from outside is changed under a name of its own"
        found.origin = item
        return
    assert isinstance(item, Item)
    item.viewed = True
    found.base = item
    if not shares or item.frozen:
        found.frozen = item.frozen = item.frozen or "an array is changed that has another name"


def change(trace: Trace, item: Item, index: Any, value: Any) -> None:
    """``item[index] = value``."""
    index = spelt(index)
    if item.frozen:
        refuse(item.frozen)
    if isinstance(item, Part):
        _change_outside(trace, item, index, value)
        return
    varying = is_varying(index) or is_varying(value)
    if varying and not item.stacked:
        if item.viewed or item.base is not None:
            refuse("an array is changed that has another name")
        item.data = trace.cupy.broadcast_to(item.data, (trace.count, *item.shape)).copy()
        item.stacked = True
    _own(item)
    _assign(trace, item, index, value)


def _own(item: Item) -> None:
    """See that nothing is to be stored that would change with the item."""
    base = item.base
    while base is not None:
        if base.kept:
            refuse("a part of what has been stored is changed")
        base = base.base
    if item.kept:
        if item.viewed:
            refuse("what has been stored is changed, and has another name")
        item.data = item.data.copy()
        item.kept = False
    else:
        item.data = item.data  # what the host knows of it no longer holds


def _change_outside(trace: Trace, item: Part, index: Any, value: Any) -> None:
    if item.is_shared() or item.viewed or not item.where.is_view:
        refuse("a part of an array from outside is changed that several items may share")
    if not item.done:
        item.data = item.data.copy()
    item.done = True
    _assign(trace, item, index, value)
    trace.note(Store(item.array, item.where, item.data.copy()))


def _assign(trace: Trace, item: Item, index: Any, value: Any) -> None:
    value = trace.array_of(value) if is_listed(value) else value
    see_castable(item.dtype, value)
    if not item.stacked:
        item.data[trace.plain_index(index, False)] = trace.plain(value)
        return
    if is_stack(index) and index.dtype.kind == "b":
        _put_where(trace, item, index, value)
        return
    where = region(trace, item.shape, index, stacked=True)
    _see_no_place_twice(trace, where)
    where.store(item.data, _fitting(trace, value, where))


def _put_where(trace: Trace, item: Item, mask: Item, value: Any) -> None:
    """``item[mask] = number``."""
    if getattr(value, "ndim", 0) or mask.shape != item.shape[: mask.ndim]:
        refuse("a mask of an item is given several values")
    shape = mask.data.shape + (1,) * (item.ndim - mask.ndim)
    values = trace.aligned(value, item.ndim)
    chosen = trace.cupy.where(mask.data.reshape(shape), values, item.data)
    item.data[...] = chosen.astype(item.dtype, copy=False)


def _see_no_place_twice(trace: Trace, where: Region) -> None:
    """NumPy keeps the last of several values for a place, CuPy any."""
    if where.is_view or not where.arrays:
        return
    library = trace.cupy
    arrays = library.broadcast_arrays(*map(library.asarray, where.arrays))
    sizes = [int(one.max()) + 1 if one.size else 1 for one in arrays]
    if names_twice(library, arrays, sizes, each=True):
        refuse("an item names a place twice")


def _fitting(trace: Trace, value: Any, where: Region) -> Any:
    """Values that broadcast to the parts."""
    values = trace.aligned(value, len(where.shape))
    shape = getattr(values, "shape", ())
    wanted = (where.items, *where.shape)
    if np.broadcast_shapes(shape, wanted) != wanted:
        raise ValueError(f"could not broadcast input array from shape {shape} into shape {wanted}")
    return values


def store(trace: Trace, array: OuterArray, where: Region, value: Any) -> None:
    """``array[index] = value``, kept until the end."""
    value = trace.array_of(value) if is_listed(value) else value
    if isinstance(value, Added):
        refuse("what is added at places is stored at others")
    see_castable(array.dtype, value)
    if not where.is_view:
        _see_no_place_twice(trace, where)
    values = _fitting(trace, value, where)
    keep(value)
    trace.note(Store(array, where, values))


def keep(value: Any) -> None:
    """See that a value stays as it is: an effect is to store it."""
    if isinstance(value, Item):
        value.kept = True
    elif isinstance(value, (list, tuple)):
        for one in value:
            keep(one)


def operate_in_place(trace: Trace, ufunc: str, target: Any, value: Any) -> Any:
    """``target += value``."""
    adds = ufunc in ("add", "subtract")
    if isinstance(target, OuterArray):
        if adds and trace.entered == trace.axes:
            _see_addable(target, value)
            return target.added(value, ufunc == "subtract")
        refuse("an array from outside is changed in place")
    if isinstance(target, Working):
        found = trace.operate(ufunc, target, value)
        if found.shape != target.shape or not np.can_cast(found.dtype, target.dtype, "same_kind"):
            refuse("a change in place that NumPy may refuse")
        return target.changed(found) if target.ndim else found
    if isinstance(target, Part) and adds and target.adds_together():
        _see_addable(target, value)
        return Added(target, value, ufunc == "subtract").begun()
    if not target.ndim:
        return trace.operate(ufunc, target, value)
    found = trace.call("numpy.matmul", target, value) if ufunc == "matmul" else (
        trace.operate(ufunc, target, value)
    )  # fmt: skip
    if found.shape != target.shape or not np.can_cast(found.dtype, target.dtype, "same_kind"):
        refuse("a change in place that NumPy may refuse")
    change(trace, target, ..., found)
    return target


def _see_addable(target: Any, value: Any) -> None:
    """See that a value may be added in place."""
    see_castable(target.dtype, value, whole=True)
    shape = getattr(value, "shape", ())
    if np.broadcast_shapes(shape, target.shape) != target.shape:
        raise ValueError("non-broadcastable output operand")
