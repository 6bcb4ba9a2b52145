"""Arrays of other values lie in memory as those that they stand for."""

from __future__ import annotations

import numpy as np
import pytest

from gpuport.verify.inputs.layouts import LAYOUTS, laid_out
from gpuport.verify.sides.memory import alike, filled
from gpuport.verify.sides.rounding import functions_moved
from gpuport.verify.signatures.moved import jittered, widened

VALUES = np.arange(1.0, 13.0).reshape(3, 4)


@pytest.mark.parametrize("layout", sorted(set(LAYOUTS)))
@pytest.mark.parametrize("dtype", ["float64", "float32", "longdouble"])
def test_a_copy_has_the_strides_of_its_model(layout: str, dtype: str) -> None:
    model = laid_out(VALUES, layout)
    copied = alike(model, dtype)
    steps = [stride // model.itemsize for stride in model.strides]
    assert [stride // copied.itemsize for stride in copied.strides] == steps
    np.testing.assert_array_equal(copied, model)
    assert not np.may_share_memory(copied, model)
    assert filled(model, 2.0).strides == model.strides


def test_what_overlaps_does_so_in_wider_precision() -> None:
    base = np.arange(5.0)
    moved = widened({"x": base[:-1], "y": base[1:]})
    moved["x"][1] = 7.0
    assert moved["y"][0] == 7.0
    assert moved["x"].dtype == np.longdouble


def test_one_ulp_beside_keeps_the_order() -> None:
    rng = np.random.default_rng(0)
    whole = laid_out(np.arange(12).reshape(3, 4), "strided")
    found = jittered({"m": whole}, rng)["m"]
    assert found.dtype == float
    assert not found.flags.forc


@pytest.mark.parametrize("pattern", [0, 4, 6, 7])
def test_functions_that_round_otherwise_keep_the_order(pattern: int) -> None:
    module = type(np)("program")
    module.np = np  # type: ignore[attr-defined]
    with functions_moved({"program": module}, pattern):
        found = module.np.sin(np.asfortranarray(VALUES))
    np.testing.assert_allclose(found.reshape(-1, order="A"), np.sin(VALUES).ravel("F"))
