"""The file of recorded calls: one JSON document a line (the form is in docs/recording.md)."""

from __future__ import annotations

import itertools
import json
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from gpuport.recording.grammar import FormError, check, check_parameter

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
    whole = path.with_name(f"{path.name}.{os.getpid()}.part")  # the old one stays till it is there
    with whole.open("w", encoding="utf-8") as stream:
        stream.write(_HEAD)
        stream.writelines(line + "\n" for line in lines)
    whole.replace(path)
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
    """The calls of a file; those lines that hold none are left out.

    Parameters
    ----------
    path : pathlib.Path

    Returns
    -------
    list of Call
    """
    return loaded(path)[0]


def loaded(path: Path) -> tuple[list[Call], list[Problem]]:
    """The calls of a file, and what of it cannot be read.

    Parameters
    ----------
    path : pathlib.Path
        Nothing is wrong where there is no such file.

    Returns
    -------
    list of Call
    list of Problem
    """
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            return [], [Problem(1, "it is no file")]
        if status.st_size > _LARGEST_READ:
            return [], [Problem(1, f"it is larger than {_LARGEST_READ >> 20} MiB: record anew")]
        lines = path.read_bytes().split(b"\n")
    except (FileNotFoundError, NotADirectoryError):
        return [], []
    except OSError as error:
        return [], [Problem(1, f"it cannot be read: {error.strerror}")]
    problem = _no_head(lines[0])
    if problem is not None:
        return [], [Problem(1, problem)]
    calls, problems = [], []
    for number, line in enumerate(lines[1:], 2):
        try:
            if line.strip():
                calls.append(_call(_document(line)))
        except FormError as error:
            problems.append(Problem(number, f"no recorded call: {error}"))
    return calls, problems


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a line of a file of calls cannot be used."""

    line: int
    message: str


def _document(line: bytes) -> Any:
    try:
        return json.loads(line)
    except RecursionError:
        raise FormError("it is nested too deeply") from None
    except ValueError as error:  # of JSON, of UTF-8, and of numbers with too many digits
        raise FormError(f"not valid JSON: {error}") from None


def _no_head(line: bytes) -> str | None:
    """Why the first line is not that of a file of calls."""
    try:
        head = _document(line)
    except FormError as error:
        return f"no file of recorded calls: {error}"
    if not isinstance(head, dict) or "schema" not in head:
        return "no file of recorded calls: its first line says no `schema`"
    if head["schema"] != SCHEMA:
        return f"of another form ({head['schema']!r:.20}; this gpuport reads {SCHEMA}): record anew"
    return None


def _call(data: Any) -> Call:
    """The call of a line.

    Raises
    ------
    FormError
        Naming what has another form.
    """
    if not isinstance(data, dict) or not {"file", "function"} <= data.keys() <= _FIELDS:
        raise FormError(f"an object with the keys {', '.join(sorted(_FIELDS))} is wanted")
    for key, kinds in _KINDS.items():
        if not isinstance(data.get(key), kinds):
            raise FormError(f"`{key}` is {type(data.get(key)).__name__}")
    same = data.get("same", [])
    for name in itertools.chain(data.get("arguments", {}), *_groups(same)):
        check_parameter(name)
    for name, node in data.get("arguments", {}).items():
        check(node, f"arguments.{name}")
    if data.get("instance") is not None:
        check(data["instance"], "instance")
    return Call(**{**data, "same": tuple(tuple(names) for names in same)})


def _groups(same: Any) -> list[Any]:
    if not isinstance(same, list) or not all(isinstance(names, list) for names in same):
        raise FormError("`same` is no list of lists")
    return same


_LARGEST_READ = 64 << 20
_FIELDS = {one.name for one in fields(Call)}
_KINDS: dict[str, Any] = {
    "file": str, "function": str, "arguments": dict | None, "instance": dict | None,
    "raised": str | None,
}  # fmt: skip
