"""Loops that run once for all of their items give what they give one by one."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np
import pytest

from gpuport.runtime import batched, reset_stats, stats

HEAD = "import math\nfrom itertools import product\nimport numpy as np\n"


def loop_of(text: str, name: str = "f", **words: Any) -> Any:
    """The function that a text defines, as it is and decorated."""
    space: dict[str, Any] = {"__name__": "program"}
    exec(compile(HEAD + textwrap.dedent(text), "program.py", "exec"), space)
    plain = space[name]
    space[name] = made = batched.loop(**words)(plain)
    return plain, made


def on_device(cp: Any, value: Any) -> Any:
    """A copy of arguments, arrays on the device."""
    if isinstance(value, np.ndarray):
        return cp.asarray(value)
    if type(value) in (list, tuple):
        return type(value)(on_device(cp, one) for one in value)
    if type(value) is dict:
        return {key: on_device(cp, one) for key, one in value.items()}
    return value


def on_host(cp: Any, value: Any) -> Any:
    """Likewise, arrays of the device as NumPy's."""
    if isinstance(value, cp.ndarray):
        return value.get()
    if isinstance(value, np.ndarray):
        return value.copy()
    if type(value) in (list, tuple):
        return type(value)(on_host(cp, one) for one in value)
    if isinstance(value, tuple):
        return type(value)(*(on_host(cp, one) for one in value))
    if type(value) is dict:
        return {key: on_host(cp, one) for key, one in value.items()}
    return value


def see_equal(one: Any, other: Any) -> None:
    """Assert that two results are alike."""
    if isinstance(one, (list, tuple)):
        assert type(one) is type(other)
        assert len(one) == len(other)
        for a, b in zip(one, other, strict=True):
            see_equal(a, b)
    elif isinstance(one, dict):
        assert list(one) == list(other)
        for key in one:
            see_equal(one[key], other[key])
    elif isinstance(one, (np.ndarray, np.generic)):
        assert np.shape(one) == np.shape(other)
        assert one.dtype == other.dtype
        np.testing.assert_allclose(other, one, rtol=1e-9, atol=1e-12)
    elif isinstance(one, float):
        assert isinstance(other, float)
        np.testing.assert_allclose(other, one, rtol=1e-9, atol=1e-12)
    else:
        assert type(one) is type(other)
        assert one == other


def matrices(count: int = 7, size: int = 3, seed: int = 0) -> Any:
    """Positive matrices."""
    a = np.random.default_rng(seed).normal(size=(count, size, size))
    return a @ a.swapaxes(1, 2) + size * np.eye(size)


A, B = matrices(), matrices(seed=1)
V = np.random.default_rng(2).normal(size=(7, 3))
S = np.random.default_rng(3).uniform(0.5, 2, size=7)
K = np.array([0, 2, 1, 1, 0, 2, 2])
L = np.random.default_rng(4).normal(size=12)
Z = np.zeros

