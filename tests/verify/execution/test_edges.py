"""Edges of comparisons whose sides are computed on the way: found, told apart, no false alarms."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpuport.verify.execution.edgewatch import watched
from gpuport.verify.records import Verdict, VerifyOptions
from gpuport.verify.sides.sides import Side

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


FINITE = (
    "def f(t: 'NDArray[np.float64]'{more}):\n    if not bool({np}.all({np}.isfinite(t))):\n"
    "        raise ValueError('finite')\n    return {formula}\n"
)
# more parameters, the formula, and what it is taken for
QUOTIENTS = {
    "floor division": (", p: float", "t // p", "cp.floor(t / p)"),
    "floor division by a number": ("", "t // 0.1", "cp.floor(t / 0.1)"),
    "the quotient of both": (", p: float", "divmod(t, p)[0]", "cp.floor(t / p)"),
    "halves of a digit": ("", "np.round(t, 1)", "cp.sign(t) * cp.floor(cp.abs(t) * 10 + 0.5) / 10"),
    "entries of a table": (
        "",
        "np.digitize(t, np.linspace(-1, 1, 9))",
        "cp.digitize(t, cp.linspace(-1, 1, 9), right=True)",
    ),
}


@pytest.mark.parametrize("seed", [0, 4])
@pytest.mark.parametrize("name", QUOTIENTS)
def test_multiples_and_halves_are_sought_whatever_the_seed(
    name: str, seed: int, verify: Any, tmp_path: Any
) -> None:
    more, formula, naive = QUOTIENTS[name]
    original = FINITE.format(more=more, np="np", formula=formula)
    port = "@device('t')\n" + FINITE.format(more=more, np="cp", formula=naive)
    options = VerifyOptions(root=tmp_path, examples=60, seed=seed)
    verdict = verify(original, port, options)["f"]
    assert verdict.verdict is Verdict.DIFFERS, verdict


WATCHED = """
import numpy as np

def f(t, p):
    t %= 4.0
    label = "%d of %d" % (1, 2)
    rows = np.arange(0.0, 1.0, 0.25)
    found = np.searchsorted(rows, t)
    t = (t * 3.0).round(1)
    return t // p, found, label
"""


def test_what_is_watched_computes_what_it_did(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # a side makes its folder the working one
    file = tmp_path / "module.py"
    file.write_text(WATCHED, encoding="utf-8")
    side = Side(tmp_path, "module", file, tmp_path)
    side.load()
    module: Any = side.module
    given = np.array([4.5, 8.75]), 0.5
    plain = module.f(given[0].copy(), given[1])
    with watched(side) as watches:
        seen = module.f(given[0].copy(), given[1])
    for one, other in zip(plain, seen, strict=True):
        np.testing.assert_array_equal(one, other)
    margins = [m.tolist() for m in watches[-1].margins.values() if m.dtype.kind == "f"]
    assert [1.125, 2.1875] in margins  # t % 4.0
    assert [4.0] in margins  # the range has so many elements
    assert [0.0, 0.0] in margins  # 0.5 and 0.75 are entries
    assert [15.0, 22.5] in margins  # tenths, before they are rounded
    assert [3.0, 4.4] in margins  # t // p
