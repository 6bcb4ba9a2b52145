"""What functions of the host do with the arrays that they are given."""

import pytest
from tests.analysis.conftest import GUARD, analysed, on_device

PROGRAM = """
import numpy as np


def main(n=40):
    rng = np.random.default_rng(0)
    x = np.zeros(n)
    for i in range(5):
        x += np.exp(x - i)
    {draw}
    np.save("x.npy", y)
"""


@pytest.mark.parametrize(
    ("draw", "ported"),
    [
        ("y = rng.poisson(x)", True),
        ("y = rng.normal(loc=x, scale=2.0)", True),
        ("y = rng.random(40, out=x)", False),
        ("y = rng.random(40, np.float64, x)", False),
        ("y = rng.poisson(*[x])", False),
    ],
)
def test_draws_change_what_they_are_given_to_write_to(draw: str, ported: bool):
    assert on_device(analysed(PROGRAM.replace("{draw}", draw), GUARD), "numpy.exp") == ported


PAIRS = """
from itertools import chain, combinations, pairwise, product
from elsewhere import chosen
import numpy as np


def main(n=40):
    x = np.zeros(n)
    for i in range(5):
        x += np.exp(x - i)
    print(sum(x[i] == x[j] for i, j in {pairs}))
    print(np.sqrt(x).sum())
"""


@pytest.mark.parametrize(
    ("pairs", "on_the_device"),
    [
        ("combinations(range(len(x)), 2)", False),
        ("product(range(3), range(len(x)))", False),
        ("pairwise(chain(range(3), [7, 9]))", False),
        ("combinations(chosen(), 2)", True),  # rows, perhaps
    ],
)
def test_what_is_combined_of_numbers_picks_elements(pairs: str, on_the_device: bool):
    project = analysed(PAIRS.replace("{pairs}", pairs), GUARD)
    assert on_device(project, "numpy.exp") == on_the_device
