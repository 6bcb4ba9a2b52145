"""What an argument is, and whether a call with such arguments can run on the device."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from gpuport.runtime.holding import held_arrays
from gpuport.runtime.kinds import MAX_DEPTH, Kind, is_supported, kind_of, leaves_of
from gpuport.runtime.overlaps import meet_on_device, overlap_on_device, overlaps, overlaps_itself
from gpuport.runtime.plan import Parameter, Plan, Role


class NotForDevice(Exception):
    """These arguments need the host path; the text says why."""


SHARED = "a CuPy array that is written to shares memory with another one"


@dataclass(slots=True)
class Survey:
    """The arrays of one call, gathered before anything moves.

    Attributes
    ----------
    moved : dict
        NumPy arrays to move to the device, by identity.
    kept : dict
        NumPy arrays that stay where they are (``host=`` parameters).
    fetched : dict
        CuPy arrays to bring to the host (``host=`` parameters).
    resident : dict
        CuPy arrays among the device arguments: if there are any, results stay CuPy.
    written : set
        Identities of the arrays to be given back with what the body wrote.
    writes : bool
        Whether the body writes to any argument, moved or not.
    objects : list
        Arguments that may hold arrays, and that the body reads attributes of.
    by_type : bool
        Whether the types of the arguments alone decided that nothing has to move.
    """

    moved: dict[int, Any] = field(default_factory=dict)
    kept: dict[int, Any] = field(default_factory=dict)
    fetched: dict[int, Any] = field(default_factory=dict)
    resident: dict[int, Any] = field(default_factory=dict)
    written: set[int] = field(default_factory=set)
    writes: bool = False
    objects: list[Any] = field(default_factory=list)
    by_type: bool = True

    @property
    def on_device(self) -> bool:
        """Whether the caller's arrays live on the device."""
        return bool(self.resident)

    @property
    def arrays(self) -> int:
        """How many arrays take part in device arithmetic."""
        return len(self.moved) + len(self.resident)


def survey_arguments(plan: Plan, arguments: dict[str, Any]) -> Survey:
    """Look at every argument of a call, by what its parameter's role asks of it.

    Raises
    ------
    NotForDevice
        Where the call has to run on the host to behave as the original.
    """
    survey = Survey()
    for name, value in arguments.items():
        parameter = plan.parameters[name]
        survey.writes |= parameter.written
        for one in leaves_of(value) if parameter.variadic else (value,):
            if parameter.matrix:
                _refuse_vectors(survey, parameter, one)
            if parameter.axes is not None:
                _refuse_other_axes(survey, parameter, one)
            if parameter.role is Role.DEVICE:
                _survey_device(survey, parameter, one)
            elif parameter.role is Role.HOST:
                _survey_host(survey, parameter, one, 0)
            else:
                _refuse_arrays(survey, parameter, one)
    if plan.numbers:
        _refuse_other_attributes(survey, plan, next(iter(arguments.values())))
    if not survey.arrays and not plan.creates:
        raise NotForDevice("no argument that takes part in device arithmetic is an array")
    dimensions = [array.ndim for array in survey.moved.values()]
    if dimensions and not survey.resident and not any(dimensions):
        # NumPy tells arrays without dimensions from scalars; results of the device cannot.
        raise NotForDevice("every array is without dimensions")
    _refuse_shared_writes(survey)
    _refuse_held_writes(survey)
    return survey


def _survey_device(survey: Survey, parameter: Parameter, value: Any) -> None:
    kind = kind_of(value)
    held = kind is Kind.CONTAINER and parameter.nested  # each array in it is required
    if parameter.required and not held and kind not in (Kind.HOST_ARRAY, Kind.DEVICE_ARRAY):
        if kind is Kind.NONE and parameter.none_by_default:
            return
        raise NotForDevice(f"{parameter.name} is {_described(value)}, not an array")
    if kind is Kind.NONE and not (parameter.none_by_default or parameter.variadic):
        raise NotForDevice(f"{parameter.name} is None")
    if kind is Kind.CONTAINER:
        if not parameter.nested:
            raise NotForDevice(f"{parameter.name} is {_described(value)}, not an array")
        if not _survey_leaves(survey, parameter, value, 0):
            raise NotForDevice(f"{parameter.name} is {_described(value)} without arrays")
        survey.by_type = False
        return
    _survey_leaf(survey, parameter, value, kind)


