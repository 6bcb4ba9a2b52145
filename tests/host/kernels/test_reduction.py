"""Reductions give what NumPy gives, whatever block makes which result."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

RNG = np.random.default_rng(3)
WHOLE = RNG.integers(-9, 9, (5, 6, 7)).astype("f8")  # sums of small integers are exact in any order


def _sum(cp: Any) -> Any:
    return cp.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", "total")


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("axis", [None, 0, 1, 2, -1, (0, 2), (1, 2), (2, 0), ()])
def test_axes(cp: Any, same: Any, axis: Any, keepdims: bool) -> None:
    found = _sum(cp)(cp.asarray(WHOLE), axis=axis, keepdims=keepdims)
    same(found, WHOLE.sum(axis=axis, keepdims=keepdims))


@pytest.mark.parametrize(
    "layout",
    [
        lambda a: a.T,
        lambda a: a[::2, ::-1],
        lambda a: a.transpose(1, 0, 2),
        lambda a: a[:, :, 3],
        lambda a: a[1, 1, 1:2],
        np.asfortranarray,
    ],
)
@pytest.mark.parametrize("axis", [None, 0, -1])
def test_layouts(cp: Any, same: Any, layout: Any, axis: Any) -> None:
    view = layout(WHOLE)
    same(
        _sum(cp)(cp.asarray(WHOLE) if view is WHOLE else cp.asarray(view), axis=axis),
        view.sum(axis),
    )


@pytest.mark.parametrize("shape", [(1,), (511,), (512,), (513,), (5000,), (1000, 3), (3, 1000)])
def test_sizes_around_the_block(cp: Any, same: Any, shape: tuple[int, ...]) -> None:
    values = RNG.integers(0, 9, shape)
    same(_sum(cp)(cp.asarray(values)), values.sum())
    same(_sum(cp)(cp.asarray(values), axis=0), values.sum(axis=0))
    same(_sum(cp)(cp.asarray(values), axis=-1), values.sum(axis=-1))


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (
            ("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "length"),
            lambda x: np.sqrt((x * x).sum()),
        ),
        (("T x", "T y", "x", "max(a, b)", "y = a", "-1e300", "largest"), lambda x: x.max()),
        (("T x", "T y", "x", "a * b", "y = a + 1", "1", "product"), lambda x: x.prod() + 1),
        (("T x", "int64 y", "x > 0", "a + b", "y = a", "0", "positive"), lambda x: (x > 0).sum()),
        (("T x", "bool y", "x != 0", "a && b", "y = a", "true", "all"), lambda x: (x != 0).all()),
        (("T x", "bool y", "x > 8", "a || b", "y = a", "false", "any"), lambda x: (x > 8).any()),
        (
            ("T x", "float32 y", "(float)x", "a + b", "y = a", "0", "shortened"),
            lambda x: np.float32(x.sum()),
        ),
        (
            ("T x", "complex128 y", "complex<double>(x, 1)", "a + b", "y = a", "0", "c"),
            lambda x: x.sum() + 1j * x.size,
        ),
    ],
)
def test_expressions(cp: Any, same: Any, arguments: Any, expected: Any) -> None:
    values = WHOLE[:2, :3, :4]
    same(cp.ReductionKernel(*arguments)(cp.asarray(values)), expected(values))


def test_two_inputs(cp: Any, same: Any) -> None:
    dot = cp.ReductionKernel("T x, T y", "T z", "x * y", "a + b", "z = a", "0", "dot")
    a, b = WHOLE[0], WHOLE[1]
    same(dot(cp.asarray(a), cp.asarray(b)), (a * b).sum())
    same(dot(cp.asarray(a), cp.asarray(b), axis=1), (a * b).sum(axis=1))
    same(dot(cp.asarray(a), cp.asarray(b[:1]), axis=0), (a * b[:1]).sum(axis=0))
    same(dot(cp.asarray(a), 2), (a * 2).sum())


def test_own_type_of_reduction(cp: Any, same: Any) -> None:
    preamble = """
    struct best { double value; long long at; __device__ best() : value(-1e300), at(-1) {}
                  __device__ best(double v, long long i) : value(v), at(i) {} };
    __device__ best better(best a, best b) {
      if (a.value == b.value) return a.at != -1 && (b.at == -1 || a.at < b.at) ? a : b;
      return a.value > b.value ? a : b;
    }
    """
    argmax = cp.ReductionKernel(
        "T x",
        "int64 y",
        "best(x, _J)",
        "better(a, b)",
        "y = a.at",
        "best()",
        "argmax",
        reduce_type="best",
        preamble=preamble,
    )
    values = RNG.permutation(2000).reshape(50, 40).astype("f8")
    same(argmax(cp.asarray(values)), values.argmax())
    same(argmax(cp.asarray(values), axis=1), values.argmax(axis=1))
    same(argmax(cp.asarray(values), axis=0), values.argmax(axis=0))


def test_raw_input(cp: Any, same: Any) -> None:
    kernel = cp.ReductionKernel(
        "T x, raw T w", "T y", "x * w[_j % w.size()]", "a + b", "y = a", "0", "weighted"
    )
    x, w = np.arange(12.0), np.array([1.0, 2.0, 3.0])
    same(kernel(cp.asarray(x), cp.asarray(w)), (x * np.resize(w, 12)).sum())


def test_outputs(cp: Any, same: Any) -> None:
    x = cp.asarray(WHOLE)
    out = cp.empty((6, 7))
    assert _sum(cp)(x, axis=0, out=out) is out
    same(out, WHOLE.sum(axis=0))
    out = cp.empty((6, 7))
    assert _sum(cp)(x, out, axis=0) is out
    same(out, WHOLE.sum(axis=0))


def test_empty(cp: Any, same: Any) -> None:
    same(_sum(cp)(cp.zeros((0, 3)), axis=0), np.zeros(3))
    same(_sum(cp)(cp.zeros((0, 3)), axis=1), np.zeros(0))
    without = cp.ReductionKernel("T x", "T y", "x", "max(a, b)", "y = a", None, "top")
    with pytest.raises(ValueError, match="zero-size array to reduction operation top which has no"):
        without(cp.zeros(0))


def test_refusals(cp: Any) -> None:
    total = _sum(cp)
    x = cp.zeros((2, 3))
    with pytest.raises(TypeError, match="Wrong number of arguments for total"):
        total(x, x, x)
    with pytest.raises(TypeError, match="Wrong arguments"):
        total(x, axes=1)
    with pytest.raises(ValueError, match="duplicate value in 'axis'"):
        total(x, axis=(0, 0))
    with pytest.raises(ValueError, match="out of bounds"):
        total(x, axis=2)
    with pytest.raises(ValueError, match="cannot specify 'out' as both"):
        total(x, x[0, 0], out=x[0, 0])
    with pytest.raises(ValueError, match="Out shape is mismatched"):
        total(x, axis=0, out=cp.zeros(2))
    with pytest.raises(TypeError, match=r"Type is mismatched\. x .*float64.* .*float32.* T"):
        total(x, axis=0, out=cp.zeros(3, "f4"))
    with pytest.raises(TypeError, match=r"Unsupported type <class 'numpy\.ndarray'>"):
        total(np.zeros(3))
    with pytest.raises(ValueError, match="Invalid kernel name"):
        cp.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", "two words")
