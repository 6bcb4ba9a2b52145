"""Sizes that a program shows, followed through its calls and objects."""

from __future__ import annotations

import ast
import textwrap
from pathlib import Path

import pytest

from gpuport.facts.knowledge import Unresolved, resolve
from gpuport.facts.sizes import SizesShown
from gpuport.source.module import Module
from gpuport.source.reading import parse


class Program:
    """One file, asked by the text of its expressions."""

    def __init__(self, text: str) -> None:
        self.module = parse("m.py", "import numpy as np\n" + textwrap.dedent(text))
        self.shown = SizesShown([self.module])

    def function(self, name: str) -> ast.AST:
        found = [n for n in ast.walk(self.module.tree) if getattr(n, "name", "") == name]
        return found[0] if found else self.module.tree

    def size(self, expression: str, function: str = "") -> object:
        around = self.function(function)
        node = next(
            n for n in ast.walk(around) if isinstance(n, ast.expr) and ast.unparse(n) == expression
        )
        return self.shown(self.module, around, node)


@pytest.mark.parametrize(
    ("text", "expression", "function", "expected"),
    [
        ("def f(x):\n    return x * 2\nf(np.ones(40))", "x", "f", (40,)),
        ("def f(x):\n    return x * 2\nf(np.ones(40))\nf(np.ones(50))", "x * 2", "f", (50,)),
        ("def f(x):\n    return x * 2\nf(np.ones(9))\nf(open('n'))", "x", "f", None),
        ("def f(n):\n    return np.zeros((n, n + 1))\ny = f(6)", "y", "", (6, 7)),
        ("def f(n):\n    return np.zeros((n, n + 1))\nf(6)\nf(4)",
         "np.zeros((n, n + 1))", "f", (6, 7)),
        ("def f(x, k):\n    y = x[k:]\n    return y - 1\nf(np.ones(30), int(open('n').read()))",
         "y - 1", "f", (30,)),
        ("def f(x):\n    y = x[x > 0]\n    return y + 1\nf(np.ones(30))", "y + 1", "f", (30,)),
        ("def g(y):\n    return y + 1\ndef f(x, k):\n    g(x[:k])\n    g(x[k])\n"
         "f(np.ones((24, 3)), int(open('n').read()))", "y + 1", "g", (24, 3)),
        ("class A:\n    def __init__(self, n):\n        self.x = np.zeros((n, 3))\n"
         "    def f(self):\n        return self.x + 1\nA(16).f()", "self.x + 1", "f", (16, 3)),
        ("from dataclasses import dataclass, field\n@dataclass\nclass A:\n"
         "    x: np.ndarray = field(default_factory=lambda: np.array([1.0, 2.0, 3.0]))\n"
         "    def f(self):\n        self.x = self.x / 2\nA().f()", "self.x / 2", "f", (3,)),
        ("from typing import NamedTuple\nclass A(NamedTuple):\n    x: np.ndarray\n    k: int = 2\n"
         "def f(a):\n    x, k = a\n    return x * a.k, a[0] + k, a.x - 1\nf(A(np.ones(14)))",
         "x * a.k", "f", (14,)),
        ("from typing import NamedTuple\nclass A(NamedTuple):\n    x: np.ndarray\n    k: int = 2\n"
         "def f(a):\n    return a[0] + a[1], a._replace(k=3)\nf(A(np.ones(14)))",
         "a[0] + a[1]", "f", (14,)),
        ("x = np.arange(0, 24, 0.5)\nprint(x + 1)", "x + 1", "", (48,)),
        ("def f(n):\n    return np.arange(1, n + 1)\nx = f(7)\nprint(x)", "x", "", (7,)),
        ("AA = '-ACD'\nQ = max(len(AA), 3) * 10\ndef f():\n    return np.ones(Q) + 1\nf()",
         "np.ones(Q) + 1", "f", (40,)),
        ("R = 2.5\ndef f(t):\n    return np.arange(t * R) + 1\nf(10)",
         "np.arange(t * R) + 1", "f", (25,)),
        ("R = 2.5\ndef f(t):\n    return np.arange(5, t * R, 4) + 1\nf(10)",
         "np.arange(5, t * R, 4) + 1", "f", (5,)),
        ("R = 0.0\ndef f(t):\n    return np.arange(5, t * 2.0, t * R) + 1\nf(10)",
         "np.arange(5, t * 2.0, t * R) + 1", "f", (None,)),
        ("T = '\\na 1\\nb 2\\nc 3\\n'\ndef f(text):\n    head, *rows = text.strip().split('\\n')\n"
         "    return np.ones(len(rows)) + 1\nf(T)", "np.ones(len(rows)) + 1", "f", (2,)),
        ("def f(text):\n    return np.ones(len(text.splitlines()[1::2])) + 1\nf(open('n').read())",
         "np.ones(len(text.splitlines()[1::2])) + 1", "f", (None,)),
        ("def f(text):\n    x = np.array([float(w) for w in text.upper().split()[::-1]])\n"
         "    return x + 1\nf('1e3 2 3')", "x + 1", "f", (3,)),
        ("def f(text):\n    return np.ones(len(text.split()[::0])) + 1\nf('a b')",
         "np.ones(len(text.split()[::0])) + 1", "f", (None,)),
        ("x = np.arange(9, 3)\nprint(x)", "x", "", (0,)),
        ("x = np.arange(50.0, 850.0, 40.0)\nprint(x)", "x", "", (20,)),
        ("x = np.arange(3, int(open('n').read()))\nprint(x)", "x", "", (None,)),
        ("import random\nx = np.ones(6) * (2 * random.random())\nprint(x)", "x", "", (6,)),
        ("x = np.diag([0.1] * 3 + [0.2] * 2)\ny = x + 1\nprint(y)", "y", "", (5, 5)),
        ("n, m = np.ones((4, 5, 6)).shape[:2]\ny = np.zeros(n * m)\nprint(y)", "y", "", (20,)),
        ("def f():\n    return np.ones(4), np.ones((5, 6))\n"
         "x, y = map(np.asarray, f())\nz = y * 2\nprint(x, z)", "z", "", (5, 6)),
        ("from gpuport.runtime import masked\nx = np.ones((3, 4))\n"
         "y = masked.divide(x, 2.0, out=np.zeros_like(x), where=x > 0)\nprint(y)", "y", "", (3, 4)),
        ("import cupy as cp\nfrom gpuport.runtime import batched, device, kernel\n"
         "@kernel('T x', 'T y', 'y = x;')\ndef _f(x):\n    return x\n"
         "@batched.loop()\ndef g(x):\n    return x + 1\n"
         "@device('x')\ndef f(x):\n    return cp.exp(_f(x)) + g(x)\n"
         "y = cp.asnumpy(f(cp.asarray(np.ones(5)))) * 2\nprint(y)",
         "cp.asnumpy(f(cp.asarray(np.ones(5)))) * 2", "", (5,)),
        ("def f(x):\n    return f(x[1:]) if x.size else x\nf(np.ones(8))", "x", "f", (None,)),
        ("def f(t, rate=250.0):\n    return np.arange(int(t * rate)) / rate\nx = f(4.0)\nprint(x)",
         "x", "", (1000,)),
        ("def f(n):\n    return np.zeros(1 << n)\nx = f(3 + 4)\nprint(x)", "x", "", (128,)),
        ("def f(n):\n    return np.zeros(1 << n)\nx = f(10 ** 9)\nprint(x)", "x", "", (None,)),
        ("def f(n, x):\n    rows = [np.sin(k * x) for k in range(n) if k > 1]\n"
         "    return np.stack(rows)\ny = f(7, np.ones(30))\nprint(y)", "y", "", (7, 30)),
        ("def f(n, x):\n    rows = [x]\n    for k in range(n):\n        for j in (1, 2):\n"
         "            rows.append(k * x + j)\n    return rows, np.concatenate(rows)\n"
         "rows, y = f(3, np.ones(5))\nprint(y, len(rows))", "y", "", (35,)),
        ("def g(rows):\n    rows.append(np.ones(5))\ndef f(x):\n    rows = [x]\n    g(rows)\n"
         "    return np.stack(rows)\ny = f(np.ones(5))\nprint(y)", "y", "", (None, 5)),
        ("class A:\n    def __init__(self):\n        self.rows = []\n    def add(self):\n"
         "        self.rows.append(np.ones(5))\n    def all(self):\n"
         "        return np.stack(self.rows)\n"
         "a = A()\na.add()\ny = a.all()\nprint(y)", "y", "", (None, 5)),
        ("def f(x):\n    rows = [x]\n    while x.sum() > len(rows):\n        rows.append(x)\n"
         "    return np.stack(rows)\ny = f(np.ones(5))\nprint(y)", "y", "", (None, 5)),
        ("from dataclasses import dataclass\n@dataclass\nclass A:\n    n: int\n    x: np.ndarray\n"
         "def f(a):\n    return np.zeros(2 * a.n), a.x.ravel(), np.zeros(a.x.size)\n"
         "y, z, w = f(A(6, np.ones((3, 4))))\nprint(y, z, w)", "y", "", (12,)),
        ("from dataclasses import dataclass\n@dataclass\nclass A:\n    n: int\n    x: np.ndarray\n"
         "def f(a):\n    return np.zeros(2 * a.n), a.x.ravel(), np.zeros(a.x.size)\n"
         "y, z, w = f(A(6, np.ones((3, 4))))\nprint(y, z, w)", "w", "", (12,)),
        ("def f(x):\n    rows = []\n    for k in range(4):\n        rows.extend([x, x, x])\n"
         "    return np.array(rows)\ny = f(2.5)\nprint(y)", "y", "", (12,)),
        ("def f(x):\n    rows = []\n    for k in range(4):\n        rows += open(str(k))\n"
         "    return np.zeros(len(rows))\ny = f(2.5)\nprint(y)", "y", "", (None,)),
        ("import math\nn = math.inf\nm = math.nan\ny = np.zeros(int(min(n, 10 ** 30)))\nprint(y)",
         "y", "", (None,)),
        ("def f(n):\n    return [k for k in range(10 ** n)]\ny = np.zeros(len(f(30)))\nprint(y)",
         "y", "", (None,)),
        ("x = np.ones(9)\ny = np.column_stack([x, x, np.ones((9, 4))])\nprint(y)", "y", "", (9, 6)),
        ("x = np.ones((4, 6))\ny = x.reshape(-1, 3)\nprint(y)", "y", "", (8, 3)),
        ("def f(x, n):\n    return np.fft.rfft(x, n)\n"
         "y = f(np.ones(9), int(open('n').read()))\nprint(y)",
         "y", "", (None,)),
    ],
)  # fmt: skip
def test_sizes(text: str, expression: str, function: str, expected: object) -> None:
    assert Program(text).size(expression, function) == expected


