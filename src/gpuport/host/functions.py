"""Functions of the main namespace where CuPy differs from NumPy in more than strictness."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuport.host import counters
from gpuport.host.counters import KERNELS
from gpuport.host.dtypes import flush_denormals
from gpuport.host.ndarray import ndarray, wrap
from gpuport.host.registry import implements
from gpuport.host.state import cupy_major
from gpuport.host.ufuncs import operand, store_cast


def _typed(value: Any, name: str) -> Any:
    if not isinstance(value, ndarray):
        raise TypeError(
            f"Argument '{name}' has incorrect type (expected cupy._core.core._ndarray_base, "
            f"got {type(value).__name__})"
        )
    return value._a


def _axis(axis: Any, ndim: int) -> int:
    """A valid axis.

    Raises
    ------
    numpy.exceptions.AxisError
    """
    if not -ndim <= axis < ndim:
        raise np.exceptions.AxisError(axis, ndim)
    return int(axis)


def _wrapped(indices: Any, length: int) -> Any:
    """Indices brought into range, computed wide: a length need not fit the indices' type."""
    wide = indices if indices.dtype == np.uint64 else indices.astype(np.int64)
    return np.mod(wide, length) if length else wide


@implements("cupy.take")
def take(a: Any, indices: Any, axis: Any = None, out: Any = None) -> Any:
    """Elements at `indices`, wrapped into range."""
    values = a._a if isinstance(a, ndarray) else a.take
    if values.ndim == 0 and axis in (0, -1):
        axis = None
    length = values.size if axis is None else values.shape[_axis(axis, values.ndim)]
    where = indices._a if isinstance(indices, ndarray) else np.asarray(indices)
    if not isinstance(indices, ndarray) and where.ndim:
        counters.h2d(where.nbytes)
    if out is not None:
        _check_taken(values, where, axis, out)
    if values.size == 0 and where.size and 0 not in _taken_shape(values, where, axis):
        raise IndexError("cannot do a non-empty take from an empty axes.")
    KERNELS["cupy_take"] += 1
    result = np.asarray(np.take(values, _wrapped(where, length), axis))
    if out is None:
        return wrap(result)
    out._a[...] = result
    return out


def _taken_shape(values: Any, where: Any, axis: Any) -> tuple[int, ...]:
    if axis is None:
        return tuple(where.shape)
    axis %= values.ndim
    return tuple(values.shape[:axis] + where.shape + values.shape[axis + 1 :])


def _check_taken(values: Any, where: Any, axis: Any, out: ndarray) -> None:
    if out.dtype != values.dtype:
        raise TypeError("Output dtype mismatch")
    if out.shape != _taken_shape(values, where, axis):
        raise ValueError("Output shape mismatch")


@implements("cupy.put")
def put(a: Any, ind: Any, v: Any, mode: str = "wrap") -> None:
    """Overwrite flat elements."""
    if mode not in ("raise", "wrap", "clip"):
        raise ValueError("clipmode not understood")
    where = ind._a if isinstance(ind, ndarray) else np.asarray(ind)
    values = v._a if isinstance(v, ndarray) else np.asarray(v)
    KERNELS["cupy_put"] += 1
    if mode == "raise":
        counters.sync()
    np.put(a._a, where, values, mode)  # type: ignore[arg-type]


@implements("cupy.where")
def where(condition: Any, x: Any = None, y: Any = None) -> Any:
    """Choose elementwise, or the indices where true."""
    missing = (x is None, y is None)
    if all(missing):
        KERNELS["cupy_nonzero"] += 3
        counters.sync()
        return tuple(wrap(part) for part in np.nonzero(condition._a))
    if any(missing):
        raise ValueError("Must provide both 'x' and 'y' or neither.")
    KERNELS["cupy_where"] += 1
    result = np.where(operand(condition), operand(x), operand(y))
    return wrap(np.ascontiguousarray(result) if result.ndim else result)


@implements("cupy.clip")
def clip(a: Any, a_min: Any, a_max: Any, out: Any = None) -> Any:
    """Limit values."""
    if a_min is None and a_max is None and cupy_major() < 14:
        raise ValueError("array_clip: must set either max or min")
    KERNELS["cupy_clip"] += 1
    low = None if a_min is None else operand(a_min)
    high = None if a_max is None else operand(a_max)
    result = np.asarray(np.clip(operand(a), low, high))
    if out is None:
        return wrap(np.ascontiguousarray(result) if result.ndim else result)
    out._a[...] = result
    return out


