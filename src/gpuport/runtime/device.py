"""The decorator that stands on ported functions called by code nobody rewrote."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Mapping
from types import FunctionType, MappingProxyType
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np

from gpuport.runtime.arguments import NotForDevice, Survey, survey_arguments
from gpuport.runtime.errorstate import asks_for_errors, refuse_error_state
from gpuport.runtime.fallback import (
    DeviceUnavailable,
    announce,
    loaded_cupy,
    out_of_memory_errors,
    usable_cupy,
)
from gpuport.runtime.hostpath import HostGlobals, has_class_body, host_globals, on_host
from gpuport.runtime.linalg import linalg_errors
from gpuport.runtime.overlaps import overlaps
from gpuport.runtime.plan import Boundary, Names, Plan, Role, plan_of
from gpuport.runtime.stats import counter_of
from gpuport.runtime.transfer import Crossing, Place
from gpuport.runtime.visits import visiting

P = ParamSpec("P")
R = TypeVar("R")

_ANY: Mapping[str, int] = MappingProxyType({})

# Programs call with few combinations of types; more than this and remembering them stops.
_MAX_DIRECT = 256


def device(
    *arrays: str,
    require: Names = (),
    containers: Names = (),
    writes: Names = (),
    host: Names = (),
    matrices: Names = (),
    axes: Mapping[str, int] = _ANY,
    numbers: Names = (),
    creates: bool = False,
    boundary: Boundary = "match",
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Run a function written for CuPy for callers that hold NumPy arrays, or CuPy ones.

    NumPy arrays come in, each is moved to the device once, and results come back as NumPy. CuPy
    arrays come in, nothing moves, and results stay CuPy. Arguments for which CuPy would behave
    otherwise than NumPy (lists of numbers, masked arrays, object dtypes, overlapping memory, ...)
    run the same body on the host, with NumPy in the place of CuPy.

    Parameters
    ----------
    *arrays : str
        Parameters that take part in device arithmetic. Arrays in any other parameter send the
        call to the host.
    require : str or tuple of str
        Those of them that must be arrays, not numbers; of containers, what they hold.
    containers : str or tuple of str
        Those of them that are lists, tuples or dicts of arrays.
    writes : str or tuple of str
        Parameters whose arrays the body writes to; the caller's arrays get the new values, also
        when the body raises.
    host : str or tuple of str
        Parameters whose arrays the body wants on the host.
    matrices : str or tuple of str
        Those of the named parameters that must be arrays of two axes or more.
    axes : mapping of str to int
        By those of the named parameters whose arrays must have so many axes: the number.
    numbers : str or tuple of str
        Attributes of the first parameter, an instance, that the body takes for numbers; where
        one is anything else, the call runs on the host.
    creates : bool
        The body makes arrays of its own, and runs on the device where it is given numbers only.
    boundary : {'match', 'device'}
        ``match`` gives results where the arguments were; ``device`` always gives CuPy arrays.

    Returns
    -------
    callable
        The decorator. What it makes of a function is called as the function is.

    Raises
    ------
    TypeError
        At decoration, for names that are no parameters and for functions whose body cannot run
        behind a boundary (generators, coroutines, ``global`` assignments).

    Notes
    -----
    A call raises what the body raises, and :class:`NoHostCounterpartError` where the body came to
    something on the host that NumPy and SciPy do not have. Without a usable device, or with its
    memory full while the arguments are moved, it runs on the host and warns once with
    :class:`FallbackWarning`; with ``GPUPORT_FALLBACK=error`` it raises :class:`FallbackError`.
    """
    if any(not isinstance(name, str) for name in arrays):
        raise TypeError("device: name the parameters that hold arrays: @device('x')")

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        plan = plan_of(
            function, arrays, require=require, containers=containers, writes=writes, host=host,
            matrices=matrices, axes=axes, numbers=numbers, creates=creates, boundary=boundary,
        )  # fmt: skip
        return _behind_boundary(function, plan)

    return decorate


def _behind_boundary(function: Callable[P, R], plan: Plan) -> Callable[P, R]:
    """What callers call: straight through where all is on the device, else by way of the edge."""
    edge = _Edge(cast(FunctionType, function), plan)
    direct, count = edge.direct, edge.counter.count_device

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        if _call_types(args, kwargs) not in direct or asks_for_errors():
            return cast(R, edge.call(args, kwargs))
        count()
        with linalg_errors:
            result = function(*args, **kwargs)
        return cast(R, result if type(result) in _NOT_MOVED else edge.restored(result))

    # Read by code that asks for them by these names and not for the signature.
    for name in ("__defaults__", "__kwdefaults__"):
        setattr(call, name, getattr(function, name))
    # `inspect.getfullargspec` does not look at what is wrapped.
    setattr(call, "__signature__", plan.signature)  # noqa: B010 - unknown to mypy
    return call


