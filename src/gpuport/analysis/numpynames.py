"""Names of CuPy read as the NumPy names that they stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gpuport.rules.tables import Parameter


def as_numpy(path: str) -> str:
    """The NumPy name behind a name of CuPy: code that is ported already is read as it was."""
    head, _, tail = path.partition(".")
    return f"numpy.{tail}" if head == "cupy" and tail != "asnumpy" else path


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
