"""Parameters that hold instances of the program's classes, which their constructors make.

Which class that is an annotation says, or the members that are asked of the parameter: a class of
the file that has all of them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from gpuport.source.annotations import annotation
from gpuport.verify.sides.originals import Located
from gpuport.verify.sides.syntax import ARRAY_ATTRIBUTES, attributes_of
from gpuport.verify.signatures.classes import Class, class_named
from gpuport.verify.signatures.knowntexts import with_known_texts
from gpuport.verify.signatures.parameters import Function, Parameter
from gpuport.verify.signatures.templates import left_out
from gpuport.verify.slots import INSTANCE, Slot

_DEEPEST = 2  # instances in constructors of instances
_CLASSES = 2  # that have all attributes which are asked for
_RANKS = (2, 1, 3)


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
        return tuple(
            self._filled(p, written.get(p.name), attributes_of(p.name, node), 0) for p in parameters
        )

    def of_constructor(self, owner: Class, depth: int = 0) -> tuple[Parameter, ...]:
        """The constructor's parameters, asked for what methods ask attributes of their names."""
        written = owner.annotations()
        return tuple(
            self._filled(p, written.get(p.name), owner.asked_of(p.name), depth)
            for p in owner.constructor()
        )

    def made(self, name: str, owner: Class) -> Iterator[Slot]:
        """Instances of this class, made in a few ways."""
        yield from self._made(Parameter(name, (), "guessed"), owner, 0)

    def _filled(
        self, parameter: Parameter, written: ast.expr | None, asked: tuple[str, ...], depth: int
    ) -> Parameter:
        if depth >= _DEEPEST or parameter.source == "documented":
            return parameter
        annotated = self._annotated(written)
        found = [annotated] if annotated is not None else list(self._with_members(asked))
        if not found or (annotated is None and parameter.source != "guessed"):
            return parameter
        slots = tuple(s for one in found for s in self._made(parameter, one, depth))
        source = "annotated" if annotated is not None else parameter.source
        return replace(parameter, candidates=(*slots, *parameter.candidates), source=source)

    def _annotated(self, written: ast.expr | None) -> Class | None:
        text = getattr(written, "value", None) if isinstance(written, ast.Constant) else None
        name = text if isinstance(text, str) else ast.unparse(written) if written else ""
        return class_named(name, self.tree, self._place) if name.isidentifier() else None

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
        for items in dict.fromkeys((needed, first, *(_of_rank(init, rank) for rank in _RANKS))):
            yield Slot(
                parameter.name, INSTANCE, owner.where, items=items, omit=omit, keyword=keyword
            )


def _of_rank(init: tuple[Parameter, ...], rank: int) -> tuple[Slot, ...]:
    return tuple(
        next((s for s in one.candidates if s.kind == "array" and len(s.dims) == rank),
             one.candidates[0])
        if one.candidates[0].kind == "array" else one.candidates[0]
        for one in init
    )  # fmt: skip


__all__ = ["Instances"]
