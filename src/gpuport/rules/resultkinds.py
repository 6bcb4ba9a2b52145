"""Whether CuPy gives results of the same kinds as SciPy: the tables ``results-*.json``.

Recorded from CuPy's own functions on a device that computes nothing (``survey/results.py``):
how many results there are, their dtypes and their numbers of dimensions, by dtype of the data.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class ResultKinds:
    """What is known of one function.

    Attributes
    ----------
    same : frozenset of str
        Dtypes of the data for which the results are of the same kinds.
    differs : mapping
        Dtype to a sentence: what SciPy gives and what CuPy gives.
    raises : mapping
        Dtype to CuPy's complaint.
    """

    same: frozenset[str]
    differs: Mapping[str, str]
    raises: Mapping[str, str]


class ResultTable:
    """The table of one target.

    Parameters
    ----------
    path : pathlib.Path
        File ``results-*.json``; read when it is first asked. A file that is absent knows nothing.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._found: dict[str, ResultKinds | None] = {}

    def of(self, function: str) -> ResultKinds | None:
        """What is known of CuPy's function; None where nothing could be learnt.

        Parameters
        ----------
        function : str
            CuPy's name, ``cupyx.scipy.ndimage.median``.
        """
        if function not in self._found:
            row = _read(self._path)["entries"].get(function)
            self._found[function] = None if row is None else _kinds(row)
        return self._found[function]

    def covers(self, function: str) -> bool:
        """Whether functions of its module were compared at all."""
        return function.rpartition(".")[0] in _read(self._path)["modules"]

    def functions(self) -> tuple[str, ...]:
        """CuPy's names of the functions that were compared, sorted."""
        return tuple(sorted(_read(self._path)["entries"]))


_MOST_PARTS = 4


def _kinds(row: Mapping[str, Any]) -> ResultKinds:
    differs = {
        dtype: f"{in_words(ours)} in SciPy, {in_words(theirs)} in CuPy"
        for dtypes, ours, theirs in row.get("differs", ())
        for dtype in dtypes
    }
    raises = {d: message for dtypes, message in row.get("raises", ()) for d in dtypes}
    return ResultKinds(frozenset(row.get("same", ())), differs, raises)


def in_words(kinds: Any, depth: int = 0) -> str:
    """``a float64 array`` of the table's ``"float64 2"``; lists and dicts in parentheses."""
    if isinstance(kinds, list | dict):
        if depth > 1:
            return "..."
        names = [f"{name}: " for name in kinds] if isinstance(kinds, dict) else [""] * len(kinds)
        parts = kinds.values() if isinstance(kinds, dict) else kinds
        listed = [name + in_words(p, depth + 1) for name, p in zip(names, parts, strict=True)]
        return f"({', '.join(listed[:_MOST_PARTS] + ['...'] * (len(listed) > _MOST_PARTS))})"
    dtype, _, rank = kinds.rpartition(" ")
    if not dtype:
        return {"None": "None", "object": "an object"}.get(kinds, f"Python's {kinds}")
    what = "number" if rank == "0" else "array"
    if dtype.startswith("host "):
        return f"NumPy's {dtype.removeprefix('host ')} {what}"
    return f"{dtype} {what}"


@lru_cache(maxsize=4)
def _read(path: Path) -> dict[str, Any]:
    try:
        document: dict[str, Any] = json.loads(path.read_bytes())
    except FileNotFoundError:
        return {"modules": (), "entries": {}}
    return document
