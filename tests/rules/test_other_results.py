"""Calls whose results are of another kind in CuPy for some data do not go there without a word."""

from __future__ import annotations

import pytest

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.records import FileReport
from gpuport.source.reading import parse

START = """import numpy as np


def f(x: np.ndarray):
    y = np.cos(x) * np.sin(x)
"""


def ported(body: str) -> FileReport:
    return port_module(parse("program.py", f"{START}    {body}\n"), Config())


def codes(report: FileReport) -> set[str]:
    return {finding.code for finding in report.findings}


@pytest.mark.parametrize(
    "body",
    [
        "return np.unique(y > 0, axis=0)",
        "return np.unique(y > 0, True, False, False, 0)",
        "s = np.sum(y)\n    return np.max(s, axis=-1)",
        "s = np.sum(y)\n    return np.median(s, keepdims=True)",
        "return np.kron(y, 2)",
        "return np.var(y, dtype=np.int64)",
        "return np.nanstd(y, dtype=np.float32)",
        "return np.quantile(y > 0, 1)",
        "return np.interp(y, y, y > 0)",
        "return np.sinc(y > 0)",
        "return np.logical_not((y + 1j).astype(np.complex128))",
        "return (y + 1j).astype(np.complex64).clip(0, 1)",
        "return np.linalg.cond((y + 1j).astype(np.complex128), 1)",
        "return np.unravel_index(y.astype(np.int16), (3, 3))",
        "return np.exp(-(y > 0) ** 2)",
        "return np.sign(y > 0)",
    ],
)
def test_data_that_show_stay_on_the_host(body: str) -> None:
    assert "GP515" in codes(ported(body))


@pytest.mark.parametrize(
    "body",
    [
        "return np.unique(y, axis=0)",
        "return np.logical_and(y, y)",
        "return np.clip(y, 0, 1)",
        "return np.sinc(y)",
        "return np.nanmean(y, axis=0)",
        "return np.sign(y)",
    ],
)
def test_data_of_unknown_kind_are_told_of(body: str) -> None:
    report = ported(body)
    assert "GP520" in codes(report)
    assert "GP515" not in codes(report)
    assert report.changed


@pytest.mark.parametrize(
    "body",
    [
        "return np.unique(y)",
        "return np.unique(y, True)",
        "return np.sum(y, axis=0)",
        "return np.sum(np.sum(y))",
        "return np.var(y, dtype=np.float64)",
        "return np.kron(y, y)",
        "return np.quantile(y, 0.5)",
    ],
)
def test_others_go_without_a_word(body: str) -> None:
    assert not {"GP515", "GP520"} & codes(ported(body))


def test_told_of_once_for_a_function() -> None:
    report = ported("return np.clip(y, 0, 1), np.clip(y, 0, 2), np.sinc(y)")
    assert [f.code for f in report.findings].count("GP520") == 1


@pytest.mark.parametrize(
    "body", ["return (y > 0) ** 3", "return (y > 0) ** (y > 1)", "return np.power(y > 0, 2)"]
)
def test_other_powers_of_truths_go_to_the_device(body: str) -> None:
    assert not {"GP515", "GP520"} & codes(ported(body))
