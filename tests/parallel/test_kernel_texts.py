"""The text of a kernel computes what its region computes, compiled and run on the host."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from tests.canonicalise.recurrences import TAKEN

from gpuport.canonicalise.blocked import Blocked
from gpuport.canonicalise.nests import ParallelRegion, map_of_nest
from gpuport.facts import infer
from gpuport.facts.contexts import Context
from gpuport.ir import Function, Region
from gpuport.ir.interpreter import CONTROLS, Interpreter
from gpuport.ir.interpreter.elements import NeedFailed, holds
from gpuport.ir.interpreter.folding import folded
from gpuport.lower import lower
from gpuport.parallel.cuda.kernels import KernelText, kernel_text
from gpuport.parallel.dependence import check_independent
from gpuport.runtime.kernels.indices import indices_of, with_whole_indices

START = "import numpy as np\nimport math\nrng = np.random.default_rng(0)\n"


def launch(cupy: Any, region: ParallelRegion, kernel: KernelText, frame: list[Any]) -> None:
    """Run a kernel in the place of the map, on the values of a frame."""
    for need in region.map.attributes["needs"]:
        if not holds(need, frame):
            raise NeedFailed(need)
    low = [frame[axis.low.index] for axis in kernel.axes]
    lengths = [
        len(range(frame[axis.low.index], frame[axis.high.index], axis.step)) for axis in kernel.axes
    ]
    numbers = [*low[:1], *(n for pair in zip(low[1:], lengths[1:], strict=True) for n in pair)]
    outputs = [cupy.asarray(frame[argument.value.index]) for argument in kernel.outputs]
    size = math.prod(lengths)
    terms = [cupy.empty(size, total.dtype) for total in kernel.totals]
    if size:
        given = [
            cupy.asarray(frame[a.value.index]) if a.is_array else frame[a.value.index]
            for a in kernel.inputs
        ]
        built(cupy, kernel)(*given, *numbers, *outputs, *terms, size=size)
    for argument, made_here in zip(kernel.outputs, outputs, strict=True):
        frame[argument.value.index][...] = cupy.asnumpy(made_here)
    starts = region.map.operands[2 * len(kernel.axes) :]
    points = zip(*[cupy.asnumpy(values) for values in terms], strict=True)
    totals = folded(region.map.attributes["reductions"], [frame[s.index] for s in starts], points)
    for result, total in zip(region.map.results, totals, strict=True):
        frame[result.index] = total


def built(cupy: Any, kernel: KernelText) -> Any:
    """The kernel of CuPy's, with names of its own for what the text calls as it likes."""
    arguments = [*kernel.inputs, *kernel.outputs]
    lines = [f"auto &{a.name} = gp_{a.name};" for a in arguments]
    rest, bounds = "gp_index", []
    for place, (name, axis) in reversed(
        list(enumerate(zip(kernel.indices, kernel.axes, strict=True)))
    ):
        at = f"{rest} % gp_{name}_length" if place else rest
        lines.append(f"const long long {name} = gp_{name}_start + {axis.step} * ({at});")
        rest = f"{rest} / gp_{name}_length"
        bounds[:0] = [f"int64 gp_{name}_start", *([f"int64 gp_{name}_length"] if place else [])]
    made = (f"raw {total.dtype} gp_{total.name}" for total in kernel.totals)
    totals = [f"gp_{total.name}[gp_index] = {total.text};" for total in kernel.totals]
    body = "\n".join([*kernel.body, *totals])
    indices = indices_of(body, {a.name for a in arguments if a.is_array}, "region")
    body = with_whole_indices(body, indices).replace(".shape[", ".shape()[")

    def said(argument: Any) -> str:
        return f"{'raw ' if argument.is_array else ''}{argument.dtype} gp_{argument.name}"

    return cupy.ElementwiseKernel(
        ", ".join([*map(said, kernel.inputs), *bounds]),
        ", ".join([*map(said, kernel.outputs), *made]),
        "\n".join(["const long long gp_index = i;", "{", *lines, body, "}"]),
        "region",
        preamble=kernel.preamble,
        options=("--fmad=false",),
    )


