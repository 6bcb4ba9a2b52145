"""What Python sees of kernels: attributes, calls, refusals, counts."""

from __future__ import annotations

import pickle
import threading
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpuport import host
from gpuport.host import kernels


def _plus(cp: Any, **options: Any) -> Any:
    return cp.ElementwiseKernel("T x, T y", "T z", "z = x + y;", "plus", **options)


def test_attributes(cp: Any) -> None:
    kernel = cp.ElementwiseKernel(
        "T x, raw float32 y", "_non_const T z", "z = x;", "named", preamble="// p", loop_prep="// l"
    )
    assert (kernel.name, kernel.__name__, kernel.nin, kernel.nout, kernel.nargs) == (
        "named",
        "named",
        2,
        1,
        3,
    )
    assert kernel.operation == "z = x;"
    assert kernel.preamble == "// p"
    assert (kernel.reduce_dims, kernel.no_return, kernel.return_tuple) == (True, False, False)
    assert kernel.kwargs == {"loop_prep": "// l"}
    assert repr(kernel.in_params[1]) == (
        "<ParameterInfo(name='y' dtype=dtype('float32') ctype='float' raw=True is_const=True)>"
    )
    assert [p.name for p in kernel.params] == ["x", "y", "z", "_ind"]
    reduction = cp.ReductionKernel("T x", "T y", "x", "a + b", "y = a", 0)
    assert (reduction.name, reduction.identity, reduction.reduce_type) == (
        "reduce_kernel",
        "0",
        "T",
    )


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("foo x", "T y", ""), TypeError, "data type 'foo' not understood"),
        (("object x", "T y", ""), ValueError, "Unsupported dtype object"),
        (("T", "T y", ""), Exception, "Syntax error: T"),
        (("bar T x", "T y", ""), Exception, 'Unknown keyword "bar"'),
        (("T i", "T y", ""), ValueError, "Can not use 'i' as a parameter name"),
        (("T x", "T y", "", "two words"), ValueError, 'Invalid kernel name: "two words"'),
    ],
)
def test_refused_definitions(cp: Any, arguments: Any, error: Any, message: str) -> None:
    with pytest.raises(error) as caught:
        cp.ElementwiseKernel(*arguments)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda cp, k, x: k(x),
            TypeError,
            "Wrong number of arguments for 'plus'. It must be either "
            "2 or 3 (with outputs), but given 1.",
        ),
        (lambda cp, k, x: k(x, x, axis=1), TypeError, "Wrong arguments {'axis': 1}"),
        (
            lambda cp, k, x: k(x, x, block_size=0),
            ValueError,
            "block_size must be greater than zero",
        ),
        (lambda cp, k, x: k(x, np.ones(3)), TypeError, "Unsupported type <class 'numpy.ndarray'>"),
        (lambda cp, k, x: k(x, [1, 2, 3]), TypeError, "Unsupported type <class 'list'>"),
        (lambda cp, k, x: k(x, None), TypeError, "Unsupported type <class 'NoneType'>"),
        (lambda cp, k, x: k(1, 2), ValueError, "Loop size is undecided."),
        (
            lambda cp, k, x: k(x, x, size=3),
            ValueError,
            "Specified 'size' can be used only if all of the ndarray are 'raw'.",
        ),
        (
            lambda cp, k, x: k(x, x.astype("f4")),
            TypeError,
            "Type is mismatched. y float32 float64 T",
        ),
        (
            lambda cp, k, x: k(x, x, cp.zeros(3, "f4")),
            TypeError,
            "Type is mismatched. x float64 float32 T",
        ),
        (lambda cp, k, x: k(cp.ones((2, 3)), x, x), ValueError, "Out shape is mismatched"),
        (
            lambda cp, k, x: k(x.astype("u1"), 300),
            OverflowError,
            "Python integer 300 out of bounds for uint8",
        ),
    ],
)
def test_refused_calls(cp: Any, call: Any, error: Any, message: str) -> None:
    with pytest.raises(error) as caught:
        call(cp, _plus(cp), cp.ones(3))
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("value", "dtype", "expected"),
    [
        (-1, "u1", "Python integer -1 out of bounds for uint8"),
        (2**32, "i1", "Python integer 4294967296 out of bounds for int8"),
        (2**70, "f8", "Python int too large to convert to C long"),
        (1j, "f8", "float() argument must be a string or a real number, not 'complex'"),
        (float("nan"), "i4", "cannot convert float NaN to integer"),
        (2**63 - 1, "f4", np.float32(2**63)),
        (2.7, "i4", np.int32(2)),
        (np.float64(3.7), "i4", np.int32(3)),
        (True, "f4", np.float32(1)),
        (2, "?", np.True_),
        (np.int8(-1), "u1", np.uint8(255)),
    ],
)
def test_numbers_take_the_type_of_their_parameter(
    cp: Any, value: Any, dtype: str, expected: Any
) -> None:
    """Recorded on CuPy 14.2.0: its CScalar.apply_dtype stores as NumPy's assignment does."""
    kernel = cp.ElementwiseKernel("T x, T a", "T y", "y = a;", "number")
    x = cp.zeros(1, dtype)
    if isinstance(expected, str):
        with pytest.raises((OverflowError, TypeError, ValueError)) as caught:
            kernel(x, value)
        assert str(caught.value) == expected
    else:
        assert cp.asnumpy(kernel(x, value))[0] == expected


