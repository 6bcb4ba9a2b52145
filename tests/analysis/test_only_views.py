"""Functions that only take parts of their arrays work as they are, on the device too."""

from __future__ import annotations

import textwrap

import pytest

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

MAIN = """
import numpy as np

{function}

def main(path):
    rng = np.random.default_rng(1)
    image = np.sin(rng.normal(size=(48, 60))) * 2 + 1
    parts = parts_of(image, 12)
    np.save(path, np.exp(parts[0]) * 2 + np.cos(parts[1]))
"""


def port(function: str) -> str:
    text = MAIN.format(function=textwrap.dedent(function))
    after = port_module(parse("module.py", text), Config()).after
    return after or text


@pytest.mark.parametrize(
    "function",
    [
        """
        def parts_of(image, size):
            rows, columns = image.shape
            return [image[i:i + size] for i in range(0, rows, size)]
        """,
        """
        def parts_of(image, size):
            return image[:size], image[size:].T
        """,
        """
        def parts_of(image, size):
            found = []
            for i in range(0, len(image), size):
                found.append(image[i:i + size])
            return found
        """,
    ],
)
def test_what_only_takes_parts_is_given_arrays_of_the_device(function: str) -> None:
    after = port(function)
    assert "parts = parts_of(image, 12)" in after
    assert "cp.asnumpy(image)" not in after
    assert "@device" not in after
    assert after.count("cp.asnumpy(") == 1


@pytest.mark.parametrize(
    "function",
    [
        """
        def parts_of(image, size):
            return [image[:size].tolist(), image[size:].tolist()]
        """,
        """
        def parts_of(image, size):
            if type(image) is np.ndarray:
                return [image[:size], image[size:]]
        """,
        """
        def parts_of(image, size):
            return [shown(image[i:i + size]) for i in range(0, len(image), size)]
        """,
        """
        def parts_of(image, size):
            return [memoryview(image[:size]), image[size:]]
        """,
        """
        @register
        def parts_of(image, size):
            return [image[:size], image[size:]]
        """,
        """
        def parts_of(image, size):
            kept.append(image)
            return [image[:size], image[size:]]
        """,
    ],
)
def test_what_does_more_is_given_arrays_of_numpy(function: str) -> None:
    after = port(function)
    assert "parts = parts_of(image, 12)" in after
    assert "cp.sin" not in after
