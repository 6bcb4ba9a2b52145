"""Whatever the shapes, strides, dtypes and domains: the kernel gives what its Python gives."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.runtime.kernels.conftest import outcome, same

from gpuport import host
from gpuport.runtime import kernel

STEP = 2

pytestmark = pytest.mark.filterwarnings(
    "ignore::gpuport.runtime.FallbackWarning", "ignore::RuntimeWarning"
)


@pytest.fixture(scope="module", autouse=True)
def cupy():
    host.install(version=14)
    yield importlib.import_module("cupy")
    host.uninstall()


@kernel(
    "raw T u, int first, int last, int step, float h",
    "raw T v",
    """
    T sum = h * h * u[{i, j}];
    for (int k = 0; k < 2; ++k) sum += u[{i + k, j - 1}] * 0.3;
    v[{i, j - 1}] = sum - (i - j) / (h + STEP);
    """,
    over="i in range(first, last, step), j in range(1, u.shape[1])",
)
def spread(u, first, last, step, h, v):
    for i in range(first, last, step):
        for j in range(1, u.shape[1]):
            total = h * h * u[i, j]
            for k in range(2):
                total = total + u[i + k, j - 1] * u.dtype.type(0.3)
            v[i, j - 1] = total - (i - j) / (h + STEP)


@kernel("T a, T b, float h", "T c", "c = (a - h * h) / (b + 0.7) + a * b * h;")
def mixed(a, b, h):
    return (a - h * h) / (b + 0.7) + a * b * h


@kernel("T a, float h", "T b", "b = a > h ? b * 0.3 : h * h - b;")
def chosen(a, h, b):
    b[...] = np.where(a > h, b * 0.3, h * h - b)


@dataclass(frozen=True)
class Laid:
    """An array by what it is a part of, so that another place can have one that lies alike."""

    whole: np.ndarray
    part: Any = ...

    def on(self, xp: Any) -> Any:
        return xp.array(self.whole, order="K")[self.part]


def arrays(dtype: Any, shape: tuple[int, ...], seed: int, how: str) -> Laid:
    rng = np.random.default_rng(seed)
    if how in "CF":
        return Laid(np.asarray(rng.random(shape).astype(dtype), order=how))
    wide = rng.random(tuple(2 * n + 1 for n in shape)).astype(dtype)
    step = {"steps": lambda n: slice(1, 2 * n + 1, 2), "backwards": lambda n: slice(n, 0, -1)}[how]
    return Laid(wide, tuple(map(step, shape)))


def placed(xp: Any, args: tuple[Any, ...]) -> list[Any]:
    return [one.on(xp) if isinstance(one, Laid) else one for one in args]


LAYOUTS = st.sampled_from(["C", "F", "steps", "backwards"])
DTYPES = st.sampled_from([np.float32, np.float64, np.float32, np.float64, np.int64])
NUMBERS = st.one_of(
    st.sampled_from([0.1, 0.3, -2.0, 3, 2**30]), st.sampled_from([np.float32(0.1), np.float64(0.1)])
)
QUICK = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def agree(cupy: Any, function: Any, args: tuple[Any, ...]) -> None:
    device, mine = placed(cupy, args), placed(np, args)
    expected = outcome(function.__wrapped__, mine)
    found = outcome(function, device)
    for left, right in zip([*mine, expected], [*device, found], strict=True):
        same(cupy, left, right)


@QUICK
@given(
    shape=st.tuples(st.integers(0, 5), st.integers(0, 4)),
    first=st.integers(-2, 5), last=st.integers(-2, 6), step=st.integers(-2, 2),
    h=st.sampled_from([0.1, 3, np.float64(0.3)]), dtype=DTYPES, layouts=st.tuples(LAYOUTS, LAYOUTS),
)  # fmt: skip
def test_loops(cupy, shape, first, last, step, h, dtype, layouts):
    u, v = arrays(dtype, shape, 1, layouts[0]), arrays(dtype, shape, 2, layouts[1])
    agree(cupy, spread, (u, first, last, step, h, v))


@QUICK
@given(
    shapes=st.sampled_from([((3, 4), (3, 4)), ((3, 4), (4,)), ((3, 1), (1, 4)), ((0, 2), (2,)),
                            ((3, 4), None), ((2, 3), (4,))]),
    dtypes=st.tuples(DTYPES, DTYPES), layouts=st.tuples(LAYOUTS, LAYOUTS),
    h=NUMBERS, number=NUMBERS,
)  # fmt: skip
def test_expressions(cupy, shapes, dtypes, layouts, h, number):
    a = arrays(dtypes[0], shapes[0], 3, layouts[0])
    b = number if shapes[1] is None else arrays(dtypes[1], shapes[1], 4, layouts[1])
    agree(cupy, mixed, (a, b, h))


@QUICK
@given(
    size=st.integers(0, 6), start=st.integers(0, 3), back=st.booleans(),
    dtype=st.sampled_from([np.float32, np.float64]), h=st.sampled_from([0.1, 0.4, 1]),
)  # fmt: skip
def test_views_of_one_array(cupy, size, start, back, dtype, h):
    base = np.random.default_rng(5).random(12).astype(dtype)
    moved = cupy.asarray(base)
    for memory, call in ((base, chosen.__wrapped__), (moved, chosen)):
        first, second = memory[:size], memory[start : start + size]
        call(first, h, second[::-1] if back else second)
    np.testing.assert_array_equal(moved.get(), base)
