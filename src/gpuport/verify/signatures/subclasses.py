"""Instances of subclasses, for methods of a class of which no instance can be made or used.

What an abstract class leaves open, its subclasses fill in: its own methods run on instances of
these, and nowhere else.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from gpuport.verify.sides.originals import Located
from gpuport.verify.signatures.classes import Class, beside, class_of
from gpuport.verify.signatures.instances import Instances
from gpuport.verify.signatures.signatures import Parameter, Signature
from gpuport.verify.slots import INSTANCE

_SELF = "self"
_MOST = 3  # subclasses that are tried


def on_subclasses(signature: Signature, tree: ast.Module, place: Located) -> Iterator[Signature]:
    """The method of an instance that a subclass makes, for the first few that inherit it."""
    owner = class_of(signature.name, tree, place)
    method = signature.name.rpartition(".")[2]
    if owner is None or signature.init is None or method.startswith("__"):
        return
    found = 0
    for one in inheriting(owner, method):
        slots = tuple(Instances(one.tree, one.place).made(_SELF, one))
        if slots:
            found += 1
            yield replace(signature, init=(Parameter(_SELF, slots, "guessed"),))
        if found == _MOST:
            return


def subclass_of(signature: Signature) -> str:
    """The class whose instances such a signature has; empty for any other."""
    init = signature.init or ()
    slots = init[0].candidates if len(init) == 1 and init[0].name == _SELF else ()
    return slots[0].dtype or "" if slots and slots[0].kind == INSTANCE else ""


def inheriting(owner: Class, method: str) -> Iterator[Class]:
    """Classes of the file and of those beside it that have the method from this class.

    First those that leave least to subclasses of their own: an abstract one makes no instance, or
    one that refuses all. Of these, those first that can be made of least.
    """
    found = []
    for tree, place in _trees(owner):
        for node in tree.body:
            if not isinstance(node, ast.ClassDef):
                continue
            one = Class(node, tree, place)
            having = (c for c in one.line if _defines(c, method))
            if one.where != owner.where and owner.where == getattr(next(having, None), "where", ""):
                found.append(one)
    bases = {base.where for one in found for base in one.line[1:]}
    yield from sorted(found, key=lambda one: _order(one, bases))


def _order(one: Class, bases: set[str]) -> tuple[int, bool, bool, int]:
    needed = sum(not parameter.optional for parameter in one.constructor())
    return one.open_ends, one.where in bases, one.node.name.startswith("_"), needed


def _trees(owner: Class) -> Iterator[tuple[ast.Module, Located]]:
    place = owner.place
    if place is None:
        return
    yield owner.tree, place
    yield from beside(place)


def _defines(one: Class, method: str) -> bool:
    return any(isinstance(n, ast.FunctionDef) and n.name == method for n in one.node.body)


__all__ = ["inheriting", "on_subclasses", "subclass_of"]
