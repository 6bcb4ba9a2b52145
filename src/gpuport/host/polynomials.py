"""``cupy.poly1d`` and the functions that take and give one."""

from __future__ import annotations

import numbers
from collections.abc import Callable
from typing import Any

import numpy as np

from gpuport.host import counters
from gpuport.host.counters import KERNELS
from gpuport.host.creation import array
from gpuport.host.launches import waits
from gpuport.host.ndarray import IMPLICIT, ndarray, wrap
from gpuport.host.registry import implements


def _trimmed(values: Any) -> Any:
    kept = np.trim_zeros(values, "f")
    return kept if kept.size else np.zeros(1, values.dtype)


@implements("cupy.poly1d")
class poly1d:
    """A polynomial by its coefficients on the device, highest power first."""

    __module__ = "cupy.lib._polynomial"
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, c_or_r: Any, r: bool = False, variable: str | None = None) -> None:
        if isinstance(c_or_r, (np.poly1d, poly1d)):
            self._coeffs = array(c_or_r.coeffs, copy=None)
            self._variable: str = variable or c_or_r.variable
            return
        if r:
            c_or_r = poly(c_or_r)
        moved = array(c_or_r, copy=None)
        if moved.ndim > 1:
            raise ValueError("Polynomial must be 1d only.")
        self._coeffs = moved if moved.ndim else moved.reshape(1)
        self._variable = "x" if variable is None else variable

    @property
    def coeffs(self) -> ndarray:
        """Coefficients without leading zeros."""
        kept = _trimmed(self._coeffs._a)
        if kept.size != self._coeffs.size:
            self._coeffs = wrap(kept, self._coeffs)
        return self._coeffs

    @coeffs.setter
    def coeffs(self, value: Any) -> None:
        if value is not self._coeffs:
            raise AttributeError("Cannot set attribute")

    c = coef = coefficients = property(lambda self: self.coeffs)

    @property
    def variable(self) -> str:
        """Name of the variable in print."""
        return self._variable

    @property
    def order(self) -> int:
        """Degree."""
        return self.coeffs.size - 1

    o = property(lambda self: self.order)

    @property
    def roots(self) -> Any:
        """Roots, in no particular order."""
        return roots(self._coeffs)

    r = property(lambda self: self.roots)

    def __array__(self, dtype: Any = None) -> Any:
        raise TypeError(IMPLICIT)

    def __cupy_get_ndarray__(self) -> ndarray:
        return self.coeffs

    def __repr__(self) -> str:
        return repr(self.get())

    def __str__(self) -> str:
        return str(self.get())

    def __len__(self) -> int:
        return self.order

    def __iter__(self) -> Any:
        return iter(self.coeffs)

    def __call__(self, val: Any) -> Any:
        return polyval(self.coeffs, val)

    def __neg__(self) -> poly1d:
        return poly1d(-self.coeffs)

    def __pos__(self) -> poly1d:
        return self

    def __mul__(self, other: Any) -> Any:
        return poly1d(self.coeffs * other) if np.isscalar(other) else polymul(self, other)

    def __rmul__(self, other: Any) -> Any:
        if isinstance(other, np.generic):
            raise TypeError("Numpy scalar and poly1d multiplication is not supported currently.")
        if np.isscalar(other):
            other = self._coeffs.dtype.type(other)
        return polymul(other, self)

    def __add__(self, other: Any) -> Any:
        return polyadd(self, other)

    def __radd__(self, other: Any) -> Any:
        if isinstance(other, np.generic):
            raise TypeError("Numpy scalar and poly1d addition is not supported")
        return polyadd(other, self)

    def __sub__(self, other: Any) -> Any:
        return polysub(self, other)

    def __rsub__(self, other: Any) -> Any:
        if isinstance(other, np.generic):
            raise TypeError("Numpy scalar and poly1d subtraction is not supported")
        return polysub(other, self)

    def __truediv__(self, other: Any) -> poly1d:
        if np.isscalar(other):
            return poly1d(self.coeffs / other)
        raise NotImplementedError

    def __pow__(self, val: Any, modulo: Any = None) -> poly1d:
        number: Any = val
        if not np.isscalar(val) or int(number) != number or number < 0:
            raise ValueError("Power to non-negative integers only.")
        if not isinstance(val, numbers.Integral):
            raise TypeError("float object cannot be interpreted as an integer")
        base = self.coeffs._a
        if base.dtype.kind == "c":
            base = base.astype(np.complex128)
        elif base.dtype.kind == "f" or base.dtype == np.uint64:
            base = base.astype(np.float64)
        else:
            base = base.astype(np.promote_types(base.dtype, int))
        KERNELS["cupy_convolve"] += max(1, 2 * int(val).bit_length() - 2)
        # CuPy gives a Python 1 for the power 0, whatever the coefficients' type
        return poly1d(wrap((np.poly1d(base) ** int(val)).coeffs) if val else 1)

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, poly1d):
            raise NotImplementedError
        if self.coeffs.shape != other.coeffs.shape:
            return False
        return (self.coeffs == other.coeffs).all().get()[()]

    def __ne__(self, other: object) -> Any:
        return not self.__eq__(other)

    def __getitem__(self, val: int) -> Any:
        return self._coeffs[-val - 1] if 0 <= val < self._coeffs.size else 0

    def __setitem__(self, key: int, val: Any) -> None:
        if key < 0:
            raise ValueError("Negative powers are not supported.")
        missing = key + 1 - self._coeffs.size
        if missing > 0:
            self._coeffs = wrap(np.pad(self._coeffs._a, (missing, 0)))
        self._coeffs[-key - 1] = val

    def integ(self, m: int = 1, k: Any = 0) -> Any:
        """Absent from CuPy."""
        raise NotImplementedError

    def deriv(self, m: int = 1) -> Any:
        """Absent from CuPy."""
        raise NotImplementedError

    def get(self, stream: Any = None) -> Any:
        """The polynomial on the host."""
        return np.poly1d(self.coeffs.get(stream=stream), variable=self.variable)

    def set(self, polyin: Any, stream: Any = None) -> None:
        """Overwrite with a polynomial of the host."""
        if not isinstance(polyin, np.poly1d):
            raise TypeError("Only numpy.poly1d can be set to cupy.poly1d")
        self._variable = polyin.variable
        self.coeffs.set(polyin.coeffs, stream)


