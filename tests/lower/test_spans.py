"""Operations have the places of what they came from, in characters."""

from __future__ import annotations

import pytest

from gpuport.ir import check, walk
from gpuport.lower import lower, lower_module
from gpuport.records import Span
from gpuport.source.reading import parse


def spans(text: str, kind: str) -> list[Span]:
    """The places of the operations of one kind, in order."""
    module = lower(text)
    for function in module.functions:
        check(function)
    return [
        op.span for function in module.functions for op in walk(function.body) if op.kind == kind
    ]


def test_columns_count_characters():
    assert spans("é = 'ü' + f(x)\n", "Call") == [Span(1, 11, 1, 15)]
    assert spans("x = 1\ny = ('äöü',\n  '日本' + a)\n", "Binary") == [Span(3, 3, 3, 11)]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
def test_lines_count_as_in_python(end):
    assert spans(f"x = 1{end}# a\x0cb{end}y = f(x){end}", "Call") == [Span(3, 5, 3, 9)]


def test_a_module_spans_its_text():
    text = "x = 1\n\n# end é"
    assert lower(text).body.span == Span(1, 1, 3, 8)


def test_a_file_that_is_read_is_lowered_with_its_places():
    module = lower_module(parse("a.py", "é = f(x)\n"))
    assert module.name == "a.py"
    assert [op.span for op in walk(module.body.body) if op.kind == "Call"] == [Span(1, 5, 1, 9)]


def test_functions_span_their_definitions():
    module = lower("@d\ndef f(a):\n    return lambda: a\n")
    assert [function.span for function in module.functions[1:]] == [
        Span(2, 1, 3, 21),
        Span(3, 12, 3, 21),
    ]


def test_what_stands_in_a_formatted_text_lies_within_it():
    text = 'x = f"""{a if b else c:{w if q else 3}} é\n {(lambda v: v or 1)(2)}"""\n'
    (whole,) = (
        spans(text, "Format")[:1] if len(spans(text, "Format")) == 1 else spans(text, "Format")[-1:]
    )
    for inner in spans(text, "If"):
        assert (whole.line, whole.column) <= (inner.line, inner.column)
        assert (inner.end_line, inner.end_column) <= (whole.end_line, whole.end_column)


def test_a_guard_of_a_case_lies_within_its_operation():
    assert spans("match v:\n    case [a, b] if a > b and b: pass\n", "If")
