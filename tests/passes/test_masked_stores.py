"""What is stored at a mask is part of a kernel, where all arrays are read at the same mask."""

from __future__ import annotations

import sys
import types
from itertools import product
from typing import Any

import numpy as np
import pytest
from tests.passes.conftest import port

from gpuport.host import count, install

F = """\
import numpy as np


def f(x: np.ndarray, v: np.ndarray, p: np.ndarray, lo: float):
    for _ in range(3):
        {body}
    return x, v


rng = np.random.default_rng(1)
x, v = rng.normal(size=(2, 9000))
print(f(x, v, x > 0.5, 0.1))
"""


@pytest.fixture(autouse=True)
def emulated(monkeypatch: pytest.MonkeyPatch) -> None:
    """CuPy on the host; ports as they are for large arrays."""
    install()
    monkeypatch.setenv("GPUPORT_FALLBACK", "loops")
    monkeypatch.setenv("GPUPORT_FROM_SIZE", "0")


def function_of(text: str, name: str) -> Any:
    module = types.ModuleType(name)
    module.__dict__["print"] = lambda *_: None
    sys.modules[name] = module
    exec(compile(text, f"<{name}>", "exec"), module.__dict__)
    return module.__dict__["f"]


def written(body: str) -> tuple[str, str]:
    text = F.format(body="\n        ".join(body.split("; ")))
    return text, port(text).after or text


REFLECTED = "x = x + 0.1 * v; low = x < lo; x[low] = 2.0 * lo - x[low]; v[low] *= -0.9"


@pytest.mark.parametrize(
    "body",
    [
        REFLECTED,
        "x[x < lo] = lo - x[x < lo]; v[~(x > 0.3)] += 0.5 * x[~(x > 0.3)]",
        "x[p] = v[p]; v[p & (x > lo)] = np.sqrt(np.abs(x[p & (x > lo)]))",
        "low = x < v; x[low] = v[low]; low[p] = False; v[low] = -x[low] * lo",
        "low = x < lo; x[low] = v[low].sum() * x[low]; v += 1.0",
        "s = v.sum() * lo; low = x < lo; x[low] = s - x[low] * s; v += 1.0",
    ],
)
@pytest.mark.parametrize("given", ["apart", "one", "overlapping", "float32", "none", "matrix"])
def test_kernels_store_at_masks_what_numpy_does(body: str, given: str) -> None:
    text, made = written(body)
    assert " ? " in made
    assert "cp.asnumpy(x[" not in made
    here, there = function_of(text, "masked_before"), function_of(made, "masked_after")
    expected = here(*arguments(given, np.asarray))
    import cupy as cp

    for moved in (np.asarray, cp.asarray):
        found = there(*arguments(given, moved))
        for one, other in zip(found, expected, strict=True):
            assert one.dtype == other.dtype
            np.testing.assert_allclose(
                cp.asnumpy(one), other, rtol=1e-6 if "32" in given else 1e-12
            )


def arguments(given: str, moved: Any) -> tuple[Any, ...]:
    """Arrays of the device or the host; ``overlapping`` ones are parts of one."""
    rng = np.random.default_rng(3)
    shape = (6, 4) if given == "matrix" else 0 if given == "none" else 40
    x, v = rng.normal(size=shape), rng.normal(size=shape)
    if given == "float32":
        x, v = x.astype("f"), v.astype("f")
    mask = moved(rng.random(shape) < 0.5)
    x, v = moved(x), moved(v)
    if given == "one":
        v = x
    if given == "overlapping":
        both = moved(rng.normal(size=41))
        x, v = both[:-1], both[1:]
    return x, v, mask, 0.1


def test_one_launch_does_what_masks_took_dozens_for() -> None:
    import cupy as cp

    _, made = written(REFLECTED)
    function = function_of(made, "masked_counted")
    given = arguments("apart", cp.asarray)
    with count() as counters:
        function(*given)
    assert counters.launches == 6  # two kernels in each of three rounds
    assert counters.syncs == 0


@pytest.mark.parametrize(
    "body",
    [
        "low = x < lo; x[low] = v; v += 1.0",  # as many as are true, one after the other
        "low = x < lo; x[low] = v[p]; v += 1.0",
        "q = p.astype(int); x[q] = v[q] * 2.0 + x[q]; v += 1.0",  # places
    ],
)
def test_other_stores_stay_as_they_are(body: str) -> None:
    _, made = written(body)
    assert " ? " not in made


def test_waits_that_a_kernel_does_not_have_are_not_told() -> None:
    report = port(F.format(body="\n        ".join(REFLECTED.split("; "))))
    assert not [f for f in report.findings if f.code == "GP403" and f.function == "f"]


def test_rows_at_a_mask_are_no_elements() -> None:
    text = """\
import numpy as np


def f(x: np.ndarray, n: int):
    pos = np.zeros((n, 3))
    speed = np.ones((n, 3))
    for _ in range(3):
        out = np.abs(pos[:, 0]) > 1.0
        pos[out] = pos[out] * 0.5 + speed[out]
        speed[out] *= -1.0
    return pos
"""
    assert " ? " not in (port(text).after or "")


def test_every_order_of_two_stores() -> None:
    """Of four statements each pair, in both orders, with arrays that are apart or the same."""
    statements = (
        "x[p] = v[p] + lo", "v[x > lo] = x[x > lo] * 2.0", "x += v", "v[p] -= x[p] * v[p]",
    )  # fmt: skip
    import cupy as cp

    for number, (one, other) in enumerate(product(statements, statements)):
        text, made = written(f"{one}; {other}; x[~p] *= 0.5")
        here = function_of(text, f"pair_before_{number}")
        there = function_of(made, f"pair_after_{number}")
        for given in ("apart", "one", "overlapping"):
            expected = here(*arguments(given, np.asarray))
            found = there(*arguments(given, cp.asarray))
            for a, b in zip(found, expected, strict=True):
                np.testing.assert_allclose(cp.asnumpy(a), b, rtol=1e-12)


def test_a_number_beside_a_masked_store_stays_one() -> None:
    """As an output of the same kernel it would get the shape of the arrays."""
    import cupy as cp

    lines = (
        "d = np.max(v)", "e = d * d * 0.5 + 1.0", "y = x + e * v", "low = y < lo",
        "y[low] = 0.5 * y[low]", "x, v = y * 0.5, v * e", "x[low] += e",
    )  # fmt: skip
    text = F.format(body="\n        ".join(lines)).replace("return x, v", "return x, v, e")
    made = port(text).after or text
    assert " ? " in made
    here, there = function_of(text, "number_before"), function_of(made, "number_after")
    expected = here(*arguments("apart", np.asarray))
    found = there(*arguments("apart", cp.asarray))
    assert [np.shape(one) for one in found] == [np.shape(one) for one in expected]
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(cp.asnumpy(one), other, rtol=1e-12)
