"""What the port runs on its way to refuse what a library refuses is looked for while lines miss."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from gpuport.verify.aftermath.leaves import Observation
from gpuport.verify.comparison.refusals import Refusals
from gpuport.verify.execution.tolerance import Policy
from gpuport.verify.slots import Trial

REFUSED = Observation(raised="IndexError")


@pytest.mark.parametrize(("lines", "many"), [({1, 2}, True), ({1}, False)])
def test_lines_that_have_not_run_are_looked_for_in_more_inputs(lines: set[int], many: bool) -> None:
    calls: list[str] = []

    def call(side: str, *_: Any) -> Observation:
        calls.append(side)
        return REFUSED

    bench: Any = SimpleNamespace(
        call=call, coverage=lambda *_: SimpleNamespace(lines=lines, seen={1})
    )
    refusals = Refusals(bench, lambda _: None, lambda *_: Policy())
    for _ in range(30):
        refusals.judged("f", Trial(()), REFUSED)
    assert (len(calls) > 30) is many