AT_ONCE: dict[str, tuple[str, dict[str, Any], tuple[Any, ...]]] = {
    "product with a vector": (
        "def f(a, v, out):\n    for i in range(len(a)):\n        out[i] = a[i] @ v[i]\n",
        {"writes": "out"}, (A, V, Z((7, 3))),
    ),
    "rows of arrays": (
        "def f(a, v, out):\n    for i, (m, x) in enumerate(zip(a, v)):\n"
        "        out[i] = x @ m @ x\n",
        {"writes": "out"}, (A, V, Z(7)),
    ),
    "lists of several shapes": (
        "def f(a, out):\n    for m in a:\n        out.append(np.linalg.inv(m))\n",
        {"writes": "out"}, ([A[0], np.eye(2) * 3, A[1], np.eye(2)], []),
    ),
    "a comprehension": ("def f(a):\n    return [np.linalg.eigvalsh(m)[-1] * m for m in a]\n", {}, (A,)),
    "numbers of a comprehension": (
        "def f(a):\n    return [float(np.linalg.norm(m)) for m in a]\n", {}, (A,)),
    "a dict": (
        "def f(names, a):\n    return {n: np.linalg.inv(m) for n, m in zip(names, a)}\n",
        {}, (list("abcdefg"), A),
    ),
    "a dict that grows": (
        "def f(names, a, d):\n    for n, m in zip(names, a):\n        d[n] = m @ m\n",
        {"writes": "d"}, (list("abcdefg"), A, {}),
    ),
    "a sum of numbers": (
        "def f(a, total, n):\n    for m in a:\n        total += np.linalg.det(m)\n        n += 1\n"
        "    return total, n\n",
        {"sums": "total, n"}, (A, 1.5, 0),
    ),
    "a sum of floats": (
        "def f(a, total):\n    for m in a:\n        total -= float(np.trace(m))\n    return total\n",
        {"sums": "total"}, (A, 0.0),
    ),
    "a sum of arrays": (
        "def f(a, v, total):\n    for m, x in zip(a, v):\n        total += np.outer(x, m @ x)\n",
        {"writes": "total"}, (A, V, Z((3, 3))),
    ),
    "two ways": (
        "def f(a, s, out):\n    for i in range(len(a)):\n        if s[i] > 1:\n"
        "            out[i] = np.linalg.inv(a[i])\n        else:\n            out[i] = a[i] * s[i]\n",
        {"writes": "out"}, (A, S, Z((7, 3, 3))),
    ),
    "some go on": (
        "def f(a, s, out):\n    for m, x in zip(a, s):\n        if x < 1:\n            continue\n"
        "        out.append(m.sum(axis=0) / x)\n",
        {"writes": "out"}, (A, S, []),
    ),
    "a loop until": (
        "def f(a, out):\n    for i in range(len(a)):\n        x = np.eye(3) / np.trace(a[i])\n"
        "        while np.linalg.norm(np.eye(3) - a[i] @ x) > 1e-8:\n"
        "            x = x @ (2 * np.eye(3) - a[i] @ x)\n        out[i] = x\n",
        {"writes": "out"}, (A, Z((7, 3, 3))),
    ),
    "windows": (
        "def f(x, out):\n    for i in range(2, len(x) - 2):\n"
        "        w = x[i - 2:i + 3]\n        out[i] = w @ w + w[2]\n",
        {"writes": "out"}, (L, Z(12)),
    ),
    "windows that are cut off": (
        "def f(x, out):\n    for i in range(len(x)):\n"
        "        w = x[max(0, i - 2):i + 3]\n        out[i] = np.linalg.norm(w)\n",
        {"writes": "out"}, (L, Z(12)),
    ),
    "tiles": (
        "def f(x, out):\n    for i in range(4):\n        for j in range(3):\n"
        "            out[i, j] = np.linalg.svd(x[2*i:2*i+2, 2*j:2*j+2], compute_uv=False)\n",
        {"writes": "out", "axes": 2}, (np.random.default_rng(8).normal(size=(8, 6)), Z((4, 3, 2))),
    ),
    "triangles": (
        "def f(v, out):\n    for i in range(len(v)):\n        for j in range(i):\n"
        "            out[i, j] = np.linalg.norm(v[i] - v[j])\n",
        {"writes": "out", "axes": 2}, (V, Z((7, 7))),
    ),
    "between two heads": (
        "def f(a, v, out):\n    for i in range(len(a)):\n        m = a[i]\n"
        "        for j in range(len(v)):\n            out[i, j] = m @ v[j]\n",
        {"writes": "out", "axes": 2}, (A, V, Z((7, 7, 3))),
    ),
    "gathered": (
        "def f(a, k, v, out):\n    for i in range(len(k)):\n        out[i] = a[k[i]] @ v[i]\n",
        {"writes": "out"}, (A, K, V, Z((7, 3))),
    ),
    "added at places": (
        "def f(k, a, v, out):\n    for i in range(len(k)):\n        out[k[i]] += a[i] @ v[i]\n",
        {"writes": "out"}, (K, A, V, Z((3, 3))),
    ),
    "added on a mesh": (
        "def f(d, a, out):\n    for e in range(len(d)):\n        out[np.ix_(d[e], d[e])] += a[e]\n",
        {"writes": "out"}, (np.array([[0, 1, 2], [2, 3, 4], [4, 5, 0]]), A[:3], Z((6, 6))),
    ),
    "an array of its own": (
        "def f(a, s, out):\n    for i in range(len(a)):\n        d = np.eye(3)\n"
        "        d[2, 2] = s[i]\n        d[0] += a[i, 0]\n        out[i] = d @ a[i]\n",
        {"writes": "out"}, (A, S, Z((7, 3, 3))),
    ),
    "stored twice": (
        "def f(a, out):\n    for i in range(len(a)):\n        out[i] = a[i] @ a[i]\n"
        "        out[i] /= np.linalg.norm(out[i])\n        out[i, 0] = 1.0\n",
        {"writes": "out"}, (A, Z((7, 3, 3))),
    ),
    "a row that changes": (
        "def f(a, v):\n    for i in range(len(a)):\n        row = v[i]\n        row += a[i] @ row\n"
        "        row[0] = 2.0\n",
        {"writes": "v"}, (A, V),
    ),
    "numbers of an array": (
        "def f(a, out):\n    for i in range(len(a)):\n        m = a[i]\n"
        "        out[i] = np.array([[m[1, 1], -m[0, 1]], [-m[1, 0], m[0, 0]]]) / "
        "(m[0, 0] * m[1, 1] - m[0, 1] * m[1, 0])\n",
        {"writes": "out"}, (A, Z((7, 2, 2))),
    ),
    "largest places": (
        "def f(a, out):\n    for i in range(len(a)):\n        w, v = np.linalg.eigh(a[i])\n"
        "        k = np.argmax(np.abs(w))\n        x = v[:, k]\n        out[i] = x / x[np.argmax(np.abs(x))]\n",
        {"writes": "out"}, (A, Z((7, 3))),
    ),
    "ordered": (
        "def f(a, out):\n    for i in range(len(a)):\n        w, v = np.linalg.eigh(a[i])\n"
        "        order = np.argsort(w)[::-1]\n        out[i] = np.abs(v[:, order]) * w[order]\n",
        {"writes": "out"}, (A, Z((7, 3, 3))),
    ),
    "a helper function": (
        "def g(m, x):\n    q, r = np.linalg.qr(m)\n    for k in range(2):\n        x = q @ x\n    return np.abs(x)\n"
        "def f(a, v, out):\n    for i in range(len(a)):\n        out[i] = g(a[i], x=v[i])\n",
        {"writes": "out"}, (A, V, Z((7, 3))),
    ),
    "the last one": (
        "def f(a):\n    for m in a:\n        w = np.linalg.eigvalsh(m)\n        n = float(w[0])\n    return w, n\n",
        {}, (A,),
    ),
    "systems": (
        "def f(a, v, b, out):\n    for i in range(len(a)):\n        x = np.linalg.solve(a[i], v[i])\n"
        "        y, *_ = np.linalg.lstsq(a[i], b, rcond=None)\n        out[i] = x + y + np.linalg.solve(a[i], b)\n",
        {"writes": "out"}, (A, V, V[0], Z((7, 3))),
    ),
    "sums by letters": (
        "def f(a, v, b, out):\n    for i in range(len(a)):\n"
        "        out[i] = np.einsum('ij,jk,k->i', a[i], b, v[i]) + np.tensordot(a[i], v[i], axes=1)\n",
        {"writes": "out"}, (A, V, A[0], Z((7, 3))),
    ),
    "joined": (
        "def f(a, v, out):\n    for i in range(len(a)):\n"
        "        out[i] = np.vstack([v[i], np.hstack([v[i][:1], v[i][1:]]), np.concatenate([v[i][2:], v[i][:2]])]) @ np.column_stack([v[i], v[i], v[i]]) @ np.stack([v[i]] * 3)\n",
        {"writes": "out"}, (A, V, Z((7, 3, 3))),
    ),
    "floats of Python's": (
        "def f(a, out):\n    for m in a:\n        s = float(m[0, 0])\n        out.append((math.sqrt(s) + 1 / s, max(0.0, s - 5), int(s) // 2))\n",
        {"writes": "out"}, (A, []),
    ),
    "a product of ranges": (
        "def f(v, out):\n    for i, j in product(range(3), range(2)):\n        out[i, j] = v[i] @ v[j]\n",
        {"writes": "out"}, (V, Z((3, 2))),
    ),
    "columns": (
        "def f(x, out):\n    for j in range(x.shape[1]):\n        c = x[:, j] - x[:, j].mean()\n"
        "        out[:, j] = c / np.linalg.norm(c)\n",
        {"writes": "out"}, (V, Z((7, 3))),
    ),
    "backwards": (
        "def f(a, v, out):\n    for i in range(len(a) - 1, -1, -1):\n        out[i] = a[i] @ v[len(a) - 1 - i]\n",
        {"writes": "out"}, (A, V, Z((7, 3))),
    ),
    "single precision": (
        "def f(a, s, out):\n    for i in range(len(a)):\n        out.append(a[i] * 2.0 + a[i, 0, 0] * float(s[i]))\n",
        {"writes": "out"}, (A.astype("f"), S, []),
    ),
    "of objects": (
        "from dataclasses import dataclass\n"
        "def f(bodies, out):\n    for b in bodies:\n        out.append(b['m'] @ b['v'] * b['k'])\n",
        {"writes": "out"}, ([{"m": A[k], "v": V[k], "k": float(k)} for k in range(5)], []),
    ),
    "masks of its own": (
        "def f(a, out):\n    for i in range(len(a)):\n        m = a[i].copy()\n        m[m < 0] = 0.0\n"
        "        out[i] = m @ m\n",
        {"writes": "out"}, (A, Z((7, 3, 3))),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", AT_ONCE)
def test_all_items_at_once(case: str, emulated: Any, monkeypatch: Any) -> None:
    monkeypatch.setenv("GPUPORT_FALLBACK", "error")
    reset_stats()
    text, words, given = AT_ONCE[case]
    plain, made = loop_of(text, **words)
    mine, theirs = on_host(emulated, given), on_device(emulated, on_host(emulated, given))
    expected, found = plain(*mine), made(*theirs)
    see_equal(expected, on_host(emulated, found))
    see_equal(mine, on_host(emulated, theirs))
    assert stats()["program.f"].device == 1
