"""Which kinds of argument CuPy takes by each parameter: the tables ``arguments-*.json``.

Recorded from CuPy's own checks (``survey/arguments.py``). A kind is one of :data:`KINDS`; an
outcome is ``"device"`` (taken), ``"host"`` (CuPy answers with NumPy's result, off the device) or
a :class:`Rejection`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

KINDS = (
    "bool",
    "int",
    "float",
    "list",
    "tuple",
    "nested-list",
    "numpy-scalar",
    "numpy-array",
    "array",
    "array-list",
    "numpy-array-list",
    "None",
)
"""``list`` and ``tuple`` hold numbers; ``nested-list`` is a list or tuple of such lists;
``array-list`` and ``numpy-array-list`` are lists or tuples of CuPy or NumPy arrays."""
_TOGETHER = {"number": ("int", "float")}


@dataclass(frozen=True)
class Rejection:
    """What CuPy raises; ``{class}``, ``{type}`` and ``{name}`` in the message name the type."""

    exception: str
    message: str


Outcome = Literal["device", "host"] | Rejection


class ArgumentKinds:
    """The table of one target.

    Parameters
    ----------
    path : pathlib.Path
        File ``arguments-*.json``; read when it is first asked. A file that is absent knows nothing.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._expanded: dict[str, dict[str, dict[str, Outcome]]] = {}
        self._taken: dict[tuple[str, str, str], bool | None] = {}

    def parameters(self, function: str) -> Mapping[str, Mapping[str, Outcome]]:
        """Outcomes by CuPy's parameter and kind; empty for a function that was not probed.

        The parameter ``*`` tells what comes of a call in which no argument is a device array.

        Parameters
        ----------
        function : str
            CuPy's name, ``cupy.linalg.norm`` or ``cupy.ndarray.dot``.
        """
        found = self._expanded.get(function)
        if found is None:
            rows = _read(self._path)["entries"].get(function, {})
            found = {name: _outcomes(groups) for name, groups in rows.items()}
            self._expanded[function] = found
        return found

    def functions(self) -> tuple[str, ...]:
        """CuPy's names of the functions and methods that were probed, sorted."""
        return tuple(sorted(_read(self._path)["entries"]))

    def unprobed(self) -> Mapping[str, str]:
        """CuPy's names of those that were not, and why."""
        found: Mapping[str, str] = _read(self._path)["unprobed"]
        return found

    def takes(self, function: str, parameter: str, kind: str) -> bool | None:
        """Whether CuPy takes an argument of that kind; None where it is not known.

        ``"number"`` asks for ``int`` and ``float`` together. What CuPy answers off the device
        (outcome ``"host"``) it does not take.

        Raises
        ------
        ValueError
            For a kind that does not exist.
        """
        key = function, parameter, kind
        if key not in self._taken:
            self._taken[key] = self._takes(*key)
        return self._taken[key]

    def _takes(self, function: str, parameter: str, kind: str) -> bool | None:
        asked = _TOGETHER.get(kind, (kind,))
        if not set(asked) <= set(KINDS):
            raise ValueError(f"no kind of argument {kind!r}; there are {', '.join(KINDS)}")
        outcomes = self.parameters(function).get(parameter, {})
        known = [outcomes[one] for one in asked if one in outcomes]
        if not known:
            return None
        return all(outcome == "device" for outcome in known)


def _outcomes(groups: Mapping[str, Any]) -> dict[str, Outcome]:
    found: dict[str, Outcome] = dict.fromkeys(groups.get("device", ()), "device")
    found.update(dict.fromkeys(groups.get("host", ()), "host"))
    for exception, message, kinds in groups.get("raises", ()):
        found.update(dict.fromkeys(kinds, Rejection(exception, message)))
    return found


@lru_cache(maxsize=4)
def _read(path: Path) -> dict[str, Any]:
    try:
        document: dict[str, Any] = json.loads(path.read_bytes())
    except FileNotFoundError:
        return {"entries": {}, "unprobed": {}}
    return document
