"""The names that the body of a loop reads, where it runs once for all items."""

from __future__ import annotations

import builtins
import dis
import inspect
import sys
from functools import lru_cache
from itertools import product
from types import CellType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from gpuport.runtime.code import all_code, stores_globals
from gpuport.runtime.items.calls import (
    MATH,
    conversion,
    greatest,
    is_instance,
    least,
    of_math,
    rounded,
)
from gpuport.runtime.items.domains import Backwards, Counted, Grid, Mapped, Numbered, Zipped
from gpuport.runtime.items.guards import Forbidden
from gpuport.runtime.items.knowledge import own_rule_of, rule_of
from gpuport.runtime.items.signals import refuse

if TYPE_CHECKING:
    from gpuport.runtime.items.trace import Trace

_MISSING = object()

_ROOTS = ("numpy", "cupy", "cupyx", "scipy")

_AS_THEY_ARE = frozenset({
    "all", "any", "abs", "dict", "filter", "len", "list", "sum", "tuple", "slice", "next",
    "iter", "divmod", "pow", "sorted", "Ellipsis", "NotImplemented", "True", "False", "None",
    "property", "staticmethod", "object",
})  # fmt: skip
"""Builtins that do to proxies what they do to the values."""

_OF_PROXIES: dict[str, Any] = {
    "range": Counted, "zip": Zipped, "enumerate": Numbered, "reversed": Backwards, "map": Mapped,
}  # fmt: skip
_CALLED: dict[str, Any] = {
    "max": greatest, "min": least, "isinstance": is_instance, "round": rounded,
}  # fmt: skip


class Names(dict[str, Any]):
    """The names of a module, with proxies for what is there."""

    def __init__(self, trace: Trace, live: dict[str, Any]) -> None:
        super().__init__((name, value) for name, value in live.items() if name.startswith("__"))
        self.trace = trace
        self.live = live

    def __missing__(self, name: str) -> Any:
        value = self.live.get(name, _MISSING)
        found = self._builtin(name) if value is _MISSING else self.trace.outer(value)
        self[name] = found
        return found

    def _builtin(self, name: str) -> Any:
        value = getattr(builtins, name, _MISSING)
        if value is _MISSING:
            raise KeyError(name)
        trace = self.trace
        if name in _OF_PROXIES:
            made = _OF_PROXIES[name]
            return lambda *given, **options: made(trace, *given, **options)
        if name in _CALLED:
            called = _CALLED[name]
            return lambda *given, **options: called(trace, *given, **options)
        allowed = name in _AS_THEY_ARE
        if conversion(trace, value) is not None:
            return conversion(trace, value)
        if isinstance(value, type) and issubclass(value, BaseException):
            allowed = True
        return value if allowed else Forbidden(name)


_MODULES = frozenset({"math", "itertools"})


def _grid(trace: Trace, *sizes: Any) -> Grid:
    if len(sizes) == 1 and isinstance(sizes[0], tuple):
        sizes = sizes[0]
    return Grid(trace, *(Counted(trace, size) for size in sizes))


_LOOPS: dict[Any, Any] = {product: Grid, np.ndindex: _grid}
"""What loops go over beside Python's own."""


def traced_type(trace: Trace, value: type) -> Any:
    """A type, as the run calls it."""
    if value in _LOOPS:
        made = _LOOPS[value]
        return lambda *given: made(trace, *given)
    if conversion(trace, value) is not None:
        return conversion(trace, value)
    allowed = issubclass(value, (np.generic, BaseException)) or value in _TYPES
    return value if allowed else Forbidden(value.__name__)


_TYPES = (object, np.dtype, np.errstate)


class TracedModule:
    """A library's module: its functions are those of all items."""

    def __init__(self, trace: Trace, path: str, module: Any) -> None:
        self._gp = (trace, path, module)

    def __getattr__(self, name: str) -> Any:
        trace, path, module = object.__getattribute__(self, "_gp")
        value = getattr(module, name)
        if isinstance(value, ModuleType):
            return traced_module(trace, f"{path}.{name}", value)
        if isinstance(value, type):
            return traced_type(trace, value)
        if isinstance(value, (bool, int, float, complex, type(None), str)):
            return value
        if not callable(value) and hasattr(type(value), "__getitem__"):
            return Mesh(trace, value)
        rule = rule_of(f"{path}.{name}")
        if rule is None:
            return Forbidden(f"{path}.{name}")
        return lambda *given, **options: rule(trace, *given, **options)

    def __setattr__(self, name: str, value: Any) -> None:
        if name != "_gp":
            refuse(f"`{name}` of a module is bound")
        object.__setattr__(self, name, value)


