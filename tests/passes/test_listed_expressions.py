"""Expressions that a display lists together are one kernel with several outputs."""

from __future__ import annotations

from typing import Any

import pytest
from tests.passes.conftest import gives_the_same, port

HEAD = """\
import numpy as np


def f(x, y, z, a):
    {body}


def program():
    x, y, z = np.random.default_rng(3).normal(size=(3, 4000))
    for k in range(5):
        found = f(x, y, z, 0.1 * k)
    return found
"""


@pytest.mark.parametrize(
    ("body", "called"),
    [
        (
            "return np.stack([np.cos(z) * x - y * z, np.sin(z) * x + y, z * z + a], axis=-1)",
            "return cp.stack(_f(z, x, y, a), axis=-1)",
        ),
        (
            "return np.array((x * a - y, y * a + x))",
            "return cp.array(_f(x, y, a))",
        ),
        (
            "return np.column_stack((x, x * a + y, z, y * a - x))",
            "terms, terms_2 = _f(x, y, a)\n    return cp.column_stack((x, terms, z, terms_2))",
        ),
        (
            "w = [x * a + y, y * a - x]\n    return w[0] - w[1]",
            "terms, terms_2 = _f(x, y, a)\n    w = [terms, terms_2]",
        ),
    ],
)
def test_it_is_called_once(body: str, called: str, emulated: Any) -> None:
    text = HEAD.replace("{body}", body)
    after = port(text).after or ""
    assert called in after
    gives_the_same(text, after)


def test_long_ones_stand_on_lines_of_their_own() -> None:
    terms = [f"x * {k}.5 - y * z + a * {k}.25 + x * y * z" for k in (1, 2, 3)]
    after = port(HEAD.replace("{body}", f"return np.stack([{', '.join(terms)}])")).after or ""
    listed = "".join(f"        {term},\n" for term in terms)
    assert f"    return (\n{listed}    )\n" in after
