"""Sums whose terms cancel: as far as another order moves them, and no further."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from gpuport.verify.execution.reductions import reductions_moved
from gpuport.verify.records import Verdict
from gpuport.verify.sides.sides import Side

PULL = """
def pull(pos: np.ndarray, mass: np.ndarray):
    pos, mass = np.abs(pos.ravel()).astype(int) % 9, np.abs(mass.ravel()).astype(int) + 1
    d = pos - pos[:, None]
    terms = d * (d**2 + 0.3) ** -1.5
    return (terms[..., None] * mass[:1]).sum(axis=1)
"""


def test_an_order_of_terms_that_cancel_is_free(verify: Any) -> None:
    port = '@device("pos", "mass")\n' + PULL.replace("np.a", "cp.a").lstrip()
    port = port.replace("(terms[..., None] * mass[:1])", "(terms[:, ::-1, None] * mass[:1])")
    found = verify(PULL, port)["pull"]
    assert found.verdict is Verdict.EQUIVALENT, found
    found = verify(PULL, port.replace("0.3", "0.3000000001"))["pull"]
    assert found.verdict is Verdict.DIFFERS, found


def moved(folder: Path, text: str, *given: Any) -> tuple[Any, Any]:
    """What a function gives plainly, and with its sums moved up."""
    file = folder / "module.py"
    file.write_text(f"import numpy as np\n{text}")
    side = Side(folder, "module", file, folder)
    with side.entered():
        side.load()
        assert side.module is not None
        plain = side.module.f(*given)
        with reductions_moved(side, 0):
            return plain, side.module.f(*given)


def test_a_sum_moves_by_a_rounding_of_its_terms(tmp_path: Path) -> None:
    terms = np.array([1e6 + 0.1, -1e6, 0.25])
    plain, other = moved(tmp_path, "def f(x): return x.sum()\n", terms)
    assert 1e-10 < other - plain < 1e-9
    plain, other = moved(tmp_path, "def f(x): return x.sum()\n", terms.round())
    assert other == plain == 0


def test_products_and_methods_of_others(tmp_path: Path) -> None:
    text = """
class Own:
    def __init__(self): self.calls = 0
    def sum(self):
        self.calls += 1
        return 0.5
def f(a, b):
    own = Own()
    return a @ b, np.einsum("ij,j->i", a, b), own.sum(), own.calls
"""
    a, b = np.array([[1e6 + 0.1, -1e6]]), np.array([1.0, 1.0])
    plain, other = moved(tmp_path, text, a, b)
    for k in range(2):
        assert 1e-10 < (other[k] - plain[k])[0] < 1e-9
    assert other[2] == np.nextafter(0.5, 1)
    assert other[3] == plain[3] == 1


def test_powers_of_complex_numbers_err_as_by_logarithms(tmp_path: Path) -> None:
    text = "def f(z, n):\n    return z ** n\n"
    z = np.array([2e7 + 3j, 0.5 - 0.25j])
    plain, other = moved(tmp_path, text, z, 3)
    units = np.abs(other - plain) / np.spacing(np.abs(plain))
    assert units[0] > 20
    assert units[1] < 8
    for values, exponent in ((np.array([2e7, 0.5]), 3), (np.array([5, 7]), 2), (1.5 + 0j, 2)):
        plain, other = moved(tmp_path, text, values, exponent)
        assert np.array_equal(plain, other)


def test_newton_steps_by_powers_of_complex_numbers_agree(verify: Any) -> None:
    original = """
    def f(x: np.ndarray):
        for _ in range(20):
            x = x - (x ** 3 - 2) / (3 * x ** 2)
        return x
    """
    port = original.replace("x ** 3", "np.exp(3 * np.log(x + 0j))")
    port = port.replace("for _", "if x.dtype.kind != 'c':\n            return g(x)\n        for _")
    port += original.replace("def f", "def g")
    found = verify(original, port)["f"]
    assert found.verdict is not Verdict.DIFFERS, found
    found = verify(original, port.replace("3 * np.log", "3.000001 * np.log"))["f"]
    assert found.verdict is Verdict.DIFFERS, found


def test_what_a_loop_adds_up_moves_at_each_step(tmp_path: Path) -> None:
    text = """
def f(x, n):
    total, count, rows, bins = 0.1, 0.0, x * 0, np.zeros(2)
    k = np.arange(n) % 2
    for i in range(n):
        total += x[0]
        count += 1
        rows += x
        bins[k[i]] -= 0.1
    j = 0
    while j < n:
        total -= 0.01
        j += 1
    total += 1.0
    return total, count, rows, bins, j
"""
    plain, other = moved(tmp_path, text, np.array([0.1]), 50)
    assert 50 < (other[0] - plain[0]) / np.spacing(plain[0]) <= 100
    assert other[1] == plain[1] == 50
    assert other[2] == plain[2]
    assert (other[3] != plain[3]).all()
    assert other[4] == plain[4] == 50


ADDED = """
def total(n: int, step: float):
    found = 0.0
    for i in range(abs(n) % 600 + 300):
        found += float(step)
    return found * 3.0
"""


def test_terms_that_are_alike_err_to_one_side(verify: Any) -> None:
    port = ADDED.strip().replace(
        "for i in range(abs(n) % 600 + 300):\n        found += float(step)",
        "found += float(cp.full(abs(n) % 600 + 300, float(step)).sum())",
    )
    found = verify(ADDED, port)["total"]
    assert found.verdict is Verdict.EQUIVALENT, found
    found = verify(ADDED, port.replace("3.0", "3.000000001"))["total"]
    assert found.verdict is Verdict.DIFFERS, found


def test_a_quotient_of_whole_numbers_moves_where_it_is_rounded(tmp_path: Path) -> None:
    text = "def f(a, b, c): return a / b, 3 / 4, 1 / 3, a / c, 2**70 / 3\n"
    given = np.array([1, 2, 5]), np.array([3, 4, -7]), np.array([1.0, 3.0, 7.0])
    plain, other = moved(tmp_path, text, *given)
    assert (other[0] > plain[0]).tolist() == [True, False, True]
    assert other[1] == plain[1] == 0.75
    assert type(other[2]) is float
    assert other[2] > plain[2]
    assert (other[3] == plain[3]).all()


def test_what_a_share_leaves_may_be_rounded_otherwise(verify: Any) -> None:
    original = """
    def survival(x: np.ndarray):
        values, counts = np.unique(x, return_counts=True)
        return values, 1 - np.cumsum(counts) / x.size
    """
    port = """
    @device("x")
    def survival(x: np.ndarray):
        values, counts = cp.unique(x, return_counts=True)
        return values, (x.size - cp.cumsum(counts)) / x.size
    """
    found = verify(original, port)["survival"]
    assert found.verdict is Verdict.EQUIVALENT, found
    found = verify(original, port.replace("(x.size - ", "(x.size + 1 - "))["survival"]
    assert found.verdict is Verdict.DIFFERS, found
