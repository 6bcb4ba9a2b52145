"""Casts and copies are worth no transfer, and are made on the side that the data comes from."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port


@pytest.mark.parametrize("change", ["astype(np.float32)", "copy()"])
def test_what_enters_is_changed_before_it_does(change: str):
    text = f"""\
import numpy as np


def project(x: np.ndarray, rng: np.random.Generator):
    weights = rng.normal(size=(300, 3)).{change}
    return np.exp(np.sin(x) * np.cos(x)) @ weights
"""
    assert f"cp.asarray(rng.normal(size=(300, 3)).{change})" in (port(text).after or "")


def test_what_leaves_is_changed_before_it_does():
    text = """\
import numpy as np


def picture(x: np.ndarray, path):
    pixels = np.round(255.0 * np.sin(x) ** 2).astype(np.uint8)
    with open(path, "wb") as file:
        file.write(pixels.tobytes())
"""
    after = port(text).after or ""
    assert "cp.round(255.0 * cp.sin(x) ** 2).astype(np.uint8)" in after
    assert "cp.asnumpy(pixels).tobytes()" in after


def test_nothing_is_moved_for_a_cast_alone():
    text = "import numpy as np\n\n\ndef cast(x: np.ndarray):\n    return x.astype(float)\n"
    assert port(text).after is None


COUNTED = """
import numpy as np

class Chain:
    def __init__(self, n):
        self.visits = np.zeros(n)
        self.weights = np.ones((n, n))

    def count(self, place, by):
        self.visits[place] += by

    def pull(self, place):
        self.weights[place] *= np.exp(-self.weights[place])

chain = Chain(500)
for k in range(10000):
    chain.count(k % 7, 0.5)
    chain.pull(k % 5)
print(chain.visits.sum(), chain.weights.sum())
"""


def test_elements_that_callers_in_loops_name_are_no_work_for_a_device():
    after = port(COUNTED).after or ""
    assert "self.visits = np.zeros(n)" in after
    assert "self.weights = cp.ones((n, n))" in after


@pytest.mark.parametrize("source", ["np.loadtxt(path)", "np.loadtxt(path).copy()"])
def test_a_copy_of_what_enters_is_no_work_beside_which_a_loop_is_little(source: str):
    text = f"""\
import numpy as np


def settle(path):
    x = {source}
    for _ in range(50):
        x = x + 0.1 * np.sin(x) * np.exp(-x)
    return x
"""
    after = port(text).after or ""
    assert f"x = cp.asarray({source})" in after
