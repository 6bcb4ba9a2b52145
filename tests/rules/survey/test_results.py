"""Whether results are of the same kinds, dtype by dtype."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gpuport.rules.survey import results


class Device(np.ndarray):
    """What stands for a device array."""


def on_device(values: Any) -> Any:
    return np.asarray(values).view(Device)


@pytest.mark.parametrize(
    ("value", "array", "expected"),
    [
        (np.ones((2, 3), "f4"), np.ndarray, "float32 2"),
        (np.float64(1.0), np.ndarray, "float64 0"),
        (on_device([1, 2]), Device, "int64 1"),
        (np.ones(3), Device, "host float64 1"),
        (np.int64(3), Device, "host int64 0"),
        (True, np.ndarray, "bool"),
        ((np.ones(2), 3), np.ndarray, ["float64 1", "int"]),
        ({"b": 1.0, "a": None}, np.ndarray, {"a": "None", "b": "float"}),
        (slice(1), np.ndarray, "object"),
    ],
)
def test_kinds_of_results(value: Any, array: type, expected: Any) -> None:
    assert results.kinds_of(value, array) == expected


def test_only_data_are_cast() -> None:
    assert results.cast(np.ones(2), "int16").dtype == "int16"
    assert results.cast(np.ones(2, complex), "float32").dtype == complex
    assert results.cast(np.ones(2, complex), "complex64").dtype == "complex64"
    labels = np.array([1, 2], np.int32)
    assert results.cast(labels, "float32") is labels
    assert results.cast("mode", "float32") == "mode"


def test_results_are_told_apart_by_dtype() -> None:
    def host(x: Any) -> Any:
        if x.dtype == "complex64":
            raise TypeError("no complex data")
        return x * 1.0

    def own(args: list[Any], kwargs: dict[str, Any]) -> Any:
        dtype = args[0].dtype
        if dtype == "float16":
            return results.Raised("TypeError: no float16")
        if dtype == "bool":
            return results.Unsettled()
        return on_device(args[0]) if dtype.kind in "iu" else on_device(host(args[0]))

    found = results.compare([([np.ones(3)], {})], host, own, Device)
    assert found["same"] == ["float64", "float32", "complex128"]
    assert found["raises"] == [[["float16"], "TypeError: no float16"]]
    told = {dtype: own for dtypes, _, own in found["differs"] for dtype in dtypes}
    assert told == {d: f"{d} 1" for d in ("int64", "int32", "int16", "uint8")}


def test_one_call_that_differs_is_enough() -> None:
    calls = [([np.ones(2), True], {}), ([np.ones(2), False], {})]

    def own(args: list[Any], kwargs: dict[str, Any]) -> Any:
        return on_device(args[0] if args[1] else args[0].astype("F"))

    found = results.compare(calls, lambda x, _: x * np.ones((), x.dtype), own, Device)
    assert found["same"] == ["complex64"]
