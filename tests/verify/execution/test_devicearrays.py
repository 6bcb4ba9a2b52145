"""Arrays on the device share what they share on the host."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from gpuport.verify.execution.devicearrays import Device, rows_of_base
from gpuport.verify.records import Verdict

DEVICE = Device(SimpleNamespace(asarray=np.array, ndarray=np.ndarray), None)


def test_one_array_is_one_array_on_the_device() -> None:
    x = np.arange(4.0)
    moved = DEVICE.to_device({"x": x, "y": x, "z": [x]})
    assert moved["x"] is moved["y"] is moved["z"][0]
    assert moved["x"] is not x


def test_rows_of_one_array_are_rows_of_one_array_there() -> None:
    base = np.arange(12.0).reshape(6, 2).copy()
    moved = DEVICE.to_device({"x": base[:-1], "y": base[1:]})
    assert np.shares_memory(moved["x"], moved["y"])
    assert not np.shares_memory(moved["x"], base)
    assert np.array_equal(moved["x"], base[:-1])
    assert np.array_equal(moved["y"], base[1:])


@pytest.mark.parametrize(
    "view", [np.zeros((4, 4))[::2], np.zeros((4, 4)).T, np.zeros(4)[:0], np.zeros(8)[::-1]]
)
def test_other_views_are_arrays_of_their_own(view: np.ndarray) -> None:
    assert rows_of_base(view) is None


def test_two_attributes_may_be_one_array(verify) -> None:
    text = """
    class State:
        def __init__(self, mean, gain):
            self.mean = mean
            self.gain = gain

        def step(self, z):
            self.mean += 0.5 * self.gain * (z - self.mean)
            return np.sqrt(np.mean(self.mean**2))

    def main():
        state = State(np.zeros(9), np.ones(9))
        print(state.step(np.ones(9)))

    main()
    """
    port = text.replace("np.", "cp.").replace(
        "state.step(cp.ones(9))", "float(state.step(cp.ones(9)))"
    )
    found = verify(text, port)["State.step"]
    assert found.verdict is Verdict.EQUIVALENT, found
    assert "such as its program" not in found.reason
