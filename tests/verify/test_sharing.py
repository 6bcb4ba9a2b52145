"""Arrays that stand in several places, and what is seen between, or after, what a call does."""

from __future__ import annotations

from typing import Any

import pytest

from gpuport.verify.records import Verdict

TWICE = """
def twice(x: np.ndarray):
    y = np.exp(x)
    return y, y
"""
TWICE_PORT = """
@device("x")
def twice(x: np.ndarray):
    y = cp.exp(x)
    return y, y
"""
BUFFER = """
def states(x: np.ndarray, steps: int = 3):
    state = x.copy()
    for _ in range(steps):
        state *= 0.5
        yield state
"""
BUFFER_PORT = """
def states(x: np.ndarray, steps: int = 3):
    host = x.copy()
    for _ in range(steps):
        host[...] = cp.asnumpy(cp.asarray(host) * 0.5)
        yield host
"""
LAZY = """
def windows(x: np.ndarray):
    for start in range(len(x) - 1):
        yield x[start:start + 2].sum()
"""
LAZY_PORT = """
def windows(x: np.ndarray):
    for start in range(len(x) - 1):
        yield cp.asnumpy(cp.asarray(x)[start:start + 2].sum())[()]
"""
RUNNING = """
class Running:
    def __init__(self, start: np.ndarray):
        self.start = start
        self.total = np.zeros_like(start)

    def add(self, factor: float):
        self.total += factor * self.start

    def now(self):
        return self.total
"""
RUNNING_PORT = """
class Running:
    def __init__(self, start: np.ndarray):
        self.start = start
        self.total = np.zeros_like(start)

    def add(self, factor: float):
        self.total += cp.asnumpy(factor * cp.asarray(self.start))

    def now(self):
        return self.total
"""
LOGGED = """
LOG = []

def step(x: np.ndarray, rate: float = 0.1):
    LOG.append(float(x.sum()))
    if rate <= 0:
        raise ValueError("rate")
    return x * rate
"""
LOGGED_PORT = """
LOG = []

@device("x")
def step(x: np.ndarray, rate: float = 0.1):
    LOG.append(float(x.sum()))
    if rate <= 0:
        raise ValueError("rate")
    return x * rate
"""


@pytest.mark.parametrize(
    ("original", "port"),
    [
        (TWICE, TWICE_PORT),
        (BUFFER, BUFFER_PORT),
        (LAZY, LAZY_PORT),
        (RUNNING, RUNNING_PORT),
        (LOGGED, LOGGED_PORT),
    ],
)
def test_what_keeps_it_is_equivalent(original: str, port: str, verify: Any) -> None:
    found = verify(original, port)
    found.pop("<module>", None)
    verdicts = {v.verdict for v in found.values()}
    assert verdicts <= {Verdict.EQUIVALENT, Verdict.UNCHANGED}, found


@pytest.mark.parametrize(
    ("original", "port", "function", "right", "wrong"),
    [
        (TWICE, TWICE_PORT, "twice", "return y, y", "return y, y.copy()"),
        (BUFFER, BUFFER_PORT, "states", "yield host", "yield host.copy()"),
        (LAZY, LAZY_PORT, "windows", "    for start", "    x = x.copy()\n    for start"),
        (RUNNING, RUNNING_PORT, "Running.__init__", "= start\n", "= start.copy()\n"),
        (RUNNING, RUNNING_PORT, "Running.now", "return self.total", "return self.total.copy()"),
        (
            RUNNING, RUNNING_PORT, "Running.add",
            "self.total += cp", "self.total = self.total + cp",
        ),
        (
            LOGGED, LOGGED_PORT, "step",
            '    LOG.append(float(x.sum()))\n    if rate <= 0:\n        raise ValueError("rate")\n',
            '    if rate <= 0:\n        raise ValueError("rate")\n    LOG.append(float(x.sum()))\n',
        ),
    ],
)  # fmt: skip
def test_what_loses_it_is_found(
    original: str, port: str, function: str, right: str, wrong: str, verify: Any
) -> None:
    assert right in port
    assert verify(original, port.replace(right, wrong, 1))[function].verdict.failing


STEPPING = """
class _Net:
    def __init__(self, weights):
        self.weights = weights
        self.x = np.zeros(weights.shape[0])

    def step(self, u):
        self.x += self.weights @ u
        return self.x.copy()


def _run(weights, drive):
    net = _Net(weights)
    return np.stack([net.step(u) for u in drive])


if __name__ == "__main__":
    rng = np.random.default_rng(0)
    print(_run(rng.normal(size=(4, 3)), rng.normal(size=(5, 3))).sum())
"""


def test_an_array_on_the_device_that_the_instance_keeps_is_not_handed_out(verify: Any) -> None:
    port = STEPPING.replace("np.zeros", "cp.zeros").replace("np.stack", "cp.stack")
    port = port.replace("rng.normal(size=(4, 3)), rng", "cp.asarray(rng.normal(size=(4, 3))), rng")
    port = port.replace("rng.normal(size=(5, 3)))", "cp.asarray(rng.normal(size=(5, 3))))")
    right = verify(STEPPING, port)["_Net.step"]
    assert right.verdict is Verdict.EQUIVALENT, right
    wrong = verify(STEPPING, port.replace("self.x.copy()", "self.x"))["_Net.step"]
    assert wrong.verdict is Verdict.DIFFERS, wrong
