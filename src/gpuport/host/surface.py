"""The modules ``cupy`` and ``cupyx``, built name by name from the API tables when asked for."""

from __future__ import annotations

import importlib
import inspect
import json
import sys
import types
from functools import cache
from typing import Any

import numpy as np

from gpuport._data import rules_folder
from gpuport.host import delegate, signatures
from gpuport.host.argumentchecks import Checks, checks_of, guarded
from gpuport.host.array.base import FUNCTIONS
from gpuport.host.counterparts import NOTHING, counterpart, known_parameters
from gpuport.host.fftplans import planned
from gpuport.host.ndarray import ndarray
from gpuport.host.promotion import RULE
from gpuport.host.refusals import NO_FLOATING_POINT_OF_THE_HOST, refuse_floating
from gpuport.host.registry import HANDWRITTEN
from gpuport.host.shortcuts import SHORTCUTS
from gpuport.host.tracing import fusible
from gpuport.host.ufuncs import ufunc
from gpuport.host.versions import show_methods
from gpuport.host.wording import worded

_HANDWRITTEN_MODULES = (
    "creation", "functions", "linalg", "random", "cuda", "testing", "cupyx", "kernels", "grids",
    "misc", "polynomials", "structured",
    "fusion", "memo", "profiler",
)  # fmt: skip
_HOST_ONLY = frozenset(
    {"broadcast_shapes", "can_cast", "result_type", "promote_types"}
    | {"common_type", "isscalar", "issubdtype", "iscomplexobj", "isrealobj", "finfo", "iinfo"}
    | {"set_printoptions", "get_printoptions", "printoptions", "ndindex", "base_repr"}
    | {"binary_repr", "format_float_positional", "format_float_scientific", "mintypecode"}
    | {"typename", "show_config", "isdtype"}
)
"""Functions that answer on the host: NumPy's own object, looking at device arrays by dtype."""
_AS_THEY_ARE = frozenset(
    {"issubdtype", "promote_types", "mintypecode", "typename"}
    | {"format_float_positional", "format_float_scientific"}
)
"""Those of them that are NumPy's own function, and see the device array itself."""


@cache
def _table(version: int) -> dict[str, Any]:
    path = rules_folder() / "api" / f"cupy-{version}.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def entries(version: int) -> dict[str, dict[str, Any]]:
    """API table of CuPy `version`: qualified name to its entry.

    Raises
    ------
    FileNotFoundError
        Where no table of that version is installed.
    """
    found: dict[str, dict[str, Any]] = _table(version)["entries"]
    return found


@cache
def _members(version: int) -> dict[str, list[str]]:
    children: dict[str, list[str]] = {}
    for name in entries(version):
        parent, _, child = name.rpartition(".")
        children.setdefault(parent, []).append(child)
    return children


def is_module(qualified: str, version: int) -> bool:
    """Whether CuPy has a module of that name, or a package around one."""
    entry = entries(version).get(qualified)
    return entry is not None and entry["kind"] == "module"


class HostModule(types.ModuleType):
    """A module whose attributes are made on first use."""

    def __init__(self, name: str, version: int) -> None:
        super().__init__(name, f"{name}, run on the host by gpuport")
        self.__dict__["_version"] = version
        self.__path__: list[str] = []
        self.__file__ = __file__

    def __getattr__(self, name: str) -> Any:
        qualified = f"{self.__name__}.{name}"
        version = self.__dict__["_version"]
        if name == "__all__":
            return [child for child in self.__dir__() if not child.startswith("_")]
        unlisted = qualified.startswith("cupy.cuda.") and qualified in HANDWRITTEN
        entry = entries(version).get(qualified, {"kind": "alias"} if unlisted else None)
        if entry is None:
            raise AttributeError(f"module '{self.__name__}' has no attribute '{name}'")
        value = build(qualified, entry, version)
        self.__dict__[name] = value
        return value

    def __dir__(self) -> list[str]:
        names = _members(self.__dict__["_version"]).get(self.__name__, [])
        return sorted(set(names))


def _load_handwritten() -> None:
    for name in _HANDWRITTEN_MODULES:
        importlib.import_module(f"gpuport.host.{name}")


def build(qualified: str, entry: dict[str, Any], version: int) -> Any:
    """The object behind one name of CuPy, ready to take part in fused functions and in plans."""
    made = _build(qualified, entry, version)
    return planned(fusible(made, qualified), qualified)


def _build(qualified: str, entry: dict[str, Any], version: int) -> Any:
    kind = entry["kind"]
    name = qualified.rpartition(".")[2]
    if kind == "module":
        return importlib.import_module(qualified)
    own = HANDWRITTEN.get(qualified)
    if own is None and kind == "function" and qualified.startswith(_OF_CUVS):
        own = _uninstalled
    checks = checks_of(qualified, version)
    if own is not None:
        return _signed(own, qualified, entry, checks)
    if kind == "ufunc" and qualified.startswith("cupy.") and qualified.count(".") == 1:
        return _ufunc(name, entry)
    behind = counterpart(qualified, entry)
    if behind is NOTHING:
        return _absent(qualified, kind)
    if kind in ("function", "ufunc") and callable(behind):
        if name in _HOST_ONLY and qualified.startswith("cupy."):
            return _host_only(behind, qualified, entry, checks)
        real = entry.get("name") or name
        if kind == "ufunc":
            count = entry.get("nin", 1)
            rows = [[f"x{i}", "p"] for i in range(count)] + [["out", "pk", "None"]]
            entry = {**entry, "parameters": rows}
        strict = kind == "ufunc"
        return delegate.delegated(
            real, qualified, entry, behind, known_parameters(behind), strict, checks
        )
    if isinstance(behind, type) and not _same_class(behind, entry):
        return _absent(qualified, kind)
    return behind


