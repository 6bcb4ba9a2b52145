"""Shapes that the original asks for by its own checks are tried first."""

from __future__ import annotations

import ast
import textwrap
from typing import Any

import pytest

from gpuport.verify.records import Verdict
from gpuport.verify.signatures.shapechecks import checked


def dims(body: str) -> list[tuple[str, ...]]:
    text = "def f(x, y):\n" + textwrap.indent(textwrap.dedent(body), "    ")
    return [slot.dims for slot in checked("x", ast.parse(text).body[0])]


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("if x.ndim != 3 or x.shape[-1] != 3:\n    raise ValueError", [("x.0", "x.1", "=3")]),
        ("assert x.ndim == 2 and x.shape[1] == 4", [("x.0", "=4")]),
        ("if x.shape != (3, 2):\n    raise ValueError", [("=3", "=2")]),
        ("if x.shape[1:] != (3, 2):\n    raise ValueError", [("x.0", "=3", "=2")]),
        ("assert np.shape(x)[-2:] == (2, 5)", [("=2", "=5"), ("x.0", "x.1", "=2", "=5")]),
        ("if len(x) != 4:\n    raise ValueError", [("=4",), ("=4", "x.1")]),
        ("h, w, c = x.shape\nif c != 3:\n    raise ValueError", [("x.0", "x.1", "=3")]),
        ("n = x.shape[1]\nassert n == 6", [("x.0", "=6"), ("x.0", "=6", "x.2")]),
        ("if np.ndim(x) not in (3, 4):\n    raise ValueError", [("x.0", "x.1", "x.2"),
                                                              ("x.0", "x.1", "x.2", "x.3")]),
        ("if len(x.shape) != 3:\n    raise ValueError", [("x.0", "x.1", "x.2")]),
        # no checks of its own shape, or none that refuse
        ("if x.shape[1] == 3:\n    return x", []),
        ("if y.shape[1] != 3:\n    raise ValueError", []),
        ("if x.shape[0] != y.shape[0] or x.shape[1] > 3:\n    raise ValueError", []),
        ("assert x.shape[1] == 1000", []),
        ("assert x.ndim == 2", []),
    ],
)  # fmt: skip
def test_checks_give_sizes_and_numbers_of_axes(body: str, wanted: list[tuple[str, ...]]) -> None:
    assert dims(body) == wanted


CHECKED = """
def luminance(image{kind}, weights{kind}):
    if image.ndim != 3 or image.shape[-1] != 3:
        raise ValueError("an RGB image is wanted")
    if weights.shape != (3,):
        raise ValueError("three weights are wanted")
    return image {with_} weights
"""


@pytest.mark.parametrize("kind", ["", ": np.ndarray", ": NDArray[np.float64]"])
def test_an_image_of_three_channels_is_found(kind: str, verify: Any) -> None:
    head = "from numpy.typing import NDArray\n"
    original = head + CHECKED.format(kind=kind, with_="@")
    port = head + '\n@device("image", "weights")' + original.removeprefix(head)
    assert verify(original, port)["luminance"].verdict is Verdict.EQUIVALENT
    wrong = port.replace("image @ weights", "image[..., ::-1] @ weights")
    assert verify(original, wrong)["luminance"].verdict is Verdict.DIFFERS
