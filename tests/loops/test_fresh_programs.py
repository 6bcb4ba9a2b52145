"""Random modules with loops: the whole port against the original.

They are the same in every run, so that no change fails for the luck of the draw;
``bench/loop_soundness.py`` tries fresh ones, and what fails there is added to `FOUND_WRONG`.
To run a program again of which a failure tells the seed:
``GPUPORT_LOOP_SEED=N GPUPORT_LOOP_PROGRAMS=1 pytest tests/loops/test_fresh_programs.py``.
"""

from __future__ import annotations

import importlib.util
import os
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from gpuport import host
from gpuport.host.kernels import checks, toolchain

pytest.importorskip("islpy")

BENCH = Path(__file__).parents[2] / "bench"
SEED = int(os.environ.get("GPUPORT_LOOP_SEED", "1"))
PROGRAMS = int(os.environ.get("GPUPORT_LOOP_PROGRAMS", "200"))
BATCHES = min(20, PROGRAMS)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "first" not in metafunc.fixturenames:
        return
    metafunc.parametrize("first", range(0, PROGRAMS, -(-PROGRAMS // BATCHES)))


@pytest.fixture(scope="module")
def ports() -> Iterator[ModuleType]:
    """``bench/loop_ports.py``, with the host backend in the place of CuPy."""
    if not toolchain.available():
        pytest.skip("no C++ compiler")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCH))
        patch.setenv("GPUPORT_FALLBACK", "loops")
        spec = importlib.util.spec_from_file_location("loop_ports", BENCH / "loop_ports.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        patch.setitem(sys.modules, "loop_ports", module)
        spec.loader.exec_module(module)
        host.install(version=14)
        with checks("strict"):
            yield module
        host.uninstall()


@pytest.mark.sampled(10)
def test_random_modules(
    ports: ModuleType, first: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever becomes kernels gives what the loops gave, in all orders of the indices."""
    # Kernels that nobody will meet again are not worth a place in the cache.
    monkeypatch.setenv("GPUPORT_CACHE_DIR", str(tmp_path))
    size = -(-PROGRAMS // BATCHES)
    wrong, launches = [], 0
    for number in range(SEED + first, SEED + min(first + size, PROGRAMS)):
        outcome = ports.one(number)
        launches += outcome.launches
        if outcome.wrong is not None:
            again = f"GPUPORT_LOOP_SEED={number} GPUPORT_LOOP_PROGRAMS=1"
            wrong.append(f"seed {number} (again: {again})\n{outcome.text}\n{outcome.wrong}")
    print(f"seeds from {SEED + first} on, {launches} launches")
    assert not wrong, "\n\n".join(wrong)


def test_loops_of_random_modules_become_kernels(
    ports: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A generator of which no loop becomes a kernel would prove nothing; of few fresh ones may."""
    monkeypatch.setenv("GPUPORT_CACHE_DIR", str(tmp_path))
    assert sum(ports.one(number).launches > 0 for number in range(1000, 1030)) >= 5


@pytest.mark.everything  # 16 s; the first tier has the shapes in random modules
def test_loops_of_each_known_shape_become_kernels(
    ports: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the loops as people write them, too: packing, scans, filters, neighbours."""
    monkeypatch.setenv("GPUPORT_CACHE_DIR", str(tmp_path))
    shapes = sys.modules["loop_shapes"]
    for shape in shapes.SHAPES:
        monkeypatch.setattr(shapes, "SHAPES", (shape,))
        ported = []
        for number in range(3000, 3016):
            if number >= 3008 and any(ported):
                break
            dice = random.Random(number)
            writer = ports.ModuleWriter(dice, shapely=1.0)
            outcome = ports.attempt(writer.module(), writer.dtypes, dice)
            assert outcome.wrong is None, f"{outcome.text}\n{outcome.wrong}"
            ported.append(outcome.kernels > 0)
        assert any(ported), shape.__name__


HEAD = """\
import math
import numpy as np
from numpy.typing import NDArray

LIMIT = -1

def clip(v, low):
    if v < low:
        return low
    return v
"""
PARAMETERS = "abcefgp"
PRODUCTS = dict.fromkeys(("h", "k3", "o", "r"), "float64")
"""What modules with products take besides (``bench/loop_products.py``)."""
FOUND_WRONG: dict[str, tuple[dict[str, str], str]] = {
    "a complex number stored as a real one": (
        {"c": "uint8", "e": "complex128"},
        """
    for i in range(n - 1, -1, -1):
        c[i, i] = e[i * n + i]
    return c
""",
    ),
    "a sum of Python's numbers alone, which others might have been among": (
        {},
        """
    s = 0
    for i in range(n - 1, -1, -1):
        s += clip(f[i], 100.0)
    return s
""",
    ),
    "a sum of whole numbers, Python's or NumPy's": (
        {},
        """
    s = 0
    for i in range(1, n):
        s = s + (i // LIMIT)
        f[i] = a[i - 1]
    return s
""",
    ),
    "an extreme of numbers that callers pass": (
        {},
        """
    s = 0
    for i in range(n // 2):
        if d > s:
            s = d
            w = i
        f[i] = a[i]
    return s
""",
    ),
    "a name of an earlier loop that may not have run": (
        {},
        """
    s = 0
    for iv in b:
        u = iv
    for ir in c:
        iv = ir[1]
        s -= b[d // 2]
    return s
""",
    ),
    "a product whose first value is a narrow number": (
        {"f": "int16"},
        """
    y = f[-1]
    for i in range(n // 2):
        y *= f[i]
    return y
""",
    ),
    "a running sum whose first value is a narrow number": (
        {"f": "int16"},
        """
    y = f[-1]
    for i in range(n):
        y += f[i]
        b[i] = y
    return y
""",
    ),
    "a running extreme that nothing exceeds": (
        {"a": "int64", "f": "float32"},
        """
    s = 0
    for i in range(n):
        s = max(s, 3 * (f[i - 2] // -2))
        a[i] = s
    return s
""",
    ),
    "a sum that does not fit into the element it is added to": (
        {"a": "int32", "f": "int8"},
        """
    for i in range(n // 2):
        h1 = np.arange(40 * len(a))
        for z in range(1, m):
            h1[:] = h1[z]
            h1[z] = z
        f[i] += h1.sum()
        for j in range(max(0, i - 1), n):
            for k in range(1 + j % 2, n, 2):
                b[k] = e[i * n + j]
    return a, f
""",
    ),
    "a running extreme that begins wider than its terms": (
        {"f": "float32"},
        """
    s = x0 = 0.1
    for i in range(n):
        s = max(s, f[i])
        b[i] = s
    return s
""",
    ),
    "an index out of range before a loop that does not run": (
        {},
        """
    for i in range(0, n, 2):
        x = e[i * m + i] + b[i]
        for j in range(i + 1, n):
            c[i, j] += x
    for i in range(n):
        x = e[i * m + i]
        for j in range(m):
            for k in range(d):
                c[i, j] -= x
    return c
""",
    ),
    "a function that only the loop calls, ported with what stands beside the launch": (
        {"a": "int32"},
        """
    t = 1
    for i in range(len(a)):
        e[i] = math.sqrt(abs(f[i]))
        if i <= m or i < 2 and a[p[i] % n] > 3:
            e[i] = f[i] + np.sign(f[i - 2])
        elif clip(c[p[i] % n][0], f[(i + m) % 4]) > 3:
            e[i] = 3 * c[i - 2, abs(i - 2)] / 2
        else:
            for j in range(i):
                for k, kv in enumerate(p):
                    t = 2
                    e[i * m + j], e[i * n + j] = f[abs(j - 2)], f[max(k - 1, 0)]
                    e[i * n + j] -= f[j - 1] - abs(a[max(j - 1, 0)])
    return a, f, t
""",
    ),
    "how many of a part are true": (
        {"c": "float32"},
        """
    for i in range(n):
        f[i] = np.sum(a[i:i + 2] > 0.25) + (a[:i] > 0.5).sum()
    return f
""",
    ),
    "a running extreme that begins as a number of NumPy's of another type": (
        {"a": "uint32", "c": "float32"},
        """
    s = 0
    y = a[0]
    for i in range(n):
        if c[i][0] > y:
            y = c[i][0]
        s += y - c[i][0]
    return s
""",
    ),
    "a row that is outside, of which a part without elements is taken": (
        {"f": "bool"},
        """
    for i, iv in enumerate(f, 1):
        e[i] = c[i, i:].all()
    return e
""",
    ),
    "a list of elements that is divided by a number of the host": (
        {"e": "int8"},
        """
    s = 0
    for i in range(1, n):
        s += c[i, 0]
    for j in range(0, n, 2):
        x = 3
        for k in range(0, n, 2):
            q = [e[k], e[k]]
            q = q / np.linalg.norm(q)
            f[k] = np.max([e[k], e[k], 2.5])
    return f, s
""",
    ),
    "a counter that begins at 0 in the first of several rounds alone": (
        {"b": "int64"},
        """
    w = 0
    i = 0
    while i < m:
        e[i] = e[p[i] % 2]
        for j in range(i):
            k = 0
            while k < m:
                w += 1
                if w < len(b):
                    b[w] = 3
                k += 1
        i += 1
    return w
""",
    ),
    "an element at a place that another array says, read from a copy of the host's": (
        {"a": "float64", "f": "float32", "p": "uint8"},
        """
    x0 = n
    w = 0
    q = np.zeros(3)
    for i in range(n):
        if i % 2 == 0:
            q[0] += a[min(i, 2)]
        else:
            q[1] -= f[i]
    for i in range(n):
        if x0 - bool(f[p[0]]) - f[i + 1] > 3:
            break
    else:
        w = f[0] / 4.0
    return q, f, w
""",
    ),
    "a matrix times a vector of the iteration's own": (
        PRODUCTS,
        """
    R = np.array([[0.5, -1.0], [2.0, 0.25]])
    for i in range(len(h)):
        v = np.array([h[i, 0] - 1.0, h[i, 1]])
        q = R @ v
        o[i, 0] = q[0]
        o[i, 1] = q[1]
    return f
""",
    ),
    "a row under a name, beside a vector of the iteration's own": (
        PRODUCTS,
        """
    R = np.array([[1.0, 3.0], [0.5, -1.0]])
    for i in range(len(h)):
        v = h[i] - h[0]
        u = np.array([h[i, 0] - 1.0, 2.0 * b[i]])
        q = R @ (v - u)
        o[i, 0], o[i, 1] = q[0], q[1]
    return f
""",
    ),
    "elements of the difference of two vectors of other lengths": (
        PRODUCTS,
        """
    R = r[:2, :2]
    for i in range(len(h)):
        q = R[:, 0] - h[i]
        q = q / 2
        f[i] = q[0] - q[1]
    return f
""",
    ),
    "a column of a matrix that the iteration gives a name": (
        PRODUCTS,
        """
    for i in range(n):
        v = np.array([1.0, 2.0 * b[i], 0.5 * i])
        R = k3[i]
        y = v @ R[:, 0]
        f[i] = y * y
    return f
""",
    ),
    "a choice of NumPy's between two numbers, which is an array without axes": (
        {"a": "float32", "c": "float64", "f": "int16"},
        """
    for i, i2 in np.ndindex(c.shape):
        row = c[i] - c[i].max()
        f[i] = np.dot(row, row)
    for i in range(len(b) - 2, 0, -1):
        z = np.where(a[(i + m) % 4] > 1, i, 2)
        if z < 2:
            return z, d
    return a, f
""",
    ),
}


@pytest.mark.parametrize("name", FOUND_WRONG)
def test_modules_once_found_wrong(ports: ModuleType, name: str) -> None:
    """Each module that ever gave another result."""
    told, body = FOUND_WRONG[name]
    dtypes = dict.fromkeys(PARAMETERS, "float64") | {"g": "bool", "p": "int64"} | told
    listed = ", ".join(
        f"{k}: NDArray[np.{v.replace('bool', 'bool_')}]" for k, v in sorted(dtypes.items())
    )
    text = f"{HEAD}\ndef program({listed}, n: int, m: int, d: int):{body}"
    for number in range(12):
        outcome = ports.attempt(text, dtypes, random.Random(number))
        assert outcome.wrong is None, outcome.wrong


def test_the_comparison_can_fail(ports: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the dependence test, wrong results are seen."""
    for room in ("planning.tied", "dependence.grid_choice"):
        monkeypatch.setattr(f"gpuport.loops.{room}.conflicts", lambda *arguments: [])
    assert any(ports.one(number).wrong is not None for number in range(40))
