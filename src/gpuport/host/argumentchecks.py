"""What CuPy rejects of its arguments, by parameter: the host backend raises the same.

The rows are recorded from CuPy's own checks (``rules/api/arguments-*.json``). Each function is
compiled with a test of its arguments' types, so that a call of taken types costs a few set look-ups
and everything else is looked at here.
"""

from __future__ import annotations

import builtins
import inspect
import json
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import chain
from typing import Any

import numpy as np

from gpuport._data import rules_folder
from gpuport.host.ndarray import IMPLICIT, ndarray
from gpuport.host.wording import worded

Outcome = str | tuple[str, str]
_PLAIN = {
    bool: "bool", int: "int", float: "float", complex: "float", type(None): "None",
    ndarray: "array",
}  # fmt: skip


@cache
def _entries(version: int) -> dict[str, dict[str, Any]]:
    path = rules_folder() / "api" / f"arguments-{version}.json"
    found: dict[str, dict[str, Any]] = json.loads(path.read_bytes())["entries"]
    return found


def kind_of(value: Any) -> str:
    """The kind of an argument, in the words of the tables; empty for one that they do not know."""
    plain = _PLAIN.get(type(value))
    if plain is not None:
        return plain
    if isinstance(value, np.generic):
        return "numpy-scalar"
    if isinstance(value, np.ndarray):
        return "numpy-array"
    if isinstance(value, (list, tuple)):
        return _kind_of_sequence(value)
    return "array" if isinstance(value, ndarray) else ""


_NUMBERS = frozenset((int, float, complex, bool))


def holds_numbers(value: Any, nested: bool = True) -> bool:
    """Whether a value is a list or tuple of Python's numbers, or (where `nested`) of such ones."""
    if type(value) not in _SEQUENCES or not value:
        return False
    if _NUMBERS.issuperset(map(type, value)):
        return True
    if not nested or not _SEQUENCES.issuperset(map(type, value)):
        return False
    return _NUMBERS.issuperset(map(type, chain.from_iterable(value)))


_SEQUENCES = frozenset((list, tuple))
_ARRAYS = frozenset({ndarray})


def _holds_arrays(value: Any) -> bool:
    return type(value) in _SEQUENCES and bool(value) and _ARRAYS.issuperset(map(type, value))


def _kind_of_sequence(value: Any) -> str:
    """Of a list that mixes device arrays with others, the kind that the others alone would have."""
    if _NUMBERS.issuperset(map(type, value)):
        return "tuple" if isinstance(value, tuple) else "list"
    leaves = list(_leaves(value))
    others = [leaf for leaf in leaves if not isinstance(leaf, ndarray)]
    if leaves and not others:
        return "array-list"
    if any(isinstance(leaf, np.ndarray) for leaf in others):
        return "numpy-array-list"
    if any(isinstance(part, (list, tuple)) for part in value):
        return "nested-list"
    return "tuple" if isinstance(value, tuple) else "list"


def _leaves(value: Any) -> Iterator[Any]:
    for part in value:
        if isinstance(part, (list, tuple)):
            yield from _leaves(part)
        else:
            yield part


def holds_device_array(value: Any) -> bool:
    """Whether an argument is a device array or has one in it."""
    if isinstance(value, (list, tuple)):
        return any(isinstance(leaf, ndarray) for leaf in _leaves(value))
    return isinstance(value, ndarray)


