"""Random programs run through their IR as in Python."""

from __future__ import annotations

import pytest
from tests.lower.running import printed
from tests.lower.writer import Writer

SEEDS = range(1000)


def outcome(text: str, *, through_ir: bool) -> str:
    try:
        return printed(text, through_ir=through_ir)
    except Exception as error:  # a program at the top level may end with any
        return "unbound" if isinstance(error, NameError) else repr(error)


@pytest.mark.sampled(10)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_program_runs_as_in_python(seed):
    text = Writer(seed).program()
    assert outcome(text, through_ir=True) == outcome(text, through_ir=False), text


def test_random_programs_do_not_all_end_at_once():
    """Programs that stop at their first statement would show nothing."""
    lines = [outcome(Writer(seed).program(), through_ir=False) for seed in SEEDS[:60]]
    assert (
        sum(text.count("unbound") for text in lines) < sum(text.count("\n") for text in lines) / 2
    )
