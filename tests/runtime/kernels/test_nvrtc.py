"""The texts compile for GPUs too: NVRTC needs none."""

from __future__ import annotations

import itertools

import pytest

from gpuport.host.kernels.declared import check_declared
from gpuport.host.kernels.nvrtc import available
from gpuport.runtime.kernels.declared import declared
from gpuport.runtime.kernels.text import Instance, elementwise
from gpuport.runtime.kernels.weak import HELPERS

pytestmark = pytest.mark.skipif(not available(), reason="NVRTC is not installed")

LEVEL = 0.5


def stencil(u, source, h, v):
    v[:] = u[0] + source[0] * h * LEVEL


def mixed(a, b, h):
    return a * b * h


STENCIL = (
    "raw T u, raw T source, float h", "raw T v",
    """
    const T around = u[{i - 1, j}] + u[{i + 1, j}] - (h > 0 ? 0.5 : 0.0);
    v[{i, j}] = 0.25 * (around - h * h * source[{i, j}]) + LEVEL / (i + 1) + h * u.shape[0]
        + (around > 1.0 ? around : 0.5) + (h > 1 ? h : u[{i, j}]);
    """,
    "i in range(1, u.shape[0] - 1), j in range(u.shape[1])", "", "",
)  # fmt: skip
CALLS = """
    c = minimum(a, b) + maximum(a, h) + minimum(0.5, a) + square(h) + py_min(a, h) + py_max(b, 0.5)
        + float_modulo(a, h) + float_modulo(h, b) + int_modulo(7, 3) + int_floor(7, 3)
        + pow(a, 2.4) + pow(h, b) + pow(a, 3LL)
        + exp(-h) * a + weak(2) * h + (a < h && 0.5 <= b ? a : -h);
"""
MIXED = ("T a, T b, float h", "T c", CALLS, "", "", "")


@pytest.mark.parametrize("generic", ["float32", "float64"])
@pytest.mark.parametrize(("function", "said"), [(stencil, STENCIL), (mixed, MIXED)])
def test_texts_compile(emulated, function, said, generic):
    one = declared(function, *said)
    assert function is stencil or set(one.helpers) == {*HELPERS, "pow"}
    numbers = tuple((name, "float") for name in one.numbers)
    boxes = [frozenset[str]()]
    if one.axes and generic == "float64":
        boxes.append(frozenset({"h"}))
    for boxed, python in itertools.product(boxes, (frozenset({"h"}), frozenset({"b", "h"}))):
        if function is stencil and "b" in python:
            continue
        made = elementwise(one, Instance(generic, boxed, python, numbers), emulated)
        assert all(found.registers for found in check_declared(made, (80, 90)))
