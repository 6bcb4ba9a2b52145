"""Calls of a file's functions that are seen while something runs: of what kinds, and some whole."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import asdict
from types import CodeType, FrameType
from typing import Any

from gpuport.recording.calls import PER_FUNCTION, Call
from gpuport.recording.describe import describe
from gpuport.verify.signatures.kinds import arguments_of, kinds_of, spread_of

_KINDS = 48
"""Kinds of calls of one function from which on nothing is left out for being of none."""
_SELF = "self"


class SeenCalls:
    """The calls of one file's functions, or of the one named, by their qualified names.

    Called with each frame that begins (`gpuport.verify.signatures.kinds.watched`).
    """

    def __init__(self, file: str, function: str = "") -> None:
        self.file = file
        self.function = function
        self.kinds: dict[str, list[dict[str, str]]] = {}
        self.calls: dict[str, list[dict[str, Any]]] = {}

    def __call__(self, code: CodeType, frame: FrameType) -> None:
        """A call has begun."""
        if code.co_filename != self.file or code.co_qualname.endswith(">"):
            return
        if self.function and code.co_qualname != self.function:
            return
        known = self.kinds.setdefault(code.co_qualname, [])
        if len(known) > _KINDS:
            return
        arguments = arguments_of(frame)
        kinds = kinds_of(arguments)
        if kinds not in known:
            known.append(kinds)
            if len(known) <= PER_FUNCTION:
                self._describe(code, arguments)

    def _describe(self, code: CodeType, arguments: dict[str, Any]) -> None:
        name = code.co_qualname
        instance = arguments.pop(_SELF, None) if "." in name else None
        # where inputs are drawn no text is anybody's secret
        texts = {v for v in arguments.values() if isinstance(v, str)}
        kept: Container[str] = _Every() if self.function else texts
        marks = spread_of(code)
        nodes = {
            marks.get(key, "") + key: describe(value, kept)
            for key, value in arguments.items() if key not in marks or value
        }  # fmt: skip
        held = describe(instance, kept) if instance is not None else None
        self.calls.setdefault(name, []).append(asdict(Call(self.file, name, nodes, held)))

    def told(self) -> dict[str, Any]:
        """All of it as plain data, without functions that are called with too much."""
        kinds = {name: known for name, known in self.kinds.items() if len(known) <= _KINDS}
        return {"kinds": kinds, "calls": self.calls}


class _Every:
    """Holds every text."""

    def __contains__(self, text: object) -> bool:
        return True


__all__ = ["SeenCalls"]
