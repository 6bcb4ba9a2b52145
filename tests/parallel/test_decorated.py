"""Loops as decorated functions: what is in the record, and what comes of it on device arrays."""

from __future__ import annotations

import ast
import importlib
import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tests.canonicalise.recurrences import TAKEN
from tests.parallel.test_kernel_texts import LOOPS, START

from gpuport import host
from gpuport.runtime import reset_stats, stats

BENCH = Path(__file__).parents[2] / "bench"

pytestmark = pytest.mark.filterwarnings(
    "ignore::gpuport.runtime.FallbackWarning", "ignore::RuntimeWarning"
)


@pytest.fixture(scope="module")
def bench() -> Iterator[SimpleNamespace]:
    """``bench/handed.py`` and its random loops, with the host backend in the place of CuPy."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCH))
        handed, loops = (importlib.import_module(name) for name in ("handed", "handed_loops"))
        host.install(version=14)
        yield SimpleNamespace(handed=handed, loops=loops, cupy=importlib.import_module("cupy"))
        host.uninstall()
        for name in ("handed", "handed_loops"):
            del sys.modules[name]


def ways() -> Counter[str]:
    """Which ways kernels went since the counts were zero."""
    found = Counter[str]()
    for one in stats().values():
        found += Counter(device=one.device, host=one.host)
    return found


# -- what is in a record

STENCIL = """
import numpy as np
LEVEL = 2.0
class Grid:
    def __init__(self, n):
        self.u, self.v = np.zeros((n, n)), np.zeros((n, n))
    def step(self, h):
        m = len(self.u) - 1
        for i in range(1, m):
            im = i - 1
            for j in range(1, self.u.shape[1] - 1):
                self.v[i, j] = h * (self.u[im, j] + self.u[i, j + 1]) * LEVEL
Grid(int('9')).step(0.5)
"""


def test_a_record_says_all_that_the_decorator_needs(bench):
    (record,) = bench.handed.records(STENCIL).records
    assert record.inputs == "raw float64 u, float h, int m, float LEVEL"
    assert record.outputs == "raw float64 v"
    assert record.body == ("v[{i, j}] = h * (u[{i - 1, j}] + u[{i, j + 1}]) * LEVEL;",)
    assert record.over == "i in range(1, m), j in range(1, u.shape[1] - 1)"
    assert (record.where, record.returns, record.assigned) == ("", "", ())
    assert dict(record.arguments) == {
        "u": "self.u", "h": "h", "m": "m", "LEVEL": "LEVEL", "v": "self.v"
    }  # fmt: skip
    assert (record.span.line, record.span.end_line) == (9, 12)


RETURNED = {
    "s += x[i]": "s + s_each.sum()",
    "s += single[i]": "s + s_each.sum()",
    "s += small[i]": "s + s_each.sum(dtype=s_each.dtype)",
    "s *= x[i]": "s * s_each.prod()",
    "s += 1": "s + int(s_each.sum())",
    "s += 0.5 * i": "s + float(s_each.sum())",
    "s = max(s, x[i])": "s_each[s_each.argmax()]",
    "s = np.maximum(s, x[i])": "s_each[s_each.argmax()]",
    "s = x[i]": "s_each[-1]",
    "s = i": "int(s_each[-1])",
}


@pytest.mark.parametrize("statement", RETURNED)
def test_what_is_returned(bench, statement):
    start = "0" if statement in ("s += 1", "s += small[i]", "s = i") else "0.0"
    text = f"""import numpy as np
def f(x, single, small):
    s = {start}
    for i in range(len(x)):
        {statement}
    return s
