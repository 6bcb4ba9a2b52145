"""Containers that a function asks its arguments for: ``isinstance(parts, (list, tuple))``.

Who asks treats them in a branch of its own, which arrays and numbers alone never reach.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from gpuport.verify.sides.syntax import is_name
from gpuport.verify.slots import Slot

_SEQUENCES = {
    "list": "list", "tuple": "tuple", "Sequence": "list", "Iterable": "list", "Collection": "list",
    "MutableSequence": "list",
}  # fmt: skip
_MAPPINGS = frozenset({"dict", "Mapping", "MutableMapping"})
_KEYS = "bac"  # not in the order of the alphabet
_ITEMS = 3


def asked_containers(name: str, scope: ast.AST) -> Iterator[Slot]:
    """Lists, tuples and dictionaries that a parameter is asked to be an instance of.

    First one that holds another, as trees do; then each of arrays, and of numbers.
    """
    kinds = dict.fromkeys(_types(name, scope))
    found = dict.fromkeys(_SEQUENCES[kind] for kind in kinds if kind in _SEQUENCES)
    if found:
        outer, *_, inner = *found, *found
        held = Slot(name, inner, items=(_array(name, 0), Slot(name, "float")))
        yield Slot(name, outer, items=(_array(name, 1), held, _array(name, 2)))
    for sequence in found:
        yield Slot(name, sequence, items=tuple(_array(name, k) for k in range(_ITEMS)))
        yield Slot(name, sequence, items=(Slot(name, "float"),) * _ITEMS)
    if _MAPPINGS & set(kinds):
        yield Slot(name, "dict", items=tuple(replace(_array(key, 0), name=key) for key in _KEYS))


def _array(name: str, number: int) -> Slot:
    return Slot(name, "array", dims=(f"{name}.0.{number}",))


def _types(name: str, scope: ast.AST) -> Iterator[str]:
    """Names of the types in ``isinstance(name, ...)`` and ``type(name) is ...``."""
    for node in ast.walk(scope):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "isinstance":
            if len(node.args) > 1 and is_name(node.args[0], name):
                yield from _named(node.args[1])
        elif isinstance(node, ast.Compare) and ast.unparse(node.left) == f"type({name})":
            yield from (one for side in node.comparators for one in _named(side))


def _named(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        yield from (name for part in node.elts for name in _named(part))
    elif isinstance(node, ast.BinOp):
        yield from (*_named(node.left), *_named(node.right))
    else:
        yield ast.unparse(node).rpartition(".")[2]