def _survey_leaves(survey: Survey, parameter: Parameter, container: Any, depth: int) -> bool:
    """Survey a container's leaves; say whether one of them is an array."""
    if depth >= MAX_DEPTH:
        raise NotForDevice(f"{parameter.name} is nested too deeply")
    found = False
    for leaf in leaves_of(container):
        kind = kind_of(leaf)
        if kind is Kind.CONTAINER:
            found |= _survey_leaves(survey, parameter, leaf, depth + 1)
        else:
            _survey_leaf(survey, parameter, leaf, kind)
            found |= kind in (Kind.HOST_ARRAY, Kind.DEVICE_ARRAY)
    return found


def _survey_leaf(survey: Survey, parameter: Parameter, value: Any, kind: Kind) -> None:
    if kind is Kind.HOST_ARRAY:
        _refuse_dtype(parameter, value)
        survey.moved[id(value)] = value
        survey.by_type = False
        if parameter.written:
            _refuse_unwritable(parameter, value)
            survey.written.add(id(value))
    elif kind is Kind.DEVICE_ARRAY:
        survey.resident[id(value)] = value
        if parameter.written:
            survey.written.add(id(value))
    elif kind not in (Kind.NUMBER, Kind.NONE) or parameter.required:
        raise NotForDevice(f"{parameter.name} is or holds {_described(value)}")


def _survey_host(survey: Survey, parameter: Parameter, value: Any, depth: int) -> None:
    kind = kind_of(value)
    if parameter.required and depth == 0:
        _refuse_numbers(parameter, value, kind)
    if kind is Kind.CONTAINER:
        survey.by_type = False
        if depth < MAX_DEPTH:
            for leaf in leaves_of(value):
                _survey_host(survey, parameter, leaf, depth + 1)
    elif kind in (Kind.HOST_ARRAY, Kind.DEVICE_ARRAY):
        survey.by_type = False
        group = survey.kept if kind is Kind.HOST_ARRAY else survey.fetched
        group[id(value)] = value
        if parameter.written:
            survey.written.add(id(value))
    elif kind is Kind.FOREIGN_ARRAY:
        raise NotForDevice(f"{parameter.name} is or holds {_described(value)}")
    elif kind is Kind.OPAQUE:
        survey.objects.append(value)


def _refuse_numbers(parameter: Parameter, value: Any, kind: Kind) -> None:
    """What the body makes of an array on the host is moved: of a number it would be another."""
    if kind is Kind.NONE and parameter.none_by_default:
        return
    if kind not in (Kind.HOST_ARRAY, Kind.DEVICE_ARRAY) or not value.ndim:
        raise NotForDevice(f"{parameter.name} is {_described(value)}, not an array of some axes")


def _refuse_arrays(survey: Survey, parameter: Parameter, value: Any) -> None:
    arrays = (Kind.HOST_ARRAY, Kind.DEVICE_ARRAY, Kind.FOREIGN_ARRAY)
    kind = kind_of(value)
    if kind is Kind.CONTAINER:
        survey.by_type = False
        if not any(kind_of(leaf) in arrays for leaf in leaves_of(value)):
            survey.objects.append(value)
            return
    elif kind is Kind.OPAQUE:
        survey.objects.append(value)
        _refuse_fields(survey, parameter, value)
        return
    elif kind not in arrays:
        return
    raise NotForDevice(f"{parameter.name} is or holds {_described(value)}")


def _refuse_fields(survey: Survey, parameter: Parameter, instance: Any) -> None:
    """A port takes a dataclass's annotations for what its fields hold: none may hold an array."""
    cls: type = type(instance)
    for name in _number_fields(cls):
        survey.by_type = False
        value = _plain_attribute(instance, name)
        if kind_of(value) in (Kind.HOST_ARRAY, Kind.DEVICE_ARRAY, Kind.FOREIGN_ARRAY):
            raise NotForDevice(f"{parameter.name}.{name} is {_described(value)}, not a number")


@lru_cache(maxsize=1024)
def _number_fields(cls: type) -> tuple[str, ...]:
    """The fields of a dataclass that are annotated as numbers."""
    fields = getattr(cls, "__dataclass_fields__", {})
    numbers = (bool, int, float, complex)
    words = {*numbers, *(kind.__name__ for kind in numbers)}
    return tuple(name for name, field in fields.items() if _hashable(field.type) in words)


def _hashable(annotation: Any) -> Any:
    return annotation if isinstance(annotation, (str, type)) else None


