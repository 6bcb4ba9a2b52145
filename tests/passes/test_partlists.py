"""Parts that a loop takes out of arrays become lists, where the loop can then be stacked."""

from __future__ import annotations

import pytest

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse


def ported(body: str, head: str = "x: np.ndarray, n: int") -> str:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    text = f"import numpy as np\n\n\ndef f({head}):\n{lines}"
    return port_module(parse("module.py", text), Config()).after or text


LOOP = "out = []\nfor {}:\n    out.append(np.linalg.svd({}, compute_uv=False))\nreturn out"


@pytest.mark.parametrize(
    ("head", "part", "made"),
    [
        ("i in range(0, len(x), n)", "x[i:i + n]", "[x[i:i + n] for i in range(0, len(x), n)]"),
        ("i in range(len(x) - n + 1)", "x[i:i + n]", "[x[i:i + n] for i in range(len(x) - n + 1)]"),
        ("t in range(n, len(x))", "x[t - n:t, :2]", "[x[t - n:t, :2] for t in range(n, len(x))]"),
        ("part in np.array_split(x, n)", "part", "cp.array_split(x, n)"),
        ("part in np.split(x, n)", "part", "cp.split(x, n)"),
    ],
)
def test_the_list_is_stacked(head: str, part: str, made: str) -> None:
    text = ported(LOOP.format(head, part))
    assert f"    x_parts = {made}\n" in text
    assert "out.extend(batched.svd(x_parts, compute_uv=False))" in text


def test_comprehensions_that_are_returned_or_bound() -> None:
    text = ported("return [np.linalg.det(x[i:i + n]) for i in range(0, len(x), n)]")
    assert "return batched.det(x_parts)" in text
    text = ported("d = np.array([np.linalg.det(p) for p in np.split(x, n)])\nreturn d")
    assert "x_parts = cp.split(x, n)" in text
    assert "batched.det(x_parts)" in text


def test_windows_at_the_places_that_are_written_need_no_list() -> None:
    body = (
        "out = np.empty(len(x) - n + 1)\nfor i in range(len(x) - n + 1):\n"
        "    out[i] = np.linalg.norm(x[i:i + n] @ x[i:i + n].T)\nreturn out"
    )
    text = ported(body)
    assert "batched.windows(x, (i, i + n))" in text
    assert "x_parts" not in text


def test_names_of_the_module_are_left_to_it() -> None:
    text = ported("x_parts = 3\n" + LOOP.format("i in range(0, len(x), n)", "x[i:i + n]"))
    assert "x_parts_ = [" in text


@pytest.mark.parametrize(
    "body",
    [
        # the arrays, or where they are cut, change on the way
        LOOP.format("i in range(0, len(x), n)", "x[i:i + n]").replace(
            "return", "    n += 1\nreturn"
        ),
        LOOP.format("i in range(0, len(x), n)", "x[i:i + n]").replace(
            "return", "    x[i] = 0.0\nreturn"
        ),
        LOOP.format("i in range(0, len(x), n)", "x[i:i + n]").replace(
            "return", "    x = x + 1.0\nreturn"
        ),
        # another name may stand for the same memory
        "y = x.T\n"
        + LOOP.format("i in range(0, len(x), n)", "x[i:i + n]").replace(
            "return", "    y[0, i] = 0.0\nreturn"
        ),
        # how far it counted is asked for afterwards
        LOOP.format("i in range(0, len(x), n)", "x[i:i + n]") + ", i",
        # two ways of cutting
        LOOP.format("i in range(1, len(x), n)", "x[i:i + n] - x[i - 1:i + n - 1]"),
        # a call that may become a comprehension itself
        "return [list(map(lambda m: np.linalg.det(m), x[i:i + n])) for i in range(0, len(x), n)]",
        # a condition
        "return [np.linalg.det(x[i:i + n]) for i in range(0, len(x), n) if i]",
        "for i in range(0, len(x), n):\n    np.linalg.det(x[i:i + n])\nelse:\n    return 1",
    ],
)
def test_others_stay_as_they_are_written(body: str) -> None:
    assert "_part" not in ported(body)