class Checks:
    """What one function rejects.

    Parameters
    ----------
    rows : dict
        Parameter to kind to outcome, as recorded; ``*`` for all arrays at once.
    """

    def __init__(self, rows: dict[str, dict[str, Outcome]]) -> None:
        self._together = {k for k, outcome in rows.pop("*", {}).items() if outcome == "host"}
        self.rows = rows
        self.may_stay_on_host = bool(self._together) or any(
            "host" in row.values() for row in rows.values()
        )

    def checked(self, names: Iterable[str]) -> list[str]:
        """Those of the parameters that reject something."""
        return [n for n in names if any(o != "device" for o in self.rows.get(n, {}).values())]

    def taken_types(self, parameter: str) -> frozenset[type]:
        """Types that need no further look."""
        row = self.rows.get(parameter, {})
        return frozenset(t for t, kind in _PLAIN.items() if row.get(kind, "device") == "device")

    def takes(self, parameter: str, *kinds: str) -> bool:
        """Whether arguments of these kinds are taken."""
        row = self.rows.get(parameter, {})
        return all(row.get(kind, "device") == "device" for kind in kinds)

    def takes_host_array(self, parameter: str) -> bool | None:
        """Whether the function itself moves a NumPy array; None where it is not known."""
        outcome = self.rows.get(parameter, {}).get("numpy-array")
        return None if outcome is None else outcome == "device"

    def reads_device_array(self, parameter: str) -> bool:
        """Whether the function itself reads a device array back where it wants a number."""
        return self.rows.get(parameter, {}).get("array") == "device"

    def stays_on_host(self, given: dict[str, Any]) -> bool:
        """Whether CuPy answers with NumPy's result: no argument is on the device."""
        if any(holds_device_array(value) for value in given.values()):
            return False
        kinds = {name: kind_of(value) for name, value in given.items()}
        if any(kind in self._together for kind in kinds.values()):
            return True
        return any(self.rows.get(n, {}).get(kind) == "host" for n, kind in kinds.items())

    def verify(self, given: dict[str, Any], defaults: dict[str, Any]) -> bool:
        """Raise what CuPy raises for these arguments, if it does; else whether it stays on host.

        Raises
        ------
        Exception
            As recorded, with the type of the argument in the message.
        """
        hosted = self.may_stay_on_host and self.stays_on_host(given)
        for name, value in given.items():
            row = self.rows.get(name)
            if row is None or (name in defaults and value is defaults[name]):
                continue
            outcome = row.get(kind_of(value), "device")
            if isinstance(outcome, tuple) and not hosted and not _of_items(outcome[1], value):
                raise _error(*outcome, value)
            if outcome == "host" and not hosted:
                raise TypeError(IMPLICIT)
        return hosted

    def verify_each(self, parameter: str, values: tuple[Any, ...]) -> None:
        """Raise what CuPy raises for one of the values of ``*parameter``, if it does."""
        for value in values:
            self.verify({parameter: value}, {})


def _of_items(message: str, value: Any) -> bool:
    """Whether an error is one of the items of a list, of which this one has none."""
    return isinstance(value, (list, tuple)) and not value and message.endswith(_OF_A_SAMPLE)


_OF_A_SAMPLE = "got float)"
"""What a compiled function says of the items that the lists of the probe had."""


def _error(name: str, message: str, value: Any) -> Exception:
    kinds = (getattr(home, name, None) for home in (builtins, np.exceptions, np.linalg))
    kind: Any = next((k for k in kinds if k is not None), TypeError)
    of = type(value)
    full = (
        of.__name__ if of.__module__ in ("builtins", "cupy") else f"{of.__module__}.{of.__name__}"
    )
    for field, text in (("{class}", str(of)), ("{type}", full), ("{name}", of.__name__)):
        message = message.replace(field, text)
    error: Exception = kind(message)
    return error


def checks_of(qualified: str, version: int) -> Checks | None:
    """The checks of a function or method of CuPy; None where none are recorded."""
    raw = _entries(version).get(qualified)
    if raw is None:
        return None
    rows: dict[str, dict[str, Outcome]] = {}
    for parameter, groups in raw.items():
        row: dict[str, Outcome] = dict.fromkeys(groups.get("device", ()), "device")
        row.update(dict.fromkeys(groups.get("host", ()), "host"))
        for exception, message, kinds in groups.get("raises", ()):
            row.update(dict.fromkeys(kinds, (exception, message)))
        rows[parameter] = row
    return Checks(rows)


