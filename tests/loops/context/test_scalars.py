"""Plain names: assigned before they are read, and alive after the loop."""

from __future__ import annotations

import ast

import pytest

from gpuport.loops.context.scalars import exposed, live_after, outermost_loops

EXPOSED = {
    "t = x[i]\ny[i] = t": "",
    "y[i] = t\nt = x[i]": "t",
    "if c:\n    t = 1\ny[i] = t": "t",
    "if c:\n    t = 1\nelse:\n    t = 2\ny[i] = t": "",
    "if c:\n    continue\nelse:\n    t = 2\ny[i] = t": "",
    "for k in z:\n    t = k\ny[i] = t": "t",
    "for k in z:\n    t = k\n    y[i] = t": "",
    "for k in range(3):\n    t = k\ny[i] = t": "",
    "for k in range(0, 3, 1):\n    t = k\n    if c:\n        break\ny[i] = t": "",
    "for k in range(3):\n    if c:\n        break\n    t = k\ny[i] = t": "t",
    "for k in range(3):\n    if c:\n        continue\n    t = k\ny[i] = t": "t",
    "for k in range(3, 3):\n    t = k\ny[i] = t": "t",
    "for k in range(n):\n    t = k\ny[i] = t": "t",
    "while t > 0:\n    t -= 1": "t",
    "t += 1": "t",
    "if c:\n    t = 1\n    y[i] = t": "",
}


@pytest.mark.parametrize(("body", "names"), EXPOSED.items())
def test_exposed(body: str, names: str) -> None:
    """A name is exposed where some path reads it before any assignment."""
    found = exposed(ast.parse(body).body) & {"t"}
    assert found == set(names.split())


LIVE = {
    "for i in z:\n        t = i\n    return t": "t",
    "for i in z:\n        t = i\n    t = 0\n    return t": "",
    "for i in z:\n        t = i\n    if c:\n        t = 0\n    return t": "t",
    "for i in z:\n        t = i\n    for t in z:\n        print(t)": "",
    "for i in z:\n        t = i\n    for i in w:\n        print(t, i)": "t",
    "for i in z:\n        t = i\n    t += 1": "t",
    "for i in z:\n        t = i\n    return lambda: i": "i",
    "def g():\n        return t\n    for i in z:\n        t = i\n    return g()": "t",
    "def g(t):\n        return t\n    for i in z:\n        t = i\n    return g": "",
    "for i in z:\n        t = i\n    def g(u=t):\n        return u": "t",
    "for i in z:\n        t = i\n    def g():\n        t = 1\n        return t": "",
    "for i in z:\n        t = i\n    return lambda: [t for i in w]": "t",
    "for i in z:\n        t = i\n    def g():\n        nonlocal t\n        t = 1": "t",
    "for i in z:\n        t = i\n    def g():\n        return lambda t: i + t": "i",
    "class C:\n        t = 0\n    for i in z:\n        t = i": "",
    "class C:\n        t = t\n    for i in z:\n        t = i": "t",
    "global t\n    for i in z:\n        t = i": "t",
    "try:\n        for i in z:\n            t = 1\n    finally:\n        print(t)": "t",
    "while c:\n        print(t)\n        for i in z:\n            t = i": "",
}


@pytest.mark.parametrize(("body", "names"), LIVE.items())
def test_live_after(body: str, names: str) -> None:
    """A name outlives the loop where some path after it reads what the loop assigned."""
    function = ast.parse(f"def f(z, w, c, t):\n    {body}\n").body[0]
    assert isinstance(function, ast.FunctionDef)
    loop = next(node for node in outermost_loops(function) if isinstance(node, ast.For | ast.While))
    assert live_after(function, loop) == set(names.split())


def test_live_after_an_inner_loop() -> None:
    """The next turn of the loop around it reads, too."""
    text = "def f(z):\n    while z:\n        print(t)\n        for i in z:\n            t = i\n"
    function = ast.parse(text).body[0]
    assert isinstance(function, ast.FunctionDef)
    inner = next(node for node in ast.walk(function) if isinstance(node, ast.For))
    assert live_after(function, inner) == {"t"}


def test_nests_are_the_outermost_loops() -> None:
    """At any depth of conditions; loops of nested functions are theirs."""
    text = """
def f(z):
    for i in z:
        for j in z:
            pass
    if z:
        while z:
            pass
    def g():
        for k in z:
            pass
    with z:
        for m in z:
            pass
"""
    function = ast.parse(text).body[0]
    assert isinstance(function, ast.FunctionDef)
    assert [node.lineno for node in outermost_loops(function)] == [3, 7, 13]
