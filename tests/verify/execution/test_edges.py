"""Edges of comparisons whose sides are computed on the way: found, told apart, no false alarms."""

from __future__ import annotations

from typing import Any

import pytest

from gpuport.verify.records import Verdict, VerifyOptions

# what the original compares, the fault, and a harmless rewrite
CASES = {
    "a strict comparison of sums": (
        "def f(x: np.ndarray, y: np.ndarray):\n    return x.sum() < 2.0 * y.sum()",
        ("<", "<="),
        ("2.0 * y.sum()", "(y.sum() + y.sum())"),
    ),
    "a threshold in single precision": (
        "def f(x: np.ndarray):\n    z = np.abs(x - x.mean())\n"
        "    return z > 1.4826 * z.max() / 2.0",
        ("1.4826", "1.4825999736785889"),
        ("1.4826 * z.max()", "z.max() * 1.4826"),
    ),
    "a scaled number": (
        "def f(x: np.ndarray, level: float):\n    return np.where(x * x > 0.7 * level, x, 0.0)",
        ("0.7", "0.699999988079071"),
        ("0.7 * level", "level * 0.7"),
    ),
    "a floor": (
        "def f(x: np.ndarray):\n    return np.floor(3.0 * x + 0.1)",
        ("0.1", "0.10000000149011612"),
        ("3.0 * x", "x * 3.0"),
    ),
    "an integer of a number": (
        "def f(x: np.ndarray, step: float):\n    k = int(10.0 * step)\n    return x * k + k",
        ("int(10.0 * step)", "int(10.000000149 * step)"),
        ("10.0 * step", "step * 10.0"),
    ),
    "a narrow band": (
        "def f(x: np.ndarray, eps: float = 0.1):\n    return np.abs(x[..., :1] - x) <= eps",
        ("<=", "<"),
        # the other way round differences of unsigned integers are others
        ("np.abs(x[..., :1] - x) <= eps", "eps >= np.abs(x[..., :1] - x)"),
    ),
    "a method": (
        "class M:\n    def __init__(self, a: float):\n        self.a = 0.3 * a\n"
        "    def f(self, x: np.ndarray):\n        return (x / 3.0 > self.a).astype(float) + x",
        ("x / 3.0", "x / 3.0000001"),
        ("x / 3.0 > self.a", "self.a < x / 3.0"),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_an_edge_on_the_way_is_met(name: str, verify: Any) -> None:
    text, (old, new), _ = CASES[name]
    assert old in text
    function = "M.f" if "class M" in text else "f"
    verdict = verify(text, text.replace(old, new))[function]
    assert verdict.verdict is Verdict.DIFFERS, verdict


@pytest.mark.parametrize("name", CASES)
def test_other_roundings_at_an_edge_are_no_difference(name: str, verify: Any) -> None:
    text, _, (old, new) = CASES[name]
    assert old in text
    function = "M.f" if "class M" in text else "f"
    verdict = verify(text, text.replace(old, new))[function]
    assert verdict.verdict is Verdict.EQUIVALENT, verdict


@pytest.mark.parametrize(
    ("original", "port"),
    [
        (
            "def f(x: np.ndarray):\n    x = x.real\n    v = x.var()\n    return x[x * x > v + 0.1]",
            "def f(x: np.ndarray):\n    x = x.real\n    v = ((x - x.mean()) ** 2).mean()\n"
            "    return x[x ** 2 > 0.1 + v]",
        ),
        (
            "def f(x: np.ndarray):\n    t = np.exp(np.log(np.abs(x) + 1.0))\n    return t >= 2.0",
            "def f(x: np.ndarray):\n    t = np.exp(np.log1p(np.abs(x)))\n    return t >= 2.0",
        ),
        (
            "def f(x: np.ndarray):\n    while np.any(np.abs(x) > 1.0):\n        x = x / 2\n"
            "    return np.round(x, 1)",
            "def f(x: np.ndarray):\n    while np.any(np.abs(x) > 1.0):\n        x = 0.5 * x\n"
            "    return np.round(x, 1)",
        ),
    ],
)
def test_harmless_rewrites_with_comparisons(original: str, port: str, verify: Any) -> None:
    verdict = verify(original, port)["f"]
    assert verdict.verdict is not Verdict.DIFFERS, verdict


def test_one_example_is_looked_at_however_late_it_is(verify: Any, tmp_path: Any) -> None:
    # the port sleeps in its first calls, as one does that is compiled
    text = (
        "import time\nCALLS = [0]\ndef f(x: np.ndarray, eps: float = 0.1):\n    {sleep}\n"
        "    return np.abs(x[..., :1] - x) <= eps"
    )
    slow = "CALLS[0] += 1; time.sleep(0.05)"
    options = VerifyOptions(root=tmp_path, examples=12, function_seconds=8.0)
    port = text.format(sleep=slow).replace("<=", "<")
    verdict = verify(text.format(sleep="CALLS[0] += 1"), port, options)["f"]
    assert verdict.verdict is not Verdict.EQUIVALENT, verdict
