"""The probers of gpuport: their answers are data, and hang on nothing but what decides them."""

from __future__ import annotations

import subprocess
import sys

import pytest

from gpuport.analysis.knowledge import probing
from gpuport.probing import library, terms
from gpuport.probing.editions import source_files
from gpuport.probing.questions import Prober

PROBERS = [library.PROBER, terms.PROBER, probing._PROBER]


@pytest.mark.parametrize("prober", PROBERS, ids=lambda prober: prober.module)
def test_answers_are_forgotten_when_anything_changes_that_they_come_from(prober: Prober):
    """A worker loads no module of gpuport that is not among the sources of its answers."""
    code = (
        f"import sys; from gpuport.probing import answering, process, service\n"
        f"import {prober.module}\n"
        "print([m.__file__ for n, m in sys.modules.items() if n.startswith('gpuport')])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {file for file in run.stdout[2:-3].split("', '") if "__init__" not in file}
    assert loaded <= set(map(str, source_files(prober)))
    assert any("probing" in file for file in loaded)


def test_types_are_those_that_numpy_gives():
    assert library.resolved("add", ("float32", "float")) == ("float32", "float32", "float32")
    assert library.resolved("add", ("int8", "int64")) == ("int64", "int64", "int64")
    assert library.resolved("bitwise_and", ("float64", "float64")) is None
    assert library.resolved("no.such.function", ("float64",)) is None


def test_terms_are_computed_only_as_far_as_they_are_small():
    ones = ["ones", [11, 13], "float32"]
    call = ["call", "numpy.transpose", [ones], {}]
    large = ["call", "numpy.zeros", [terms.value(10**9)], {}]
    outer = ["operator", "Mult", ["ones", [2000, 1], "int8"], ["ones", [1, 2000], "int8"]]
    written = ["item", ones, ["slice", *map(terms.value, (0, 4, None))]]
    given = [call, large, outer, written, ["length", ones], ["method", "ravel", ones, [], {}]]
    assert terms.kinds(given) == [
        ((13, 11), "float32"), None, None, ((4, 13), "float32"), None, ((143,), "float32"),
    ]  # fmt: skip
