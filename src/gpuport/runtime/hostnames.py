"""The names of a module as its functions see them on the host path, found as fast as ever."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable, Iterator
from types import FunctionType, ModuleType
from typing import Any

from gpuport.runtime.code import stored_globals

_MISSING = object()
_READS_NAMES = frozenset({"globals", "locals", "vars", "dir", "eval", "exec", "__import__"})
_PLAIN = frozenset({int, float, bool, complex, str, bytes, type(None), tuple, list, dict})


class HostNames(dict[str, Any]):
    """The live globals of a module, with what NumPy has in the place of what came from CuPy.

    Names that mean one thing as long as a call lasts (modules, functions, classes, builtins) are
    kept here once they were asked for, where the interpreter finds them without running Python.
    Numbers, arrays and whatever else may change are looked up in the module each time.

    Parameters
    ----------
    live : dict
        The module's names.
    stand_in : callable
        What a value of the module's is on the host.
    """

    def __init__(self, live: dict[str, Any], stand_in: Callable[[Any], Any]) -> None:
        super().__init__((name, value) for name, value in live.items() if name.startswith("__"))
        self.live = live
        self._stand_in = stand_in
        self._kept: dict[str, Any] = {}
        self._kept_builtins: dict[str, Any] = {}
        self._stored: frozenset[str] | None = None

    def __missing__(self, name: str) -> Any:
        value = self.live.get(name, _MISSING)
        if value is _MISSING:
            return self._builtin(name)
        if type(value) in _PLAIN:
            return value
        found = self._stand_in(value)
        if self._lasts(name, value, found):
            self[name] = found
            self._kept[name] = value
        return found

    def _builtin(self, name: str) -> Any:
        value = getattr(builtins, name, _MISSING)
        own = self.live.get("__builtins__")
        if value is _MISSING or (own is not builtins and own is not vars(builtins)):
            raise KeyError(name)
        self[name] = value
        self._kept_builtins[name] = value
        return value

    def _lasts(self, name: str, value: Any, found: Any) -> bool:
        """Whether the name is not one that the program gives other values as it runs."""
        if isinstance(value, (FunctionType, type)):
            means = value.__name__ == name
        else:
            means = isinstance(value, ModuleType) or found is not value
        if means and self._stored is None:
            self._stored = frozenset(_stored_names(self.live))
        return means and self._stored is not None and name not in self._stored

    def check(self) -> bool:
        """Forget what the module has otherwise by now; asked where a call begins.

        Returns
        -------
        bool
            Whether all is as it was.
        """
        live, common = self.live, vars(builtins)
        # copies: other threads may be finding names meanwhile
        for name, value in list(self._kept.items()):
            if live.get(name) is not value:
                return self._forget()
        for name, value in list(self._kept_builtins.items()):
            if common.get(name) is not value or name in live:
                return self._forget()
        return True

    def whole(self, wanted: Iterable[str]) -> dict[str, Any]:
        """A plain dict, of which the interpreter remembers places, where it can stand for this.

        That is so where each of the names that a function reads means one thing as long as a call
        lasts, and none of them lets it read others.
        """
        found = {name: value for name, value in list(self.items()) if name.startswith("__")}
        for name in wanted:
            if name in _READS_NAMES:
                return self
            try:
                value = self[name]
            except (KeyError, AttributeError):  # tells at the place where it is read
                return self
            if name not in self:
                return self
            found[name] = value
        return found

    def _forget(self) -> bool:
        for kept in (self._kept, self._kept_builtins):
            for name in list(kept):
                self.pop(name, None)
                kept.pop(name, None)
        return False


def _stored_names(live: dict[str, Any]) -> Iterator[str]:
    """The names that functions of the module assign to."""
    for value in list(live.values()):
        own = isinstance(value, type) and value.__module__ == live.get("__name__")
        for one in list(vars(value).values()) if own else [value]:
            function = one.__func__ if isinstance(one, (classmethod, staticmethod)) else one
            while isinstance(function, FunctionType) and function.__globals__ is not live:
                function = getattr(function, "__wrapped__", None)
            if isinstance(function, FunctionType):
                yield from stored_globals(function.__code__)