def run(
    text: str, cupy: Any, monkeypatch: pytest.MonkeyPatch
) -> tuple[Any, list[KernelText], list[str]]:
    """RESULT of a program whose maps are kernels."""
    module = lower(text, "sample")
    facts = infer([module])
    kernels: dict[Any, tuple[ParallelRegion, KernelText]] = {}
    left: list[str] = []

    def visit(function: Function, contexts: tuple[Context, ...], region: Region) -> None:
        for op in list(region.ops):
            if op.kind == "For":
                try:
                    found = map_of_nest(function, contexts, op)
                    shared = check_independent(found).shared
                    (context,) = contexts
                    kernels[found.map] = found, kernel_text(found, context, shared)
                except Blocked as blocked:
                    left.append(blocked.reason)
                else:
                    found.put_in()
                    continue
            for inner in op.regions:
                visit(function, contexts, inner)

    for function in module.functions:
        if function in facts.contexts:
            visit(function, facts.contexts[function], function.body)

    def control(op: Any, context: Any) -> Any:
        def step(frame: list[Any]) -> Any:
            launch(cupy, *kernels[op], frame)
            return
            yield

        return step

    monkeypatch.setitem(CONTROLS, "Map", control)
    namespace: dict[str, Any] = {"__name__": "sample"}
    Interpreter(module, namespace).run()
    return namespace["RESULT"], [kernel for _, kernel in kernels.values()], left


