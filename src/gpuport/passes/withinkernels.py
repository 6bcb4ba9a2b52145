"""Functions of which all that is left to do is in kernels, or in loops that run once."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator

from gpuport.analysis.functions.summaries import Analysed
from gpuport.analysis.project.callgraph import Project
from gpuport.emit.boundary import boundary
from gpuport.emit.kernels import launches
from gpuport.loops.facts import FunctionFact
from gpuport.source.names import Scope, walk_scopes
from gpuport.source.syntax import inside, walk

WITHIN = "its statements are in the kernels of the loops that call it"


def within_kernels(results: Iterable[Analysed]) -> dict[int, str]:
    """Functions that nothing but such loops name, by node id; called, they run where all is on
    the host, and stay as they are.

    Parameters
    ----------
    results : iterable of Analysed
        The functions of a module.
    """
    found: dict[int, str] = {}
    for analysed in results:
        made = list(launches(analysed))
        written_in = {
            name: fact.definition
            for launch in made
            for name, fact in launch.plan.nest.facts.items()
            if isinstance(fact, FunctionFact) and fact.closure and fact.definition is not None
        }
        if not written_in:
            continue
        regions = {id(node) for launch in made for node in inside(launch.plan.region)}
        for name, definition in written_in.items():
            if all(id(node) in regions for node in _uses(analysed.unit.node, name)):
                found[id(definition)] = WITHIN
    return found


WITHIN_LOOPS = "the loops over items that call it run it as it is"

_LOOP = "gpuport.runtime.batched.loop"


def within_loops(project: Project, taken: Iterable[tuple[Scope, ast.AST]]) -> dict[int, str]:
    """Functions of the module that nothing but loops which run once call, by node id.

    One that others may call, by all that is known, has a boundary of its own, and is ported with
    the loop; what an earlier pass has left as it is stays so.

    Parameters
    ----------
    project : Project
    taken : iterable of (Scope, ast.AST)
        The loops, and where they stand; those that are functions already are found here.
    """
    made = list(_decorated(project))
    loops = [*taken, *made]
    before = {name for one in made for name in _read(project, *one)}
    read = [name for one in loops for name in _read(project, *one)]
    found: dict[int, str] = {}
    while read:
        name = read.pop()
        function = project.root.functions.get(name)
        if not isinstance(function, ast.FunctionDef) or id(function) in found:
            continue
        parts = {id(part) for one in (*(node for _, node in loops), function) for part in walk(one)}
        elsewhere = any(id(node) not in parts for node in _uses(project.module.tree, name))
        open_ = name not in before and _has_boundary(project, function)
        if not (elsewhere or open_ or function.decorator_list or _read_elsewhere(project, name)):
            found[id(function)] = WITHIN_LOOPS
            own = project.scope_of(function)
            loops.append((own, function))
            read += _read(project, own, function)
            before |= set(_read(project, own, function)) if name in before else set()
    return found


def _has_boundary(project: Project, function: ast.FunctionDef) -> bool:
    analysed = project.results.get(id(function))
    return analysed is not None and boundary(analysed) is not None


def _read(project: Project, scope: Scope, node: ast.AST) -> list[str]:
    """The names in some code that are those of the module."""
    names = {part.id for part in walk(node) if isinstance(part, ast.Name)}
    return [name for name in sorted(names) if scope.owner(name) is project.root]


def _decorated(project: Project) -> Iterator[tuple[Scope, ast.AST]]:
    for scope in walk_scopes(project.root):
        for one in getattr(scope.node, "decorator_list", ()):
            head = one.func if isinstance(one, ast.Call) else one
            if project.root.resolve(head) == _LOOP:
                yield scope, scope.node


def _read_elsewhere(project: Project, name: str) -> bool:
    """Whether another module of the program may read a function."""
    others: Collection[Project] = [one for one in project.program.projects if one is not project]
    return any(name in one.module.text for one in others)


def _uses(function: ast.AST, name: str) -> Iterable[ast.Name]:
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
            yield node


__all__ = ["WITHIN", "WITHIN_LOOPS", "within_kernels", "within_loops"]
