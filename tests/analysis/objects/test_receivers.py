"""What the text of a class says its attributes hold."""

import ast
import textwrap

import pytest

from gpuport.analysis.objects.receivers import numbers_of
from gpuport.source.scoping import build_scopes


def numbers(body: str, head: str = "") -> dict[str, str | None]:
    text = textwrap.dedent(head) + "class C:\n" + textwrap.indent(textwrap.dedent(body), "    ")
    (owner,) = build_scopes(ast.parse(text)).children
    return {name: value.type for name, value in numbers_of(owner).items()}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("def f(self, a=1.5): self.a = a", "float"),
        ("def f(self, a=2): self.a = a", "int"),
        ("def f(self, a: float): self.a = a", "float"),
        ("def f(self): self.a = -3", "int"),
        ("def f(self): self.a: float = 2 * 3.0", "float"),
        ("def f(self): self.a = 1 / 2", "float"),
        ("def f(self, x): self.a = float(x)", "float"),
        ("def f(self, x): self.a = len(x)", "int"),
        ("def f(self): self.a = 1\ndef g(self): self.a += 0.5", "float"),
        ("def f(self, a=1.5): self.a = a\ndef g(self, a): self.a = a", "float"),
        ("a = 3\ndef f(self): pass", "int"),
        ("a: float = 3.0\ndef f(this): this.a = 4", "float"),
        ("a: float\ndef f(self): pass", "float"),
        ("a: float = field(default=2.0)\ndef f(self): pass", "float"),
        ("a: complex = 1\ndef f(self): pass", "complex"),
        ("def f(self, x): self.a: int = g(x)", "int"),
        ("def f(self, n, width=1.0): self.a = width / (n - 1)", "float"),
        ("def f(self, n): self.a = 2.0 * n", "float"),
    ],
)
def test_numbers(body, expected):
    assert numbers(body)["a"] == expected


@pytest.mark.parametrize(
    "body",
    [
        "def f(self, a): self.a = a",
        "def f(self, n): self.a = 2 * n",
        "def f(self, a, b): self.a = a / b",
        "def f(self, n, width=1.0): self.a = width / g(n)",
        "def f(self, a=None): self.a = a",
        "def f(self, a='x'): self.a = a",
        "def f(self, a=1.5):\n    a = g(a)\n    self.a = a",
        "def f(self, a=1.5): self.a = g(a)",
        "def f(self, a=1.5): self.a, *self.b = a, a",
        "def f(self):\n    self.a = 1\n    for self.a in g(): pass",
        "def f(self):\n    self.a = 1\n    del self.a",
        "def f(self):\n    self.a = 1\n    with g() as self.a: pass",
        "def f(self): self.a = 1\ndef g(self, a: list): self.a = a",
        "a = 1\ndef f(self): self.a = [1]",
        "a = 1\ndef a(self): pass",
        "a: float = None\ndef f(self): pass",
        "a: 'float | None'\ndef f(self): pass",
        "a: list\ndef f(self): pass",
        "a: float\ndef f(self): self.a = g()",
        "from m import a\ndef f(self): self.a = 1",
        "def f(self): self.a = 1\nclass a: pass",
        "@staticmethod\ndef f(self): self.a = 1",
        "def f(self, other): other.a = 1",
    ],
)
def test_what_is_not_known_to_be_a_number(body):
    assert "a" not in numbers(body)


def test_a_name_that_hides_a_builtin_is_not_it():
    assert numbers("def f(self, x): self.a = float(x)", "from m import float\n") == {}
