"""Which loops over vectors are turned, and what of."""

from __future__ import annotations

import ast
import textwrap

import pytest

from gpuport.parallel.across.known import Known, Turned
from gpuport.parallel.across.turning import turned
from gpuport.source.fresh import Fresh

ARRAYS = {"v": 1, "w": 1, "k": 1, "X": 2, "Y": 2, "F": 3, "u": 2, "self.h": 1}


def turn(text: str, live: str = "") -> Turned | None:
    """The loop over the elements; None where there is none."""
    tree = ast.parse(textwrap.dedent(text))
    loop = tree.body[0]
    assert isinstance(loop, ast.For | ast.While)
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}

    def resolve(function: ast.expr) -> str | None:
        text = ast.unparse(function)
        return text.replace("np.", "numpy.") if text.startswith("np.") else f"builtins.{text}"

    known = Known(
        ARRAYS, frozenset(ARRAYS) - {"k"}, frozenset("w"), frozenset(live.split()), resolve,
        Fresh(names).name,
    )  # fmt: skip
    return turned(loop, known)


def result(text: str, live: str = "") -> str | None:
    """Its text, and what has to hold."""
    found = turn(text, live)
    return None if found is None else "\n".join([ast.unparse(found.loop), *found.equal])


def test_a_state_that_each_iteration_makes_anew() -> None:
    found = result("""
        for t in range(X.shape[1]):
            x = X[:, t]
            rate = np.where(x > v, 0.5, c)
            v = rate * v + (1 - rate) * x
            Y[:, t] = v
    """)
    assert found == textwrap.dedent("""\
        for i_ in range(v.shape[0]):
            v_ = v[i_]
            for t in range(X.shape[1]):
                x = X[i_, t]
                rate = 0.5 if x > v_ else c
                v_ = rate * v_ + (1 - rate) * x
                Y[i_, t] = v_
        X.shape[0] == v.shape[0]
        Y.shape[0] == v.shape[0]""")


def test_changes_in_place_and_masks() -> None:
    found = result("""
        for t in range(n):
            drive = np.sin(t * dt)
            v += dt * (drive - v * self.h)
            fired = (v > 1.0) & ~(w > 0.0)
            v[fired] = 0.0
            w[fired] += 0.5
            if t % 2:
                X[t] = v
    """)
    assert found == textwrap.dedent("""\
        for i_ in range(v.shape[0]):
            for t in range(n):
                drive = np.sin(t * dt)
                v[i_] += dt * (drive - v[i_] * self.h[i_])
                fired = v[i_] > 1.0 and (not w[i_] > 0.0)
                if fired:
                    v[i_] = 0.0
                if fired:
                    w[i_] += 0.5
                if t % 2:
                    X[t, i_] = v[i_]
        self.h.shape[0] == v.shape[0]
        w.shape[0] == v.shape[0]
        X.shape[1] == v.shape[0]""")


def test_a_state_that_is_read_afterwards_is_left_in_its_array() -> None:
    found = result("for t in range(n):\n    w = w * 0.5 + X[t]", "w")
    assert found == textwrap.dedent("""\
        for i_ in range(w.shape[0]):
            w_ = w[i_]
            for t in range(n):
                w_ = w_ * 0.5 + X[t, i_]
            w[i_] = w_
        X.shape[1] == w.shape[0]""")


def test_what_is_only_changed_in_place_is_the_array_that_it_was() -> None:
    found = turn("""
        for t in range(n):
            v += X[t]
            out = v * w
            v -= out
            Y[t] = out
    """)
    assert found is not None
    names = [n for n in ast.walk(found.loop) if isinstance(n, ast.Name)]
    assert not any(n.id in ARRAYS and isinstance(n.ctx, ast.Store) for n in names)


def test_fields_of_two_axes() -> None:
    found = result("for t in range(1, n):\n    F[t] = F[t - 1] + u * g")
    assert found == textwrap.dedent("""\
        for i_ in range(F.shape[1]):
            for i2_ in range(F.shape[2]):
                for t in range(1, n):
                    F[t, i_, i2_] = F[t - 1, i_, i2_] + u[i_, i2_] * g
        u.shape[0] == F.shape[1]
        u.shape[1] == F.shape[2]""")


@pytest.mark.parametrize(
    ("text", "live"),
    [
        ("for t in range(n):\n    X[t] = v.sum() * v", ""),
        ("for t in range(n):\n    X[t] = v[::-1]", ""),
        ("for t in range(n):\n    X[t, 1:] = v[:-1]", ""),
        ("for t in range(n):\n    X[t] = np.sort(v)", ""),
        ("for t in range(n):\n    X[t] = u @ v", ""),
        ("for t in range(n):\n    X[t] = np.exp(v, w)", ""),
        ("for t in range(n):\n    X[t] = u + v", ""),
        ("for t in range(n):\n    X[t] = v[k]", ""),
        ("for t in range(n):\n    v[k] = 1.0", ""),
        ("for t in range(n):\n    v = v * 0.5\n    X[t] = v", "v"),
        ("for t in range(n):\n    x = v * t\n    X[t] = x", "x"),
        ("for t in range(n):\n    x = v\n    v += 1.0\n    X[t] = x", ""),
        ("for t in range(n):\n    x = X[t]\n    x += 1.0\n    Y[t] = x", ""),
        ("for t in range(n):\n    x = X[t]\n    X[t] = 0.0\n    Y[t] = x", ""),
        ("for t in range(n):\n    x = v if t else w\n    w += 1.0\n    X[t] = x", ""),
        ("for t in range(n):\n    v += 1.0\n    v = v * 2\n    X[t] = v", ""),
        ("for t in range(n):\n    k += 0.5\n    X[t] = k", ""),
        ("for t in range(n):\n    x = v if v > 0 else w\n    X[t] = x", ""),
        ("for t in range(n):\n    if v > 0:\n        X[t] = v", ""),
        ("for t in range(n):\n    print(v)\n    X[t] = v", ""),
        ("for t in range(n):\n    s = t * 2\n    if s > 3:\n        s = v\n    X[t] = s", ""),
        ("for t in range(n):\n    v = X[t]\n    Y[t] = v", ""),
        ("for t in range(n):\n    v = v * 0.5\n    X[t] = v * v[0]", ""),
        ("for t in range(n):\n    X[t] = v & w", ""),
        ("for t in range(n):\n    X[t] = rng.normal(size=len(v)) + v", ""),
        ("while t < n:\n    X[t] = v\n    t += 1", ""),
        ("for t in range(n):\n    x = v * t", ""),
        ("for t in v:\n    X[0] = w * t", ""),
        ("for k in range(n):\n    X[k] = w * k", ""),
    ],
)
def test_what_is_not_turned(text: str, live: str) -> None:
    assert result(text, live) is None
