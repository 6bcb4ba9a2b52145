"""Functions that exchange dicts of which each key holds something else.

No boundary moves such a dict as a whole; where all calls are seen, its arrays are followed instead.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gpuport.analysis.values import EMPTY, Mapping, Value, is_container, on_device_possible, parts
from gpuport.source.names import Scope

if TYPE_CHECKING:
    from gpuport.analysis.program import Program
    from gpuport.analysis.project import Project


def is_mixed(value: Value | None) -> bool:
    """Whether a value is, or holds, a dict with other things beside arrays under its keys."""
    if value is None or not is_container(value):
        return False
    held = [one for one in parts(value) if one != EMPTY]
    if isinstance(value, Mapping) and value.fields is not None:
        movable = [on_device_possible(one) for one in held]
        several = not all(movable) or len(set(map(type, held))) > 1
        if any(movable) and several:
            return True
    return any(map(is_mixed, held))


def exchanging_records(program: Program) -> Iterator[Scope]:
    """The functions at the top of modules that are seen to be given such dicts, or to give them."""
    for project in program.projects:
        if project.why_imported is not None:
            continue
        for scope in project.root.children:
            if isinstance(scope.node, ast.FunctionDef) and _exchanges(project, scope.node):
                yield scope


def _exchanges(project: Project, node: ast.FunctionDef) -> bool:
    found = project.results.get(id(node))
    given = project.calls.of(node).values()
    return any(map(is_mixed, given)) or (found is not None and is_mixed(found.unit.returns))


__all__ = ["exchanging_records", "is_mixed"]
