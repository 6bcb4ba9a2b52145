"""Calls of the functions that a call has returned."""

from __future__ import annotations

import re
from typing import Any

from gpuport.verify.aftermath.iterators import consumed, kept_items
from gpuport.verify.inputs.stands import Arguments
from gpuport.verify.slots import RETURNED

_PLACE = re.compile(rf"{re.escape(RETURNED)}(?:\[(\d+)\])?(\w*)")
_TIMES = 2  # the second call shows what the first has left behind


def parted(arguments: Arguments) -> tuple[Arguments, dict[int | None, Arguments]]:
    """The function's own arguments, and those of the functions that it returns, by their place."""
    own: Arguments = {}
    rest: dict[int | None, Arguments] = {}
    for key, value in arguments.items():
        match = _PLACE.fullmatch(key)
        if match is None:
            own[key] = value
            continue
        given = rest.setdefault(None if match[1] is None else int(match[1]), {})
        if match[2]:
            given[match[2]] = value
    return own, rest


def followed(result: Any, calls: dict[int | None, Arguments]) -> Any:
    """A result whose functions are replaced by what they give for these arguments."""
    if None in calls:
        return _called(result, calls[None])
    if not calls or type(result) not in (tuple, list):
        return result
    items = [_called(v, calls[k]) if k in calls else v for k, v in enumerate(result)]
    return type(result)(items)


def _called(function: Any, arguments: Arguments) -> Any:
    if not callable(function):
        return function
    return kept_items("what is returned, called", _outcomes(function, arguments))


def _outcomes(function: Any, arguments: Arguments) -> Any:
    for _ in range(_TIMES):
        yield consumed(function(**arguments))
