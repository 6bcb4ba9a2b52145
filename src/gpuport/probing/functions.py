"""The real functions of NumPy and SciPy behind the names of a program, in the worker process."""

from __future__ import annotations

import importlib
import operator
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

_QUOTED = re.compile(r"""['"]([A-Za-z_][\w-]*)['"]""")
_LANGUAGE = re.compile(r"""['"][\w.,]*->[\w.,]*['"]""")
"""Subscripts such as ``ij,jk->ik``: no list of words is all that can be said."""
_MOST_WORDS = 24

OPERATORS: dict[str, Callable[..., Any]] = {
    "Add": operator.add,
    "Sub": operator.sub,
    "Mult": operator.mul,
    "Div": operator.truediv,
    "FloorDiv": operator.floordiv,
    "Mod": operator.mod,
    "Pow": operator.pow,
    "MatMult": operator.matmul,
    "LShift": operator.lshift,
    "RShift": operator.rshift,
    "BitAnd": operator.and_,
    "BitOr": operator.or_,
    "BitXor": operator.xor,
    "Eq": operator.eq,
    "NotEq": operator.ne,
    "Lt": operator.lt,
    "LtE": operator.le,
    "Gt": operator.gt,
    "GtE": operator.ge,
    "USub": operator.neg,
    "UAdd": operator.pos,
    "Invert": operator.invert,
}


def function_of(path: str) -> Callable[..., Any] | None:
    """The real function behind a resolved name; for a method, one that takes the array first.

    Those that draw random numbers start anew each time.
    """
    parts = path.split(".")
    return _draw(parts[2:]) if parts[1:2] == ["random"] and parts[2:] else _found(path)


@lru_cache(maxsize=4096)
def _found(path: str) -> Callable[..., Any] | None:
    root, *parts = path.split(".")
    if parts[:1] == ["ndarray"] and len(parts) > 1:
        method = parts[1]
        return lambda array, *args, **kwargs: getattr(array, method)(*args, **kwargs)
    found = _imported(root)
    for position, part in enumerate(parts, 1):
        owner = ".".join([root, *parts[:position]])
        found = getattr(found, part, None) or _imported(owner)
        if found is None:
            return None
    return found if callable(found) else None


@lru_cache(maxsize=4096)
def words_of(path: str) -> tuple[str, ...]:
    """The words that the documentation of a function has in quotes: `mode` takes one of them."""
    found = _QUOTED.findall(getattr(function_of(path), "__doc__", None) or "")
    return tuple(dict.fromkeys(found))[:_MOST_WORDS]


@lru_cache(maxsize=4096)
def takes_subscripts(path: str) -> bool:
    """Whether a function takes text in a language of its own, as ``einsum`` does."""
    return _LANGUAGE.search(getattr(function_of(path), "__doc__", None) or "") is not None


def _imported(module: str) -> Any:
    """A module of an installed library, loaded when something of it is first asked."""
    try:
        return importlib.import_module(module)
    except Exception:  # a library may be there, and broken
        return None


def is_installed(library: str) -> bool:
    """Whether a library can be asked at all."""
    return _imported(library) is not None


def _draw(parts: list[str]) -> Callable[..., Any] | None:
    """A method of a random generator of our own: nobody's stream is touched."""
    import numpy as np

    own: Any = np.random.default_rng(0) if parts[0] == "Generator" else np.random.RandomState(0)
    found = getattr(own, parts[-1], None)
    return found if callable(found) else None