LOOPS = {
    "stencil in a time loop": """
def f(u, v, h):
    for _ in range(3):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                around = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]
                v[i, j] = 0.25 * (around - h * h * u[i, j])
        u, v = v, u
    return u
RESULT = f(rng.random((6, 7)), rng.random((6, 7)), 0.1)
""",
    "a vector of the iteration's own times a matrix": """
def f(R, P, xs):
    out = np.zeros((len(xs), 2))
    for i in range(len(xs)):
        p = np.array([xs[i], 1.0])
        out[i] = R @ p + p @ P
    return out
RESULT = f(rng.random((2, 2)), rng.random((2, 2)), rng.random(9))
""",
    "swapped numbers in a while loop": """
def f(xs, ys, limit):
    counts = np.zeros((len(ys), len(xs)), dtype=np.int64)
    for i in range(len(ys)):
        for j in range(len(xs)):
            zr = zi = 0.0
            k = 0
            while k < limit and zr * zr + zi * zi <= 4.0:
                zr, zi = zr * zr - zi * zi + xs[j], 2.0 * zr * zi + ys[i]
                k += 1
            counts[i, j] = k
    return counts
RESULT = f(np.linspace(-2, 1, 17), np.linspace(-1, 1, 13), 30)
""",
    "branches, early ends and a serial loop": """
def f(x, out):
    for i in range(x.shape[0]):
        s = 0.0
        for j in range(x.shape[1]):
            if x[i, j] > 0.9:
                break
            if x[i, j] < 0.1:
                continue
            s += x[i, j] * j
        out[i] = s if s > 1.0 else -s
    return out
RESULT = f(rng.random((30, 12)), np.zeros(30))
""",
    "points that are left out": """
def f(x, out):
    for i in range(len(x)):
        if x[i] < 0.3:
            continue
        out[i] = 1 / x[i]
    return out
RESULT = f(rng.random(30), np.zeros(30))
""",
    "single precision stays single": """
def f(x, out, k):
    for i in range(len(x)):
        out[i] = np.sqrt(x[i] * k + 1.5) - x[i] % 0.25
    return out
RESULT = f(rng.random(20).astype(np.float32), np.zeros(20, np.float32), 0.3)
""",
    "whole numbers of NumPy's": """
def f(x, out):
    for i in range(len(x)):
        out[i] = x[i] // 3 - x[i] % -4 + (x[i] << 1 ^ 5)
    return out
RESULT = f(rng.integers(-50, 50, 40), np.zeros(40, np.int64))
""",
    "a histogram": """
def f(x, h):
    for i in range(len(x)):
        h[0] += x[i]
    return h
RESULT = f(rng.random(25), np.zeros(3))
""",
    "sums, extremes and last values": """
def f(x):
    s, big, n = 0.0, x[0], 0
    last = -1.0
    for i in range(len(x)):
        if x[i] > 0.5:
            s += x[i]
            n += 1
        big = max(big, x[i])
        last = x[i]
    return [s, big, n, last]
RESULT = f(rng.random(40))
""",
    "distances of rows": """
def f(x):
    d = np.zeros((len(x), len(x)))
    for i in range(len(x)):
        for j in range(len(x)):
            diff = x[i] - x[j]
            d[i, j] = math.sqrt(np.sum(diff ** 2))
    return d
RESULT = f(rng.random((6, 20)))
""",
    "names that C++ has, steps and views": """
def f(n, i, double, out):
    for int_ in range(len(n) - 1, -1, -2):
        out[0][int_] = n[int_] * i + double[-1]
    return out
RESULT = f(rng.random(9), 2.5, rng.random(4), np.zeros((2, 9)))
""",
    "indices that count from the end": """
def f(x, out):
    n = len(out)
    for i in range(n):
        row = x[1:]
        out[i - 1] = x[i - 2] - row[i - 3] * x[:-1][i - n + 1] + row[-1]
    return out
RESULT = f(rng.random(9), np.zeros(9))
""",
    "gathers": """
def f(x, at, by, out):
    for i in range(len(at)):
        for j in range(3):
            out[i, j] = x[at[i], j] + x[by[i] // 2, -1 - j] - x[at[by[i]]].sum()
    return out
at, by = np.array([0, -1, 2, -4, 3, 1]), np.array([5, 0, 1, 2, 3, 4], np.uint16)
RESULT = f(rng.random((4, 3)), at, by, np.zeros((6, 3)))
""",
    "a histogram of places": """
def f(at, w, h):
    for i in range(len(at)):
        h[at[i]] += w[i]
    return h
RESULT = f(rng.integers(-4, 4, 30).astype(np.int32), rng.random(30), np.zeros(4))
""",
    "small functions of arrays": """
def f(x, w, out):
    for i in range(len(x)):
        v = np.array([x[i, 0], 2.0, x[i, 1]])
        out[i] = np.cross(v, w[0]) * np.linalg.norm(x[i]) + np.einsum('ij,j->i', w, v)
        out[i, 0] += np.var(x[i]) * np.any(x[i] > 0.9) + np.all(v > 0.1) + np.argmax(v)
        out[i, 1] += np.trace(w) * np.arange(3)[1:][-1] - np.outer(x[i], v)[-1, -2]
    return out
RESULT = f(rng.random((6, 12)), rng.random((3, 3)), np.zeros((6, 3)))
""",
    "rows that are changed in place": """
def f(x, at, out):
    for i in range(len(x)):
        row = x[i]
        row *= 2.5
        row[1:] -= x[i, 0]
        a = np.array([x[i, 0], 2.0, 1.0])
        a += row[:3]
        out[at[i]] += a
        out[at[i], 0] += i
    return out
RESULT = f(rng.random((6, 12)), np.array([0, 1, -1, 0, 1, 2]), np.zeros((3, 3)))
""",
    "complex numbers": """
def f(z, out):
    for i in range(len(z)):
        out[i] = z[i] * z[i] + z[i].real * 1j - abs(z[i])
    return out
RESULT = f(rng.random(9) + 1j * rng.random(9), np.zeros(9, complex))
""",
}


