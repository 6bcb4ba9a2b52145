"""Loops over items as functions that run once: the text of ports, as a reviewer reads it."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np
import pytest

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.records import FileReport
from gpuport.source.reading import parse

WRITTEN = "out = np.zeros_like(a)\nfor i in range(len(a)):\n{}\nreturn out\n"
COLLECTED = "out = []\nfor m in a:\n{}\nreturn out\n"


def port(text: str) -> FileReport:
    """The port of a text."""
    return port_module(parse("module.py", text), Config())


def function_of(body: str, parameters: str = "a: np.ndarray, b: np.ndarray") -> str:
    """A function with a body, called with arrays."""
    return f"import numpy as np\n\n\ndef f({parameters}):\n{textwrap.indent(body, '    ')}"


def written(*lines: str) -> str:
    return WRITTEN.format("\n".join(f"    {line}" for line in lines))


def collected(*lines: str) -> str:
    return COLLECTED.format("\n".join(f"    {line}" for line in lines))


def ported(body: str, parameters: str = "a: np.ndarray, b: np.ndarray") -> str:
    after = port(function_of(body, parameters)).after
    assert after is not None
    return after


def test_the_loop_moves_as_it_is_and_a_call_takes_its_place() -> None:
    after = ported(
        "roots = np.empty_like(a)\nfor i in range(len(a)):\n"
        "    w, v = np.linalg.eigh(a[i])  # ascending\n\n"
        "    roots[i] = (v / np.sqrt(w)) @ v.T\nreturn roots\n",
        "a: np.ndarray",
    )
    assert after == (
        "import cupy as cp\nimport numpy as np\nfrom gpuport.runtime import batched, device\n\n\n"
        '@batched.loop(writes="roots")\ndef _f_loop(a, roots):\n    for i in range(len(a)):\n'
        "        w, v = np.linalg.eigh(a[i])  # ascending\n\n"
        "        roots[i] = (v / np.sqrt(w)) @ v.T\n\n\n"
        '@device("a")\ndef f(a: np.ndarray):\n    roots = cp.empty_like(a)\n'
        "    _f_loop(a, roots)\n    return roots\n"
    )


@pytest.mark.parametrize(
    ("body", "head", "call"),
    [
        (
            collected("w = np.linalg.eigvalsh(m)", "out.append(w - w.mean())"),
            '@batched.loop(writes="out")\ndef _f_loop(a, out):',
            "_f_loop(a, out)",
        ),
        (
            "t = 0.0\nn = 0\nfor m in a:\n    t += np.linalg.slogdet(m)[1]\n    n += 1\n"
            "return t / n\n",
            '@batched.loop(sums="t, n", hosted="t")\ndef _f_loop(a, t, n):',
            "t, n = _f_loop(a, t, n)",
        ),
        (
            "t = np.zeros((3, 3))\nfor m in a:\n    t = t - np.linalg.inv(m) @ m\nreturn t\n",
            '@batched.loop(sums="t")\ndef _f_loop(a, t):',
            "t = _f_loop(a, t)",
        ),
        (
            "out = np.zeros_like(a)\nfor i in range(len(a)):\n    w = np.linalg.inv(a[i]) @ a[i]\n"
            "    out[i] = w\nreturn out, w\n",
            '@batched.loop(writes="out")\ndef _f_loop(a, out):',
            "w = _f_loop(a, out)",
        ),
        (
            "out = np.zeros((len(a), len(b)))\nfor i in range(len(a)):\n"
            "    for j in range(i, len(b)):\n"
            "        out[i, j] = np.linalg.norm(np.linalg.inv(a[i]) @ b[j])\nreturn out\n",
            '@batched.loop(writes="out", axes=2)\ndef _f_loop(a, b, out):',
            "_f_loop(a, b, out)",
        ),
        (
            "k = np.zeros((9, 9))\nfor d, m in zip(b, a):\n"
            "    k[np.ix_(d, d)] += m.T @ np.linalg.inv(m)\nreturn k\n",
            '@batched.loop(writes="k")\ndef _f_loop(b, a, k):',
            "_f_loop(b, a, k)",
        ),
        (
            "out = {}\nfor i, m in enumerate(a):\n    out[i] = np.linalg.inv(m) @ m\nreturn out\n",
            '@batched.loop(writes="out")\ndef _f_loop(a, out):',
            "_f_loop(a, out)",
        ),
        (
            "out = np.zeros((len(a), 3))\nfor i in range(len(a)):\n    row = out[i]\n"
            "    row[:] = np.linalg.eigvalsh(a[i] @ a[i].T)\nreturn out\n",
            '@batched.loop(writes="out")\ndef _f_loop(a, out):',
            "_f_loop(a, out)",
        ),
    ],
)
def test_what_a_loop_leaves_is_written_added_or_given_back(body: str, head: str, call: str) -> None:
    after = ported(body)
    assert head in after
    assert f"\n    {call}\n" in after


@pytest.mark.parametrize(
    ("body", "function", "line"),
    [
        (
            "return [np.linalg.inv(m) @ m for m in a]\n",
            "@batched.loop()\ndef _f_loop(a):\n    return [np.linalg.inv(m) @ m for m in a]\n",
            "return _f_loop(a)",
        ),
        (
            "return np.stack([\n    np.linalg.inv(m) @ m  # twice\n    for m in a\n])\n",
            "def _f_loop(a):\n    return [\n        np.linalg.inv(m) @ m  # twice\n"
            "        for m in a\n    ]\n",
            "return cp.stack(_f_loop(a))",
        ),
        (
            "return tuple(np.linalg.inv(m) @ m for m in a)\n",
            "def _f_loop(a):\n    return [np.linalg.inv(m) @ m for m in a]\n",
            "return tuple(_f_loop(a))",
        ),
        (
            "w, v = zip(*(np.linalg.eigh(m + m.T) for m in a))\nreturn w, v\n",
            "def _f_loop(a):\n    return [np.linalg.eigh(m + m.T) for m in a]\n",
            "w, v = zip(*_f_loop(a))",
        ),
        (
            "return {k: np.linalg.inv(m) @ m for k, m in enumerate(a)}\n",
            "def _f_loop(a):\n    return {k: np.linalg.inv(m) @ m for k, m in enumerate(a)}\n",
            "return _f_loop(a)",
        ),
        (
            "return sum(np.linalg.norm(m @ m) for m in a if m[0, 0] > 0)\n",
            '@batched.loop(sums="total")\ndef _f_loop(a, total):\n    for m in a:\n'
            "        if m[0, 0] > 0:\n            total += np.linalg.norm(m @ m)\n"
            "    return total\n",
            "return _f_loop(a, 0)",
        ),
        (
            "return max(np.linalg.cond(m) for m in a)\n",
            '@batched.loop(hosted="return")\ndef _f_loop(a):\n'
            "    return [np.linalg.cond(m) for m in a]\n",
            "return max(_f_loop(a))",
        ),
    ],
)
def test_comprehensions_are_what_a_function_returns(body: str, function: str, line: str) -> None:
    after = ported(body)
    assert function in after
    assert line in after


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return [np.linalg.svd(m, compute_uv=False) for m in a]\n",
         "return batched.svd(a, compute_uv=False)"),
        ("return sum(np.linalg.det(m) for m in a)\n", "return sum(batched.det(a))"),
        ("return tuple(np.linalg.inv(m) for m in a)\n", "return tuple(batched.inv(a))"),
        ("return list(map(np.linalg.inv, a))\n", "return list(batched.inv(a))"),
        ("return {i: np.linalg.inv(m) for i, m in enumerate(a)}\n",
         "return dict(enumerate(batched.inv(a)))"),
        ("return [np.linalg.inv(m) for m in a[1:]]\n", "return batched.inv(a[1:])"),
        ("return [np.linalg.solve(m, v) for m, v in zip(a, b)]\n", "return batched.solve(a, b)"),
        ("out = []\nfor m in reversed(a):\n    out.append(np.linalg.inv(m))\nreturn out\n",
         "out.extend(batched.inv(a[::-1]))"),
    ],
)  # fmt: skip
def test_a_single_call_for_each_is_one_of_the_runtimes(body: str, expected: str) -> None:
    after = ported(body)
    assert expected in after
    assert "batched.loop" not in after


def test_equal_loops_are_one_function() -> None:
    each = "def f{}(a: np.ndarray):\n    return [np.linalg.inv(m) @ m for m in a]\n\n\n"
    after = port("import numpy as np\n\n\n" + each.format(1) + each.format(2)).after or ""
    assert after.count("def _f1_loop(") == 1
    assert after.count("return _f1_loop(a)") == 2


@pytest.mark.parametrize(
    "taken",
    ["_f_loop = None", "def _f_loop():\n    pass", "def other(_f_loop):\n    return _f_loop",
     "from other import _f_loop", "import other as _f_loop"],
)  # fmt: skip
def test_functions_take_no_name_that_is_taken(taken: str) -> None:
    body = "return [np.linalg.inv(m) @ m for m in a]\n"
    after = port(function_of(body, "a: np.ndarray") + f"\n\n{taken}\n").after or ""
    assert "return _f_loop_2(a)" in after


def test_imports_that_loops_read_stay_what_they_are() -> None:
    text = "from numpy import linalg\nimport numpy as np\n\n\ndef f(a: np.ndarray):\n"
    text += "    b = linalg.inv(a)\n    return [linalg.inv(m) @ m for m in b]\n"
    after = port(text).after or ""
    assert "from numpy import linalg\n" in after
    assert "[linalg.inv(m) @ m for m in b]" in after
    assert "b = cp.linalg.inv(a)" in after


SCRIPT = """import numpy as np

