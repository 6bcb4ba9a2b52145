"""Arguments of one memory, some of which go to the device."""

from __future__ import annotations

import numpy as np

from gpuport.verify.execution.invocation import parted_by_place
from gpuport.verify.inputs.layouts import aliased


def test_no_array_is_on_the_host_and_on_the_device() -> None:
    x = np.asfortranarray(np.ones((3, 2)))
    given = {"x": x, "y": x, "z": np.ones(2)}
    parted = parted_by_place(given, ("x",))
    assert parted["x"] is x
    assert not np.may_share_memory(parted["y"], x)
    assert parted["y"].flags.fnc  # it lies as it did
    assert parted["z"] is given["z"]
    assert parted_by_place(given, ("x", "y"))["y"] is x
    assert parted_by_place(given, ()) == given


def test_what_overlaps_is_neighbouring_rows_of_one_array() -> None:
    given = {name: np.asfortranarray(np.ones((3, 2))) for name in "xy"}
    found = aliased(given, "overlap", ())
    assert np.may_share_memory(found["x"], found["y"])
    assert found["x"].flags.c_contiguous  # as the device can have them, too