def _call_types(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    """The types of the arguments of a call and how they were passed."""
    if not kwargs:
        return tuple(map(type, args))
    return (*map(type, args), None, *kwargs, *map(type, kwargs.values()))


_NOT_MOVED = frozenset({type(None), bool, int, float, complex, str})
"""Results that are the same on either side."""


def _refuse_shared(function: FunctionType, survey: Survey) -> None:
    """Refuse to write a copy of an array of the module that the body reads by its name."""
    written = [survey.moved[number] for number in survey.written if number in survey.moved]
    named = (function.__globals__.get(name) for name in function.__code__.co_names)
    for one in named if written else ():
        if isinstance(one, np.ndarray) and any(overlaps(one, array) for array in written):
            raise NotForDevice("an array that is written to is one of the module that is read")


class _Edge:
    """The boundary of one function: where each of its calls runs."""

    def __init__(self, function: FunctionType, plan: Plan) -> None:
        self.function = function
        self.plan = plan
        self.counter = counter_of(plan.name)
        # Types of arguments with which nothing has to be moved or looked at.
        self.direct: set[tuple[Any, ...]] = set()
        self._lock = threading.Lock()
        self._host_function: FunctionType | None = None
        self._class_names: HostGlobals | None = None

    def call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        try:
            bound = self.plan.signature.bind(*args, **kwargs)
        except TypeError:
            bound = None
        if bound is None:
            return self.function(*args, **kwargs)  # raises the function's own error
        bound.apply_defaults()
        survey, crossing, reason = self._prepare(bound)
        # No exception is being handled here, so that the body's own come with a clean traceback.
        if survey is None:
            return self._on_host(bound, reason, fallback=False)
        if crossing is None:
            first = not self.counter.snapshot().fallbacks
            announce(self.plan.name, reason, first=first, stacklevel=3)
            return self._on_host(bound, reason, fallback=True)
        if survey.by_type and survey.on_device and len(self.direct) < _MAX_DIRECT:
            self.direct.add(_call_types(args, kwargs))
        self.counter.count_device()
        return self._on_device(bound, survey, crossing)

    def restored(self, result: Any) -> Any:
        """The result of a call whose arguments are on the device: what is of the host joins it."""
        cupy = loaded_cupy()
        if type(result) is cupy.ndarray:
            return result
        return Crossing(cupy).restore(result, Place.DEVICE)

    def _prepare(self, bound: Any) -> tuple[Survey | None, Crossing | None, str]:
        """Survey and move the arguments as far as that goes; else say why it does not."""
        survey = None
        try:
            refuse_error_state()
            survey = survey_arguments(self.plan, bound.arguments)
            _refuse_shared(self.function, survey)
            return survey, self._move(bound, survey), ""
        except (NotForDevice, DeviceUnavailable) as error:
            return survey, None, str(error)

    def _move(self, bound: Any, survey: Survey) -> Crossing:
        """Bring the arguments where the body wants them; on failure leave them as they were."""
        cupy = loaded_cupy() if survey.on_device else usable_cupy()
        crossing = Crossing(cupy)
        places = {Role.DEVICE: Place.DEVICE, Role.HOST: Place.HOST}
        moved = {}
        try:
            for name, value in bound.arguments.items():
                place = places.get(self.plan.parameters[name].role)
                if place is not None:
                    moved[name] = crossing.move(value, place)
        except out_of_memory_errors(cupy) as error:
            raise DeviceUnavailable(f"the device's memory is full ({error})") from error
        bound.arguments.update(moved)
        return crossing

    def _on_device(self, bound: Any, survey: Survey, crossing: Crossing) -> Any:
        home = None if survey.on_device else Place.HOST
        try:
            with linalg_errors:
                result = self.function(*bound.args, **bound.kwargs)
        finally:
            crossing.write_back(home, survey.written)
        to_device = survey.on_device or self.plan.boundary == "device"
        return crossing.restore(result, Place.DEVICE if to_device else home)

    def _on_host(self, bound: Any, reason: str, *, fallback: bool) -> Any:
        """Run the body with NumPy; CuPy arguments visit the host, and results go back to them."""
        self.counter.count_host(reason, fallback=fallback)
        function = self._bound_to_numpy()
        cupy = loaded_cupy()
        if cupy is None:
            with visiting(self._own(bound)):
                return function(*bound.args, **bound.kwargs)
        crossing = Crossing(cupy)
        for name, value in bound.arguments.items():
            bound.arguments[name] = crossing.move(value, Place.HOST)
        home = Place.DEVICE if crossing.moved_any else None
        try:
            with visiting(self._own(bound)):
                result = function(*bound.args, **bound.kwargs)
        finally:
            crossing.write_back(home)
        if self.plan.boundary == "device" and not fallback and cupy.cuda.is_available():
            home = Place.DEVICE
        return crossing.restore(result, home)

    def _own(self, bound: Any) -> list[Any]:
        """The arguments but those that the body wants on the host anyway."""
        roles = self.plan.parameters
        return [v for name, v in bound.arguments.items() if roles[name].role is not Role.HOST]

    def _bound_to_numpy(self) -> FunctionType:
        with self._lock:
            if self._host_function is None:
                names = host_globals(self.function)
                self._host_function = on_host(self.function, names)
                self._class_names = names if has_class_body(self.function.__code__) else None
            host_function = self._host_function
        if self._class_names is not None:
            self._class_names.refresh()
        return host_function
