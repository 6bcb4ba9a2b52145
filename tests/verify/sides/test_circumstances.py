"""Guards that refuse, constants and statements that round otherwise, inputs hard to find."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

from gpuport.verify.records import Verdict
from gpuport.verify.sides.circumstances import (
    SCATTERED,
    constants_moved,
    functions_moved,
    statements_moved,
)

GUARDED = """
from gpuport.runtime import launchable

_twice = cp.ElementwiseKernel("float64 x", "float64 y", "y = 2.0 * x + 1.0;", "twice")


@device("x")
def f(x: np.ndarray):
    if launchable(float64=x):
        return _twice(x)
    else:
        return {beside}
"""


@pytest.mark.parametrize(
    ("beside", "verdict"),
    [("2.0 * x + 1.0", Verdict.EQUIVALENT), ("2.0 * x - 1.0", Verdict.DIFFERS)],
)
def test_what_stands_beside_a_kernel_is_run(beside: str, verdict: Verdict, verify: Any) -> None:
    original = "def f(x: np.ndarray):\n    return 2.0 * x.astype(float) + 1.0\n"
    port = GUARDED.format(beside=beside.replace("* x", "* x.astype(float)"))
    assert verify(original, port)["f"].verdict is verdict


def module(text: str) -> ModuleType:
    made = ModuleType("made")
    made.__file__ = "made.py"
    exec(compile(text, "made.py", "exec"), made.__dict__)
    return made


def test_constants_are_moved_by_one_ulp_and_put_back() -> None:
    made = module("C = 0.1\nclass A:\n    def f(self):\n        return C, 0.3, (0.7, 2)\n")
    before = made.A().f()
    with constants_moved({"made": made}, np.random.default_rng(0), 1):
        inside = made.A().f()
    up = [np.nextafter(v, np.inf) for v in (0.1, 0.3, 0.7)]
    assert inside == (up[0], up[1], (up[2], 2))
    assert made.A().f() == before


def test_statements_leave_their_arrays_one_ulp_beside() -> None:
    made = module(
        "import numpy as np\ndef f():\n    x = np.full(50, 0.5)\n    y = np.arange(50)\n"
        "    return x, y\n"
    )
    with statements_moved({"made": made}, np.random.default_rng(0)):
        x, y = made.f()
    apart = np.abs(x - 0.5) / np.spacing(0.5)
    assert 0 < apart.max() <= 8
    assert (y == np.arange(50)).all()


def test_rounding_that_builds_up_without_a_float_input_is_no_difference(verify: Any) -> None:
    original = """
    def f(n: int):
        x = np.linspace(0.1, 0.9, 16)
        for _ in range(40 * abs(n)):
            x = x + 0.01 * (np.roll(x, 1) - 2.0 * x + np.roll(x, -1)) - 0.001 * np.sin(x)
        return x.sum(), x
    """
    port = original.replace(
        "(np.roll(x, 1) - 2.0 * x + np.roll(x, -1))", "((np.roll(x, -1) + np.roll(x, 1)) - 2.0 * x)"
    )
    found = verify(original, port)["f"]
    assert found.verdict is Verdict.EQUIVALENT, found
    wrong = port.replace("0.01 *", "0.0100001 *")
    assert verify(original, wrong)["f"].verdict is Verdict.DIFFERS


def test_faces_and_cells_of_a_grid_fit(verify: Any) -> None:
    original = """
    def f(u, kx, ky, out):
        out[:-1, :] += kx * np.diff(u, axis=0)
        out[:, 1:] -= ky * np.diff(u, axis=1)
        return out.sum(axis=0)
    """
    found = verify(original, original.replace("+= kx *", "+= 2 * kx *"))["f"]
    assert found.verdict is Verdict.DIFFERS
    found = verify(original, original.replace("kx * np.diff(u, axis=0)", "np.diff(u, axis=0) * kx"))
    assert found["f"].verdict is Verdict.EQUIVALENT, found


def test_a_method_that_needs_another_one_first(verify: Any) -> None:
    original = """
    class Scaler:
        def __init__(self):
            self.mean = None

        def fit(self, X: np.ndarray):
            self.mean = X.mean(axis=0)
            return self

        def transform(self, X: np.ndarray):
            return X - self.mean
    """
    verdicts = verify(original, original.replace("X - self.mean", "-self.mean + X"))
    assert verdicts["Scaler.transform"].verdict is Verdict.EQUIVALENT, verdicts
    verdicts = verify(original, original.replace("X - self.mean", "X + self.mean"))
    assert verdicts["Scaler.transform"].verdict is Verdict.DIFFERS


def test_only_programs_may_pass_device_arrays_between_public_functions(verify: Any) -> None:
    original = (
        "def grid(n: int):\n    return np.arange(abs(n)) * 0.5\n\n"
        "def f(n: int):\n    return float(grid(n).sum())\n"
    )
    port = original.replace("np.arange", "cp.arange")
    assert verify(original, port)["grid"].verdict is Verdict.DIFFERS
    guard = "\nif __name__ == '__main__':\n    print(f(3))\n"
    assert verify(original + guard, port + guard)["grid"].verdict is Verdict.EQUIVALENT


SPREAD = """
from gpuport.runtime import launchable

_spread = cp.ElementwiseKernel(
    "float64 x, float64 z", "float64 y", "y = x * 2.0 + z;", "spread"
)


@device("x", "z")
def f(x, z=1.0):
    if launchable(float64=(x, z)):
        return _spread(x, z)
    return x * 2.0 + z
"""


def test_a_kernel_runs_with_what_it_is_made_for(verify: Any) -> None:
    original = "def f(x, z=1.0):\n    return x * 2.0 + z\n"
    assert verify(original, SPREAD)["f"].verdict is Verdict.EQUIVALENT
    found = verify(original, SPREAD.replace("x * 2.0 + z;", "x * 2.0 - z;"))["f"]
    assert found.verdict is Verdict.DIFFERS


STACKED = """
def features(trials, w):
    out = np.empty((len(trials), len(w)))
    for k, t in enumerate(trials):
        out[k] = np.log1p((w @ t).var(axis=1))
    return out
"""

PORT_OF_STACKS = """
from gpuport.runtime import batched

@device("trials", "w")
def features(trials, w):
    out = cp.empty((len(trials), len(w)))
    if batched.stackable({3: trials, 2: out}, fixed={2: w}, writes=out):
        out[:] = cp.log1p((w @ trials).var(axis=2))
    else:
        for k, t in enumerate(trials):
            out[k] = cp.log1p((w @ t).var(axis=1))
    return out
"""


def test_stacks_have_the_axes_that_their_guard_asks_for(verify: Any) -> None:
    verdict = verify(STACKED, PORT_OF_STACKS)["features"]
    assert verdict.verdict is Verdict.EQUIVALENT, verdict
    wrong = verify(STACKED, PORT_OF_STACKS.replace("var(axis=2)", "var(axis=2, ddof=1)"))
    assert wrong["features"].verdict is Verdict.DIFFERS, wrong["features"]


def test_what_the_port_has_and_never_runs_is_untested(verify: Any) -> None:
    original = "def f(x: np.ndarray):\n    return x * 2.0\n"
    port = (
        "def f(x: np.ndarray):\n    if x.size == 123457:\n        return x * 3.0\n"
        "    return 2.0 * x\n"
    )
    found = verify(original, port)["f"]
    assert found.verdict is Verdict.UNTESTED
    assert "what the port has in line 7 never ran" in found.reason


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
