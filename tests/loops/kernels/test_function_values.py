"""Every function of the table gives NumPy's (SciPy's, Python's) value where values are special."""

from __future__ import annotations

import cmath
import importlib
import itertools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from gpuport import host
from gpuport.host.kernels import checks, toolchain
from gpuport.parallel.cuda.helpers import used_by
from gpuport.parallel.cuda.rules import functions

TYPES = {
    "b": ("bool",),
    "i": ("int8", "int16", "int32", "int64"),
    "u": ("uint8", "uint16", "uint32", "uint64"),
    "f": ("float32", "float64"),
    "c": ("complex64", "complex128"),
}
EITHER_ZERO = {"fmin", "fmax", "minimum", "maximum", "numpy._core.umath.clip"}
"""Of 0.0 and -0.0, which comes out is the processor's affair."""


@pytest.fixture(scope="module")
def cp() -> Iterator[Any]:
    if not toolchain.available():
        pytest.skip("no C++ compiler")
    host.install(version=14)
    with checks("fast"):
        yield importlib.import_module("cupy")
    host.uninstall()


def reals(dtype: str) -> np.ndarray:
    """Zeros, infinities, NaN, the ends of the range; float32 without subnormals (GP512)."""
    info = np.finfo(dtype)
    ordinary = [0.0, 0.1, 0.5, 1, 1.5, 2, 2.5, 3, 10, 100, 171.5, 1e5, 2.0**31, 2.0**53, 1e18, 1e30]
    extreme = [np.inf, info.max, info.tiny, info.eps, 1 + 4 * info.eps, np.pi]
    if dtype == "float64":
        extreme.append(5e-320)
    positive = np.array([*ordinary, *extreme], dtype)
    return np.concatenate([positive, -positive, np.array([np.nan], dtype)])


def special(dtype: str) -> np.ndarray:
    kind = np.dtype(dtype)
    if kind.kind == "f":
        return reals(dtype)
    if kind.kind == "b":
        return np.array([False, True])
    if kind.kind == "c":
        parts = np.array([0.0, -0.0, 1, -1, 0.5, 2.5, -3, 1e5, np.inf, -np.inf, np.nan])
        return np.array([complex(a, b) for a in parts for b in parts], dtype)
    limits = np.iinfo(kind)
    ends = [limits.min, limits.min + 1, limits.max - 1, limits.max]
    below = [] if limits.min == 0 else [-1, -2, -3, -7, -9]
    return np.array([0, 1, 2, 3, 5, 7, 8, 31, 63, *below, *ends], kind)


def original(name: str) -> Any:
    if "." not in name:
        return getattr(np, name)
    module, _, function = name.rpartition(".")
    return getattr(pytest.importorskip(module), function)


def arguments(name: str, dtype: str, count: int) -> list[np.ndarray]:
    values = special(dtype)
    if count != 2:
        return [x.ravel().copy() for x in np.meshgrid(*[values] * count)]
    first, second = (x.ravel().copy() for x in np.meshgrid(values, values))
    if name == "power" and first.dtype.kind in "iu":
        second = (np.arange(second.size) % 9).astype(dtype)  # others are refused
    if first.dtype.kind == "c" and name in ("power", "true_divide"):
        finite = np.isfinite(first) & np.isfinite(second)  # of others each library has its own
        finite &= (second != 0) | (name == "power")  # CuPy's own quotient is NaN there
        first, second = first[finite], second[finite]
    return [first, second]


def computed(cp: Any, form: str, arrays: list[np.ndarray], result: str) -> np.ndarray:
    names = "xyw"[: len(arrays)]
    if form.isidentifier():
        expression = f"{form}({', '.join(names)})"
    else:
        expression = f"x {form} y" if len(arrays) == 2 else f"{form}x"
    inputs = ", ".join(f"{a.dtype} {n}" for a, n in zip(arrays, names, strict=True))
    kernel = cp.ElementwiseKernel(
        inputs, f"{result} z", f"z = {expression};", "one", preamble=used_by(expression)
    )
    return np.asarray(cp.asnumpy(kernel(*map(cp.asarray, arrays))))


