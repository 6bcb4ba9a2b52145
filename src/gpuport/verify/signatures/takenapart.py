"""What a function takes apart: ``for (x, y), w in zip(points, weights)``, ``a, b = pair``.

How many names stand there is how long an item is, and no search by equal sizes meets it but by
chance. What is done with the names says what an item holds: indices, numbers or arrays.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from gpuport.verify.sides.syntax import is_name
from gpuport.verify.slots import Slot

_ITEMS = 3
_OF_INDICES = frozenset(["slice", "range"])


def item_targets(name: str, over: ast.expr, target: ast.expr) -> Iterator[ast.expr]:
    """What a loop over a parameter binds to its items, in step with others or numbered too."""
    if is_name(over, name):
        yield target
    if not (isinstance(over, ast.Call) and isinstance(target, ast.Tuple)):
        return
    callee = ast.unparse(over.func)
    if callee == "enumerate" and len(target.elts) == 2 and over.args:
        yield from item_targets(name, over.args[0], target.elts[1])
    elif callee == "zip" and len(target.elts) == len(over.args):
        for part, inner in zip(over.args, target.elts, strict=True):
            yield from item_targets(name, part, inner)


def taken_apart(
    name: str, scope: ast.AST, holds: Callable[[str, ast.AST], bool], whole: Callable[..., bool]
) -> Iterator[Slot]:
    """Slots with items, or as a whole, of the length that the function takes apart.

    Parameters
    ----------
    name : str
        The parameter.
    scope : ast.AST
        The function.
    holds : callable
        Whether a name is used as an array in a function.
    whole : callable
        Whether a name must be a whole number.
    """
    for node in ast.walk(scope):
        if isinstance(node, ast.For | ast.comprehension):
            for target in item_targets(name, node.iter, node.target):
                if names := _names(target):
                    yield from _of_items(name, names, scope, holds, whole)
                    return
        elif isinstance(node, ast.Assign) and is_name(node.value, name):
            names = _names(node.targets[0])
            yield from _of_one(name, names, scope, holds, whole) if names else ()
            return


def _names(target: ast.expr) -> list[str]:
    """The names in a tuple of nothing but names."""
    elements = target.elts if isinstance(target, ast.Tuple | ast.List) else []
    names = [one.id for one in elements if isinstance(one, ast.Name)]
    return names if len(names) == len(elements) else []


def _of_items(
    name: str, names: list[str], scope: ast.AST, holds: Callable[[str, ast.AST], bool],
    whole: Callable[..., bool],
) -> Iterator[Slot]:  # fmt: skip
    length = f"={len(names)}"
    if any(_is_index(one, scope, whole) for one in names):
        yield Slot(name, "array", "int64", (f"{name}.0", length))
        yield _listed(name, names, "int")
        return
    plain = [Slot(name, "array", None, (f"{name}.0", length)), _listed(name, names, "float")]
    arrays = [_listed(name, names, "array", rank) for rank in (2, 1)]
    several = any(holds(one, scope) for one in names)
    yield from (*arrays, *plain) if several else (*plain, *arrays)


def _of_one(
    name: str, names: list[str], scope: ast.AST, holds: Callable[[str, ast.AST], bool],
    whole: Callable[..., bool],
) -> Iterator[Slot]:  # fmt: skip
    if any(_is_index(one, scope, whole) for one in names):
        yield _several(name, names, "int", 0, "")
        return
    plain = (Slot(name, "array", None, (f"={len(names)}",)), _several(name, names, "float", 0, ""))
    arrays = (
        *(_several(name, names, "array", rank, "") for rank in (2, 1)),
        Slot(name, "array", None, (f"={len(names)}", f"{name}.1")),
    )
    several = any(holds(one, scope) for one in names)
    yield from (*arrays, *plain) if several else (*plain, *arrays)


def _is_index(name: str, scope: ast.AST, whole: Callable[..., bool]) -> bool:
    if whole(name, scope):
        return True
    return any(
        isinstance(node, ast.Call)
        and ast.unparse(node.func) in _OF_INDICES
        and any(is_name(part, name) for one in node.args for part in ast.walk(one))
        for node in ast.walk(scope)
    )


def _listed(name: str, names: list[str], kind: str, rank: int = 0) -> Slot:
    """A list of tuples."""
    items = tuple(_several(name, names, kind, rank, f".{k}") for k in range(_ITEMS))
    return Slot(name, "list", items=items)


def _several(name: str, names: list[str], kind: str, rank: int, place: str) -> Slot:
    """A tuple with something for each name."""
    return Slot(
        name,
        "tuple",
        items=tuple(
            Slot(one, kind, dims=tuple(f"{name}.{one}.{axis}{place}" for axis in range(rank)))
            for one in names
        ),
    )


__all__ = ["item_targets", "taken_apart"]
