"""Small functions: what of them runs on the device, what they give back, what refuses them."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gpuport.analysis.functions.summaries import Analysed
from gpuport.analysis.placement.graph import Place
from gpuport.analysis.values.lattice import Array

Analyse = Callable[..., Analysed]

ON_DEVICE = [
    "y = np.sqrt(x); y[y > n] = 0; return y",
    "y = np.sqrt(x); y[2:5] = np.zeros(3); return y",
    "y = np.sqrt(x); y += x; return y",
    "x += np.sqrt(x); return x",
    "x[0] = 3; return np.sqrt(x)",
    "y = x; y += np.sqrt(y)",
    "y = x.T; y += np.sqrt(y)",
    "y = x.copy(); y += np.sqrt(y); return y",
    "s = np.sum(x); s += np.sum(np.sqrt(x)); return s",
    "s = 0.0; s += np.sum(np.sqrt(x)); return s",
    "s = 0.0\nfor i in range(n):\n    s += np.sum(np.sqrt(x) * i)\nreturn s",
    "y = np.zeros(3)\nfor i in range(n):\n    y = y + np.sqrt(x)\nreturn y",
    "if n > 3:\n    y = np.sqrt(x)\nelse:\n    y = np.cos(x)\nreturn y",
    "y = np.sqrt(x) if n else np.exp(x); return y",
    "while np.sum(x) > n:\n    x = np.sqrt(x) - 1\nreturn x",
    "y = [np.sqrt(x)]; y.append(np.exp(x)); return y",
    "y = [np.sqrt(x), 3]; return y",
    "y = (np.sqrt(x), np.exp(x)); a, b = y; return a + b",
    "a, b = np.sqrt(x), np.exp(x); a, b = b, a; return a - b",
    "y = {'a': np.sqrt(x)}; y['b'] = np.exp(x); return y",
    "y = [np.sqrt(x) for i in range(n)]; return np.stack(y)",
    "y = {i: np.sqrt(x) for i in range(n)}; return y",
    "y = np.sqrt(x); del y; return np.exp(x)",
    "try:\n    y = np.sqrt(x)\nfinally:\n    pass\nreturn y",
    "y = np.sqrt(x); return y[np.argsort(y)]",
    "y = np.sqrt(x); y.sort(); return y",
    "y = np.sqrt(x); assert y.shape == x.shape, 'no'; return y",
    "y = np.sqrt(x); return -y, ~(y > 1), y ** 2, 1 / y, y @ y",
    "y = np.sqrt(x); return y is None or y.size == 0",
    "y = np.sqrt(x); return not y.any()",
    "y = np.sqrt(x); return f'{y}'",
    "y = np.sqrt(x); return np.shape(y), np.ndim(y)",
    "y = np.sqrt(x); z = np.empty_like(y); np.exp(y, out=z); return z",
    "y = np.sqrt(x); return float(np.sum(y)), bool(np.any(y > 1)), len(y)",
    "return sum(np.sqrt(x) for i in range(n))",
    "y = np.sqrt(x); return '%.3f of %d' % (y.max(), len(y))",
]
ON_HOST = [
    ("y = np.sqrt(x); later = (y * i for i in range(n)); return next(later)", None),
    ("y = np.sqrt(x); return y.tolist()", None),
    ("y = np.sqrt(x); y.flags.writeable = False; return y", None),
    ("y = np.sqrt(x); y.shape = (-1,); return y", None),
    ("y = np.sqrt(x); return y.astype(object)", None),
    ("y = np.sqrt(x); return y and 3", None),
    ("y = np.sqrt(x); return f'{y!r}'", None),
    ("y = np.sqrt(x); return np.frompyfunc(abs, 1, 1)(y)", None),
    ("y = np.sqrt(x); return sorted(y)", None),
    ("y = np.sqrt(x); mystery(y); return y", None),
    ("y = np.sqrt(x); CACHE['y'] = y; return y", None),
    ("y = np.sqrt(x)\ndef inner():\n    return y\nreturn inner", None),
    ("return [lambda: y for y in [np.sqrt(x)]]", None),
    ("try:\n    y = np.sqrt(x)\nexcept ValueError:\n    y = x\nreturn y", None),
    ("global G; G = np.sqrt(x)", "GP906"),
    ("y = np.sqrt(x); eval('y'); return y", "GP906"),
    ("y = np.sqrt(x); return locals()", "GP906"),
    ("yield np.sqrt(x)", "GP904"),
    ("y = np.sqrt(x); y += yield", "GP904"),
    ("import os; os.environ['a'] = str(np.sqrt(x)[0]); exec('y = 3')", "GP906"),
]


def program(body: str) -> str:
    head = "CACHE = {}\ndef f(x: np.ndarray, n: int):\n"
    return head + textwrap.indent(body, "    ") + "\n"


def place_of(analysed: Analysed, path: str) -> Place | None:
    """Where the calls of a NumPy function run; None where it was not reached."""
    found = {
        analysed.placement.of(operation.graph_node)
        for operation in analysed.unit.work.operations.values()
        if operation.path == path
    }
    assert len(found) <= 1
    return found.pop() if found else None


@pytest.mark.parametrize("body", ON_DEVICE)
def test_on_the_device(analyse: Analyse, body: str):
    analysed = analyse(program(body))
    assert analysed.unit.refusal is None
    assert place_of(analysed, "numpy.sqrt") is Place.DEVICE


@pytest.mark.parametrize(("body", "refusal"), ON_HOST)
def test_on_the_host(analyse: Analyse, body: str, refusal: str | None):
    analysed = analyse(program(body))
    assert (analysed.unit.refusal.code if analysed.unit.refusal else None) == refusal
    assert place_of(analysed, "numpy.sqrt") is not Place.DEVICE


@pytest.mark.parametrize("body", [body for body in ON_DEVICE if "return" in body])
def test_what_is_said_of_a_result_is_true(analyse: Analyse, covers: Callable[..., bool], body: str):
    called = 0
    for array in (np.linspace(1.0, 2.0, 3), np.eye(3) + 1.0, np.ones((3, 3, 3), "float32")):
        names: dict[str, Any] = {"np": np}
        exec(program(body), names)
        try:
            with np.errstate(all="ignore"):
                actual = names["f"](array.copy(), 1)
        except (ValueError, TypeError, IndexError):
            continue  # not a program for arrays of this rank or dtype
        called += 1
        claim = analyse(program(body)).unit.returned.value
        assert claim is not None
        assert covers(claim, actual), (claim, actual)
    assert called


@pytest.mark.parametrize(
    ("body", "mutated"),
    [
        ("return np.sqrt(x)", False),
        ("y = x; y[0] = 1; return np.sqrt(x)", True),
        ("y = x.T; y += np.sqrt(y)", True),
        ("y = x.copy(); y += np.sqrt(y)", False),
        ("y = x + 1; y += np.sqrt(y)", False),
        ("y = x[1:]; y[...] = 0; return np.sqrt(x)", True),
        ("y = x.reshape(-1); y[...] = 0; return np.sqrt(x)", True),
        ("np.sqrt(x, out=x)", True),
        ("for row in x:\n    row += 1\nreturn np.sqrt(x)", True),
        ("a, b = x, 3; a *= b; return np.sqrt(x)", True),
        ("y = [x]; y[0] += np.sqrt(x)", True),
        ("y = x if n else x; y -= 1; return np.sqrt(x)", True),
        ("x.sort(); return np.sqrt(x)", True),
        ("x.fill(0); return np.sqrt(x)", True),
        ("np.copyto(x, 0); return np.sqrt(x)", True),
        ("np.add.at(x, [0], 1); return np.sqrt(x)", True),
    ],
)
def test_a_write_to_an_argument_is_seen_through_every_name(
    analyse: Analyse, body: str, mutated: bool
):
    unit = analyse(program(body)).unit
    group = unit.parameters.nodes["x"].root()
    assert mutated <= (group.mutated or group.pinned is not None)
    if not mutated:
        assert not group.mutated


def test_parameters_that_share_memory_share_their_place(analyse: Analyse):
    unit = analyse(
        """
        def f(x: np.ndarray, y: np.ndarray, n: int):
            z = x if n else y
            z += np.sqrt(z)
        """
    ).unit
    assert unit.parameters.nodes["x"].root() is unit.parameters.nodes["y"].root()


def test_work_in_a_loop_weighs_more(analyse: Analyse):
    def weight(body: str) -> float:
        unit = analyse(program(body)).unit
        return sum(n.host_cost for n in unit.graph.nodes if n.parent is None)

    once = weight("np.sqrt(x)")
    assert weight("for i in range(n):\n    np.sqrt(x)") > once
    assert weight("for i in range(n):\n    for j in range(n):\n        np.sqrt(x)") > weight(
        "for i in range(n):\n    np.sqrt(x)"
    )


def test_calls_within_the_module_carry_what_they_are_given(analyse: Analyse):
    unit = analyse(
        """
        def f(values):
            return np.sqrt(values)

        def main():
            return f(np.zeros(3))
        """
    ).unit
    assert isinstance(unit.parameters.initial["values"], Array)


def test_recursion_ends(analyse: Analyse):
    analysed = analyse(
        """
        def f(x: np.ndarray, n: int):
            if n == 0:
                return np.sqrt(x)
            return f(np.exp(x), n - 1)
        """
    )
    assert analysed.unit.name == "f"


@pytest.mark.parametrize(("part", "place"), [("p", Place.DEVICE), ("p[1:]", Place.HOST)])
def test_what_a_helper_gives_back_is_its_argument_or_a_part(
    analyse: Analyse, part: str, place: Place
):
    """A caller that returns it gives its own argument back, which needs no copy."""
    analysed = analyse(
        f"""
        def relax(p, n):
            p[1:-1] = np.sqrt(p[2:] + p[:-2])
            return {part}

        def f(p: np.ndarray, n: int):
            q = relax(p, n)
            return q
        """
    )
    assert analysed.placement.of(analysed.unit.return_node) is place


def test_a_loop_fills_a_buffer_where_its_numbers_are(analyse: Analyse):
    """A launch for each number is more than one sum of them saves."""
    analysed = analyse(
        """
        def f(X, labels):
            D = np.sqrt(((X[:, None] - X[None]) ** 2).sum(-1))
            scores = np.zeros(len(X))
            for i in range(len(X)):
                same = labels == labels[i]
                same[i] = False
                a = D[i, same].mean() if same.any() else 0.0
                b = min(D[i, labels == k].mean() for k in np.unique(labels))
                scores[i] = (b - a) / max(a, b)
            return scores.mean()
        """
    )
    places = {
        one.path: analysed.placement.of(one.graph_node)
        for one in analysed.unit.work.operations.values()
    }
    assert places["numpy.sqrt"] is Place.DEVICE
    assert places["numpy.zeros"] is Place.HOST
