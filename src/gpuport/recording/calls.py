"""The file of recorded calls: one JSON document a line (the form is in docs/recording.md)."""

from __future__ import annotations

import contextlib
import itertools
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

SCHEMA = 1
PLACE = Path(".gpuport") / "calls.jsonl"
PER_FUNCTION = 8
LARGEST = 8 << 20
_HEAD = json.dumps({"schema": SCHEMA, "kind": "gpuport calls"}) + "\n"

Node = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Call:
    """One call of one function.

    Attributes
    ----------
    file : str
        The source file, relative to the folder that was recorded.
    function : str
        Qualified name inside the file.
    arguments : mapping of str to node
        By parameter name, as described by `gpuport.recording.describe`.
    instance : node or None
        The object that a method was called on.
    same : tuple of tuple of str
        Parameters that held the same array.
    raised : str or None
        Class of the exception that left the call.
    """

    file: str
    function: str
    arguments: Mapping[str, Node] = field(default_factory=dict)
    instance: Node | None = None
    same: tuple[tuple[str, ...], ...] = ()
    raised: str | None = None

    @property
    def is_known(self) -> bool:
        """Whether all of it is described, so that it can be made again."""
        return not self.lacks("opaque")

    def lacks(self, what: str) -> bool:
        """Whether there is a node of this kind, ``opaque`` or ``secret``, in it."""
        return any(_has(node, what) for node in (*self.arguments.values(), self.instance))

    def shape(self) -> str:
        """What makes a call distinct: types, dtypes, shapes, small values; no ranges."""
        return json.dumps([_shape(n) for n in (*self.arguments.values(), self.instance or {})])


def _has(node: Any, what: str) -> bool:
    if isinstance(node, Mapping):
        return what in node or any(_has(part, what) for part in node.values())
    return isinstance(node, list | tuple) and any(_has(part, what) for part in node)


def _shape(node: Any) -> Any:
    if isinstance(node, list):
        return [_shape(part) for part in node]
    if not isinstance(node, Mapping):
        return node
    if "array" in node:
        return [node["array"]["dtype"], node["array"]["shape"]]
    if "float" in node:
        return "float"
    return {key: _shape(value) for key, value in node.items()}


def write(path: Path, calls: Iterable[Call]) -> int:
    """Write calls, at most `PER_FUNCTION` distinct ones a function; gives how many.

    Those that can be made again come first, of them those that lack no text.
    """
    kept: dict[tuple[str, str], dict[str, str]] = {}
    for call in sorted(calls, key=lambda call: (call.lacks("opaque"), call.lacks("secret"))):
        group = kept.setdefault((call.file, call.function), {})
        if len(group) < PER_FUNCTION:
            group.setdefault(call.shape(), json.dumps(asdict(call)))
    lines = list(_fitting(list(group.values()) for group in kept.values()))
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as stream:
        stream.write(_HEAD)
        stream.writelines(line + "\n" for line in lines)
    return len(lines)


def _fitting(groups: Iterable[list[str]]) -> Iterator[str]:
    """As many as fit into a file: the first of each function, then the second ones, and so on."""
    size = 0
    for line in itertools.chain.from_iterable(itertools.zip_longest(*groups)):
        if line is not None and size + len(line) <= LARGEST:
            size += len(line)
            yield line


def append(path: Path, call: Call) -> None:
    """Add one call, so that it is kept whatever becomes of the process."""
    line = json.dumps(asdict(call)) + "\n"
    with path.open("a", encoding="utf-8") as stream:
        stream.write(line if stream.tell() else _HEAD + line)


def read(path: Path) -> list[Call]:
    """The calls of a file; none where there is no such file, or another form.

    Parameters
    ----------
    path : pathlib.Path

    Returns
    -------
    list of Call
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        if not lines or json.loads(lines[0]).get("schema") != SCHEMA:
            return []
    except (OSError, ValueError, AttributeError):
        return []
    return list(_calls(lines[1:]))


def _calls(lines: Iterable[str]) -> Iterator[Call]:
    """Those up to a line that is none: a process that was killed may have left half of one."""
    with contextlib.suppress(ValueError, KeyError, TypeError):
        for line in lines:
            yield _call(json.loads(line))


def _call(data: dict[str, Any]) -> Call:
    data["same"] = tuple(tuple(names) for names in data["same"])
    return Call(**data)
