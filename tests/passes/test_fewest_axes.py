"""What is known of how many axes an array has at least, where nothing says how many they are."""

from __future__ import annotations

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.records import FileReport
from gpuport.source.reading import parse

DISTRIBUTIONS = """import numpy as np

WEIGHTS = [4 / 9, 1 / 9, 1 / 36]


def equilibrium(density, speed):
    found = np.empty((3,) + density.shape)
    for k in range(3):
        found[k] = WEIGHTS[k] * density * (1.0 + speed * (k - 1) + 0.5 * speed ** 2)
    return found


class Channel:
    def __init__(self, rows, columns):
        self.density = np.ones((rows, columns))
        self.speed = np.full((rows, columns), 0.1)
        self.speed += 1e-3 * np.sin(np.arange(columns * 1.0))
        self.parts = equilibrium(self.density, self.speed)

    def step(self):
        self.density = self.parts.sum(axis=0)
        self.speed = (self.parts[2] - self.parts[0]) / self.density
        self.parts += 0.5 * (equilibrium(self.density, self.speed) - self.parts)
        self.parts[:, :, 0] = equilibrium(np.ones(len(self.speed)), np.zeros(len(self.speed)))


def main():
    channel = Channel(40, 50)
    for _ in range(5):
        channel.step()
    print(float(channel.parts.sum()))


main()
"""

SQUEEZED = """import numpy as np


def column(n):
    x = np.sqrt(np.arange(n * 1.0).reshape(n, 1)) + np.ones((n, 1))
    total = np.squeeze(x).sum(axis=0)
    before = total
    total += 1.0
    return before, total


print(column(2000))
"""


def ported(text: str) -> FileReport:
    return port_module(parse("program.py", text), Config())


def test_a_sum_over_one_axis_of_two_or_more_is_an_array() -> None:
    """`equilibrium` is given grids and rows: its result has two axes at least."""
    report = ported(DISTRIBUTIONS)
    assert "asnumpy" not in (report.after or "")
    assert "asarray" not in (report.after or "")
    assert not [f for f in report.findings if f.code == "GP901"]


def test_axes_of_one_element_may_go() -> None:
    """A squeezed column is a vector; its sum a number, which nothing changes in place."""
    report = ported(SQUEEZED)
    assert [f.span.line for f in report.findings if f.code == "GP901"] == [8]
    assert "total = cp.asnumpy(" in (report.after or "")
    assert "[()]" in (report.after or "")


STACKED = """import numpy as np


def paths(steps, count):
    z = np.sin(np.arange(1.0 * steps * count)).reshape(steps, count)
    return np.exp(np.{join}([{rows}]))


def exercised(prices, limit):
    cash = np.maximum(limit - prices[-1], 0.0)
    for i in range(len(prices) - 2, 0, -1):
        low = prices[i] < limit
        places = np.where(low)[0]
        cash[places] = limit - prices[i][low]
    return cash.mean()


print(float(exercised(paths(30, 4000), 1.1)))
"""


def test_rows_joined_to_a_matrix_are_a_matrix() -> None:
    """A list of a row and a matrix is no list of arrays of one rank; each is known by itself."""
    report = ported(STACKED.format(join="vstack", rows="np.zeros(count), np.cumsum(z, axis=0)"))
    assert not [f for f in report.findings if f.code == "GP502"]
    assert "cash[places] = limit - prices[i][low]" in (report.after or "")
    assert "asnumpy" not in (report.after or "")


POINTS = """import numpy as np
from scipy.linalg import cholesky


def points(x: np.ndarray, covariance):
    n, _ = covariance.shape
    x = x.flatten()
    found = np.empty((2 * n, n))
    root = cholesky(covariance) * 2.0
    for k in range(n):
        found[k] = x + root[k]
        found[n + k] = x - root[k]
    return found
"""


def test_what_is_made_of_a_matrix_has_rows() -> None:
    """A factor of a covariance has as many axes as this has: `root[k]` is a row, not a number."""
    report = ported(POINTS)
    assert "root[{k, k_}]" in (report.after or "")
