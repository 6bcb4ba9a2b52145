"""Loops whose iterations multiply arrays of different ranks: matrices, vectors, rows and columns.

What each iteration makes for itself is multiplied with what stands outside, by every function that
NumPy has for that, and used as a number, as a vector, element by element. Sizes are square on
purpose, or not, or do not fit at all; some arguments have another number of axes than the text
leads one to believe.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from loop_ports import ModuleWriter

ARGUMENTS = {"h": "float64", "k3": "float64", "o": "float64", "r": "float64"}
"""Rows of points, matrices in a row, room for results, one matrix."""

_VECTORS = (
    "{M} @ {v}", "{M} @ {v}", "np.dot({M}, {v})", "{M}.dot({v})", "np.matmul({M}, {v})",
    "np.inner({M}, {v})", "np.inner({v}, {M})", "{v} @ {M}", "np.dot({v}, {M})", "{v}.dot({M})",
    "np.einsum('ij,j->i', {M}, {v})", "np.einsum('ij,i->j', {M}, {v})",
    "np.einsum('ij,j', {M}, {v})", "np.tensordot({M}, {v}, 1)",
    "np.tensordot({M}, {v}, axes=([0], [0]))", "np.cross({v}, {w})", "np.sum({M} * {v}, axis=1)",
    "np.sum({M} * {v}, axis=0)", "({M} * {v}).sum(axis=-1)", "({M} + {v}).mean(axis=0)",
    "np.linalg.norm({M} - {v}, axis=1)", "np.kron({v}, {w})", "{M} @ {v} + {w}",
    "{w} - {v} @ {M}", "2.0 * {M} @ {v}", "{M} @ {v} / 2", "{M} @ ({v} - {w})",
    "{M} @ {M} @ {v}", "{M} @ ({M} @ {v})", "{M}.T @ {v}", "{v} @ {M}.T", "np.dot(2.0, {v})",
    "np.dot({v}, x0)", "({M} * {v})[0]", "({M} * {v}[:, None])[:, 0]", "({v}[:, None] * {w})[0]",
    "np.outer({v}, {w})[1]", "np.outer({v}, {w}).sum(axis=0)", "{M}[0] * {v}", "{M}[:, 0] - {v}",
    "np.vecdot({M}, {v})", "np.matvec({M}, {v})", "np.vecmat({v}, {M})", "{v} + {M} @ {v}",
    "np.abs({M} @ {v})", "np.maximum({M} @ {v}, {w})", "({M} @ {v}) * ({M} @ {w})",
    "np.linalg.multi_dot([{M}, {M}, {v}])", "np.linalg.solve({M}, {v})", "{M}[:, 0] * {v}[0]",
)  # fmt: skip
_NUMBERS = (
    "{v} @ {M} @ {w}", "{v} @ {M} @ {v}", "0.5 * {v} @ {M} @ {v}", "np.dot({v}, np.dot({M}, {v}))",
    "{v}.dot({M}).dot({w})", "{v} @ ({M} @ {w})", "np.einsum('i,ij,j', {v}, {M}, {w})",
    "np.einsum('i,i', {v}, {w})", "np.einsum('i,i->', {v}, {w})", "np.einsum('ii', {M})",
    "np.einsum('ij,ji', {M}, {M})", "np.trace({M})", "np.trace(np.outer({v}, {w}))",
    "np.tensordot({v}, {w}, 1)", "np.tensordot({M}, {M})", "np.vdot({v}, {w})", "{v} @ {w}",
    "np.inner({v}, {w})", "np.dot({v}, {w})", "({M} @ {v}).sum()", "np.sum({M} @ {v})",
    "np.linalg.norm({M} @ {v})", "np.linalg.norm({M} @ {v} - {w})", "np.max({M} * {v})",
    "(np.outer({v}, {w}) * {M}).sum()", "np.linalg.norm({M})", "np.sum({M} - {v})",
    "np.cross({v}, {w}) @ {v}", "np.cross({v}, {w})", "({M} @ {v})[0]", "({v} @ {M})[-1]",
    "np.vdot({M}, {v})", "np.vdot({M}, {M})", "np.inner({M}, {M})[0, 1]", "({M} @ {M})[0, 1]",
    "np.linalg.det({M})", "{M}[0] @ {v}", "{v} @ {M}[:, 0]", "{M}[0, 1] * {v}[0]",
    "np.mean({M} @ {v} + {w})", "np.linalg.norm({v} @ {M}) ** 2", "np.max(np.abs({M} @ {v}))",
)  # fmt: skip


def products(w: ModuleWriter) -> list[str]:
    """Each iteration multiplies a vector of its own."""
    w.dtypes |= ARGUMENTS
    if w.dice.random() < 0.8:
        w.dtypes |= dict.fromkeys("abf", "float64")
    if w.dice.random() < 0.15:
        w.dtypes[w.pick("h", "r", "o")] = w.pick("float32", "int64", "complex128")
    size = w.pick("2", "3")
    lines, matrix = _matrix(w, size)
    body = [f"v = {_vector(w, size)}"]
    other = "v"
    if w.dice.random() < 0.6:
        body.append(f"u = {_vector(w, size)}")
        other = "u"
    if matrix == "":
        body.append(f"R = {w.pick('k3[i]', 'k3[i]', 'np.outer(v, v)', 'k3[i, :, :]')}")
        matrix = w.pick("R", "R", "k3[i]")
    parts = {"M": matrix, "v": "v", "w": other}
    several = w.dice.random() < 0.65
    text = w.dice.choice(_VECTORS if several else _NUMBERS).format(**parts)
    body += _as_vector(w, text) if several else _as_number(w, text)
    return [*lines, f"for i in {w.pick('range(n)', 'range(len(h))', 'range(h.shape[0])')}:", *(
        f"    {line}" for line in "\n".join(body).split("\n")
    )]  # fmt: skip


def _matrix(w: ModuleWriter, size: str) -> tuple[list[str], str]:
    """Lines before the loop and the name of a matrix; none where iterations make it."""
    one = w.pick("a[0]", "0.5", "np.cos(0.3)", "x0")
    made = w.pick(
        "r", "r", "r", "h", "", "",
        "R = np.arange(9.0).reshape(3, 3)", "R = np.array([[1.0, -2.0], [3.0, 0.5]])",
        f"R = np.array([[{one}, -1.0], [0.25, {one}]])",
        f"R = np.array([[1.0, {one}, 2.0], [0.5, -1.0, 3.0]])",
        f"R = np.array([[1.0, {one}], [0.5, -1.0], [2.0, 4.0]])",
        f"R = r[:{size}, :{size}]", f"R = c[:{size}, :{size}]",
        "R = r.copy()", "R = r.T", "R = 2 * r",
        f"R = np.eye({size}) * x0", "R = h[:3]", f"R = np.zeros(({size}, {size}))\nR[0, 1] = x0",
        "R = r", f"R = np.ones({size}) * x0", "R = r @ r",
    )  # fmt: skip
    if " = " not in made:
        return [], made
    return made.split("\n"), "R"


def _vector(w: ModuleWriter, size: str) -> str:
    """A vector that an iteration makes."""
    items = [
        w.pick("a[i]", "h[i, 0]", "h[i, 0] - 1.0", "2.0 * b[i]", "1.0", "0.5 * i", "np.cos(b[i])",
               "h[i, 1]", "h[i][0]", "x0", "float(i)")
        for _ in range(int(size))
    ]  # fmt: skip
    listed = f"[{', '.join(items)}]"
    return w.pick(
        f"np.array({listed})", f"np.array({listed})", f"np.array({listed})",
        f"np.array({listed}, dtype=np.float64)", "h[i]", "h[i] - h[0]", "h[i] * 0.5",
        f"h[i, :{size}]", "h[i].copy()", f"np.ones({size}) * h[i, 0]", f"np.array({listed}) + h[i]",
        "k3[i, 0]", "o[i] + h[i]",
    )  # fmt: skip


def _as_vector(w: ModuleWriter, text: str) -> list[str]:
    """What becomes of a vector."""
    return w.pick(
        f"q = {text}\nf[i] = q[0]\nb[i] = q[1]",
        f"q = {text}\no[i, 0] = q[0]\no[i, 1] = q[1]",
        f"q = {text}\no[i, 0], o[i, 1] = q[0], q[1]",
        f"q = {text}\nf[i] = q[-1]",
        f"o[i] = {text}", f"o[i, :] = {text}", f"o[i] += {text}", f"o[i] = {text} * 2.0",
        f"o[i, :2] = {text}", f"f[i] = np.sum({text})", f"f[i] = np.linalg.norm({text})",
        f"q = {text}\nf[i] = q @ v", f"f[i] = ({text})[0]", f"t, y = {text}\nf[i] = t - y",
        f"q = {text}\nq = q / 2\nf[i] = q[0] - q[1]",
        f"q = {text}\nfor j in range(2):\n    o[i, j] = q[j]",
        f"for _ in range(2):\n    v = {text}\nf[i] = v[0]\nb[i] = v[1]",
        f"for _ in range(2):\n    v = {text}\no[i] = v",
        f"if np.sum({text}) > 1:\n    f[i] = 1", f"f[i] = {text}",
        f"q = {text} - v\nf[i] = np.sqrt(np.sum(q * q))",
        f"q = {text}\nif q[0] > q[1]:\n    f[i] = i",
    ).split("\n")  # fmt: skip


def _as_number(w: ModuleWriter, text: str) -> list[str]:
    """What becomes of a number."""
    return w.pick(
        f"f[i] = {text}", f"f[i] = {text}", f"f[i] += {text}", f"y = {text}\nf[i] = y * y",
        f"s += {text}", f"if {text} > 1:\n    f[i] = i", f"o[i, 0] = {text}", f"o[i] = {text}",
    ).split("\n")  # fmt: skip


def arguments(dice: random.Random, n: int, dtypes: dict[str, str]) -> dict[str, Any]:
    """Matrices and points: square, oblong, or of another number of axes."""
    rng = np.random.default_rng(dice.randrange(2**32))
    k = dice.choice([2, 2, 2, 3, 3, 3, 1, 4])
    j = dice.choice([k, k, k, 2, 3])
    long = n + dice.choice([0, 0, 2])
    shapes: dict[str, tuple[int, ...]] = {
        "h": (long, dice.choice([k, k, k, 2, 3])),
        "k3": (long, j, k),
        "o": (long, dice.choice([j, j, k, 2, 3])),
        "r": dice.choice([(j, k), (j, k), (j, k), (k, k), (k,), (k, j), (2, j, k)]),
    }
    return {
        name: ((rng.integers(0, 17, shape) - 8) * 0.25).astype(dtypes[name])
        for name, shape in shapes.items()
    }
