"""What happens to the calls of a kernel that its guard does not launch."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import numpy as np

from gpuport.runtime.fallback import announce
from gpuport.runtime.kernels.building import FirstLaunch
from gpuport.runtime.kernels.copies import on_copies
from gpuport.runtime.kernels.declared import Declared, parameters_of
from gpuport.runtime.kernels.fitting import Unfit, instance_for
from gpuport.runtime.kernels.plaindata import stored_in
from gpuport.runtime.kernels.reasons import explain
from gpuport.runtime.kernels.text import Instance, elementwise
from gpuport.runtime.lent import lent, refuse_unnamed_writes
from gpuport.runtime.stats import counter_of

_MOST_PLANS = 256
_DEEPEST = 8


class _Nothing:
    """The type of no array, where CuPy is not loaded."""


class State:
    """The program's CuPy, as a kernel knew it at its last call."""

    __slots__ = ("array", "cupy", "plans")

    def __init__(self) -> None:
        self.plans: dict[Any, Any] = {}
        self.cupy: Any = None
        self.array: Any = _Nothing

    def renew(self) -> None:
        self.plans.clear()
        self.cupy = sys.modules.get("cupy")
        self.array = getattr(self.cupy, "ndarray", _Nothing)


class Dispatch:
    """One kernel: what was built of it, and the way past it."""

    def __init__(self, one: Declared) -> None:
        self.one = one
        self.state = State()
        self.counter = counter_of(one.name)
        self.call: Any = None
        self._built: dict[Instance, Any] = {}
        self._cupy: Any = None

    def other(self, args: tuple[Any, ...], key: Any) -> Any:
        """Make a plan for arguments of new types, or run the body."""
        one, cupy = self.one, self.state.cupy
        values = self._named(args)
        try:
            if key is not None and key in self.state.plans:
                raise explain(one, cupy, values)
            instance = instance_for(one, cupy, values)
            if key is None:
                raise Unfit("an argument is no array of the device", hosted=True)
        except Unfit as error:
            unfit = error
        else:
            self._plan(key, instance)
            return self._called(self.call, args)
        return self._unfit(args, values, unfit)

    def of_nothing(self, args: tuple[Any, ...]) -> Any:
        """An empty domain: the body itself says what is made of nothing."""
        self.counter.count_host("no element is computed", fallback=False)
        return self._copied(args, self._named(args))

    def taken_back(self, args: tuple[Any, ...]) -> Any:
        """A launch that told that Python raises, or goes another way: the body itself does so."""
        unfit = Unfit("an index, or a number, is out of range", hosted=True, shared=True)
        return self._unfit(args, self._named(args), unfit)

    def _named(self, args: tuple[Any, ...]) -> dict[str, Any]:
        values = dict(zip(parameters_of(self.one.function), args, strict=True))
        for owner, listed in self.one.owned.items():
            found = stored_in(values[owner], tuple(p.path for p in listed))
            values |= dict(zip((p.name for p in listed), found, strict=True))
        return values

    def _plan(self, key: Any, instance: Instance) -> None:
        state, one = self.state, self.one
        if self._cupy is not state.cupy:
            self._built.clear()
            self._cupy = state.cupy
        if len(state.plans) >= _MOST_PLANS:
            state.plans.clear()
        made = (*one.returned, *(p for p, _ in one.rooms))
        dtypes = tuple(np.dtype(p.dtype(instance.generic)) for p in made)

        def done(built: Any) -> None:
            self._built[instance] = (built, *rest)
            if state.plans.get(key) is plan:
                state.plans[key] = (built, dtypes, *rest)

        built, *rest = self._built.get(instance, (None,))
        if built is None:
            first = (True,) if one.first else ()
            rest = [elementwise(one, instance, state.cupy, first=flag) for flag in first]
            built = FirstLaunch(one, elementwise(one, instance, state.cupy), done)
        plan = state.plans[key] = (built, dtypes, *rest)

    def _called(self, function: Any, args: tuple[Any, ...]) -> Any:
        """Call with what the function takes by name alone."""
        code = self.one.function.__code__
        names = parameters_of(self.one.function)[code.co_argcount :]
        rest = dict(zip(names, args[code.co_argcount :], strict=True))
        return function(*args[: code.co_argcount], **rest)

    def _unfit(self, args: tuple[Any, ...], values: dict[str, Any], unfit: Unfit) -> Any:
        one, cupy = self.one, self.state.cupy
        written = tuple(values[p.name] for p in one.written)
        on_device = tuple(a for a in written if isinstance(a, cupy.ndarray))
        if lent.copies:
            refuse_unnamed_writes(one.name, on_device)
        if not (one.loops or one.unlike_cupy or unfit.hosted or self._has_host_values(values)):
            self.counter.count_unfused(str(unfit))
            try:
                return self._called(one.function, args)
            except TypeError:
                if one.written:
                    raise
                unfit = Unfit(f"{unfit}, and the device has no function for that")
        reason = self.one.in_its_words(str(unfit))
        if self._reads_host(values):
            self.counter.count_host(reason, fallback=False)
            return self._copied(args, values)
        first = not self.counter.snapshot().fallbacks
        forbidden = ("error",) if not unfit.shared else ()
        announce(one.name, reason, first=first, stacklevel=self._level(), forbidden=forbidden)
        self.counter.count_host(reason, fallback=True)
        return self._copied(args, values)

    def _level(self) -> int:
        """How far up the caller is, for the warning: a call may come here by way of its plan."""
        frame: FrameType | None = sys._getframe(1)
        level, found = 1, 1
        while frame is not None and level < _DEEPEST:
            if frame.f_code is self.call.__code__:
                found = level + 1
            frame, level = frame.f_back, level + 1
        return found

    def _has_host_values(self, values: dict[str, Any]) -> bool:
        """Whether NumPy's own values are among the arguments, which CuPy may take otherwise."""
        return any(isinstance(value, (np.ndarray, np.generic)) for value in values.values())

    def _reads_host(self, values: dict[str, Any]) -> bool:
        """Whether arrays of the host, and none of the device, are stored into one of the device."""
        read = [values[p.name] for p in self.one.inputs]
        device = any(isinstance(value, self.state.cupy.ndarray) for value in read)
        return not device and any(isinstance(value, np.ndarray) for value in read)

    def _copied(self, args: tuple[Any, ...], values: dict[str, Any]) -> Any:
        written = [values[p.name] for p in self.one.written]
        one, cupy = self.one, self.state.cupy
        arrays = {p.name for p in one.parameters if p.raw or p in one.written or not one.axes}
        plain = [
            name not in arrays and isinstance(value, cupy.ndarray) and not value.ndim
            for name, value in zip(parameters_of(one.function), args, strict=True)
        ]  # numbers, as the loop would have them: adding to them in place changes no array

        def call(*moved: Any) -> Any:
            moved = tuple(a[()] if is_so else a for a, is_so in zip(moved, plain, strict=True))
            return self._called(one.function, moved)

        back = not self.one.gives_numbers
        owners = [values[name] for name in (*one.owned, *one.objects)]
        rows = [
            values[p.name] for p in (one.inputs if one.axes else ())
            if isinstance(values[p.name], cupy.ndarray)
            and values[p.name].ndim > one.ranks.get(p.name, 0)
        ]  # fmt: skip
        return on_copies(cupy, call, args, written, owners, rows, name=one.name, back=back)
