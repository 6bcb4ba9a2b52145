"""Claims that were once wrong of small programs, tested on the values of their runs."""

from __future__ import annotations

import pytest

from gpuport.facts import infer
from gpuport.facts.claims import check_claims
from gpuport.lower import lower

PROGRAMS = {
    "copies of lists grow": """
a = [1, 2]
b = a[:]
c = a.copy()
d, *e = a
for copied in (b, c, e):
    copied.append(2.5)
    for v in copied:
        print(v)
f = np.split(np.arange(4.0), 2)
f.append(np.zeros((2, 2)))
for v in f:
    print(v)
""",
    "a method of a list goes to a library": """
import functools
a = [1]
functools.partial(a.append)(2.5)
for v in a:
    print(v)
""",
    "arrays get another shape in place": """
class A:
    def __init__(self, u):
        self.u = u
    def go(self):
        self.u.shape = (2, 3)
def turn(a):
    a.shape = (2, 3)
x, y, z, w = np.zeros(6), np.zeros(6), np.zeros(6), np.zeros(6)
x.resize((2, 3), refcheck=False)
turn(y)
A(z).go()
held = dict(w=w)
held["w"].shape = (2, 3)
print(x + 1, y + 1, z + 1, w + 1)
""",
    "an unknown object may be any array": """
x = np.zeros(6)
dict(x=x)["x"].shape = (2, 3)
y = x + 1
""",
    "attributes are stored by name": """
class A:
    def __init__(self):
        self.x = self.y = 1
        self.__dict__["x"] = 2.5
        super().__setattr__("y", 2.5)
a = A()
v, w = a.x, a.y
""",
    "a class looks its attributes up in its own way": """
class A:
    def __init__(self):
        self.x = 1
    def __getattribute__(self, name):
        return 2.5
class Half:
    def __get__(self, obj, cls):
        return 0.5
class B:
    y = Half()
v, w = A().x, B().y
""",
    "of several bases the first is not the one": """
class A:
    def f(self):
        return 1
class B(A):
    pass
class C(A):
    def f(self):
        return 2.5
class D(B, C):
    pass
v = D().f()
""",
    "dataclasses derive": """
from dataclasses import dataclass, field
from typing import ClassVar
@dataclass
class A:
    c: ClassVar[int] = 3
    x: int = 0
@dataclass
class B(A):
    y: float = 1
class C(B):
    pass
@dataclass
class D:
    a: int = field(init=False, default=0)
    b: int = 0
b, c, d = B(1, 2.5), C(2.5), D(2.5)
v, w, u, t, s = b.x, b.y, c.x, d.a, d.b
""",
    "defaults are set anew": """
def f(a, b=1):
    return b
def g(a, *, b=1):
    return b
f.__defaults__, g.__kwdefaults__ = (2.5,), {"b": 2.5}
v, w = f(0), g(0)
""",
    "a name is a built-in before and after": """
before = sum
sum = 5
max = 3
del max
after = max
""",
    "sizes that are not negative": """
k, none, few = int("-3"), int("0"), int("2")
a, b, c = np.arange(k), np.diff(np.ones(none)), np.hanning(k)
d, e = np.convolve(np.ones(few), np.ones(3), "same"), np.convolve(np.ones(few), np.ones(3), "valid")
f, g = np.ones((2, 3)).reshape(k + 2), np.polymul(np.array([0.0, 0.0, 1.0]), np.array([1.0, 2.0]))
""",
    "a text and something else": """
class R:
    def __radd__(self, other):
        return 2.5
v, w = "x" + R(), "x" + np.array(["a", "b"])
""",
    "fields that a dataclass makes": """
from dataclasses import dataclass, field
def start():
    return np.ones(3)
@dataclass
class A:
    x: np.ndarray = field(default_factory=start)
    y: list = field(default_factory=lambda: [1.0])
    z: float = field(default=0.5)
    w: object = field(default_factory=dict)
@dataclass
class B(A):
    x: object = 2.5
    v: np.ndarray = field(default_factory=lambda: np.zeros((2, 2)))
a, b, c = A(), B(), A(np.ones((4, 4)))
a.y.append("text")
print(a.x + 1, b.x + 1, c.x, a.y[0], a.z, a.w, b.v * 2, b.y)
a.v = 3
""",
    "lists of other lists' items": """
a = [1.0] * 3
b = a + [2] * 2
c = [a] * 2
d = b + a
a.append("text")
c[0].append(None)
e = [0.0] * int("2") + [1]
b *= 2
f = np.array(d[:3])
for one in (a, b, c, d, e):
    for v in one:
        print(v)
g = (1, 2.5) + (3,)
h = g * 2
i, j = g[:2]
k, m = (1, "x", 2.5)[::2]
n, o = np.ones((2, 3, 4)).shape[-2:]
p = np.ones((n, o))
""",
    "elements that share memory": """
x = np.broadcast_to(np.ones(4), (3, 4))[:, 0]
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_claims_hold(name, capsys):
    facts = infer([lower("import numpy as np\n" + PROGRAMS[name], "__main__")])
    assert check_claims(facts, {"__name__": "__main__"}).wrong == []


def test_what_a_callee_assumes_is_told_in_symbols_of_its_caller(known):
    facts = known("""
import numpy as np
def inner(x):
    return x[1:-1]
def outer(u):
    return inner(u)
outer(np.ones(int(input())))
""")
    (needed,) = facts.result("outer").assumed
    (symbol,) = needed.test[0].symbols
    assert symbol.source in facts.function("outer").parameters


NAMES = {
    "late": {"main": "n = 1\nfrom a import *\n", "a": "n = 2.5\n"},
    "tried": {
        "main": "try:\n    from a import *\nexcept ImportError:\n    from b import *\n",
        "a": "n = 2.5\n",
        "b": "n = 1\n",
    },
    "of another": {
        "main": "from a import *\nn = abs(1)\n",
        "a": "from b import *\n",
        "b": "abs = float",
    },
    "by a module": {
        "main": "import a\nn = a.n\n",
        "a": "n = 1\nfrom b import *\n",
        "b": "n = 2.5\n",
    },
    "patched": {"main": "import builtins\nbuiltins.len = float\nn = len('1')\n"},
}


@pytest.mark.parametrize("name", NAMES)
def test_a_name_may_come_from_elsewhere(name, known):
    files = NAMES[name]
    facts = known(files | {"main": files["main"] + "def f():\n    return n\nf()\n"})
    assert facts.result("f").dtype != "int"
