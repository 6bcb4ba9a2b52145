"""The body of a ported function, run with NumPy in the place of CuPy.

The function's own code object is bound to other globals: the module's live ones, in which
whatever came from CuPy is its NumPy counterpart.
"""

from __future__ import annotations

import builtins
import contextlib
import importlib
import inspect
import sys
from collections.abc import Iterable
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from gpuport.runtime import batched
from gpuport.runtime.code import OPCODES, all_code, stores_globals, taken_whole
from gpuport.runtime.hostnames import HostNames
from gpuport.runtime.visits import refuse_unclear
from gpuport.runtime.windowfunctions import COUNTERPARTS

_KERNELS = ("ElementwiseKernel", "ReductionKernel", "RawKernel")

_ROOTS = {"cupy": "numpy", "cupyx.scipy": "scipy"}


class NoHostCounterpartError(AttributeError):
    """The host path came to something of CuPy's that NumPy and SciPy do not have."""


_modules: dict[str, ModuleType] = {}


def host_module(name: str) -> ModuleType:
    """NumPy or SciPy under the name of the CuPy module ``name``, such as ``cupyx.scipy.ndimage``.

    What was asked for once is an attribute, which the interpreter finds without running Python.
    """
    if name not in _modules:
        made = ModuleType(name)
        made.__path__ = []

        def __getattr__(attribute: str) -> Any:
            if attribute.startswith("__"):
                raise AttributeError(attribute)
            value = _counterpart(name, attribute)
            setattr(made, attribute, value)
            return value

        made.__getattr__ = __getattr__  # type: ignore[method-assign]
        _modules.setdefault(name, made)
    return _modules[name]


def _counterpart(module: str, name: str) -> Any:
    own = _OWN.get(f"{module}.{name}")
    if own is not None:
        return own
    full_name = f"{module}.{name}"
    if full_name in ("cupyx.scipy",) or isinstance(sys.modules.get(full_name), ModuleType):
        return host_module(full_name)
    for root, host_root in _ROOTS.items():
        if module == root or module.startswith(root + "."):
            return _attribute(host_root + module[len(root) :], name, full_name)
    raise NoHostCounterpartError(f"{full_name} has no counterpart in NumPy or SciPy")


def _attribute(module: str, name: str, full_name: str) -> Any:
    try:
        return getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError):
        pass
    try:
        return importlib.import_module(f"{module}.{name}")
    except ImportError as error:
        raise NoHostCounterpartError(
            f"{full_name} has no counterpart {module}.{name} that could run on the host"
        ) from error


def _asarray(
    a: Any, dtype: Any = None, order: Any = None, *, blocking: bool = False, **rest: Any
) -> Any:
    refuse_unclear(a)
    return np.asarray(a, dtype=dtype, order=order, **rest)


def _asnumpy(
    a: Any, stream: Any = None, order: Any = "C", out: Any = None, *, blocking: bool = True
) -> Any:
    """``cupy.asnumpy``, where the value already is the one the original program had.

    A port writes ``cp.asnumpy(x)[()]`` for a number of the device. Here ``x`` may be an element
    of a list or an array of texts or objects, which knows no ``[()]``.
    """
    if out is not None:
        out[...] = a
        return out
    if isinstance(a, (np.ndarray, np.generic)) and not isinstance(a, np.character):
        return a
    caller = sys._getframe(1)
    return _Whole(a) if taken_whole(caller.f_code, caller.f_lasti) else a


class _Whole:
    """What gives back its value for ``[()]``, which is all that is asked of it."""

    __slots__ = ("_value",)

    def __init__(self, value: Any) -> None:
        self._value = value

    def __getitem__(self, index: tuple[()]) -> Any:
        return self._value


def _scatter_add(a: Any, slices: Any, value: Any) -> None:
    np.add.at(a, slices, value)


def _get_array_module(*args: Any) -> Any:
    return np


def _errstate(**settings: Any) -> Any:
    return contextlib.nullcontext()


_OWN: dict[str, Any] = {
    "cupy.asarray": _asarray,
    "cupy.asnumpy": _asnumpy,
    "cupy.get_array_module": _get_array_module,
    "cupyx.errstate": _errstate,
    "cupyx.scatter_add": _scatter_add,
}


class _HostBatched(ModuleType):
    """``batched`` where the arrays are NumPy's: a list of numbers makes one of these."""

    @staticmethod
    def elements(rows: Any, *, each: bool = False) -> Any:
        return np.array(rows)

    def __getattr__(self, name: str) -> Any:
        return getattr(batched, name)


_host_batched = _HostBatched(batched.__name__)