n = int('9')
f(np.zeros(n), np.zeros(n, np.float32), np.zeros(n, np.int16))
"""
    (record,) = bench.handed.records(text).records
    assert record.returns == RETURNED[statement]
    assert record.assigned == ("s",)


ASKED = {
    "out[i] = x[at[i]]": "int(at.max()) < x.shape[0]",
    "out[at[i]] += x[i]": "int(at.max()) < out.shape[0]",
    "out[i] = x[i - 1]": "out.shape[0] <= x.shape[0] + 1",
    "out[i] = x[max(i - 1, 0)]": "max(out.shape[0] - 2, 0) < x.shape[0]",
    "small[i] = i": "out.shape[0] <= 256",
    "out[i] = i + small[i]": "out.shape[0] <= 256",
    "out[i] = x[i // 2]": "(out.shape[0] - 1) // 2 < x.shape[0]",
    "out[i] = (k * k) % 7": "k <= 2147483648",
    "out[i] = small[i] * k": "type(k) is int",
    "out[i] = 1 / k": "k != 0",
    "out[i] = i % (k - 3)": "(k - 3) != 0",
    "out[int(x[i] * k)] += 1": "abs(float(x.max())) <= 1e+100",
    "at[i] = 0.5 * i": "((out.shape[0] - 1) * 0.5) < 9223372036854775807",
}


@pytest.mark.parametrize("statement", ASKED)
def test_what_is_asked_besides(bench, statement):
    text = f"""import numpy as np
def f(x, at, out, small, k):
    for i in range(len(out)):
        {statement}
n = int('9')
f(np.zeros(n), np.zeros(n, np.int64), np.zeros(n), np.zeros(n, np.uint8), int('3'))
"""
    (record,) = bench.handed.records(text).records
    assert ASKED[statement] in record.where.split(" and ")


REFUSED = {
    "stores to arrays and computes numbers": "out[i] = x[i]\n        s += x[i]",
    "nothing tells that indices of `x` stay in bounds": "out[i] = x[int(at[i]) * i % k]",
    "becomes int64 is finite": "at[i] = np.sqrt(x[i])",
    "divides by zero": "out[i] = i / at.shape[0] ** 2",
    "may outgrow 64 bits": "s += at[i] ** 2 if x[i] > 0 else i * i * i",
    "running totals": "s += x[i]\n        out[i] = s",
}


@pytest.mark.parametrize("reason", REFUSED)
def test_what_is_refused(bench, reason):
    text = f"""import numpy as np
def f(x, at, out, k):
    s = 0
    for i in range(len(out)):
        {REFUSED[reason]}
    return s