SCALE = 2.0
items = np.ones((4, 3, 3)) + np.eye(3)
found = []
# one after the other
for m in items:
    found.append(np.linalg.inv(m) * SCALE)
print(np.array(found).sum())
"""


def test_loops_of_scripts_stand_above_their_statement() -> None:
    after = port(SCRIPT).after or ""
    assert (
        '\n\n\n@batched.loop(writes="found")\ndef _items_loop(items, found):\n'
        "    for m in items:\n        found.append(np.linalg.inv(m) * SCALE)\n\n\n"
        "# one after the other\n_items_loop(items, found)\n" in after
    )
    assert not port(after).changed


HELPER = """import numpy as np

SCALE = 2.0
BASIS = np.eye(3)


def fit(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.linalg.solve(x.T @ x + SCALE * BASIS, x.T @ y)


def each(xs: np.ndarray, ys: np.ndarray):
    out = np.zeros((len(xs), 3))
    for i in range(len(xs)):
        out[i] = fit(xs[i], ys[i])
        last = out[i] + 1
    return out, last


if __name__ == "__main__":
    rng = np.random.default_rng(0)
    print(each(rng.normal(size=(4, 3, 3)), rng.normal(size=(4, 3))))
"""


def test_functions_that_only_loops_call_stay_as_they_are() -> None:
    after = port(HELPER).after or ""
    assert "    return np.linalg.solve(x.T @ x + SCALE * BASIS, x.T @ y)\n" in after
    assert "        out[i] = fit(xs[i], ys[i])\n" in after
    assert not port(after).changed


def test_functions_that_others_may_call_are_ported() -> None:
    after = port(HELPER.partition("if __name__")[0]).after or ""
    assert "    return cp.linalg.solve(" in after


def test_names_of_functions_may_be_those_of_parameters() -> None:
    text = "import numpy as np\n\n\ndef turns(a: np.ndarray):\n    return np.linalg.inv(a)\n\n\n"
    text += "def angles(turns: np.ndarray):\n    return [np.linalg.inv(m) @ m for m in turns]\n"
    assert "return cp.linalg.inv(a)" in (port(text).after or "")


def test_kernels_within_a_loop_go_with_it() -> None:
    body = written(
        "s = np.linalg.inv(a[i])", "for j in range(a.shape[1]):",
        "    out[i, j] = s[j] @ a[i]",
    )  # fmt: skip
    after = ported(body)
    assert after.count("@kernel(") == 0
    assert "_f_loop(a, out)" in after


def test_the_report_counts_what_is_batched() -> None:
    report = port(function_of(written("out[i] = np.linalg.inv(a[i])")))
    (function,) = [f for f in report.functions if f.name == "f"]
    assert function.batched == 1
    assert [f.span.line for f in report.findings if f.code == "GP310"] == [6]


@pytest.mark.parametrize(
    "body",
    [
        written("out[i] = np.linalg.inv(a[i])"),
        collected("q, r = np.linalg.qr(m)", "out.append(q @ r)"),
        "return np.array([np.linalg.norm(m, axis=0) for m in a])\n",
        "return sum(np.linalg.norm(m @ m) for m in a)\n",
    ],
)
def test_a_port_is_not_ported_again(body: str) -> None:
    after = ported(body)
    assert not port(after).changed


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_lines_are_those_of_the_file(newline: str) -> None:
    text = function_of(written("out[i] = np.linalg.inv(a[i])")).replace("    ", "\t")
    after = port(text.replace("\n", newline)).after or ""
    assert f"def _f_loop(a, out):{newline}\tfor i in range(len(a)):{newline}\t\tout[i] =" in after
    assert "\n" not in after.replace(newline, "")


SINGULAR = np.stack([np.eye(2), 2 * np.eye(2), np.zeros((2, 2)), np.eye(2)])


def test_items_before_a_singular_one_have_been_written(emulated: Any) -> None:
    text = function_of("for i in range(len(a)):\n    b[i] = np.linalg.inv(a[i])\n")
    left = []
    for program in (text, port(text).after or ""):
        names: dict[str, Any] = {"__name__": "program"}
        exec(compile(program, "program.py", "exec"), names)
        b = np.full((4, 2, 2), 7.0)
        with pytest.raises(np.linalg.LinAlgError):
            names["f"](SINGULAR.copy(), b)
        left.append(b)
    np.testing.assert_array_equal(*left)
    assert (left[0][2:] == 7).all()
