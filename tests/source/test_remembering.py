"""Results of long work are found again where it would ask the same and hear the same."""

from gpuport.source.remembering import Remembering


def test_the_same_state_and_answers_give_the_same_result() -> None:
    known: Remembering[str] = Remembering()
    assert known.begin("a") is None
    assert known.ask(len, [1, 2]) == 2
    known.keep("a", "done")
    assert known.begin("a") == "done"
    assert known.begin("b") is None


def test_another_answer_is_another_result() -> None:
    known, items = Remembering[str](), [1]
    known.begin("a")
    known.ask(len, items)
    known.keep("a", "of one")
    items.append(2)
    assert known.begin("a") is None
    known.ask(len, items)
    known.keep("a", "of two")
    assert known.begin("a") == "of two"
    items.pop()
    assert known.begin("a") == "of one"


def test_nothing_is_known_once_it_is_let_go_of() -> None:
    known: Remembering[int] = Remembering()
    known.begin(None)
    known.keep(None, 1)
    known.let_go()
    assert known.begin(None) is None
