"""Iterators that functions of the standard library make."""

from __future__ import annotations

from gpuport.facts.evaluation import Evaluation
from gpuport.facts.transfer.elements import element
from gpuport.ir.types import UNKNOWN, Type, assumptions


def iterator(here: Evaluation, word: str, arguments: list[Type]) -> Type | None:
    """What an iterator gives, by the word of the table; None while that is not known yet."""
    over = arguments[1 if word == "items_of_second" else 0] if len(arguments) > 1 else arguments[0]
    item = element(here, over)
    if item is None:
        return None
    if word == "neighbours":
        item = Type("tuple", items=(item, item))
    elif word == "several":
        count = arguments[1].number if len(arguments) == 2 else None
        item = Type("tuple", items=(item,) * count) if count else UNKNOWN
    return Type("iterator", element=item).under(assumptions(arguments))


__all__ = ["iterator"]
