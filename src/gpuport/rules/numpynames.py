"""Names of CuPy read as the NumPy and SciPy names that they stand for."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from gpuport.rules.libraries import of_host

if TYPE_CHECKING:
    from gpuport.rules.tables import Parameter


@lru_cache(maxsize=4096)
def as_numpy(path: str) -> str:
    """The host's name behind a name of CuPy: code that is ported already is read as it was."""
    return path if path in _OWN else of_host(path) or path


_OWN = frozenset({"cupy.asnumpy"})
"""Names of CuPy that stand for nothing of the host's."""


def read_as(path: str) -> str:
    """The name that a call is read as where it stands: the host's, and Python's own for its kin."""
    return _KIN.get(path) or as_numpy(path)


_KIN = {"itertools.islice": "builtins.reversed"}
"""What hands out items of what it is given, as a builtin does, in whichever order."""


@lru_cache(maxsize=4096)
def dispatches(path: str) -> bool:
    """Whether a function of NumPy hands arrays of other libraries on to them (NEP 13, NEP 18)."""
    import numpy

    root, *names = path.split(".")
    found: object = numpy
    for name in names:
        found = getattr(found, name, None)
    return root == "numpy" and (isinstance(found, numpy.ufunc) or hasattr(found, "_implementation"))


def positional_name(parameters: tuple[Parameter, ...], position: int) -> str | None:
    """Name of the parameter on which a positional argument lands."""
    for index, parameter in enumerate(parameters):
        if parameter.kind == "var_positional":
            return parameter.name
        if parameter.kind not in ("positional_only", "positional_or_keyword"):
            return None
        if index == position:
            return parameter.name
    return None
