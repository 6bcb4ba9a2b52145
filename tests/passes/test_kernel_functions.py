"""Chains of operations are functions with their kernel above: what they say, and what they give."""

from __future__ import annotations

import contextlib
import inspect
import io
import re
from typing import Any

import numpy as np
import pytest
from tests.passes.conftest import port

from gpuport.runtime import reset_stats, stats

HEAD = "import numpy as np\n\n\n"


def printed(text: str) -> str:
    stream = io.StringIO()
    with contextlib.redirect_stdout(stream):
        exec(compile(text, "program.py", "exec"), {"__name__": "__main__"})
    return stream.getvalue()


def ported(text: str) -> str:
    """The port of a program, which prints the same, and whose port it is."""
    after = port(HEAD + text).after
    assert after is not None
    reset_stats()
    assert printed(after) == printed(HEAD + text)
    assert port(after).after in (None, after)
    return after


BALANCE = """\
def balance(p, b, dx, dy):
    for _ in range(3):
        q = p.copy()
        p[1:-1, 1:-1] = (q[1:-1, 2:] * dy**2 + q[2:, 1:-1] * dx**2) / (dx + dy) - b[1:-1, 1:-1]
        p[1:-1, -1] = (q[1:-1, 0] * dy**2 + q[2:, -1] * dx**2) / (dx + dy) - b[1:-1, -1]
    return p


print(balance(np.linspace(0.0, 1.0, 30).reshape(5, 6), np.ones((5, 6)), 0.25, 0.5).tolist())
"""


def test_plain_style_makes_kernels_of_loops_alone(emulated: Any):
    text = HEAD + BALANCE.replace(
        "    return p\n", "    for i in range(5):\n        p[i, 0] = 2 * b[i, 1]\n    return p\n"
    )
    report = port(text, style="plain")
    assert report.after is not None
    assert printed(report.after) == printed(text)
    assert report.after.count("@kernel") == 1
    assert "for i in range(5)" in report.after.partition("def balance")[0]
    assert "cp." not in report.after.partition("def balance")[0]
    assert "GP212" not in {one.code for one in report.findings}


def test_equal_kernels_are_one_and_store_what_they_make(emulated: Any):
    after = ported(BALANCE)
    assert after.count("@kernel") == 1
    assert (
        "_balance(q[1:-1, 2:], q[2:, 1:-1], b[1:-1, 1:-1], dy**2, dx**2, dx, dy, p[1:-1, 1:-1])"
        in (re.sub(r"\s*\n\s*", " ", after).replace("( ", "(").replace(" )", ")"))
    )
    assert "p[...] = (q * dy2 + q_2 * dx2) / (dx + dy) - b" in after
    assert stats()["__main__._balance"].device == 6


@pytest.mark.parametrize(
    ("statement", "call"),
    [
        ("u[1:-1] = 0.5 * (v[2:] + v[:-2]) - u[1:-1]", "_f(v[2:], v[:-2], u[1:-1])"),
        ("u[0] = u[1] = 0.5 * np.sort(v)[2]", None),
        ("u[1:-1] = 0.5 * (u[2:] + u[:-2]) - v[1:-1]", "u[1:-1] = _f(u[2:], u[:-2], v[1:-1])"),
        ("u[1:-1] += 0.25 * v[2:] * v[:-2] - 1.0", "_f(v[2:], v[:-2], u[1:-1])"),
        ("u[:] = 0.25 * v * v - 1.0", "_f(v, u[:])"),
        ("u += 0.25 * v * v", "u = _f(v, u)"),
        ("u = 0.25 * v * v + u", "u = _f(v, u)"),
        ("np.multiply(u * 0.5, v - u, out=u)", "_f(v, u)"),
        ("w = u * u - v; u = w * 0.5", None),
    ],
)
def test_how_statements_are_called(statement: str, call: str | None, emulated: Any):
    text = (
        f"def f(u, v):\n    for _ in range(2):\n        {statement}\n    return u\n\n\n"
        "x, y = np.linspace(0.0, 1.0, 9), np.linspace(1.0, 3.0, 9)\n"
        "print(f(x, y).tolist(), x.tolist())\nprint(f(x[:-1], x[1:]).tolist(), x.tolist())\n"
    )
    after = ported(text)
    assert call is None or f"        {call}\n" in after
    assert ("@kernel" in after) is (call is not None)


def loaded(after: str) -> dict[str, Any]:
    space: dict[str, Any] = {"__name__": "loaded"}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(after, "loaded.py", "exec"), space)
    return space


def test_a_number_that_is_added_to_stays_one(emulated: Any):
    after = ported(
        "def f(x, y):\n    for _ in range(3):\n        x += 0.5 * y - y * y\n    return x\n\n\n"
        "print(f(np.ones(4), np.linspace(0.0, 1.0, 4)).tolist())\n"
    )
    assert "x = _f(y, x)" in after
    assert loaded(after)["f"](1.5, 0.25) == 1.6875


