"""What CuPy takes by each parameter: the recorded tables and their reader."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpuport.rules.argumentkinds import KINDS, ArgumentKinds, Rejection
from gpuport.rules.tables import ApiTables

TARGETS = ("cupy-13", "cupy-14")


@pytest.fixture(params=TARGETS)
def tables(request: pytest.FixtureRequest) -> ApiTables:
    return ApiTables.load(request.param)


@pytest.mark.parametrize(
    ("path", "parameter", "kind", "expected"),
    [
        ("numpy.digitize", "bins", "list", False),
        ("numpy.digitize", "bins", "array", True),
        ("cupy.digitize", 1, "list", False),
        ("numpy.dot", "b", "number", False),
        ("numpy.searchsorted", "v", "array", True),
        ("numpy.searchsorted", "v", "numpy-array", False),
        ("numpy.interp", "x", "float", False),
        ("numpy.where", "x", "number", True),
        ("numpy.where", 1, "list", False),
        ("numpy.concatenate", 0, "array-list", True),
        ("numpy.concatenate", "arrays", "numpy-array-list", False),
        ("numpy.hstack", "tup", "numpy-array-list", True),
        ("numpy.clip", "a_min", "None", True),
        ("numpy.bincount", "weights", "list", False),
        ("numpy.delete", "obj", "list", True),
        ("numpy.percentile", "q", "list", True),
        ("numpy.histogram2d", "bins", "int", True),
        ("numpy.add", "x1", "list", False),
        ("numpy.add", 1, "number", True),
        ("numpy.amax", "a", "numpy-array", False),  # answered, but off the device
        ("numpy.ndarray.dot", "b", "float", False),
        ("numpy.ndarray.take", "indices", "list", True),
        ("numpy.meshgrid", "xi", "list", False),
        ("numpy.linalg.solve", "b", "list", False),
        ("numpy.fft.fft", "a", "numpy-array", False),
        ("scipy.ndimage.mean", "index", "list", False),
        ("scipy.ndimage.sum_labels", "index", "numpy-scalar", False),
        ("scipy.ndimage.maximum", "index", "list", True),
        ("numpy.sum", "axis", "float", None),
        ("numpy.no_such_function", "a", "list", None),
        ("numpy.sum", "no_such_parameter", "list", None),
        ("numpy.sum", 99, "list", None),
    ],
)
def test_what_is_taken(
    tables: ApiTables, path: str, parameter: str | int, kind: str, expected: bool | None
) -> None:
    assert tables.takes(path, parameter, kind) is expected


def test_a_kind_that_does_not_exist_is_an_error(tables: ApiTables) -> None:
    with pytest.raises(ValueError, match="no kind of argument 'scalar'"):
        tables.takes("numpy.sum", "a", "scalar")


def test_what_is_raised_can_be_asked(tables: ApiTables) -> None:
    row = tables.argument_kinds.parameters("cupy.digitize")["bins"]
    expected = Rejection("AttributeError", "'{type}' object has no attribute 'ndim'")
    assert row["list"] == expected


def test_no_function_is_silently_left_out(tables: ApiTables) -> None:
    kinds = tables.argument_kinds
    told = {*kinds.functions(), *kinds.unprobed()}
    assert not set(kinds.functions()) & set(kinds.unprobed())
    for module in ("numpy", "numpy.linalg", "numpy.fft"):
        for name in tables.names(module):
            entry = tables.entry(f"{module}.{name}")
            own = tables.entry(f"cupy{module.removeprefix('numpy')}.{name}")
            if entry is None or own is None or own.kind != "function" or own.same_as:
                continue
            if entry.kind in {"function", "ufunc"}:
                assert own.name in told, own.name


def test_each_kind_has_one_outcome(tables: ApiTables) -> None:
    kinds = tables.argument_kinds
    for function in kinds.functions():
        for parameter, row in kinds.parameters(function).items():
            assert set(row) <= set(KINDS), (function, parameter)
            assert all(o in ("device", "host") or isinstance(o, Rejection) for o in row.values())


def test_an_absent_table_knows_nothing(tmp_path: Path) -> None:
    kinds = ArgumentKinds(tmp_path / "arguments-99.json")
    assert kinds.functions() == ()
    assert kinds.takes("cupy.sum", "a", "list") is None
