"""Programs that rewrites once got wrong: now they compute the same, or ask, or stay as they are.

Points of a map come in any order: here they come backwards.
"""

from __future__ import annotations

import itertools
from types import SimpleNamespace
from typing import Any

import pytest

from gpuport.canonicalise.blocked import Blocked
from gpuport.canonicalise.inlining import inline_calls
from gpuport.canonicalise.nests import map_of_nest
from gpuport.canonicalise.rewriting import canonicalise
from gpuport.facts import infer
from gpuport.ir import check, walk
from gpuport.ir.interpreter import Interpreter, NeedFailed, elements
from gpuport.ir.printing import render
from gpuport.lower import lower
from gpuport.parallel.dependence import check_independent

START = "import numpy as np\n"
PROGRAMS = {
    "an element is read, stored and stored again": """
def f(h):
    for i in range(len(h)):
        t = h[i]
        h[i] = 5.0
        h[i] = t + 1
    return h
RESULT = f(np.arange(4.0))
""",
    "an element is read before a loop that stores to it": """
def f(h):
    for i in range(len(h)):
        t = h[i]
        for k in range(3):
            h[i] = t + k
    return h
RESULT = f(np.arange(4.0))
""",
    "an unsigned number is taken away": """
def f(x):
    s = np.int64(0)
    for i in range(len(x)):
        s -= x[i]
    return s
RESULT = f(np.array([1, 2, 3], np.uint8)), f(np.array([-128], np.int8))
""",
    "a function stores to its last argument": """
def f():
    x, c = np.arange(4.0), np.ones((2, 2))
    d, s = x + 1, c + 1
    np.clip(x, 1, 2, x)
    np.dot(c, c, c.copy())
    np.sum(c, 0, None, x[:2])
    return d * 2, s * 2, x * 2
RESULT = f()
""",
    "small arrays have the dtype of all their elements": """
def f(x, y, out):
    for i in range(len(x)):
        p = np.array([x[i], y[i]])
        out[i] = p[0] * p[0]
    return out
RESULT = f(np.array([100000], np.int32), np.array([1], np.int64), np.zeros(1, np.int64))
""",
    "numbers of small arrays are NumPy's": """
def f(x, out):
    for i in range(len(x)):
        p, q = np.ones(2), np.array([0.123456789, 1.0])
        out[i] = (p[0] + 1e-9) * x[i] + q[0] * x[i]
    return out
RESULT = f(np.array([0.3], np.float32), np.zeros(1))
""",
    "a store to a small array casts": """
def f(x, out):
    for i in range(len(x)):
        p, q = np.zeros(2, np.float32), np.zeros(1, np.int64)
        p[0] = x[i]
        q[0] = x[i]
        out[i] = p[0] + q[0]
    return out
RESULT = f(np.array([2.7, 3.9]), np.zeros(2))
""",
    "a small array changes after it was used": """
def f(x, out):
    for i in range(len(x)):
        p = np.array([x[i], 1.0])
        q, r = p.copy(), p * 2
        p[0] = 7.0
        out[i] = q[0] + r[0]
    return out
RESULT = f(np.array([2.7, 3.9]), np.zeros(2))
""",
    "a small array has no such element": """
def f(x, out):
    for i in range(len(x)):
        p = np.zeros(2)
        p[5] = x[i]
        out[i] = p[5]
    return out
try:
    RESULT = f(np.array([2.7]), np.zeros(1))
except IndexError:
    RESULT = "no such element"
""",
    "one element is stored to a whole row": """
def f(x, out):
    for i in range(len(x)):
        out[i] = np.array([x[i]])
    return out
RESULT = f(np.array([2.7, 3.9]), np.zeros((2, 3)))
""",
    "a row has another length": """
def f(x, out):
    for i in range(len(x)):
        out[i] = x[i] * 2
    return out
RESULT = f(np.ones((2, int("1"))), np.zeros((2, int("3"))))
""",
    "too many elements are unpacked": """
def f(x, out):
    for i in range(len(out)):
        a, b = x[i]
        out[i] = a + b
    return out
try:
    RESULT = f(np.ones((3, 3)), np.zeros(3))
except ValueError:
    RESULT = "too many"
""",
    "an extreme of nothing": """
def f(x, out):
    for i in range(len(out)):
        out[i] = np.max(x[i])
    return out
try:
    RESULT = f(np.zeros((2, int("0"))), np.ones(2))
except ValueError:
    RESULT = "of nothing"
""",
    "a mean of nothing": """
def f(x, out):
    for i in range(len(out)):
        out[i] = np.mean(x[i])
    return out
RESULT = f(np.zeros((2, int("0"))), np.ones(2))
""",
    "a slice of fewer elements than it names": """
def f(x):
    return x[:3] * 2
RESULT = f(np.ones(int("2")))
""",
    "a slice starts at a negative number": """
def f(x, k):
    return x[k:] * 2
RESULT = f(np.arange(3.0), int("-10"))
""",
    "a loop changes the bounds of the loop inside": """
def f(c):
    for i in range(c.shape[0]):
        m = c[0, 0]
        for j in range(m):
            c[i, j] = 1
    return c
RESULT = f(np.full((3, 3), 3))
""",
    "bounds of a loop inside that no round computes": """
def f(c, idx, n):
    for i in range(n):
        m = idx[0] + 1 // n
        for j in range(m):
            c[i, j] = 1
    return c
RESULT = f(np.full((3, 3), 3), np.zeros(int("0"), int), int("0"))
""",
    "one array is handed in twice": """
def f(a, b):
    for i in range(1, len(a)):
        b[i] = a[i - 1] + 2
    return b
x = np.arange(5.0)
RESULT = f(x, x)
""",
    "one array is handed in twice, and swapped": """
def f(u, v):
    for _ in range(3):
        for i in range(1, u.shape[0] - 1):
            v[i] = u[i - 1] + u[i + 1]
        u, v = v, u
    return u
x = np.arange(6.0)
RESULT = f(x, x)
""",
    "methods of objects change what a loop loads": """
K = 0
class C:
    def __getitem__(self, i):
        global K
        K = K + 1
        return 1.0
    def __add__(self, other):
        return self[0]
    def __len__(self):
        return int(self[0])
    def __str__(self):
        return str(self[0])
def g(n):
    global K
    for i in range(n):
        K = K + 1
        yield i
def f(c, out):
    for i in range(4):
        out[i, 0] = c[i] * K
    for i in range(4):
        out[i, 1] = (c + i) * K
    for i in range(4):
        out[i, 2] = len(c) * K
    for i in range(4):
        v = f"{c}"
        out[i, 3] = K
    for i in g(4):
        out[i, 4] = K
    for i, v in zip(g(4), out):
        out[i, 5] = K
    return out
RESULT = f(C(), np.zeros((4, 6)))
""",
    "what is compared changes what a chain reads": """
class P:
    def __init__(self, x):
        self.x = x
    def __eq__(self, other):
        self.x[0] = 79
        return True
def f(x):
    y = x * 2
    t = (1, P(x)) == (1, 5)
    return y + t
RESULT = f(np.ones(3))
""",
    "an array changes its shape in a loop": """
def f(x, out):
    for i in range(2):
        out[i] = x.ndim
        x.shape = (x.size,)
    return out
RESULT = f(np.ones((2, 3)), np.zeros(2))
""",
    "an attribute that is not there yet": """
class A:
    def __init__(self):
        self.ready = False
    def start(self):
        self.u = np.ones(3)
        self.ready = True
    def go(self, out):
        for i in range(len(out)):
            if self.ready:
                out[i] = self.u[i]
        return out
a = A()
RESULT = [a.go(np.zeros(3))]
a.start()
RESULT.append(a.go(np.zeros(3)))
""",
}


