"""Casts and copies are worth no transfer, and are made on the side that the data comes from."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port


@pytest.mark.parametrize("change", ["astype(np.float32)", "copy()"])
def test_what_enters_is_changed_before_it_does(change: str):
    text = f"""\
import numpy as np


def project(x: np.ndarray, rng: np.random.Generator):
    weights = rng.normal(size=(300, 3)).{change}
    return np.exp(np.sin(x) * np.cos(x)) @ weights
"""
    assert f"cp.asarray(rng.normal(size=(300, 3)).{change})" in (port(text).after or "")


def test_what_leaves_is_changed_before_it_does():
    text = """\
import numpy as np


def picture(x: np.ndarray, path):
    pixels = np.round(255.0 * np.sin(x) ** 2).astype(np.uint8)
    with open(path, "wb") as file:
        file.write(pixels.tobytes())
"""
    after = port(text).after or ""
    assert "cp.round(255.0 * cp.sin(x) ** 2).astype(np.uint8)" in after
    assert "cp.asnumpy(pixels).tobytes()" in after


def test_nothing_is_moved_for_a_cast_alone():
    text = "import numpy as np\n\n\ndef cast(x: np.ndarray):\n    return x.astype(float)\n"
    assert port(text).after is None
