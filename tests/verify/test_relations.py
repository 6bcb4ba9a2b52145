"""Inputs whose parts are related, or of a kind of their own: faults that show for no others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gpuport.verify.inputs.schedule import Schedule
from gpuport.verify.inputs.sizesseen import SizesSeen
from gpuport.verify.inputs.values import floats, integers
from gpuport.verify.records import Verdict
from gpuport.verify.signatures.annotations import annotated
from gpuport.verify.signatures.signatures import Signature
from gpuport.verify.signatures.templates import Template
from gpuport.verify.slots import Slot, Trial

BROADCAST = """
def total(a: np.ndarray, b: np.ndarray):
    if a.ndim != 2 or b.ndim != 2:
        raise ValueError("tables only")
    return (a * b).sum(axis=0)
"""
NARROW = """
def energy(x: np.ndarray):
    return (x * x).sum()
"""
PERMUTED = '''
def inverse(order: np.ndarray):
    """Inverse.

    Parameters
    ----------
    order : (n,) ndarray of int
        A permutation.
    """
    if not np.array_equal(np.sort(order), np.arange(order.size)):
        raise ValueError("no permutation")
    out = np.empty_like(order)
    out[order] = np.arange(order.size)
    return out
'''
STOCHASTIC = '''
def stationary(p: np.ndarray, steps: int = 5):
    """Distribution.

    Parameters
    ----------
    p : (n, n) ndarray of float
        Rows are distributions.
    """
    if not np.allclose(p.sum(axis=1), 1.0) or (p < 0).any():
        raise ValueError("rows must sum to one")
    v = np.full(p.shape[0], 1.0 / p.shape[0])
    for _ in range(steps):
        v = v @ p
    return v
'''
SYMMETRIC = """
def is_symmetric(a: np.ndarray, tolerance: float = 1e-8) -> bool:
    return bool(np.all(np.abs(a - a.T) <= tolerance))
"""
KEYED = """
def means(columns: dict[str, np.ndarray]):
    return {name: float(np.mean(v)) for name, v in columns.items()}
"""
KEYED_PORT = """
def means(columns: dict[str, np.ndarray]):
    return {name: float(cp.mean(cp.asarray(v))) for name, v in columns.items()}
"""
NAMED = """
def ends(u: np.ndarray, kind: str = "periodic"):
    v = u.copy()
    if kind == "periodic":
        v[0] = u[-1]
    else:
        v[0] = 0
    return v
"""
CAST = """
def cast(x: np.ndarray, dtype="float32"):
    return np.asarray(x).astype(dtype).sum(axis=0)