def rewritten(text: str) -> dict[str, Any]:
    module = lower(text, "sample")
    facts = infer([module])
    for function in module.functions:
        if facts.contexts.get(function):
            canonicalise(function, facts.contexts[function], check_independent)
            check(function, nested=False)
    namespace: dict[str, Any] = {"__name__": "sample"}
    Interpreter(module, namespace).run()
    return namespace


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_rewritten_computes_the_same(name, monkeypatch):
    text = START + PROGRAMS[name]
    expected: dict[str, Any] = {"__name__": "sample"}
    exec(text, expected)
    backwards = SimpleNamespace(product=lambda *axes: [*itertools.product(*axes)][::-1])
    monkeypatch.setattr(elements, "itertools", backwards)
    try:
        result = rewritten(text)["RESULT"]
    except NeedFailed:
        return  # a port runs the original instead
    assert repr(result) == repr(expected["RESULT"])


def test_a_function_that_reads_names_of_another_file_is_not_written_out():
    files = {
        "sample": "from lib import scaled\nK = 2.0\ndef f(x, out):\n    for i in range(len(x)):\n"
        "        out[i] = scaled(x[i])\nimport numpy as np\nf(np.ones(3), np.ones(3))\n",
        "lib": "K = 3.0\ndef scaled(v):\n    return v * K\n",
    }
    facts = infer([lower(text, name) for name, text in files.items()])
    function = next(function for function in facts.contexts if function.name == "f")
    (loop,) = [op for op in walk(function.body) if op.kind == "For"]
    assert inline_calls(function, facts.contexts[function], loop) == 0


