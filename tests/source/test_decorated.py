"""What the decorator of a ported function says, whatever it is called."""

from __future__ import annotations

import ast

import pytest

from gpuport.source.decorated import Decorated, decorated
from gpuport.source.scoping import build_scopes


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f(x): pass", None),
        ("@device('x', 'y')\ndef f(x, y): pass", Decorated(frozenset("xy"))),
        ("@other\n@device('x', writes=('x',))\ndef f(x): pass", Decorated(frozenset("x"))),
        ("@device('x', boundary='device')\ndef f(x): pass", Decorated(frozenset("x"), "device")),
        ("@gp.device()\ndef f(): pass", Decorated(frozenset())),
        ("@device\ndef f(x): pass", Decorated(None)),
        ("@other.device('x')\ndef f(x): pass", None),
    ],
)
def test_what_a_decorator_says(text: str, expected: Decorated | None):
    imports = "from gpuport.runtime import device\nimport gpuport.runtime as gp\nimport other\n"
    root = build_scopes(ast.parse(imports + text))
    assert decorated(root.children[0]) == expected
