"""Products inside loops are what NumPy computes, whatever the ranks of the operands."""

from __future__ import annotations

import pytest

PROGRAM = """
import numpy as np
def f(A, B, xs, out):
    for i in range(len(xs)):
        p = np.array([{p}])
        q = np.array([{q}])
        {statement}
rng = np.random.default_rng(0)
n, m = {n}, {m}
RESULT = np.zeros({shape})
f(rng.random((n, m)), rng.random((m, n)), rng.random(5), RESULT)
"""

#: Expressions over A (n, m), B (m, n), p (n) and q (m), and what they give.
PRODUCTS = {
    "A @ q": "n",
    "p @ A": "m",
    "B @ p": "m",
    "q @ B": "n",
    "p @ p": "",
    "np.dot(A, q)": "n",
    "np.dot(p, A)": "m",
    "A.dot(q)": "n",
    "p.dot(A)": "m",
    "np.matmul(B, p)": "m",
    "A.T @ p": "m",
    "q @ A.T": "n",
    "2.0 * A @ q": "n",
    "A @ q / 2": "n",
    "p @ A @ q": "",
    "p @ (A @ q)": "",
    "(A @ B) @ p": "n",
    "q @ B @ A": "m",
    "A @ (B @ p)": "n",
    "A[::-1] @ q": "n",
}


def program(expression: str, n: int, m: int) -> str:
    size = PRODUCTS[expression]
    return PROGRAM.format(
        p=", ".join(f"xs[i] + {k}" for k in range(n)),
        q=", ".join(f"xs[i] * {k + 1}" for k in range(m)),
        statement=f"out[i] = {expression}" if not size else f"out[i, :] = {expression}",
        n=n,
        m=m,
        shape=f"(5, {size})" if size else "5",
    )


SQUARE_AND_OTHERS = [(2, 2), (3, 3), (2, 3), (3, 2), (1, 4), (5, 5), (5, 2)]


@pytest.mark.parametrize("expression", PRODUCTS)
def test_products_of_the_iterations_own_vectors(same, expression):
    for n, m in SQUARE_AND_OTHERS:
        made = same(program(expression, n, m))
        assert len(made.regions) == 1, (n, m, made.left)
