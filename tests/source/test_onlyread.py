"""Whether a function only looks at what is in a list or a dict."""

from __future__ import annotations

import ast

import pytest

from gpuport.source.onlyread import only_reads
from gpuport.source.scoping import build_scopes


@pytest.mark.parametrize(
    ("body", "reads"),
    [
        ("return d['a'] * len(d)", True),
        ("return [k * v for k, v in d.items()]", True),
        ("return 'a' in d", True),
        ("return g(**d)", True),
        ("return f'{d}'", True),
        ("return [*d, 1]", True),
        ("d['a'] = 1", False),
        ("d['a'] += 1", False),
        ("d += [1]", False),
        ("del d['a']", False),
        ("d.update(a=1)", False),
        ("return g(d)", False),
        ("return d", False),
        ("e = d\n    e['a'] = 1", False),
        ("def h():\n        d['a'] = 1\n    return h", False),
        ("len = g\n    return len(d)", False),
    ],
)
def test_only_reads(body, reads):
    root = build_scopes(ast.parse(f"def f(d):\n    {body}\n"))
    (scope,) = root.children
    assert only_reads(scope, "d") is reads