def _positions(name: str) -> Any:
    def position(
        a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False
    ) -> Any:
        if not isinstance(a, ndarray):
            return getattr(a, name)(axis, out, keepdims)
        if a.size == 0 and (axis is None or a._a.shape[axis] == 0):
            raise ValueError(
                f"zero-size array to reduction operation cupy_{name} which has no identity"
            )
        KERNELS["cupy_" + name] += 1
        result = getattr(np, name)(a._a, axis, keepdims=bool(keepdims))
        # the kernel's type is long long, which NumPy prints apart from int64
        result = np.asarray(result).astype(dtype or np.dtype("q"))
        if out is None:
            return wrap(result)
        out._a[...] = result
        return out

    return position


implements("cupy.argmax")(_positions("argmax"))
implements("cupy.argmin")(_positions("argmin"))


@implements("cupy.concatenate", "cupy.concat")
def concatenate(
    tup: Any, axis: Any = 0, out: Any = None, *, dtype: Any = None, casting: str = "same_kind"
) -> Any:
    """Join along an axis."""
    if out is not None and dtype is not None:
        raise TypeError("concatenate() only takes `out` or `dtype` as an argument, but both were")
    values = []
    for part in tup:
        if not isinstance(part, ndarray):
            raise TypeError(f"Unsupported type {type(part)}")
        values.append(part._a)
    KERNELS["cupy_concatenate"] += len(values)
    dtype = out.dtype if out is not None else dtype
    result = np.concatenate(values, axis, dtype=dtype, casting=casting)  # type: ignore[call-overload]
    if out is None:
        return wrap(np.ascontiguousarray(result))
    out._a[...] = result
    return out


def _onto_device(values: Any) -> list[Any]:
    """vstack and hstack move host arrays first (``atleast_nd`` calls ``array``)."""
    from gpuport.host.creation import array

    return [x if isinstance(x, ndarray) else array(x) for x in values]


def _stacked(name: str) -> Any:
    def stack(tup: Any, *, dtype: Any = None, casting: str = "same_kind") -> Any:
        parts = [part._a for part in _onto_device(tup)]
        KERNELS["cupy_concatenate"] += len(parts)
        return wrap(getattr(np, name)(parts, dtype=dtype, casting=casting))

    return stack


implements("cupy.vstack")(_stacked("vstack"))
implements("cupy.hstack")(_stacked("hstack"))


@implements("cupy.stack")
def stack(
    tup: Any, axis: int = 0, out: Any = None, *, dtype: Any = None, casting: str = "same_kind"
) -> Any:
    """Join along a new axis."""
    if out is not None and dtype is not None:
        raise TypeError("concatenate() only takes `out` or `dtype` as an argument, but both were")
    values = [_typed(part, "a") for part in tup]
    KERNELS["cupy_concatenate"] += len(values)
    result = np.stack(values, axis, dtype=dtype, casting=casting)  # type: ignore[call-overload]
    if out is None:
        return wrap(result)
    out._a[...] = result
    return out


@implements("cupy.matmul")
def matmul(x1: Any, x2: Any, /, out: Any = None, **kwargs: Any) -> Any:
    """Matrix product."""
    KERNELS["cupy_matmul"] += 1
    casting = kwargs.pop("casting", "same_kind")
    into, kwargs["out"] = (out[0] if isinstance(out, tuple) else out), None
    if into is not None and "axes" in kwargs:
        kwargs["out"] = np.empty(into.shape, np.result_type(operand(x1), operand(x2)))
    with np.errstate(all="ignore"):
        result = np.asarray(np.matmul(operand(x1), operand(x2), **kwargs))
    if result.dtype == np.float32:
        flush_denormals(result)
    if into is not None and into.shape != result.shape:
        result = np.broadcast_to(result, into.shape)
    return store_cast(result, into, casting)


@implements("cupy.piecewise")
def piecewise(x: Any, condlist: Any, funclist: Any) -> Any:
    """Choose constants by conditions."""
    if any(callable(function) for function in funclist):
        raise NotImplementedError("Callable functions are not supported currently")
    conditions = [_typed(condition, "a") for condition in condlist]
    KERNELS["cupy_piecewise"] += len(conditions)
    return wrap(np.piecewise(_typed(x, "a"), conditions, [operand(f) for f in funclist]))


@implements("cupy.nonzero")
def nonzero(a: Any) -> Any:
    """Indices of elements that are not zero."""
    if isinstance(a, ndarray) and a.ndim == 0:
        raise ValueError(
            "Calling nonzero on 0d arrays is not allowed. "
            "Use cp.atleast_1d(scalar).nonzero() instead."
        )
    KERNELS["cupy_nonzero"] += 3
    counters.sync()
    return tuple(wrap(part) for part in np.nonzero(_typed(a, "a")))