@pytest.mark.parametrize(
    ("expression", "type_"),
    [
        ("x * 0.1 + h * h * x - np.sqrt(x * x)", "T"),
        ("np.where(x > h, x * 0.3, np.sqrt(x)) + 1e-30", "T"),
        ("np.maximum(x * x, h) - np.minimum(x, 0.1) * 2", "T"),
        ("(2 * np.pi * x + np.abs(2 * np.pi * x)) / h", "T"),
        ("x * np.sqrt(2.0) + x * x - 1.0", "float64"),
        ("np.fmod(x + 1.0, h) * x", "float64"),
        ("x * np.where(x > 0.5, 0.1, 0.3) - x * x", "float64"),
        ("np.where((x > 0.2) * 0.1 * x > 0.03, x, -x)", "float64"),
        ("np.where(np.where(x > h, 0.1, 0.3) * x > 0.09, x, -x)", "float64"),
    ],
)
def test_texts_for_float32_and_float64(expression: str, type_: str, emulated: Any):
    after = ported(
        f"def f(x, h):\n    for _ in range(2):\n        x = {expression}\n    return x\n\n\n"
        "print(f(np.linspace(0.1, 0.9, 4), 0.3).tolist())\n"
    )
    assert f'"{type_} x' in after
    kernel = loaded(after)["_f"]
    more = [0.3] * (len(inspect.signature(kernel).parameters) - 1)
    for dtype in ("f4", "f8", "i8", "c16"):
        x = np.linspace(0.1, 0.9, 4).astype(dtype)
        try:
            expected = kernel.__wrapped__(x, *more)
        except TypeError:  # of complex numbers there is no modulo
            continue
        found = kernel(emulated.asarray(x), *more)
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found.get(), expected)


NUMBERS = """\
WIDTH = 5
RATE = 0.5


def f(x, a, b):
    for _ in range(2):
        x = x * (a / b) + x * RATE - 2 * a * x / (2 * WIDTH**2) + WIDTH / 2
        x = x / 4.0
    return x


print(f(np.linspace(0.0, 1.0, 5), 0.5, 0.25).tolist())
"""


def test_numbers_are_computed_where_they_are_exact_and_raise(emulated: Any):
    after = ported(NUMBERS)
    assert "_f(x, a / b, a, 2 * WIDTH**2, WIDTH / 2)" in after
    assert " * RATE - 2 * a * " in after
    original, function = loaded(HEAD + NUMBERS)["f"], loaded(after)["f"]
    x = np.linspace(0.0, 1.0, 5)
    for a, b in ((3, 2), (2**24, 3), (2**30, 7)):
        np.testing.assert_array_equal(function(emulated.asarray(x), a, b).get(), original(x, a, b))
    with pytest.raises(ZeroDivisionError):
        function(emulated.asarray(x), 1, 0)


def test_names_that_the_functions_read_stay_imported(emulated: Any):
    after = ported(
        "from numpy import cos\nfrom scipy.special import erf\n\n\ndef f(x):\n"
        "    for _ in range(3):\n        x = np.exp(-x) * cos(x) + erf(x)\n    return x\n\n\n"
        "print(np.round(f(np.linspace(0.0, 1.0, 5)), 12).tolist())\n"
    )
    assert "from scipy.special import erf" in after
    assert "from numpy import cos" in after
    assert "return np.exp(-x) * cos(x) + erf(x)" in after


def test_comments_go_with_their_statements(emulated: Any):
    after = ported(
        "def f(x):\n    for _ in range(3):\n"
        "        # a guess\n        y = x * x - 1.0  # of the square\n"
        "        # then\n        x = (y * 0.5\n             + x)  # a step\n    return x\n\n\n"
        "print(f(np.linspace(0.0, 1.0, 5)).tolist())\n"
    )
    function = (
        "def _f(x):\n    y = x * x - 1.0  # of the square\n    # then\n    return (y * 0.5\n"
        "            + x)  # a step\n"
    )
    assert function in after
    assert "        # a guess\n        x = _f(x)\n" in after


@pytest.mark.parametrize(
    "expression",
    [
        "np.roll(u, 1, 0) + np.roll(u, -1, axis=0) - 2.0 * u",
        "np.roll(np.roll(u, 1, 0), -1, 1) * 0.5 + u * v",
        "0.5 * (np.roll(u, 3, axis=1) - np.roll(v, -2, 1)) + np.roll(a=v, shift=1, axis=-1)",
    ],
)
def test_arrays_shifted_around_an_edge_are_read_beside(expression: str, emulated: Any):
    after = ported(
        "u, v = np.linspace(0.0, 1.0, 20).reshape(4, 5), np.ones((4, 5))\n"
        f"for _ in range(3):\n    u = {expression}\nprint(u.tolist())\n"
    )
    assert "cp.roll" not in after
    assert 'over="i in range(u.shape[0]), j in range(u.shape[1])"' in after


