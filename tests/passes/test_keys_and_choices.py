"""Lists of arrays of which each counts by its own dtype: keys of a sort, and choices."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

BODY = """\
import numpy as np


def ordered(n: int, given: np.ndarray, other):
    t = np.linspace(0.0, 9.0, n)
    a, b, k = np.sin(t), np.cos(t), np.arange(n) % 3
    y = {made}
    return np.exp(a) * y
"""


def ported(made: str) -> str:
    return port(BODY.format(made=made)).after or ""


def told(made: str) -> dict[str, str | None]:
    found = port(BODY.format(made=made)).findings
    return {one.message: one.help for one in found if one.code in ("GP103", "GP901")}


@pytest.mark.parametrize("keys", ["(a, b)", "[b, a]", "(k, k + 1)"])
def test_keys_of_one_dtype_are_one_array(keys: str):
    assert f"cp.lexsort(cp.array({keys}))" in ported(f"a[np.lexsort({keys})]")


@pytest.mark.parametrize("keys", ["(a, k)", "(a, given)", "(np.outer(a, a), np.outer(b, b))"])
def test_keys_that_one_array_would_change_stay(keys: str):
    made = f"a[np.lexsort({keys})]"
    assert "cp.lexsort" not in ported(made)
    message = (
        f"unknown type: `{keys}` is a list of arrays that CuPy does not turn into one: they are "
        "not known to have the same dtype, and one axis"
    )
    assert told(made)[message] == "make it one array with np.stack"


def test_choices_beside_others_are_the_runtimes():
    assert "cp.select([a > 0], [b], default=2.0)" in ported("np.select([a > 0], [b], default=2.0)")
    assert " select([a > 0], [b], default=k)" in ported("np.select([a > 0], [b], default=k)")
    assert " select([a > 0], [b, 1], k)" in ported("np.select([a > 0], [b, 1], k)")
    assert " select([a > 0, b > 0], [0.5, 1], a)" in ported(
        "np.select([a > 0, b > 0], [0.5, 1], a)"
    )
    assert '@device("other", ' in ported("np.select([a > 0], [b], other)")


def test_what_to_write_instead_of_flat_is_told():
    text = (
        "import numpy as np\n\n\ndef shifted(n: int, s: float):\n"
        "    b = np.exp(np.ones((n, n)))\n    b.flat[:: n + 1] += s\n    return np.exp(b)\n"
    )
    helps = [one.help for one in port(text).findings if one.code == "GP901"]
    assert any("np.fill_diagonal(x, v)" in (one or "") for one in helps)