def test_faults_cross_processes() -> None:
    fault = kernels.RaceError("k", "a race", "x", (1, 2))
    again = pickle.loads(pickle.dumps(fault))
    assert type(again) is kernels.RaceError
    assert (str(again), again.kernel, again.argument, again.index) == (
        "kernel 'k': a race",
        "k",
        "x",
        (1, 2),
    )


def test_a_placeholder_of_numbers_alone(cp: Any) -> None:
    kernel = cp.ElementwiseKernel("T x, U a", "T y", "y = x * a;")
    with pytest.raises(KeyError, match="U"):
        kernel(cp.ones(3), 2)


def test_shapes_that_do_not_go_together(cp: Any) -> None:
    with pytest.raises(ValueError, match="could not be broadcast together"):
        _plus(cp)(cp.ones(3), cp.ones(4))


def test_raw_output_without_a_size(cp: Any) -> None:
    kernel = cp.ElementwiseKernel("T x", "raw T y", "y[i] = x;")
    with pytest.raises(ValueError, match="Output array size is Undecided"):
        kernel(cp.ones(3))


def test_results(cp: Any) -> None:
    x = cp.ones(3)
    out = cp.empty(3)
    assert _plus(cp)(x, x, out) is out
    assert isinstance(_plus(cp, return_tuple=True)(x, x), tuple)
    assert _plus(cp, no_return=True)(x, x, out) is None
    assert _plus(cp)(x, x, block_size=7).shape == (3,)
    assert _plus(cp)(x, x, stream=cp.cuda.Stream.null).shape == (3,)


def test_nothing_to_do(cp: Any) -> None:
    assert _plus(cp)(cp.ones((0, 3)), cp.ones(3)).shape == (0, 3)


def test_counts(emulated: Any) -> None:
    x = emulated.ones(8)
    total = emulated.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", "total")
    raw = emulated.RawKernel('extern "C" __global__ void one(double* x) { x[0] = 1; }', "one")
    with host.count() as counted:
        _plus(emulated)(x, x)
        _plus(emulated)(x, 1.0)
        _plus(emulated)(x[:0], x[:0])
        total(x)
        total(emulated.zeros((0, 2)), axis=1)
        raw((1,), (1,), (x,))
    found = counted.snapshot
    assert found.kernels == {"plus": 2, "total": 1, "one": 1}
    assert (found.syncs, found.d2h, found.h2d) == (0, 0, 0)


def test_a_faulty_launch_is_not_counted(emulated: Any) -> None:
    kernel = emulated.ElementwiseKernel("raw T x", "T y", "y = x[i + 1];", "beside")
    with host.count() as counted, pytest.raises(kernels.OutOfBoundsError):
        kernel(emulated.ones(3), emulated.ones(3))
    assert counted.snapshot.kernels.get("beside") is None


