"""Comprehensions that make a dict of another one, key by key."""

from __future__ import annotations

import ast

from gpuport._frozen import frozen


@frozen
class Renewed:
    """What ``{k: f(v) for k, v in held.items()}`` goes through, and the name of what is there."""

    held: ast.expr
    value: str


def items_renewed(node: ast.AST) -> Renewed | None:
    """The dict of which a comprehension makes another one with the same keys; None for others."""
    if not isinstance(node, ast.DictComp) or len(node.generators) != 1:
        return None
    loop, key = node.generators[0], node.key
    targets = loop.target.elts if isinstance(loop.target, ast.Tuple) else []
    names = [one.id for one in targets if isinstance(one, ast.Name)]
    call = loop.iter if isinstance(loop.iter, ast.Call) and not loop.ifs else None
    items = call.func if call is not None and not (call.args or call.keywords) else None
    if not isinstance(items, ast.Attribute) or items.attr != "items":
        return None
    pair = len(names) == len(targets) == len(set(names)) == len(("key", "value"))
    same = pair and isinstance(key, ast.Name) and key.id == names[0]
    return Renewed(items.value, names[1]) if same else None


__all__ = ["Renewed", "items_renewed"]