def unlike(found: np.ndarray, wanted: np.ndarray, *, zeros: bool, least: float = 0.0) -> np.ndarray:
    """Where two floating results are not the same value, to the last few bits."""
    eps, tiny = np.finfo(wanted.dtype).eps, np.finfo(wanted.dtype).tiny
    with np.errstate(all="ignore"):
        close = np.abs(found - wanted) <= 16 * eps * np.maximum(np.abs(wanted), least) + tiny
    both = np.isnan(found) & np.isnan(wanted)
    equal = (found == wanted) & (zeros | (np.signbit(found) == np.signbit(wanted)))
    return ~(both | equal | (close & np.isfinite(wanted) & (wanted != 0)))


CASES = [
    (name, form, dtype)
    for name, forms in functions().ufuncs.items()
    for letter, form in forms.items()
    for dtype in TYPES[letter]
]


@pytest.mark.parametrize(("name", "form", "dtype"), CASES, ids=[f"{n}-{t}" for n, _, t in CASES])
def test_special_values(cp: Any, name: str, form: str, dtype: str) -> None:
    function = original(name)
    arrays = arguments(name, dtype, function.nin)
    with np.errstate(all="ignore"):
        wanted = function(*arrays)
    found = computed(cp, form, arrays, wanted.dtype.name)
    zeros = name in EITHER_ZERO
    if wanted.dtype.kind == "c":
        bad = unlike(found.real, wanted.real, zeros=True)
        bad |= unlike(found.imag, wanted.imag, zeros=True)
    elif wanted.dtype.kind == "f":
        bad = unlike(found, wanted, zeros=zeros, least=float("gamma" in name))
    else:
        bad = found != wanted
    if name == "scipy.special.gammaln":  # which overflows too early
        bad &= ~(np.abs(arrays[0]) < np.finfo(dtype).tiny)
    assert not bad.any(), [(*(a[bad][:5] for a in arrays), wanted[bad][:5], found[bad][:5])]


COMPLEX = {name: rule for name, rule in functions().floating.items() if "takes" in rule}


@pytest.mark.parametrize("name", COMPLEX)
def test_special_values_of_complex_functions(cp: Any, name: str) -> None:
    """Where Python's function raises, the port says so; infinities are each library's own."""
    function = getattr(cmath, name.partition(".")[2])
    values = special("complex128")
    wanted, given = [], []
    for value in values[np.isfinite(values)].tolist():
        try:
            wanted.append(function(value))
        except (ValueError, OverflowError):
            continue
        given.append(value)
    assert len(given) > 30
    expected = np.array(wanted)
    found = computed(cp, str(COMPLEX[name]["form"]), [np.array(given)], expected.dtype.name)
    bad = unlike(found.real, expected.real, zeros=True)
    bad |= unlike(found.imag, expected.imag, zeros=True)
    assert not bad.any(), [(np.array(given)[bad][:5], expected[bad][:5], found[bad][:5])]


REAL = {name: rule for name, rule in functions().floating.items() if name not in COMPLEX}
PYTHON = {**REAL, **functions().chosen}


@pytest.mark.parametrize("name", PYTHON)
def test_special_values_of_python_s_functions(cp: Any, name: str) -> None:
    """Where Python's function raises, the port says so; see the table's ``raises``."""
    import builtins

    module, _, short = name.partition(".")
    function = getattr(math if module == "math" else builtins, short)
    entry = PYTHON[name]
    count = int(entry.get("arguments", 1 if module == "math" else 2))
    wanted, given = [], []
    for values in itertools.product([*reals("float64").tolist(), 709.0, -745.0], repeat=count):
        try:
            wanted.append(float(function(*values)))
        except (ValueError, OverflowError):
            continue
        given.append(values)
    arrays = [np.array(column) for column in zip(*given, strict=True)]
    found = computed(cp, str(entry["form"]), arrays, "float64")
    whole = entry.get("gives") == "int"
    # near the roots of the logarithm of the gamma function its terms cancel
    bad = unlike(found, np.array(wanted), zeros=whole, least=float(name == "math.lgamma"))
    assert not bad.any(), [(*(a[bad][:5] for a in arrays), np.array(wanted)[bad][:5])]
