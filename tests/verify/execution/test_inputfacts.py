"""What is known of a trial's arguments, wherever in it they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gpuport.verify.execution.inputfacts import InputFacts
from gpuport.verify.sides.sides import Side
from gpuport.verify.slots import Slot, Trial


def array(name: str, **more: Any) -> Slot:
    return Slot(name, "array", dims=(f"{name}.0",), **more)


def facts(tmp_path: Path, **given: Any) -> InputFacts:
    trial = Trial(family="normal", dtype="float64", seed=(0, 1, 2), **given)
    return InputFacts.of(trial, Side(tmp_path, "module", tmp_path / "module.py", tmp_path))


def test_arrays_of_the_constructor_and_of_calls_before_count(tmp_path: Path) -> None:
    sizes = {"x.0": 65, "y.0": 130, "z.0": 3}
    own, before = (array("x", dtype="float32"),), (("fit", (array("y"),)),)
    found = facts(tmp_path, slots=(array("z"),), init=own, sizes=sizes, before=before)
    assert found.elements == 130
    assert found.characters == {"f", "d"}
    assert found.single
    assert found.description().startswith("z: float64 (3,)")
    assert "self.x: float32 (65,)" in found.description()


def test_arrays_in_lists_count(tmp_path: Path) -> None:
    items = Slot("parts", "list", items=(array("a"), array("b")))
    found = facts(tmp_path, slots=(items,), init=None, sizes={"a.0": 9, "b.0": 33})
    assert found.elements == 33