_OF_CUVS = "cupyx.scipy.spatial.distance."


def _uninstalled(*args: Any, **kwargs: Any) -> Any:
    """What the distances raise on a machine with CuPy alone: another library computes them."""
    raise RuntimeError("cuVS >= 24.12 or pylibraft < 24.12 should be installed to use this feature")


def _same_class(found: type, entry: dict[str, Any]) -> bool:
    if issubclass(found, (np.generic, np.dtype, BaseException, np.finfo, np.iinfo, np.ndindex)):
        return True
    return "same_as" in entry or found.__module__.startswith(("builtins", "numpy.exceptions"))


def _ufunc(name: str, entry: dict[str, Any]) -> Any:
    own = entry.get("name") or name
    canonical = own.removeprefix("cupy_")
    for existing in FUNCTIONS.values():
        if isinstance(existing, ufunc) and existing.name == "cupy_" + canonical:
            return existing
    types = entry.get("types", "")
    made = ufunc(canonical, name, entry.get("nin", 1), entry.get("nout", 1), types)
    FUNCTIONS[name] = made
    return made


def _signed(own: Any, qualified: str, entry: dict[str, Any], checks: Checks | None) -> Any:
    """A handwritten function under CuPy's own signature and name."""
    if not isinstance(own, types.FunctionType) or entry.get("parameters") is None:
        return own
    rows = signatures.parameters(entry)
    accepted = inspect.signature(own).parameters
    if [row[0] for row in rows] == list(accepted) and all(
        row[1] not in ("*", "**") for row in rows
    ):
        own.__name__ = own.__qualname__ = entry.get("name") or qualified.rpartition(".")[2]
        twin = counterpart(qualified, entry)
        if qualified in NO_FLOATING_POINT_OF_THE_HOST:
            twin = _of_whole_numbers(twin)
        return guarded(own, checks, twin=twin if callable(twin) else None)
    defaults = {row[0]: signatures.default_value(row[2]) for row in rows if row[2] is not None}
    flexible = any(p.kind is p.VAR_KEYWORD for p in accepted.values())
    spread = any(p.kind is p.VAR_POSITIONAL for p in accepted.values())

    def body(given: dict[str, Any]) -> Any:
        positional: list[Any] = []
        keywords: dict[str, Any] = {}
        for name, kind, default in rows:
            value = given[name]
            if kind == "*":
                positional.extend(value)
            elif kind == "**":
                keywords.update(value)
            elif default is None and kind != "k":
                positional.append(value)
            elif name in accepted or flexible or spread:
                if value is not defaults[name]:
                    keywords[name] = value
            elif value is not defaults[name]:
                raise NotImplementedError(f"the host backend has no {name}= of {qualified} yet")
        try:
            return own(*positional, **keywords)
        except (TypeError, ValueError, IndexError) as error:
            raise worded(real, error) from None

    real = entry.get("name") or qualified.rpartition(".")[2]
    shortcut = SHORTCUTS.get(qualified)
    return signatures.compile_function(real, qualified, rows, body, checks, shortcut)


def _of_whole_numbers(twin: Any) -> Any:
    def answer(a: Any, *args: Any, **kwargs: Any) -> Any:
        refuse_floating({"a": a})
        return twin(a, *args, **kwargs)

    return answer


def _host_only(function: Any, qualified: str, entry: dict[str, Any], checks: Checks | None) -> Any:
    names = [row[0] for row in signatures.parameters(entry) if row[1] in ("p", "pk")]
    plain = qualified.rpartition(".")[2] in _AS_THEY_ARE

    def answer(*args: Any, **kwargs: Any) -> Any:
        if checks is not None:
            checks.verify({**dict(zip(names, args, strict=False)), **kwargs}, {})
        if plain:
            return function(*args, **kwargs)
        shown = [np.empty(x.shape, x.dtype) if isinstance(x, ndarray) else x for x in args]
        return function(*shown, **kwargs)

    answer.__name__ = answer.__qualname__ = qualified.rpartition(".")[2]
    return answer


def _absent(qualified: str, kind: str) -> Any:
    """What raises when it is called; a class stays one, for ``isinstance``."""

    def missing(*args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(f"the host backend does not run {qualified} yet")

    name = qualified.rpartition(".")[2]
    if kind == "class":
        return type(name, (), {"__new__": missing, "__gpuport_absent__": True})
    missing.__name__ = missing.__qualname__ = name
    missing.__gpuport_absent__ = True  # type: ignore[attr-defined]
    return missing


def create(qualified: str, version: int) -> HostModule:
    """Make the module object of that name."""
    return HostModule(qualified, version)


def connect(root: HostModule) -> None:
    """Let methods and operators of arrays find the functions they call."""
    _load_handwritten()
    version = root.__dict__["_version"]
    root.__dict__["__version__"] = _table(version)["versions"]["cupy"]  # what the table was made of
    RULE.by_value = version < 14
    show_methods(version, set(_members(version).get("cupy.ndarray", [])))
    known = entries(version)

    def find(name: str) -> Any:
        if f"cupy.{name}" in known:
            return getattr(root, name)
        same = getattr(np, name)  # of an operator, and this version has no public name for it
        return ufunc(name, name, same.nin, same.nout)

    FUNCTIONS.connect(find)


def forget() -> dict[str, types.ModuleType]:
    """Drop CuPy's modules from ``sys.modules``, and give back what was there."""
    names = [name for name in sys.modules if name.split(".")[0] in ("cupy", "cupyx")]
    return {name: sys.modules.pop(name) for name in names}
