"""Functions that round otherwise, on their way or in what they are given."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.verify.sides.test_circumstances import module

from gpuport.verify.records import Verdict
from gpuport.verify.sides.rounding import SCATTERED, functions_moved, move


def test_library_functions_round_otherwise_and_exact_ones_do_not() -> None:
    made = module(
        "import numpy as np\nfrom numpy import exp\ndef f(x):\n"
        "    return np.sin(x), exp(x), np.sqrt(x), np.add(x, 1.0), np.add.reduce(x)\n"
    )
    x = np.linspace(0.1, 1.0, 9)
    with functions_moved({"made": made}, 1):
        moved = made.f(x)
    plain = made.f(x)
    assert (moved[0] == np.nextafter(plain[0], np.inf)).all()
    assert (moved[1] == np.nextafter(plain[1], -np.inf)).all()
    assert all((a == b).all() for a, b in zip(moved[2:4], plain[2:4], strict=True))
    assert moved[4:] == plain[4:]


def test_large_terms_that_cancel_may_differ_by_their_rounding(verify: Any) -> None:
    original = """
    def f(x: np.ndarray):
        y = np.abs(x) + 700.0
        return np.exp(y) - np.exp(y - 1e-15 * y) - np.exp(y + 1.0) * 1e-17
    """
    port = original.replace("np.exp(y) -", "np.exp(y) * (1 - 2.0**-53) -")
    # all that is left of them is rounding, which is no evidence either
    found = verify(original, port)["f"]
    assert found.verdict is Verdict.UNTESTED, found
    assert "ill-conditioned" in found.reason


def test_solvers_and_complex_results_are_moved_too() -> None:
    made = module(
        "import numpy as np\nfrom numpy.linalg import inv\n"
        "def f(a, z):\n    return inv(a), np.linalg.inv(a), np.exp(z)\n"
    )
    a, z = np.array([[3.0, 1.0], [1.0, 7.0]]), np.array([0.3 + 0.7j])
    plain = made.f(a, z)
    for pattern in (0, 4):  # results, and what is given
        with functions_moved({"made": made}, pattern):
            moved = made.f(a, z)
        for one, other in zip(plain, moved, strict=True):
            assert (one != other).any()
            np.testing.assert_allclose(one, other, rtol=1e-14)
    assert all((x == y).all() for x, y in zip(plain, made.f(a, z), strict=True))


def test_what_a_solver_is_given_moves_by_element_as_its_condition_has_it() -> None:
    made = module("import numpy as np\ndef f(a, b):\n    return np.linalg.solve(a @ a.T, b)\n")
    a, b = np.vander(np.linspace(1.0, 2.0, 5)), np.ones(5)
    plain, condition = made.f(a, b), np.linalg.cond(a @ a.T)
    moves = []
    for pattern in (4, 5):
        with functions_moved({"made": made}, pattern):
            moves.append(np.abs(made.f(a, b) / plain - 1).max())
    # a matrix that moves as a whole, with the right side, would leave the solution where it is
    assert min(moves) > 1e-19 * condition
    assert max(moves) < 1e-14 * condition
    assert moves[0] != moves[1]


def test_elements_go_their_own_ways_in_the_last_patterns() -> None:
    made = module("import numpy as np\ndef f(a):\n    return np.exp(a), np.linalg.cholesky(a)\n")
    a = np.eye(6) * 3 + 0.3
    plain, ways = made.f(a), set()
    for pattern in (SCATTERED, SCATTERED + 2):
        with functions_moved({"made": made}, pattern):
            moved, factor = made.f(a)
        steps = np.sign(moved - plain[0])
        assert set(steps.ravel()) == {-1.0, 1.0}
        assert 0 < np.abs(factor - plain[1]).max() < 1e-14
        ways.add(steps.tobytes())
    assert len(ways) == 2


@pytest.mark.parametrize("size", [0.5, 7.5, 15.0])
def test_the_exponential_of_a_matrix_errs_by_its_scaling(size: float) -> None:
    made = module("from scipy.linalg import expm\ndef f(a):\n    return expm(a)\n")
    a = np.array([[0.0, -size], [-size, 0.0]])
    wanted, plain, moves = np.cosh(size), made.f(a)[0, 0], []
    for pattern in range(4):
        with functions_moved({"made": made}, pattern):
            moves.append(abs(made.f(a)[0, 0] - plain))
    assert abs(wanted - plain) <= 8 * max(moves)
    assert max(moves) < 1e-10 * plain


def test_the_largest_number_is_not_rounded_to_infinity() -> None:
    largest = np.finfo(float).max
    for by in (1, -1, np.random.default_rng(0)):
        values = np.array([largest, np.inf, -np.inf, 0.0, 1.0])
        move(values, by)
        assert np.isfinite(values[0])
        assert (values[1:4] == [np.inf, -np.inf, 0.0]).all()
        assert values[4] != 1.0


def test_what_is_cut_off_at_the_largest_number_is_compared(verify: Any) -> None:
    text = (
        "def f(x: 'Float[np.ndarray, \"n\"]'):\n"
        "    return np.log(np.clip(x, 1e-9, np.finfo(x.dtype).max)) / x"
    )
    port = text.replace("np.clip(x, 1e-9, np.finfo(x.dtype).max)", "np.maximum(x, 1e-9)")
    assert verify(text, port)["f"].verdict is Verdict.DIFFERS