@pytest.mark.parametrize(
    "text",
    [
        "a, b = [1], {}\na.append(b)\nb['a'] = a\nb[input()] = a\nprint(open(a))",
        "from numpy.f2py.tests import util\nx = util.has_c_compiler()\nprint(x)",
        "import numpy.nothing_there\nx = numpy.nothing_there.f(1)\nprint(x)",
    ],
)
def test_what_nothing_is_known_of(text: str) -> None:
    assert Program(text).size("1" if "(1)" in text else "print", "") in (None, ())


def test_nothing_is_imported_that_runs_programs() -> None:
    with pytest.raises(Unresolved):
        resolve("numpy.f2py.tests.util.has_c_compiler")


def test_loops_repeat_what_they_call() -> None:
    program = Program("""
        def inner(x):
            return x + 1

        def outer(x):
            return inner(x)

        def once(x):
            return x

        once(1)
        for k in range(9):
            outer(np.ones(3))
    """)
    repeated = [
        name
        for name in ("inner", "outer", "once")
        if program.shown.repeats(program.module, program.function(name))
    ]
    assert repeated == ["inner", "outer"]


def test_files_that_import_each_other(tmp_path: Path) -> None:
    (tmp_path / "pack").mkdir()
    texts = {
        "pack/__init__.py": "",
        "pack/work.py": "def step(x):\n    return x * 2\n",
        "pack/main.py": "import numpy as np\nfrom pack.work import step\nstep(np.ones(12))\n",
    }
    modules: dict[str, Module] = {}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
        modules[name] = parse(str(tmp_path / name), text)
    work = modules["pack/work.py"]
    step = work.tree.body[0]
    assert isinstance(step, ast.FunctionDef)
    assert isinstance(step.body[0], ast.Return)
    product = step.body[0].value
    assert product is not None
    assert SizesShown(modules.values())(work, step, product) == (12,)
    assert SizesShown([work])(work, step, product) is None
