"""Names that have a value where a loop is reached."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from gpuport.loops.context.scalars import SCOPES, Function, exposed, surely_runs
from gpuport.loops.heads.counting import leaves
from gpuport.loops.names import stored, walk

_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def unbound_without_trips(function: Function, node: ast.stmt) -> list[str]:
    """Names that a loop reads and that before it only loops bind, which may make no trip at all.

    Such a name may be unbound where the loop makes none either. What is bound under a condition is
    taken to be bound where it is needed, as the condition tends to be the same.

    Parameters
    ----------
    function : ast.FunctionDef, ast.AsyncFunctionDef or ast.Module
    node : ast.stmt
        A loop of it, at any depth.
    """
    others = {name for part in walk(function.body) if isinstance(part, (ast.Global, ast.Nonlocal))
              for name in part.names}  # fmt: skip
    own = (stored(function.body) - others) & exposed([node])
    arguments = getattr(function, "args", None)
    if arguments is not None:
        own -= {part.arg for part in ast.walk(arguments) if isinstance(part, ast.arg)}
    return sorted(own - set(_bound(function.body, node))) if own else []


def _bound(block: Sequence[ast.stmt], node: ast.stmt) -> Iterator[str]:
    """Names that statements before another one bind, by themselves or in loops that surely run."""
    for statement in block:
        if statement is node:
            return
        if isinstance(statement, SCOPES):
            continue
        holds = any(part is node for part in walk([statement]))
        if isinstance(statement, _LOOPS) and not holds:
            yield from _of_first_trip(statement, node)
        elif any(isinstance(part, _LOOPS) for part in walk([statement])):
            yield from _own(statement)
            for inner in _blocks(statement):
                yield from _bound(inner, node)
        else:
            yield from stored([statement])
        if holds:
            return


def _of_first_trip(loop: ast.stmt, node: ast.stmt) -> Iterator[str]:
    """What a loop that surely makes a trip binds on it."""
    body: list[ast.stmt] = loop.body  # type: ignore[attr-defined]
    if isinstance(loop, ast.For) and surely_runs(loop.iter):
        yield from stored([loop.target])
    elif not (isinstance(loop, ast.While) and isinstance(loop.test, ast.Constant)):
        return
    for position, statement in enumerate(body):
        if leaves([statement]):
            body = body[:position]
            break
    yield from _bound(body, node)


def _own(statement: ast.stmt) -> set[str]:
    """Names that a compound statement binds outside of its blocks."""
    within = {id(part) for block in _blocks(statement) for part in walk(block)}
    return {
        part.id for part in walk([statement])
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store) and id(part) not in within
    }  # fmt: skip


def _blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The blocks of a compound statement."""
    for part in (statement, *getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        for name in ("body", "orelse", "finalbody"):
            yield getattr(part, name, [])


__all__ = ["unbound_without_trips"]
