"""``cupy.fuse``: NumPy's values in one launch, and the refusals of CuPy's tracers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gpuport import host


def arguments(cp: Any) -> tuple[Any, Any]:
    return cp.arange(6.0).reshape(2, 3), cp.full((2, 3), 0.5)


PROGRAMS = {
    "map": lambda xp: lambda x, y: xp.sqrt(x * x + y * y) - 1,
    "map and reduce": lambda xp: lambda x, y: xp.sum((x - y) ** 2, axis=1),
    "reduce, then map": lambda xp: lambda x, y: xp.sqrt(xp.sum(x * y)) * 2,
    "two reductions": lambda xp: lambda x, y: xp.sum(x, axis=0) / xp.sum(y, axis=0),
    "softmax": lambda xp: (
        lambda x, y: (
            xp.exp(x - xp.max(x, axis=1)[:, None])
            / xp.sum(xp.exp(x - xp.max(x, axis=1)[:, None]), axis=1)[:, None]
        )
    ),
    "where and clip": lambda xp: lambda x, y: xp.where(x > y, xp.clip(x, 0, 3), -x),
    "reversed": lambda xp: lambda x, y: x[::-1] + y[None, 0],
    "two results": lambda xp: lambda x, y: (x + y, x // 2),
    "casts": lambda xp: lambda x, y: x.astype("f4") * 2,
    "method": lambda xp: lambda x, y: (x * y).sum(axis=1),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_values_are_numpys(cp: Any, name: str) -> None:
    x, y = arguments(cp)
    function = PROGRAMS[name](cp)
    function.__name__ = "program"
    found = cp.fuse(function)(x, y)
    expected = PROGRAMS[name](np)(x.get(), y.get())
    for a, b in zip(_listed(found), _listed(expected), strict=True):
        assert a.dtype == b.dtype
        np.testing.assert_allclose(a.get(), b, rtol=1e-6)


def _listed(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_call_is_one_launch(emulated: Any, name: str) -> None:
    x, y = arguments(emulated)
    function = PROGRAMS[name](emulated)
    fused = emulated.fuse(kernel_name="whole")(function)
    with host.count() as counts:
        found = fused(x, y)
    assert counts.kernels == {"whole": 1}
    assert (counts.launches, counts.syncs, counts.d2h) == (1, 0, 0)
    assert counts.allocations == len(_listed(found))


def test_writes_reach_the_caller(cp: Any) -> None:
    def step(x: Any, y: Any) -> None:
        x += y
        x *= 2

    x, y = arguments(cp)
    assert cp.fuse(step)(x, y) is None
    np.testing.assert_array_equal(x.get(), (np.arange(6.0).reshape(2, 3) + 0.5) * 2)


def test_results_have_the_shape_of_all_arguments_together(cp: Any) -> None:
    @cp.fuse
    def doubled(x: Any, y: Any) -> Any:
        return x * 2

    found = doubled(cp.arange(3.0), cp.ones((2, 3)))
    assert found.get().tolist() == [[0, 2, 4], [0, 2, 4]]


def test_without_device_arrays_it_is_the_function(cp: Any) -> None:
    fused = cp.fuse(lambda x: [x, x.shape])
    assert fused(np.ones(3))[1] == (3,)


def test_fused_functions_call_one_another(cp: Any) -> None:
    inner = cp.fuse(lambda x: x + 1)

    @cp.fuse
    def outer(x: Any) -> Any:
        return inner(x) * inner(x)

    assert outer(cp.arange(3)).get().tolist() == [1, 4, 9]


def test_a_lambda_gives_no_name_to_a_kernel(cp: Any) -> None:
    with pytest.raises(cp.cuda.compiler.CompileException, match="expected an identifier"):
        cp.fuse(lambda x: x + 1)(cp.arange(3))
    assert cp.fuse(kernel_name="more")(lambda x: x + 1)(cp.arange(2)).get().tolist() == [1, 2]


def branch(x: Any) -> Any:
    return x if x.sum() > 0 else -x


@pytest.mark.parametrize(
    ("program", "error", "message"),
    [
        (branch, TypeError, "Cannot convert to Python scalar in cupy.fuse"),
        (lambda x: float(x), TypeError, "Cannot convert to Python scalar in cupy.fuse"),
        (lambda x: x.reshape(-1), AttributeError, "has no attribute 'reshape'"),
        (lambda x: x.mean(), AttributeError, "has no attribute 'mean'"),
        (lambda x: x.shape, NotImplementedError, "`shape` is not supported, currently."),
        (lambda x: [x], ValueError, "The return value of fused functions must be `None`"),
        (lambda x: x[0:1], NotImplementedError, "Only full range"),
        (lambda x: x.__setitem__(0, 1), ValueError, r"The fusion supports `\[...\]` or `\[:\]`"),
        (lambda x: range(x), TypeError, "cannot be interpreted as an integer"),
    ],
)
def test_what_cannot_be_traced_is_refused(cp: Any, program: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        cp.fuse(program)(cp.ones((2, 3)))


def test_arrays_that_are_no_arguments_are_refused(cp: Any) -> None:
    other = cp.ones(3)
    with pytest.raises(TypeError, match="Concrete ndarray is not supported in fusion"):
        cp.fuse(lambda x: x + other)(cp.ones(3))


def test_reductions_keep_no_dimensions(cp: Any) -> None:
    with pytest.raises(NotImplementedError, match=r"cupy\.amax does not support `keepdims`"):
        cp.fuse(lambda x: cp.max(x, keepdims=True))(cp.ones(3))


def test_arguments_are_arrays_numbers_or_none(cp: Any) -> None:
    def program(x: Any, y: Any) -> Any:
        return x

    with pytest.raises(TypeError, match="Invalid argument type for 'program': "):
        cp.fuse(program)(cp.ones(3), [1])
    with pytest.raises(TypeError, match="unexpected keyword argument"):
        cp.fuse(program)(x=cp.ones(3), y=1)


def test_a_failed_trace_changes_nothing(emulated: Any) -> None:
    def program(x: Any) -> Any:
        x += 1
        return x.reshape(-1)

    x = emulated.zeros(3)
    with host.count() as counts, pytest.raises(AttributeError):
        emulated.fuse(program)(x)
    assert x.get().tolist() == [0, 0, 0]
    assert counts.snapshot.kernels == {}
