"""Arrays of other libraries that CuPy takes where it takes its own."""

from __future__ import annotations

import ctypes
import os
from typing import Any

import numpy as np

from gpuport.host.dtypes import is_supported
from gpuport.host.ndarray import ndarray, wrap
from gpuport.host.state import cupy_major


def from_foreign(value: Any) -> ndarray | None:
    """The device array behind an object of another class; None where there is none.

    Raises
    ------
    ValueError
        For a masked array, and for memory that this process cannot read: the host backend has
        no device.
    """
    if isinstance(value, ndarray):
        return value
    kind = type(value)
    if hasattr(kind, "__cupy_get_ndarray__"):
        found: ndarray = value.__cupy_get_ndarray__()
        return found
    if hasattr(kind, "__cuda_array_interface__"):
        return _from_interface(value)
    return None


def _from_interface(owner: Any) -> ndarray:
    description = owner.__cuda_array_interface__
    dtype = _described(description)
    if dtype.byteorder == ">":
        raise ValueError("CuPy does not support the big-endian byte-order")
    if description.get("mask") is not None:
        raise ValueError("CuPy currently does not support masked arrays.")
    if dtype.hasobject or (cupy_major() < 14 and not is_supported(dtype)):
        raise ValueError(f"Unsupported dtype {dtype}")
    address, shape = description["data"][0], tuple(description["shape"])
    strides = description.get("strides")
    if 0 in shape:
        array = wrap(np.empty(shape, dtype))
    else:
        _check_readable(address, dtype.itemsize)
        array = wrap(np.asarray(_Memory(owner, address, shape, dtype, strides)).view(dtype))
    array.base = owner
    return array


def _described(description: dict[str, Any]) -> np.dtype[Any]:
    """Element type of a CUDA array interface; of several fields as its ``descr`` has them."""
    dtype: np.dtype[Any] = np.dtype(description["typestr"])
    listed = description.get("descr")
    if dtype.kind != "V" or not isinstance(listed, list):
        return dtype
    names, offsets, formats, offset = [], [], [], 0
    for name, kind in listed:
        field = np.dtype(kind)
        if name:  # one without a name is padding
            names.append(name)
            formats.append(field)
            offsets.append(offset)
        offset += field.itemsize
    layout: Any = {"names": names, "offsets": offsets, "formats": formats, "itemsize": offset}
    padded: np.dtype[Any] = np.dtype(layout)
    return padded


class _Memory:
    """Host memory at an address, for NumPy; keeps its owner alive."""

    def __init__(self, owner: Any, address: int, shape: Any, dtype: Any, strides: Any) -> None:
        self.owner = owner
        self.__array_interface__ = {
            "data": (address, False), "shape": shape, "strides": strides,
            "typestr": f"|V{dtype.itemsize}", "version": 3,
        }  # fmt: skip


def _check_readable(address: int, count: int) -> None:
    """The kernel answers EFAULT where a read would end the process."""
    reading, writing = os.pipe()
    try:
        write = ctypes.CDLL(None).write
        done = write(writing, ctypes.c_void_p(address), ctypes.c_size_t(min(count, 64)))
    finally:
        os.close(reading)
        os.close(writing)
    if done < 0:
        raise ValueError(
            f"memory at {address:#x} is not the host's: the host backend cannot read a device"
        )
