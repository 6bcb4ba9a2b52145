"""The files of the API tables, as they are read: entries by name, members by owner, versions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from ._callfit import Parameter

SOURCES = {"numpy": "numpy-2", "scipy": "scipy-1"}
"""The tables of the libraries that programs are written for."""

_TARGETS = frozenset({"cupy", "cupyx"})
_KINDS = {
    "p": "positional_only",
    "pk": "positional_or_keyword",
    "*": "var_positional",
    "k": "keyword_only",
    "**": "var_keyword",
}


@dataclass(frozen=True)
class ApiEntry:
    """One public name.

    ``kind`` is function, ufunc, class, type, module, constant, object, method or attribute;
    ``real_name`` the object's own ``__name__`` (CuPy's ``max`` calls itself ``amax``);
    ``parameters`` None where they are not known; ``same_as`` the NumPy name of an object that
    CuPy merely passes on; ``methods`` what a CuPy ufunc implements of reduce, at, ...
    """

    name: str
    kind: str
    real_name: str
    parameters: tuple[Parameter, ...] | None
    module: str = ""
    value: str | None = None
    same_as: str | None = None
    nin: int | None = None
    nout: int | None = None
    methods: frozenset[str] | None = None
    from_source: bool = False


class ApiFiles:
    """The files of one target and of NumPy and SciPy; each is read when it is first asked.

    Parameters
    ----------
    target : str
        Table of the target, ``"cupy-13"`` or ``"cupy-14"``.
    folder : pathlib.Path
        Where the tables lie.
    """

    def __init__(self, target: str, folder: Path) -> None:
        self.target = target
        self.folder = folder
        self._known: dict[str, ApiEntry | None] = {}

    def entry(self, qualified: str) -> ApiEntry | None:
        """Describe ``numpy.*``, ``scipy.*``, ``cupy.*`` or ``cupyx.*``; None if it is not there."""
        if qualified not in self._known:
            raw = self.raw(qualified)
            self._known[qualified] = None if raw is None else _entry(qualified, raw)
        return self._known[qualified]

    def entries(self, family: str) -> dict[str, dict[str, Any]]:
        """All names of a library as the file describes them; none where there is no file."""
        if family not in {*SOURCES, *_TARGETS}:
            return {}
        entries: dict[str, dict[str, Any]] = _read(self._path(family))["entries"]
        return entries

    def members(self, family: str) -> dict[str, tuple[str, ...]]:
        """By modules and classes of a library: the names in them, sorted."""
        return _by_owner(self._path(family)) if family in {*SOURCES, *_TARGETS} else {}

    def versions(self, family: str) -> Mapping[str, str]:
        """Versions of the packages that a library's table was read off."""
        versions: Mapping[str, str] = _read(self._path(family))["versions"]
        return versions

    def raw(self, qualified: str) -> dict[str, Any] | None:
        """What the file says of a name; of a ufunc's method, what it says of the class's."""
        entries = self.entries(qualified.split(".")[0])
        raw = entries.get(qualified)
        if raw is None:
            owner, _, method = qualified.rpartition(".")
            if entries.get(owner, {}).get("kind") == "ufunc":
                raw = entries.get(f"{owner.split('.')[0]}.ufunc.{method}")
                if raw is None and owner.startswith(("scipy.", "cupyx.")):
                    family = "numpy" if owner.startswith("scipy.") else "cupy"
                    raw = self.entries(family).get(f"{family}.ufunc.{method}")
        return raw

    @cached_property
    def policy(self) -> dict[str, Any]:
        """What people decided about names: see ``parameters.yaml`` and ``host-only.yaml``."""
        policy: dict[str, Any] = _read(self.folder / "policy.json")
        return policy

    @cached_property
    def host_only(self) -> list[tuple[re.Pattern[str], str]]:
        """Patterns of names that stay on the host although CuPy has them, and why."""
        return [(re.compile(pattern), why) for pattern, why in self.policy["host_only"]]

    def _path(self, family: str) -> Path:
        name = self.target if family in _TARGETS else SOURCES[family]
        return self.folder / f"{name}.json"


def _entry(name: str, raw: Mapping[str, Any]) -> ApiEntry:
    listed: Iterable[list[str]] | None = raw.get("parameters")
    parameters = None if listed is None else tuple(_parameter(item) for item in listed)
    methods = raw.get("methods")
    return ApiEntry(
        name=name,
        kind=raw["kind"],
        real_name=raw.get("name", name.rpartition(".")[2]),
        parameters=parameters,
        module=raw.get("module", ""),
        value=raw.get("value"),
        same_as=raw.get("same_as"),
        nin=raw.get("nin"),
        nout=raw.get("nout"),
        methods=None if methods is None else frozenset(methods),
        from_source=raw.get("from") == "source",
    )


def _parameter(item: list[str]) -> Parameter:
    return Parameter(item[0], _KINDS[item[1]], item[2] if len(item) > 2 else None)


@lru_cache(maxsize=16)
def _read(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(path.read_bytes())
    return document


@lru_cache(maxsize=8)
def _by_owner(path: Path) -> dict[str, tuple[str, ...]]:
    owners: dict[str, list[str]] = {}
    for name in _read(path)["entries"]:
        owner, _, last = name.rpartition(".")
        owners.setdefault(owner, []).append(last)
    return {owner: tuple(sorted(names)) for owner, names in owners.items() if owner}
