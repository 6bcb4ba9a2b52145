"""Functions that exchange containers of arrays: layers, histories, states, pairs of results.

So do generators with whoever goes over what they hand out. Functions that call themselves cross
their boundary as often, be it for single arrays. One that makes an array of numbers has no boundary
that could leave it where it was made.

A boundary moves such a container as a whole at each call, or cannot move it: a dict of which each
key holds something else. Where all calls are seen, its arrays are followed instead.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gpuport.analysis.values.lattice import Value, is_container, on_device_possible, parts
from gpuport.source.names import FunctionNode, Scope

if TYPE_CHECKING:
    from gpuport.analysis.project.callgraph import Project
    from gpuport.analysis.project.program import Program


def holds_arrays(value: Value | None) -> bool:
    """Whether a value is a container in which arrays may be, however deep."""
    if value is None or not is_container(value):
        return False
    return any(on_device_possible(one) or holds_arrays(one) for one in parts(value))


def exchanging_containers(program: Program) -> Iterator[Scope]:
    """The functions at the top of modules that are seen to be given such containers, or to give
    them; and those that call themselves."""
    for project in program.projects:
        if project.why_imported is not None:
            continue
        for scope in project.root.children:
            if isinstance(scope.node, ast.FunctionDef) and _exchanges(project, scope):
                yield scope


def _exchanges(project: Project, scope: Scope) -> bool:
    from gpuport.analysis.functions.contexts import as_called

    node = scope.node
    assert isinstance(node, ast.FunctionDef)
    given = project.calls.of(node)
    if scope.yields:
        return holds_arrays(as_called(project, node, given, depth=1).result)
    found = project.results.get(id(node))
    if any(map(holds_arrays, given.values())):
        return True
    if found is not None and holds_arrays(found.unit.returned.value):
        return True
    if found is not None and makes_array(project, node):
        return True
    return any(map(on_device_possible, given.values())) and bool(project.program.recursion(scope))


def makes_array(project: Project, node: FunctionNode) -> bool:
    """Whether a function makes an array on the device of what is no array, and gives it back."""
    found = project.results.get(id(node))
    given_back = None if found is None or not found.placement.device else found.unit.returned.value
    if given_back is None or not on_device_possible(given_back):
        return False
    return not any(map(on_device_possible, project.calls.of(node).values()))


__all__ = ["exchanging_containers", "holds_arrays", "makes_array"]