def _coefficients(value: Any) -> Any:
    if isinstance(value, poly1d):
        return value._coeffs._a
    if np.isscalar(value):
        return np.atleast_1d(value)
    if isinstance(value, ndarray):
        if value.ndim > 1:
            raise ValueError("Multidimensional inputs are not supported")
        return np.atleast_1d(value._a)
    raise TypeError("Unsupported type")


def _arithmetic(name: str, compute: Callable[[Any, Any], Any]) -> Any:
    def combine(a1: Any, a2: Any) -> Any:
        KERNELS["cupy_" + name] += 2
        result = wrap(np.asarray(compute(_coefficients(a1), _coefficients(a2))))
        return poly1d(result) if isinstance(a1, poly1d) or isinstance(a2, poly1d) else result

    combine.__name__ = combine.__qualname__ = name
    implements("cupy." + name)(combine)
    return combine


polyadd = _arithmetic("polyadd", np.polyadd)
polysub = _arithmetic("polysub", np.polysub)
polymul = _arithmetic("polymul", lambda a, b: np.convolve(_trimmed(a), _trimmed(b)))


@implements("cupy.poly")
def poly(seq_of_zeros: Any) -> Any:
    """Coefficients from roots, or of a Hermitian matrix."""
    x = array(seq_of_zeros, copy=None)._a
    square = x.ndim == 2 and x.shape[0] == x.shape[1] and x.shape[0] != 0
    if square and not np.array_equal(x, x.conj().T):
        raise NotImplementedError(
            "Only complex Hermitian and real symmetric 2d arrays are supported currently"
        )
    if not square and x.ndim != 1:
        raise ValueError("Input must be 1d or non-empty square 2d array.")
    if x.size == 0:
        return 1.0
    KERNELS["cupy_poly"] += 4
    return wrap(np.poly(np.linalg.eigvalsh(x) if square else x))


@implements("cupy.polyval")
def polyval(p: Any, x: Any) -> Any:
    """Values of a polynomial."""
    if isinstance(p, poly1d):
        p = p.coeffs
    if not isinstance(p, ndarray) or p.ndim == 0:
        raise TypeError("p must be 1d ndarray or poly1d object")
    if p.ndim > 1:
        raise ValueError("p must be 1d array")
    if isinstance(x, poly1d):
        KERNELS["cupy_polyval"] += 4 * p.size
        kind = np.result_type(x.coeffs._a, 1)
        result, power = poly1d(np.zeros(1, kind)), poly1d(np.ones(1, kind))
        for coefficient in p._a[::-1]:
            result = result + power * wrap(np.asarray(coefficient))
            power = power * x
        return result
    points = x if isinstance(x, ndarray) else array(x)
    dtype = np.result_type(p.dtype.type(0), points._a)
    KERNELS["cupy_polyval"] += 4
    coefficients = p._a.astype(dtype)
    if p.size == 0:
        return wrap(np.zeros(points.shape, dtype))
    if dtype == np.bool_:
        return wrap(np.asarray(coefficients.any() * points._a + coefficients[-1]))
    powers = points._a.astype(dtype)[..., None] ** np.arange(p.size, dtype=dtype)
    return wrap(np.asarray((coefficients[::-1] * powers).sum(axis=-1, dtype=dtype)))


@implements("cupy.roots")
def roots(p: Any) -> Any:
    """Roots where the companion matrix is Hermitian: CuPy has no others.

    Raises
    ------
    NotImplementedError
        For booleans and where the companion matrix is not Hermitian.
    """
    if isinstance(p, poly1d):
        p = p.coeffs
    if p.dtype.kind == "b":
        raise NotImplementedError("boolean inputs are not supported")
    if p.ndim == 0:
        raise TypeError("0-dimensional input is not allowed")
    if p.size < 2:
        return wrap(np.array([]))
    (series,) = np.polynomial.polyutils.as_series([p._a[::-1]])
    if series.size < 2:
        return wrap(np.array([]))
    KERNELS["cupy_roots"] += 3
    counters.sync(waits("cupy.roots"))
    if series.size == 2:
        found = np.asarray(-series[0] / series[1])[None]
        return wrap(found.real.astype(np.float64) if series[0] == 0 else found)
    companion = np.polynomial.polynomial.polycompanion(series)
    if not np.array_equal(companion, companion.conj().T):
        raise NotImplementedError(
            "Only complex Hermitian and real symmetric 2d arrays are supported currently"
        )
    return wrap(np.linalg.eigvalsh(companion).astype(series.dtype))
