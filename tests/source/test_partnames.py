"""Names of parts of arrays, written as the parts."""

from __future__ import annotations

import ast
import textwrap

import pytest

from gpuport.source.partnames import parts_written_in

RANKS = {"x": 2, "w": 1, "s.y": 3}


def written(text: str) -> str | None:
    loop = ast.parse(textwrap.dedent(text)).body[0]
    assert isinstance(loop, ast.For)
    was = ast.unparse(loop)
    made = parts_written_in(loop, RANKS, {"kept"})
    assert ast.unparse(loop) == was
    return None if made is None else ast.unparse(made)


def test_parts_that_are_changed() -> None:
    found = written("""
        for t in range(n):
            row = x[t - 1]
            row += 1.0
            row[row > 2.0] = 0.0
            row[:] = row * 0.5
            for k in range(3):
                field = s.y[k, t]
                field[...] = row
    """)
    assert found == textwrap.dedent("""\
        for t in range(n):
            pass
            x[t - 1] += 1.0
            x[t - 1][x[t - 1] > 2.0] = 0.0
            x[t - 1] = x[t - 1] * 0.5
            for k in range(3):
                pass
                s.y[k, t] = x[t - 1]""")


def test_all_names_of_what_is_changed() -> None:
    found = written("for t in range(n):\n    a = x[t]\n    b = x[t - 1]\n    a += b\n    v = b")
    assert found is not None
    assert found.count("x[t - 1]") == 2


@pytest.mark.parametrize(
    "body",
    [
        ["row = x[t]", "v = row * 2"],
        ["number = w[t]", "number += 1.0"],
        ["row = x[t]", "row += 1.0", "row = row * 2"],
        ["v = row", "row = x[t]", "row += 1.0"],
        ["if t:", "    row = x[t]", "row += 1.0"],
        ["row = x[k]", "row += 1.0", "k = k + 1"],
        ["row = x[t]", "t += 1", "row += 1.0"],
        ["row = x[w[t]]", "row += 1.0"],
        ["for k in range(3):", "    pass", "row = x[k]", "row += 1.0"],
        ["for row in y:", "    row = x[t]", "    row += 1.0"],
        ["row = y[t]", "row += 1.0"],
        ["kept = x[t]", "x[t + 1] = 0.0"],
    ],
)
def test_other_names_stay(body: list[str]) -> None:
    loop = "for t in range(n):\n" + "\n".join(f"    {line}" for line in body)
    assert written(loop) is None
