"""Whole programs of the tests print, raise and save through their IR what they do in Python."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.lower.running import forked

from gpuport.ir import check, opaque
from gpuport.lower import lower

ROOT = Path(__file__).parents[2]
#: These show when an object is freed, which the interpreter does not copy.
LIFETIMES = {
    "alias_memory_of_others",
    "generators_in_place",
    "generators_of_parts",
    "generators_that_functions_are",
}
PROGRAMS = sorted(
    path
    for folder in ("tests/property/programs", "fixtures/programs", "fixtures/pairs")
    for path in (ROOT / folder).rglob("*.py")
    if path.name != "after.py"
)


def _name(path: Path) -> str:
    return f"{path.parent.name}-{path.stem}"


@pytest.mark.sampled(24)
@pytest.mark.parametrize("path", PROGRAMS, ids=_name)
def test_a_program_runs_through_its_ir_as_in_python(path):
    if path.stem in LIFETIMES:
        pytest.skip("it shows when objects are freed")
    text = path.read_text(encoding="utf-8")
    plain = forked(text, path, through_ir=False)
    if "No module named" in str(plain["error"]):
        pytest.skip(f"it needs another module: {plain['error']}")
    assert forked(text, path, through_ir=True) == plain


def test_nearly_all_programs_lower_without_opaque_operations():
    """What runs as Python is not understood; of whole programs that is at most one in fifty."""
    lowered = [lower(path.read_text(encoding="utf-8"), path.name) for path in PROGRAMS[::4]]
    for module in lowered:
        for function in module.functions:
            check(function)
    strange = [module.name for module in lowered if opaque(module)]
    assert len(strange) <= len(lowered) // 50, strange
