"""Terms of points, put together one point after the other."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from gpuport.ir.reductions import Reduction

PUT: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "*": operator.mul,
    "|": operator.or_,
    "&": operator.and_,
    "minimum": np.minimum,
    "maximum": np.maximum,
    "min": lambda total, value: value if value < total else total,
    "max": lambda total, value: value if value > total else total,
    "last": lambda total, value: value,
}
_BEYOND: dict[str, Callable[[Any, Any], Any]] = {
    "max first": operator.gt,
    "max last": operator.ge,
    "min first": operator.lt,
    "min last": operator.le,
}


class Fold:
    """What one reduction has put together so far."""

    def __init__(self, reduction: Reduction, starts: Iterable[Any]) -> None:
        self.how, self.values = reduction.how, list(starts)
        self._is_found = False

    def put(self, terms: Sequence[Any]) -> None:
        """Take the terms of the next point."""
        if self.how in PUT:
            self.values = [PUT[self.how](self.values[0], terms[0])]
        elif self._takes(*terms):
            self.values = list(terms[1:])

    def _takes(self, test: Any, first: Any, *rest: Any) -> bool:
        if self.how in _BEYOND:
            return bool(test) and bool(_BEYOND[self.how](first, self.values[0]))
        if self.how == "last where":
            return bool(test)
        takes = not self._is_found and (bool(test) or self.how == "first or last")
        self._is_found = self._is_found or bool(test)
        return takes


def folded(
    reductions: Sequence[Reduction], starts: Sequence[Any], points: Iterable[Sequence[Any]]
) -> list[Any]:
    """What reductions make of the terms of points, in their order."""
    left = iter(starts)
    folds = [Fold(one, [next(left) for _ in range(one.values)]) for one in reductions]
    for terms in points:
        rest = iter(terms)
        for fold, one in zip(folds, reductions, strict=True):
            fold.put([next(rest) for _ in range(one.terms)])
    return [value for fold in folds for value in fold.values]
