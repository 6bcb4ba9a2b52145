"""Parameters that hold instances of the program's classes, which their constructors make.

Which class that is an annotation says, or the members that are asked of the parameter: a class of
the file that has all of them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from gpuport.source.annotations import annotation
from gpuport.verify.sides.originals import Located
from gpuport.verify.sides.syntax import ARRAY_ATTRIBUTES, attributes_of
from gpuport.verify.signatures.classes import Class, beside, class_named, own_class
from gpuport.verify.signatures.docstrings import documented_types
from gpuport.verify.signatures.knowntexts import with_known_texts
from gpuport.verify.signatures.parameters import Function, Parameter
from gpuport.verify.signatures.templates import left_out
from gpuport.verify.slots import INSTANCE, Slot

_DEEPEST = 2  # instances in constructors of instances
_CLASSES = 2  # that have all attributes which are asked for
_RANKS = (2, 1, 3)
_CAPITALISED = re.compile(r"\b[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*\b")


class Instances:
    """The classes that parameters of a file's functions may hold instances of."""

    def __init__(self, tree: ast.Module, place: Located | None) -> None:
        self.tree = tree
        self._place = place
        nodes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
        self._classes = [Class(node, tree, place) for node in nodes]

    def of_function(
        self, node: Function, parameters: tuple[Parameter, ...]
    ) -> tuple[Parameter, ...]:
        """Its parameters, with the instances that they may hold tried first."""
        parameters = with_known_texts(node, parameters, self.tree)
        arguments = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
        written = {one.arg: annotation(one) for one in arguments}
        told = documented_types(ast.get_docstring(node) or "")
        return tuple(
            self._filled(
                p, self._class_of(written.get(p.name), told.get(p.name, ""), node),
                attributes_of(p.name, node), 0,
            )
            for p in parameters
        )  # fmt: skip

    def of_constructor(self, owner: Class, depth: int = 0) -> tuple[Parameter, ...]:
        """The constructor's parameters, asked for what methods ask attributes of their names."""
        if owner.tree is not self.tree:
            return Instances(owner.tree, owner.place).of_constructor(owner, depth)
        written, told = owner.annotations(), owner.documented
        return tuple(
            self._filled(
                p, self._class_of(written.get(p.name), told.get(p.name, ""), owner.tree),
                owner.asked_of(p.name), depth,
            )
            for p in owner.constructor()
        )  # fmt: skip

    def made(self, name: str, owner: Class) -> Iterator[Slot]:
        """Instances of this class, made in a few ways."""
        yield from self._made(Parameter(name, (), "guessed"), owner, 0)

    def _filled(
        self, parameter: Parameter, named: Class | None, asked: tuple[str, ...], depth: int
    ) -> Parameter:
        if depth >= _DEEPEST:
            return parameter
        found = [named] if named is not None else list(self._with_members(asked))
        if not found or (named is None and parameter.source != "guessed"):
            return parameter
        slots = tuple(s for one in found for s in self._made(parameter, one, depth))
        source = (
            parameter.source if parameter.source != "guessed" or named is None else "documented"
        )
        return replace(parameter, candidates=(*slots, *parameter.candidates), source=source)

    def _class_of(self, written: ast.expr | None, told: str, scope: ast.AST) -> Class | None:
        """The class of the project that an annotation is, or that a docstring names."""
        text = getattr(written, "value", None) if isinstance(written, ast.Constant) else None
        name = text if isinstance(text, str) else ast.unparse(written) if written else ""
        if name:
            return class_named(name, self.tree, self._place) if name.isidentifier() else None
        for name in dict.fromkeys(_CAPITALISED.findall(told)):
            found = class_named(name, self.tree, self._place) or self._imported(name, scope)
            if found is not None:
                return found
        return None

    def _imported(self, name: str, scope: ast.AST) -> Class | None:
        """A class that the function itself imports, or one of a file beside."""
        inside = [n for n in ast.walk(scope) if isinstance(n, ast.ImportFrom)]
        found = class_named(name, ast.Module(list(inside), []), self._place)
        if found is not None or self._place is None:
            return found
        trees = beside(self._place)
        return next((one for t, p in trees if (one := own_class(name, t, p)) is not None), None)

    def _with_members(self, asked: tuple[str, ...]) -> Iterator[Class]:
        """The first classes of the file that have all that is asked for, more than arrays have."""
        if set(asked) - ARRAY_ATTRIBUTES:
            having = (one for one in self._classes if set(asked) <= one.members)
            yield from (one for one, _ in zip(having, range(_CLASSES), strict=False))

    def _made(self, parameter: Parameter, owner: Class, depth: int) -> Iterator[Slot]:
        """By its constructor: with what it needs, the likeliest arguments, arrays of one rank."""
        init = self.of_constructor(owner, depth + 1)
        if not all(one.candidates for one in init):
            return
        omit = any(slot.omit for slot in parameter.candidates)
        keyword = any(slot.keyword for slot in parameter.candidates)
        first = tuple(one.candidates[0] for one in init)
        needed = tuple(left_out(slot) if slot.omit else slot for slot in first)
        ways = (needed, _counting(needed, first), first, *(_of_rank(init, r) for r in _RANKS))
        for items in dict.fromkeys(ways):
            yield Slot(
                parameter.name, INSTANCE, owner.where, items=items, omit=omit, keyword=keyword
            )


def _counting(needed: tuple[Slot, ...], every: tuple[Slot, ...]) -> tuple[Slot, ...]:
    """What is needed, and all whole numbers sizes: they may count states, columns or steps."""
    return tuple(
        replace(slot, kind="size", dims=(f"{slot.name}.count",), choices=(), omit=False)
        if slot.kind == "int" and not slot.traits else plain
        for plain, slot in zip(needed, every, strict=True)
    )  # fmt: skip


def _of_rank(init: tuple[Parameter, ...], rank: int) -> tuple[Slot, ...]:
    return tuple(
        next((s for s in one.candidates if s.kind == "array" and len(s.dims) == rank),
             one.candidates[0])
        if one.candidates[0].kind == "array" else one.candidates[0]
        for one in init
    )  # fmt: skip


__all__ = ["Instances"]
