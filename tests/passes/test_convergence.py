"""Loops that run until something is small: their arrays stay on the device."""

from __future__ import annotations

from pathlib import Path

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

PROGRAMS = Path(__file__).parents[1] / "property" / "programs"


def test_numbers_that_conditions_ask_for_do_not_hold_arrays_on_the_host() -> None:
    program = (PROGRAMS / "lasso_in_three_ways.py").read_text("utf-8")
    report = port_module(parse("program.py", program), Config())
    assert report.after is not None
    body = report.after.partition("def admm(")[2].partition("\n\n\n")[0]
    assert "z = u = cp.zeros(n)" in body
    assert "asarray" not in body
