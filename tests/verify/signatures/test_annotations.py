"""What annotations say of inputs, aliases of the module written out."""

from __future__ import annotations

import ast

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