class Mesh:
    """``numpy.mgrid`` and the like: the same for all items."""

    def __init__(self, trace: Trace, maker: Any) -> None:
        self._gp = (trace, maker)

    def __getitem__(self, index: Any) -> Any:
        trace, maker = self._gp
        found = maker[index]
        return list(map(trace.outer, found)) if isinstance(found, (list, tuple)) else (
            trace.outer(found)
        )  # fmt: skip


class OtherModule:
    """A module of Python's of which a few functions are known."""

    def __init__(self, trace: Trace, name: str, module: Any) -> None:
        self._gp = (trace, name, module)

    def __getattr__(self, name: str) -> Any:
        trace, path, module = object.__getattribute__(self, "_gp")
        value = getattr(module, name)
        if isinstance(value, (float, int)):
            return value
        if isinstance(value, type):
            return traced_type(trace, value)
        if path == "math" and name in MATH:
            return lambda *given: of_math(trace, name, *given)
        return Forbidden(f"{path}.{name}")


class OwnModule:
    """A module of the runtime's."""

    def __init__(self, trace: Trace, module: Any) -> None:
        self._gp = (trace, module)

    def __getattr__(self, name: str) -> Any:
        trace, module = object.__getattribute__(self, "_gp")
        return trace.outer(getattr(module, name))


def traced_module(trace: Trace, path: str, module: Any = None) -> Any:
    """A module, as the run reads it."""
    module = module or sys.modules[path]
    root = path.partition(".")[0]
    if root in _ROOTS and path not in ("numpy.random", "cupy.random"):
        return TracedModule(trace, path, module)
    if root == "gpuport":
        return OwnModule(trace, module)
    if path in _MODULES:
        return OtherModule(trace, path, module)
    return Forbidden(path)


def traced_function(trace: Trace, function: FunctionType) -> Any:
    """A function of the program, as the run calls it."""
    path = f"{function.__module__}.{function.__name__}"
    root = (function.__module__ or "").partition(".")[0]
    ours = root == "gpuport" or function.__module__ == __name__  # of a runtime that is one file
    if ours or root in _ROOTS:
        rule = own_rule_of(function.__name__) if ours else rule_of(path)
        if rule is None:
            return Forbidden(path)
        return lambda *given, **options: rule(trace, *given, **options)
    raw = _unwrapped(function)
    if raw is None or not may_run(raw):
        return Forbidden(function.__name__)
    bound = bound_to(trace, raw)

    def called(*given: Any, **options: Any) -> Any:
        trace.depth += 1
        try:
            return bound(*given, **options)
        finally:
            trace.depth -= 1

    return called


def _unwrapped(function: FunctionType) -> FunctionType | None:
    """What stands under a decorator of gpuport's; None under one of anybody else's."""
    from gpuport.runtime.batched.loop import loop
    from gpuport.runtime.device import device

    ours = {device.__code__.co_filename, loop.__code__.co_filename}
    while hasattr(function, "__wrapped__"):
        where = function.__code__.co_filename
        if where not in ours and not where.endswith(" by gpuport>"):
            return None
        function = function.__wrapped__
    return function if isinstance(function, FunctionType) else None


@lru_cache(maxsize=256)
def may_run(function: FunctionType) -> bool:
    """Whether a function changes no names of others, and is no generator."""
    code = function.__code__
    if stores_globals(code) or code.co_flags & _LATER:
        return False
    for part in all_code(code):
        if not part.co_flags & inspect.CO_OPTIMIZED:
            return False  # the body of a class
        for one in dis.get_instructions(part):
            if one.opname in _REFUSED:
                return False
            if one.opname == "STORE_DEREF" and one.argval in part.co_freevars:
                return False
    return True


_LATER = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
_REFUSED = frozenset({"BUILD_SET", "SET_ADD", "SET_UPDATE", "IMPORT_NAME", "IMPORT_FROM"})


def bound_to(trace: Trace, function: FunctionType) -> FunctionType:
    """A function with the names that the run gives it."""
    names = trace.names_of(function.__globals__)
    closure = tuple(_cell(trace, one) for one in function.__closure__ or ())
    defaults = function.__defaults__
    given = tuple(map(trace.outer, defaults)) if defaults else None
    bound = FunctionType(function.__code__.replace(), names, function.__name__, given, closure)
    named = function.__kwdefaults__
    bound.__kwdefaults__ = {k: trace.outer(v) for k, v in named.items()} if named else None
    return bound


def _cell(trace: Trace, cell: CellType) -> CellType:
    try:
        return CellType(trace.outer(cell.cell_contents))
    except ValueError:
        return cell


__all__ = ["Names", "bound_to", "may_run", "traced_function", "traced_module", "traced_type"]
