"""What a parameter may hold: annotations, then docstring, then defaults, then use."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from gpuport.source.annotations import annotation
from gpuport.verify.sides.syntax import arities, compared_texts
from gpuport.verify.signatures.annotations import annotated, from_default
from gpuport.verify.signatures.docstrings import documented_types, slots_from_text
from gpuport.verify.signatures.dtypechecks import asked_dtypes
from gpuport.verify.signatures.ranks import known_rank
from gpuport.verify.signatures.shapechecks import checked
from gpuport.verify.signatures.standins import functions
from gpuport.verify.signatures.usage import asked_for_none, guessed, indexed, passed_texts
from gpuport.verify.signatures.variadic import variadic
from gpuport.verify.slots import ANY_TEXT, OPEN, Slot

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter and what it may be filled with, likeliest first.

    ``source``: ``declared``, ``annotated``, ``documented``, ``default`` or ``guessed``.
    """

    name: str
    candidates: tuple[Slot, ...]
    source: str

    @property
    def optional(self) -> bool:
        """Whether it can be left out."""
        return any(slot.omit for slot in self.candidates)


def parameters_of(node: Function, bound: bool, more: str = "") -> tuple[Parameter, ...]:
    """The parameters of a function, without the first one where it is `bound`.

    `more` is a further docstring: of the class, where it documents its constructor.
    """
    positional = [*node.args.posonlyargs, *node.args.args]
    gap = len(positional) - len(node.args.defaults)
    defaults: list[ast.expr | None] = [*([None] * gap), *node.args.defaults]
    rows = [(a, d, False) for a, d in zip(positional, defaults, strict=True)]
    rows = rows[1:] if bound else rows
    rows += [(a, d, True) for a, d in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)]
    documented = documented_types(more) | documented_types(ast.get_docstring(node) or "")
    found = [parameter_of(a, d, k, node, documented) for a, d, k in rows]
    # what follows the positional parameters stands before those that are given by name alone
    named = len(found) - len(node.args.kwonlyargs)
    rest = [Parameter(name, tuple(slots), "guessed") for name, slots in variadic(node)]
    return (*found[:named], *rest, *found[named:])


def parameter_of(
    argument: ast.arg,
    default: ast.expr | None,
    keyword: bool,
    scope: ast.AST,
    documented: dict[str, str],
) -> Parameter:
    """What one parameter may hold, by all that is known in `scope`."""
    name = argument.arg
    found, source = annotated(name, annotation(argument)), "annotated"
    if not found and name in documented:
        found, source = slots_from_text(name, documented[name]), "documented"
    if not found and default is not None:
        found, source = from_default(name, default), "default"
    if not found:
        found, source = list(guessed(name, scope)), "guessed"
    if documented.get(name, "").lower().startswith("dict") and source != "annotated":
        # which keys it must have, the function itself or its refusals tell
        found = [*(() if any(s.kind == "dict" for s in found) else [Slot(name, "dict")]), *found]
    if source == "documented":
        found = [*_standing(found, name, scope), *_otherwise(found, name, scope)]
    if source != "guessed" and any(s.kind == "array" and not s.traits for s in found):
        found = [*_as_checked(found, name, scope), *found]
    if indexed(name, scope):
        whole = [replace(s, dtype="int64") for s in found if s.kind == "array" and not s.dtype]
        found = [*whole, *found]
    wanted = asked_dtypes(name, scope)
    found = [
        *(replace(s, dtype=d) for d in wanted for s in found if s.kind == "array" and not s.dtype),
        *found,
    ]
    usual = from_default(name, default) if default is not None else []
    given = tuple(c for s in usual for c in s.choices)
    found = [_with_choices(slot, scope, given, source != "annotated") for slot in found]
    if default is None and source != "annotated" and asked_for_none(name, scope):
        found = [replace(slot, nullable=True) for slot in found]
    candidates = [
        replace(slot, omit=slot.omit or default is not None, keyword=keyword) for slot in found
    ]
    ranked = _ranked(candidates, known_rank(name, scope))
    return Parameter(name, tuple(ranked), source)


def _as_checked(found: list[Slot], name: str, scope: ast.AST) -> Iterator[Slot]:
    """Arrays of the shapes that the function's own checks want, where no shape is declared."""
    first = next(slot for slot in found if slot.kind == "array")
    if all(dim == f"{name}.{axis}" for axis, dim in enumerate(first.dims)):
        for slot in checked(name, scope):
            yield replace(first, dims=slot.dims)


def _standing(found: list[Slot], name: str, scope: ast.AST) -> Iterator[Slot]:
    """A function that is wanted is one that takes what it is called with."""
    for slot in found:
        if slot.kind != "callable":
            yield slot
        else:
            yield from functions(name, arities(name, scope) or (1,))


def _otherwise(found: list[Slot], name: str, scope: ast.AST) -> Iterator[Slot]:
    """What the use suggests beside a type text that need not be right, or complete."""
    kinds = {slot.kind for slot in found}
    rest = [slot for slot in guessed(name, scope) if slot.kind not in kinds]
    yield from {slot.kind: slot for slot in reversed(rest)}.values()


def _ranked(candidates: list[Slot], rank: int | None) -> list[Slot]:
    """The rank that the function's own subscripts show comes first."""
    return sorted(
        candidates, key=lambda s: s.kind == "array" and rank is not None and len(s.dims) != rank
    )


def _with_choices(slot: Slot, scope: ast.AST, usual: tuple[Any, ...], is_open: bool) -> Slot:
    """The default, and strings that the function compares it with: they select its branches."""
    if slot.kind not in ("str", "choice"):
        return slot
    found = (*slot.choices, *usual, *compared_texts(slot.name, scope))
    if is_open or slot.kind == "str":
        found = (*found, *passed_texts(slot.name, scope))
    choices = tuple(dict.fromkeys(found)) or (ANY_TEXT,)
    is_open = is_open or slot.kind == "str"
    traits = (OPEN,) if is_open and all(isinstance(c, str) for c in choices) else ()
    return replace(slot, kind="choice", choices=choices, traits=(*slot.traits, *traits))
