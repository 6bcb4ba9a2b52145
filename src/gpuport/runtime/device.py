"""The decorator that stands on ported functions called by code nobody rewrote."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Mapping
from types import FunctionType, MappingProxyType
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np

from gpuport.runtime.arguments import (
    SHARED,
    NotForDevice,
    Survey,
    refuse_shared_on_device,
    survey_arguments,
)
from gpuport.runtime.code import global_names
from gpuport.runtime.conditions import TOO_SMALL
from gpuport.runtime.errorstate import asks_for_errors, refuse_error_state
from gpuport.runtime.fallback import (
    DeviceUnavailable,
    announce,
    loaded_cupy,
    out_of_memory_errors,
    usable_cupy,
)
from gpuport.runtime.holding import held_arrays, holding_copies
from gpuport.runtime.hostpath import HostGlobals, host_globals, on_host
from gpuport.runtime.kinds import Kind, kind_of
from gpuport.runtime.lent import copies_of, lent
from gpuport.runtime.linalg import linalg_errors
from gpuport.runtime.overlaps import overlap_on_device, overlaps
from gpuport.runtime.plan import Boundary, Names, Plan, Role, plan_of
from gpuport.runtime.stats import counter_of
from gpuport.runtime.transfer import Crossing, Place, device_leaves
from gpuport.runtime.visits import NO_ARGUMENTS, visiting, visits

P = ParamSpec("P")
R = TypeVar("R")

_ANY: Mapping[str, int] = MappingProxyType({})

# Programs call with few combinations of types; more than this and remembering them stops.
_MOST_WAYS = 256

_DIRECT, _PLAIN = "direct", "plain"
"""Nothing has to be moved or looked at; nothing is an array but plain ones of NumPy's."""