# -- loops that never run, code that is watched, and what is left as it was


NEVER_RUNS = {
    "a name of the module that is not there yet": """
def f(x, out):
    for i in range(len(x)):
        out[i] = x[i] * LATER
    return out
RESULT = f(np.zeros(int("0")), np.zeros(2))
LATER = np.float64(2.0)
f(np.ones(2), np.zeros(2))
""",
    "a name of the module that is gone": """
W = np.arange(3.0)
def f(x, out):
    for i in range(len(x)):
        out[i] = x[i] * W[i]
    return out
f(np.ones(2), np.zeros(2))
del W
RESULT = f(np.zeros(int("0")), np.zeros(2))
""",
    "an attribute that is not there yet": """
class A:
    def __init__(self):
        self.n = int("0")
    def start(self):
        self.u, self.n = np.ones(3), 3
    def go(self, out):
        for i in range(self.n):
            out[i] = self.u[i]
        return out
a = A()
RESULT = [a.go(np.zeros(3))]
a.start()
RESULT.append(a.go(np.zeros(3)))
""",
    "a variable of the function around it": """
def outer(n):
    def f(x, out):
        for i in range(len(x)):
            out[i] = x[i] * scale
        return out
    first = f(np.zeros(n), np.zeros(2))
    scale = 3.0
    return first, f(np.ones(2), np.zeros(2))
RESULT = outer(int("0"))
""",
    "an element that only the outer loop reads": """
def f(x, out, n):
    for i in range(n):
        t = x[i]
        for j in range(out.shape[1]):
            out[i, j] = t
    return out
try:
    RESULT = f(np.ones(2), np.zeros((5, int("0"))), int("5"))
except IndexError:
    RESULT = "no such element"
""",
}


@pytest.mark.parametrize("name", NEVER_RUNS)
def test_what_a_loop_that_never_runs_does_not_read(name):
    text = START + NEVER_RUNS[name]
    expected: dict[str, Any] = {"__name__": "sample"}
    exec(text, expected)
    assert repr(rewritten(text)["RESULT"]) == repr(expected["RESULT"])


