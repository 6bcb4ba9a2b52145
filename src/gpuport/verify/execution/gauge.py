"""The gauge test: factorisations are unique only up to signs, which a GPU may choose differently.

Inside `Gauge.applied` the factorisations that NumPy offers give factors with chosen columns
negated: equally right ones. A result that does not move under any of these is compared directly.
One that moves is compared with the original under the gauge that comes nearest to the port.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpuport.verify.execution.gaugefreedom import chosen_anew

FACTORISATIONS = ("svd", "eigh", "eig", "qr")
_COLUMNS = 12
_CLUSTER = 1e-6

Flip = tuple[int, int]


@dataclass(slots=True)
class Gauge:
    """Negated columns by call and column; filled with what the calls offer while applied.

    ``offered`` are the flips that were possible; ``open`` says that there are
    more choices than are tried: many columns, or values so close that their vectors may rotate.
    With ``anew`` all is chosen by that seed instead, as long as another choice is ``known``.
    """

    flips: frozenset[Flip] = frozenset()
    offered: list[Flip] = field(default_factory=list)
    open: bool = False
    anew: int | None = None
    known: bool = True
    _calls: int = 0

    @contextlib.contextmanager
    def applied(self, modules: Mapping[str, ModuleType]) -> Iterator[None]:
        """Replace the factorisations in NumPy, SciPy and by name in the user's modules."""
        wrapped = self._wrapped()
        places = [*_libraries(), *modules.values()]
        kept: list[tuple[Any, str, Any]] = []
        for place in places:
            for name, value in list(vars(place).items()):
                if callable(value) and id(value) in wrapped:
                    kept.append((place, name, value))
                    setattr(place, name, wrapped[id(value)])
        try:
            yield
        finally:
            for place, name, value in kept:
                setattr(place, name, value)

    def _wrapped(self) -> dict[int, Callable[..., Any]]:
        found = {}
        for library in _libraries():
            for name in FACTORISATIONS:
                function = getattr(library, name, None)
                if function is not None:
                    found[id(function)] = self._wrap(name, function)
        return found

    def _wrap(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def factorise(*args: Any, **kwargs: Any) -> Any:
            result = function(*args, **kwargs)
            if not isinstance(result, tuple) or len(result) < 2:
                return result
            call, self._calls = self._calls, self._calls + 1
            if self.anew is not None:
                return self._chosen_anew(name, result, call)
            return self._turned(name, result, call)

        return factorise

    def _chosen_anew(self, name: str, result: tuple[Any, ...], call: int) -> Any:
        rng = np.random.default_rng((self.anew or 0, call))
        made = chosen_anew(name, [np.array(part) for part in result], rng)
        self.known &= made is not None
        kind = type(result)
        parts = result if made is None else made
        return kind(*parts) if hasattr(result, "_fields") else kind(parts)

    def _turned(self, name: str, result: tuple[Any, ...], call: int) -> Any:
        parts = [np.array(part) for part in result]
        spectrum = {"svd": 1, "eigh": 0, "eig": 0}.get(name)
        if spectrum is not None:
            self.open |= _clustered(parts[spectrum])
        columns = parts[0 if name in ("svd", "qr") else 1]
        rows = {"svd": 2, "qr": 1}.get(name)
        self.open |= columns.shape[-1] > _COLUMNS
        if name == "svd":  # of all vectors, those beyond the spectrum may rotate
            self.open |= columns.shape[-1] != parts[2].shape[-2]
        for j in range(min(columns.shape[-1], _COLUMNS)):
            self.offered.append((call, j))
            if (call, j) in self.flips:
                columns[..., :, j] *= -1
                if rows is not None and j < parts[rows].shape[-2]:
                    parts[rows][..., j, :] *= -1
        kind = type(result)
        return kind(*parts) if hasattr(result, "_fields") else kind(parts)


def _libraries() -> list[Any]:
    import sys

    scipy = sys.modules.get("scipy.linalg")
    return [np.linalg, *([scipy] if scipy is not None else [])]


def _clustered(values: NDArray[Any]) -> bool:
    """Whether two values of one spectrum are as good as equal."""
    if values.ndim == 0 or values.shape[-1] < 2:
        return False
    magnitude = np.sort(np.abs(values), axis=-1)
    gaps = np.diff(magnitude, axis=-1)
    with np.errstate(all="ignore"):
        return bool((gaps <= _CLUSTER * magnitude[..., -1:]).any())