_SIMPLE = frozenset(
    {np.ndarray, type(None), bool, int, float, complex, str, np.bool_, np.int64, np.float64}
)


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
    where: str = "",
    from_size: int = 0,
    size: str = "",
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Run a function written for CuPy for callers that hold NumPy arrays, or CuPy ones.

    NumPy arrays are moved to the device once, and results come back as NumPy. For CuPy arrays
    nothing moves. Calls that CuPy would take otherwise than NumPy, and those for which `where` or
    `from_size` do not hold, run the same body on the host, with NumPy in the place of CuPy.

    Parameters
    ----------
    *arrays : str
        Parameters that take part in device arithmetic; arrays in others lead to the host.
    require, containers, matrices : str or tuple of str
        Those that must be arrays; lists, tuples or dicts of them; of two axes or more.
    writes : str or tuple of str
        Those that the body writes to: the caller's arrays get the new values.
    host : str or tuple of str
        Parameters whose arrays the body wants on the host.
    axes : mapping of str to int
        How many axes arrays must have, by their parameters.
    numbers : str or tuple of str
        Attributes of the first parameter, an instance, that the body takes for numbers.
    creates : bool
        The body makes arrays of its own, and runs on the device where it is given numbers only.
    boundary : {'match', 'device'}
        ``match`` gives results where the arguments were; ``device`` always gives CuPy arrays.
    where : str
        What else the body takes for granted, in Python: ``"x.ndim == 2 and y.shape == x.shape"``.
    from_size : int
        Elements of the largest named array from which the device is faster: NumPy takes what has
        fewer. ``GPUPORT_FROM_SIZE`` stands for it.
    size : str
        What `from_size` counts, in Python, where the body makes its arrays: ``"n * n"``. With
        `where` or `size`, each named parameter must be an array, or a list of arrays.

    Raises
    ------
    TypeError
        At decoration, where the words do not fit the function, and for functions whose body cannot
        run behind a boundary (generators, coroutines, ``global`` assignments).

    Notes
    -----
    Without a usable device, or with its memory full while the arguments are moved, a call runs on
    the host and warns once (:class:`FallbackWarning`, :class:`FallbackError` with
    ``GPUPORT_FALLBACK=error``). What NumPy does not have is :class:`NoHostCounterpartError` there.
    """
    if any(not isinstance(name, str) for name in arrays):
        raise TypeError("device: name the parameters that hold arrays: @device('x')")
    said: dict[str, Any] = {
        "require": require, "containers": containers, "writes": writes, "host": host,
        "matrices": matrices, "axes": axes, "numbers": numbers, "creates": creates,
        "boundary": boundary, "where": where, "from_size": from_size, "size": size,
    }  # fmt: skip

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        return _behind_boundary(function, plan_of(function, arrays, **said))

    return decorate


def _behind_boundary(function: Callable[P, R], plan: Plan) -> Callable[P, R]:
    """What callers call: straight through where all is on the device, else by way of the edge."""
    edge = _Edge(cast(FunctionType, function), plan)
    ways, count, holds = edge.ways, edge.counter.count_device, plan.conditions.holds
    apart = plan.apart

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        way = ways.get(_call_types(args, kwargs))
        if way is _PLAIN:
            if visits.own or edge.is_small(args, kwargs):
                return cast(R, edge.in_numpy(args, kwargs))
            return cast(R, edge.call(args, kwargs))
        if (
            way is None
            or visits.own
            or asks_for_errors()
            or (holds is not None and not holds(*args, **kwargs))
            or (apart is not None and not apart(*args, **kwargs))
        ):
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


def _refuse_conditions(plan: Plan, survey: Survey, bound: Any, call: tuple[Any, ...]) -> None:
    """Send to the host what is not worth the device, and what the body was not written for."""
    asked = plan.conditions
    reason = ""
    if not survey.on_device:
        reason = asked.too_small(call, survey.moved.values())
    if reason := reason or asked.broken(bound.arguments):
        raise NotForDevice(reason)


def _held(cupy: Any, arguments: list[Any]) -> list[tuple[Any, Any, Any]]:
    """What objects among the arguments hold of the memory of CuPy arrays among them."""
    arrays = [one for value in arguments for one in device_leaves(value)]
    objects = [one for one in arguments if kind_of(one) is Kind.OPAQUE] if arrays else []
    return [
        found for found in held_arrays(objects, cupy.ndarray)
        if any(overlap_on_device(found[2], other) for other in arrays)
    ]  # fmt: skip


_NESTED = "the function that called it runs on the host"


class _Edge:
    """The boundary of one function: where each of its calls runs."""

    def __init__(self, function: FunctionType, plan: Plan) -> None:
        self.function = function
        self.plan = plan
        self.counter = counter_of(plan.name)
        # By the types of the arguments: whether a call can do without a look at each.
        self.ways: dict[tuple[Any, ...], str] = {}
        self._lock = threading.Lock()
        self._host_function: FunctionType | None = None
        self._host_names: HostGlobals | None = None

    def call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        try:
            bound = self.plan.signature.bind(*args, **kwargs)
        except TypeError:
            bound = None
        if bound is None:
            return self.function(*args, **kwargs)  # raises the function's own error
        bound.apply_defaults()
        survey, crossing, reason = self._prepare(bound, (args, kwargs))
        # No exception is being handled here, so that the body's own come with a clean traceback.
        if survey is None:
            self._remember_plain(bound, args, kwargs)
            return self._on_host(bound, reason, fallback=False)
        if crossing is None:
            first = not self.counter.snapshot().fallbacks
            forbidden = () if reason == SHARED else ("error", "loops")  # of what the caller passes
            announce(self.plan.name, reason, first=first, stacklevel=3, forbidden=forbidden)
            return self._on_host(bound, reason, fallback=True)
        if survey.by_type and survey.on_device and len(self.ways) < _MOST_WAYS:
            self.ways[_call_types(args, kwargs)] = _DIRECT
        self.counter.count_device()
        return self._on_device(bound, survey, crossing)

    def _remember_plain(self, bound: Any, args: Any, kwargs: Any) -> None:
        """Calls with such arguments need no look at each where they run on the host."""
        named = self.plan.parameters
        arrays = (v for name, v in bound.arguments.items() if named[name].role is Role.DEVICE)
        kinds = _call_types(args, kwargs)
        if (
            _SIMPLE.issuperset(kind for kind in kinds if not isinstance(kind, str) and kind)
            and all(type(one) is np.ndarray for one in arrays)
            and not any(one.variadic for one in named.values())
            and self.plan.boundary == "match"
            and len(self.ways) < _MOST_WAYS
        ):
            self.ways[kinds] = _PLAIN

    def is_small(self, args: Any, kwargs: Any) -> bool:
        """Whether NumPy is faster; only where all named arguments are arrays of NumPy's."""
        asked = self.plan.conditions
        if asked.elements is None:
            return False
        return 0 <= asked.elements(*args, **kwargs) < asked.least

    def in_numpy(self, args: Any, kwargs: Any) -> Any:
        """A call with plain arrays of NumPy's: the same text, and nothing crosses."""
        self.counter.count_host(_NESTED if visits.own else TOO_SMALL, fallback=False)
        function = self._bound_to_numpy()
        visits.own.append(NO_ARGUMENTS)
        try:
            return function(*args, **kwargs)
        finally:
            visits.own.pop()

    def restored(self, result: Any) -> Any:
        """The result of a call whose arguments are on the device: what is of the host joins it."""
        cupy = loaded_cupy()
        if type(result) is cupy.ndarray:
            return result
        return Crossing(cupy).restore(result, Place.DEVICE)

    def _prepare(
        self, bound: Any, call: tuple[Any, ...]
    ) -> tuple[Survey | None, Crossing | None, str]:
        """Survey and move the arguments as far as that goes; else say why it does not."""
        survey = None
        try:
            if visits.own:
                raise NotForDevice(_NESTED)
            refuse_error_state()
            found = survey_arguments(self.plan, bound.arguments)
            _refuse_conditions(self.plan, found, bound, call)
            survey = found
            _refuse_shared(self.function, found)
            refuse_shared_on_device(found)
            return survey, self._move(bound, survey), ""
        except (NotForDevice, DeviceUnavailable) as error:
            return survey, None, str(error)

    def _move(self, bound: Any, survey: Survey) -> Crossing:
        """Bring the arguments where the body wants them; on failure leave them as they were."""
        cupy = loaded_cupy() if survey.on_device else usable_cupy()
        crossing = Crossing(cupy)
        roles = self.plan.parameters
        crossing.bring_shared(v for k, v in bound.arguments.items() if roles[k].role is Role.HOST)
        places = {Role.DEVICE: Place.DEVICE, Role.HOST: Place.HOST}
        moved = {}
        try:
            for name, value in bound.arguments.items():
                place = places.get(roles[name].role)
                if place is not None:
                    moved[name] = crossing.move(value, place)
        except out_of_memory_errors(cupy) as error:
            raise DeviceUnavailable(f"the device's memory is full ({error})") from error
        bound.arguments.update(moved)
        return crossing

    def _on_device(self, bound: Any, survey: Survey, crossing: Crossing) -> Any:
        home = None if survey.on_device else Place.HOST
        before = lent.copies
        try:
            lent.copies = before + copies_of(
                self.plan.name, bound.arguments, crossing.on_device(), survey.written
            )
            with linalg_errors:
                result = self.function(*bound.args, **bound.kwargs)
        finally:
            lent.copies = before
            crossing.write_back(home, survey.written)
        to_device = survey.on_device or self.plan.boundary == "device"
        return crossing.restore(result, Place.DEVICE if to_device else home)

    def _on_host(self, bound: Any, reason: str, *, fallback: bool) -> Any:
        """Run the body with NumPy; CuPy arguments visit the host, and results go back to them."""
        self.counter.count_host(reason, fallback=fallback)
        function = self._bound_to_numpy()
        cupy, nested = loaded_cupy(), bool(visits.own)
        if cupy is None:
            with visiting(self._own(bound)):
                return function(*bound.args, **bound.kwargs)
        crossing = Crossing(cupy)
        held = _held(cupy, [*bound.arguments.values()])
        crossing.bring_shared([*bound.arguments.values(), *(array for _, _, array in held)])
        for name, value in bound.arguments.items():
            bound.arguments[name] = crossing.move(value, Place.HOST)
        copies = {id(array): crossing.move(array, Place.HOST) for _, _, array in held}
        home = Place.DEVICE if crossing.moved_any else None
        try:
            with visiting(self._own(bound)), holding_copies(held, copies):
                result = function(*bound.args, **bound.kwargs)
        finally:
            crossing.write_back(home)
        if self.plan.boundary == "device" and not (fallback or nested) and cupy.cuda.is_available():
            home = Place.DEVICE
        return crossing.restore(result, home)

    def _own(self, bound: Any) -> list[Any]:
        """The arguments but those that the body wants on the host anyway."""
        roles = self.plan.parameters
        return [v for name, v in bound.arguments.items() if roles[name].role is not Role.HOST]

    def _bound_to_numpy(self) -> FunctionType:
        names, function = self._host_names, self._host_function
        if names is None or function is None or not names.check():
            with self._lock:
                names = self._host_names = self._host_names or host_globals(self.function)
                names.check()
                whole = names.whole(global_names(self.function))
                function = self._host_function = on_host(self.function, whole)
        return function
