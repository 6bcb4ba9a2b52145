"""Which functions are looked into, and why others are not."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from gpuport.analysis.functions.annotations import annotated
from gpuport.analysis.functions.innervalues import why_not_followed
from gpuport.analysis.placement.graph import Reason
from gpuport.analysis.project.failures import SLUGS, Failure
from gpuport.analysis.values.lattice import on_device_possible
from gpuport.source.names import FunctionNode, Scope
from gpuport.source.owndecorators import leaves_as_it_is
from gpuport.source.syntax import inside

if TYPE_CHECKING:
    from gpuport.analysis.project.callgraph import Project

_LIBRARIES = frozenset({"numpy", "cupy", "scipy"})


def mentions_arrays(scope: Scope) -> bool:
    """Whether the text of a function speaks of NumPy: other loops may be over anything."""
    return (
        any(_means_numpy(scope, name) for name in scope.loads)
        or any(_means_numpy(child, name) for child in scope.children for name in child.loads)
        or scope.matrix_products
    )


def _means_numpy(scope: Scope, name: str) -> bool:
    owner = scope.owner(name)
    if owner is None:
        return False
    if name in owner.imports:
        return any(p.partition(".")[0] in _LIBRARIES for p in owner.imports[name])
    return name in owner.aliases


def joins_array_work(scope: Scope, works: Callable[[Scope, ast.expr], bool]) -> bool:
    """Whether a function calls functions that work with arrays, one after the other.

    It names nothing of NumPy itself, but what one call gives the next one may take on the device.
    """
    calls = [call for call in scope.calls if works(scope, call.func)]
    if len(calls) != 1:
        return len(calls) > 1
    loops = (node for node in inside(scope.node) if isinstance(node, (ast.For, ast.While)))
    return any(calls[0] is inner for loop in loops for inner in inside(loop))


def of_interest(project: Project, scope: Scope) -> bool:
    """Whether a function mentions NumPy, has array annotations, or is given arrays.

    Others are analysed when a function of interest calls them.
    """
    node = scope.node
    if not isinstance(node, FunctionNode):
        return False
    if any(map(on_device_possible, project.calls.of(node).values())):
        return True
    if project.knowledge.boundary != "match" and _calls_own(project, scope):
        return True
    args = node.args
    every = (*args.posonlyargs, *args.args, *args.kwonlyargs)
    if any(on_device_possible(annotated(a)) for a in every if a.annotation is not None):
        return True
    return (
        mentions_arrays(scope)
        or _counts_through(project, scope, node)
        or joins_array_work(scope, partial(_works_with_arrays, project))
    )


def _counts_through(project: Project, scope: Scope, node: FunctionNode) -> bool:
    """Whether the counter of a loop is an index of a parameter."""
    if not scope.counted:
        return False
    return any(use.element for use in project.uses.of(scope, node).found.values())


def _works_with_arrays(project: Project, scope: Scope, function: ast.expr) -> bool:
    """Whether a call is of a function that works with arrays, here or in another module."""
    path = scope.resolve(function)
    defined = project.program.defined(scope, function)
    if defined is None and path is not None:
        return project.outside is not None and project.outside.is_ported(path)
    if defined is None or not isinstance(defined.node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    project, node = defined.project, defined.node
    known = project.remembered.works.get(id(node))
    if known is None:
        project.remembered.works[id(node)] = False  # what only calls itself works with nothing
        inner = project.scope_of(node)
        works = partial(_works_with_arrays, project)
        known = mentions_arrays(inner) or joins_array_work(inner, works)
        project.remembered.works[id(node)] = known
    return known


def _calls_own(project: Project, scope: Scope) -> bool:
    """Whether it calls functions of the module, which may give it device arrays."""
    return any(
        isinstance(call.func, ast.Name) and call.func.id in project.root.functions
        for call in scope.calls
    )


def reason_of(failure: Failure, node: ast.AST) -> Reason:
    """What went wrong with a function as a reason to leave it."""
    return Reason(failure.code, failure.message, node, SLUGS[failure.code], help=failure.help)


def why_not(project: Project, scope: Scope, *, generators: bool = False) -> Reason | None:
    """Why a function is not looked into at all, or None.

    ``generators``: whether it may be one.
    """
    node = scope.node
    assert isinstance(node, FunctionNode)
    failure = project.failure(scope)
    if failure is not None:
        return reason_of(failure, node)
    if isinstance(node, ast.AsyncFunctionDef):
        return Reason("GP906", "unsupported syntax: async function", node, "unsupported-syntax")
    if scope.parent is not None and not isinstance(scope.parent.node, (ast.Module, ast.ClassDef)):
        message = "a function inside a function stays with the host code around it"
        why = _why_not_followed(project, scope)
        return Reason("GP909", f"{message}: {why}" if why else message, node, "unsupported-syntax")
    for decorator in node.decorator_list:
        head = decorator.func if isinstance(decorator, ast.Call) else decorator
        path = scope.parent.resolve(head) if scope.parent is not None else None
        transparent = path in project.knowledge.words.transparent_decorators
        transparent = transparent or leaves_as_it_is(project.root, decorator)
        if not transparent and not _accessor(head):
            text = project.module.segment(head)
            message = f"unknown decorator `@{text}`: what it makes of the function is not known"
            if path in project.knowledge.words.caching_decorators:
                message = (
                    f"`@{text}` gives the same array to all who ask for it, who may write to it: "
                    "it stays on the host"
                )
            return Reason("GP908", message, node, "unknown-call")
    if node.name in project.given_to_compilers:
        return Reason(
            "GP902", f"`{node.name}` is given to a compiler, which takes plain functions", node,
            "unknown-call",
        )  # fmt: skip
    asked = project.program.awaited.warned.get(node.name)
    if asked is not None:
        where = project.program.where(project, asked)
        message = f"what `{node.name}` warns of is asked for on {where}; CuPy has no such thing"
        return Reason("GP507", message, node, "semantic-difference")
    if scope.yields and not generators:
        message = _given_up(project, scope) or "generator: `yield` hands out values one at a time"
        return Reason("GP904", message, node, "generator")
    if scope.yields and not _only_hands_out(node):
        message = "generator: what is sent to it, or what `yield from` gives, is asked for"
        return Reason("GP904", message, node, "generator")
    return None


def is_cached(project: Project, node: FunctionNode) -> bool:
    """Whether all that is made of a function is that a cache keeps what it gives."""
    scope = project.scope_of(node).parent
    heads = [one.func if isinstance(one, ast.Call) else one for one in node.decorator_list]
    cached = project.knowledge.words.caching_decorators
    return bool(heads) and all(scope is not None and scope.resolve(one) in cached for one in heads)


def _only_hands_out(node: ast.AST) -> bool:
    """Whether each ``yield`` of a function is a statement."""
    every = list(inside(node))
    statements = {id(one.value) for one in every if isinstance(one, ast.Expr)}
    yields = (one for one in every if isinstance(one, (ast.Yield, ast.YieldFrom)))
    return all(id(one) in statements for one in yields)


def _why_not_followed(project: Project, scope: Scope) -> str | None:
    """Why an inner function is not followed as a value."""
    return _given_up(project, scope) or why_not_followed(project.program, project, scope)


def _given_up(project: Project, scope: Scope) -> str | None:
    following = project.program.following
    return following.given_up.get(id(scope.node)) if following is not None else None


def _accessor(head: ast.expr) -> bool:
    """``@name.setter`` and its kin."""
    return isinstance(head, ast.Attribute) and head.attr in ("setter", "getter", "deleter")
