"""Names that modules of a project hand on: all of them by star, or those that they import."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from gpuport.source.layout import Files, imported_names
from gpuport.source.names import Scope
from gpuport.source.reading import SourceError, parse
from gpuport.source.scoping import build_scopes

_MOST_STEPS = 8
"""Modules that hand a name on until it is looked for no further."""


@dataclass(frozen=True, slots=True)
class _Top:
    """What the top of a module binds.

    Attributes
    ----------
    imported : dict
        Its names, with the path that an import binds each to; None for what is anything else.
    stars : tuple of str
        The modules that all names are imported from, as `Files.locate` takes them.
    listed : frozenset of str, optional
        The names of ``__all__``; None without one.
    is_told : bool
        Whether the names that it hands on are written out.
    """

    imported: dict[str, str | None] = field(default_factory=dict)
    stars: tuple[str, ...] = ()
    listed: frozenset[str] | None = None
    is_told: bool = True


def public_names(files: Files, importer: Path, module: str) -> frozenset[str] | None:
    """What ``from module import *`` binds; None where that is not seen, or not of the project."""
    return _public(files, importer, module, _MOST_STEPS)


def leads_to(files: Files, importer: Path, path: str) -> str | None:
    """Where a path leads that goes through modules of the project and ends outside of it.

    ``common.np`` leads to ``numpy`` where `common` imports that as `np`.
    """
    return _leads_to(files, importer, path, _MOST_STEPS)


def star_of(files: Files, importer: Path, name: str) -> str | None:
    """The path of a name that a module has from one that it imports all names of."""
    top = _top_of(files, importer)
    for star in top.stars if top is not None else ():
        if name in (public_names(files, importer, star) or ()):
            return path_in(star, name)
    return None


def taken_by(files: Files, importer: Path, text: str) -> Iterator[str]:
    """Paths out of the project that a text takes from modules of it; found without parsing it."""
    for bound, path in imported_names(text):
        place = files.locate(importer, path)
        if place is None:
            continue
        module, names = path, [""]
        if bound == "*":
            module = path[:-1] if path.strip(".") == "*" else path[:-2]
            names = list(public_names(files, importer, module) or ())
        elif not place[1]:
            names = re.findall(rf"\b{re.escape(bound)}\s*\.\s*(\w+)", text)
        for name in names:
            led = leads_to(files, importer, path_in(module, name) if name else module)
            if led is not None:
                yield led


def path_in(module: str, name: str) -> str:
    """The path of a name of a module that may be written with leading dots alone."""
    return f"{module}{'' if module.endswith('.') else '.'}{name}"


def star_module(node: ast.ImportFrom) -> str:
    """The module of an import, as `Files.locate` takes it."""
    return "." * node.level + (node.module or "")


def _public(files: Files, importer: Path, module: str, steps: int) -> frozenset[str] | None:
    place = files.locate(importer, module)
    if place is None or place[1] or not steps:
        return None
    top = _top_of(files, place[0])
    if top is None or not top.is_told:
        return None
    if top.listed is not None:
        return top.listed
    found = {name for name in top.imported if not name.startswith("_")}
    for star in top.stars:
        more = _public(files, place[0], star, steps - 1)
        if more is None:
            return None
        found |= more
    return frozenset(found)


def _leads_to(files: Files, importer: Path, path: str, steps: int) -> str | None:
    place = files.locate(importer, path)
    if place is None or not place[1] or not steps:
        return None
    file, (name, *rest) = place
    top = _top_of(files, file)
    if top is None:
        return None
    source = top.imported[name] if name in top.imported else star_of(files, file, name)
    if source is None:
        return None
    whole = ".".join((source, *rest))
    if files.locate(file, whole) is None:
        return None if whole.startswith(".") else whole
    return _leads_to(files, file, whole, steps - 1)


def _top_of(files: Files, file: Path) -> _Top | None:
    text = files.text(file)
    return None if text is None else _top(text)


@lru_cache(maxsize=1024)
def _top(text: str) -> _Top | None:
    try:
        root = build_scopes(parse("", text).tree)
    except SourceError:
        return None
    listed = list(_listed(root)) if "__all__" in root.bound else None
    return _Top(
        {name: _imported(root, name) for name in (*root.bound, *root.imports)},
        tuple(map(star_module, root.stars)),
        None if listed is None or None in listed else frozenset(one for one in listed if one),
        listed is None or None not in listed,
    )


def _imported(root: Scope, name: str) -> str | None:
    paths = root.imports.get(name, ())
    return next(iter(paths)) if len(paths) == 1 and name not in root.bound else None


def _listed(root: Scope) -> Iterator[str | None]:
    """The names of ``__all__``; None among them where they are not written out."""
    assert isinstance(root.node, ast.Module)
    once = root.bound["__all__"] == 1
    for node in root.node.body:
        if not once or not isinstance(node, ast.Assign):
            continue
        if any(isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets):
            items = node.value.elts if isinstance(node.value, (ast.List, ast.Tuple)) else [None]
            for item in items:
                written = item.value if isinstance(item, ast.Constant) else None
                yield written if isinstance(written, str) else None
            return
    yield None


__all__ = ["leads_to", "path_in", "public_names", "star_module", "star_of", "taken_by"]
