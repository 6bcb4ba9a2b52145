"""``cupy.random``: other streams than NumPy's for the same seed, as on a device."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuport.host import counters
from gpuport.host.counters import KERNELS
from gpuport.host.dtypes import cast, check_dtype
from gpuport.host.launches import waits
from gpuport.host.ndarray import ndarray, wrap
from gpuport.host.registry import implements

_STREAM = 0x6770_7570
"""Mixed into every seed, so that no seed gives NumPy's numbers."""


def _seeded(seed: Any) -> int:
    if seed is None:
        return int(np.random.SeedSequence().generate_state(1)[0])
    if isinstance(seed, ndarray):
        raise TypeError("Seed must be an integer or a NumPy array")
    if isinstance(seed, str):
        raise TypeError("Seed must be an integer.")
    if isinstance(seed, int) and not 0 <= seed < 1 << 64:
        raise ValueError("Seed must be an integer between 0 and 2**64 - 1")
    words = [_STREAM, *np.atleast_1d(seed).tolist()]
    return int(np.random.SeedSequence(words).generate_state(1)[0])


def _host(value: Any) -> Any:
    return value._a if isinstance(value, ndarray) else value


def _size(size: Any) -> Any:
    lengths = size if isinstance(size, (tuple, list)) else (size,)
    if any(isinstance(length, ndarray) for length in lengths):
        raise TypeError("'ndarray' object cannot be interpreted as an integer")
    if any(isinstance(length, int) and length < 0 for length in lengths):
        raise ValueError("Negative dimensions are not allowed")
    return size


def _drawn(values: Any, dtype: Any, kernel: str) -> ndarray:
    KERNELS[f"cupy.random.{kernel}"] += 1
    result = np.asarray(values)
    if dtype is not None:
        result = cast(result, check_dtype(dtype))
    return wrap(result)


class _Bits:
    """A bit generator: only its seed matters on the host."""

    def __init__(self, seed: Any = None, *, size: int = -1) -> None:
        self.seed = seed


for _name in ("XORWOW", "MRG32k3a", "Philox4x3210", "BitGenerator"):
    implements(f"cupy.random.{_name}")(
        type(_name, (_Bits,), {"__module__": "cupy.random._bit_generator"})
    )


_FLOATING = frozenset(
    {"rand", "randn", "random_sample", "normal", "standard_normal", "uniform", "lognormal"}
)
"""Draws of cuRAND, which has float32 and float64 only."""


def _check_floating(dtype: Any) -> None:
    if np.dtype(dtype).char not in "fd":
        raise TypeError("cupy.random only supports float32 and float64")


def _legacy(name: str) -> Any:
    def draw(self: RandomState, *args: Any, size: Any = None, dtype: Any = None, **kw: Any) -> Any:
        if name in _FLOATING and dtype is not None:
            _check_floating(dtype)
        drawn = getattr(self._host, name)(
            *map(_host, args), **{k: _host(v) for k, v in kw.items()}, size=_size(size)
        )
        if type(self) is RandomState:  # the new generator checks nothing on the device
            counters.sync(waits(f"cupy.random.{name}"))
        return _drawn(drawn, dtype, name)

    draw.__name__ = draw.__qualname__ = name
    return draw