def test_a_ring_that_is_shorter_than_the_shift_is_computed_as_numpy_does(emulated: Any):
    after = ported(
        "def f(u):\n    for _ in range(3):\n        u = u - 0.5 * np.roll(u, 3) * u\n"
        "    return u\n\n\nprint(f(np.linspace(0.0, 1.0, 8)).tolist())\n"
    )
    kernel, u = loaded(after)["_f"], np.linspace(0.0, 1.0, 12)
    for part in (u[:2], u[:3], u[:0], u.reshape(3, 4), u[:4].astype(complex)):
        found = kernel(emulated.asarray(part))
        np.testing.assert_array_equal(found.get(), kernel.__wrapped__(part))
    assert stats()["loaded._f"].fallbacks == 0
    assert 'where="u.ndim == 1 and u.shape[0] >= 3"' in after


def test_a_number_of_elements_does_not_get_the_shape_of_arrays(emulated: Any):
    after = ported(
        "def f(x):\n    for _ in range(3):\n        y = np.sin(x) * x - 1.0\n"
        "        d = (x[1] - x[0]) * 2.0\n        x = y * 0.5\n    return x, d\n\n\n"
        "a, b = f(np.linspace(0.0, 1.0, 5))\nprint(np.round(a, 12).tolist(), round(float(b), 12))\n"
    )
    assert "@kernel" in after


def test_functions_of_the_program_are_called(emulated: Any):
    after = ported(
        "def limiter(r):\n    return np.maximum(0.0, np.minimum(1.0, r)) + r % 0.3\n\n\n"
        "def f(x, y):\n    for _ in range(3):\n        x = x + 0.5 * limiter(y) * x - y\n"
        "    return x\n\n\n"
        "print(f(np.linspace(0.0, 1.0, 5), np.linspace(1.0, 2.0, 5)).tolist())\n"
    )
    assert "return x + 0.5 * limiter(y) * x - y" in after
    x, y = np.linspace(0.0, 1.0, 5), np.linspace(1.0, 2.0, 5)
    assert loaded(after)["f"](list(x), y).tolist() == loaded(after)["f"](x, y).tolist()


def test_a_kernel_pays_for_its_lines():
    text = (
        HEAD
        + "def f(x: np.ndarray) -> np.ndarray:\n    return x * x + 1.0 / x\n\n\nf(np.ones(3))\n"
    )
    assert "@kernel" not in (port(text).after or "")
    often = text.replace("f(np.ones(3))", "for _ in range(3):\n    f(np.ones(3))")
    assert "@kernel" in (port(often).after or "")


SQUARES = """\
def gaussian(x, y, h):
    for i in range(len(x)):
        y[i] = x[i] / (2 * h**2) + np.exp(-(x[i] ** 2) / h**2)


for h in (0.5, 3, -7, 2**24, np.float64(1e-3)):
    y = np.zeros(9)
    gaussian(np.linspace(-2.0, 2.0, 9), y, h)
    print(np.round(y, 12).tolist())
"""


def test_squares_of_numbers_that_may_be_whole_are_of_either(emulated: Any):
    after = ported(SQUARES)
    assert '"raw float64 x, float h"' in after or '"raw T x, float h"' in after
    assert stats()["__main__._gaussian"].device == 5


@pytest.mark.parametrize(
    "body",
    ["for i in range(len(x)):\n        p = x[i]", "for i, p in enumerate(x):\n        pass"],
)
def test_an_element_that_changes_is_a_number_where_the_boundary_asks_it(body: str):
    """Were it a row, the loop would change the caller's array: the kernel is not for that."""
    made = port(f"""\
import numpy as np


def walk(x, n):
    out = np.zeros(len(x))
    {body}
        for _ in range(n):
            p *= 0.5
        out[i] = p
    return out


if __name__ == "__main__":
    print(walk(np.linspace(0.0, 1.0, 50000), 10).sum())
""").after
    assert made is not None
    assert '@device("x", axes={"x": 1})' in made
    assert "@kernel(" in made


BANDS = """\
BANDS = [(0.1, 0.2), (0.3, 0.6)]


def power(x, low, high):
    inside = (x >= low) & (x <= high)
    return x[inside].sum()


def ratio(x):
    top, bottom = x.max(), x.min()
    return 10 * np.log10(top / (bottom * 2 * top))


def main():
    x = np.linspace(0.01, 1.0, 40000)
    for _ in range(20):
        x = {step}
    print([power(x, low, high) for low, high in BANDS], ratio(x))


main()
"""


def test_few_calls_and_numbers_alone_are_no_kernels(emulated: Any):
    after = ported(BANDS.format(step="np.sqrt(x) * 0.5 + x * 0.5"))
    assert after.count("@kernel(") == 1
    assert "inside = (x >= low) & (x <= high)" in after
    assert "10 * cp.log10(top / (bottom * 2 * top))" in after
    often = ported(BANDS.format(step="x + power(x, 0.1, 0.2)"))
    assert "_power_inside(" in often


def test_what_a_chain_ends_in_goes_to_no_part_of_what_it_makes(emulated: Any):
    after = ported("""\
def f(a, b):
    y = np.sqrt(a)
    for _ in range(20):
        old = y
        y = a * b + np.sin(a) * b
        y.real = np.sin(y) * 2 + b * np.cos(y)
    return y, old


x = np.linspace(0.1, 1.0, 9)
print([np.round(one, 12).tolist() for one in f(x, x[::-1])])
""")
    assert "y.real, y" not in after