def stand_in(value: Any) -> Any:
    """The NumPy counterpart of a module, function or type of CuPy's; other values as they are."""
    if isinstance(value, ModuleType) and _modules.get(value.__name__) is value:
        return value
    if value is batched:
        return _host_batched
    if type(value) is FunctionType and value in COUNTERPARTS:
        return COUNTERPARTS[value]
    if isinstance(value, ModuleType):
        return host_module(value.__name__) if _is_cupy_name(value.__name__) else value
    origin = getattr(value, "__module__", None) or type(value).__module__
    if not isinstance(origin, str) or not _is_cupy_name(origin) or _is_array(value):
        return value
    if type(value).__name__ in _KERNELS:
        return value  # named where it would be launched; nothing of NumPy's can be
    found = _name_in_cupy(value)
    if found is None:
        raise NoHostCounterpartError(f"{value!r} of CuPy's has no counterpart on the host")
    module, name = found
    return getattr(host_module(module), name)


def _is_cupy_name(name: str) -> bool:
    return name.partition(".")[0] in ("cupy", "cupyx")


def _is_array(value: Any) -> bool:
    return isinstance(value, getattr(sys.modules.get("cupy"), "ndarray", ()))


def _name_in_cupy(value: Any) -> tuple[str, str] | None:
    """The public module and name under which CuPy offers ``value``."""
    modules = sorted(
        (name for name in sys.modules if _is_cupy_name(name) and "._" not in name), key=len
    )
    for module in modules:
        for name, other in list(vars(sys.modules[module]).items()):
            if other is value and not name.startswith("_"):
                return module, name
    return None


class _HostBuiltins(dict[str, Any]):
    """The builtins, with an ``import`` that gives stand-ins for CuPy's modules."""

    def __init__(self) -> None:
        super().__init__(vars(builtins), __import__=_host_import)

    def __getitem__(self, name: str) -> Any:
        if name == "__import__" or not hasattr(builtins, name):
            return super().__getitem__(name)
        return getattr(builtins, name)


def _host_import(
    name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0
) -> Any:
    if level == 0 and _is_cupy_name(name):
        return host_module(name if fromlist else name.partition(".")[0])
    return builtins.__import__(name, globals, locals, fromlist, level)


class HostGlobals(HostNames):
    """The globals of the functions of a module on the host path."""

    def __init__(self, live: dict[str, Any], own_builtins: bool) -> None:
        super().__init__(live, self._on_host)
        self._functions: dict[int, tuple[FunctionType, FunctionType]] = {}
        if own_builtins:
            self["__builtins__"] = _HostBuiltins()

    def _on_host(self, value: Any) -> Any:
        if type(value) is FunctionType and value.__globals__ is self.live:
            return self._helper(value)
        return stand_in(value)

    def _helper(self, function: FunctionType) -> Any:
        """A function of the same module that is no boundary itself: part of this one's body."""
        if hasattr(function, "__wrapped__") or stores_globals(function.__code__):
            return function
        known = self._functions.get(id(function))
        if known is None:
            known = (function, on_host(function, self))
            self._functions[id(function)] = known
        return known[1]


class ClassGlobals(HostGlobals):
    """The same for a body that defines a class: where the interpreter runs the class's own body,
    it asks for the entries alone, which are copied at each call."""

    def __getitem__(self, name: str) -> Any:
        if name == "__builtins__":
            return super().__getitem__(name)
        return self._on_host(self.live[name])

    def check(self) -> bool:
        for name, value in self.live.items():
            if not name.startswith("__"):
                with contextlib.suppress(NoHostCounterpartError):
                    self[name] = self._on_host(value)
        return True

    def whole(self, wanted: Iterable[str]) -> dict[str, Any]:
        return self


def host_globals(function: FunctionType) -> HostGlobals:
    """The globals that ``function`` gets on the host path."""
    imports = any(
        OPCODES.imports & set(part.co_code[::2]) and any(map(_is_cupy_name, part.co_names))
        for part in all_code(function.__code__)
    )
    kind = ClassGlobals if has_class_body(function.__code__) else HostGlobals
    return kind(function.__globals__, imports)


def on_host(function: FunctionType, names: dict[str, Any]) -> FunctionType:
    """``function`` with the same code, defaults and closure, but with NumPy for CuPy."""
    closure = tuple(_host_cell(cell) for cell in function.__closure__ or ())
    bound = FunctionType(
        function.__code__.replace(), names, function.__name__, function.__defaults__, closure
    )
    bound.__kwdefaults__ = function.__kwdefaults__
    bound.__qualname__ = function.__qualname__
    bound.__module__ = function.__module__
    bound.__doc__ = function.__doc__
    return bound


def _host_cell(cell: CellType) -> CellType:
    try:
        content = cell.cell_contents
    except ValueError:
        return cell
    return CellType(stand_in(content)) if isinstance(content, ModuleType) else cell


def has_class_body(code: CodeType) -> bool:
    """Whether a class is defined inside ``code``: its body looks names up in another way."""
    return any(not part.co_flags & inspect.CO_OPTIMIZED for part in all_code(code))
