"""Classes that are handed on are followed: what is called where they arrive makes an instance."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

CLASSES = """import numpy as np

TABLE = {}

def kept(cls):
    TABLE[cls.__name__] = cls
    return cls

class Sine:
    def __init__(self, n):
        self.u = np.linspace(0.0, 1.0, n)

    def run(self):
        for _ in range(20):
            self.u = np.sin(self.u) * 1.5
        return self.u.sum()

class Cosine:
    def __init__(self, n):
        self.u = np.linspace(0.0, 2.0, n)

    def run(self):
        for _ in range(20):
            self.u = np.cos(self.u) * 1.5
        return self.u.sum()

def build(make, n):
    return make(n)

def main():
    BODY

main()
"""


def ported(body: str, text: str = CLASSES) -> str:
    return port(text.replace("BODY", body.replace("\n", "\n    "))).after or ""


@pytest.mark.parametrize(
    "body",
    [
        "for make in (Sine, Cosine):\n    print(make(3000).run())",
        "table = {'s': Sine, 'c': Cosine}\nprint([table[k](3000).run() for k in 'sc'])",
        "print(build(Sine, 3000).run(), build(Cosine, 3000).run())",
        "make = Sine if len(TABLE) else Cosine\nprint(make(n=3000).run(), make.__name__)",
    ],
)
def test_their_arrays_stay_on_the_device(body):
    after = ported(body)
    assert "cp.sin(self.u)" in after
    assert "cp.linspace(0.0, 2.0" in after
    assert "cp.asarray" not in after


def test_decorators_that_keep_a_class_are_followed():
    text = CLASSES.replace("class ", "@kept\nclass ")
    after = ported("print([TABLE[k](3000).run() for k in sorted(TABLE)])", text)
    assert "cp.linspace(0.0, 2.0" in after
    assert "cp.asarray" not in after


@pytest.mark.parametrize(
    "body",
    [
        "make = Sine\nmake.run = None\nprint(Sine(9).u)",
        "print(sorted(map(id, [Sine, Cosine])), Sine(3000).run())",
        "print(dict.fromkeys([Sine]), Sine(3000).run())",
    ],
)
def test_a_class_that_goes_out_of_sight_stays_on_the_host(body):
    text = CLASSES.replace("BODY", body.replace("\n", "\n    "))
    found = port(text)
    told = [one.message for one in found.findings if one.code == "GP913"]
    assert any("`Sine`" in one for one in told)
    assert "cp.linspace(0.0, 1.0" not in (found.after or "")


def test_a_parameter_of_the_name_of_a_function_is_no_use_of_it():
    text = """import numpy as np

def kernel(x):
    return np.exp(-x * x)

class Model:
    def __init__(self, kernel, n):
        self.kernel = kernel
        self.x = np.linspace(0.0, 1.0, n)

    def total(self):
        for _ in range(20):
            self.x = self.kernel(self.x) + 0.1
        return self.x.sum()

print(Model(kernel, 3000).total(), kernel(np.ones(3)))
"""
    after = port(text).after or ""
    assert "cp.linspace" in after
    assert "cp.asarray" not in after
