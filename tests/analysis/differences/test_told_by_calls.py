"""What calls tell of dtypes is enough to tell of a difference, and to leave filters alone."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

CALLED = """import numpy as np
from scipy import ndimage

def work(x):
    y = np.sin(x) * x
    return {done}, y

if __name__ == '__main__':
    print(work({given}))
"""


def codes(done: str, given: str) -> set[str]:
    return {one.code for one in port(CALLED.format(done=done, given=given)).findings}


@pytest.mark.parametrize("done", ["x ** 2", "np.power(y, 3)", "(y + 1) ** 0.5"])
def test_powers_of_complex_numbers(done: str) -> None:
    assert "GP523" in codes(done, "np.exp(1j * np.arange(9.0))")
    assert not {"GP520", "GP523"} & codes(done, "np.arange(9.0)")


def test_powers_of_what_nothing_tells_of() -> None:
    found = port("import numpy as np\n\ndef work(x):\n    return np.sin(x) ** 2 * np.cos(x)\n")
    assert "GP520" in {one.code for one in found.findings}


def test_single_precision_that_callers_give() -> None:
    assert "GP512" in codes("y / 3", "np.arange(9, dtype=np.float32)")
    assert "GP512" not in codes("y / 3", "np.arange(9.0)")


@pytest.mark.parametrize(
    "done",
    ["ndimage.uniform_filter1d(x, 6)", "ndimage.shift(x, 0.5, order=1)",
     "ndimage.convolve1d(x, np.array([0.5, 0.5]))"],
)  # fmt: skip
def test_filters_of_whole_numbers(done: str) -> None:
    text = CALLED.format(done=done, given="np.arange(9)")
    assert "cupyx" not in (port(text).after or "")
    assert "GP523" in codes(done, "np.arange(9)")
    assert "GP523" not in codes(done, "np.arange(9.0)")


def test_filters_with_whole_weights_are_exact() -> None:
    done = "ndimage.convolve1d(x, np.array([1, 2]))"
    assert "GP523" not in codes(done, "np.arange(9)")
