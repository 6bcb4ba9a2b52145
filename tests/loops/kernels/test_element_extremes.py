"""Extremes that iterations keep in one element together, wherever data say that it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

RNG = np.random.default_rng(4)
FORMS = {
    "smaller": "if v[i] < h[k[i]]:\n            h[k[i]] = v[i]",
    "the element first": "if h[k[i]] >= v[i]:\n            h[k[i]] = v[i]",
    "larger": "if v[i] > h[k[i]]:\n            h[k[i]] = v[i]",
    "under names": "j = k[i]\n        u = v[i] * 2\n        if u > h[j]:\n            h[j] = u",
    "under a test": "if k[i] > 1:\n            h[k[i]] = max(h[k[i]], v[i])",
    "min": "h[k[i]] = min(h[k[i]], v[i])",
    "max": "h[k[i]] = max(h[k[i]], v[i])",
    "minimum": "h[k[i]] = np.minimum(v[i], h[k[i]])",
    "maximum": "h[k[i]] = np.maximum(h[k[i]], v[i])",
}
DTYPES = ("int32", "uint32", "int64", "uint64", "float32", "float64")


def _function(body: str) -> str:
    return f"def keep(h, k, v):\n    for i in range(len(v)):\n        {body}\n"


def _values(dtype: str) -> tuple[np.ndarray, np.ndarray]:
    h = RNG.integers(0, 60, 6).astype(dtype)
    v = RNG.integers(0, 60, 50).astype(dtype)
    if dtype.startswith("f"):
        v = (v - 30) / np.asarray(8, dtype)
        v[::9] = np.nan
        h[2] = np.nan
        v[1::9] = -np.inf
    elif dtype.startswith("u"):
        v[3] = np.iinfo(dtype).max
    else:
        v[3], v[4] = np.iinfo(dtype).min, np.iinfo(dtype).max
    return h, v


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("form", FORMS)
def test_kept_by_all_threads(run: Any, form: str, dtype: str) -> None:
    h, v = _values(dtype)
    both = run(_function(FORMS[form]), h=h, k=RNG.integers(-6, 6, 50), v=v)
    assert not both.ported.refusals
    assert "atomic" in both.ported.text
    both.same()


def test_zeros_of_both_signs_do_not_depend_on_the_order(run: Any) -> None:
    v = np.array([0.0, -0.0, 0.0, -0.0])
    both = run(_function(FORMS["smaller"]), h=np.ones(2), k=np.array([0, 0, 1, 1]), v=v)
    both.same(signs=False)


REFUSED = {
    "nan and the order": (FORMS["min"].replace("h[k[i]], v[i]", "v[i], h[k[i]]"), "float64"),
    "no such instruction": (FORMS["min"], "int8"),
    "rounded when stored": ("if w[i] < h[k[i]]:\n            h[k[i]] = w[i]", "float32"),
    "a number that may not fit": ("h[k[i]] = min(h[k[i]], i * 1000)", "int32"),
    "the least and the greatest": (f"{FORMS['min']}\n        {FORMS['max']}", "float64"),
    "read besides": (f"{FORMS['min']}\n        u[i] = h[i % 3]", "float64"),
    "an index of its own": ("h[int(h[0])] = min(h[int(h[0])], v[i])", "float64"),
    "where it was found": (f"{FORMS['smaller']}\n            u[k[i]] = i", "float64"),
}  # fmt: skip


@pytest.mark.parametrize(("body", "dtype"), REFUSED.values(), ids=REFUSED)
def test_stays_a_loop(ported: Any, body: str, dtype: str) -> None:
    text = f"def keep(h, k, v, u, w):\n    for i in range(len(v)):\n        {body}\n"
    some = np.zeros(3, dtype)
    found = ported(text, h=some, k=np.zeros(3, int), v=some, u=some, w=np.zeros(3))
    assert not found.kernels
    assert found.refusals


def test_the_reason_says_what_may_be_written(ported: Any) -> None:
    some = np.zeros(3)
    found = ported(_function(REFUSED["nan and the order"][0]), h=some, k=np.zeros(3, int), v=some)
    assert "`min(h[k[i]], v[i])`" in found.refusals[0].message