def checking_source(
    checks: Checks | None,
    parameters: list[tuple[str, str]],
    defaults: dict[str, Any],
    scope: dict[str, Any],
    on_host: str = "",
) -> str:
    """Statements that check the arguments at the start of a compiled function.

    Parameters
    ----------
    checks : Checks or None
        None for a function of which nothing is known: then there are no statements.
    parameters : list of (str, str)
        Name and kind code of each parameter.
    defaults : dict
        What is passed where an argument is left out: never rejected.
    scope : dict
        Namespace of the function; what the statements use is added.
    on_host : str
        Expression to return where CuPy answers off the device; else the function goes on.
    """
    if checks is None:
        return ""
    plain = [name for name, kind in parameters if kind not in ("*", "**")]
    spread = [name for name, kind in parameters if kind == "*"]
    tests = []
    scope["_type"] = type  # a parameter may have that name
    scope.update(_holds_numbers=holds_numbers, _holds_arrays=_holds_arrays)
    for name in checks.checked(plain):
        scope[f"_taken_{name}"] = checks.taken_types(name)
        test = f"_type({name}) not in _taken_{name}"
        if checks.takes(name, "list", "tuple"):
            test += f" and not _holds_numbers({name}, {checks.takes(name, 'nested-list')})"
        if checks.takes(name, "array-list"):
            test += f" and not _holds_arrays({name})"
        tests.append(test)
    lines = ""
    if tests:
        scope["_verify"] = lambda given: checks.verify(given, defaults)
        pairs = ", ".join(f"{name!r}: {name}" for name in plain)
        lines += f"    if ({') or ('.join(tests)}):\n        hosted = _verify({{{pairs}}})\n"
        if on_host:
            lines += f"        if hosted:\n            return {on_host}\n"
    for name in checks.checked(spread):
        scope["_verify_each"] = checks.verify_each
        lines += f"    _verify_each({name!r}, {name})\n"
    return lines


def guarded(
    own: Callable[..., Any],
    checks: Checks | None,
    *,
    method: bool = False,
    twin: Callable[..., Any] | None = None,
) -> Callable[..., Any]:
    """A function that checks its arguments first, and words errors as CuPy does.

    The first argument of a `method` is the array that it belongs to; `twin` is NumPy's function,
    for the calls that CuPy answers off the device.
    """
    rows = [(p.name, _CODES.get(p.kind, "pk"), p.default) for p in _parameters(own)]
    defaults = {name: default for name, _, default in rows if default is not _EMPTY}
    scope: dict[str, Any] = {"_own": own, "_twin": twin}
    passed = ", ".join(_passed(name, kind) for name, kind, _ in rows)
    pairs = [(name, kind) for name, kind, _ in rows[method:]]
    source = checking_source(checks, pairs, defaults, scope, f"_twin({passed})" if twin else "")
    heads: list[str] = []
    needed = [name for name, kind, default in rows[1:] if default is _EMPTY and kind == "pk"]
    scope["_missing"] = _missing
    if method and needed:
        rest = any(default is not _EMPTY for _, _, default in rows)
        scope["_arity"] = lambda found: _too_few(own.__name__, needed, rest, found)
        tests = " or ".join(f"{name} is _missing" for name in needed)
        source = f"    if {tests}:\n        raise _arity(({', '.join(needed)},))\n" + source
    for name, kind, default in rows:
        if kind == "k" and not any(head.startswith("*") for head in heads):
            heads.append("*")
        scope[f"_default_{name}"] = default
        mark = kind if kind in ("*", "**") else ""
        given = f"=_default_{name}" if name in defaults else ""
        heads.append(mark + name + ("=_missing" if method and name in needed else given))
    scope.update(_worded=worded, _refused=(TypeError, ValueError, IndexError))
    call = (
        f"    try:\n        return _own({passed})\n"
        "    except _refused as error:\n"
        f"        raise _worded({own.__name__!r}, error) from None\n"
    )
    exec(f"def guarded({', '.join(heads)}):\n{source}{call}", scope)
    made: Callable[..., Any] = scope["guarded"]
    made.__name__ = made.__qualname__ = own.__name__
    made.__doc__, made.__module__ = own.__doc__, own.__module__
    return made


_EMPTY = inspect.Parameter.empty
_missing = object()
"""In the place of an argument that a method must be given."""


def _too_few(name: str, needed: list[str], rest: bool, found: tuple[Any, ...]) -> TypeError:
    """What a method compiled by Cython says, which the methods of arrays are."""
    given = sum(value is not _missing for value in found)
    bound = "at least" if rest else "exactly"
    ending = "" if len(needed) == 1 else "s"
    return TypeError(
        f"{name}() takes {bound} {len(needed)} positional argument{ending} ({given} given)"
    )


_CODES: dict[Any, str] = {
    inspect.Parameter.VAR_POSITIONAL: "*",
    inspect.Parameter.VAR_KEYWORD: "**",
    inspect.Parameter.KEYWORD_ONLY: "k",
}


def _parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    return list(inspect.signature(function).parameters.values())


def _passed(name: str, kind: str) -> str:
    """How a parameter is handed on."""
    return f"{name}={name}" if kind == "k" else (kind if kind in ("*", "**") else "") + name