def _refuse_vectors(survey: Survey, parameter: Parameter, value: Any) -> None:
    """A matrix, or a stack of them, is wanted: the type of an argument does not tell."""
    survey.by_type = False
    kind = kind_of(value)
    if kind is Kind.NONE and parameter.none_by_default:
        return
    if kind not in (Kind.HOST_ARRAY, Kind.DEVICE_ARRAY) or value.ndim < 2:
        raise NotForDevice(f"{parameter.name} is no array of two axes or more")


def _refuse_other_axes(survey: Survey, parameter: Parameter, value: Any) -> None:
    """What is made of an array's elements would be rows, where it has more axes than these."""
    survey.by_type = False
    if kind_of(value) in (Kind.HOST_ARRAY, Kind.DEVICE_ARRAY) and value.ndim != parameter.axes:
        raise NotForDevice(f"{parameter.name} has {value.ndim} axes, not {parameter.axes}")


def _refuse_other_attributes(survey: Survey, plan: Plan, instance: Any) -> None:
    """Attributes change from call to call: the types of the arguments decide nothing here."""
    survey.by_type = False
    for name in plan.numbers:
        value = _plain_attribute(instance, name)
        if kind_of(value) is not Kind.NUMBER:
            raise NotForDevice(f"attribute {name} is {_described(value)}, not a number")


def _plain_attribute(instance: Any, name: str) -> Any:
    """What an attribute holds, without running code of the instance's class."""
    own = getattr(instance, "__dict__", {})
    if name in own:
        return own[name]
    return next((c.__dict__[name] for c in type(instance).__mro__ if name in c.__dict__), None)


def _refuse_dtype(parameter: Parameter, array: Any) -> None:
    if not is_supported(array.dtype):
        raise NotForDevice(f"{parameter.name} has dtype {array.dtype}, which CuPy does not support")


def _refuse_unwritable(parameter: Parameter, array: Any) -> None:
    if not array.flags.writeable:
        raise NotForDevice(f"{parameter.name} is written to but read-only")
    if overlaps_itself(array):
        raise NotForDevice(f"{parameter.name} is written to and its elements share memory")


def _refuse_shared_writes(survey: Survey) -> None:
    """Refuse a written array whose memory another argument sees too.

    What moves gets memory of its own, so the write would not show in the other. The same object
    in several arguments is fine where it is moved once.
    """
    for number in survey.written - survey.resident.keys():
        moved, kept = survey.moved.get(number), survey.kept.get(number)
        rivals = [] if moved is None else [*survey.moved.values(), *survey.kept.values()]
        if kept is not None:
            rivals = [*survey.moved.values(), *([] if moved is None else [kept])]
        array = kept if moved is None else moved
        twice = moved is not None and kept is not None
        if twice or any(overlaps(array, other) for other in rivals if other is not array):
            raise NotForDevice("an array that is written to shares memory with another argument")
    for kept in survey.kept.values():  # nothing is known of what the body does with it
        if any(overlaps(kept, moved) for moved in survey.moved.values()):
            raise NotForDevice("an array for the host shares memory with one for the device")
    for fetched in survey.fetched.values():
        for resident in survey.resident.values():
            if survey.writes and overlap_on_device(fetched, resident):
                raise NotForDevice("a CuPy array is wanted on the host and written on the device")


def _refuse_held_writes(survey: Survey) -> None:
    """Refuse a written array that an object holds: what its properties compute would not follow.

    What moves gets memory of its own, and the object keeps the caller's until the call ends.
    """
    written = [survey.moved[number] for number in survey.written & survey.moved.keys()]
    held = held_arrays(survey.objects, np.ndarray) if written else ()
    for owner, _, array in held:
        if any(overlaps(array, one) for one in written):
            raise NotForDevice(f"{_described(owner)} holds an array that is written to")


def refuse_shared_on_device(survey: Survey) -> None:
    """Refuse a written CuPy array that shares memory with another one, but for the same array.

    CuPy copies such operands where it computes, but not in every store (``x[1:] = y[:-1]``).
    """
    arrays = survey.resident.values()
    for number in survey.written & survey.resident.keys():
        if meet_on_device(survey.resident[number], arrays):
            raise NotForDevice(SHARED)


def _described(value: Any) -> str:
    cls = type(value)
    where = "" if cls.__module__ == "builtins" else f"{cls.__module__}."
    article = "an" if (where + cls.__qualname__)[0].lower() in "aeio" else "a"
    return f"{article} {where}{cls.__qualname__}"
