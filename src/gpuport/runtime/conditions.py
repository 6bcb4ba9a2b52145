"""What a boundary asks of a call beside what its arguments are: ``where=``, ``from_size=``."""

from __future__ import annotations

import builtins
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import FunctionType
from typing import Any

from gpuport.runtime.code import global_names
from gpuport.runtime.expressions import conjuncts, names_in, parsed
from gpuport.runtime.generated import with_parameters_of

_READ: Any = getattr(os.environ, "_data", None)  # `os.environ.get` takes as long as the rest
_FROM_SIZE: Any = "GPUPORT_FROM_SIZE"
_environment: Callable[[Any], Any] = os.environ.get
if isinstance(_READ, dict):
    _FROM_SIZE = os.environ.encodekey(_FROM_SIZE)
    _environment = _READ.get

TOO_SMALL = "its arrays have fewer elements than from_size="


@dataclass(frozen=True, slots=True)
class Conditions:
    """The conditions of one function.

    Attributes
    ----------
    holds : callable or None
        Called as the function is: whether what ``where=`` says is true.
    parts : list of str
        Its parts, to tell which is not.
    elements : callable or None
        Called as the function is: what is counted for ``from_size``; -1 where that is not known.
        None without that.
    from_size : int
    size : str
    function : function
    """

    holds: Callable[..., bool] | None
    parts: list[str]
    elements: Callable[..., int] | None
    from_size: int
    size: str
    function: FunctionType

    @property
    def least(self) -> int:
        """How many elements are worth the device."""
        said = _environment(_FROM_SIZE)
        if not said:
            return self.from_size
        try:
            return int(said)
        except ValueError:
            text = os.environ["GPUPORT_FROM_SIZE"]
            raise ValueError(f"GPUPORT_FROM_SIZE is a number of elements, not {text!r}") from None

    def broken(self, arguments: Mapping[str, Any]) -> str:
        """Which part of ``where=`` does not hold."""
        for text in self.parts:
            try:
                if eval(text, self.function.__globals__, dict(arguments)):
                    continue
            except Exception as error:
                return f"where= cannot be worked out: {text} ({error})"
            return f"not {text}"
        return ""

    def too_small(self, call: tuple[Any, ...], arrays: Any) -> str:
        """Why a call is not worth the device.

        Parameters
        ----------
        call : tuple
            Positional and named arguments of the call.
        arrays : iterable of numpy.ndarray
            Those that would be moved.
        """
        if self.elements is None:
            return ""
        least = self.least
        if self.size:
            count = self.elements(*call[0], **call[1])
            if count < 0:
                return f"size= cannot be worked out: {self.size}"
        else:
            count = max((array.size for array in arrays), default=0)
        return f"{count} elements, fewer than {least}" if count < least else ""


def conditions_of(
    function: FunctionType, arrays: tuple[str, ...], where: str, from_size: int, size: str
) -> Conditions:
    """Read the conditions of a decorator.

    Raises
    ------
    TypeError
        Where they are not Python, or name what there is not.
    """
    name = function.__qualname__
    if not isinstance(where, str) or not isinstance(size, str):
        raise TypeError(f"device: where= and size= of {name} are Python in a string")
    if type(from_size) is not int or from_size < 0:
        raise TypeError(f"device: from_size= of {name} is a number of elements, not {from_size!r}")
    if size and not from_size:
        raise TypeError(f"device: size= of {name} says what from_size= counts, which is not given")
    if from_size and not size and not arrays:
        raise TypeError(f"device: {name} names no array to count for from_size=: say size=")
    for said, text in (("where", where), ("size", size)):
        if text:
            _refuse_unknown(function, said, text)
    holds = _generated(function, f"bool({where.strip()})", "False") if where else None
    counted = size.strip() or f"_gp_max(0, {', '.join(f'{one}.size' for one in arrays)})"
    elements = _generated(function, f"_gp_int({counted})", "-1") if from_size else None
    return Conditions(holds, conjuncts(where), elements, from_size, size, function)


def _refuse_unknown(function: FunctionType, said: str, text: str) -> None:
    name, code = function.__qualname__, function.__code__
    parsed(text, f"device: {said}={text!r}", name)
    count = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4)
    parameters = code.co_varnames[: count + bool(code.co_flags & 8)]
    known = {*parameters, *global_names(function), *function.__globals__, *vars(builtins)}
    if unknown := sorted(names_in(text) - known):
        raise TypeError(
            f"device: {unknown[0]!r} in {said}= of {name} is neither a parameter nor a name of "
            "the module"
        )


def _generated(function: FunctionType, text: str, otherwise: str) -> Any:
    lines = f"try:\n    return {text}\nexcept _gp_error:\n    return {otherwise}"
    lines = lines.replace("return bool(", "return _gp_bool(")
    given = {"_gp_error": Exception, "_gp_max": max, "_gp_int": int, "_gp_bool": bool}
    return with_parameters_of(function, lines, given)
