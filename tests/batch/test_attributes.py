"""Arrays that instances hold are stacks of items as those that names hold."""

from __future__ import annotations

import contextlib
import io

import numpy as np
import pytest

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

PROGRAM = """import numpy as np


def correct(x, cov, z, h, noise):
    s = h @ cov @ h.T + noise
    gain = np.linalg.solve(s, h @ cov).T
    return x + gain @ (z - h @ x), cov - gain @ h @ cov


class Bank:
    def __init__(self, n, dim, count):
        self.x = np.arange(n * dim, dtype=float).reshape(n, dim)
        self.cov = np.stack([np.eye(dim) * (k + 1) for k in range(n)])
        self.h = np.eye(2, dim)
        self.noise = 0.5 * np.eye(2)
        self.total = np.zeros((dim, dim))
        self.n = count

{method}


class Holder:
    def __init__(self, bank):
        self.bank = bank

    def inverses(self):
        return [np.linalg.inv(self.bank.cov[k]) for k in range(len(self.bank.cov))]


def main():
    bank = Bank({n}, 3, {count})
    print(np.round(bank.step(np.ones((7, 2))), 9))
    for array in (bank.x, bank.cov, bank.total):
        print(np.round(array, 9))
    print(len(Holder(bank).inverses()))


main()
"""

UPDATE = """
    def step(self, z):
        for k in range(self.n):
            x, cov = correct(self.x[k], self.cov[k], z[k], self.h, self.noise)
            self.x[k], self.cov[k] = x, cov
        return self.x
"""

DISTANCES = """
    def step(self, z):
        out = np.empty(len(self.x))
        for k in range(len(self.x)):
            d = self.x[k] - 1.0
            out[k] = d @ np.linalg.solve(self.cov[k], d)
        return out
"""

OVER = """
    def step(self, z):
        return np.array([np.linalg.slogdet(c)[1] for c in self.cov])
"""

CARRIED = """
    def step(self, z):
        for k in range(1, len(self.cov)):
            self.cov[k] = np.linalg.solve(self.cov[k - 1], self.cov[k])
        return self.cov
"""

BOUND_ANEW = """
    def step(self, z):
        out = np.empty_like(self.cov)
        for k in range(len(self.cov)):
            self.total = self.total + self.cov[k]
            out[k] = np.linalg.inv(self.cov[k] + self.total)
        return out
"""

PROPERTY = """
    @property
    def roots(self):
        self.total = self.total + 1.0
        return self.cov + self.total

    def step(self, z):
        out = np.empty_like(self.cov)
        for k in range(len(self.cov)):
            out[k] = np.linalg.cholesky(self.roots[k])
        return out
"""

SHARED = """
    def step(self, z):
        held = self.x
        for k in range(len(self.cov)):
            held[k] = np.linalg.solve(self.cov[k], self.x[k])
        return held
"""


def printed(text: str) -> str:
    """What a program prints, the class of its error included."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            exec(compile(text, "program.py", "exec", dont_inherit=True), {"__name__": "__main__"})
        except Exception as error:
            print(type(error).__name__)
    return out.getvalue()


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("method", "lines"),
    [
        (UPDATE, ['@batched.loop(writes="self")\ndef _step_loop(self, z):', "_step_loop(self, z)",
                  "gain = np.linalg.solve(s, h @ cov).T"]),
        (DISTANCES, ["_step_loop(self, out)"]),
        (OVER, ["return cp.array(_step_loop(self))"]),
        (SHARED, ["_step_loop(self, held)"]),
        (CARRIED, []),
        (BOUND_ANEW, []),
        (PROPERTY, []),
    ],
    ids=["update", "distances", "over", "shared", "carried", "bound anew", "property"],
)  # fmt: skip
@pytest.mark.parametrize(("n", "count"), [(7, 7), (5, 3), (3, 0), (3, 4)])
def test_ports_print_what_the_programs_do(
    cp: object, monkeypatch: pytest.MonkeyPatch, method: str, lines: list[str], n: int, count: int
) -> None:
    text = PROGRAM.format(method=method.strip("\n"), n=n, count=count)
    report = port_module(parse("program.py", text), Config())
    assert report.after is not None
    assert not port_module(parse("program.py", report.after), Config()).changed
    for line in lines:
        assert line in report.after, report.after
    assert ("def _step_loop(" in report.after) == bool(lines)
    assert "return _inverses_loop(self)" in report.after
    with np.errstate(all="ignore"):
        assert printed(report.after) == printed(text)
