"""Each loop that becomes a kernel is a function of its own statements, whatever ties iterations."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

LOOPS = {
    "a count that places": (
        "k = 0\nfor i in range(len(x)):\n    if x[i] > t:\n        out[k] = x[i]\n        k += 1\n"
        "return out, k",
        "k_scan = before_each(k_terms, k)",
    ),
    "the last that was set": (
        "last = 0.0\nfor i in range(len(x)):\n    if x[i] > t:\n        last = x[i]\n"
        "    out[i] = last\nreturn out",
        "last_scan = running_latest(last_terms, last_at, last)",
    ),
    "how long ago": (
        "c = 0\nfor i in range(len(x)):\n    if x[i] > t:\n        c = 0\n    else:\n"
        "        c += 1\n    out[i] = c\nreturn out",
        "counts=c_counts",
    ),
    "what was there": (
        "d = np.outer(x, x)\nfor k in range(len(x)):\n    for i in range(len(x)):\n"
        "        for j in range(len(x)):\n            d[i, j] = min(d[i, j], d[i, k] + d[k, j])\n"
        "return d",
        'work="d_old = d.copy()"',
    ),
    "room of its own": (
        "for i in range(len(x)):\n    row = np.zeros(n)\n    for k in range(1, n):\n"
        "        row[k] = row[k - 1] * x[i] + t\n    out[i] = row[n - 1]\nreturn out",
        'work="row_work = room(n, len(x))"',
    ),
    "names that nothing bound": (
        "s = 0.0\nfor i in range(1, n):\n    s += x[i]\n    z = x[i] * t\nout[0] = z\n"
        "return out, s",
        "    if 1 < n:\n        s, z = ",
    ),
    "a scan in place": (
        "s = 0.0\nfor i in range(len(x)):\n    s += x[i]\n    x[i] = s\nreturn x",
        'then="running_sum(s_terms, x[:len(x)])"',
    ),
    "a function around which": (
        "def at(k):\n    return x[k] * t\nfor i in range(len(x)):\n    out[i] = at(i) + 1\n"
        "return out",
        "object at",
    ),
    "names of functions": (
        "floor = t * 2\nfor i in range(len(x)):\n    out[i] = np.floor(x[i]) - floor\nreturn out",
        "out[i] = floor(x[i]) - floor;",
    ),
    "whole numbers and float32": (
        "h, w = x.astype(np.int16), x.astype(np.float32)\nfor i in range(len(w)):\n"
        "    w[i] = h[i] / 4 + w[i]\nreturn w",
        "typed=True",
    ),
}


@pytest.mark.parametrize(("body", "said"), LOOPS.values(), ids=LOOPS)
def test_no_statement_stands_twice_and_nothing_is_left_to_do(body: str, said: str) -> None:
    lines = "".join(f"    {line}\n" for line in ["out = np.zeros(len(x))", *body.splitlines()])
    text = f"import numpy as np\n\n\ndef f(x: np.ndarray, n: int, t: float):\n{lines}"
    after = port(text).after or ""
    assert said in after
    assert "ElementwiseKernel" not in after
    for line in body.splitlines():
        told = line.strip()
        if "=" in told and "return" not in told:
            told = f"    {told}\n"
            assert after.replace("cp.", "np.").count(told) == text.count(told), told
    assert port(after).after in (None, after)


def test_what_a_call_cannot_give_stays_with_a_reason() -> None:
    report = port(
        "import numpy as np\n\n\ndef f(x: np.ndarray, t: float):\n    for i in range(len(x)):\n"
        "        if x[i] > t:\n            first = i\n    return x * first\n"
    )
    told = [one.message for one in report.findings if one.code == "GP201"]
    assert any("`first` may have no value before it" in one for one in told), told
    assert "@kernel(" not in (report.after or "")
