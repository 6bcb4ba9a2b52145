"""What annotations say of inputs, aliases of the module written out."""

from __future__ import annotations

import ast

import pytest

from gpuport.verify.signatures.signatures import signatures_of

TEXT = """
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Weights = list[NDArray[np.float32]]


def f(image: Image, weights: "Weights"): ...
"""


def test_aliases_tell_of_inputs() -> None:
    (found,) = signatures_of(ast.parse(TEXT))
    assert found.source == "annotated"
    image, weights = found.parameters
    assert {slot.dtype for slot in image.candidates} == {"uint8"}
    assert {(slot.kind, slot.items[0].dtype) for slot in weights.candidates} == {
        ("list", "float32")
    }


@pytest.mark.parametrize(
    ("annotation", "dtype"),
    [
        ("UInt8[np.ndarray, 'h w']", "uint8"),
        ("Float[np.ndarray, 'n']", "float64"),
        ("Float32[np.ndarray, '*batch n']", "float32"),
        ("Shaped[np.ndarray, 'n']", None),
    ],
)
def test_the_words_of_jaxtyping_tell_dtypes(annotation: str, dtype: str | None) -> None:
    (found,) = signatures_of(ast.parse(f"def f(x: {annotation}): ..."))
    assert found.source == "annotated"
    assert {slot.dtype for slot in found.parameters[0].candidates} == {dtype}
