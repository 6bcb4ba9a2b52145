"""What calls came to, by their exceptions, and with and without a device that stands in."""

from __future__ import annotations

import numpy as np
import pytest

from gpuport.rules.argumentkinds import Rejection
from gpuport.rules.survey import outcomes


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
    plain: outcomes.Outcome | None,
    deeper: outcomes.Outcome | None,
    expected: outcomes.Outcome,
) -> None:
    assert outcomes.decided(plain, deeper) == expected


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
    assert outcomes.template(message, value) == expected


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
    assert outcomes.about_kinds(error) is expected


def test_what_ends_at_the_device_was_taken() -> None:
    assert outcomes.stops_at_device(ImportError("libcublas.so.12"))
    assert outcomes.stops_at_device(RuntimeError("CuPy failed to load libnvrtc.so.12"))
    assert not outcomes.stops_at_device(RuntimeError("something else"))
    assert not outcomes.stops_at_device(TypeError("Unsupported type"))


def test_a_function_that_ends_its_process_is_survived() -> None:
    import os

    assert outcomes.forked(lambda: [1, 2], "gone") == [1, 2]
    assert outcomes.forked(lambda: os.abort(), "gone") == "gone"


def test_outcomes_survive_being_grouped() -> None:
    from gpuport.rules.argumentkinds import _outcomes

    row: dict[str, outcomes.Outcome] = {
        "list": ["TypeError", "no {type}"],
        "tuple": ["TypeError", "no {type}"],
        "array": "device",
        "numpy-array": "host",
    }
    read = _outcomes(outcomes.grouped(row))
    refused = Rejection("TypeError", "no {type}")
    assert read == {
        "list": refused, "tuple": refused, "array": "device", "numpy-array": "host",
    }  # fmt: skip
