"""What ``*parts`` and ``**options`` may hold, and how a call passes it on.

A port that drops them is right for every call that gives none: that proves nothing of the others.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from gpuport.source.annotations import annotation
from gpuport.verify.sides.syntax import is_name
from gpuport.verify.signatures.annotations import annotated, from_default
from gpuport.verify.signatures.usage import OF_KEYWORDS, arrays, repeated
from gpuport.verify.slots import Slot

_COUNTS = (3, 1, 2)
_MOST = 12

Arguments = Mapping[str, Any]


def variadic(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[tuple[str, list[Slot]]]:
    """``*parts`` and ``**options`` that the function uses, each with what it may be filled with."""
    rest, named = node.args.vararg, node.args.kwarg
    if rest is not None and _is_used(rest.arg, node):
        yield f"*{rest.arg}", [replace(slot, omit=True) for slot in _several(rest)]
    if named is not None and _is_used(named.arg, node):
        yield f"**{named.arg}", [replace(slot, omit=True) for slot in _by_name(named.arg, node)]


def _is_used(name: str, node: ast.AST) -> bool:
    return any(is_name(part, name) for part in ast.walk(node))


def _several(argument: ast.arg) -> Iterator[Slot]:
    name = argument.arg
    inner = annotated(name, annotation(argument))
    inner = inner or [*arrays(name, None, (1, 2)), Slot(name, "float"), Slot(name, "int")]
    for count in _COUNTS:
        for one in inner:
            yield replace(repeated(name, "tuple", one, count), name=f"*{name}")


def _by_name(name: str, scope: ast.AST) -> Iterator[Slot]:
    """The keys that the function reads; where it passes all on, what NumPy's functions take."""
    held = f"**{name}"
    read = dict(_read(name, scope))
    if read:
        yield Slot(held, "dict", items=tuple(read.values()))
        for slot in list(read.values())[:_MOST]:
            yield Slot(held, "dict", items=(slot,))
    if not read or _is_passed_on(name, scope):
        for key, choices in OF_KEYWORDS.items():
            known = tuple(choice for choice in choices if choice is not None)
            yield Slot(held, "dict", items=(Slot(key, "choice", choices=known),))


def _read(name: str, scope: ast.AST) -> Iterator[tuple[str, Slot]]:
    """``options["k"]``, ``options.get("k", 1)``, ``options.pop("k")``."""
    for node in ast.walk(scope):
        if isinstance(node, ast.Subscript) and is_name(node.value, name):
            if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
                yield node.slice.value, Slot(node.slice.value, "float")
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            key = node.args[0].value if isinstance(node.args[0], ast.Constant) else None
            of_it = is_name(node.func.value, name) and node.func.attr in ("get", "pop")
            if of_it and isinstance(key, str):
                usual = from_default(key, node.args[1]) if len(node.args) > 1 else []
                yield key, next(iter(usual), Slot(key, "float"))


def _is_passed_on(name: str, scope: ast.AST) -> bool:
    keywords = (node for node in ast.walk(scope) if isinstance(node, ast.keyword))
    return any(one.arg is None and is_name(one.value, name) for one in keywords)


def call(function: Callable[..., Any], positional: list[Any], arguments: Arguments) -> Any:
    """Call with what stands at ``*parts`` after the positional ones, at ``**options`` by name."""
    named = {k: v for k, v in arguments.items() if not k.startswith("*")}
    for key, value in arguments.items():
        if key.startswith("**"):
            named |= value
        elif key.startswith("*"):
            positional = [*positional, *value]
    return function(*positional, **named)