class RandomState:
    """CuPy's legacy generator."""

    __module__ = "cupy.random._generator"

    def __init__(self, seed: Any = None, method: int = 100) -> None:
        self.seed(seed)

    def seed(self, seed: Any = None) -> None:
        """Start the stream again."""
        self._host = np.random.RandomState(_seeded(seed))

    def rand(self, *size: int, dtype: Any = float) -> ndarray:
        """Uniform in [0, 1)."""
        _check_floating(dtype)
        return _drawn(self._host.random_sample(_size(size)), dtype, "rand")

    def randn(self, *size: int, dtype: Any = float) -> ndarray:
        """Standard normal."""
        _check_floating(dtype)
        return _drawn(self._host.standard_normal(_size(size)), dtype, "randn")

    def random_sample(self, size: Any = None, dtype: Any = float) -> ndarray:
        """Uniform in [0, 1)."""
        _check_floating(dtype)
        return _drawn(self._host.random_sample(_size(size)), dtype, "random_sample")

    def randint(self, low: Any, high: Any = None, size: Any = None, dtype: Any = int) -> ndarray:
        """Integers from [low, high)."""
        if (kind := np.dtype(dtype)).kind not in "biu":
            raise ValueError(f"Invalid integer data type '{kind.kind}'.")
        counters.sync(waits("cupy.random.randint"))
        return _drawn(
            self._host.randint(_host(low), _host(high), _size(size), np.int64), dtype, "randint"
        )

    def choice(self, a: Any, size: Any = None, replace: bool = True, p: Any = None) -> ndarray:
        """Sample of a 1-D array."""
        if size is None:
            raise NotImplementedError("choice() without specifying size is not supported yet")
        if not replace and p is not None:
            raise NotImplementedError
        return _drawn(self._host.choice(_host(a), _size(size), replace, _host(p)), None, "choice")

    def permutation(self, a: Any) -> ndarray:
        """Permuted copy or range."""
        return _drawn(self._host.permutation(_host(a)), None, "permutation")

    def shuffle(self, a: Any) -> None:
        """Permute in place."""
        if not isinstance(a, ndarray):
            raise TypeError("The array must be cupy.ndarray")
        if a.ndim == 0:
            raise TypeError("An array whose ndim is 0 is not supported")
        KERNELS["cupy.random.shuffle"] += 2
        a._a[...] = a._a[self._host.permutation(len(a))]

    def tomaxint(self, size: Any = None) -> ndarray:
        """Integers from 0 to the largest."""
        return _drawn(self._host.tomaxint(_size(size)), None, "tomaxint")

    def multivariate_normal(
        self,
        mean: Any,
        cov: Any,
        size: Any = None,
        check_valid: str = "ignore",
        tol: float = 1e-08,
        method: str = "cholesky",
        dtype: Any = float,
    ) -> ndarray:
        """Multivariate normal."""
        drawn = self._host.multivariate_normal(_host(mean), _host(cov), _size(size))
        return _drawn(drawn, dtype, "multivariate_normal")


_DISTRIBUTIONS: dict[str, str] = {
    "beta": "a, b", "binomial": "n, p", "chisquare": "df", "dirichlet": "alpha",
    "exponential": "scale=1.0", "f": "dfnum, dfden", "gamma": "shape, scale=1.0",
    "geometric": "p", "gumbel": "loc=0.0, scale=1.0",
    "hypergeometric": "ngood, nbad, nsample", "laplace": "loc=0.0, scale=1.0",
    "logistic": "loc=0.0, scale=1.0", "lognormal": "mean=0.0, sigma=1.0", "logseries": "p",
    "negative_binomial": "n, p", "noncentral_chisquare": "df, nonc",
    "noncentral_f": "dfnum, dfden, nonc", "normal": "loc=0.0, scale=1.0", "pareto": "a",
    "poisson": "lam=1.0", "power": "a", "rayleigh": "scale=1.0", "standard_cauchy": "",
    "standard_exponential": "", "standard_gamma": "shape", "standard_normal": "",
    "standard_t": "df", "triangular": "left, mode, right", "uniform": "low=0.0, high=1.0",
    "vonmises": "mu, kappa", "wald": "mean, scale", "weibull": "a", "zipf": "a",
}  # fmt: skip
_INTEGER = frozenset(
    ["binomial", "geometric", "hypergeometric", "logseries", "negative_binomial", "poisson", "zipf"]
)


def _distribution(name: str, dtype: str) -> Any:
    """A method that draws from a distribution; `dtype` is its default, as it is written."""
    text = _DISTRIBUTIONS[name]
    names = [part.split("=")[0].strip() for part in text.split(",") if part.strip()]
    listed = "".join(f", {part}" for part in text.split(", ") if part)
    given = "".join(f", {part}" for part in names)
    source = (
        f"def {name}(self{listed}, size=None, dtype={dtype}):\n"
        f"    return _draw(self{given}, size=size, dtype=dtype)\n"
    )
    scope: dict[str, Any] = {"_draw": _legacy(name)}
    exec(source, scope)
    return scope[name]


for _name in _DISTRIBUTIONS:
    _dtype = "int" if _name in _INTEGER else "float"
    setattr(RandomState, _name, _distribution(_name, _dtype))
implements("cupy.random.RandomState")(RandomState)

