"""Results that attributes and names of the module are unpacked from cross once, where they are
stored, as a single one does."""

from __future__ import annotations

from tests.passes.conftest import port

RULE = """\
import numpy as np
{above}

class Rule:
    def __init__(self, n):
        {made}
        self.n = n
{methods}
    def apply(self, values):
        return np.exp(values * self.x) + np.sqrt(self.x**2 + values)

    def weigh(self, values):
        return np.sum(np.sin(values) * self.w) + np.sum(self.w)


rule = Rule(1000)
for k in range(50):
    values = np.linspace(0, 1, rule.n) + k
    print(rule.weigh(rule.apply(values)))
"""
GAUSS = "np.polynomial.legendre.leggauss(n)"


def ported(made: str, above: str = "", methods: str = "") -> str:
    return port(RULE.format(made=made, above=above, methods=methods)).after or ""


def test_attributes_unpacked_from_a_result_are_uploaded_once():
    after = ported(f"self.x, self.w = {GAUSS}")
    assert f"        self.x, self.w = map(cp.asarray, {GAUSS})\n" in after
    assert after.count("asarray") == 1


def test_what_a_function_of_the_host_gives_is_uploaded_once():
    above = """from scipy.special import roots_jacobi


def parts(n):
    if n > 3:
        return np.polynomial.legendre.leggauss(n)
    return roots_jacobi(n, 0.5, 0.5)

"""
    after = ported("self.x, self.w = parts(n)", above)
    assert "        self.x, self.w = map(cp.asarray, parts(n))\n" in after
    assert after.count("asarray") == 1


def test_an_attribute_may_be_unpacked_beside_a_name():
    after = ported(f"x, self.w = {GAUSS}\n        self.x = x")
    assert f"        x, self.w = map(cp.asarray, {GAUSS})\n" in after
    assert after.count("asarray") == 1


def test_a_property_is_set_once():
    methods = """
    @property
    def w(self):
        return self._w

    @w.setter
    def w(self, value):
        self._w = value
        self.n += 1

"""
    after = ported(f"self.n = n\n        self.x, self.w = {GAUSS}", methods=methods)
    assert "self.w = cp.asarray(self.w)" not in after


def test_names_of_the_module_unpacked_in_a_function_are_uploaded_once():
    text = f"""\
import numpy as np

X = W = None


def prepare(n):
    global X, W
    X, W = {GAUSS}


def apply(values):
    return np.sum(W * np.exp(values * X) + np.sqrt(X**2 + values))


prepare(1000)
for k in range(50):
    print(apply(np.linspace(0, 1, 1000) + k))
"""
    after = port(text).after or ""
    assert f"    X, W = map(cp.asarray, {GAUSS})\n" in after
    assert after.count("asarray") == 1
