"""Faults that show for inputs seldom drawn: other shapes, tiny values, what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gpuport.verify.records import Verdict, VerifyOptions

# the original, what the port has in its place, and the fault planted in the port
FAULTS = {
    "shapes of as many elements": (
        """
        def f(a, b):
            if a.shape != b.shape:
                raise ValueError("shapes")
            return (a.T.ravel() * b.T.ravel()).sum() + a[0, 0]
        """,
        ("def f", '@device("a", "b")\n        def f'),
        ("a.shape != b.shape", "a.size != b.size"),
    ),
    "tiny values taken for zero": (
        """
        def f(x: "Float[np.ndarray, 'n']"):
            s = x.std()
            return (x - x.mean()) / (1.0 if s == 0 else s)
        """,
        ("def f", '@device("x")\n        def f'),
        ("s == 0", "s < 1e-12"),
    ),
    "a handler of more": (
        """
        def f(x: "Float[np.ndarray, 'n']", k: int):
            try:
                return x[k] * math.sqrt(k)
            except ValueError:
                return -1.0
        """,
        ("x[k] *", "x[k] * 1.0 *"),
        ("except ValueError", "except Exception"),
    ),
    "what a generator gave before": (
        """
        def f(x: "Float[np.ndarray, 'n']"):
            state = np.zeros_like(x)
            for k in range(len(x)):
                state[k] = x[k]
                yield k, state
        """,
        ("np.zeros_like(x)", "np.zeros(x.shape, x.dtype)"),
        ("state[k] = x[k]", "state[:] = x"),
    ),
    "what a generator returns at its end": (
        """
        def f(x: "Float[np.ndarray, 'n']"):
            total = 0.0
            for k in range(len(x)):
                total += x[k]
                yield total
            return total / 2
        """,
        ("total / 2", "total * 0.5"),
        ("return total * 0.5", "return None"),
    ),
    "an iterator that is gone through twice": (
        """
        from collections.abc import Iterable

        def f(parts: Iterable[np.ndarray]):
            parts = list(parts)
            mean = sum(p.sum() for p in parts) / 3
            return [p.sum() - mean for p in parts]
        """,
        ("/ 3", "* (1 / 3)"),
        ("list(parts)", "parts"),
    ),
    "a tuple of what may be an iterator": (
        """
        def f(parts):
            parts = tuple(parts)
            first = max(np.ptp(p) for p in parts)
            return [p * 2.0 - first for p in parts]
        """,
        ("p * 2.0", "2.0 * p"),
        ("tuple(parts)", "parts"),
    ),
    "what lies beyond a block of the port's": (
        """
        def f(x: "Float[np.ndarray, 'n m']"):
            return x - x.mean(axis=0)
        """,
        ("def f", '@device("x")\n        def f'),
        ("return x - x.mean(axis=0)", "return x - x[:700].mean(axis=0)"),
    ),
    "the branch of long ones": (
        """
        LONG = 600

        def f(x: "Float[np.ndarray, 'n m']"):
            if x.shape[0] > LONG:
                return x * 2.0 - 1.0
            return x * 2.0
        """,
        ("x * 2.0", "2.0 * x"),
        ("2.0 * x - 1.0", "2.0 * x"),
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_the_fault_is_found_and_the_port_is_right(name: str, verify: Any, tmp_path: Path) -> None:
    original, written, fault = FAULTS[name]
    port = original.replace(*written)
    options = VerifyOptions(root=tmp_path, examples=100)
    right = verify(original, port, options)["f"]
    assert right.verdict is Verdict.EQUIVALENT, right
    wrong = port.replace(*fault)
    assert wrong != port
    assert verify(original, wrong, options)["f"].verdict.failing
