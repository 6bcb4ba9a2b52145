"""The dtype that a call asks for is that of what it gives, whatever is in the list."""

from __future__ import annotations

from tests.passes.conftest import port

PROGRAM = """\
import numpy as np


def edges(n, rng):
    refs = [[] for _ in range(n)]
    for k in range(n):
        copied = refs[k - 1] and rng.random() < 0.5
        target = refs[k - 1][0] if copied else int(rng.integers(0, n))
        refs[k].append(target)
        yield k, target


def same(cites):
    p, m = cites.shape
    overlap = np.zeros((p, p), dtype=np.int64)
    for a in range(p):
        for b in range(p):
            for i in range(m):
                if cites[a, i] == cites[b, i]:
                    overlap[a, b] += 1
    return overlap


rng = np.random.default_rng(0)
pairs = np.array(list(edges(60, rng)), dtype=np.int64)
print(same(pairs[:, 1].copy().reshape(10, 6)).sum())
"""


def test_a_list_of_what_is_not_known_becomes_an_array_of_it() -> None:
    after = port(PROGRAM).after or ""
    assert "raw int64 cites" in after


COMPLEX = """\
import numpy as np


def flux(psi, dx, row):
    grad = (psi[row + 1] - psi[row - 1]) / (2 * dx)
    return (np.conj(psi[row]) * grad).imag.sum() * dx


def packet(x, y, k0, width):
    psi = np.exp(-(x**2 + y**2) / (4 * width**2) + 1j * k0 * x)
    dx = x[1, 0] - x[0, 0]
    return psi / np.sqrt((np.abs(psi) ** 2).sum() * dx**2)


def total(n):
    x = np.linspace(0.0, 1.0, n)
    xx, yy = np.meshgrid(x, x, indexing="ij")
    return flux(packet(xx, yy, 4.0, 1.5), x[1] - x[0], 2)


print(total(20))
"""


def test_what_is_conjugated_is_not_taken_for_real() -> None:
    assert "T psi" not in (port(COMPLEX).after or "")
