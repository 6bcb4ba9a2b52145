"""Texts that stand in a program, and what their methods make of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gpuport.facts.contexts import Context
from gpuport.ir.structure import Op
from gpuport.ir.types import Type

_MOST = 1_000_000
"""Characters that a call may make at most."""

_FORMATTED = ("format", "format_map")
"""What they give is as long as a number in the text says, and asks objects of the program."""


def called_on_text(text: Type, method: str, given: Sequence[Type]) -> object:
    """What a method of a text gives that, like all it is given, is known; None where it is not.

    Methods of texts look at nothing else, and change nothing.
    """
    known: list[Any] = [value for one in (text, *given) for value in _value(one)]
    if text.kind != "string" or len(known) <= len(given) or method in _FORMATTED:
        return None
    own, *others = known
    sizes = [one if isinstance(one, int) else len(one) for one in others if one is not None]
    if len(own) * max([1, *sizes]) > _MOST:
        return None
    try:
        return getattr(own, method)(*others)
    except (AttributeError, LookupError, TypeError, ValueError):
        return None


def text_parts(context: Context, op: Op) -> int | None:
    """Into how many parts a call takes a text that is known; None where it does nothing like it."""
    callee = context.types.get(op.operands[0]) if op.kind == "Call" else None
    if callee is None or callee.kind != "method" or not callee.items or op.attributes["keywords"]:
        return None
    given = [context.types.get(one) for one in op.operands[1:]]
    known = [t for t in given if t is not None]
    if len(known) < len(given) or any(op.attributes["stars"]):
        return None
    made = called_on_text(callee.items[0], callee.path or "", known)
    return len(made) if isinstance(made, list) else None


def _value(t: Type) -> tuple[object, ...]:
    """The text, whole number or None that a value is, in a tuple; empty where that is not known."""
    if t.kind == "string" and t.constant:
        return t.constant
    if t.kind == "none":
        return (None,)
    return (t.number,) if t.number is not None else ()


__all__ = ["called_on_text", "text_parts"]
