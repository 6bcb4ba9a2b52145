"""What stands for a value of the program while the loop runs once for all items."""

from __future__ import annotations

from collections.abc import Sequence
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from gpuport.runtime.batched.grouping import together
from gpuport.runtime.items.arithmetic import LARGEST
from gpuport.runtime.items.containers import Columns, Objects, OuterDict, OuterList, OuterObject
from gpuport.runtime.items.domains import Counted
from gpuport.runtime.items.guards import Forbidden, Sum
from gpuport.runtime.items.item import WEAK_DTYPES, Item, Operand
from gpuport.runtime.items.knowledge import rule_of
from gpuport.runtime.items.names import traced_function, traced_module, traced_type
from gpuport.runtime.items.outside import OuterArray

if TYPE_CHECKING:
    from gpuport.runtime.items.trace import Trace

PLAIN = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis), slice, np.generic,
         np.dtype)  # fmt: skip
"""What is as it is for all items."""


def wrap(trace: Trace, value: Any) -> Any:
    """What stands for something that was there before the loop."""
    kind = type(value)
    if isinstance(value, (Operand, Sum, Objects, OuterList, OuterDict, OuterObject, Forbidden)):
        return value
    if kind is np.ndarray or isinstance(value, trace.cupy.ndarray):
        made = OuterArray(trace, value)
        trace.wrapped_arrays.append(made)
        return made
    if kind in (list, tuple):
        return OuterList(trace, value)
    if isinstance(value, tuple) and hasattr(kind, "_fields"):
        return kind(*map(trace.outer, value))
    if kind is range:
        return Counted(trace, value.start, value.stop, value.step)
    if kind is dict:
        return OuterDict(trace, value)
    if isinstance(value, ModuleType):
        return traced_module(trace, value.__name__)
    if isinstance(value, FunctionType):
        return traced_function(trace, value)
    if isinstance(value, MethodType) and isinstance(value.__func__, FunctionType):
        return MethodType(traced_function(trace, value.__func__), trace.outer(value.__self__))
    if isinstance(value, type):
        return traced_type(trace, value)
    if isinstance(value, BuiltinFunctionType) or _is_foreign(kind):
        return _of_library(trace, value)
    return OuterObject(trace, value)


def _of_library(trace: Trace, value: Any) -> Any:
    name = getattr(value, "__name__", type(value).__name__)
    path = f"{getattr(value, '__module__', None) or ''}.{name}"
    if isinstance(value, np.ufunc):
        path = f"numpy.{name}"
    if callable(value) and rule_of(path) is not None:
        return lambda *given, **options: trace.call(path, *given, **options)
    return Forbidden(name)


def each(trace: Trace, values: Sequence[Any]) -> Any:
    """What differs from item to item.

    Parameters
    ----------
    values : sequence of object
        Of each item its own.
    """
    kinds = {type(one) for one in values}
    if len(kinds) > 1 and not kinds <= {np.ndarray, trace.cupy.ndarray}:
        return _mixed(trace, values, kinds)
    kind = kinds.pop() if len(kinds) == 1 else trace.cupy.ndarray
    if kind in (np.ndarray, trace.cupy.ndarray):
        return _stack(trace, values)
    if kind in (bool, int, float):
        if kind is int and max(map(abs, values)) >= LARGEST:
            return Objects(trace, list(values))
        return Item(trace, known=np.array(values, WEAK_DTYPES[kind.__name__]),
                    weak=kind.__name__, on_host=True)  # fmt: skip
    if issubclass(kind, np.generic):
        if len({one.dtype for one in values}) == 1 and values[0].dtype.kind in "biufc":
            return Item(trace, known=np.array(values), on_host=True)
        return Objects(trace, list(values))
    if kind is list:
        trace.uniform(np.array([len(one) for one in values]))
        return Columns(each(trace, column) for column in zip(*values, strict=True))
    if issubclass(kind, tuple) and len({len(one) for one in values}) == 1:
        make = getattr(kind, "_make", tuple)
        return make(each(trace, column) for column in zip(*values, strict=True))
    if all(one is values[0] for one in values):
        return trace.outer(values[0])
    return Objects(trace, list(values))


def _mixed(trace: Trace, values: Sequence[Any], kinds: set[type]) -> Any:
    names = sorted(one.__name__ for one in kinds)
    labels = np.array([names.index(type(one).__name__) for one in values])
    if len(names) == len(kinds):
        trace.uniform(labels)
    return Objects(trace, list(values))


def _stack(trace: Trace, values: Sequence[Any]) -> Item:
    forms = [(one.shape, one.dtype.str, type(one).__module__) for one in values]
    distinct = {form: number for number, form in enumerate(dict.fromkeys(forms))}
    trace.uniform(np.array([distinct[one] for one in forms]))
    trace.listed += values
    why = "an array of a list is changed in place"
    if type(values[0]) is np.ndarray:
        return Item(trace, known=np.stack(values), frozen=why, on_host=True)
    return Item(trace, together(trace.cupy, list(values)), frozen=why)


def _is_foreign(kind: type) -> bool:
    root = (kind.__module__ or "").partition(".")[0]
    return root in ("builtins", "numpy", "cupy", "cupyx", "scipy", "gpuport") or not hasattr(
        kind, "__dict__"
    )
