"""Small functions of arrays inside loops are what NumPy computes."""

from __future__ import annotations

import pytest

PROGRAM = """
import numpy as np
def f(x, y, w, out):
    for i in range(len(x)):
        r = x[i]
        v = np.array([x[i, 0], 2.0, x[i, 1] - 1.0])
        m = w[i]
        {statement}
rng = np.random.default_rng(0)
RESULT = np.zeros((6, 3, 3))
f(rng.{draw}, rng.random((6, 12)), rng.random((6, 3, 3)), RESULT)
"""
#: Expressions over rows r, vectors v of the iteration's own and matrices m, and their axes.
EXPRESSIONS = {
    "np.linalg.norm(r)": 0,
    "np.linalg.norm(v - m[0])": 0,
    "np.linalg.norm(m)": 0,
    "np.linalg.norm(m, axis=1)": 1,
    "np.cross(v, m[1])": 1,
    "np.outer(v, m[0]) + np.eye(3)": 2,
    "np.inner(r, y[i]) + np.vdot(v, m[2])": 0,
    "np.inner(m, v) - np.inner(v, m)": 1,
    "np.trace(m) * np.diag(m)": 1,
    "np.outer(v, v).trace() + m.diagonal()": 1,
    "np.arange(3) * v + np.arange(1, 7, 2)[2] + np.arange(4, 9)[1]": 1,
    "np.full(3, 2) / np.full(3, 1.5) + np.full_like(v, i)": 1,
    "np.identity(3) * m": 2,
    "np.any(r > 3) + 2 * np.all(v < 9) + (m > 0.9).any()": 0,
    "(m > 0.2).all(axis=0)": 1,
    "np.var(r) + v.std() + np.std(m)": 0,
    "m.var(axis=1)": 1,
    "np.argmax(v) + 10 * m[0].argmin()": 0,
    "np.argmax(np.array([1.0, np.nan, 2.0, np.nan * r[0]]))": 0,
    "np.einsum('ij,j->i', m, v)": 1,
    "np.einsum('i,ij,j->', v, m, v)": 0,
    "np.einsum('ij,kj->ik', m, np.outer(v, v))": 2,
    "np.outer(r, y[i])[2:5, -3:]": 2,
    "r[::-1][:3] - r[::2][1:4]": 1,
    "v[::-1][::2][0] + r[-1] + r[1:][-2]": 0,
    "r[10:4:-2][1] + r[::-1][1::4][2] - r[-1:-4:-1][2] - r[11:8:-1][0]": 0,
    "np.prod(m, axis=1) + r[1:4].sum()": 1,
}
DRAWS = {"floats": "random((6, 12))", "whole numbers": "integers(0, 9, (6, 12))"}


@pytest.mark.parametrize("draw", DRAWS)
@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_small_functions_of_an_iteration(same, expression, draw):
    left = ("out[i, 0, 0]", "out[i, 0]", "out[i]")[EXPRESSIONS[expression]]
    made = same(PROGRAM.format(statement=f"{left} = {expression}", draw=DRAWS[draw]))
    assert len(made.regions) == 1, made.left


REFUSED = {
    "np.linalg.norm(v, 1)": "default",
    "np.arange(0.0, 1.5, 0.5)[0]": "whole numbers",
    "np.argmax(y[i])": "small vector",
    "np.sort(v)[0]": "does not go element by element",
    "np.einsum('ij->j', m)[0] + np.einsum('ii', m)": "subscripts",
}


@pytest.mark.parametrize("expression", REFUSED)
def test_what_is_not_written_out_says_why(same, expression):
    made = same(PROGRAM.format(statement=f"out[i, 0, 0] = {expression}", draw=DRAWS["floats"]))
    assert any(REFUSED[expression] in left for left in made.left), made.left
