"""Ports of programs that are right, and looked wrong: each once raised an alarm."""

from __future__ import annotations

from typing import Any

import pytest

from gpuport.verify.records import Verdict, VerifyOptions

RIGHT = {
    "an array that is kept, not copied": (
        "Signal.__init__",
        """
        class Signal:
            def __init__(self, data, rate):
                self._data = np.asarray(data, dtype=float)
                self.rate = rate

        if __name__ == "__main__":
            print(Signal(np.ones(3), 2)._data.sum())
        """,
        (),
    ),
    "a generator of one array that changes": (
        "frames",
        """
        def frames(m, n):
            for k in range(n):
                m += np.eye(3) * k
                yield m, k

        if __name__ == "__main__":
            print([float(f.sum()) for f, _ in frames(np.ones((3, 3)), 3)])
        """,
        (),
    ),
    "one of two arguments, or an array made for the lack of one": (
        "better",
        """
        import os

        def better(x, best=None, depth=3):
            if best is None:
                best = np.zeros_like(x)
            if depth == 0:
                return best
            cand = x * (1.0 - 0.1 * depth)
            larger = np.sum(cand**2) < np.sum(best**2) + 1.0
            return better(cand, cand if larger else best, depth - 1)

        if __name__ == "__main__":
            print(better(np.linspace(-1, 1, 70)).sum())
        """,
        (),
    ),
    "single precision of narrow whole numbers": (
        "damped",
        """
        def damped(x: "NDArray[np.uint16]", y: "NDArray[np.uint16]"):
            return np.exp(-np.sqrt(x)) * y
        """,
        ("x", "y"),
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_no_alarm(name: str, verify: Any) -> None:
    function, text, bounded = RIGHT[name]
    port = text.replace("np.", "cp.").replace("[cp.", "[np.")
    if bounded:
        port = port.replace("def ", f"@device{bounded}\n        def ")
    found = verify(text, port)[function]
    assert found.verdict is Verdict.EQUIVALENT, found


STEPS = """
import os

def step(u, n):
    if n <= 0:
        return u
    return step(u + 0.1 * np.sin(u), n - 1)

if __name__ == "__main__":
    print(step(np.linspace(0, 3, 50), 7).sum())
"""
KERNEL = """
_step = cp.ElementwiseKernel("T u", "T v", "v = u + 0.1 * sin(u)", "step")

def step"""


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_where_arrays_are_is_not_told_by_what_reaches_no_kernel(
    seed: int, verify: Any, tmp_path: Any
) -> None:
    port = STEPS.replace("\ndef step", KERNEL).replace("u + 0.1 * np.sin(u)", "_step(u)")
    port = port.replace("np.linspace", "cp.linspace")
    annotated = "step(u: 'NDArray[np.float64]', n: int)"
    sides = (text.replace("step(u, n)", annotated) for text in (STEPS, port))
    found = verify(*sides, VerifyOptions(root=tmp_path, examples=25, seed=seed))["step"]
    assert found.verdict is Verdict.EQUIVALENT, found


KERNEL_OF_A_PROCESS = """
class GP:
    def __init__(self, x: "NDArray[np.float64]", y: "NDArray[np.float64]", noise=0.0):
        self.x = x
        self.y = y
        self.noise = noise

    def fit(self):
        K = np.exp(-0.5 * (self.x[:, None] - self.x[None, :]) ** 2)
        K[np.diag_indices_from(K)] += self.noise**2 + 1e-10
        self.L = np.linalg.cholesky(K)
        return self
"""


def test_half_precision_is_never_taken_for_exact(verify: Any, tmp_path: Any) -> None:
    text = "def smooth(x: np.ndarray):\n    out = x.copy()\n    out[1:-1] = {sum}\n    return out\n"
    original = text.format(sum="0.25 * x[:-2] + 0.5 * x[1:-1] + 0.25 * x[2:]")
    port = text.format(sum="0.5 * x[1:-1] + (0.25 * x[2:] + 0.25 * x[:-2])")
    found = verify(original, f"@device('x')\n{port}", VerifyOptions(root=tmp_path))["smooth"]
    assert found.verdict is Verdict.EQUIVALENT, found


@pytest.mark.parametrize("seed", [5, 6, 7])
def test_single_elements_of_a_factor_that_hardly_move_by_chance(
    seed: int, verify: Any, tmp_path: Any
) -> None:
    port = KERNEL_OF_A_PROCESS.replace(
        "np.exp(-0.5 * (self.x[:, None] - self.x[None, :]) ** 2)",
        "np.exp(-(((self.x[:, None] - self.x[None, :]) * 0.7071067811865476) ** 2))",
    )
    options = VerifyOptions(root=tmp_path, examples=60, seed=seed)
    found = verify(KERNEL_OF_A_PROCESS, port, options)["GP.fit"]
    assert not found.verdict.failing, found


def test_a_generator_that_gives_what_comes_later_differs(verify: Any) -> None:
    function, text, _ = RIGHT["a generator of one array that changes"]
    port = text.replace("np.", "cp.").replace("yield m, k", "yield m + 0 * k, k - (k == 2)")
    assert verify(text, port)[function].verdict.failing


REFUSING = """
class Model:
    def __init__(self, a):
        self.a = a

    def solve(self, x):
        if x.ndim != 1:
            raise ValueError("one axis")
        if np.isnan({sum}):
            raise ValueError("no number")
        return np.exp(self.a) * x

if __name__ == "__main__":
    print(Model(np.ones(3)).solve(np.ones(3)).sum())
"""


def test_what_both_refuse_where_arrays_are_on_the_device(verify: Any) -> None:
    original = REFUSING.format(sum="np.sum(np.log(self.a))")
    port = original.replace("np.", "cp.").replace("cp.ones", "cp.ones")
    found = verify(original, port)["Model.solve"]
    assert found.verdict is Verdict.EQUIVALENT, found


def test_a_port_that_is_merely_slow_in_emulation(verify: Any, tmp_path: Any) -> None:
    original = "def f(x: np.ndarray):\n    return np.sin(x)\n"
    slow = (
        "import time\n@device('x')\ndef f(x: np.ndarray):\n"
        "    time.sleep({seconds})\n    return cp.sin(x)\n"
    )
    options = VerifyOptions(root=tmp_path, examples=25, example_seconds=1.0)
    found = verify(original, slow.format(seconds="x.size / 400"), options)["f"]
    assert found.verdict is not Verdict.ERROR, found
    assert any("slow on host emulation" in note for note, _ in found.evidence.notes), found
    for hanging, verdict in (
        ("5 * (x.size > 1)", Verdict.ERROR),
        ("5 * (x.size > 100)", Verdict.UNTESTED),
    ):
        found = verify(original, slow.format(seconds=hanging), options)["f"]
        assert found.verdict is verdict, found
    assert "gave no answer in time for x: " in found.reason
