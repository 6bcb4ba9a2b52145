"""How loops go through arrays: element by element, by places that they count."""

from __future__ import annotations

import ast

from gpuport.source.syntax import inside

Node = ast.AST
FLAT = ("flat", "ravel", "flatten")
"""What goes through an array as if it had one axis."""


def flattens(node: Node) -> bool:
    """Whether it is ``x.ravel()`` or ``x.flatten()``."""
    function = (
        node.func if isinstance(node, ast.Call) and not (node.args or node.keywords) else None
    )
    return isinstance(function, ast.Attribute) and function.attr in ("ravel", "flatten")


def takes_elements(loop: Node, counted: frozenset[str]) -> bool:
    """Whether names that a loop binds stand in its subscripts."""
    return any(isinstance(node, ast.Subscript) and is_at(node, counted) for node in inside(loop))


def is_at(node: ast.Subscript, counted: frozenset[str]) -> bool:
    return any(isinstance(n, ast.Name) and n.id in counted for n in inside(node.slice))


def only_gone_over(loop: Node, array: str) -> bool:
    """Whether a loop does no more with an array than go over its elements, ``array.flat``."""
    heads = [
        part for node in inside(loop) if isinstance(node, ast.For) for part in inside(node.iter)
    ]
    gone_over = {
        id(part.value) for part in heads if isinstance(part, ast.Attribute) and part.attr in FLAT
    }
    named = [node for node in inside(loop) if isinstance(node, ast.Name) and node.id == array]
    return all(id(node) in gone_over for node in named)
