"""Chains of operations on whole arrays as maps: the same arrays, laid out the same way."""

from __future__ import annotations

import numpy as np
import pytest

from gpuport.canonicalise.blocked import Blocked
from gpuport.canonicalise.chains import chains_of, map_of_root
from gpuport.facts import infer
from gpuport.ir import Region, check
from gpuport.ir.interpreter import Interpreter
from gpuport.lower import lower

START = "import numpy as np\nrng = np.random.default_rng(0)\n"
CHAINS = {
    "formula of several lines": (
        """
def f(s, k, t):
    a = 0.2 * np.sqrt(t)
    d1 = (np.log(s / k) + 0.05 * t) / a
    d2 = d1 - a
    return s * np.tanh(d1) - k * np.exp(-t) * np.tanh(d2)
RESULT = f(rng.uniform(1, 2, 9), rng.uniform(1, 2, 9), rng.uniform(1, 2, 9))
""",
        1,
    ),
    "two results of one shape": (
        """
def f(x, y):
    c = x * 2 + y
    return c, c - y
RESULT = np.stack(f(rng.random((3, 4)), rng.random(4)))
""",
        2,
    ),
    "a result that is used before the other is made": (
        """
def f(x):
    a = x * 2
    b = np.sort(a)
    return a + b
RESULT = f(rng.random(7))
""",
        2,
    ),
    "slices and transposes": (
        """
def f(x):
    return x[1:, ::2] - x[:-1, 1::2] + (x.T * 1.0).T[1:, ::2]
RESULT = f(rng.random((5, 6)))
""",
        1,
    ),
    "a product, where, clip and comparisons": (
        """
def f(a, b):
    return np.where((a @ b) > 0.5, np.clip(a @ b, 0.1, 0.9), -1.0) * ~(a @ b < 0.2)
RESULT = f(rng.random((3, 4)), rng.random((4, 3)))
""",
        1,
    ),
    "means and columns": (
        """
def f(x):
    m = x.mean(axis=0)
    return (x - m) / np.sqrt(np.sum((x - m) ** 2, axis=0) / x.shape[0])
RESULT = f(rng.random((6, 3)))
""",
        2,
    ),
    "a store between two chains": (
        """
def f(x):
    a = x * 2
    x[0] = 100.0
    b = x * 3
    return a + b
RESULT = f(rng.random(5))
""",
        2,
    ),
}


def rewrite(text: str):
    module = lower(text, "sample")
    facts = infer([module])
    (function,) = (f for f in module.functions if f.name == "f")
    made, left = [], []

    def visit(region: Region) -> None:
        for chain in chains_of(function, facts.contexts[function], region):
            for root in chain.roots():
                try:
                    found = map_of_root(chain, root)
                except Blocked as blocked:
                    left.append(blocked.reason)
                else:
                    found.put_in()
                    made.append(found)
            chain.sweep()
        for op in region.ops:
            for inner in op.regions:
                visit(inner)

    visit(function.body)
    check(function, nested=False)
    namespace = {"__name__": "sample"}
    Interpreter(module, namespace).run()
    return made, left, namespace["RESULT"]


@pytest.mark.parametrize("name", CHAINS)
def test_chains_compute_the_same(name):
    text, roots = CHAINS[name]
    made, left, result = rewrite(START + text)
    expected: dict = {}
    exec(START + text, expected)
    np.testing.assert_allclose(result, expected["RESULT"], rtol=1e-12)
    assert len(made) == roots, left


def test_memory_order_that_a_caller_may_see_is_kept():
    text = """
def f(x):
    return (x * 2).ravel("K")
RESULT = f(np.asfortranarray(rng.random((3, 4))))
"""
    made, left, result = rewrite(START + text)
    expected: dict = {}
    exec(START + text, expected)
    np.testing.assert_array_equal(result, expected["RESULT"])
    assert not made
    assert "memory order" in left[0]
