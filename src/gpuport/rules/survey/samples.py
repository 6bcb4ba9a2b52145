"""Values and base calls with which CuPy is asked what it takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

F = np.array([0.5, 1.5, 2.5])
I = np.array([0, 1, 2])  # noqa: E741
B = np.array([True, False, True])
C = np.array([1 + 2j, 2 - 1j, 0.5j])
M = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]])  # positive definite
N = np.array([[0, 1, 2], [2, 0, 1], [1, 2, 0]])
U = np.array([0, 1, 255], np.uint8)
Z = np.array(1.5)

Call = tuple[tuple[Any, ...], dict[str, Any]]


def call(*args: Any, **kwargs: Any) -> Call:
    """One base call."""
    return args, kwargs


ARRAYS: tuple[Any, ...] = (F, M, I, B, C, N, U)
SEQUENCES: tuple[Any, ...] = ((F, F), (M, M), (I, I))
POOLS: dict[str, tuple[Any, ...]] = {
    "axis": (0, 1, (0,)),
    "axis1": (0,),
    "axis2": (1,),
    "axes": ((0, 1), (1, 0)),
    "arrays": SEQUENCES,
    "arys": SEQUENCES,
    "condition": (B, I),
    "dimensions": ((3, 3),),
    "dims": ((3, 3), 3),
    "destination": (1, 0),
    "dtype": ("float64", "int64"),
    "indices": (I, 1),
    "indices_or_sections": (3, (1, 2)),
    "k": (1,),
    "kth": (1,),
    "mask": (B, N.astype(bool)),
    "N": (3,),
    "M": (3,),
    "n": (3,),
    "newshape": ((3, 1), (9,), (3,)),
    "new_shape": ((3, 1), (9,), (3,)),
    "num": (3,),
    "number": (1.5,),
    "pad_width": (1, (1, 1), ((1, 1), (1, 1))),
    "q": (0.5, 50.0, F / 3),
    "repeats": (2,),
    "reps": (2, (2, 2)),
    "seq_of_zeros": ((1.0, 2.0),),
    "shape": ((3,), (3, 3), 3),
    "shift": (1,),
    "source": (0,),
    "start": (0, 1.0),
    "stop": (3, 2.0),
    "tup": SEQUENCES,
    "deg": (1,),
    "beta": (2.0,),
    "fill_value": (1.5,),
    "a_min": (1.0,),
    "a_max": (2.0,),
}
"""What to try for a required parameter of that name; arrays for any other."""

BASES: dict[str, tuple[Call, ...]] = {
    "apply_over_axes": (call(np.sum, M, (0, 1)), call(np.sum, M, 0)),
    "arange": (call(3), call(0, 3), call(0, 3, 1), call(0.0, 3.0, 0.5)),
    "array_equiv": (call(F, F),),
    "average": (call(F), call(F, weights=F), call(M, 0, F)),
    "bincount": (call(I), call(I, F), call(I, weights=F, minlength=2), call(U)),
    "block": (call([F, F]),),
    "broadcast_arrays": (call(F, F), call(F, M)),
    "broadcast_to": (call(F, (3, 3)), call(F, (3,))),
    "choose": (call(I, (F, F, F)), call(I, M)),
    "compress": (call(B, F), call(B, M, 0)),
    "copyto": (call(F, F), call(F, 2.0), call(F, F, where=B), call(I, I)),
    "cross": (call(F, F), call(M, M)),
    "diag_indices": (call(3),),
    "diag_indices_from": (call(M),),
    "digitize": (call(F, F), call(I, I)),
    "einsum": (call("i,i->i", F, F), call("ij,j->i", M, F), call("ii", M)),
    "extract": (call(B, F),),
    "fill_diagonal": (call(M, 2.0), call(M, F), call(N, 1)),
    "full": (call((3,), 1.5), call(3, 1), call((3, 3), F)),
    "full_like": (call(F, 1.5), call(M, F), call(I, 1)),
    "geomspace": (call(1.0, 8.0, 3),),
    "gradient": (call(F), call(F, 1.0), call(M), call(M, 1.0, 1.0), call(F, F)),
    "histogram": (call(F), call(F, 3), call(F, F), call(F, bins=3, range=(0.0, 3.0)),
                  call(F, 3, weights=F)),
    "histogram2d": (call(F, F, 3, ((0.0, 3.0), (0.0, 3.0))), call(F, F), call(F, F, 3),
                    call(F, F, weights=F), call(F, F, [F, F])),
    "histogramdd": (call(M, 3, ((0.0, 5.0),) * 3), call(M), call(M, 3), call((F, F)),
                    call(M, (F, F, F)), call(M, weights=F)),
    "histogram_bin_edges": (call(F), call(F, 3)),
    "index_exp": (),
    "indices": (call((3, 3)),),
    "interp": (call(F, F, F), call(F, F, F, 0.5, 0.5), call(F, F, F, period=3.0)),
    "ix_": (call(I, I), call(I), call(B, I)),
    "lexsort": (call((F, F)), call(M)),
    "linspace": (call(0.0, 1.0), call(0.0, 1.0, 3), call(0, 3, 4), call(F, F, 3)),
    "logspace": (call(0.0, 1.0, 3),),
    "mask_indices": (call(3, np.triu), call(3, np.tril)),
    "may_share_memory": (call(F, F),),
    "shares_memory": (call(F, F),),
    "meshgrid": (call(F, F), call(F), call(I, F)),
    "moveaxis": (call(M, 0, 1), call(M, (0, 1), (1, 0))),
    "nan_to_num": (call(F), call(F, nan=1.0, posinf=2.0, neginf=3.0)),
    "pad": (call(F, 1), call(F, (1, 1)), call(F, 1, "constant", constant_values=1.0),
            call(F, 1, "linear_ramp", end_values=1.0), call(M, ((1, 1), (1, 1)), "edge"),
            call(F, 1, "mean", stat_length=2)),
    "piecewise": (call(F, [B, ~B], [1.0, 2.0]), call(F, B, [1.0, 2.0])),
    "place": (call(F, B, F),),
    "poly": (call(F), call(M)),
    "polyfit": (call(F, F, 1), call(F, F, 1, w=F)),
    "polyval": (call(F, F), call(F, 2.0), call(I, I)),
    "put": (call(F, I, F), call(F, 1, 2.0), call(I, I, I)),
    "put_along_axis": (call(F, I, F, 0), call(M, N, 1.0, 0)),
    "putmask": (call(F, B, F),),
    "quantile": (call(F, 0.5), call(F, F / 3), call(M, 0.5, 0)),
    "percentile": (call(F, 50), call(F, F), call(M, 50.0, 0)),
    "ravel_multi_index": (call((I, I), (3, 3)), call(N, (3, 3, 3))),
    "require": (call(F), call(F, "float64", "C")),
    "rollaxis": (call(M, 1), call(M, 1, 0)),
    "searchsorted": (call(F, F), call(F, 1.0), call(F, F, sorter=I), call(I, I)),
    "select": (call([B, B], [F, F]), call([B], [F], 1.0)),
    "split": (call(F, 3), call(F, (1, 2)), call(M, (1,), 1)),
    "array_split": (call(F, 2), call(F, (1, 2))),
    "dsplit": (call(np.ones((2, 2, 3)), 3), call(np.ones((2, 2, 3)), (1,))),
    "hsplit": (call(F, 3), call(M, (1,))),
    "vsplit": (call(M, 3), call(M, (1,))),
    "swapaxes": (call(M, 0, 1),),
    "take": (call(F, I), call(F, 1), call(M, I, 0), call(M, N)),
    "take_along_axis": (call(F, I, 0), call(M, N, 1), call(M, N.ravel(), None)),
    "tensordot": (call(M, M), call(M, M, 1), call(M, M, ((0,), (0,)))),
    "trapezoid": (call(F), call(F, F), call(F, dx=0.5)),
    "trapz": (call(F), call(F, F), call(F, dx=0.5)),
    "tri": (call(3), call(3, 3, 0)),
    "trim_zeros": (call(F),),
    "unique": (call(F), call(M, axis=0)),
    "unravel_index": (call(I, (3, 3)), call(2, (3, 3))),
    "unwrap": (call(F),),
    "vander": (call(F), call(F, 3)),
    "where": (call(B, F, F), call(B, 1.0, F), call(B, F, 1.0), call(B, 1.0, 2.0), call(F)),
    "clip": (call(F, 1.0, 2.0), call(F, F, F), call(I, 1, 2), call(F, None, 2.0),
             call(F, 1.0, None)),
    "convolve": (call(F, F), call(I, I)),
    "correlate": (call(F, F), call(I, I)),
    "cov": (call(M), call(F, F), call(M, fweights=I + 1, aweights=F)),
    "corrcoef": (call(M), call(F, F)),
    "delete": (call(F, 1), call(F, I[:2]), call(M, 1, 0), call(F, B)),
    "insert": (call(F, 1, 2.0), call(F, I, F)),
    "diff": (call(F), call(M), call(F, prepend=F, append=F), call(F, prepend=1.0)),
    "ediff1d": (call(F), call(F, to_end=F, to_begin=F)),
    "kron": (call(F, F), call(M, F)),
    "matmul": (call(M, M), call(M, F)),
    "nonzero": (call(F),),
    "roll": (call(F, 1), call(M, 1, 0), call(M, (1, 1), (0, 1))),
    "rot90": (call(M), call(M, 1, (0, 1))),
    "sum": (call(F), call(M, 0), call(M, axis=(0, 1))),
    "apply_along_axis": (call(np.sum, 0, M), call(np.cumsum, 0, M)),
    "array": (call(F), call(1.5), call([1.0, 2.0])),
    "asarray": (call(F), call(1.5), call([1.0, 2.0])),
    "result_type": (call(F, F),),
    "expand_dims": (call(F, 0), call(F, (0, 1))),
    "packbits": (call(B), call(U)),
    "unpackbits": (call(U),),
    "squeeze": (call(F[:, None]), call(F[:, None], 1)),
    "reshape": (call(F, (3, 1)), call(M, 9), call(M, (-1,))),
    "resize": (call(F, (6,)), call(F, 5)),
    "savetxt": (),
    "linalg.solve": (call(M, F), call(M, M)),
    "linalg.lstsq": (call(M, F), call(M, F, None), call(M, M, 1e-9)),
    "linalg.tensorsolve": (call(np.eye(6).reshape(2, 3, 6), np.ones((2, 3))),),
    "linalg.tensorinv": (call(np.eye(6).reshape(2, 3, 6), 2),),
    "linalg.matrix_power": (call(M, 2),),
    "linalg.norm": (call(F), call(M, 1), call(M, None, 0), call(F, 2), call(M, "fro")),
    "linalg.matrix_rank": (call(M), call(M, 0.5)),
    "linalg.cross": (call(F, F),),
    "linalg.multi_dot": (call((M, M)),),
    "fft.fftfreq": (call(4), call(4, 0.5)),
    "fft.rfftfreq": (call(4), call(4, 0.5)),
    "fft.fftshift": (call(F), call(M, 0)),
    "fft.ifftshift": (call(F), call(M, 0)),
    "fft.hfft": (call(C),),
    "fft.irfft": (call(C), call(C, 4)),
    "ndarray.astype": (call("float64"), call("int64")),
    "ndarray.choose": (call(M),),
    "ndarray.clip": (call(1.0, 2.0), call(F, F), call(None, 2.0), call(1.0)),
    "ndarray.compress": (call(B), call(B, 0)),
    "ndarray.dot": (call(F), call(M)),
    "ndarray.fill": (call(1.5), call(1)),
    "ndarray.partition": (call(1),),
    "ndarray.argpartition": (call(1),),
    "ndarray.put": (call(I, F), call(1, 2.0), call(I, I)),
    "ndarray.repeat": (call(2), call(2, 0)),
    "ndarray.reshape": (call((-1, 1)), call(-1), call(3, -1)),
    "ndarray.searchsorted": (call(F), call(1.0)),
    "ndarray.take": (call(I), call(1), call(I, 0)),
    "ndarray.transpose": (call(), call((1, 0)), call(0)),
    "ndarray.swapaxes": (call(0, 1), call(0, 0)),
}  # fmt: skip
"""Calls to start from, by the name below ``numpy``, where pools alone would not find good ones."""

SKIPPED = {
    "asnumpy": "a transfer",
    "fromfile": "reads a file",
    "fromfunction": "takes a function",
    "fromiter": "reads an iterator",
    "fromregex": "reads a file",
    "fromstring": "reads text",
    "frombuffer": "reads a buffer",
    "from_dlpack": "reads another library's memory",
    "genfromtxt": "reads a file",
    "load": "reads a file",
    "loadtxt": "reads a file",
    "save": "writes a file",
    "savetxt": "writes a file",
    "savez": "writes a file",
    "savez_compressed": "writes a file",
    "set_printoptions": "changes the process",
    "show_config": "prints",
    "show_runtime": "prints",
    "printoptions": "changes the process",
    "seterr": "changes the process",
    "geterr": "takes nothing",
    "info": "prints",
    "ndarray.tofile": "writes a file",
    "ndarray.dump": "writes a file",
    "ndarray.setflags": "takes flags",
}
"""Names that are not probed, and why."""

GENERIC: dict[str, tuple[Any, ...]] = {
    "bool": (True, False),
    "int": (1, 2, 0, 3),
    "float": (0.5, 2.0, 50.0),
    "list": (
        [0.5, 1.5, 2.5], [0, 1, 2], [1, 2], [0], [1], [1, 0], [0, 1], [True, False, True],
        [1, 1, 1], [0.5, 2.0], [0.0, 3.0],
    ),
    "nested-list": (M.tolist(), N.tolist(), [[0, 1], [1, 0]], [[1, 1]], [[1, 1], [1, 1]]),
    "numpy-scalar": (np.float64(0.5), np.int64(1), np.int64(2), np.float64(2.0), np.bool_(True)),
    "numpy-array": (
        F, I, M, B, N, Z, np.array(1), np.array([1]), np.array([1, 2]), U, np.array([0.5, 1.5]),
    ),
    "array-list": ((F, F), (M, M), (B, B), (I, I), (F, F, F), (Z, Z), (B,), (F,)),
    "None": (None,),
}  # fmt: skip
"""What to try for every parameter, by kind; the other kinds follow from these."""


def variants(kind: str, base: Any) -> Iterator[Any]:
    """Values of one kind, first those that follow from the argument of a base call.

    A device array is written as the NumPy array that it stands for, a list of device arrays as a
    tuple or list of them.
    """
    if kind in _DERIVED:
        yield from _DERIVED[kind](base)
    if kind == "tuple":
        yield from (tuple(value) for value in GENERIC["list"])
    elif kind == "array":
        yield from GENERIC["numpy-array"]
    elif kind in {"array-list", "numpy-array-list"}:
        for value in GENERIC["array-list"]:
            yield list(value)
            yield value
    else:
        yield from GENERIC[kind]


def _sequence(base: Any) -> bool:
    return isinstance(base, list | tuple)


def _of_arrays(base: Any) -> bool:
    return _sequence(base) and any(isinstance(x, np.ndarray) for x in base)


def _numbers(base: Any, wanted: type) -> Iterator[Any]:
    if isinstance(base, np.ndarray) and base.dtype.kind in "ifu":
        yield wanted(base.flat[0])
    elif isinstance(base, int | float):
        yield wanted(base)


def _lists(base: Any) -> Iterator[list[Any]]:
    if isinstance(base, np.ndarray) and base.ndim == 1:
        yield base.tolist()
    elif _sequence(base) and not _of_arrays(base) and not any(_sequence(x) for x in base):
        yield list(base)
    elif isinstance(base, int | float):
        yield [base]


def _nested(base: Any) -> Iterator[Any]:
    if isinstance(base, np.ndarray) and base.ndim > 1:
        yield base.tolist()
    elif _of_arrays(base):
        yield [np.asarray(x).tolist() for x in base]
    elif _sequence(base) and any(_sequence(x) for x in base):
        yield [list(x) if _sequence(x) else x for x in base]


def _arrays(base: Any) -> Iterator[Any]:
    if isinstance(base, np.ndarray):
        yield base
    elif isinstance(base, int | float) or (_sequence(base) and base):
        try:
            value = np.array(base)
        except ValueError:
            return
        if value.dtype.kind in "bifc":
            yield value


def _sequences(base: Any) -> Iterator[Any]:
    if _of_arrays(base):
        yield list(base)
        yield tuple(base)
    elif isinstance(base, np.ndarray) and base.ndim:
        yield [np.asarray(part) for part in base]


_DERIVED: dict[str, Callable[[Any], Any]] = {
    "int": lambda base: _numbers(base, int),
    "float": lambda base: _numbers(base, float),
    "list": _lists,
    "tuple": lambda base: (tuple(value) for value in _lists(base)),
    "nested-list": _nested,
    "numpy-scalar": lambda base: (value.ravel()[0] for value in _arrays(base)),
    "numpy-array": _arrays,
    "array": _arrays,
    "array-list": _sequences,
    "numpy-array-list": _sequences,
}
KINDS = ("bool", *_DERIVED, "None")
