"""Arrays that a loop has to itself."""

from __future__ import annotations

import ast
import textwrap

import pytest

from gpuport.source.scratch import scratch_of


def found(text: str) -> list[str]:
    function = ast.parse(textwrap.dedent(text)).body[0]
    loop = next(one for one in ast.walk(function) if isinstance(one, ast.For) and one.lineno > 3)
    return list(scratch_of(function, loop, lambda call: ast.unparse(call.func) == "np.empty"))


PLAIN = """\
def f(x):
    w = np.empty(3)
    y = x.copy()
    for i in range(3):
        w[i] = x[i]
        y[i] = w[i]
    return y
"""


def test_what_only_the_loop_mentions() -> None:
    assert found(PLAIN) == ["w"]


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("np.empty", "np.zeros"),
        ("    return y", "    return y, w"),
        ("    y = x.copy()", "    y = w.copy()"),
        ("        w[i] = x[i]", "        w = np.empty(3)"),
        ("    return y", "    def g():\n        return w\n    return y"),
        ("def f(x)", "def f(x, w)"),
        ("    w = np", "    global w; w = np"),
        ("    for", "  \n    while x:\n     for"),
    ],
)
def test_what_anything_else_may_see(was: str, now: str) -> None:
    text = PLAIN.replace(was, now, 1)
    if "while" in now:
        text = PLAIN.replace("    for", "    while x:\n     for", 1).replace(
            "\n        ", "\n         "
        )
    assert not found(text)
