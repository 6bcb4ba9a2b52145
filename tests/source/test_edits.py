"""Edits: nested, side by side, at the same place; what no edit names stays as it was."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuport.source.edits import Edit, EditConflict, Edited, edited

TEXT = "f(a, b) + c"


def apply_edits(text: str, edits: list[Edit]) -> str:
    return edited(text, edits).text


def test_no_edits_change_nothing():
    assert apply_edits(TEXT, []) == TEXT


@pytest.mark.parametrize("backwards", [False, True])
def test_edits_side_by_side(backwards: bool):
    edits = [Edit(2, 3, ("x",)), Edit(5, 6, ("y",)), Edit(6, 7, (")!",))]
    assert apply_edits(TEXT, edits[::-1] if backwards else edits) == "f(x, y)! + c"


def test_an_edit_around_another_keeps_the_inner_one():
    edits = [Edit(2, 3, ("x",)), Edit(0, 7, ("cp.asnumpy(", (0, 7), ")"))]
    assert apply_edits(TEXT, edits) == "cp.asnumpy(f(x, b)) + c"


def test_of_two_edits_of_one_extent_the_higher_order_is_outside():
    edits = [
        Edit(0, 7, ("outer[", (0, 7), "]"), order=1),
        Edit(0, 7, ("inner(", (0, 7), ")")),
        Edit(2, 3, ("x",)),
    ]
    assert apply_edits(TEXT, edits) == "outer[inner(f(x, b))] + c"


def test_an_edit_may_use_an_extent_twice_or_not_at_all():
    edits = [Edit(2, 3, ("x",)), Edit(0, 7, ((2, 3), " = ", (2, 3)))]
    assert apply_edits(TEXT, edits) == "x = x + c"


def test_parts_in_a_new_order_are_edited_where_they_go():
    edits = [Edit(2, 3, ("x",)), Edit(5, 6, ("y",)), Edit(0, 7, ((5, 6), " @ ", (2, 3)))]
    assert apply_edits(TEXT, edits) == "y @ x + c"


def test_insertions_come_before_what_starts_there():
    edits = [Edit(0, 7, ("g", (1, 7))), Edit(0, 0, ("-",)), Edit(11, 11, (";",))]
    assert apply_edits(TEXT, edits) == "-g(a, b) + c;"


def test_insertions_at_one_place_come_in_their_order():
    edits = [Edit(4, 4, ("second",), order=-1), Edit(4, 4, ("first ",), order=0)]
    assert apply_edits(TEXT, edits) == "f(a,first second b) + c"


def test_an_insertion_within_an_edit_is_made():
    edits = [Edit(3, 3, (".copy()",)), Edit(0, 7, ("h(", (0, 7), ")"))]
    assert apply_edits(TEXT, edits) == "h(f(a.copy(), b)) + c"


@pytest.mark.parametrize(
    "edits",
    [
        [Edit(0, 4, ("x",)), Edit(2, 7, ("y",))],
        [Edit(0, 7, ("g(", (0, 7), ")")), Edit(5, 9, ("y",))],
        [Edit(0, 20, ("x",))],
        [Edit(0, 9, ((0, 9),)), Edit(1, 5, ((1, 5),)), Edit(4, 6, ("x",))],
    ],
)
def test_edits_that_overlap_are_refused(edits: list[Edit]):
    with pytest.raises(EditConflict, match="overlap at offset"):
        apply_edits(TEXT, edits)


@st.composite
def replacements(draw: st.DrawFn) -> tuple[str, list[tuple[int, int, str]]]:
    """A text, and replacements of parts of it that do not touch each other."""
    text = draw(st.text("ab(\r\n\té𝔘", min_size=1, max_size=40))
    places = sorted(draw(st.sets(st.integers(0, len(text)), max_size=8)))
    new = st.text("xyz\n", max_size=5)
    pairs = zip(places[::2], places[1::2], strict=False)
    return text, [(start, end, draw(new)) for start, end in pairs]


@given(replacements())
def test_replacements_can_be_undone(case: tuple[str, list[tuple[int, int, str]]]):
    text, changes = case
    after = apply_edits(text, [Edit(a, b, (new,)) for a, b, new in changes])
    shift = 0
    undo = []
    for start, end, new in changes:
        at = start + shift
        undo.append(Edit(at, at + len(new), (text[start:end],)))
        shift += len(new) - (end - start)
    assert len(after) == len(text) + shift
    assert apply_edits(after, undo) == text


@given(replacements())
def test_what_no_edit_names_stays(case: tuple[str, list[tuple[int, int, str]]]):
    text, changes = case
    after = apply_edits(text, [Edit(a, b, (new,)) for a, b, new in changes])
    position = 0
    for start, end, new in changes:
        untouched = text[position:start]
        assert after.startswith(untouched + new)
        after = after.removeprefix(untouched + new)
        position = end
    assert after == text[position:]


@given(replacements(), st.randoms())
def test_the_order_in_which_edits_are_given_is_of_no_matter(case, random):  # type: ignore[no-untyped-def]
    text, changes = case
    edits = [Edit(a, b, (new,)) for a, b, new in changes]
    wrapped = [*edits, Edit(0, len(text), ("<", (0, len(text)), ">"), order=1)]
    expected = "<" + apply_edits(text, edits) + ">"
    random.shuffle(wrapped)
    assert apply_edits(text, wrapped) == expected


def made(text: str, changes: list[tuple[int, int, str]]) -> Edited:
    return edited(text, [Edit(a, b, (new,)) for a, b, new in changes])


def test_copies_lead_back_to_where_they_were():
    once = edited(TEXT, [Edit(0, 7, ("cp.asnumpy(", (0, 7), ")")), Edit(2, 3, ("first",))])
    assert once.text == "cp.asnumpy(f(first, b)) + c"
    assert [once.origin(once.text.index(part)) for part in ("f(", "b)", "+")] == [0, 5, 8]
    assert once.origin(once.text.index("first") + 3) == 2  # new text: what it stands for


@given(replacements())
def test_every_copied_character_is_its_origin(case: tuple[str, list[tuple[int, int, str]]]):
    text, changes = case
    once = made(text, changes)
    position = 0
    for (piece, start), copied in zip(once.pieces, once.copied, strict=True):
        origins = [once.origin(position + k) for k in range(len(piece))]
        assert origins == [start + k if copied else start for k in range(len(piece))]
        assert not copied or piece == text[start : start + len(piece)]
        position += len(piece)


@given(replacements(), st.data())
def test_edits_of_edits_lead_back_to_the_first_text(
    case: tuple[str, list[tuple[int, int, str]]], data: st.DataObject
):
    once = made(*case)
    places = sorted(data.draw(st.sets(st.integers(0, len(once.text)), max_size=6)))
    again = made(once.text, [(a, b, "w") for a, b in zip(places[::2], places[1::2], strict=False)])
    both = again.after(once)
    assert both.text == again.text
    for offset in range(len(both.text)):
        assert both.origin(offset) == once.origin(again.origin(offset))


def test_a_line_put_in_where_two_parts_meet_is_there_once():
    edits = [Edit(5, 5, ("x, ",)), Edit(0, 7, (">", (0, 5), "|", (5, 7)))]
    assert apply_edits(TEXT, edits) == ">f(a, |x, b) + c"
