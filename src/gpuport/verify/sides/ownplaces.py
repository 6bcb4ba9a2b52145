"""Classes and functions of the project by their places, found without running anything.

A name is looked up in the dictionaries of modules and classes alone: no attribute is computed, and
no module is imported but those that `rules/recordings.yaml` names.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.machinery
import sys
from collections.abc import Container, Mapping
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from gpuport.verify.sides.allowed import allowed
from gpuport.verify.sides.sides import Side

_WRAPPED = "__wrapped__"
_WRAPPERS = 20
_OWN_SCRIPT = "__main__"


class NotFound(LookupError):
    """There is no such place among what is loaded or allowed."""


class Places:
    """What the modules of one side, and allowed ones, hold.

    Parameters
    ----------
    side : Side
    verified : container of str
        Names of modules that are verified as well, and may be imported for that.
    """

    def __init__(self, side: Side, verified: Container[str] = ()) -> None:
        self._side = side
        self._verified = verified

    def found(self, place: str) -> Any:
        """The class, function or other object at a place.

        Raises
        ------
        NotFound
            Where nothing stands there that can be found without running anything.
        """
        module, _, name = place.partition(":")
        target: Any = self._module(module)
        for depth, part in enumerate(name.split(".")):
            if depth and not issubclass(type(target), type):  # no name leads through a module
                raise NotFound(place)
            try:
                target = space_of(target)[part]
            except (KeyError, TypeError):
                raise NotFound(place) from None
            if type(target) in (staticmethod, classmethod):
                target = target.__func__
        return target

    def is_own_module(self, name: str) -> bool:
        """Whether a module is one of the side's, and loaded."""
        return self._own(name) is not None

    def is_own(self, target: Any) -> bool:
        """Whether a class or function is defined in a module of this side."""
        if issubclass(type(target), type):
            return str(space_of(target).get("__module__")) in self._names()
        spaces = {id(space_of(module)) for module in self._modules()}
        for _ in range(_WRAPPERS):
            if type(target) is FunctionType and id(target.__globals__) in spaces:
                return True
            target = _wrapped(target)
        return False

    def is_ufunc(self, target: Any) -> bool:
        """Whether it is a universal function."""
        return type(target) is np.ufunc

    def _module(self, name: str) -> ModuleType:
        own = self._own(name)
        if own is not None:
            return own
        if name not in allowed().modules or self._is_shadowed(name):
            raise NotFound(name)
        try:
            return importlib.import_module(name)
        except ImportError:
            raise NotFound(name) from None

    def _own(self, name: str) -> ModuleType | None:
        side = self._side
        if name in (side.name, _OWN_SCRIPT):
            return side.module
        if name not in side.modules and name in self._verified:
            with side.entered(), contextlib.suppress(Exception, SystemExit):
                importlib.import_module(name)
        return side.modules.get(name)

    def _modules(self) -> list[ModuleType]:
        held = [self._side.module, *self._side.modules.values()]
        return [module for module in held if isinstance(module, ModuleType)]

    def _names(self) -> set[str]:
        own = space_of(self._side.module).get("__name__", "")
        return {own, self._side.name, _OWN_SCRIPT, *self._side.modules}

    def _is_shadowed(self, name: str) -> bool:
        """Whether the project has a module of this name, which would be run in its place."""
        top = name.partition(".")[0]
        if top in sys.modules or top in sys.builtin_module_names:
            return False
        spec = importlib.machinery.PathFinder.find_spec(top, [str(self._side.root)])
        return spec is not None and not _is_installed(self._side.root)


def _is_installed(root: Path) -> bool:
    return root.name in ("site-packages", "dist-packages")


def space_of(target: Any) -> Mapping[str, Any]:
    """The dictionary of a module or class, whatever its type says.

    Raises
    ------
    TypeError
        Of anything else.
    """
    if issubclass(type(target), type):
        return type.__dict__["__dict__"].__get__(target)  # type: ignore[no-any-return]
    if issubclass(type(target), ModuleType):
        return ModuleType.__getattribute__(target, "__dict__")  # type: ignore[no-any-return]
    raise TypeError("neither a module nor a class")


def _wrapped(target: Any) -> Any:
    """What a decorator says that it wraps."""
    try:
        return object.__getattribute__(target, "__dict__").get(_WRAPPED)
    except AttributeError:
        return None
