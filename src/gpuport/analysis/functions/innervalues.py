"""Functions and lambdas inside of other code: which of them are followed as values."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import zip_longest
from typing import TYPE_CHECKING

from gpuport.source.innernames import is_counter, is_inner
from gpuport.source.names import Scope, walk_scopes
from gpuport.source.syntax import has_star

if TYPE_CHECKING:
    from gpuport.analysis.project.callgraph import Project
    from gpuport.analysis.project.program import Program
    from gpuport.rules.model import HostRule


def inner_functions(program: Program, project: Project) -> Iterator[Scope]:
    """Functions inside of functions, and lambdas, as far as all that they need is in sight.

    What a library is given to call back is left out at once.
    """
    for scope in project.every_scope():
        warned = program.awaited.warned
        inner = [
            one for one in scope.children
            if is_inner(one) and _own_name(one) not in warned and _why_not(scope, one) is None
        ]  # fmt: skip
        away = called_back(program, project, scope) if inner else {}
        yield from (one for one in inner if away.keys().isdisjoint((id(one.node), _own_name(one))))


def why_not_followed(program: Program, project: Project, scope: Scope) -> str | None:
    """Why the text of an inner function says already that it is not followed."""
    around = scope.parent
    if around is None or not is_inner(scope):
        return None
    found = _why_not(around, scope)
    asked = program.awaited.warned.get(_own_name(scope))
    if found is None and asked is not None:
        found = f"what it warns of is asked for on {program.where(project, asked)}"
    if found is None and project.why_imported is not None:
        found = "its module may be imported by others"
    if found is None:
        away = called_back(program, project, around)
        path = away.get(id(scope.node)) or away.get(_own_name(scope))
        found = None if path is None else f"`{path.removeprefix('builtins.')}` calls it"
    return found


def _own_name(scope: Scope) -> str:
    return scope.name.rpartition(".")[2]


def _why_not(scope: Scope, inner: Scope) -> str | None:
    """What in the text of an inner function is not followed; ``scope`` is around it."""
    node = inner.node
    if isinstance(node, ast.Lambda):
        return "it is part of a class body" if isinstance(scope.node, ast.ClassDef) else None
    if not isinstance(node, ast.FunctionDef):
        return "it is no plain function"
    if node.decorator_list:
        return "it has a decorator"
    if inner.yields:
        return "it is a generator"
    for name in sorted(inner.outside):
        if not is_counter(inner, name):
            return f"it binds `{name}`, a name of other code"
    name = _own_name(inner)
    return None if scope.bound.get(name) == 1 else f"`{name}` is bound several times"


def called_back(program: Program, project: Project, scope: Scope) -> dict[int | str, str]:
    """What calls of libraries are given, by names and the ids of expressions; which calls.

    Without functions that are called as a rule tells: what they are given then is known.
    """
    found: dict[int | str, str] = {}
    for around in walk_scopes(scope):
        for call in around.calls:
            path = around.resolve(call.func)
            if getattr(call.func, "attr", None) == "sort":  # of a list, by what its items are
                found.update((id(k.value), "list.sort") for k in call.keywords if k.arg == "key")
            if path is not None and not program.leads_inside(project, path):
                for one in _given(call, project.knowledge.rules.host(path)):
                    found[one.id if isinstance(one, ast.Name) else id(one)] = path
    return found


def _given(call: ast.Call, rule: HostRule | None) -> Iterator[ast.expr]:
    names = () if rule is None or has_star(call) else rule.parameters
    for name, one in zip_longest(names[: len(call.args)], call.args):
        if rule is None or name not in rule.calls:
            yield one
    for keyword in call.keywords:
        if rule is None or keyword.arg not in rule.calls:
            yield keyword.value


__all__ = ["called_back", "inner_functions", "why_not_followed"]
