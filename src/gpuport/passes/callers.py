"""Callers that get device arrays and cannot follow them, where a boundary is not ``match``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gpuport.analysis.functions.summaries import Analysed, has_device_parameter
from gpuport.analysis.project.callgraph import Project
from gpuport.passes.leftalone import ON_CUPY
from gpuport.records import Finding, Severity
from gpuport.source.names import Scope, walk_scopes

_HELP = {
    "device": 'bring what it gives back with `cupy.asnumpy(...)`, or choose `boundary = "match"`',
    "none": "give it `cupy.asarray(...)` and bring what it gives back with `cupy.asnumpy(...)`, or "
    'choose `boundary = "match"`',
}


_ANY_NAME = frozenset(f"builtins.{name}" for name in ("globals", "eval", "exec"))
"""What may call any function of the module."""


def unfollowed(
    project: Project, results: dict[int, Analysed], done: dict[int, str]
) -> Iterator[Finding]:
    """Uses of ported functions, or methods, by code that was not given the transfers it needs."""
    if project.knowledge.boundary == "match":
        return
    scopes = list(walk_scopes(project.root))
    ported = {id(scope.node): scope for scope in scopes if _is_ported(project, scope, results)}
    if not ported:
        return
    methods = {
        scope.node.name: scope for scope in ported.values()
        if isinstance(scope.node, ast.FunctionDef) and scope.parent is not project.root
    }  # fmt: skip
    for scope in scopes:
        caller = _owner(scope)
        if done.get(id(caller.node)) == ON_CUPY:
            continue
        followed = _followed(results.get(id(caller.node)), done)
        for node in _own(scope):
            function = _function(project, scope, node, ported, methods, followed)
            if function is not None:
                yield _finding(project, caller, node, function)


def _is_ported(project: Project, scope: Scope, results: dict[int, Analysed]) -> bool:
    analysed = results.get(id(scope.node))
    return (
        analysed is not None
        and isinstance(scope.node, ast.FunctionDef)
        and analysed.unit.objects is None
        and analysed.unit.refusal is None
        and id(scope.node) not in project.suppressed_functions
        and has_device_parameter(analysed)
        and project.boundary_of(scope) != "match"
    )


def _owner(scope: Scope) -> Scope:
    """The function, or the module-level code, that runs a scope."""
    while isinstance(scope.node, ast.ClassDef) and scope.parent is not None:
        scope = scope.parent
    return scope


def _followed(analysed: Analysed | None, done: dict[int, str]) -> set[int]:
    """Names whose calls were looked at, by their ids."""
    if analysed is None or analysed.unit.refusal is not None or id(analysed.unit.node) in done:
        return set()
    return analysed.unit.calls.ported


def _own(scope: Scope) -> Iterator[ast.expr]:
    """Names and attributes that are read in a scope, inner ones apart."""
    inner = {id(child.node) for child in scope.children}
    pending: list[ast.AST] = list(ast.iter_child_nodes(scope.node))
    while pending:
        node = pending.pop()
        if id(node) in inner:
            continue
        if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load):
            yield node
        pending.extend(ast.iter_child_nodes(node))


def _function(
    project: Project,
    scope: Scope,
    node: ast.expr,
    ported: dict[int, Scope],
    methods: dict[str, Scope],
    followed: set[int],
) -> Scope | None:
    """The ported function that is meant; None where the call is followed, or of another."""
    if isinstance(node, ast.Attribute):
        return methods.get(node.attr) if scope.resolve(node) is None else None
    assert isinstance(node, ast.Name)
    if id(node) in followed:
        return None
    if scope.resolve(node) in _ANY_NAME:
        return next(iter(ported.values()))
    if scope.owner(node.id) is not project.root:
        return None
    function = project.root.functions.get(node.id)
    return ported.get(id(function)) if function is not None else None


def _finding(project: Project, caller: Scope, node: ast.expr, function: Scope) -> Finding:
    boundary = project.boundary_of(function)
    text = project.module.segment(node).splitlines()[0][:60]
    if isinstance(node, ast.Name) and caller.resolve(node) in _ANY_NAME:
        text = f"{text}` may reach `{function.name}`, which"
    else:
        text = f"{text}`"
    takes = "takes and gives" if boundary == "none" else "gives"
    where = f"`{caller.name}`" if caller.name else "this code"
    return Finding(
        "GP408", Severity.WARNING, project.module.span(node),
        f"`{text} {takes} arrays of the device (boundary = \"{boundary}\"), and {where} could not "
        "be given the transfers that this needs",
        caller.name or "<module>", "unknown-call", help=_HELP[boundary],
    )  # fmt: skip


__all__ = ["unfollowed"]
