"""What a pass looked into as one, the passes over its port leave alone without another look."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpuport.analysis.objects import following
from gpuport.analysis.objects.instances import Objects
from gpuport.config import Config
from gpuport.passes import port
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

PROGRAMS = Path(__file__).parents[1] / "property" / "programs"

PROGRAM = """\
import numpy as np


class Field:
    def __init__(self, n):
        self.u = np.linspace(0.0, 1.0, n)
        self.n = n

    def step(self, dt):
        self.u = self.u + dt * np.sin(self.u) * np.cos(self.u)

    def size(self):
        return self.n


def main():
    field = Field(4096)
    for _ in range(100):
        field.step(0.1)
    print(field.size(), float(field.u.sum()))


if __name__ == "__main__":
    main()
"""


def _looks(monkeypatch: pytest.MonkeyPatch, program: str) -> tuple[list[int], str]:
    """How often functions are looked into as one, by pass, and the port."""
    found: list[int] = []
    settle, one_pass = following.settle, port.one_pass

    def settled(objects: Objects) -> bool:
        found[-1] += 1
        return settle(objects)

    def passed(*args: object) -> object:
        found.append(0)
        return one_pass(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(following, "settle", settled)
    monkeypatch.setattr(port, "one_pass", passed)
    after = port_module(parse("program.py", program), Config()).after
    return found, after or program


def test_a_pass_over_a_port_looks_into_nothing_again(monkeypatch: pytest.MonkeyPatch) -> None:
    looks, after = _looks(monkeypatch, PROGRAM)
    assert len(looks) > 1
    assert looks[0] > 0
    assert looks[1:] == [0] * len(looks[1:])
    assert "self.u + dt * cp.sin(self.u)" in after or "@kernel" in after


def test_a_port_that_is_given_again_is_looked_into(monkeypatch: pytest.MonkeyPatch) -> None:
    _, after = _looks(monkeypatch, PROGRAM)
    looks, again = _looks(monkeypatch, after)
    assert looks[0] > 0  # nobody says what was looked into before
    assert again == after


def test_what_a_trial_that_came_to_nothing_looked_into_is_looked_at_again() -> None:
    program = (PROGRAMS / "lists_empty_at_first.py").read_text("utf-8")
    after = port_module(parse("program.py", program), Config()).after
    assert after is not None
    assert '@batched.loop(writes="basis")' in after  # of the second pass