def _sorted(name: str) -> Any:
    def sort(a: Any, axis: Any = -1, kind: Any = None) -> Any:
        if kind is not None and kind != "stable":
            raise ValueError("kind can only be None or 'stable'")
        values = a._a if isinstance(a, ndarray) else a
        if values.ndim == 0 and name == "sort":
            raise np.exceptions.AxisError("Sorting arrays with the rank of zero is not supported")
        values = np.atleast_1d(values)
        result = np.asarray(getattr(np, name)(values, axis, kind="stable"))
        if not isinstance(a, ndarray):
            return result
        KERNELS["cupy_" + name] += 1
        return wrap(result)

    return sort


implements("cupy.sort")(_sorted("sort"))
implements("cupy.argsort")(_sorted("argsort"))


@implements("cupy.allclose")
def allclose(
    a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> Any:
    """0-d device array: whether all are close."""
    left, right, relative, absolute = (
        x._a if isinstance(x, ndarray) else x for x in (a, b, rtol, atol)
    )
    KERNELS["cupy_isclose"] += 1
    KERNELS["cupy_all"] += 1
    return wrap(np.asarray(np.allclose(left, right, relative, absolute, equal_nan)))


@implements("cupy.array_equal")
def array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> Any:
    """0-d device array: whether shapes and elements are equal."""
    left, right = (x._a if isinstance(x, ndarray) else x for x in (a1, a2))
    KERNELS["cupy_equal"] += 1
    KERNELS["cupy_all"] += 1
    return wrap(np.asarray(np.array_equal(left, right, equal_nan)))


def _shares(name: str) -> Any:
    def shares(a: Any, b: Any, max_work: Any = None) -> Any:
        return bool(getattr(np, name)(a._a, b._a))

    return shares


implements("cupy.shares_memory")(_shares("shares_memory"))
implements("cupy.may_share_memory")(_shares("may_share_memory"))


@implements("cupy.size")
def size(a: Any, axis: Any = None) -> int:
    """Number of elements."""
    return int(np.prod(a.shape)) if axis is None else int(a.shape[axis])


@implements("cupy.ndim")
def ndim(a: Any) -> int:
    """Number of axes."""
    return int(a.ndim) if isinstance(a, ndarray) else np.ndim(a)


@implements("cupy.shape")
def shape(a: Any) -> tuple[int, ...]:
    """Lengths of the axes."""
    return tuple(a.shape) if isinstance(a, ndarray) else np.shape(a)


@implements("cupy.bincount")
def bincount(x: Any, weights: Any = None, minlength: Any = None) -> Any:
    """Number of occurrences."""
    values = x._a
    if values.ndim > 1:
        raise ValueError("object too deep for desired array")
    if values.ndim < 1:
        raise ValueError("object of too small depth for desired array")
    if values.dtype.kind == "f":
        raise TypeError("x must be int array")
    counters.sync()
    if values.size and values.min() < 0:
        raise ValueError("The first argument of bincount must be non-negative")
    counters.sync()
    KERNELS["cupy_bincount"] += 2
    heavy = None if weights is None else weights._a
    return wrap(np.bincount(values, heavy, minlength or 0))


@implements("cupy.repeat")
def repeat(a: Any, repeats: Any, axis: Any = None) -> Any:
    """Repeat elements; counts that differ are read back, one launch a piece."""
    values = a._a
    if isinstance(repeats, ndarray):
        repeats = repeats.get()
    counts = np.atleast_1d(np.asarray(repeats))
    KERNELS["cupy_repeat"] += max(1, int(counts.size))
    return wrap(np.repeat(values, counts if counts.size > 1 else counts[0], axis))


def _membership(flat: bool) -> Any:
    def isin(
        element: Any, test_elements: Any, assume_unique: bool = False, invert: bool = False
    ) -> Any:
        left = element.ravel()._a if flat else element._a
        KERNELS["cupy_isin"] += 3
        return wrap(np.isin(left, test_elements.ravel()._a, invert=invert))

    return isin


implements("cupy.isin")(_membership(False))
implements("cupy.in1d")(_membership(True))


@implements("cupy.select")
def select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    """Choose by the first true condition."""
    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    if len(condlist) == 0:
        raise ValueError("select with an empty condition list is not possible")
    if not np.isscalar(default):
        raise TypeError("default only accepts scalar values")
    for place, (condition, choice) in enumerate(zip(condlist, choicelist, strict=True)):
        if not isinstance(choice, ndarray):
            raise TypeError("choicelist only accepts lists of cupy ndarrays")
        if condition.dtype != np.bool_:
            raise ValueError(f"invalid entry {place} in condlist: should be boolean ndarray")
    KERNELS["cupy_copyto"] += len(condlist) + 1
    choices: list[Any] = [x._a for x in choicelist]
    found = np.select([x._a for x in condlist], choices, default)
    return wrap(found.astype(np.result_type(*choices)))


@implements("cupy.fill_diagonal")
def fill_diagonal(a: Any, val: Any, wrap: bool = False) -> None:
    """Write the diagonal."""
    KERNELS["cupy_fill_diagonal"] += 1
    np.fill_diagonal(a._a, val._a if isinstance(val, ndarray) else val, wrap)


def _saver(name: str) -> Any:
    def save(*args: Any, **kwargs: Any) -> None:
        host = [x.get() if isinstance(x, ndarray) else x for x in args]
        named = {k: x.get() if isinstance(x, ndarray) else x for k, x in kwargs.items()}
        getattr(np, name)(*host, **named)

    return save


for _name in ("save", "savez", "savez_compressed", "savetxt"):
    implements("cupy." + _name)(_saver(_name))


class _Archive:
    """An ``.npz`` file whose members come as device arrays."""

    def __init__(self, archive: Any) -> None:
        self.npz_file = archive
        self.files = archive.files

    def __enter__(self) -> _Archive:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.npz_file.close()

    def __getitem__(self, key: str) -> Any:
        from gpuport.host.creation import array

        return array(self.npz_file[key])

    def close(self) -> None:
        """Close the file."""
        self.npz_file.close()


def _loader(name: str) -> Any:
    def load(*args: Any, **kwargs: Any) -> Any:
        from gpuport.host.creation import array

        found = getattr(np, name)(*args, **kwargs)
        return array(found) if isinstance(found, np.ndarray) else _Archive(found)

    return load


for _name in ("loadtxt", "genfromtxt", "fromfile", "fromiter", "fromstring", "frombuffer", "load"):
    implements("cupy." + _name)(_loader(_name))


def _text(name: str) -> Any:
    def show(a: Any, *args: Any, **kwargs: Any) -> str:
        return str(getattr(np, name)(a.get() if isinstance(a, ndarray) else a, *args, **kwargs))

    return show


for _name in ("array_str", "array_repr", "array2string"):
    implements("cupy." + _name)(_text(_name))


@implements("cupy.dot")
def dot(a: Any, b: Any, out: Any = None) -> Any:
    """Product over the last axis of `a` and the second-last of `b`."""
    left, right = operand(a), operand(b)
    if out is not None:
        if np.result_type(left, right) != out.dtype:
            raise ValueError("Not supported dtype combination.")
        if not out.flags.c_contiguous:
            raise ValueError("Output array must be C-contiguous")
    KERNELS["cupy_dot"] += 1
    with np.errstate(all="ignore"):
        result = np.asarray(np.dot(left, right))
    if result.dtype == np.float32:
        flush_denormals(result)
    if out is None:
        return wrap(result)
    if out.shape != result.shape:
        raise ValueError("Output array has an invalid shape")
    out._a[...] = result
    return out


@implements("cupy.lexsort")
def lexsort(keys: Any) -> Any:
    """Indices that sort by several keys, the last one first."""
    if keys.ndim == 0:
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    if keys.ndim > 2:
        raise NotImplementedError("Keys with the rank of three or more is not supported in lexsort")
    KERNELS["cupy_lexsort"] += 1
    return wrap(np.asarray(np.lexsort(keys._a)) if keys.ndim > 1 else np.array(0, np.intp))


_FLAGS = {
    "C": "C", "C_CONTIGUOUS": "C", "CONTIGUOUS": "C", "F": "F", "F_CONTIGUOUS": "F",
    "FORTRAN": "F", "O": "O", "OWNDATA": "O",
}  # fmt: skip


@implements("cupy.require")
def require(a: Any, dtype: Any = None, requirements: Any = None) -> Any:
    """Device array of a layout."""
    from gpuport.host.creation import asanyarray

    if not requirements:
        try:
            return asanyarray(a, dtype)
        except TypeError:
            raise ValueError(f'Incorrect dtype "{dtype}" provided') from None
    unknown = [flag for flag in requirements if flag.upper() not in _FLAGS]
    if unknown:
        raise ValueError(f'Incorrect flag "{unknown[0]}" in requirements')
    wanted = {_FLAGS[flag.upper()] for flag in requirements}
    if wanted >= {"C", "F"}:
        raise ValueError('Cannot specify both "C" and "F" order')
    order = "F" if "F" in wanted else "C" if "C" in wanted else "A"
    try:
        found = asanyarray(a, dtype, order)
    except TypeError:
        raise ValueError(f'Incorrect dtype "{dtype}" provided') from None
    return found.copy(order) if "O" in wanted and not found.flags.owndata else found


def _part(name: str) -> Any:
    def part(val: Any) -> Any:
        from gpuport.host.creation import array

        return getattr(val if isinstance(val, ndarray) else array(val), name)

    part.__name__ = part.__qualname__ = name
    return part


implements("cupy.real")(_part("real"))
implements("cupy.imag")(_part("imag"))
