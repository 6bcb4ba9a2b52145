"""Guessed inputs with more axes than CuPy takes prove nothing; those of callers do."""

from __future__ import annotations

import pytest

from gpuport.verify.records import Verdict

pytest.importorskip("scipy")

ORIGINAL = """
from scipy.linalg import expm

def propagate(h{kind}, psi{kind}, dt{kind}):
    return expm(-1j * h * dt) @ psi
"""
PORT = """
from cupyx.scipy.linalg import expm

@device("h", "psi", "dt")
def propagate(h{kind}, psi{kind}, dt{kind}):
    return expm({factor}1j * h * dt) @ psi
"""


def test_a_propagator_is_equivalent_for_a_matrix(verify) -> None:
    found = verify(ORIGINAL.format(kind=""), PORT.format(kind="", factor="-"))["propagate"]
    assert found.verdict is Verdict.EQUIVALENT, found
    assert "Input must be 1- or 2-d." in str(found.evidence.notes)


def test_a_fault_beside_the_limit_is_found(verify) -> None:
    found = verify(ORIGINAL.format(kind=""), PORT.format(kind="", factor=""))["propagate"]
    assert found.verdict is Verdict.DIFFERS, found


def test_annotated_stacks_are_what_the_port_fails_for(verify) -> None:
    kind = ": \"Float[np.ndarray, 'n k k']\""
    original, port = ORIGINAL.format(kind=kind), PORT.format(kind=kind, factor="-")
    found = verify(original, port)["propagate"]
    assert found.verdict is Verdict.ERROR, found
