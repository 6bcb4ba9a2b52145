"""The course that a call takes: what its comparisons gave, one after the other.

A function into which no float goes is moved by its own constants and statements, which a port
does not round otherwise. Where that alone turns a comparison, such as ``xs == 1`` of a grid that
ends with a one, what comes of it says nothing of how far rounding moves the result.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from gpuport.verify.sides.instrument import call_of, instrumented
from gpuport.verify.sides.sides import Side

_HOOK = "__gpuport_course__"


class Course:
    """Outcomes of comparisons, as they come."""

    def __init__(self) -> None:
        self._seen = hashlib.blake2b(digest_size=16)

    def hook(self, value: Any) -> Any:
        """What the changed text calls with the value of each comparison."""
        if isinstance(value, bool | np.bool_ | np.ndarray):
            self._seen.update(np.asarray(value).tobytes())
        return value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Course) and self._seen.digest() == other._seen.digest()

    __hash__ = None  # type: ignore[assignment]


class _Instrument(ast.NodeTransformer):
    """Each comparison as a call that tells its value."""

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        return call_of(_HOOK, node, [node])


@contextlib.contextmanager
def course_taken(side: Side) -> Iterator[Course]:
    """Inside the block comparisons in the side's file are told."""
    course = Course()
    with instrumented(side, _Instrument, _HOOK, course.hook):
        yield course
