"""Attributes of instances, with slots and without."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from gpuport.verify.sides.states import state_of


class Slotted:
    __slots__ = ("_memo", "scale", "unset")

    def __init__(self, scale: float) -> None:
        self.scale, self._memo = scale, None


class Below(Slotted):
    """Has a dictionary as well."""

    def __init__(self, scale: float) -> None:
        super().__init__(scale)
        self.more = 3


class OnDevice:
    """An array of the device is one value, whatever it keeps."""

    __slots__ = ("base",)
    __cuda_array_interface__: object = None

    def __init__(self) -> None:
        self.base = None


@dataclass(frozen=True, slots=True)
class Frozen:
    x: float


def test_slots_are_read_those_that_are_set() -> None:
    assert dict(state_of(Slotted(2.0)) or {}) == {"scale": 2.0, "_memo": None}
    assert dict(state_of(Below(2.0)) or {}) == {"scale": 2.0, "_memo": None, "more": 3}


def test_what_is_set_in_the_state_is_set_in_the_instance() -> None:
    for instance in (Below(2.0), Slotted(2.0)):
        state = state_of(instance)
        assert state is not None
        state.update({"scale": 5.0})
        assert instance.scale == 5.0
    frozen = Frozen(1.0)
    state = state_of(frozen)
    assert state is not None
    state["x"] = 4.0
    assert frozen.x == 4.0


@pytest.mark.parametrize(
    "value", [np.zeros(2), np.float64(1), Slotted, state_of, 3.0, np, OnDevice()]
)
def test_other_things_have_no_state(value: object) -> None:
    assert state_of(value) is None
