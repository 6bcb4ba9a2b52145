"""Functions that are compiled with CuPy's exact signature, as the API tables have it."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from gpuport.host.argumentchecks import Checks, checking_source

if TYPE_CHECKING:
    from gpuport.host.shortcuts import Shortcut

_LITERALS = {"nan": np.nan, "inf": np.inf, "<no value>": None}

Parameter = tuple[str, str, str | None]


def parameters(entry: dict[str, Any]) -> list[Parameter]:
    """Parameters of an API entry as (name, kind, default)."""
    rows = entry.get("parameters") or []
    return [(row[0], row[1], row[2] if len(row) > 2 else None) for row in rows]


def signature(rows: list[Parameter]) -> str:
    """Python text of a parameter list; defaults are names, bound by :func:`compile_function`."""
    parts: list[str] = []
    star = False
    for index, (name, kind, default) in enumerate(rows):
        if kind == "k" and not star:
            parts.append("*")
            star = True
        if kind in ("*", "**"):
            star = star or kind == "*"
            parts.append(kind + name)
            continue
        parts.append(name if default is None else f"{name}=_default_{index}")
        if kind == "p" and (index + 1 == len(rows) or rows[index + 1][1] != "p"):
            parts.append("/")
    return ", ".join(parts)


@cache
def default_value(text: str) -> Any:
    """The object that a default's text stands for; None where the text tells of none.

    The same object each time: what was left out is told by it.
    """
    if text in _LITERALS:
        return _LITERALS[text]
    try:
        return eval(text, {"numpy": np, "np": np, "nan": np.nan, "inf": np.inf})
    except (SyntaxError, NameError, AttributeError, TypeError):
        kind = text.removeprefix("<class '").removesuffix("'>")
        short = kind.rpartition(".")[2]
        return getattr(np, short, getattr(builtins, short, None))


def compile_function(
    name: str,
    qualified: str,
    rows: list[Parameter],
    body: Callable[[dict[str, Any]], Any],
    checks: Checks | None = None,
    shortcut: Shortcut | None = None,
) -> Any:
    """A function with the signature `rows` that hands its arguments as a dictionary to `body`.

    Arguments that CuPy rejects raise what it raises, before `body`. A `shortcut` is asked first.
    """
    pairs = ", ".join(f"{row[0]!r}: {row[0]}" for row in rows)
    scope: dict[str, Any] = {"_body": body}
    defaults: dict[str, Any] = {}
    for index, row in enumerate(rows):
        if row[2] is not None:
            scope[f"_default_{index}"] = defaults[row[0]] = default_value(row[2])
    safe = name if name.isidentifier() else "function"
    tests = checking_source(checks, [(row[0], row[1]) for row in rows], defaults, scope)
    first = "" if shortcut is None else _shortcut_source(shortcut, rows, scope)
    exec(f"def {safe}({signature(rows)}):\n{first}{tests}    return _body({{{pairs}}})\n", scope)
    function = scope[safe]
    function.__module__ = qualified.rpartition(".")[0]
    return function


def _shortcut_source(shortcut: Shortcut, rows: list[Parameter], scope: dict[str, Any]) -> str:
    """Statements that return what the shortcut answers, where it is to be asked and does."""
    scope["_shortcut"] = shortcut.answer
    others = [
        f"{name} is _default_{index}"
        for index, (name, kind, _) in enumerate(rows)
        if (kind if kind == "*" else "") + name not in shortcut.arguments
    ]
    return (
        f"    if {' and '.join(others) or True}:\n"
        f"        _found = _shortcut({', '.join(shortcut.arguments)})\n"
        "        if _found is not None:\n"
        "            return _found\n"
    )
