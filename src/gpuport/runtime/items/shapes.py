"""Functions that give an item other axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from gpuport.runtime.items.arithmetic import wrapped
from gpuport.runtime.items.changing import derived
from gpuport.runtime.items.item import Item, Operand, is_stack
from gpuport.runtime.items.reductions import operand, shifted
from gpuport.runtime.items.signals import refuse

if TYPE_CHECKING:
    from gpuport.runtime.items.trace import Trace


def _given(trace: Trace, value: Any) -> tuple[Any, Any, bool]:
    value = operand(trace, value)
    if not isinstance(value, Operand):
        refuse("the axes of something that is no array")
    return value, trace.data_of(value), is_stack(value)


def viewed(trace: Trace, value: Any, data: Any, stacked: bool) -> Any:
    """A result that NumPy gives as a view of its argument."""
    found = Item(trace, data, stacked=stacked, on_host=value.on_host)
    if value.ndim and found.ndim:
        original = trace.data_of(value)
        derived(value, found, bool(trace.cupy.may_share_memory(data, original)))
    return found


def _ordered(trace: Trace, value: Any, order: Sequence[int]) -> Any:
    value, data, stacked = _given(trace, value)
    rank = value.ndim
    axes = [one % rank for one in order]
    if sorted(axes) != list(range(rank)):
        raise ValueError("axes don't match array")
    axes = [0, *(one + 1 for one in axes)] if stacked else axes
    return viewed(trace, value, data.transpose(axes), stacked)


def turned(trace: Trace, value: Any) -> Any:
    """``x.T``."""
    return _ordered(trace, value, list(range(value.ndim))[::-1])


def matrix_turned(trace: Trace, value: Any) -> Any:
    """``x.mT``."""
    return _swapped(trace, value, -1, -2)


def refused(trace: Trace, value: Any) -> Any:
    """An attribute that has no meaning for all items."""
    refuse("`flat` of an item")


def _transpose(trace: Trace, value: Any, *axes: Any) -> Any:
    value = operand(trace, value)
    if len(axes) == 1 and isinstance(axes[0], (tuple, list)):
        axes = tuple(axes[0])
    if not axes or axes == (None,):
        return turned(trace, value)
    return _ordered(trace, value, axes)


def _swapped(trace: Trace, value: Any, first: int, second: int) -> Any:
    value = operand(trace, value)
    order = list(range(value.ndim))
    order[first], order[second] = order[second], order[first]
    return _ordered(trace, value, order)


def _moved(trace: Trace, value: Any, source: int, destination: int) -> Any:
    value = operand(trace, value)
    order = [one for one in range(value.ndim) if one != source % value.ndim]
    order.insert(destination % value.ndim, source % value.ndim)
    return _ordered(trace, value, order)


def _reshape(trace: Trace, value: Any, *shape: Any, **options: Any) -> Any:
    order = options.pop("order", "C")
    shape = shape or (options.pop("newshape", None) or options.pop("shape", ()),)
    if options:
        refuse("`reshape` in this form")
    if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
        shape = tuple(shape[0])
    sizes = [one.__index__() for one in shape]
    if order == "F":  # its axes the other way around, as C has them
        return turned(trace, _reshape(trace, turned(trace, operand(trace, value)), sizes[::-1]))
    if order != "C":
        refuse("`reshape` in an order that depends on where the array lies")
    value, data, stacked = _given(trace, value)
    if stacked:
        if sizes.count(-1) == 1:
            rest = 1
            for one in sizes:
                rest *= one if one != -1 else 1
            if not rest or value.size % rest:
                raise ValueError("cannot reshape array")
            sizes[sizes.index(-1)] = value.size // rest
        sizes = [trace.count, *sizes]
    return viewed(trace, value, data.reshape(sizes), stacked)


def _ravel(trace: Trace, value: Any, order: str = "C") -> Any:
    return _reshape(trace, value, -1, order=order)


def _flatten(trace: Trace, value: Any, order: str = "C") -> Any:
    found = _ravel(trace, value, order)
    return Item(trace, found.data.copy(), stacked=found.stacked, on_host=found.on_host)


def _trace(trace: Trace, a: Any, offset: int = 0) -> Any:
    a, data, stacked = _given(trace, a)
    if a.ndim != 2:
        refuse("the trace of an item that is no matrix")
    found = trace.cupy.trace(data, offset=offset, axis1=-2, axis2=-1)
    return wrapped(trace, found, stacked, [a])


def _diagonal(trace: Trace, a: Any, offset: int = 0) -> Any:
    a, data, stacked = _given(trace, a)
    if a.ndim != 2:
        refuse("the diagonal of an item that is no matrix")
    found = trace.cupy.diagonal(data, offset=offset, axis1=-2, axis2=-1)
    made = Item(trace, found, stacked=stacked, on_host=a.on_host)
    made.frozen = "NumPy's diagonal is not to be changed"
    return made


def _diag(trace: Trace, v: Any, k: int = 0) -> Any:
    from gpuport.runtime.batched.values import diag

    v, data, stacked = _given(trace, v)
    if v.ndim == 2:
        return _diagonal(trace, v, k)
    if v.ndim != 1:
        refuse("`diag` of an item that is no vector and no matrix")
    if k and stacked:
        refuse("`diag` of another diagonal")
    found = diag(data) if stacked else trace.cupy.diag(data, k)
    return wrapped(trace, found, stacked, [v])


def _triangle(name: str) -> Callable[..., Any]:
    def rule(trace: Trace, m: Any, k: int = 0) -> Any:
        m, data, stacked = _given(trace, m)
        if m.ndim != 2:
            refuse(f"`{name}` of an item that is no matrix")
        rows, columns = m.shape
        cupy = trace.cupy
        kept = getattr(cupy, name)(cupy.ones((rows, columns), bool), k)
        zero = cupy.zeros((), m.dtype)
        return wrapped(trace, cupy.where(kept, data, zero), stacked, [m])

    return rule


def _along(name: str, place: int) -> Callable[..., Any]:
    """A function of an array, other things, and an axis."""

    def rule(trace: Trace, value: Any, *given: Any, axis: Any = None, **options: Any) -> Any:
        value, data, stacked = _given(trace, value)
        rest = list(given)
        if axis is None and len(rest) > place:
            axis = rest.pop(place)
        if options or any(isinstance(one, Operand) for one in rest):
            refuse(f"`{name}` in this form")
        function = getattr(trace.cupy, name)
        if not stacked:
            return wrapped(trace, function(data, *rest, axis=axis), False, [value])
        if axis is None:
            refuse(f"`{name}` of an item without an axis")
        axes = (
            tuple(shifted(one, value.ndim) for one in axis)
            if isinstance(axis, (tuple, list))
            else shifted(axis, value.ndim)
        )
        return wrapped(trace, function(data, *rest, axis=axes), True, [value])

    return rule


def _flipped(trace: Trace, m: Any, axis: Any = None) -> Any:
    m = operand(trace, m)
    axes = range(m.ndim) if axis is None else [axis % m.ndim]
    return m[tuple(slice(None, None, -1) if k in axes else slice(None) for k in range(m.ndim))]


def _squeeze(trace: Trace, a: Any, axis: Any = None) -> Any:
    a = operand(trace, a)
    axes = [k for k, one in enumerate(a.shape) if one == 1] if axis is None else [axis % a.ndim]
    if any(a.shape[one] != 1 for one in axes):
        raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
    return a[tuple(0 if k in axes else slice(None) for k in range(a.ndim))]


def _expanded(trace: Trace, a: Any, axis: Any) -> Any:
    a = operand(trace, a)
    if not isinstance(axis, int):
        refuse("`expand_dims` of several axes")
    index: list[Any] = [slice(None)] * a.ndim
    index.insert(axis % (a.ndim + 1), None)
    return a[tuple(index)]


def _broadcast(trace: Trace, array: Any, shape: Any) -> Any:
    value, data, stacked = _given(trace, array)
    sizes = tuple(shape) if isinstance(shape, (tuple, list)) else (shape.__index__(),)
    if stacked:
        data, sizes = trace.aligned(value, len(sizes)), (trace.count, *sizes)
    found = Item(trace, trace.cupy.broadcast_to(data, sizes), stacked=stacked)
    found.frozen = "a broadcast array is changed"
    return found


SHAPES: dict[str, Callable[..., Any]] = {
    "transpose": _transpose,
    "swapaxes": _swapped,
    "moveaxis": _moved,
    "reshape": _reshape,
    "ravel": _ravel,
    "trace": _trace,
    "linalg.trace": _trace,
    "diagonal": _diagonal,
    "linalg.diagonal": _diagonal,
    "diag": _diag,
    "triu": _triangle("triu"),
    "tril": _triangle("tril"),
    "roll": _along("roll", 1),
    "flip": _flipped,
    "squeeze": _squeeze,
    "expand_dims": _expanded,
    "broadcast_to": _broadcast,
}

SHAPES_OF_METHODS: dict[str, Callable[..., Any]] = {
    "transpose": _transpose,
    "swapaxes": _swapped,
    "reshape": _reshape,
    "ravel": _ravel,
    "flatten": _flatten,
    "squeeze": _squeeze,
}
