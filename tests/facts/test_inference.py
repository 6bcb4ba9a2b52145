"""What is known of the values of small programs, and on what it rests."""

from __future__ import annotations

import pytest


def test_a_call_tells_types_and_extents(known):
    facts = known("""
import numpy as np
def turned(points, angle):
    R = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return points @ R.T
out = turned(np.ones((7, 2)), 0.3)
""")
    out = facts.named("<module>", "out")
    assert repr(out).startswith("array float64[7, 2]")
    assert not out.assumed


def test_equal_extents_of_arguments_are_asked_and_not_known(known):
    facts = known("""
import numpy as np
def f(a, b):
    return a + b
n = int(input())
print(f(np.zeros(n), np.ones(n)))
""")
    shapes = {facts.named("f", name).shape for name in "ab"}
    assert len(shapes) == 2
    assert facts.result("f").shape in shapes
    assert [assumed.about for assumed in facts.result("f").assumed] == ["equal"]


def test_arrays_that_meet_are_assumed_to_be_equally_long(known):
    facts = known("""
import numpy as np
def f(n, m):
    return np.zeros(n) + np.ones(m)
print(f(int(input()), int(input())))
""")
    assert [a.about for a in facts.result("f").assumed] == ["equal"]


def test_slices_rest_on_a_least_length(known):
    facts = known("""
import numpy as np
def f(n):
    x = np.zeros(n)
    return x[1:-1]
print(f(int(input())))
""")
    (needed,) = facts.result("f").assumed
    assert (needed.about, needed.test[1]) == ("least", 2)


def test_a_function_that_nothing_calls_has_named_assumptions(known):
    facts = known('''
def smooth(image, sigma: float, steps=3):
    """Smooth.

    Parameters
    ----------
    image : (M, N) ndarray
    """
    for _ in range(steps):
        image = image * sigma
    return image
''')
    sources = {a.subject: a.source for a in facts.result("smooth").assumed}
    assert sources["image"] == "the docstring"
    assert facts.named("smooth", "steps").kind == "number"


def test_a_store_to_a_library_makes_its_name_unknown(known):
    facts = known("""
import numpy as np
def f(x):
    return np.sqrt(x)
np.sqrt = lambda v: "no"
print(f(np.ones(3)))
""")
    assert facts.result("f").kind == "unknown"


def test_a_list_that_grows_is_no_longer_its_display(known):
    facts = known("""
import numpy as np
rows = [1.0, 2.0]
rows.append(3.0)
a = np.array(rows)
fixed = [1.0, 2.0]
b = np.array(fixed)
""")
    assert "(2" not in repr(facts.named("<module>", "a"))
    assert facts.named("<module>", "a").rank == 1
    assert repr(facts.named("<module>", "b")) == "array float64[2]"


def test_fields_of_objects_are_known(known):
    facts = known("""
from dataclasses import dataclass
import numpy as np
@dataclass
class Body:
    mass: float
    place: np.ndarray
class Force:
    def __init__(self, strength):
        self.strength = strength
    def on(self, body):
        return self.strength * body.place / body.mass
class Weak(Force):
    pass
print(Weak(2.0).on(Body(3.0, np.zeros((4, 3)))))
""")
    assert repr(facts.result("Force.on")) == "array float64[4, 3]"


def test_an_object_that_goes_elsewhere_is_not_known(known):
    facts = known("""
import numpy as np, other
class Box:
    def __init__(self):
        self.x = np.zeros(3)
b = Box()
other.fill(b)
y = b.x
""")
    assert facts.named("<module>", "y").kind == "unknown"


def test_reflection_reaches_every_class_of_that_attribute(known):
    facts = known("""
import numpy as np, other
class Box:
    x = 1.0
def change(thing):
    thing.x = "text"
change(other.pick())
y = Box().x
""")
    assert facts.named("<module>", "y").kind == "unknown"


def test_numbers_that_may_be_pythons_or_numpys_are_both(known):
    facts = known("""
import numpy as np
def total(x):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
    return s
print(total(np.ones(5, dtype=np.float32)) * np.ones(2, dtype=np.float32))
""")
    assert facts.result("total").kind == "numeric"


def test_a_generator_and_a_closure_are_followed(known):
    facts = known("""
import numpy as np
def rows(a):
    for k in range(3):
        yield a[k] * 2
def scaled(factor):
    def scale(v):
        return v * factor
    return scale
scale = scaled(2.0)
for row in rows(np.ones((3, 5))):
    out = scale(row)
""")
    assert repr(facts.named("<module>", "out")) == "array float64[5]"


def test_files_of_a_program_are_known_to_each_other(known):
    files = {
        "main": "import lib\nfrom pkg import tools\nfrom pkg.tools import *\n"
        "a = lib.make(4)\nb = tools.double(a)\nc = half(b)\nd = SIZE\n",
        "lib": "import numpy as np\ndef make(n):\n    return np.zeros((n, 2))\n",
        "pkg.__init__": "",
        "pkg.tools": "from . import inner\nSIZE = inner.SIZE\n"
        "def double(x):\n    return x * 2\ndef half(x):\n    return x / 2\n",
        "pkg.inner": "SIZE = 7\n",
    }
    facts = known(files)
    for name in "abc":
        assert repr(facts.named("<module>", name)) == "array float64[4, 2]"
    assert facts.named("<module>", "d").number == 7


def test_recursion_ends(known):
    facts = known("""
def fact(n):
    return 1 if n < 2 else n * fact(n - 1)
def endless(n):
    return endless(n + 1)
print(fact(5))
if fact(3) > 100:
    endless(0)
""")
    assert facts.result("fact").kind == "number"


@pytest.mark.parametrize("store", ["a.shape = (3, 2)", "a.dtype = 'int64'"])
def test_an_array_that_gets_another_shape_in_place_is_not_known(known, store):
    facts = known(f"import numpy as np\na = np.zeros(6)\nb = a\n{store}\nc = b.copy()\n")
    assert not facts.named("<module>", "c").shape


def test_a_carried_value_is_not_told_in_names_of_the_round_before(known):
    facts = known("""
import numpy as np
def f(n):
    x = np.zeros(n)
    for k in range(3):
        x = np.append(x, 1.0)
    return x
print(f(int(input())))
""")
    result = facts.result("f")
    inside = facts.function("f").body
    assert all(s.source.definition is not inside for e in result.shape for s in e.symbols)


def test_what_a_class_binds_may_be_made_into_something_else(known):
    found = known("""
from enum import Enum
class M(type):
    def __getattribute__(cls, name): return 3
class A(metaclass=M):
    k = "a"
class B(A):
    m = "a"
class C(Enum):
    n = "a"
class D:
    k = "a"
def f():
    a, b, c, d = A.k, B.m, C.n, D.k
f()
""")
    kinds = [getattr(found.named("f", name), "kind", "") for name in "abcd"]
    assert kinds == ["unknown", "unknown", "unknown", "string"]


def test_what_is_drawn_between_arrays_is_no_number(known):
    found = known("""
import random
import numpy as np
def f(x):
    a, b = random.uniform(x, 1.0), random.uniform(0.0, 1.0)
f(np.ones(3))
""")
    assert [getattr(found.named("f", name), "kind", "") for name in "ab"] == ["unknown", "number"]
