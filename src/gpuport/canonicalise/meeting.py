"""What the arms of an ``If`` give for one of its results, put together."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from gpuport.canonicalise.accumulation import Accumulated, neutral, same_operator
from gpuport.canonicalise.blocked import Blocked
from gpuport.canonicalise.elements import Elements
from gpuport.canonicalise.writer import Like
from gpuport.ir.reductions import TESTED
from gpuport.ir.structure import Value

LAST = "last where"


@dataclass
class Meeting:
    """What the arms of an ``If`` give for one of its results.

    Each arm yields the terms of one reduction: of a value that an arm leaves as it is, terms that
    change nothing.
    """

    result: Value
    arms: list[Value | Accumulated]
    totals: list[Accumulated] = field(init=False)
    operator: str | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.totals = [arm for arm in self.arms if isinstance(arm, Accumulated)]
        for total in self.totals:
            self.operator = same_operator(self.operator, total.operator, total.start)
        if self.totals and len(self.totals) < len(self.arms):
            self.operator = same_operator(self.operator, LAST, self.totals[0].start)
        if any(total.start is not self.totals[0].start for total in self.totals):
            raise Blocked(f"`{self.totals[0].start.name}` goes from one iteration to the next")
        told = {(t.leader, t.companions) for t in self.totals if not t.is_untouched}
        if len(told) > 1:
            raise Blocked(f"`{self.totals[0].start.name}` is an extreme of several kinds")

    @property
    def is_tested(self) -> bool:
        """Whether the reduction takes a test; what belongs to an extreme has that one's."""
        leads = all(total.leader is None for total in self.totals)
        return self.operator in TESTED and leads

    @property
    def likes(self) -> list[Like]:
        """What the values are like that the ``If`` gives for it."""
        if self.totals and self.operator is None:
            return []
        return ["bool", self.result] if self.is_tested else [self.result]

    def yielded(self, elements: Elements, place: int) -> list[Value]:
        """What an arm yields for it."""
        arm = self.arms[place]
        if isinstance(arm, Value):
            return [elements.const(True), arm] if self.is_tested else [arm]
        if self.operator is None:
            return []
        if arm.term is not None:
            return [arm.test or elements.const(True), arm.term] if self.is_tested else [arm.term]
        if self.operator not in TESTED:
            value = neutral(self.operator, elements.dtype_everywhere(self.result))
            return [elements.value("Const", (), self.result, value=value)]
        none = nothing(elements, self.result)
        return [elements.const(False), none] if self.is_tested else [none]

    def finish(self, elements: Elements, news: list[Value]) -> None:
        """Let the result of the program be what the arms gave."""
        if news:
            news[-1].name = self.result.name
        if not self.totals:
            elements.numbers[self.result] = news[0]
            return
        told = next((t for t in self.totals if not t.is_untouched), self.totals[0])
        elements.numbers[self.result] = Accumulated(
            self.totals[0].start,
            self.operator,
            news[-1] if news else None,
            news[0] if self.is_tested else None,
            told.leader,
            told.companions,
        )


def nothing(elements: Elements, like: Value) -> Value:
    """A number that stands where no one looks at it."""
    dtype = elements.dtype_everywhere(like)
    if dtype is None:
        raise Blocked(f"nothing tells the dtype of `{like.name}`")
    return elements.value("Const", (), like, value=np.dtype(dtype).type(0).item())
