"""Arrays of instances that a loop may hold under local names, though it stores them as well."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.objects.methodbodies import attributes_read, held_by, methods_called
from gpuport.analysis.values.lattice import Array, Either, Number, Object, Scalar
from gpuport.parallel.across.vectors import only_computes
from gpuport.source.renewedfields import renewed_fields, runs

Loop = ast.For | ast.While
Key = tuple[str, str]
"""The text of an instance, and the name of its attribute."""
KeyOf = Callable[[ast.AST], Key | None]
"""What an expression in a loop is; None for what is no attribute with an array or number."""


def stored_under_names(unit: Unit, loop: Loop, key_of: KeyOf) -> Iterator[int]:
    """Ids of targets that hold the same arrays after a statement, ``self.v += x``, or that may get
    the arrays of local names after the loop.
    """
    for node in unit.module.nodes.inside(loop, ast.AugAssign):
        key = key_of(node.target)
        if key is not None and not isinstance(node.op, ast.MatMult) and _is_own(unit, key):
            yield id(node.target)
    for targets in made_anew(unit, loop, key_of).values():
        yield from map(id, targets)


def made_anew(unit: Unit, loop: Loop, key_of: KeyOf) -> dict[Key, list[ast.Attribute]]:
    """Arrays of instances that each iteration makes anew, with all that stores them."""

    def computes(call: ast.Call) -> bool:
        return only_computes(unit.scope.resolve(call.func), call)

    fields = renewed_fields(loop, computes)
    if not fields or runs(loop, unit.scope.resolve) in (None, "False"):
        return {}
    if not all(map(computes, unit.module.nodes.inside(loop, ast.Call))):
        return {}  # what else is called may read the attribute
    if any(_may_run(unit, one, key_of) for one in _outermost(unit, loop)):
        return {}
    read = {name for _, name in attributes_read(methods_called(unit, loop))}
    keys = {key_of(targets[0]): targets for targets in fields.values()}
    return {
        key: targets
        for key, targets in keys.items()
        if key is not None and key[1] not in read and _is_own(unit, key)
    }


def _outermost(unit: Unit, loop: Loop) -> Iterator[ast.Name | ast.Attribute]:
    """Names and attributes in a loop, but for those of which an attribute is taken."""
    found = list(unit.module.nodes.inside(loop, ast.Name, ast.Attribute))
    owners = {id(one.value) for one in found if isinstance(one, ast.Attribute)}
    for one in found:
        if isinstance(one, (ast.Name, ast.Attribute)) and id(one) not in owners:
            yield one


def _may_run(unit: Unit, node: ast.Name | ast.Attribute, key_of: KeyOf) -> bool:
    """Whether reading it may run something, or whether it is more than an array or a number:
    what is done with it may read attributes.
    """
    if isinstance(node, ast.Name):
        held = held_by(unit, node.id)
        return held is not None and not isinstance(held, (Array, Either, Number, Scalar))
    if key_of(node) is not None or unit.scope.resolve(node) is not None:
        return False
    of_array = isinstance(node.value, ast.Name) and isinstance(held_by(unit, node.value.id), Array)
    return not (node.attr in _SIZES and (of_array or key_of(node.value) is not None))


_SIZES = ("shape", "size", "ndim")


def _is_own(unit: Unit, key: Key) -> bool:
    """Whether an attribute is an instance's own array, and nothing runs where it is stored.

    What only an annotation calls an array may be a number, which nothing changes in place.
    """
    held, objects = held_by(unit, key[0]), unit.objects
    if objects is None or not isinstance(held, Object) or held.optional:
        return False
    family, array = objects.classes.get(held.name), held_by(unit, ".".join(key))
    certain = isinstance(array, Array) and not array.optional and bool(array.rank)
    return certain and family is not None and family.stores_plainly(key[1])


__all__ = ["Key", "made_anew", "stored_under_names"]
