"""What a refusal's message teaches about a parameter: how long it is, and which keys it has."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from gpuport.verify.inputs.lessons import taught
from gpuport.verify.records import Verdict
from gpuport.verify.signatures.standins import READABLE
from gpuport.verify.signatures.templates import Refusal
from gpuport.verify.slots import Slot

ARRAY = Slot("c", "array", dims=("c.0", "c.1"))
KEYED = Slot("c", "dict", items=(Slot("a", "array", dims=("a.0",)),))
# a dictionary that may be left out, inside of what a constructor makes
LEFT = Slot("c", "omitted", omit=True, traits=("mapping",))
MAKER = Slot("c", "instance", "m:Maker", items=(replace(LEFT, name="options"),))
OUTSIDE = "index 4 is out of bounds for axis 1 with size 4"
BY_TEXT = "only integers, slices (`:`), ellipsis (`...`) are valid indices"
MISMATCH = (
    "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
    "(n?,k),(k,m?)->(n?,m?) (size 2 is different from 4)"
)
NOT_ALIGNED = "shapes (2,3) and (4,4) not aligned: 3 (dim 1) != 4 (dim 0)"


@pytest.mark.parametrize(
    ("slot", "text", "message", "expected"),
    [
        (ARRAY, "y = c[:, 4]", OUTSIDE, Slot("c", "array", dims=("c.0", "=5"))),
        (ARRAY, "y = c[4] + c[7]", OUTSIDE, Slot("c", "array", dims=("c.0", "=8"))),
        (ARRAY, "y = d[:, 4]", OUTSIDE, None),
        (ARRAY, "y = c[:, 4]", OUTSIDE.replace("axis 1", "axis 2"), None),
        (
            ARRAY,
            "u, v, w = c",
            "too many values to unpack (expected 3)",
            Slot("c", "array", dims=("=3", "c.1")),
        ),
        (ARRAY, "y = c['u']", BY_TEXT, Slot("c", "dict", items=(Slot("u", "float"),))),
        (ARRAY, "y = c[1.5]", BY_TEXT, None),
        (ARRAY, "return c @ r.T", MISMATCH, Slot("c", "array", dims=("c.0", "=2"))),
        (ARRAY, "return d @ r.T", MISMATCH, None),
        (ARRAY, "y = np.dot(w, c)", NOT_ALIGNED, Slot("c", "array", dims=("=3", "c.1"))),
        (ARRAY, "y = w @ c", NOT_ALIGNED.replace("3", "4"), None),
        (ARRAY, "y = f(**c)", "argument after ** must be a mapping, not list", Slot("c", "dict")),
        (ARRAY, "c.update(a=1)", "'list' object has no attribute 'update'", Slot("c", "dict")),
        (
            ARRAY,
            "y = fit(c)",
            "expected 1D vector for x",
            Slot("c", "array", dims=("c.0",)),
        ),
        (
            ARRAY,
            "raise ValueError('...')",
            "Labels must be nonnegative integers",
            replace(ARRAY, dtype="int64"),
        ),
        (
            ARRAY,
            "if c > 0:",
            "The truth value of an array with more than one element is ambiguous.",
            Slot("c", "float"),
        ),
        (
            ARRAY,
            "raise ValueError(text)",
            "c must be one of: ['fast', 'slow']",
            Slot("c", "choice", choices=("fast", "slow")),
        ),
        (
            replace(ARRAY, omit=True),
            "return inner(**options)",
            "inner() got an unexpected keyword argument 'c'",
            Slot("c", "omitted", omit=True),
        ),
        (
            KEYED,
            "y = helper(c)",
            "'b'",
            Slot("c", "dict", items=(*KEYED.items, Slot("b", "array", dims=("b.0",)))),
        ),
        (KEYED, "y = c['a']", "'a'", None),
        (
            ARRAY,
            "y = x[c]",
            "arrays used as indices must be of integer (or boolean) type",
            replace(ARRAY, dtype="int64"),
        ),
        (
            LEFT,
            "y = inner(**self.options)",
            "inner() missing 2 required positional arguments: 'u' and 'w'",
            Slot("c", "dict", items=(Slot("u", "float"), Slot("w", "float")), omit=True),
        ),
        (
            MAKER,
            "y = self.options['u']",
            "'u'",
            replace(
                MAKER,
                items=(Slot("options", "dict", items=(Slot("u", "float"),), omit=True),),
            ),
        ),
        (
            KEYED,
            "raise ValueError(text)",
            "Data needs to contain ['a', 'b']. Detected: ['x']",
            Slot("c", "dict", items=(*KEYED.items, Slot("b", "array", dims=("b.0",)))),
        ),
        (
            ARRAY,
            "y = x.squeeze(1)",
            "cannot select an axis to squeeze out which has size not equal to one",
            Slot("c", "array", dims=("c.0", "=1")),
        ),
        (
            replace(ARRAY, omit=True),
            "raise ValueError(text)",
            "`c=True` can only be used for short inputs",
            Slot("c", "omitted", omit=True),
        ),
        (
            Slot("c", "choice", choices=("text",), omit=True),
            "raise ValueError(text)",
            "Invalid name 'text'",
            Slot("c", "omitted", choices=("text",), omit=True),
        ),
        (ARRAY, "y = c", "no message that is known", None),
        (
            ARRAY,
            "assert total >= 0, total",
            "The truth value of an array with more than one element is ambiguous.",
            Slot("c", "float"),
        ),
    ],
)
def test_what_a_message_says(slot: Slot, text: str, message: str, expected: Slot | None) -> None:
    found = taught([slot], Refusal(3, text, message))
    assert found == ({} if expected is None else {"c": expected})


def test_of_two_of_which_one_may_be_given_the_first_stays() -> None:
    slots = [Slot(name, "float", omit=True) for name in ("a", "b", "d")]
    message = "must supply only one of a and b"
    assert taught(slots, Refusal(3, "raise TypeError(text)", message)) == {
        "b": Slot("b", "omitted", omit=True)
    }


def test_a_table_is_given_where_a_message_misses_one() -> None:
    message = "times is required when c is not a Series"
    found = taught([ARRAY], Refusal(3, "raise ValueError(text)", message))
    assert found["c"].dtype == "pandas:Series"


REACHED = {
    "indices that only another array meets": (
        "def f(rows: np.ndarray, columns: np.ndarray, x: np.ndarray, n: int):\n"
        "    y = np.zeros((n, n))\n    np.add.at(y, (rows, columns), x)\n"
        "    return y + np.bincount(rows, minlength=n) * 2.0\n",
        ("np.bincount(rows, minlength=n) * 2.0", "2.0 * np.bincount(rows, minlength=n)"),
    ),
    "coefficients by number": (
        "def f(c, x: np.ndarray):\n    return c[0] + c[1] * x + c[6] * x\n",
        ("c[1] * x", "x * c[1]"),
    ),
    "numbers whose result is asserted": (
        "def f(a, b, c):\n    r = a * a + b * b + c * c\n"
        "    assert r >= 0, r\n    return r * 2.0\n",
        ("r * 2.0", "2.0 * r"),
    ),
    "whole numbers that a check asks for": (
        "def f(a, b, c, d):\n    e = a @ b\n"
        "    if e.dtype.kind not in 'iu':\n        raise ValueError('counts should be integers')\n"
        "    return e * 2 + c.sum() + d.sum()\n",
        ("e * 2", "2 * e"),
    ),
    "an array that is unpacked": (
        "def f(c: np.ndarray, x: np.ndarray):\n    a, b, d = c\n    return a + b * x + d\n",
        ("b * x", "x * b"),
    ),
    "keys that another function asks for": (
        "def g(s):\n    return s['u'] * s['w']\n"
        "def f(s, x: np.ndarray):\n    return s['t'] * x + g(s)\n",
        ("s['t'] * x", "x * s['t']"),
    ),
}


@pytest.mark.parametrize("name", REACHED)
def test_what_is_reached_so(name: str, verify: Any) -> None:
    text, (old, new) = REACHED[name]
    verdict = verify(text, text.replace(old, new))["f"]
    assert verdict.verdict is Verdict.EQUIVALENT, verdict


def test_a_function_of_which_nothing_can_be_read_is_exchanged_wherever_it_is_held() -> None:
    function = Slot("func", "callable", "numpy:tanh")
    model = Slot("model", "instance", "fits:Model", items=(function, Slot("n", "int")))
    refusal = Refusal(
        1, "pars = read(func)", "positional only arguments with '/' are not supported"
    )
    found = taught([model, function], refusal)
    assert found["func"] == replace(function, dtype=READABLE)
    assert found["model"].items == (replace(function, dtype=READABLE), Slot("n", "int"))
    assert taught([model], Refusal(1, "pars = read(func)", "no such name")) == {}
