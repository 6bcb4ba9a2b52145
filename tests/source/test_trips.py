"""How often what stands in loops runs."""

from __future__ import annotations

import ast

import pytest

from gpuport.source.module import Module
from gpuport.source.trips import Often, is_short, listed_in, loops_around


def often(text: str) -> dict[str, str]:
    """How often each call of ``f`` runs, by its argument."""
    tree = ast.parse(text)
    loops = loops_around(tree, Module("m.py", text, tree)).found
    calls = [
        n for n in ast.walk(tree) if isinstance(n, ast.Call) and n.func.__dict__.get("id") == "f"
    ]
    return {ast.unparse(c.args[0]): str(Often.of(loops.get(id(c), ()))) for c in calls}


def test_loops_are_counted():
    found = often(
        "for i in range(3):\n"
        "    f('a')\n"
        "    for j in range(n):\n"
        "        f('b')\n"
        "for k in f('c'):\n"
        "    pass\n"
        "else:\n"
        "    f('d')\n"
        "while f('e'):\n"
        "    g = [f('f') for x in f('g') for y in f('h') if f('i')]\n"
        "for p, q in zip((1, 2), r):\n"
        "    f('j')\n"
    )
    while_ = "(trips of the while on line 9)"
    assert found == {
        "'a'": "3", "'b'": "3 x n", "'c'": "1", "'d'": "1", "'e'": while_, "'g'": while_,
        "'h'": f"{while_} x (trips over f('g'))",
        "'f'": f"{while_} x (trips over f('g')) x (trips over f('h'))",
        "'i'": f"{while_} x (trips over f('g')) x (trips over f('h'))", "'j'": "2",
    }  # fmt: skip


def test_the_body_of_each_loop_has_its_place_and_weight():
    text = "for i in range(3):\n    while True:\n        x = [k for k in y]\n"
    tree = ast.parse(text)
    bodies = loops_around(tree, Module("m.py", text, tree)).bodies
    assert [(place.line, place.end_line, often.weight) for place, often in bodies] == [
        (1, 3, 3), (2, 3, 3000), (3, 3, 3_000_000)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("iterable", "expected"),
    [
        ("[1, 2]", True),
        ("BANDS", True),
        ("enumerate(BANDS)", True),
        ("zip(x, BANDS)", True),
        ("LINES.items()", True),
        ("LONG", False),
        ("AGAIN", False),
        ("range(3)", False),
        ("x", False),
    ],
)
def test_loops_over_few_things_that_are_written_out(iterable: str, expected: bool):
    text = "BANDS = [(1, 2), (3, 4)]\nLINES = {'a': 1}\nLONG = (0,) * 3\nAGAIN = [1]\nAGAIN = [2]\n"
    listed = listed_in(ast.parse(text))
    assert listed == {"BANDS": 2, "LINES": 1}
    assert is_short(ast.parse(iterable, mode="eval").body, listed) is expected
