"""Ports of small natural programs, each around one danger, give what the originals give."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

HERE = Path(__file__).parent
PROGRAMS = sorted((HERE / "programs").glob("*.py"))


@pytest.mark.sampled(15)
@pytest.mark.parametrize("path", PROGRAMS, ids=[p.stem for p in PROGRAMS])
def test_the_port_of_a_program_gives_the_same(path, examine):
    found = examine(path.read_text(encoding="utf-8"), path.name)
    assert found.original.error is None, found.original.trace
    assert found.faults == (), found.after


def test_most_programs_are_changed():
    """Refusing everything would make the tests above pass."""
    some = PROGRAMS[::30]
    changed = [p for p in some if port_module(parse(p.name, p.read_text()), Config()).changed]
    assert len(changed) > len(some) // 3
