"""Items of dicts under keys that are written out, and what is surely read."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import chain, count
from keyword import iskeyword

from gpuport.source.syntax import children, dotted, inside

Node = ast.AST
_DECIDES = {"If": "test", "IfExp": "test", "While": "test", "BoolOp": "values"}
"""Where only a part is read in any case, and the field that holds it."""
_PERHAPS = frozenset(("Try", "TryStar", "Match", "Lambda", "FunctionDef", "AsyncFunctionDef"))
_LEAVES = frozenset(("Break", "Continue", "Return", "Raise"))


def item_under_text(node: Node) -> tuple[str, str] | None:
    """``("net", "from")`` for ``net["from"]``; None for what is no item under a written key."""
    if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Constant):
        return None
    owner, key = dotted(node.value), node.slice.value
    return (owner, key) if owner is not None and isinstance(key, str) else None


Loop = ast.For | ast.While
Read = tuple[str, str]
"""What is read, and of what: ``("self", "u")`` for ``self.u``, ``("net", '["x"]')`` of a dict."""


def access(name: str) -> str:
    """How an attribute or an item is written behind what it is of."""
    return name if name[0] == "[" else f".{name}"


def names_for(owner: str, name: str, *, short: bool) -> Iterator[str]:
    """Names for what is read, the best ones first."""
    letters = "".join(c if c.isalnum() else "_" for c in name.strip("[]\"'"))
    plain, whole = letters.lstrip("_") or letters, owner.replace(".", "_")
    good = short and plain.isidentifier() and not iskeyword(plain)
    numbered = (f"{whole}_{plain}_{number}" for number in count(2))
    return chain([plain] if good else [], [f"{whole}_{plain}"], numbered)


def surely_there(
    found: dict[Read, list[ast.expr]],
    loop: Loop,
    *,
    calls_own: bool,
) -> dict[Read, list[ast.expr]]:
    """What may as well be read before a loop: of items, those that it reads in any case.

    Parameters
    ----------
    found : dict
        Where each is read.
    loop : Loop
    calls_own : bool
        Whether it calls what may put something else into a dict: no items are left then.
    """
    items = {key for key in found if key[1][0] == "["}
    sure = {id(node) for node in _surely_read(loop)} if items else set()
    for key in items:
        there = any(id(node) in sure for node in found[key])
        if calls_own or not there:
            del found[key]
    return found


def _surely_read(loop: Loop) -> Iterator[Node]:
    """What a loop reads in each of its iterations, whatever it decides; and in its head."""
    leaves = any(node.__class__.__name__ in _LEAVES for node in inside(loop))
    yield from _surely_below(loop.iter if isinstance(loop, ast.For) else loop.test)
    for statement in () if leaves else loop.body:
        yield from _surely_below(statement)


def _surely_below(node: Node) -> Iterator[Node]:
    kind = node.__class__.__name__
    if kind in _PERHAPS or kind.endswith(("Comp", "GeneratorExp")):
        return
    yield node
    field = _DECIDES.get(kind)
    if field is None:
        below = children(node)
    else:
        first = getattr(node, field)
        below = first[:1] if isinstance(first, list) else [first]
    for one in below:
        yield from _surely_below(one)
