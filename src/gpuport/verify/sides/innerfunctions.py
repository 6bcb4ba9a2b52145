"""Functions that stand inside of others, made again from a module's text and what they held."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any


def inner_function(
    module: ModuleType, place: str, cells: Mapping[str, Any], defaults: Any
) -> FunctionType:
    """The function at ``module:outer.<locals>.inner``, its free names bound to `cells`.

    Where several stand there under the name (those of a ``lambda``), the first that has these free
    names.

    Raises
    ------
    LookupError
        Where the module has no such function.
    """
    path = [part for part in place.partition(":")[2].split(".") if part != "<locals>"]
    whole = compile(inspect.getsource(module), module.__file__ or "", "exec", dont_inherit=True)
    for code in _below(whole, path):
        if set(code.co_freevars) == set(cells):
            closure = tuple(CellType(cells[name]) for name in code.co_freevars)
            return FunctionType(code, vars(module), path[-1], defaults, closure)
    raise LookupError(f"there is no {place}")


def _below(code: CodeType, path: list[str]) -> Iterator[CodeType]:
    """The code objects at a path of names below another one."""
    if not path:
        yield code
        return
    for one in code.co_consts:
        if isinstance(one, CodeType) and one.co_name == path[0]:
            yield from _below(one, path[1:])