n = int('9')
f(np.zeros(n), np.zeros(n, np.int64), np.zeros(n), np.int64(n))
"""
    made = bench.handed.records(text)
    assert not made.records
    assert any(reason in why for _, why in made.left), made.left


def test_a_loop_without_arrays_is_refused(bench):
    text = (
        "def f(n):\n    s = 0\n    for i in range(n):\n        s += i\n    return s\nf(int('9'))\n"
    )
    assert bench.handed.records(text).left == [(3, "no array takes part in the loop")]


WORDS = {
    "a name that is another array by then": (
        "a, b = b, a\n    for i in range(len(a)):\n        a[i] = b[i]",
        {"b": "b", "a": "a"},
    ),
    "a name of C++": (
        "double = a\n    for i in range(len(b)):\n        b[i] = double[i]",
        {"double_": "double", "b": "b"},
    ),
    "a size under a name that changes later": (
        "n = len(a)\n    for i in range(n - 1):\n        b[i] = a[i + 1]\n    n = 0",
        {"a": "a", "b": "b", "n": "n"},
    ),
}


@pytest.mark.parametrize("name", WORDS)
def test_arguments_are_called_what_they_are_where_the_loop_begins(bench, name):
    body, expected = WORDS[name]
    text = f"import numpy as np\ndef f(a, b):\n    {body}\nn = int('9')\n"
    (record,) = bench.handed.records(text + "f(np.zeros(n), np.ones(n))\n").records
    assert dict(record.arguments) == expected


# -- run on device arrays


@pytest.mark.parametrize("name", LOOPS | TAKEN)
def test_programs_compute_the_same(bench, name):
    text = START + (LOOPS | TAKEN)[name]
    expected: dict[str, Any] = {}
    exec(text, expected)
    reset_stats()
    space, launcher, made = bench.handed.run(text, bench.cupy)
    np.testing.assert_allclose(space["RESULT"], expected["RESULT"], rtol=1e-12, atol=1e-14)
    assert made.left or launcher.calls
    assert bool(ways()["device"]) == bool(launcher.calls)


@pytest.mark.parametrize("seed", range(30))
def test_random_loops(bench, seed):
    assert not bench.loops.tried(seed, bench.cupy, 6, Counter())


def test_loops_that_were_wrong(bench):
    """Programs of the random ones that gave something else once."""
    for seed in (9, 52, 383, 391, 407, 1289, 1390, 1794):
        assert not bench.loops.tried(seed, bench.cupy, 12, Counter())


def called(bench: Any, text: str, *args: Any) -> tuple[Any, Any]:
    """What a function ``f`` gives in Python and with kernels, its arguments being the same."""
    plain: dict[str, Any] = {}
    exec(text, plain)
    made = bench.handed.records(text)
    program, kernels = bench.handed.built(ast.parse(text), made.records)
    space: dict[str, Any] = {"__name__": "sample", "_launch": bench.handed.Launcher(bench.cupy)}
    exec(kernels, space)
    exec(program, space)
    mine, theirs = bench.loops.copied(list(args)), bench.loops.copied(list(args))
    reset_stats()
    expected = bench.loops.outcome(plain["f"], mine)
    found = bench.loops.outcome(space["f"], theirs)
    assert not bench.loops.differs(expected, found)
    for left, right in zip(mine, theirs, strict=True):
        if isinstance(left, np.ndarray):
            np.testing.assert_array_equal(left, right)
    return expected, found


GUARDED = {
    "the last one has no next": "if i < n - 1:\n            v[i] = u[i + 1]",
    "at the other side": "v[i] = u[i + 1] if n > i + 1 else 0.5",
    "both ends": "if i > 0 and i < n - 1:\n            v[i] = u[i - 1] + u[i + 1]",
    "left out": "if i == 0 or i == n - 1:\n            continue\n"
    "        v[i] = u[i + 1] - u[i - 1]",
    "not at the end": "if not i >= len(u) - 2:\n            v[i] = u[i + 2]",
    "the next one, or the first": "r = i + 1 if i + 1 < n else 0\n        v[i] = u[r]",
    "an element of a second test": "if i + 1 < n and u[i + 1] > 0:\n            v[i] = u[i + 1]",
    "nothing that bounds": "if u[i] > 9.0:\n            v[i] = u[i + 1]",
    "the wrong side": "if i > n - 2:\n            v[i] = u[i + 1 - n]",
}


@pytest.mark.parametrize("name", GUARDED)
def test_conditions_say_that_elements_are_there(bench, name):
    text = f"""import numpy as np
def f(u, v):
    n = len(u)
    for i in range(n):
        {GUARDED[name]}
n = int('9')
f(np.zeros(n), np.zeros(n))
"""
    called(bench, text, np.arange(7.0), np.zeros(7))
    assert ways() == Counter(host=1) if name == "nothing that bounds" else Counter(device=1)
    called(bench, text, np.arange(7.0), np.zeros(5))
    called(bench, text, np.arange(1.0), np.zeros(1))
    called(bench, text, np.zeros(0), np.zeros(0))


ADDS = """import numpy as np
def f(x, out):
    for i in range(len(x)):
        out[i] = out[i] * 2 + x[i]
