"""How arguments of a function of CuPy's become those of NumPy's or SciPy's function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpuport.host import counters
from gpuport.host.argumentchecks import Checks, holds_numbers
from gpuport.host.dtypes import check_dtype
from gpuport.host.launches import FORM_ALONE
from gpuport.host.ndarray import IMPLICIT, ndarray
from gpuport.host.operands import operand
from gpuport.host.signatures import Parameter, default_value, parameters

_INTEGERS = frozenset(
    {"shape", "axis", "n", "N", "M", "k", "num", "axes", "newshape", "kth", "decimals"}
    | {"axis1", "axis2", "source", "destination", "ndmin"}
)
_FROM_HOST = frozenset(
    {"q", "bins", "indices_or_sections", "pad_width", "repeats", "reps", "range"}
)
"""Parameters that may be a NumPy array next to a device array: CuPy moves it, or reads it."""
_READ_BACK = frozenset({"start", "stop", "step"})
_NUMBERS = _INTEGERS | _READ_BACK
OWN_DEFAULTS = {
    "cupy.linalg.pinv": frozenset({"rcond"}),
    "cupy.ravel_multi_index": frozenset({"mode"}),
    "cupyx.scipy.linalg.solve_triangular": frozenset({"check_finite"}),
    "cupyx.scipy.signal.group_delay": frozenset({"fs"}),
}
"""Parameters, by function, whose default in CuPy means something else than NumPy's or SciPy's."""


def convert(
    name: str,
    value: Any,
    owners: list[ndarray],
    moves: bool | None = None,
    reads: bool = False,
) -> Any:
    """NumPy's form of the argument called `name`; device arrays met are added to `owners`.

    `moves` tells whether CuPy moves a NumPy array that it is given there, where that is known;
    `reads` whether it reads a device array back where it wants a number.
    """
    if isinstance(value, ndarray):
        if name in _INTEGERS and not reads:
            raise TypeError("'ndarray' object cannot be interpreted as an integer")
        if name in _READ_BACK or name in _INTEGERS:
            if value.ndim:
                raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
            return value.item()
        owners.append(value)
        return value._a
    if name == "dtype" and value is not None:
        return check_dtype(value)
    if (
        isinstance(value, (list, tuple))
        and not holds_numbers(value)
        and any(isinstance(x, (ndarray, np.ndarray, list, tuple)) for x in value)
    ):
        if any(isinstance(x, ndarray) for x in value) and any(
            isinstance(x, np.ndarray) for x in value
        ):
            raise TypeError(IMPLICIT)
        parts = [convert(name, x, owners, moves) for x in value]
        return type(value)(parts) if type(value) in (list, tuple) else tuple(parts)
    if isinstance(value, np.ndarray):
        if not (name in _FROM_HOST if moves is None else moves):
            raise TypeError(f"Unsupported type {type(value)}")
        counters.h2d(value.nbytes)
    return value


Bind = Callable[[dict[str, Any], bool, list[ndarray]], tuple[list[Any], dict[str, Any]]]
"""From the arguments to positional and named ones, as :meth:`Binding.compiled` makes it."""


@dataclass(frozen=True)
class Binding:
    """How the arguments of one function of CuPy become those of NumPy's.

    Attributes
    ----------
    qualified : str
        CuPy's name of the function.
    rows : list of Parameter
        Its parameters.
    defaults : dict
        Their defaults.
    known : set of str, optional
        Parameters of NumPy's function.
    strict : bool
        Whether the arguments can only be device arrays and numbers.
    moves, reads : dict
        By parameter: whether CuPy moves a NumPy array, and whether it reads a device array back.
    first : str, optional
        The required parameter at the front, which may be a NumPy array.
    passed : set of str
        Parameters whose default is passed on, as NumPy's is another.
    """

    qualified: str
    rows: list[Parameter]
    defaults: dict[str, Any]
    known: set[str] | None
    strict: bool
    moves: dict[str, bool | None]
    reads: dict[str, bool]
    first: str | None
    passed: frozenset[str]

    def compiled(self) -> Bind:
        """From the arguments to positional and named ones for NumPy's function.

        The function takes the arguments, whether CuPy answers on the host, and a list that device
        arrays join. It is compiled for its parameters, as it is part of what every call costs.
        """
        scope: dict[str, Any] = {
            "required": self._required, "optional": self._optional, "convert": convert,
            "defaults": self.defaults, "moves": self.moves, "array": ndarray,
        }  # fmt: skip
        lines = ["def bind(given, hosted, owners):", "    positional, keywords = [], {}"]
        for parameter, kind, default in self.rows:
            lines.append(f"    value = given[{parameter!r}]")
            lines += self._statements(parameter, kind, default)
        exec("\n".join([*lines, "    return positional, keywords"]), scope)
        made: Bind = scope["bind"]
        return made

    def _statements(self, parameter: str, kind: str, default: str | None) -> list[str]:
        """What one parameter's value comes to."""
        if kind == "*":
            moves = f"moves[{parameter!r}]"
            each = f"convert({parameter!r}, x, owners, {moves})"
            return [f"    positional += [{each} for x in value]"]
        if kind == "**":
            each = "k: convert(k, x, owners) for k, x in value.items()"
            return [f"    keywords.update({{{each}}})"]
        if default is None and kind != "k":
            general = f"positional.append(required({parameter!r}, value, hosted, owners))"
            if parameter in _NUMBERS:
                return [f"    {general}"]
            return [
                "    if type(value) is array:",
                "        owners.append(value)",
                "        positional.append(value._a)",
                "    else:",
                f"        {general}",
            ]
        if parameter == "out":
            return []
        assign = f"keywords[{parameter!r}] = optional({parameter!r}, value, owners)"
        if parameter in self.passed:
            return [f"    {assign}"]
        return [f"    if value is not defaults.get({parameter!r}):", f"        {assign}"]

    def _optional(self, parameter: str, value: Any, owners: list[ndarray]) -> Any:
        if self.known is not None and parameter not in self.known:
            raise NotImplementedError(
                f"the host backend has no {parameter}= of {self.qualified} yet"
            )
        return convert(parameter, value, owners, self.moves[parameter], self.reads[parameter])

    def _required(self, parameter: str, value: Any, hosted: bool, owners: list[ndarray]) -> Any:
        if self.strict:
            return operand(value)
        if isinstance(value, np.ndarray) and (hosted or parameter == self.first):
            if not hosted and self.qualified not in FORM_ALONE:
                counters.h2d(value.nbytes)
            return value
        label = "" if parameter == self.first == "M" else parameter
        return convert(label, value, owners, self.moves[parameter], self.reads[parameter])


def binding(
    qualified: str,
    entry: dict[str, Any],
    known: set[str] | None,
    strict: bool,
    checks: Checks | None,
) -> Binding:
    """The binding of the function `qualified`, by its entry in the API tables."""
    rows = parameters(entry)
    return Binding(
        qualified=qualified,
        rows=rows,
        defaults={row[0]: default_value(row[2]) for row in rows if row[2] is not None},
        known=known,
        strict=strict,
        moves={row[0]: checks.takes_host_array(row[0]) if checks else None for row in rows},
        reads={row[0]: checks is not None and checks.reads_device_array(row[0]) for row in rows},
        first=rows[0][0] if rows and rows[0][2] is None else None,
        passed=OWN_DEFAULTS.get(qualified, frozenset()),
    )