_GENERATOR_METHODS = {
    "beta": "None", "binomial": "int", "chisquare": "None", "dirichlet": "None",
    "exponential": "None", "f": "None", "gamma": "None", "geometric": "None",
    "hypergeometric": "None", "logseries": "None", "poisson": "None", "power": "None",
    "standard_gamma": "None", "uniform": "None",
}  # fmt: skip
"""Distributions of the new generator, and the default of their ``dtype``."""


class Generator:
    """CuPy's new generator, with its few distributions."""

    __module__ = "cupy.random._generator_api"

    def __init__(self, bit_generator: Any) -> None:
        self.bit_generator = bit_generator
        self._host = np.random.Generator(np.random.Philox(_seeded(bit_generator.seed)))

    def random(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> ndarray:
        """Uniform in [0, 1)."""
        _check_modern(dtype, "random")
        return _out(_drawn(self._host.random(_size(size)), dtype, "random"), out)

    def integers(
        self, low: Any, high: Any = None, size: Any = None, dtype: Any = np.int64,
        endpoint: bool = False,
    ) -> ndarray:  # fmt: skip
        """Integers."""
        return _drawn(
            self._host.integers(_host(low), _host(high), _size(size), endpoint=endpoint),
            dtype,
            "integers",
        )

    def standard_normal(self, size: Any = None, dtype: Any = float, out: Any = None) -> ndarray:
        """Standard normal."""
        _check_modern(dtype, "standard_normal")
        return _out(_drawn(self._host.standard_normal(_size(size)), dtype, "standard_normal"), out)

    def standard_exponential(
        self, size: Any = None, dtype: Any = np.float64, method: str = "inv", out: Any = None
    ) -> ndarray:
        """Standard exponential."""
        drawn = self._host.standard_exponential(_size(size))
        return _out(_drawn(drawn, dtype, "standard_exponential"), out)


def _check_modern(dtype: Any, name: str) -> None:
    if np.dtype(dtype).char not in "fd":
        raise TypeError(f"Unsupported dtype {np.dtype(dtype).name} for {name}")


def _out(drawn: ndarray, out: Any) -> ndarray:
    if out is None:
        return drawn
    out._a[...] = drawn._a
    return out  # type: ignore[no-any-return]


for _name, _dtype in _GENERATOR_METHODS.items():
    setattr(Generator, _name, _distribution(_name, _dtype))
implements("cupy.random.Generator")(Generator)


@implements("cupy.random.default_rng")
def default_rng(seed: Any = None) -> Generator:
    """A new generator."""
    if isinstance(seed, Generator):
        return seed
    return Generator(seed if isinstance(seed, _Bits) else _Bits(seed))


_STATE: list[RandomState] = []


@implements("cupy.random.get_random_state")
def get_random_state() -> RandomState:
    """The generator behind the module's functions."""
    if not _STATE:
        _STATE.append(RandomState())
    return _STATE[0]


@implements("cupy.random.set_random_state")
def set_random_state(rs: Any) -> None:
    """Replace the generator behind the module's functions."""
    if not isinstance(rs, RandomState):
        raise TypeError(f"Random state must be an instance of RandomState. Actual: {type(rs)}")
    _STATE[:] = [rs]


@implements("cupy.random.reset_states")
def reset_states() -> None:
    """Forget the generator behind the module's functions."""
    _STATE.clear()


@implements("cupy.random.seed")
def seed(seed: Any = None) -> None:
    """Seed the generator behind the module's functions."""
    get_random_state().seed(seed)


def _function(name: str, method: str) -> Any:
    def draw(*args: Any, **kwargs: Any) -> Any:
        return getattr(get_random_state(), method)(*args, **kwargs)

    draw.__name__ = draw.__qualname__ = name
    return draw


for _name in (*_DISTRIBUTIONS, "rand", "randn", "random_sample", "randint", "choice",
              "permutation", "shuffle", "multivariate_normal"):  # fmt: skip
    implements(f"cupy.random.{_name}")(_function(_name, _name))
for _name in ("random", "ranf", "sample"):
    implements(f"cupy.random.{_name}")(_function(_name, "random_sample"))


@implements("cupy.random.random_integers")
def random_integers(low: Any, high: Any = None, size: Any = None) -> ndarray:
    """Integers from [low, high]."""
    if high is None:
        low, high = 1, low
    return get_random_state().randint(low, high + 1, size)


@implements("cupy.random.bytes")
def bytes(length: int) -> Any:
    """Random bytes."""
    return get_random_state()._host.bytes(length)
