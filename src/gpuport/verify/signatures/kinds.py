"""Of what kind arguments are: arrays of a dtype and a rank, numbers, containers of these.

Two calls are of a kind where only sizes and values differ.
"""

from __future__ import annotations

import inspect
import itertools
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any

import numpy as np

from gpuport.verify.sides.states import state_of

_DEPTH = 4  # containers within containers that are told
_ITEMS = 24  # of each that are looked at
_APART = 6  # of a tuple that are told in their order; of a longer one their kinds
_SELF = "self."
_SPREAD = {inspect.CO_VARARGS: "*", inspect.CO_VARKEYWORDS: "**"}

_REAL = re.compile(r"(?:NumPy's )?\b(?:float(?:64|32)?|u?int\d*)\b(?: [1-9]-d\b)?")
"""What arrays and numbers usually are: callers have one as well as another."""

Kinds = Mapping[str, str]
"""By parameter, of what kind an argument is; attributes of an instance as ``self.x``."""


def kind_of(value: Any, depth: int = _DEPTH) -> str:
    """Of what kind one value is, in words of which equal ones mean the same."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.ndim}-d" + ("" if value.size else ", empty")
    if isinstance(value, np.generic):
        return f"NumPy's {value.dtype}"
    if value is None or isinstance(value, bool | int | float | complex | str):
        return "None" if value is None else type(value).__name__
    if depth == 0:
        return "..."
    if isinstance(value, list | tuple):
        items = [kind_of(item, depth - 1) for item in value[:_ITEMS]]
        if isinstance(value, list) or len(value) > _APART:
            items = sorted(set(items))
        return f"{type(value).__name__}({', '.join(items)})"
    if isinstance(value, dict):
        items = [f"{key}: {kind_of(value[key], depth - 1)}" for key in [*value][:_ITEMS]]
        return f"dict({', '.join(items)})"
    if isinstance(value, type) or hasattr(value, "__code__"):
        return "function"
    state = state_of(value)
    if not state:
        return type(value).__name__
    held = (f"{name}={kind_of(state[name], depth - 1)}" for name in sorted(state)[:_ITEMS])
    return f"{type(value).__name__}({', '.join(held)})"


def kinds_of(arguments: Mapping[str, Any]) -> dict[str, str]:
    """Of what kinds the arguments of a call are, and what the instance holds."""
    found = {}
    for name, value in arguments.items():
        state = state_of(value) if name == "self" else None
        if state is None:
            found[name] = kind_of(value)
        else:
            found |= {f"{_SELF}{key}": kind_of(held) for key, held in state.items()}
    arrays = {name: value for name, value in arguments.items() if isinstance(value, np.ndarray)}
    for first, second in itertools.combinations(arrays, 2):
        if np.may_share_memory(arrays[first], arrays[second]):
            found[f"{first} and {second}"] = "of one memory"
    return found


@dataclass(frozen=True, slots=True)
class Given:
    """The kinds of arguments that all calls of a function had."""

    calls: Sequence[Kinds] = ()

    def foreign(self, kinds: Kinds) -> str | None:
        """What no call gives; None where one gives such arguments, and some hold such a state."""
        own = {name: kind for name, kind in kinds.items() if not name.startswith(_SELF)}
        if not any(_fits(own, call) for call in self.calls):
            new = {n: k for n, k in own.items() if all(call.get(n) != k for call in self.calls)}
            return _shown(new or own)
        held = {name: kind for name, kind in kinds.items() if name.startswith(_SELF)}
        new = {n: k for n, k in held.items() if all(call.get(n) != k for call in self.calls)}
        return _shown(new) if new else None

    def differs_in_type_alone(self, kinds: Kinds) -> bool:
        """Whether a call gives the same but for what real numbers, and in how many axes."""
        own = {name: kind for name, kind in kinds.items() if not name.startswith(_SELF)}
        return any(_fits(_plain(own), _plain(call)) for call in self.calls)


def _fits(own: Kinds, call: Kinds) -> bool:
    return all(call.get(name) == kind for name, kind in own.items())


def _plain(kinds: Kinds) -> Kinds:
    """Real numbers as such, arrays of them told from single ones."""

    def plain(found: re.Match[str]) -> str:
        return "reals" if found.group().endswith("-d") else "real"

    return {name: _REAL.sub(plain, kind) for name, kind in kinds.items()}


def _shown(kinds: Kinds) -> str:
    return ", ".join(f"{name}: {kind}" for name, kind in kinds.items())[:200]


def arguments_of(frame: FrameType) -> dict[str, Any]:
    """What a frame was called with, as long as it has bound nothing anew."""
    code = frame.f_code
    count = code.co_argcount + code.co_kwonlyargcount
    count += sum(bool(code.co_flags & flag) for flag in _SPREAD)
    held = frame.f_locals
    return {name: held[name] for name in code.co_varnames[:count] if name in held}


def spread_of(code: CodeType) -> dict[str, str]:
    """Parameters that take any number of arguments, with their asterisks."""
    place = code.co_argcount + code.co_kwonlyargcount
    marks = [mark for flag, mark in _SPREAD.items() if code.co_flags & flag]
    return dict(zip(code.co_varnames[place:], marks, strict=False))


class LatestCall:
    """Of what kinds the arguments were that a function was called with last, not by itself."""

    def __init__(self, file: str, function: str) -> None:
        self.kinds: dict[str, str] = {}
        self._file = file
        self._function = function

    def __call__(self, code: CodeType, frame: FrameType) -> None:
        """A call has begun."""
        if code.co_qualname != self._function or code.co_filename != self._file:
            return
        caller = frame.f_back
        while caller is not None and caller.f_code is not code:
            caller = caller.f_back
        if caller is None:
            self.kinds = kinds_of(arguments_of(frame))


@contextmanager
def watched(called: Callable[[CodeType, FrameType], None]) -> Iterator[None]:
    """Tell of each call of a Python function meanwhile."""

    def tell(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            called(frame.f_code, frame)

    before = sys.getprofile()
    sys.setprofile(tell)
    try:
        yield
    finally:
        sys.setprofile(before)


__all__ = [
    "Given",
    "Kinds",
    "LatestCall",
    "arguments_of",
    "kind_of",
    "kinds_of",
    "spread_of",
    "watched",
]
