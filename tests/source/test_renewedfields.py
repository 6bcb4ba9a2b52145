"""Attributes that each iteration of a loop binds anew."""

from __future__ import annotations

import ast
import textwrap

import pytest

from gpuport.source.renewedfields import renewed_fields, runs


def loop_of(text: str) -> ast.For | ast.While:
    loop = ast.parse(textwrap.dedent(text)).body[0]
    assert isinstance(loop, ast.For | ast.While)
    return loop


def renewed(*body: str) -> dict[str, int]:
    """How many stores there are, by attribute; of functions those of NumPy compute."""
    loop = loop_of("for t in range(n):\n" + "\n".join(f"    {line}" for line in body))
    found = renewed_fields(loop, lambda call: ast.unparse(call.func).startswith("np."))
    return {text: len(targets) for text, targets in found.items()}


def test_what_each_iteration_binds() -> None:
    found = renewed(
        "drive = np.sin(t)",
        "self.v = self.v + drive",
        "self.w = np.tanh(self.w) * self.v",
        "fired = self.v > 1.0",
        "self.v[fired] = 0.0",
        "if t % 2:",
        "    self.w = self.w * 0.5",
    )
    assert found == {"self.v": 1, "self.w": 2}


@pytest.mark.parametrize(
    "body",
    [
        ["out[t] = 0.0", "self.v = self.v + 1.0"],
        ["x += 1.0", "self.v = self.v + x"],
        ["self.v += 1.0"],
        ["if t:", "    self.v = self.v + 1.0"],
        ["old = self.v", "self.v = old + 1.0"],
        ["self.v = x[t]"],
        ["self.v = self.v"],
        ["self.v = self.v + f(x)"],
        ["self.v = self.v + 1.0", "out[t] = other.v"],
        ["self.v = self.v + 1.0", "a.v = 0.0"],
        ["self.v = self.v + 1.0", "self.v, k = x, 1"],
        ["self.v = self.v + 1.0", "for self.v in x:", "    pass"],
        ["if t > 3:", "    break", "self.v = self.v + 1.0"],
        ["self.v = self.v + 1.0", "if t > 3:", "    return"],
        ["a[0].v = a[0].v + 1.0"],
        ["self.v = w = self.v + 1.0"],
    ],
)
def test_what_an_iteration_may_leave(body: list[str]) -> None:
    assert not renewed(*body)


@pytest.mark.parametrize(
    ("head", "text"),
    [
        ("for t in range(n):", "n > 0"),
        ("for t in range(10):", "True"),
        ("for t in range(0):", "False"),
        ("for t in range(1, len(x)):", "len(range(1, len(x))) > 0"),
        ("for t in range(x.shape[0]):", "x.shape[0] > 0"),
        ("for row in x:", "len(x) > 0"),
        ("for row in self.x[1:]:", "len(self.x[1:]) > 0"),
        ("for t, (a, b) in enumerate(zip(x, y)):", "len(x) > 0 and len(y) > 0"),
        ("for row in reversed(x):", "len(x) > 0"),
        ("for t in range(int(k)):", None),
        ("for t in range(x[0]):", None),
        ("for t in range(n if k else m):", None),
        ("for n in range(n):", None),
        ("for row in f(x):", None),
        ("while n:", None),
    ],
)
def test_whether_a_loop_runs(head: str, text: str | None) -> None:
    def resolve(function: ast.expr) -> str:
        return f"builtins.{ast.unparse(function)}"

    assert runs(loop_of(f"{head}\n    pass"), resolve) == text
