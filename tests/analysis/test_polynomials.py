"""What functions of numpy.polynomial give: all of them stay on the host, their results need not."""

from __future__ import annotations

import importlib

import numpy as np
import pytest

from gpuport.analysis.knowledge.probing import probe_call
from gpuport.analysis.values.lattice import UNKNOWN, Array, Scalar
from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

WAVE = np.sin(np.arange(12.0))
VECTOR, FEW = Array("float64", 1), Scalar("int")
CALLS = [
    ("chebyshev.chebgauss", (FEW,), (5,)),
    ("chebyshev.chebpts2", (FEW,), (5,)),
    ("hermite_e.hermegauss", (FEW,), (5,)),
    ("laguerre.lagval", (VECTOR, VECTOR), (WAVE, WAVE)),
    ("legendre.leggauss", (FEW,), (5,)),
    ("legendre.legvander", (VECTOR, FEW), (WAVE, 3)),
    ("legendre.legweight", (VECTOR,), (WAVE,)),
    ("polynomial.polyder", (VECTOR,), (WAVE,)),
    ("polynomial.polyfit", (VECTOR, VECTOR, FEW), (WAVE, WAVE, 2)),
    ("polynomial.polyval", (Scalar("float"), VECTOR), (0.5, WAVE)),
]


@pytest.mark.parametrize(("name", "claims", "actual"), CALLS, ids=[name for name, *_ in CALLS])
def test_a_claim_holds_for_a_real_call(covers, name, claims, actual):
    module, function = name.split(".")
    found = getattr(importlib.import_module(f"numpy.polynomial.{module}"), function)(*actual)
    claim = probe_call(f"numpy.polynomial.{name}", claims, ())
    assert claim != UNKNOWN
    assert covers(claim, found)


def test_what_is_computed_with_points_of_quadrature_is_ported():
    text = """\
import numpy as np
from numpy.polynomial.legendre import leggauss


def integrals(centres: np.ndarray, width: float, n: int):
    x, w = leggauss(n)
    values = np.exp(-((centres[:, None] + width * x) ** 2)) * np.cos(centres)[:, None]
    return np.sqrt(np.abs(values @ w))
"""
    report = port_module(parse("f.py", text), Config())
    assert "exp(-" in report.after.partition("def ")[0]  # in a kernel
    assert "cp.sqrt(" in report.after
