"""Python texts of conditions and whole numbers."""

from __future__ import annotations

import islpy
import pytest

from gpuport.parallel.conditions import condition_text, conjuncts, number_text, operand

NAMES = {"n": "len(x)", "m": "m"}


def test_what_isl_found_is_python():
    points = islpy.Set("[n, m] -> { : (n >= 3 and m < n) or n = -2 }")
    build = islpy.AstBuild.from_context(islpy.Set("[n, m] -> { : }"))
    text = condition_text(build.expr_from_set(points), NAMES)
    assert text is not None
    for n in range(-3, 6):
        for m in range(-3, 6):
            expected = (n >= 3 and m < n) or n == -2
            assert eval(text.replace("len(x)", "n"), {"n": n, "m": m}) == expected


def test_a_number_is_an_operand_of_a_sum():
    size = islpy.PwAff("[n, m] -> { [(n - m)] : n > m; [(0)] : n <= m }")
    build = islpy.AstBuild.from_context(islpy.Set("[n, m] -> { : }"))
    text = number_text(build.expr_from_pw_aff(size), NAMES)
    assert text is not None
    for n, m in ((5, 2), (2, 5), (3, 3)):
        assert eval(f"1 + {text}".replace("len(x)", "n"), {"n": n, "m": m}) == 1 + max(n - m, 0)


@pytest.mark.parametrize(
    ("text", "parts", "inside"),
    [
        ("a and b", ["a", "b"], "a and b"),
        ("a or b", ["a or b"], "(a or b)"),
        ("a if b else c", ["a if b else c"], "(a if b else c)"),
        ("n > 1", ["n > 1"], "n > 1"),
    ],
)
def test_parts_of_conditions(text: str, parts: list[str], inside: str):
    assert conjuncts(text) == parts
    assert operand(text) == inside
