"""Work on a few numbers stays on the host, and what it needs of large arrays comes in one copy."""

from __future__ import annotations

import textwrap

import pytest

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

BEGIN = """import numpy as np

rng = np.random.default_rng(1)
big = np.cumsum(np.sqrt(np.arange(1e6)))
"""


def port(text: str) -> str:
    made = port_module(parse("module.py", BEGIN + textwrap.dedent(text)), Config())
    assert made.after is not None
    return made.after


def body(text: str, name: str) -> str:
    """The lines of a function."""
    return text.partition(f"def {name}(")[2].partition("\ndef ")[0].partition("\nprint")[0]


@pytest.mark.parametrize(
    "loop",
    [
        """
        def trace(lengths):
            m = np.eye(2)
            for d in lengths:
                m = np.array([[1.0, d], [0.0, 1.0]]) @ m
            return m[0, 1]
        """,
        """
        def trace(angles):
            t = np.eye(4)
            for q in angles:
                c, s = np.cos(q), np.sin(q)
                t = t @ np.array([[c, -s, 0.0, 1.0], [s, c, 0.0, 0.0], [0.0, 0.0, 1.0, 0.2],
                                  [0.0, 0.0, 0.0, 1.0]])
            return t
        """,
        """
        def trace(steps):
            lam = np.array([0.01, 0.03, 0.1])
            c = np.array([1.0, 2.0, 3.0])
            power = 1.0
            for h in steps:
                power = power + h * (lam * c).sum()
                c = (c + h * power) / (1.0 + lam * h)
            return power
        """,
        """
        def trace(steps):
            best = np.zeros(3)
            for h in steps:
                best = np.maximum(best, h * np.array([1.0, 2.0, h]) - best.mean())
            return best
        """,
    ],
)
def test_small_matrices_in_loops(loop: str) -> None:
    after = port(textwrap.dedent(loop) + "print(trace([0.1, 0.2, 0.3]), np.sort(big * 2.0)[0])\n")
    assert "cp.sort" in after
    assert "cp." not in body(after, "trace")


def test_elements_that_conditions_ask_for_come_in_one_copy() -> None:
    after = port(
        """
        def half(g):
            right = int(np.argmax(g))
            while right < len(g) - 1 and g[right] > 0.5 * g[0]:
                right += 1
            return right
        print(half(np.sort(big * 2.0)))
        """
    )
    assert "cp." not in body(after, "half")
    assert "half(cp.asnumpy(cp.sort(" in after


def test_products_of_two_lines_in_a_nest_of_loops() -> None:
    after = port(
        """
        def prune(z, order):
            kept = []
            for s in order:
                good = True
                for t in reversed(kept):
                    r = z[:, s] @ z[:, t]
                    if r * r > 0.5:
                        good = False
                        break
                if good:
                    kept.append(s)
            return kept
        z = np.sort(np.sqrt(big[:900000].reshape(3000, 300)), axis=0)
        print(prune(z / z.max(), list(range(300))))
        """
    )
    assert "cp.sort" in after
    assert "r = z[:, s] @ z[:, t]" in after


def test_a_search_for_one_number_in_a_loop() -> None:
    after = port(
        """
        def route(inflow, table, values):
            o = np.interp(0.5, table, values)
            for n in range(len(inflow)):
                level = inflow[n] - o
                o = np.interp(level, table, values)
            return o
        print(route(rng.normal(size=50), np.linspace(0.0, 9.0, 15), np.sqrt(big[:15])))
        """
    )
    assert "cp.interp" not in after
    assert "o = np.interp(level, table, values)" in after


@pytest.mark.parametrize(
    "made",
    [
        'np.array(["ACGT".index(c) for c in seq])',
        'np.array([seq.count(c) + seq.find(c) for c in "ACGT"])',
        'np.array([ord(c) for c in seq.upper()])',
    ],
)  # fmt: skip
def test_numbers_of_texts_have_a_dtype(made: str) -> None:
    after = port(
        f"""
        def encode(seq):
            return {made}
        def pairs(codes):
            best = np.zeros(len(codes))
            for p in range(len(codes) - 1):
                best[p] = 1.0 if codes[p] + codes[p + 1] == 3 else -0.5
            return best
        print(pairs(encode("ACGTTGCA")))
        """
    )
    assert '"raw int64 codes' in after
