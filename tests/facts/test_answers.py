"""Questions that ask one another."""

from __future__ import annotations

from gpuport.facts.answers import Answers


def test_a_question_that_asks_itself_ends() -> None:
    answers = Answers()

    def ask(number: int) -> float | None:
        other = answers.to(number, lambda: ask(1 - number))
        return 3 if other is None else other

    assert ask(0) == 3


def test_no_more_than_a_few_wait() -> None:
    answers = Answers()

    def ask(number: int) -> float | None:
        return answers.to(number, lambda: ask(number - 1)) if number else 7

    assert ask(10_000) is None
    assert ask(10) == 7
