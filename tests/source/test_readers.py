"""Readers that cannot tell one of NumPy's numbers from Python's."""

from __future__ import annotations

import ast

import numpy as np
import pytest

from gpuport.source.readers import Readers

TAKES = ("print", "str", "float", "sqrt")


def alike(body: str) -> bool:
    """Whether nothing tells which of the two kinds ``made()`` gives."""
    lines = "\n".join(f"    {line}" for line in body.split("\n"))
    function = ast.parse(f"def f(tol, other):\n{lines}\n").body[0]
    (call,) = [
        n for n in ast.walk(function)
        if isinstance(n, ast.Call) and getattr(n.func, "id", "") == "made"
    ]  # fmt: skip
    takes = lambda call: getattr(call.func, "id", getattr(call.func, "attr", "")) in TAKES  # noqa: E731
    return Readers(function, takes, lambda name: name == "tol").alike(call)


@pytest.mark.parametrize(
    "body",
    [
        "print('sum', made())",
        "return float(made())",
        "return math.sqrt(made())",
        "return str(made())",
        "return f'{made():.3f}'",
        "return f'{1:.3f} {made()!s:>9}'",
        "return '%.3f %s' % (made(), other)",
        "return '%d' % made()",
        "return '{:.3f} {}'.format(made(), other)",
        "if made() > 3:\n    pass",
        "while -1.5 <= made() < tol:\n    pass",
        "assert not made() > tol or other",
        "return other if made() else tol",
        "s = made()\nprint(s)\nif s > tol and other:\n    print(f'{s:.2e}')",
        "s = 0.0\nwhile s < 3:\n    s = made()",
        "least = 0.5\nif made() < least:\n    pass",
        "s = made()\nt = s\nprint(t)",
        "s: float = made()\nprint(s)",
        "s = other()\nt = s + 1\ns2 = made()\nprint(s2)",
    ],
)
def test_who_cannot_tell(body: str) -> None:
    assert alike(body)


@pytest.mark.parametrize(
    "body",
    [
        "return made()",
        "return made() / other",
        "return made() > 3",
        "return repr(made())",
        "return f'{made()!r}'",
        "return '%r' % made()",
        "return '{!r}'.format(made())",
        "return '{x}'.format(x=made())",
        "print(*made())",
        "print(other, file=made())",
        "print([made()])",
        "if made() > other:\n    pass",
        "if made() + 1 > 3:\n    pass",
        "assert other, made()",
        "s = made()\nprint(s)\nreturn s",
        "s = made()\nprint(s + 1)",
        "s = made()\ns += 1\nprint(s)",
        "global s\ns = made()\nprint(s)",
        "s = made()\nprint(s, locals())",
        "s = made()\nprint(lambda: s)",
        "s = t = made()\nprint(s)",
        "other.s = made()",
        "s, t = made(), 1\nprint(s)",
        "s = made()\nt = s\nprint(s)\nreturn t",
        "least = 0.5\nleast = other\nif made() < least:\n    pass",
        "with made() as s:\n    pass",
        "made()",
        "for s in range(made()):\n    pass",
    ],
)
def test_who_can(body: str) -> None:
    assert not alike(body)


@pytest.mark.parametrize("spec", ["", ".3f", "g", ">12", "+.2e", ".0f", "%"])
def test_numpy_writes_its_numbers_as_python_does(spec: str) -> None:
    rng = np.random.default_rng(5)
    some = [0.0, -0.0, 1e16, 1e-5, 123456789012345680.0, np.nan, -np.inf, 0.1, 1 / 3]
    for one in np.array([*some, *(rng.normal(size=50) * 10.0 ** rng.integers(-20, 20, 50))]):
        assert format(one, spec) == format(float(one), spec)
        assert str(one) == str(float(one))
        assert "%s %.3f" % (one, one) == "%s %.3f" % (float(one), float(one))  # noqa: UP031
    assert [str(one) for one in np.array([3, -5])] == ["3", "-5"]
    assert str(np.array([True])[0]) == "True"
