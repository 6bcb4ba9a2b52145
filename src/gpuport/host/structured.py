"""Structured element types (CuPy 14): alignment on the device, fields, comparisons."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuport.host.array.base import Array, wrap
from gpuport.host.registry import implements

_ALIGNMENT = "__cuda_alignment__"


def _alignment(dtype: np.dtype[Any]) -> int:
    """Alignment on the device of an element type without fields, in bytes."""
    if dtype.subdtype is not None:
        base = dtype.subdtype[0]
        if base.fields is not None:
            raise ValueError("CuPy does not yet support subarray dtypes.")
        return _alignment(base)
    return 1 if dtype.kind == "V" else dtype.itemsize


def _own_alignment(dtype: np.dtype[Any]) -> int | None:
    metadata: Any = dtype.metadata or {}
    found = metadata.get(_ALIGNMENT)
    return None if found is None else int(found)


def check_kernel_type(dtype: np.dtype[Any]) -> int:
    """Alignment of `dtype`; kernels are launched for aligned types only.

    Raises
    ------
    ValueError
        As ``_build_struct_typename`` of CuPy's _scalar.pyx does.
    """
    if dtype.fields is None:
        return _own_alignment(dtype) or _alignment(dtype)
    alignment = _own_alignment(dtype) or dtype.alignment
    for name, field in dtype.fields.items():
        kind, offset = field[0], field[1]
        needed = check_kernel_type(kind)
        alignment = max(alignment, needed)
        if offset % needed:
            raise ValueError(
                f"Field {name} with offset {offset} is not aligned to {needed} in dtype {dtype}. "
                "This is not supported by CuPy please ensure the structure is aligned. You can do "
                "so with the `make_aligned_dtype()` helper."
            )
    if dtype.itemsize % alignment:
        raise ValueError(
            f"Itemsize {dtype.itemsize} is not a multiple of alignment {alignment} for dtype "
            f"{dtype} and kernel launches are not supported. You can ensure compatibility with "
            "the `make_aligned_dtype()` helper (or try `align=True`)."
        )
    return alignment


@implements("cupy.make_aligned_dtype")
def make_aligned_dtype(dtype: Any, *, alignment: int = -1, recurse: bool = True) -> np.dtype[Any]:
    """Structured dtype whose fields are aligned as the device needs them."""
    if np.dtype(dtype, align=True).fields is None:
        raise ValueError("make_aligned_dtype() only supports structured dtypes.")
    return _aligned(dtype, alignment, recurse)[0]


def _aligned(dtype: Any, alignment: int, recurse: bool) -> tuple[np.dtype[Any], int]:
    if alignment != -1 and (alignment <= 0 or alignment.bit_count() != 1):
        raise ValueError("Reasonable alignments must be >0 and a power of 2.")
    given = np.dtype(dtype, align=True)
    offsets, formats, end, behind, needed = [], [], 0, 0, 1
    for kind, offset, *_ in (given.fields or {}).values():
        if offset < behind:
            raise ValueError(
                "make_aligned_dtype() only supports well behaved in-order fields as it ignores "
                "field offsets."
            )
        behind = offset + kind.itemsize
        own = _own_alignment(kind)
        if own is None and kind.fields is not None:
            kind, own = _aligned(kind, -1, True) if recurse else (kind, kind.alignment)
        own = own or _alignment(kind)
        end += -end % own
        needed = max(needed, own)
        offsets.append(end)
        formats.append(kind)
        end += kind.itemsize
    metadata: dict[str, Any] = {}
    if alignment != -1:
        if alignment < needed:
            raise ValueError(
                f"make_aligned_dtype(): given alignment={alignment} smaller than minimum "
                f"alignment {needed}"
            )
        needed, metadata = alignment, {"metadata": {_ALIGNMENT: alignment}}
    itemsize = end + -end % needed
    if given.itemsize > itemsize:
        raise ValueError("Input descriptor had larger itemsize than inferred.")
    layout = {"names": given.names, "offsets": offsets, "formats": formats, "itemsize": itemsize}
    made: Any = np.dtype
    return made(layout, align=True, **metadata), needed


def names_fields(dtype: np.dtype[Any], key: Any) -> bool:
    """Whether an index names fields of elements of this type."""
    if dtype.fields is None:
        return False
    return isinstance(key, str) or (
        isinstance(key, list) and all(isinstance(name, str) for name in key)
    )


def fields(array: Array, key: Any) -> Any:
    """View of one field, or of several.

    Raises
    ------
    ValueError
        For a name that is no field, a field of arrays, and one that a kernel could not read.
    """
    dtype = array._a.dtype
    if isinstance(key, list):
        return wrap(array._a.view(dtype[key]), array)
    if key not in dtype.fields:
        raise ValueError(f"no field name of {key}")
    kind = dtype.fields[key][0]
    if kind.shape:
        raise ValueError(
            "CuPy does not yet support accessing nested subarrays, please open an issue if you "
            "need this support."
        )
    view = array._a[key]
    if kind.kind != "V" and view.size:
        steps = (*view.strides, view.ctypes.data)
        if any(step % kind.itemsize for step in steps):
            raise ValueError(
                f"result array with dtype {kind} would not be sufficiently aligned for GPU "
                "operations. When using structured dtypes you must manually align the dtype and "
                "its fields; CuPy may provide utilities for this in the future."
            )
    return wrap(view, array)


def compare(name: str, values: list[Any]) -> Any:
    """What ``cupy_equal`` or ``cupy_not_equal`` gives for structures; None where none is given.

    Raises
    ------
    TypeError, ValueError
        As CuPy does, where elements of these types cannot be compared.
    """
    kinds = [np.asarray(value).dtype for value in values]
    if any(kind.kind != "V" for kind in kinds):
        return None
    _check_comparable(*kinds)
    return values[0] == values[1] if name == "cupy_equal" else values[0] != values[1]


def _check_comparable(left: np.dtype[Any], right: np.dtype[Any]) -> None:
    if left.fields is None and right.fields is None:
        if left.itemsize != right.itemsize:
            raise TypeError(
                f"cannot compare unstructured voids of different size ({left.itemsize} vs "
                f"{right.itemsize})"
            )
        return
    if left.fields is None or right.fields is None:
        raise TypeError("Cannot compare structured and non-structured dtypes")
    try:
        common = np.promote_types(left, right)
    except TypeError:
        raise TypeError(
            "Cannot compare structured arrays unless they have a common dtype.  I.e. "
            "`np.result_type(arr1, arr2)` must be defined."
        ) from None
    make_aligned_dtype(common)
    check_kernel_type(left)
    check_kernel_type(right)
