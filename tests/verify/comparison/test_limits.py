"""Guessed inputs with more axes than CuPy takes prove nothing; those of callers do."""

from __future__ import annotations

import textwrap

import pytest

from gpuport.verify.records import Verdict, VerifyOptions

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


def test_a_number_for_an_array_without_axes_is_noted(verify) -> None:
    original = "def scale(x: np.ndarray):\n    s = np.std(x)\n    return np.where(s == 0, 1.0, s)\n"
    port = """
@device("x")
def scale(x: np.ndarray):
    s = cp.std(x)
    return cp.where(s == 0, 1.0, s)
"""
    found = verify(original, port)["scale"]
    assert found.verdict is Verdict.EQUIVALENT, found
    assert "an array without axes became a NumPy scalar" in str(found.evidence.notes)


def test_a_clip_of_complex_numbers_proves_nothing(verify) -> None:
    original = "def smooth(x, lo):\n    return np.clip(x, lo, 1.0) ** 2\n"
    port = """
@device("x", "lo", require="x")
def smooth(x, lo):
    return cp.clip(x, lo, 1.0) ** 2
"""
    found = verify(original, port)["smooth"]
    assert found.verdict is Verdict.EQUIVALENT, found


DECAY = "def decay(x, h):\n    return {xp}.exp(-x / h) * 2.0\n"


def test_complex_numbers_divided_by_zero_prove_nothing(verify) -> None:
    port = '@device("x", "h", require="x")\n' + DECAY.format(xp="cp")
    found = verify(DECAY.format(xp="np"), port, VerifyOptions(examples=100))["decay"]
    assert found.verdict is Verdict.EQUIVALENT, found


def test_nan_of_complex_numbers_without_such_a_quotient_is_a_fault(verify) -> None:
    original = "def root(x):\n    return np.sqrt(x * x + 1.0)\n"
    port = """
@device("x")
def root(x):
    return cp.sqrt(x * x + 1.0) + (cp.nan if cp.iscomplexobj(x) else 0.0)
"""
    assert verify(original, port)["root"].verdict is Verdict.DIFFERS


def test_what_adds_at_indices_takes_no_complex_numbers(verify) -> None:
    original = """
    def totals(ids, amounts):
        keys, inverse = np.unique(ids, return_inverse=True)
        sums = np.zeros(len(keys), dtype=amounts.dtype)
        np.add.at(sums, inverse, amounts)
        return keys, sums
    """
    port = '@device("ids", "amounts")\n' + textwrap.dedent(original).replace("np.", "cp.")
    found = verify(original, port)["totals"]
    assert found.verdict is Verdict.EQUIVALENT, found
    assert "cupy.add.at only supports" in str(found.evidence.notes)
    found = verify(original, port.replace("inverse, amounts)", "inverse, abs(amounts))"))["totals"]
    assert found.verdict is Verdict.DIFFERS, found


CENTRED = """
{head}
def centred(x{kind}):
    return x - {xp}.{mean}(x)
"""


@pytest.mark.parametrize("mean", ["nanmean", "median"])
def test_the_mean_of_no_elements_proves_nothing_where_inputs_are_guessed(mean, verify) -> None:
    head = '@device("x", require="x")'
    original = CENTRED.format(head="", kind="", xp="np", mean=mean)
    port = CENTRED.format(head=head, kind="", xp="cp", mean=mean)
    options = VerifyOptions(examples=100)
    found = verify(original, port, options)["centred"]
    assert found.verdict is Verdict.EQUIVALENT, found
    wrong = port.replace(f"{mean}(x)", f"{mean}(x[:64])")
    assert verify(original, wrong, options)["centred"].verdict is Verdict.DIFFERS
    kind = ": np.ndarray"
    original = CENTRED.format(head="", kind=kind, xp="np", mean=mean)
    port = CENTRED.format(head=head, kind=kind, xp="cp", mean=mean)
    assert verify(original, port, options)["centred"].verdict is Verdict.ERROR


SPECTRUM = "def spectrum(x: {kind}):\n    return {xp}.histogram(x, bins=4)[0]\n"


def test_an_annotation_without_a_dtype_says_nothing_of_complex_numbers(verify) -> None:
    port = '@device("x")\n' + SPECTRUM.format(kind="np.ndarray", xp="cp")
    original = SPECTRUM.format(kind="np.ndarray", xp="np")
    found = verify(original, port, VerifyOptions(examples=100))["spectrum"]
    assert found.verdict is Verdict.EQUIVALENT, found
    assert "complex number is not supported" in str(found.evidence.notes)
    wrong = port.replace("bins=4", "bins=5")
    assert verify(original, wrong)["spectrum"].verdict is Verdict.DIFFERS


def test_one_that_says_complex_is_what_the_port_fails_for(verify) -> None:
    original = (
        "from numpy.typing import NDArray\n"
        "def held(x: NDArray[np.complex128]):\n    return np.clip(x, 0.0, 1.0)\n"
    )
    port = original.replace("np.clip", "cp.clip").replace("def held", '@device("x")\ndef held')
    found = verify(original, port)["held"]
    assert found.verdict is Verdict.ERROR, found


def test_complex_numbers_clipped_at_one_side_prove_nothing_where_they_are_guessed(verify) -> None:
    original = "def shrunk(x, level):\n    return (1 - level / np.abs(x)).clip(0, None) * x\n"
    port = '@device("x", "level", require="x")\n' + original.replace("np.", "cp.")
    options = VerifyOptions(examples=100)
    found = verify(original, port, options)["shrunk"]
    assert found.verdict is Verdict.EQUIVALENT, found
    assert "clipped at one side" in str(found.evidence.notes)
    wrong = port.replace("clip(0, None)", "clip(None, 0)")
    assert verify(original, wrong, options)["shrunk"].verdict is Verdict.DIFFERS


def test_a_float_for_a_count_proves_nothing_where_it_is_guessed(verify) -> None:
    original = "def below(n, x):\n    return np.tri(abs(n), 4) * np.sqrt(x)\n"
    port = original.replace("return ", "return cp.asnumpy(").replace("(x)\n", "(x))\n")
    port = port.replace("np.tri", "cp.tri").replace("np.sqrt(x)", "cp.sqrt(cp.asarray(x))")
    options = VerifyOptions(examples=100)
    found = verify(original, port, options)["below"]
    assert found.verdict is Verdict.EQUIVALENT, found
    wrong = port.replace("tri(abs(n)", "tri(abs(n) / 2")
    assert verify(original, wrong, options)["below"].verdict is Verdict.ERROR
