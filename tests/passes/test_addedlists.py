"""Lists in attributes of instances that more items are added to."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

NETWORK = Path(__file__).parents[1] / "property" / "programs" / "objects_network_of_layers.py"
ADDED = "self.layers += [Dense(a, b, rng), BatchNorm(b), ReLU()]"


@pytest.mark.parametrize(
    "line",
    [ADDED, "self.layers.extend([Dense(a, b, rng), BatchNorm(b), ReLU()])"],
)
def test_instances_are_followed_into_the_list(line: str) -> None:
    program = NETWORK.read_text("utf-8")
    assert ADDED in program
    report = port_module(parse("program.py", program.replace(ADDED, line)), Config())
    assert report.after is not None
    assert "self.b = cp.zeros(n_out)" in report.after
    assert "self.mask" in report.after
    assert "cp.where(self.mask, x, 0.0)" in report.after


def test_a_class_that_goes_out_of_sight_with_another_tells_why_that_does() -> None:
    program = NETWORK.read_text("utf-8").replace(ADDED, ADDED.replace("+=", "*="))
    report = port_module(parse("program.py", program), Config())
    told = [one.message for one in report.findings if one.code == "GP913"]
    place = program[: program.index("self.layers *=")].count("\n") + 1
    assert any(
        f"`Network.__init__` is not seen, as a list or an object in an attribute is added to "
        f"(line {place})" in message
        for message in told
    )
