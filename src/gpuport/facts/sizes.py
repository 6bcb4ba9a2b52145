"""How many elements the values of a program have, for those who weigh costs.

A likely size, never a claim: what other code passes to a function may be larger.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from pathlib import Path

from gpuport.facts.bounds import Bounds
from gpuport.facts.contexts import Context
from gpuport.facts.infer import Facts, infer
from gpuport.facts.plain import Plain, all_plain
from gpuport.ir.queries import walk
from gpuport.ir.structure import Function, Op, Value
from gpuport.ir.types import NUMBERS, Type
from gpuport.lower import lower
from gpuport.records import Span
from gpuport.source.bindings import bound_once
from gpuport.source.layout import Folders
from gpuport.source.module import Module

Extents = tuple[int | None, ...] | None
"""Of each axis; None for an axis, or for all, where nothing tells."""


_ANY_SIZE = 1 << 40

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_DEEPEST = 4
_LOOPS = ("For", "While")

_WHOLE = Span(1, 1, 1, 1)
"""Stands for the top of a file."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """Extents of what one file computes, over all calls that the program makes.

    Attributes
    ----------
    expressions : mapping
        By their places.
    names : mapping
        By the places of functions, then by names.
    repeated : mapping
        In how many loops of the program a function is called, at most, by its place.
    plain, named : mapping
        What expressions and names are that are numbers, texts or tuples of them wherever the
        program gets to them, by their places; by the places of functions with the names.
    """

    expressions: Mapping[Span, Extents]
    names: Mapping[Span, Mapping[str, Extents]]
    repeated: Mapping[Span, int]
    plain: Mapping[Span, Plain]
    named: Mapping[tuple[Span, str], Plain]


class SizesShown:
    """What a program shows of the sizes of its expressions, asked by the nodes of its files.

    Parameters
    ----------
    modules : iterable of Module
        Texts that edits have made are those of the user's files here.
    """

    def __init__(self, modules: Iterable[Module]) -> None:
        self._modules = [_users(module) for module in modules]
        self._found: Mapping[str, Sizes] | None = None if any(map(_runs, self._modules)) else {}
        self._places: dict[tuple[str, int], Span] = {}
        self._once: dict[int, frozenset[str]] = {}

    def __call__(self, module: Module, function: ast.AST, node: ast.expr) -> Extents:
        """Extents of an expression of a function, or of the top of a module."""
        found = self._of(module)
        if found is None:
            return None
        if isinstance(node, ast.Name):
            return found.names.get(self._place(module, function), {}).get(node.id)
        return found.expressions.get(module.span(node)) if hasattr(node, "lineno") else None

    def plain(self, module: Module, function: ast.AST, node: ast.expr) -> Plain | None:
        """What an expression is that holds no array, and no object, in any call; else None.

        A name is what is bound to it at the one place where that is.
        """
        found = self._of(module)
        if found is None:
            return None
        if not isinstance(node, ast.Name):
            return found.plain.get(module.span(node))
        if id(function) not in self._once:
            self._once[id(function)] = bound_once(function)
        once = node.id in self._once[id(function)]
        return found.named.get((self._place(module, function), node.id)) if once else None

    def repeats(self, module: Module, function: ast.AST) -> int:
        """In how many loops of the program a function is called, at most."""
        found = self._of(module)
        return 0 if found is None else found.repeated.get(self._place(module, function), 0)

    def _of(self, module: Module) -> Sizes | None:
        if self._found is None:
            folders = Folders()
            files = ((one.path, _dotted(one, folders), one.text) for one in self._modules)
            self._found = sizes(tuple(files))
        return self._found.get(_users(module).path)

    def _place(self, module: Module, function: ast.AST) -> Span:
        key = module.path, id(function)
        if key not in self._places:
            whole = isinstance(function, ast.Module)
            self._places[key] = _WHOLE if whole else module.span(function)
        return self._places[key]


def _users(module: Module) -> Module:
    return module if module.derived is None else module.derived[0]


def _runs(module: Module) -> bool:
    """Whether a file does something by itself: nothing is known of what nobody calls."""
    own = {one.name for one in module.tree.body if isinstance(one, _DEFINITIONS)}
    top = [one for one in module.tree.body if not isinstance(one, _DEFINITIONS)]
    return any(
        isinstance(one, ast.For | ast.While | ast.With | ast.If)
        or (isinstance(one, ast.Expr) and isinstance(one.value, ast.Call))
        or any(isinstance(node, ast.Name) and node.id in own for node in ast.walk(one))
        for one in top
    )


def _dotted(module: Module, folders: Folders) -> str:
    """The name by which other files import one."""
    path = Path(module.path)
    folder, _ = folders.home(path.parent)
    return ".".join(path.relative_to(folder).with_suffix("").parts)


@lru_cache(maxsize=4)
def sizes(files: tuple[tuple[str, str, str], ...]) -> Mapping[str, Sizes]:
    """Sizes in the files of a program.

    Parameters
    ----------
    files : tuple of (str, str, str)
        Their paths, the dotted names by which they import each other, and their texts.

    Returns
    -------
    mapping
        By the paths of the files.
    """
    facts = infer([lower(text, name) for _, name, text in files], told=_ANY_SIZE, uncalled=False)
    found = {name: _Tables({}, {}, {}, {}, {}) for _, name, _ in files}
    every = [one for known in facts.contexts.values() for one in known]
    repeated, bounds = _repeated(facts), Bounds(every)
    for function, contexts in facts.contexts.items():
        tables = found[function.module]
        whole = _WHOLE if function.qualname == "<module>" else function.span
        names = tables.names.setdefault(whole, {})
        tables.repeated[whole] = repeated.get(function, 0)
        for context in contexts:
            for place, value in _values(function):
                t = context.types.get(value)
                if t is None:  # never reached
                    continue
                tables.tell(place, (whole, value.name), t)
                if t.kind == "none":  # not there yet
                    continue
                extents = _extents(t, context, bounds)
                if place is not None:
                    tables.expressions.setdefault(place, []).append(extents)
                if value.name:
                    names.setdefault(value.name, []).append(extents)
    return {path: found[name].joined() for path, name, _ in files}


@dataclass(frozen=True, slots=True)
class _Tables:
    """As `Sizes`, with all that were seen."""

    expressions: dict[Span, list[Extents]]
    names: dict[Span, dict[str, list[Extents]]]
    repeated: dict[Span, int]
    types: dict[Span, list[Type]]
    named: dict[tuple[Span, str], list[Type]]

    def tell(self, place: Span | None, name: tuple[Span, str], t: Type) -> None:
        """Note the type of an expression, and of a name of a function."""
        if place is not None:
            self.types.setdefault(place, []).append(t)
        if name[1]:
            self.named.setdefault(name, []).append(t)

    def joined(self) -> Sizes:
        """The largest of each."""
        return Sizes(
            {place: _largest(seen) for place, seen in self.expressions.items()},
            {
                function: {name: _largest(seen) for name, seen in names.items()}
                for function, names in self.names.items()
            },
            self.repeated,
            all_plain(self.types),
            all_plain(self.named),
        )


def _repeated(facts: Facts) -> dict[Function, int]:
    """In how many loops each function is called, at most."""
    found: dict[Function, int] = {}
    waiting = [(function, 0) for function in facts.contexts if function.qualname == "<module>"]
    while waiting:
        function, loops = waiting.pop()
        if loops <= found.get(function, -1):
            continue
        found[function] = loops
        for context in facts.contexts.get(function, ()):
            for op, callees in context.calls.items():
                inside = min(loops + _loops_around(op), _DEEPEST)
                waiting += [(callee.function, inside) for callee, _ in callees]
    return found


def _loops_around(op: Op) -> int:
    owner: Op | Function = op.parent.owner
    loops = 0
    while isinstance(owner, Op):
        loops += owner.kind in _LOOPS
        owner = owner.parent.owner
    return loops


def _values(function: Function) -> Iterator[tuple[Span | None, Value]]:
    """The values of a function, those that an expression gives with its place."""
    yield from ((None, value) for value in function.parameters)
    for op in walk(function.body):
        place = op.span if len(op.results) == 1 and not op.regions else None
        yield from ((place, value) for value in op.results)
        for region in op.regions:
            yield from ((None, value) for value in region.parameters)


def _extents(t: Type, context: Context, bounds: Bounds) -> Extents:
    if t.kind in NUMBERS:
        return ()
    if t.kind != "array" or t.shape is None:
        return None
    return tuple(bounds.of(context, extent) for extent in t.shape)


def _largest(seen: list[Extents]) -> Extents:
    """The longest of each axis; of unequal ranks the one with more elements."""
    known = [one for one in seen if one is not None]
    if len(known) < len(seen):
        return None
    if len({len(one) for one in known}) == 1:
        axes = zip(*known, strict=True)
        return tuple(None if None in axis else max(axis) for axis in axes)
    whole = all(None not in one for one in known)
    return max(known, key=lambda one: prod(n or 0 for n in one)) if whole else None


__all__ = ["Extents", "Sizes", "SizesShown", "sizes"]