WATCHED = {
    "a block": "with np.errstate(divide='raise'):\n    f(x, y)",
    "a block of a caller": "def g():\n    f(x, y)\nwith np.errstate(all='raise'):\n    g()",
    "from then on": "np.seterr(all='raise')\nf(x, y)",
    "from then on, elsewhere": "def begin():\n    np.seterr(over='call')\nbegin()\nf(x, y)",
    "a handler": "np.seterrcall(print)\nf(x, y)",
    "what nothing tells": "how = input()\nwith np.errstate(all=how):\n    f(x, y)",
    "warnings that are kept": "with warnings.catch_warnings(record=True) as w:\n    f(x, y)",
    "warnings that raise": "warnings.simplefilter('error')\nf(x, y)",
    "a filter that raises": "warnings.filterwarnings(action='error')\nf(x, y)",
    "a test": "with pytest.warns(RuntimeWarning):\n    f(x, y)",
    "a manager that is entered by hand": "e = np.errstate(all='raise')\ne.__enter__()\nf(x, y)",
}
NOT_WATCHED = {
    "warnings that are put off": "with np.errstate(divide='ignore', over='ignore'):\n    f(x, y)",
    "what NumPy does by itself": "with np.errstate(all='warn'):\n    f(x, y)",
    "from then on": "np.seterr(all='ignore')\nf(x, y)",
    "no warnings": "with warnings.catch_warnings():\n    warnings.simplefilter('ignore')\n"
    "    f(x, y)",
    "another block": "with np.errstate(all='raise'):\n    len(x)\nf(x, y)",
}
WATCHED_PROGRAM = """import numpy as np
import pytest
import warnings
def f(a, b):
    c = a / b + 1
    for i in range(len(a)):
        b[i] = a[i] / b[i]
    return c
x, y = np.ones(9), np.zeros(9)
"""


def left_of(text: str) -> tuple[int, list[str]]:
    """How many maps a function ``f`` has, and why the rest of its loops and chains stay."""
    module = lower(text, "sample")
    facts = infer([module])
    (function,) = [one for one in module.functions if one.name == "f"]
    made = canonicalise(function, facts.contexts[function], check_independent)
    return len(made.regions), [left.reason for left in made.left]


@pytest.mark.parametrize("name", WATCHED)
def test_what_is_watched_for_errors_stays(name):
    maps, reasons = left_of(WATCHED_PROGRAM + WATCHED[name] + "\n")
    assert not maps
    assert all("asks to be told of errors" in reason for reason in reasons)


@pytest.mark.parametrize("name", NOT_WATCHED)
def test_what_nobody_watches_is_a_map(name):
    assert left_of(WATCHED_PROGRAM + NOT_WATCHED[name] + "\n")[0] == 2


def test_a_loop_is_watched_in_its_own_function():
    text = WATCHED_PROGRAM.replace("    for i", "    with np.errstate(all='raise'):\n     for i")
    maps, reasons = left_of(text + "f(x, y)\n")
    assert (maps, len(reasons)) == (1, 1)


REFUSED = {
    "goes on early": """
def f(x, out):
    s = 0.0
    for i in range(len(x)):
        if x[i] < 0:
            continue
        s = s * x[i] + 1
    return s
f(np.ones(3), np.ones(3))
""",
    "calls small functions": """
def twice(v):
    return v * 2
def f(x, out):
    for i in range(1, len(x)):
        x[i] = twice(x[i - 1])
    return x
f(np.ones(3), np.ones(3))
""",
    "reads names of the module": """
K = 2.0
def f(x, out):
    for i in range(1, len(x)):
        x[i] = x[i - 1] * K
    return x
f(np.ones(3), np.ones(3))
""",
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_loop_that_stays_is_as_it_was(name):
    module = lower(START + REFUSED[name], "sample")
    facts = infer([module])
    (function,) = [one for one in module.functions if one.name == "f"]
    before, types = render(function), [dict(one.types) for one in facts.contexts[function]]
    made = canonicalise(function, facts.contexts[function], check_independent)
    assert made.left
    assert not made.regions
    assert render(function) == before
    assert [one.types for one in facts.contexts[function]] == types


def test_a_map_that_nobody_checked_is_not_put_in():
    text = (
        START
        + "def f(a):\n    for i in range(1, len(a)):\n        a[i] = a[i - 1]\nf(np.ones(3))\n"
    )
    module = lower(text, "sample")
    facts = infer([module])
    (function,) = [one for one in module.functions if one.name == "f"]
    loop = next(op for op in walk(function.body) if op.kind == "For")
    region = map_of_nest(function, facts.contexts[function], loop)
    with pytest.raises(ValueError, match="nobody knows"):
        region.put_in()
    with pytest.raises(Blocked):
        check_independent(region)
    with pytest.raises(ValueError, match="nobody knows"):
        region.put_in()
