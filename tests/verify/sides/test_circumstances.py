"""Guards that refuse, constants and statements that round otherwise, inputs hard to find."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from gpuport.verify.records import Verdict
from gpuport.verify.sides.circumstances import constants_moved, statements_moved


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


KERNEL_FUNCTION = """
from gpuport.runtime import kernel


@kernel("T x, float z", "T y", "y = x * 2.0 + z;")
def _spread(x, z):
    return x * 2.0 + z


@device("x")
def f(x, z=1.0):
    return _spread(x, z)
"""


def test_the_kernel_of_a_function_runs_with_what_it_is_made_for(verify: Any) -> None:
    original = "def f(x, z=1.0):\n    return x * 2.0 + z\n"
    assert verify(original, KERNEL_FUNCTION)["f"].verdict is Verdict.EQUIVALENT
    found = verify(original, KERNEL_FUNCTION.replace("x * 2.0 + z;", "x * 2.0 - z;"))["f"]
    assert found.verdict is Verdict.DIFFERS
    beside = verify(original, KERNEL_FUNCTION.replace("return x * 2.0 + z", "return x * 2.0 - z"))
    assert beside["f"].verdict is Verdict.DIFFERS


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