"""


def ported(text: str, *given: str) -> str:
    """The port that every NumPy call is swapped in."""
    named = ", ".join(f'"{name}"' for name in given)
    body = text.replace("np.", "cp.").replace(": cp.ndarray", ": np.ndarray")
    return body.replace("\ndef ", f"\n@device({named})\ndef ")


CASES = [
    (BROADCAST, ported(BROADCAST, "a", "b"), "total", "(a * b).sum(axis=0)",
     "cp.einsum('ij,ij->j', a, cp.ones_like(a) * b) if b.shape[0] > 1 else (a * b)[0]"),
    (NARROW, ported(NARROW, "x"), "energy", "(x * x)",
     "(x.astype(np.float32 if x.dtype == np.float16 else x.dtype) * x)"),
    (NARROW, ported(NARROW, "x"), "energy", "(x * x)",
     "(x.astype(np.int64 if x.dtype == np.uint16 else x.dtype) * x)"),
    (PERMUTED, ported(PERMUTED, "order"), "inverse", "    return out", "    return order.copy()"),
    (STOCHASTIC, ported(STOCHASTIC, "p"), "stationary", "v @ p", "p @ v"),
    (SYMMETRIC, ported(SYMMETRIC, "a"), "is_symmetric", "cp.all(cp.abs(a - a.T) <= tolerance)",
     "cp.linalg.norm(a - a.T) <= tolerance"),
    (KEYED, KEYED_PORT, "means", "in columns.items()", "in sorted(columns.items())"),
    (CAST, ported(CAST, "x"), "cast", ".astype(dtype)", '.astype("float32")'),
    (NAMED, ported(NAMED, "u"), "ends", "if kind ==", "if kind.lower() =="),
]  # fmt: skip


@pytest.mark.parametrize(("original", "port", "function", "right", "wrong"), CASES)
def test_faults_that_show_for_such_inputs_alone_are_found(
    original: str, port: str, function: str, right: str, wrong: str, verify: Any, full: Any
) -> None:
    assert right in port
    sound = verify(original, port, full)[function]
    assert sound.verdict is Verdict.EQUIVALENT, sound
    assert verify(original, port.replace(right, wrong), full)[function].verdict.failing


@pytest.fixture
def full(tmp_path: Any) -> Any:
    from gpuport.verify.records import VerifyOptions

    return VerifyOptions(root=tmp_path, function_seconds=60)


def test_sizes_that_say_little_are_told() -> None:
    slot = Slot("x", "array", None, ("x.0", "=3"))

    def seen(*sizes: int) -> bool:
        found = SizesSeen()
        for size in sizes:
            found.add(Trial((slot,), sizes={"x.0": size}))
        return found.tiny()

    assert seen(0, 1, 2)
    assert seen(1, 2, 2)
    assert not seen(0, 1)  # what takes a number takes an array of one
    assert not seen(2, 2)  # that is told as the one size
    assert not seen(1, 2, 3)


def test_shares_are_not_negative_and_sum_to_one() -> None:
    rng = np.random.default_rng(0)
    drawn = floats((5, 7), "shares", rng)
    assert drawn.min() >= 0
    np.testing.assert_allclose(drawn.sum(axis=-1), 1.0)
    assert floats((), "shares", rng).shape == ()
    assert floats((0, 3), "shares", rng).shape == (0, 3)


def test_integers_beside_matrices_are_permutations() -> None:
    trial = Trial((), family="definite")
    drawn = integers((3, 6), np.dtype(np.int64), trial, np.random.default_rng(0))
    assert np.array_equal(np.sort(drawn, axis=-1), np.tile(np.arange(6), (3, 1)))


def test_each_dtype_that_is_seldom_has_an_example_of_its_own() -> None:
    slot = Slot("x", "array", None, ("x.0",))
    schedule = Schedule(Signature("f", 1, ()), [Template((slot,), None, (("x.0",),))], 100, 0)
    trials = [trial for trial, _ in zip(schedule.trials(), range(100), strict=False)]
    assert {"float16", "uint8", "uint16", "uint64"} <= {t.dtype for t in trials}


def test_an_axis_that_is_broadcast_is_of_one_element_now_and_then() -> None:
    slots = tuple(Slot(n, "array", None, (f"{n}.0",)) for n in "ab")
    template = Template(slots, None, (("a.0", "b.0"),), single=("b.0",))
    schedule = Schedule(Signature("f", 1, ()), [template], 100, 0)
    sizes = [(t.sizes["a.0"], t.sizes["b.0"]) for t in schedule.trials()]
    assert any(a > 1 and b == 1 for a, b in sizes)
    assert all(a == b or b == 1 for a, b in sizes)


def test_an_annotated_mapping_has_keys_in_no_order() -> None:
    import ast

    found = annotated("d", ast.parse("dict[str, np.ndarray]", mode="eval").body)
    assert [item.name for item in found[0].items] == ["b", "a", "c"]
    assert not annotated("d", ast.parse("dict[int, float]", mode="eval").body)


@pytest.mark.parametrize(
    ("text", "function", "old", "new"),
    [
        ("def f(w: np.ndarray):\n    return w[:2], w[2:]", "f", "w[:2]", "w[:2].copy()"),
        (
            "class M:\n    def __init__(self, x: np.ndarray):\n        self.x = x * 2.0\n"
            "    def f(self):\n        return self.x[1:]",
            "M.f",
            "self.x[1:]",
            "self.x[1:].copy()",
        ),
    ],
)
def test_a_copy_in_the_place_of_a_view_differs(
    text: str, function: str, old: str, new: str, verify: Any
) -> None:
    verdict = verify(text, text.replace(old, new))[function]
    assert verdict.verdict is Verdict.DIFFERS, verdict
    assert "a copy, no view" in verdict.reason


def test_views_without_elements_may_be_copies(verify: Any) -> None:
    text = "def f(w: np.ndarray):\n    return w[:0], w * 2.0"
    verdict = verify(text, text.replace("w[:0]", "w[:0].copy()"))["f"]
    assert verdict.verdict is Verdict.EQUIVALENT, verdict
