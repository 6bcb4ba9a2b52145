"""What an object says of itself for pickling: a call that makes it, and what is set then.

Classes whose attributes hold what no description can (an interpreter, a lock) often say so how
they are made again.
"""

from __future__ import annotations

import copyreg
import itertools
import pickle
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_ITEMS = 40
_OWN = ("__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__getnewargs__")
_PROTOCOL = 2
# what these hold are contents, places or processes, which are not kept
_KEPT_APART = ("numpy.", "pandas.", "pathlib.", "threading.", "io.", "_io.", "builtins.", "types.")
_PLAIN = (slice, range)


@dataclass(frozen=True, slots=True)
class Pickled:
    """The parts of what ``__reduce_ex__`` gives."""

    call: str
    arguments: tuple[Any, ...]
    state: Any = None
    items: tuple[Any, ...] = ()
    pairs: tuple[tuple[str, Any], ...] = ()

    @classmethod
    def of(cls, value: Any) -> Pickled | None:
        """What an object of a class with words of its own says; None for others."""
        kind = type(value)
        speaks = _has_own_word(kind) and not f"{kind.__module__}.".startswith(_KEPT_APART)
        if not speaks and kind not in _PLAIN:
            return None
        try:
            call, arguments, *rest = value.__reduce_ex__(_PROTOCOL)
            state, items, pairs = [*rest, None, None, None][:3]
            held = tuple(itertools.islice(items or (), _ITEMS + 1))
            keyed = tuple(itertools.islice(pairs or (), _ITEMS + 1))
        except Exception:  # it cannot be pickled, and what it raises is its own affair
            return None
        place = place_of(call)
        if not place or len(held) > _ITEMS or len(keyed) > _ITEMS:
            return None
        if not all(isinstance(key, str) for key, _ in keyed):
            return None
        return cls(place, tuple(arguments), state, held, keyed)

    def node(self, described: Callable[[Any], Any]) -> dict[str, Any]:
        """The description, its parts described by `described`."""
        return {
            "call": self.call,
            "arguments": [described(one) for one in self.arguments],
            "state": described(self.state),
            "items": [described(one) for one in self.items],
            "pairs": [[key, described(one)] for key, one in self.pairs],
        }


def _has_own_word(kind: type) -> bool:
    own = any(getattr(kind, name, None) is not getattr(object, name, None) for name in _OWN)
    return own or kind in copyreg.dispatch_table or not kind.__dictoffset__


def place_of(value: Any) -> str:
    """``package.module:Class`` of a class or function; nothing for one without such a place."""
    module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    return f"{module}:{name}" if module and name and "<" not in name else ""


def place_of_callable(value: Any) -> str:
    """The same of what can be called; of what does not tell its module the one that has it."""
    place = place_of(value)
    name = getattr(value, "__qualname__", None) or getattr(value, "__name__", "")
    if place or not name or "<" in name or hasattr(value, "__self__"):
        return place
    module = pickle.whichmodule(value, name)  # type: ignore[attr-defined]
    return f"{module}:{name}" if module != "__main__" else ""
