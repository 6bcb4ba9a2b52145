"""What the decorator line says about a function, checked once against its signature."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from types import CodeType, FunctionType
from typing import Any, Literal

from gpuport.runtime.code import stores_globals
from gpuport.runtime.conditions import Conditions, conditions_of
from gpuport.runtime.generated import with_parameters_of
from gpuport.runtime.overlaps import apart_on_device

Boundary = Literal["match", "device"]
Names = str | tuple[str, ...]


class Role(Enum):
    """Where the body of a ported function wants the arrays of a parameter."""

    DEVICE = "device"
    HOST = "host"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a ported function and what the body does with its arrays."""

    name: str
    role: Role
    required: bool
    matrix: bool
    written: bool
    nested: bool
    axes: int | None
    variadic: bool
    none_by_default: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything the boundary of a function needs to know before its first call."""

    name: str
    signature: inspect.Signature
    parameters: dict[str, Parameter]
    numbers: tuple[str, ...]
    creates: bool
    boundary: Boundary
    conditions: Conditions
    apart: Callable[..., bool] | None


def plan_of(
    function: Any,
    arrays: tuple[str, ...],
    *,
    require: Names,
    containers: Names,
    writes: Names,
    host: Names,
    matrices: Names,
    axes: Mapping[str, int],
    numbers: Names,
    creates: bool,
    boundary: Boundary,
    where: str,
    from_size: int,
    size: str,
) -> Plan:
    """Check the decorator's arguments against the function they stand on.

    Raises
    ------
    TypeError
        For anything but a plain function, a function with ``global`` assignments, a generator or
        coroutine function, a name that is no parameter, or contradictory roles.
    """
    name = _refuse_unsuitable(function)
    signature = inspect.signature(function, follow_wrapped=False)
    if boundary not in ("match", "device"):
        raise TypeError(f"device: boundary is 'match' or 'device', not {boundary!r}")
    conditions = conditions_of(function, arrays, where, from_size, size)
    if where or size:  # the line says all that is assumed: what it names are arrays
        require = (*_names(require), *arrays)
        containers = (*_names(containers), *arrays)
    roles = {
        "arrays": frozenset(arrays),
        "require": frozenset(_names(require)),
        "containers": frozenset(_names(containers)),
        "writes": frozenset(_names(writes)),
        "host": frozenset(_names(host)),
        "matrices": frozenset(_names(matrices)),
        "axes": frozenset(axes),
    }
    creates = creates or not any(roles.values())
    _refuse_names(name, signature, roles, creates)
    parameters = {k: _parameter(one, roles, axes) for k, one in signature.parameters.items()}
    full_name = f"{function.__module__}.{function.__qualname__}"
    attributes = tuple(_names(numbers))
    if attributes and not signature.parameters:
        raise TypeError(f"device: {name} has no parameter whose attributes are numbers")
    apart = _apart(function, signature, parameters)
    return Plan(full_name, signature, parameters, attributes, creates, boundary, conditions, apart)


def _apart(
    function: FunctionType, signature: inspect.Signature, parameters: dict[str, Parameter]
) -> Callable[..., bool] | None:
    """Called as the function is: whether no CuPy array that it writes to meets another one.

    None where it writes to none, or takes one alone.
    """
    arrays = [one for one in parameters.values() if one.role is Role.DEVICE]
    written = [one for one in arrays if one.written]
    if not written or (len(arrays) == 1 and not arrays[0].variadic):
        return None
    spread: dict[Any, str] = {
        inspect.Parameter.VAR_POSITIONAL: "*{}",
        inspect.Parameter.VAR_KEYWORD: "*{}.values()",
    }
    texts = {
        name: spread.get(one.kind, "{}").format(name) for name, one in signature.parameters.items()
    }
    ours, all_of = ("".join(f"{texts[one.name]}, " for one in of) for of in (written, arrays))
    text = f"return _gp_apart(({ours}), ({all_of}))"
    return with_parameters_of(function, text, {"_gp_apart": apart_on_device})


def _names(names: Names) -> Iterable[str]:
    return (names,) if isinstance(names, str) else names


def _parameter(
    parameter: inspect.Parameter, roles: dict[str, frozenset[str]], axes: Mapping[str, int]
) -> Parameter:
    return Parameter(
        name=parameter.name,
        role=_role(parameter.name, roles),
        required=parameter.name in roles["require"],
        matrix=parameter.name in roles["matrices"],
        axes=axes.get(parameter.name),
        written=parameter.name in roles["writes"],
        nested=parameter.name in roles["containers"],
        variadic=parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD),
        none_by_default=parameter.default is None,
    )


def _role(name: str, roles: dict[str, frozenset[str]]) -> Role:
    if name in roles["arrays"]:
        return Role.DEVICE
    return Role.HOST if name in roles["host"] else Role.NONE


def _refuse_names(
    name: str, signature: inspect.Signature, roles: dict[str, frozenset[str]], creates: bool
) -> None:
    if not roles["arrays"] and not creates:
        raise TypeError(f"device: name the parameters of {name} that hold arrays: @device('x')")
    unknown = sorted(set().union(*roles.values()) - set(signature.parameters))
    if unknown:
        listed = ", ".join(repr(one) for one in unknown)
        raise TypeError(f"device: {name}{signature} has no parameter {listed}")
    for role, allowed in (
        ("require", roles["arrays"] | roles["host"]),
        ("containers", roles["arrays"]),
        ("writes", roles["arrays"] | roles["host"]),
        ("matrices", roles["arrays"] | roles["host"]),
        ("axes", roles["arrays"] | roles["host"]),
    ):
        if stray := sorted(roles[role] - allowed):
            raise TypeError(f"device: {role}={stray[0]!r} of {name} is not among the named arrays")
    if both := sorted(roles["arrays"] & roles["host"]):
        raise TypeError(f"device: {both[0]!r} of {name} is named for the device and for the host")


def _refuse_unsuitable(function: Any) -> str:
    if not isinstance(function, FunctionType):
        kind = type(function).__name__
        raise TypeError(
            f"device: stands on a plain function, directly above its def, not on a {kind}"
        )
    name = function.__qualname__
    code: CodeType = function.__code__
    for test, what in (
        (inspect.iscoroutinefunction, "a coroutine function"),
        (inspect.isasyncgenfunction, "an asynchronous generator function"),
        (inspect.isgeneratorfunction, "a generator function"),
    ):
        if test(function):
            raise TypeError(f"device: {name} is {what}; its body runs after the call returned")
    if stores_globals(code):
        raise TypeError(f"device: {name} assigns to global names, which the host path cannot do")
    return name
