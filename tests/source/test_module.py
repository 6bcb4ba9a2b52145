import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuport.records import Span
from gpuport.source.module import Module, first_newline
from gpuport.source.reading import parse

ENDINGS = ("\n", "\r\n", "\r")


def named(module: Module, name: str) -> ast.Name:
    return next(n for n in ast.walk(module.tree) if isinstance(n, ast.Name) and n.id == name)


@given(
    st.lists(
        st.tuples(
            st.text(st.sampled_from("aé€𝄞 \t\f\x1c\u2028"), max_size=8), st.sampled_from(ENDINGS)
        ),
        max_size=6,
    )
)
def test_positions_point_at_the_node_whatever_stands_before_it(lines: list[tuple[str, str]]):
    before = "".join(f'"{text}"{ending}' for text, ending in lines)
    text = before + '("é€𝄞", target)'
    module = parse("x.py", text)
    assert module.segment(named(module, "target")) == "target"
    assert module.extent(named(module, "target"))[0] == len(before) + len('("é€𝄞", ')


@given(st.text(st.sampled_from("ab\n\r\f\x0b\x85\u2028"), max_size=30))
def test_offsets_and_positions_are_inverse(text: str):
    module = Module("x.py", text, ast.Module([], []))
    assert "".join(module.line_text(n + 1) for n in range(len(module.line_starts))) == text
    for offset in range(len(text) + 1):
        line, column = module.position(offset)
        assert module.line_starts[line - 1] + column - 1 == offset


def test_span_counts_characters_from_one():
    module = parse("x.py", 's = "é"; y = f(\n  1)\n')
    call = next(n for n in ast.walk(module.tree) if isinstance(n, ast.Call))
    assert module.span(call) == Span(1, 14, 2, 5)


def test_module_itself_has_an_extent_and_arguments_have_none():
    module = parse("x.py", "def f(x): pass\n")
    assert module.extent(module.tree) == (0, 15)
    definition = module.tree.body[0]
    assert isinstance(definition, ast.FunctionDef)
    with pytest.raises(ValueError, match="arguments"):
        module.extent(definition.args)


@pytest.mark.parametrize(
    ("text", "newline"),
    [("", "\n"), ("a\r\nb\n", "\r\n"), ("a\rb", "\r"), ("a\n\r\n", "\n"), ("a", "\n")],
)
def test_newline_is_that_of_the_first_line(text: str, newline: str):
    assert first_newline(text) == newline
