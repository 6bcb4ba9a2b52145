"""What CuPy takes by each parameter: the recorded tables, their reader and the script's parts."""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np
import pytest

from gpuport.rules import argument_device, argument_outcomes, argument_samples
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


def test_outcomes_survive_being_grouped() -> None:
    from gpuport.rules.argumentkinds import _outcomes

    row: dict[str, argument_outcomes.Outcome] = {
        "list": ["TypeError", "no {type}"],
        "tuple": ["TypeError", "no {type}"],
        "array": "device",
        "numpy-array": "host",
    }
    read = _outcomes(argument_outcomes.grouped(row))
    refused = Rejection("TypeError", "no {type}")
    assert read == {
        "list": refused, "tuple": refused, "array": "device", "numpy-array": "host",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("plain", "deeper", "expected"),
    [
        ("device", ["TypeError", "later"], ["TypeError", "later"]),
        (["TypeError", "early"], "device", ["TypeError", "early"]),
        ("host", ["TypeError", "later"], "host"),
        ("device", None, "device"),
        (None, "device", "device"),
    ],
)
def test_the_deeper_look_adds_later_rejections(
    plain: argument_outcomes.Outcome | None,
    deeper: argument_outcomes.Outcome | None,
    expected: argument_outcomes.Outcome,
) -> None:
    assert argument_outcomes.decided(plain, deeper) == expected


@pytest.mark.parametrize(
    ("message", "value", "expected"),
    [
        ("'list' object has no attribute 'ndim'", [1], "'{type}' object has no attribute 'ndim'"),
        ("Unsupported type <class 'list'>", [1], "Unsupported type {class}"),
        ("expected X, got numpy.ndarray)", np.ones(1), "expected X, got {type})"),
        ("expected X, got ndarray)", np.ones(1), "expected X, got {name})"),
        ("'numpy.float64' object", np.float64(1), "'{type}' object"),
        ("a must be large", [1], "a must be large"),
    ],
)
def test_the_type_in_a_message_is_left_open(message: str, value: object, expected: str) -> None:
    assert argument_outcomes.template(message, value) == expected


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (TypeError("Unsupported type"), True),
        (np.linalg.LinAlgError("cupy.linalg only supports cupy.ndarray"), True),
        (ValueError("Unsupported dtype object"), True),
        (ValueError("autodetected range of [0.0, 0.0] is not finite"), False),
        (IndexError("out of bounds"), False),
    ],
)
def test_complaints_about_the_values_of_a_stand_in_do_not_count(
    error: Exception, expected: bool
) -> None:
    assert argument_outcomes.about_kinds(error) is expected


def test_what_ends_at_the_device_was_taken() -> None:
    assert argument_outcomes.stops_at_device(ImportError("libcublas.so.12"))
    assert argument_outcomes.stops_at_device(RuntimeError("CuPy failed to load libnvrtc.so.12"))
    assert not argument_outcomes.stops_at_device(RuntimeError("something else"))
    assert not argument_outcomes.stops_at_device(TypeError("Unsupported type"))


def test_c_signatures_are_read() -> None:
    returned, kinds = argument_device.parse("int (intptr_t, size_t, int __pyx_skip_dispatch)")
    assert returned is ctypes.c_int
    assert kinds == [ctypes.c_ssize_t, ctypes.c_size_t, None]
    assert argument_device.parse("PyObject *(void)") == (ctypes.py_object, [])


def test_a_stand_in_comes_before_cupy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(argument_device.sys.modules, "cupy", argument_device)
    with pytest.raises(RuntimeError, match="imported already"):
        argument_device.stand_in()


@pytest.mark.parametrize("base", [argument_samples.F, argument_samples.M, 2, 0.5, (0, 1), None])
@pytest.mark.parametrize("kind", argument_samples.KINDS)
def test_variants_are_of_their_kind(kind: str, base: object) -> None:
    from gpuport.host.argumentchecks import kind_of

    written = {"array": "numpy-array", "array-list": "numpy-array-list"}.get(kind, kind)
    found = {kind_of(value) for value in argument_samples.variants(kind, base)}
    assert found == {written}


def test_kinds_are_those_that_the_reader_knows() -> None:
    assert set(argument_samples.KINDS) == set(KINDS)


def test_a_function_that_ends_its_process_is_survived() -> None:
    import os

    assert argument_outcomes.forked(lambda: [1, 2], "gone") == [1, 2]
    assert argument_outcomes.forked(lambda: os.abort(), "gone") == "gone"
