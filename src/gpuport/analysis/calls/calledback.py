"""Functions that NumPy calls for one element or row after the other, and nothing else calls."""

from __future__ import annotations

import ast
from collections import Counter
from typing import TYPE_CHECKING

from gpuport.analysis.placement.graph import Reason
from gpuport.source.kernelfunctions import kernel_functions
from gpuport.source.names import FunctionNode, walk_scopes
from gpuport.source.syntax import walk

if TYPE_CHECKING:
    from gpuport.analysis.project.callgraph import Project


def only_called_back(project: Project, function: FunctionNode) -> Reason | None:
    """Why a function gets no boundary: each call of it would move what it is given, and back.

    None where code of the module calls it too, or hands it on in any other way.
    """
    memory = project.remembered
    if memory.called_back is None:
        memory.called_back = _found(project)
    call = memory.called_back.get(function.name)
    if call is None or project.root.functions.get(function.name) is not function:
        return None
    head = project.module.segment(call.func)
    return Reason(
        "GP203",
        f"`{function.name}` stays on the host: `{head}` on line {project.module.line(call)} calls "
        "it for one part of an array after the other, and each call would move what it is given",
        function,
        "unknown-call",
        help="write it with operations on whole arrays",
    )


def _found(project: Project) -> dict[str, ast.Call]:
    found: dict[str, ast.Call] = {}
    handed: Counter[str] = Counter()
    for scope in walk_scopes(project.root):
        for call in scope.calls:
            for name in (one.id for one in call.args[:1] if isinstance(one, ast.Name)):
                if name in project.root.functions and scope.owner(name) is project.root:
                    rule = project.knowledge.rules.host(scope.resolve(call.func) or "")
                    if rule is not None and rule.callback:
                        found.setdefault(name, call)
                        handed[name] += not _is_written_out(project, call.args[0])
    if not found:
        return found
    kernels = {id(one) for scope in kernel_functions(project.root) for one in walk(scope.node)}
    read = Counter(
        one.id for one in walk(project.module.tree)
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)
        and id(one) not in kernels and not _is_written_out(project, one)
    )  # fmt: skip
    return {name: call for name, call in found.items() if read[name] == handed[name]}


def _is_written_out(project: Project, name: ast.expr) -> bool:
    """Whether it is read in a loop that was written for such a call, or in the call beside it."""
    return project.module.is_inserted(name)


__all__ = ["only_called_back"]
