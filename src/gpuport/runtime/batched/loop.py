"""The decorator of functions that are a loop over items, run at once on the device."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FunctionType
from typing import Any, ParamSpec, TypeVar, cast

from gpuport.runtime.failures import named
from gpuport.runtime.fallback import announce, loaded_cupy
from gpuport.runtime.stats import counter_of

P = ParamSpec("P")
R = TypeVar("R")


def loop(
    *, writes: str = "", sums: str = "", axes: int = 1, hosted: str = ""
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Run a function that is a loop over items once for all of them, where they are on the device.

    Parameters
    ----------
    writes : str
        Parameters to whose elements or items the loop stores, or appends: ``"out, found"``.
    sums : str
        Parameters that each item adds to. The function returns them.
    axes : int
        Of how many nested loops, one right inside of the other, the iterations are items.
    hosted : str
        Parameters, and ``return`` for what the function gives, whose new items are NumPy's.

    Returns
    -------
    callable
        The decorator. What it makes of a function is called as the function is, which stays
        ``__wrapped__``.

    Raises
    ------
    TypeError
        At decoration, where a name is none of the function's parameters.

    Notes
    -----
    The function runs as it is for NumPy's arrays. Where an argument is, or holds, an array of the
    device, its body runs once: each value in it stands for that of every iteration, functions of
    NumPy's are those of stacks, a condition that differs from item to item divides the items.
    Nothing outside is changed before all of them have come through. What has no meaning for all
    items, or raises, runs as the loop that it is, on copies of the host.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        made = _Loop(cast(FunctionType, function), writes, sums, axes, hosted).made()
        return cast(Callable[P, R], made)

    return decorate


class _Loop:
    """One loop, with what its decorator says."""

    def __init__(
        self, function: FunctionType, writes: str, sums: str, axes: int, hosted: str
    ) -> None:
        self.function = function
        self.name = f"{function.__module__}.{function.__qualname__}"
        code = function.__code__
        self.parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        self.writes = self._places(writes)
        self.sums = self._places(sums)
        self.axes = axes
        names = {one.strip() for one in hosted.split(",")}
        self.gives_hosted = "return" in names
        self.hosted = self._places(", ".join(names - {"return"}))
        self.counter = counter_of(self.name)
        self.names: Any = None
        self.body: Any = None

    def _places(self, names: str) -> tuple[int, ...]:
        found = [one.strip() for one in names.split(",") if one.strip()]
        for one in found:
            if one not in self.parameters:
                raise TypeError(f"loop: `{one}` is no parameter of `{self.function.__name__}`")
        return tuple(self.parameters.index(one) for one in found)

    def made(self) -> Any:
        """The function that callers call."""
        function = self.function

        @functools.wraps(function)
        def called(*args: Any, **named: Any) -> Any:
            if named:
                args = (*args, *(named[one] for one in self.parameters[len(args) :]))
            cupy = loaded_cupy()
            if cupy is None or not any(_is_there(cupy, one, 3) for one in args):
                self.counter.count_numpy()
                return (function if cupy is None else self._body())(*args)
            return self._on_device(cupy, args)

        return called

    def _body(self) -> Any:
        """The loop as it is; functions of its module that it calls have NumPy for CuPy."""
        from gpuport.runtime.hostpath import host_globals, on_host

        if self.names is None:
            self.names = host_globals(self.function)
            self.body = on_host(self.function, self.names)
        self.names.check()
        return self.body

    def _on_device(self, cupy: Any, args: tuple[Any, ...]) -> Any:
        from gpuport.runtime.items.run import run_all
        from gpuport.runtime.items.signals import NoItems

        try:
            found = run_all(
                cupy, self.function, args, axes=self.axes, sums=self.sums, hosted=self.hosted,
                gives_hosted=self.gives_hosted,
            )  # fmt: skip
        except NoItems:
            return self._body()(*args)
        except Exception as error:  # whatever it is: the loop itself meets it again, or does not
            return self._on_host(cupy, args, error)
        self.counter.count_device()
        return found

    def _on_host(self, cupy: Any, args: tuple[Any, ...], error: Exception) -> Any:
        from gpuport.runtime.items.hosted import loop_on_copies
        from gpuport.runtime.items.signals import Unbatched

        if type(error).__name__ == "LinAlgError":
            named(error)
        refused = isinstance(error, Unbatched)
        reason = str(error) if refused else f"{type(error).__name__} ({error})"
        if refused:
            self._announce(reason)
        self.counter.count_host(reason, fallback=refused)
        try:
            found = loop_on_copies(
                cupy, self.function, args, (*self.writes, *self.sums), self.hosted,
                gives_hosted=self.gives_hosted,
            )  # fmt: skip
        except Exception as own:  # the loop's own: it is told which item it was
            for note in getattr(error, "__notes__", ()) if type(own) is type(error) else ():
                own.add_note(note)
            raise
        if not refused:  # the loop itself has not raised
            self._announce(reason)
        return found

    def _announce(self, reason: str) -> None:
        first = not self.counter.snapshot().fallbacks
        announce(self.name, reason, first=first, stacklevel=4, forbidden=("error",))


def _is_there(cupy: Any, value: Any, depth: int) -> bool:
    """Whether something is an array of the device, or holds one."""
    if isinstance(value, cupy.ndarray):
        return True
    if not depth:
        return False
    if isinstance(value, (list, tuple)):
        return any(_is_there(cupy, one, depth - 1) for one in value)
    if type(value) is dict:
        return any(_is_there(cupy, one, depth - 1) for one in value.values())
    stored = getattr(value, "__dict__", None)
    if type(stored) is dict and not isinstance(value, type):
        return any(_is_there(cupy, one, 0) for one in stored.values())
    return False
