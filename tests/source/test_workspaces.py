"""Which arrays each iteration of a loop fills before it reads them."""

from __future__ import annotations

import ast
import textwrap

import pytest

from gpuport.source.workspaces import workspaces

FUNCTION = """\
def f(x, y):
    a = np.eye(3)
    for k in range(len(x)):
{body}
    return y
"""


def makes_new(call: ast.Call) -> bool:
    return ast.unparse(call.func).startswith(("np.linalg", "np.eye"))


def found(body: str, text: str = FUNCTION) -> list[str]:
    lines = textwrap.indent(textwrap.dedent(body), " " * 8)
    function = ast.parse(text.format(body=lines)).body[0]
    loop = next(one for one in ast.walk(function) if isinstance(one, ast.For))
    return list(workspaces(function, loop, makes_new))


@pytest.mark.parametrize(
    "body",
    [
        "a[:2, :2] = x[k]\ny[k] = np.linalg.det(a)",
        "a[0] = x[k]\na[1, 1:] = 2.0\ny[k] = (a @ x[k]).sum()",
        "a[:n] = x[k]\ny[k] = np.linalg.solve(2 * a, -a[0] + 1)",
    ],
)
def test_those_that_are_filled_first(body: str) -> None:
    assert found(body) == ["a"]


@pytest.mark.parametrize(
    "body",
    [
        "y[k] = np.linalg.det(a)\na[:2, :2] = x[k]",
        "a[:2, :2] = x[k] + a[0, 0]\ny[k] = np.linalg.det(a)",
        "a[k] = x[k]\ny[k] = np.linalg.det(a)",
        "a[x[k]] = 1\ny[k] = np.linalg.det(a)",
        "a[f()] = 1\ny[k] = np.linalg.det(a)",
        "a[0] += x[k]\ny[k] = np.linalg.det(a)",
        "if x[k]:\n    a[0] = x[k]\ny[k] = np.linalg.det(a)",
        "a[0] = x[k]\ny.append(a)",
        "a[0] = x[k]\nb = a\ny[k] = np.linalg.det(b)",
        "a[0] = x[k]\ny[k] = a[1]",
        "a[0] = x[k]\na = a + 1\ny[k] = np.linalg.det(a)",
        "a[0] = x[k]",
        "a[0] = x[k]\ny.append(np.transpose(a))",
    ],
)
def test_those_that_are_not(body: str) -> None:
    assert found(body) == []


@pytest.mark.parametrize(
    "text",
    [
        FUNCTION.replace("return y", "return a"),
        FUNCTION.replace("np.eye(3)", "x[0]"),
        FUNCTION.replace("np.eye(3)", "y.reshape(3, 3)"),
        FUNCTION.replace("(x, y)", "(x, y, a)").replace("    a = np.eye(3)\n", ""),
        FUNCTION.replace("    for", "    b = a.T\n    for"),
        FUNCTION.replace("    for", "    g = lambda: a\n    for"),
    ],
)
def test_those_that_others_may_see(text: str) -> None:
    assert found("a[0] = x[k]\ny[k] = np.linalg.det(a)", text) == []