def test_generated_text(emulated: Any) -> None:
    kernel = _plus(emulated)
    with pytest.warns(UserWarning, match="No codes are cached"):
        assert kernel.cached_codes == {}
    kernel(emulated.ones(3), emulated.ones(3))
    assert "z = x + y;" in kernel.cached_code


def test_raw_definitions(cp: Any) -> None:
    with pytest.raises(TypeError, match="Argument 'code' has incorrect type"):
        cp.RawKernel(1, "k")
    with pytest.raises(TypeError, match="Argument 'options' has incorrect type"):
        cp.RawKernel("", "k", ["-DX"])
    with pytest.raises(TypeError, match="Exactly one of `code` and `path`"):
        cp.RawModule()
    with pytest.raises(TypeError, match="Exactly one of `code` and `path`"):
        cp.RawModule(code="", path="")
    with pytest.raises(ValueError, match="only nvrtc supports"):
        cp.RawModule(code="", backend="nvcc", name_expressions=["f<int>"])


def test_compile_exception_is_cupys(cp: Any) -> None:
    kernel = cp.ElementwiseKernel("T x", "T y", "y = ;", "wrong")
    with pytest.raises(cp.cuda.compiler.CompileException):
        kernel(cp.ones(3))


def test_threads_of_the_host(emulated: Any) -> None:
    """Kernels with shared memory run from several threads do not disturb each other."""
    kernel = emulated.RawKernel(
        r"""
        extern "C" __global__ void rev(const double* x, double* y) {
          __shared__ double s[32];
          s[threadIdx.x] = x[threadIdx.x];
          __syncthreads();
          y[threadIdx.x] = s[31 - threadIdx.x];
        }
        """,
        "rev",
    )
    wrong: list[int] = []

    def work(seed: int) -> None:
        for k in range(20):
            x = np.arange(32.0) + 100 * seed + k
            y = emulated.zeros(32)
            with kernels.checks("strict"):
                kernel((1,), (32,), (emulated.asarray(x), y))
            if not np.array_equal(emulated.asnumpy(y), x[::-1]):
                wrong.append(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@st.composite
def _layouts(draw: st.DrawFn) -> tuple[Any, Any]:
    """Two arrays that broadcast, each a view with its own order, steps and direction."""
    shape = draw(st.lists(st.integers(1, 4), min_size=0, max_size=4))
    views = []
    for number in range(2):
        own = [n if draw(st.booleans()) else 1 for n in shape]
        own = own[draw(st.integers(0, len(own))) :] if number else own
        order = draw(st.permutations(range(len(own))))
        steps = [draw(st.sampled_from([1, 2, -1, -2])) for _ in own]
        base = np.arange(np.prod([n * 2 for n in own], dtype=int), dtype="f8")
        view = base.reshape([own[a] * 2 for a in order]).transpose(np.argsort(order))
        views.append(view[tuple(slice(None, None, s) for s in steps)][tuple(map(slice, own))])
    return views[0], views[1]


@given(_layouts(), st.booleans())
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_any_layout(emulated: Any, pair: tuple[Any, Any], joined: bool) -> None:
    from gpuport.host.ndarray import wrap

    x, y = pair
    kernel = emulated.ElementwiseKernel(
        "T x, T y", "T z", "z = 100 * x + y;", "layout", reduce_dims=joined
    )
    found = kernel(wrap(x), wrap(y))
    np.testing.assert_array_equal(emulated.asnumpy(found), 100 * x + y)
    total = emulated.ReductionKernel("T x, T y", "T z", "x * y", "a + b", "z = a", "0", "dot")
    axes = len(np.broadcast_shapes(x.shape, y.shape))
    for axis in (None, *range(axes)):
        np.testing.assert_array_equal(
            emulated.asnumpy(total(wrap(x), wrap(y), axis=axis)), (x * y).sum(axis=axis)
        )
