"""CuPy's ufunc over NumPy's: strict operands, C order, no floating point warnings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gpuport.host import indexing
from gpuport.host.arithmetic import OWN
from gpuport.host.array.base import wrap_as
from gpuport.host.counters import KERNELS
from gpuport.host.dtypes import SCALAR_TYPES, SUPPORTED_CHARS, flush_denormals
from gpuport.host.memoryorder import in_c_order
from gpuport.host.ndarray import FUNCTIONS, ndarray, wrap
from gpuport.host.operands import all_of, comparable, operand, store_cast
from gpuport.host.promotion import RULE, by_value
from gpuport.host.silence import quiet, restore
from gpuport.host.structured import compare
from gpuport.host.tracing import TRACES, current
from gpuport.host.ufuncerrors import check_shapes, kind_of, type_error, value_error, wrong_type

_FLOAT32 = np.dtype(np.float32)
_ACCUMULATE = {"cupy_add": "cumsum", "cupy_multiply": "cumprod"}
_REDUCE = {"cupy_add": "sum", "cupy_multiply": "prod"}
_WIDE = ("int32", "int64")
_AT = {
    "cupy_add": (*_WIDE, "float16", "float32", "float64", "uint32", "uint64"),
    "cupy_subtract": ("int32", "uint32"),
    "cupy_maximum": (*_WIDE, "float32", "float64", "uint32", "uint64"),
    "cupy_minimum": (*_WIDE, "float32", "float64", "uint32", "uint64"),
    "cupy_bitwise_and": (*_WIDE, "uint32", "uint64"),
    "cupy_bitwise_or": (*_WIDE, "uint32", "uint64"),
    "cupy_bitwise_xor": (*_WIDE, "uint32", "uint64"),
}
"""Element types into which there are atomic operations."""
_AT_DTYPES = {name: frozenset(map(np.dtype, listed)) for name, listed in _AT.items()}

_COMPARISONS = {
    "cupy_equal", "cupy_not_equal", "cupy_less", "cupy_less_equal", "cupy_greater",
    "cupy_greater_equal",
}  # fmt: skip
_STRUCTURED = frozenset({"cupy_equal", "cupy_not_equal"})
_REFUSED = {
    "cupy_logical_and": "c",
    "cupy_logical_or": "c",
    "cupy_logical_xor": "c",
    "cupy_logical_not": "c",
}
"""Kinds of elements that NumPy's function takes and CuPy's has no loop for."""


class ufunc:
    """A universal function on device arrays."""

    __module__ = "cupy._core._kernel"
    __slots__ = (
        "__name__", "_compute", "_numpy", "_refuses", "_types", "name", "nargs", "nin", "nout",
    )  # fmt: skip

    def __init__(self, name: str, alias: str, nin: int, nout: int, types: str = "") -> None:
        self.name = "cupy_" + name if not name.startswith("cupy_") else name
        self.__name__ = self.name
        self.nin, self.nout, self.nargs = nin, nout, nin + nout
        self._types = types
        self._numpy = getattr(np, alias)
        self._refuses = _REFUSED.get(self.name, "")
        self._compute: Callable[..., Any] | None = OWN.get(self.name)
        if self._compute is None and not isinstance(self._numpy, np.ufunc):
            self._compute = self._numpy

    def __repr__(self) -> str:
        return f"<ufunc '{self.name}'>"

    @property
    def types(self) -> list[str]:
        """The types that there are loops for: ``"ff->f"``."""
        return self._types.split()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        trace = TRACES and current()
        if trace:
            return trace.ufunc(self, args, kwargs)
        count = len(args)
        if kwargs or count != self.nin:
            if count == self.nin + 1 and not kwargs and self.nout == 1:
                done = self._in_place(args)
                if done is not None:
                    return done
            elif count == self.nin and self.nout == 1 and len(kwargs) == 1 and "out" in kwargs:
                done = self._in_place((*args, kwargs["out"]))
                if done is not None:
                    return done
            return self._general(args, kwargs)
        values = []
        template = None
        for value in args:
            kind = type(value)
            if kind is ndarray:
                values.append(value._a)
            elif kind in SCALAR_TYPES:
                values.append(value)
            else:
                values.append(operand(value))
                if template is None and isinstance(value, ndarray):
                    template = value
        result = self._evaluate(values, None)
        if self.nout == 1:
            if result.size:  # nothing is launched for no elements
                KERNELS[self.name] += 1
            return wrap(result) if template is None else _like(template, result)
        if result[0].size:
            KERNELS[self.name] += 1
        if template is not None:
            return _like(template, result)
        return tuple(wrap(part) for part in result)

    def _in_place(self, args: tuple[Any, ...]) -> Any:
        """``x += y`` and the like, quickly; None where anything is out of the ordinary."""
        out = args[-1]
        if type(out) is not ndarray:
            return None
        target = out._a
        values = []
        for value in args[:-1]:
            kind = type(value)
            if kind is ndarray and value._a.shape == target.shape:
                values.append(value._a)
            elif kind in SCALAR_TYPES:
                values.append(value)
            else:
                return None
        if self.name in _SAME_TYPE and target.dtype.kind == "f" and all_of(target.dtype, values):
            token = quiet()
            try:
                self._numpy(*values, out=target)
                if target.dtype is _FLOAT32:
                    flush_denormals(target)
            finally:
                restore(token)
        else:
            result = self._evaluate(values, None)
            if result.dtype != target.dtype or result.shape != target.shape:
                return None
            target[...] = result
        if target.size:
            KERNELS[self.name] += 1
        return out

    def _evaluate(self, values: list[Any], dtype: Any) -> Any:
        if RULE.by_value and dtype is None:
            values = by_value(values)
        token = quiet()
        try:
            if self._refuses and any(kind_of(value) in self._refuses for value in values):
                raise wrong_type(self.name, values)
            if self._compute is not None:
                if dtype is not None:
                    values = [np.asarray(value).astype(dtype) for value in values]
                result = _in_c_order(self._compute(*values))
            elif dtype is not None:
                result = self._numpy(*values, order="C", dtype=dtype, casting="unsafe")
            else:
                result = self._numpy(*values, order="C")
            if self.nout == 1 and result.dtype is _FLOAT32:
                result = np.asarray(result)
                flush_denormals(result)
        except OverflowError:
            plain = comparable(values) if self.name in _COMPARISONS else values
            if plain is values:
                raise
            return self._evaluate(plain, dtype)
        except ValueError as error:
            raise value_error(error, values) from None
        except TypeError as error:
            if self.name in _STRUCTURED and (compared := compare(self.name, values)) is not None:
                return compared
            check_shapes(values)
            raise type_error(self.name, error, values, dtype) from None
        finally:
            restore(token)
        return result

    def _general(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        out = kwargs.pop("out", None)
        dtype = kwargs.pop("dtype", None)
        casting = kwargs.pop("casting", "same_kind")
        kwargs.pop("sig", None)
        if kwargs:
            raise TypeError(f"Wrong arguments {kwargs}")
        if not self.nin <= len(args) <= self.nargs:
            raise TypeError(
                f"Wrong number of arguments for {self.name!r}. It must be either {self.nin} or "
                f"{self.nargs} (with outputs), but given {len(args)}."
            )
        outs: tuple[Any, ...] = args[self.nin :]
        if out is not None:
            if outs:
                raise ValueError("Cannot specify 'out' as both a positional and keyword argument")
            if self.nout > 1 and not isinstance(out, tuple):
                raise ValueError("'out' must be a tuple of arrays")
            outs = out if isinstance(out, tuple) else (out,)
        if dtype is not None and not self._gives(dtype := np.dtype(dtype)):
            raise TypeError(f"Wrong type ({dtype}) of arguments for {self.name}")
        values = [operand(value) for value in args[: self.nin]]
        for target in outs:
            if target is not None:
                operand(target)
        shapes = [np.shape(v) for v in values] + [t.shape for t in outs if t is not None]
        try:
            shape = np.broadcast_shapes(*shapes)
        except ValueError:
            listed = " ".join(str(s) for s in shapes)
            raise ValueError(
                f"operands could not be broadcast together with shapes {listed}"
            ) from None
        if any(target is not None and target.shape != shape for target in outs):
            raise ValueError("Out shape is mismatched")
        result = self._evaluate(values, dtype)
        results = (result,) if self.nout == 1 else result
        finished = [
            store_cast(part, outs[i] if i < len(outs) else None, casting)
            for i, part in enumerate(results)
        ]
        if finished[0].size:
            KERNELS[self.name] += 1
        return finished[0] if self.nout == 1 else tuple(finished)

    def _gives(self, dtype: np.dtype[Any]) -> bool:
        """Whether there is a loop all of whose results are of this type."""
        if dtype.char not in SUPPORTED_CHARS or not self._types:
            return dtype.char in SUPPORTED_CHARS
        made = (loop.rpartition("->")[2] for loop in self._types.split())
        return any(all(np.dtype(char) == dtype for char in chars) for chars in made)

    def _refuse(self, method: str) -> NotImplementedError:
        return NotImplementedError(f"`{self.name}.{method}` is not supported yet")

    def reduce(
        self, array: Any, axis: Any = 0, dtype: Any = None, out: Any = None, keepdims: bool = False
    ) -> Any:
        """Reduce along `axis`."""
        if self.name not in _REDUCE:
            raise self._refuse("reduce")
        return getattr(array, _REDUCE[self.name])(axis, dtype, out, keepdims)

    def accumulate(self, array: Any, axis: Any = 0, dtype: Any = None, out: Any = None) -> Any:
        """Running reduction along `axis`."""
        if self.name not in _ACCUMULATE:
            raise self._refuse("accumulate")
        return getattr(array, _ACCUMULATE[self.name])(axis, dtype, out)

    def reduceat(
        self, array: Any, indices: Any, axis: Any = 0, dtype: Any = None, out: Any = None
    ) -> Any:
        """Reduce slices."""
        if self.name != "cupy_add":
            raise self._refuse("reduceat")
        KERNELS["cupy_add_reduceat"] += 1
        host = indices._a if isinstance(indices, ndarray) else indices
        return store_cast(np.add.reduceat(array._a, host, axis, dtype), out, "same_kind")

    def at(self, a: Any, indices: Any, b: Any = None) -> None:
        """Apply in place at the indices, duplicates included."""
        if self.name not in _AT:
            raise self._refuse("at")
        scattered = isinstance(a, ndarray) and _names_places(indices)
        if scattered and a._a.dtype not in _AT_DTYPES[self.name]:
            listed = ", ".join(_AT[self.name])
            name = self.name.replace("_", ".", 1)
            comma = "," if self.name == "cupy_subtract" else ""  # as CuPy's own message has it
            raise TypeError(f"{name}.at only supports {listed}{comma} as data type")
        indexing.scatter(a, indices, b, self._numpy)

    def outer(self, A: Any, B: Any, **kwargs: Any) -> Any:
        """Apply to all pairs."""
        left = A if isinstance(A, ndarray) else FUNCTIONS["array"](A)
        right = B if isinstance(B, ndarray) else FUNCTIONS["array"](B)
        shape = left.shape + (1,) * right.ndim
        return self(left.reshape(shape), right, **kwargs)


def _names_places(indices: Any) -> bool:
    """Whether an index holds whole numbers: through masks and slices all types are written.

    Source: ``_ndarray_scatter_add`` and its like, _routines_indexing.pyx.
    """
    for part in indices if isinstance(indices, tuple) else (indices,):
        held = part._a if isinstance(part, ndarray) else part
        values = np.asarray(held) if isinstance(held, list) else held
        if isinstance(values, np.ndarray) and values.dtype.kind in "iu":
            return True
    return False


def _in_c_order(result: Any) -> Any:
    if type(result) is tuple:
        return tuple(in_c_order(part) for part in result)
    return in_c_order(result)


def _like(template: ndarray, result: Any) -> Any:
    """Results of the class of the first operand that is of a subclass, as CuPy gives them."""
    if isinstance(result, tuple):
        return tuple(_like(template, part) for part in result)
    return wrap_as(type(template), result, template, view=False)


_SAME_TYPE = frozenset({"cupy_add", "cupy_subtract", "cupy_multiply", "cupy_true_divide"})
"""Ufuncs whose result has the type of their operands where these are floating."""
