"""Ports of small natural programs, each around one danger, give what the originals give."""

from __future__ import annotations

from pathlib import Path

import pytest

HERE = Path(__file__).parent
PROGRAMS = sorted((HERE / "programs").glob("*.py"))


@pytest.mark.sampled(5)
@pytest.mark.parametrize("path", PROGRAMS, ids=[p.stem for p in PROGRAMS])
def test_the_port_of_a_program_gives_the_same(path, examine):
    found = examine(path.read_text(encoding="utf-8"), path.name)
    assert found.original.error is None, found.original.trace
    assert found.faults == (), found.after


@pytest.mark.everything
def test_most_programs_are_changed(examine):
    """Refusing everything would make the tests above pass."""
    changed = [p for p in PROGRAMS if examine(p.read_text(), p.name).report.after is not None]
    assert len(changed) > len(PROGRAMS) // 3
