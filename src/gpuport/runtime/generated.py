"""Functions that are written at decoration: the parameters of one function, and a text of ours."""

from __future__ import annotations

from collections.abc import Mapping
from types import FunctionType
from typing import Any


def with_parameters_of(function: FunctionType, body: str, given: Mapping[str, Any]) -> FunctionType:
    """A function that is called as `function` is, and reads the names of its module.

    Parameters
    ----------
    function : function
    body : str
        Its statements.
    given : mapping of str to object
        What they read beside; names begin with ``_gp_``.
    """
    inner = "\n".join(f"        {line}" for line in body.splitlines())
    text = (
        f"def _gp_make({', '.join(given)}):\n"
        f"    def _gp_made({parameters_text(function)}):\n{inner}\n    return _gp_made\n"
    )
    space: dict[str, Any] = {}
    code = compile(text, f"<{function.__qualname__} by gpuport>", "exec")
    exec(code, function.__globals__, space)
    made: FunctionType = space["_gp_make"](*given.values())
    made.__defaults__, made.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
    made.__name__, made.__qualname__ = function.__name__, function.__qualname__
    return made


def parameters_text(function: FunctionType) -> str:
    """The parameters as ``def`` has them; what stands for defaults is put in its place later."""
    code = function.__code__
    plain = code.co_varnames[: code.co_argcount]
    with_default = len(plain) - len(function.__defaults__ or ())
    parts = [f"{one}=None" if at >= with_default else one for at, one in enumerate(plain)]
    if code.co_posonlyargcount:
        parts.insert(code.co_posonlyargcount, "/")
    rest = list(code.co_varnames[code.co_argcount :])
    named, rest = rest[: code.co_kwonlyargcount], rest[code.co_kwonlyargcount :]
    many = bool(code.co_flags & 4)
    if many:
        parts.append(f"*{rest.pop(0)}")
    elif named:
        parts.append("*")
    defaults = function.__kwdefaults__ or {}
    parts += [f"{one}=None" if one in defaults else one for one in named]
    if code.co_flags & 8:
        parts.append(f"**{rest[0]}")
    return ", ".join(parts)
