"""Whether CuPy's results are of the kinds of SciPy's: the recorded tables and their reader."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gpuport.rules.resultkinds import ResultTable, in_words
from gpuport.rules.survey.results import DTYPES
from gpuport.rules.tables import ApiTables


@pytest.mark.parametrize("target", ["cupy-13", "cupy-14"])
def test_the_shipped_tables(target: str) -> None:
    tables = ApiTables.load(target)
    median = tables.results("scipy.ndimage.median")
    assert median is not None
    assert "float64" in median.same
    assert median.differs["int32"] == "float64 array in SciPy, int32 array in CuPy"
    assert tables.results("scipy.ndimage.generic_filter") is None
    assert tables.compares_results("scipy.ndimage.generic_filter")
    assert not tables.compares_results("numpy.sum")
    lu = tables.results("cupyx.scipy.linalg.lu")
    assert lu is not None
    assert "int64" in lu.raises


@pytest.mark.parametrize("target", ["cupy-13", "cupy-14"])
def test_each_dtype_has_one_outcome(target: str) -> None:
    table = ApiTables.load(target).result_kinds
    assert len(table.functions()) > 300
    for function in table.functions():
        known = table.of(function)
        assert known is not None
        assert table.covers(function)
        told = [*known.same, *known.differs, *known.raises]
        assert len(told) == len(set(told))
        assert set(told) <= set(DTYPES)


def test_an_absent_table_knows_nothing(tmp_path: Path) -> None:
    table = ResultTable(tmp_path / "results-99.json")
    assert table.of("cupyx.scipy.fft.fft") is None
    assert not table.covers("cupyx.scipy.fft.fft")


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        ("float64 2", "float64 array"),
        ("int64 0", "int64 number"),
        ("host int64 1", "NumPy's int64 array"),
        ("int", "Python's int"),
        (["float64 1", {"height": "float32 1"}], "(float64 array, (height: float32 array))"),
        (["int"] * 6, "(Python's int, Python's int, Python's int, Python's int, ...)"),
        ([[["int"]]], "((...))"),
    ],
)
def test_kinds_in_words(kinds: Any, expected: str) -> None:
    assert in_words(kinds) == expected
