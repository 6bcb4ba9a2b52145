"""Names of other modules that a file replaces: ``np.sqrt = traced``, ``setattr(np, name, f)``.

Whoever calls them from then on calls something else, wherever that is.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from gpuport.source.layout import Files, imported_names
from gpuport.source.names import REPLACED, Scope, walk_scopes
from gpuport.source.reading import SourceError, parse
from gpuport.source.scoping import build_scopes

ROOTS = frozenset({"numpy", "scipy", "math", "cmath", "builtins", "operator"})
"""Modules whose functions a port takes for what they are."""

_SETTERS = frozenset({"setattr", "delattr", "object", "replace", "setitem", "delitem"})
"""What is given a module and a name: of builtins, ``mock.patch`` and pytest's ``monkeypatch``."""

_PATCHES = frozenset({"patch", "setattr", "delattr", "multiple", "dict"})
"""What is given a name in full, as a text."""

_WAYS = re.compile(
    r"\b(?:setattr|delattr|patch|setitem|__dict__|vars|modules|object|replace)\b|\bdel\s"
    r"|^[ \t]*[\w.]+\.\w+[^\n=]*=(?!=)",
    re.MULTILINE,
)


def replacements(root: Scope) -> Iterator[tuple[str, ast.expr]]:
    """Find the names of libraries that a module replaces.

    Parameters
    ----------
    root : Scope
        That of the module.

    Yields
    ------
    str
        ``numpy.sqrt``; the module where any of its names may be meant.
    ast.expr
        The place.
    """
    for scope in walk_scopes(root):
        found = [(_stored(scope, target), target) for target in scope.stores]
        found += [(_set_by(scope, call), call) for call in scope.calls]
        for path, node in found:
            name = (path or "").removeprefix(f"{REPLACED}.")
            if name.partition(".")[0] in ROOTS:
                yield name, node


def replaced_around(files: Files, file: Path) -> frozenset[str]:
    """Names of libraries that the modules which a file imports replace, over any way."""
    texts = (files.text(other) for other in files.reached(file) if other != file)
    return frozenset().union(*(_replaced_in(text) for text in texts if text))


@lru_cache(maxsize=1024)
def _replaced_in(text: str) -> frozenset[str]:
    if not any(root in text for root in ROOTS) or _WAYS.search(text) is None:
        return frozenset()
    bound = {name for name, path in imported_names(text) if path.partition(".")[0] in ROOTS}
    if not bound and "numpy" not in text:
        return frozenset()
    try:
        return frozenset(path for path, _ in replacements(build_scopes(parse("", text).tree)))
    except SourceError:
        return frozenset()


def _stored(scope: Scope, target: ast.expr) -> str | None:
    """What a store replaces: ``np.sqrt``, ``np.__dict__["sqrt"]``, ``sys.modules["numpy"]``."""
    if isinstance(target, ast.Attribute):
        return scope.resolve(target)
    if not isinstance(target, ast.Subscript):
        return None
    name = _text(target.slice)
    if scope.resolve(target.value) == "sys.modules":
        return name
    owner = _dict_of(scope, target.value)
    return owner if owner is None or name is None else f"{owner}.{name}"


def _dict_of(scope: Scope, node: ast.expr) -> str | None:
    """The module whose dictionary an expression is."""
    if isinstance(node, ast.Attribute) and node.attr == "__dict__":
        return scope.resolve(node.value)
    named = isinstance(node, ast.Call) and getattr(node.func, "id", "") == "vars"
    return scope.resolve(node.args[0]) if named and node.args else None  # type: ignore[attr-defined]


def _set_by(scope: Scope, call: ast.Call) -> str | None:
    """What a call replaces; the module where the name is worked out."""
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    if name == "update" and isinstance(call.func, ast.Attribute):
        return _dict_of(scope, call.func.value)
    if not call.args or not (name in _SETTERS or name in _PATCHES):
        return None
    written = _text(call.args[0])
    if written is not None:
        return written if name in _PATCHES else None
    owner = scope.resolve(call.args[0])
    if owner is None or name not in _SETTERS or len(call.args) < 2:
        return owner if name in ("multiple", "dict") else None
    part = _text(call.args[1])
    return owner if part is None else f"{owner}.{part}"


def _text(node: ast.expr) -> str | None:
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, str) else None


__all__ = ["ROOTS", "replaced_around", "replacements"]