@pytest.mark.parametrize("name", LOOPS | TAKEN)
def test_kernels_compute_the_same(name, emulated, monkeypatch):
    text = START + (LOOPS | TAKEN)[name]
    result, kernels, left = run(text, emulated, monkeypatch)
    expected: dict[str, Any] = {}
    exec(text, expected)
    assert kernels, left
    np.testing.assert_allclose(result, expected["RESULT"], rtol=1e-14, atol=1e-15)
    assert np.asarray(result).dtype == np.asarray(expected["RESULT"]).dtype


REFUSED = {
    "does not fit uint8": "small[i] = x[i] * 0 + (small[i] + 300)",
    "updated with numbers of another type": "whole[i] += -0.5",
    "given complex numbers": "out[i] = x[i] * 1j",
    "a number of several types": "out[i] = (single[i] if x[i] > 1 else 0.1) * 3",
    "outgrow 64 bits": "out[i] = (k * k * k) % 7",
    "power of Python's numbers": "out[i] = k ** i",
}


@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@pytest.mark.parametrize("reason", REFUSED)
def test_what_a_kernel_cannot_compute_is_refused(reason, emulated, monkeypatch):
    text = f"""{START}
def f(x, k, out, small, whole, single):
    for i in range(len(x)):
        {REFUSED[reason]}
    return out
try:
    RESULT = f(rng.random(3), int('5'), np.zeros(3),
               np.zeros(3, np.uint8), np.zeros(3, int), np.zeros(3, np.float32))
except (OverflowError, TypeError):
    RESULT = None
"""
    _, kernels, left = run(text, emulated, monkeypatch)
    assert not kernels
    assert any(reason in why for why in left), left


def test_what_is_assigned_at_once_is_read_before(emulated, monkeypatch):
    """``a, b = b, a``: written one after the other it would be wrong."""
    text = f"""{START}
def f(x, out):
    for i in range(len(x)):
        a, b = 0.5, x[i]
        for k in range(7):
            a, b = b, a
        out[i] = a - 2 * b
    return out
RESULT = f(rng.random(5), np.zeros(5))
"""
    result, (kernel,), _ = run(text, emulated, monkeypatch)
    expected: dict[str, Any] = {}
    exec(text, expected)
    np.testing.assert_array_equal(result, expected["RESULT"])
    assert any("next_" in line for line in kernel.body)


def test_whole_numbers_of_pythons_are_asked_for_their_size(emulated, monkeypatch):
    text = f"""{START}
def f(n, k, out):
    for i in range(n):
        out[i] = (k * k) % 7 + i
    return out
RESULT = f(3, int("NUMBER"), np.zeros(3))
"""
    result, kernels, _ = run(text.replace("NUMBER", "46341"), emulated, monkeypatch)
    assert kernels
    np.testing.assert_array_equal(result, np.arange(3) + 46341**2 % 7)
    with pytest.raises(NeedFailed):
        run(text.replace("NUMBER", str(10**10)), emulated, monkeypatch)


def test_numbers_of_pythons_that_have_to_fit_are_told(emulated, monkeypatch):
    text = f"""{START}
def f(n, out, single):
    for i in range(n):
        out[i] = i
        single[i] = i - 0.5
    return out
RESULT = f(3, np.zeros(3, np.uint8), np.zeros(3, np.float32))
"""
    _, (kernel,), _ = run(text, emulated, monkeypatch)
    assert [dtype for _, dtype, _ in kernel.fits] == ["uint8"]


def test_what_python_raises_for_is_told(emulated, monkeypatch):
    text = f"""{START}
def f(x, whole, n):
    for i in range(len(x)):
        whole[i] = x[i]
        whole[i] = int(x[i] * 2)
        x[i] = i / (n - i)
    return whole
RESULT = f(rng.random(3), np.zeros(3, int), 3)
"""
    _, (kernel,), _ = run(text, emulated, monkeypatch)
    assert [dtype for _, dtype, _ in kernel.fits] == ["int64", "int64"]
    assert len(kernel.nonzero) == 1