n = int('9')
f(np.zeros(n), np.zeros(n))
"""


def test_elements_that_share_memory_are_not_written_by_a_kernel(bench):
    for out in (
        np.lib.stride_tricks.as_strided(np.ones(1), (5,), (0,)),
        np.lib.stride_tricks.as_strided(np.arange(7.0), (5, 3), (8, 8))[:, 1:2].reshape(-1),
    ):
        called(bench, ADDS, np.arange(5.0), out)
        assert ways() == (Counter(host=1) if not out.flags.writeable or out.strides == (0,)
                          else Counter(device=1))  # fmt: skip


def test_arguments_that_share_memory_run_as_they_are(bench):
    both = np.arange(6.0)
    called(bench, ADDS, both[:-1], both[1:])
    assert ways() == Counter(host=1)


def test_sums_of_whole_numbers_that_would_wrap_are_pythons(bench):
    text = """import numpy as np
def f(x, k):
    s = 0
    for i in range(len(x)):
        s += i * k
    return s
f(np.zeros(int('9')), int('3'))
"""
    for k, way in ((3, "device"), (2**31 - 1, "device"), (2**40, "host"), (2**62, "host")):
        assert called(bench, text, np.zeros(2000), k)[1] == 1999000 * k
        assert ways() == Counter([way])
    assert called(bench, text, np.zeros(0), 3)[1] == 0


def test_a_number_that_does_not_fit_raises_as_before(bench):
    text = """import numpy as np
def f(small):
    for i in range(len(small)):
        small[i] = i + 250
f(np.zeros(int('6'), np.uint8))
"""
    assert called(bench, text, np.zeros(6, np.uint8))[1] is None
    assert called(bench, text, np.zeros(7, np.uint8))[1][0] == "OverflowError"


def test_seeds_are_the_same_in_every_run(bench):
    assert (
        bench.loops.Maker(random.Random(3)).program()
        == bench.loops.Maker(random.Random(3)).program()
    )


LOCAL = {
    "a function of the function": (
        "def twice(v):\n        return v * 2\n"
        "    for i in range(len(a)):\n        b[i] = twice(a[i])"
    ),
    "a module of the function": (
        "import math\n    for i in range(len(a)):\n        b[i] = math.cos(a[i])"
    ),
    "a tuple": "shape = b.shape\n    for i in range(shape[0]):\n        b[i] = 1.0",
    "an alias of a function": (
        "root = np.sqrt\n    for i in range(len(a)):\n        b[i] = root(a[i])"
    ),
}


@pytest.mark.parametrize("name", LOCAL)
def test_names_that_only_the_function_has_are_refused(bench, name):
    text = f"import numpy as np\ndef f(a, b):\n    {LOCAL[name]}\nn = int('9')\n"
    made = bench.handed.records(text + "f(np.zeros(n), np.ones(n))\n")
    assert not made.records
    assert "is no array and no number" in made.left[0][1]


CALLED = {
    "an array of the module": (
        "W = np.arange(9.0)\ndef g(k):\n    return W[k] * 2\n",
        "b[i] = g(i - 1)",
        "reads the array `W`",
    ),
    "an object": (
        "class P:\n    def __init__(self):\n        self.u = np.ones(9)\np = P()\n"
        "def g(p, k):\n    return p.u[k]\n",
        "b[i] = g(q, i)",
        "`q` is no array and no number",
    ),
}


@pytest.mark.parametrize("name", CALLED)
def test_what_functions_that_a_loop_calls_read_is_no_argument(bench, name):
    before, statement, why = CALLED[name]
    given = "p" if "q" in statement else "1"
    text = f"import numpy as np\n{before}def f(a, b, q):\n    for i in range(1, len(a)):\n"
    text += f"        {statement}\nn = int('9')\nf(np.zeros(n), np.ones(n), {given})\n"
    made = bench.handed.records(text)
    assert not made.records
    assert why in made.left[0][1]


def test_a_function_that_a_loop_calls_reads_numbers(bench):
    text = """import numpy as np
K = 2.5
def g(v):
    return v * K
def f(a, b):
    for i in range(len(a)):
        b[i] = g(a[i])
f(np.zeros(int('9')), np.zeros(int('9')))
"""
    called(bench, text, np.arange(5.0), np.zeros(5))
    assert ways() == Counter(device=1)
