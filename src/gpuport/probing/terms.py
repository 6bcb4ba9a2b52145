"""Expressions computed in the worker process: of what shape and dtype is the result?

A term is a list, whose first item says what the others are: a word of `_PLAIN` or `_MADE`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from gpuport.probing.functions import OPERATORS, function_of
from gpuport.probing.questions import Prober, Question
from gpuport.probing.service import ask_all

PROBER = Prober("gpuport.probing.terms", ())
Term = list[Any]
Kind = tuple[tuple[int, ...], str]
"""Shape and name of the dtype."""
_MOST_ELEMENTS = 2_000_000


def kinds(terms: Sequence[Term]) -> list[Kind | None]:
    """Of what kind the arrays are that terms give; None for what is none, or is too large."""
    found = ask_all([Question(PROBER, term) for term in terms])
    return [(tuple(one[0]), str(one[1])) if one else None for one in found]


def value(of: object) -> Term:
    """The term of a number, a text, a truth value, None or a type of NumPy's or Python's.

    Raises
    ------
    TypeError
        For anything else.
    """
    if isinstance(of, type):
        return ["type", of.__module__, of.__name__]
    if isinstance(of, complex):
        return ["complex", of.real.hex(), of.imag.hex()]
    if isinstance(of, float):
        return ["float", of.hex()]
    if of is None or isinstance(of, (bool, str)) or (isinstance(of, int) and abs(of) < 2**63):
        return ["value", of]
    raise TypeError(type(of).__name__)


def answer(term: Term) -> Any:
    """The shape and the dtype of what a term gives, in the worker process."""
    import numpy as np

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            found = _computed(term)
        except Exception:  # what it is cannot be told, for whatever reason
            return False
    return [list(found.shape), found.dtype.name] if isinstance(found, np.ndarray) else False


class _NotKnown(Exception):
    """What a term is cannot be told."""


def _computed(term: Term) -> Any:
    kind, *parts = term
    if kind in _PLAIN:
        return _PLAIN[kind](*parts)
    return _bounded(_MADE[kind](*parts))


def _bounded(found: Any) -> Any:
    if getattr(found, "size", 0) > _MOST_ELEMENTS:
        raise _NotKnown
    return found


def _array(part: Term) -> Any:
    found = _computed(part)
    if not hasattr(found, "dtype"):
        raise _NotKnown
    return found


def _ones(extents: list[int], dtype: str) -> Any:
    import numpy as np

    if prod(extents) > _MOST_ELEMENTS:
        raise _NotKnown
    return np.ones(extents, dtype)


def _call(path: str, args: list[Term], keywords: dict[str, Term]) -> Any:
    function = function_of(path)
    if function is None:
        raise _NotKnown
    given = {name: _computed(part) for name, part in keywords.items()}
    return function(*map(_computed, args), **given)


def _method(name: str, base: Term, args: list[Term], keywords: dict[str, Term]) -> Any:
    _array(base)
    return _call(f"numpy.ndarray.{name}", [base, *args], keywords)


def _type(module: str, name: str) -> Any:
    import builtins

    import numpy as np

    return getattr({"numpy": np, "builtins": builtins}[module], name)


_PLAIN: dict[str, Callable[..., Any]] = {
    "value": lambda of: of,
    "float": float.fromhex,
    "complex": lambda real, imag: complex(float.fromhex(real), float.fromhex(imag)),
    "type": _type,
}
_MADE: dict[str, Callable[..., Any]] = {
    "ones": _ones,
    "tuple": lambda *items: tuple(map(_computed, items)),
    "list": lambda *items: list(map(_computed, items)),
    "slice": lambda *bounds: slice(*map(_computed, bounds)),
    "operator": lambda name, *operands: OPERATORS[name](*map(_computed, operands)),
    "attribute": lambda name, base: getattr(_array(base), name),
    "item": lambda base, index: _computed(base)[_computed(index)],
    "length": lambda of: len(_computed(of)),
    "call": _call,
    "method": _method,
}

__all__ = ["PROBER", "Kind", "Term", "answer", "kinds", "value"]
