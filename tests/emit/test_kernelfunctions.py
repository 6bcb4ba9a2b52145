"""The text of decorated functions, and whether the runtime takes it."""

from __future__ import annotations

import ast
from dataclasses import replace

import pytest

from gpuport.emit.kernelfunctions import Declaration, KernelFunction, Style, lines_of, refusal_of

SCALE = KernelFunction(
    "_scaled",
    (Declaration("x", "T"), Declaration("a", "float")),
    (Declaration("y", "T"),),
    ("y = a * x;",),
    ("return a * x",),
    made=frozenset({"y"}),
)
RELAX = KernelFunction(
    "_relax",
    (Declaration("u", "float64", raw=True), Declaration("h", "float")),
    (Declaration("v", "float64", raw=True),),
    ("v[{i, j}] = h * u[{i, j + 1}];",),
    (
        "for i in range(u.shape[0]):",
        "    for j in range(u.shape[1] - 1):",
        "        v[i, j] = h * u[i, j + 1]",
    ),
    over="i in range(u.shape[0]), j in range(u.shape[1] - 1)",
)


def test_what_fits_stands_on_one_line() -> None:
    assert lines_of(SCALE, Style()) == [
        '@kernel("T x, float a", "T y", "y = a * x;")',
        "def _scaled(x, a):",
        "    return a * x",
    ]


def test_what_does_not_fit_is_wrapped() -> None:
    assert lines_of(RELAX, Style(width=60)) == [
        "@kernel(",
        '    "raw float64 u, float h",',
        '    "raw float64 v",',
        '    """',
        "    v[{i, j}] = h * u[{i, j + 1}];",
        '    """,',
        "    over=(",
        '        "i in range(u.shape[0]), "',
        '        "j in range(u.shape[1] - 1)"',
        "    ),",
        ")",
        "def _relax(u, h, v):",
        "    for i in range(u.shape[0]):",
        "        for j in range(u.shape[1] - 1):",
        "            v[i, j] = h * u[i, j + 1]",
    ]


@pytest.mark.parametrize("one", [SCALE, RELAX, replace(RELAX, where="u.ndim == 2 and h > 0.0")])
@pytest.mark.parametrize("width", [40, 60, 88, 120])
def test_whatever_the_width_the_arguments_are_the_same(one: KernelFunction, width: int) -> None:
    (function,) = ast.parse("\n".join(lines_of(one, Style(width=width)))).body
    assert isinstance(function, ast.FunctionDef)
    (call,) = function.decorator_list
    assert isinstance(call, ast.Call)
    inputs, outputs, body = map(ast.literal_eval, call.args)
    assert inputs == ", ".join(d.text for d in one.inputs)
    assert outputs == ", ".join(d.text for d in one.outputs)
    assert [line.strip() for line in body.strip().splitlines()] == list(one.body)
    said = {word.arg: ast.literal_eval(word.value) for word in call.keywords}
    assert said == {
        name: text for name in ("over", "where", "returns") if (text := getattr(one, name))
    }


def test_lines_inside_strings_keep_their_place() -> None:
    one = replace(SCALE, python=("note = '''", "left'''", "return a * x"), kept=frozenset({1}))
    assert lines_of(one, Style(step="  "))[2:] == ["  note = '''", "left'''", "  return a * x"]


def test_the_runtime_says_what_it_would_refuse() -> None:
    assert refusal_of(RELAX, {}) is None
    gather = replace(RELAX, body=("v[{i, j}] = h * u[{i, (int)u[{i, j}]}];",))
    assert "say in where=" in (refusal_of(gather, {}) or "")
    assert refusal_of(replace(gather, where="u.max() < u.shape[1]"), {}) is None
    assert "N" in (refusal_of(replace(RELAX, over="i in range(N), j in range(1)"), {}) or "")
    assert refusal_of(replace(RELAX, over="i in range(N), j in range(1)"), {"N": 3}) is None


def test_an_output_that_is_no_parameter_is_made() -> None:
    assert SCALE.parameters == ("x", "a")
    assert RELAX.parameters == ("u", "h", "v")
