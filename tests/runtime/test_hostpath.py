"""The host path: a ported function's own body, with NumPy in the place of CuPy."""

from __future__ import annotations

import numpy as np
import pytest

from gpuport.runtime import NoHostCounterpartError

# Each takes a list, which sends the call to the host, and would fail there with CuPy's functions.
BODIES = {
    "module": "return cp.sqrt(x)",
    "submodule": "return cp.linalg.norm(x)",
    "lambda": "return (lambda y: cp.sqrt(y))(x)",
    "comprehension": "return [cp.sqrt(one) for one in x]",
    "nested function": "def inner(y):\n        return cp.sqrt(y)\n    return inner(x)",
    "class": "class Inner:\n        root = cp.sqrt(SCALE)\n    return Inner.root * cp.asarray(x)",
    "default": "return (lambda y, root=cp.sqrt: root(y))(x)",
    "local import": "import cupy\n    return cupy.sqrt(x)",
    "local import of a submodule": "import cupy.linalg as la\n    return la.norm(x)",
    "local import from": "from cupy.linalg import norm\n    return norm(x)",
    "local import of a module from": "from cupy import linalg\n    return linalg.norm(x)",
    "other import": "import math, cupy\n    return math.fsum(cupy.asarray(x).tolist())",
    "imported function": "return decomp(cp.asarray(x))",
    "helper": "return helper(x)",
    "helper's helper": "return outer(x)",
    "asnumpy": "return cp.asnumpy(cp.sum(x))[()], cp.asnumpy(cp.asarray(x))",
    "numbers of a list": "return [cp.asnumpy(one)[()] for one in x], {cp.asnumpy(x[0])[()]: 1}",
    "items of objects": "return [cp.asnumpy(n)[()] for n in np.array([None, 'a', 1], object)]",
    "texts": "return [{cp.asnumpy(n)[()]: cp.asnumpy(n)} for n in np.array(['a', 'b'])]",
    "other index": "return cp.asnumpy(x)[1], (cp.asnumpy(x[0]), ()), cp.asnumpy(x)[:2]",
    "global": "return cp.asarray(x) * SCALE",
    "builtins": "return max(x), len(x), print",
    "type": "return isinstance(cp.asarray(x), cp.ndarray), cp.float64 is np.float64",
    "get_array_module": "return cp.get_array_module(x) is np",
    "scipy": "import cupyx.scipy.special as special\n    return special.erf(cp.asarray(x))",
    "scipy from": "from cupyx.scipy import ndimage\n    return ndimage.uniform_filter(x)",
}
HEADER = """
from cupy.linalg import norm as decomp
import numpy as np
SCALE = 2.0
def helper(y):
    return cp.sqrt(y)
def outer(y):
    return helper(y)
@device("x")
def f(x):
    {body}
"""


@pytest.mark.parametrize("how", BODIES)
def test_body_runs_as_the_original(ported, how, monkeypatch, cp):
    monkeypatch.setattr(cp.linalg, "norm", cp.linalg.norm, raising=False)
    body = BODIES[how]
    program = ported(HEADER.format(body=body))
    original: dict = {}
    source = HEADER.format(body=body).replace("@device", "#")
    for name, host in (("cupyx.scipy", "scipy"), ("cupy", "numpy"), ("cp.asnumpy(", "(")):
        source = source.replace(name, host)
    source = source.replace(")[()]", ")").replace("cp.get_array_module(x)", "np")
    exec("import numpy as cp\nimport numpy as np\n" + source, original)
    x = [1.0, 4.0, 9.0]
    got, expected = program.f(x), original["f"](x)
    assert type(got) is type(expected)
    assert repr(got) == repr(expected)


def test_globals_are_live(ported, cp):
    names: dict = {}
    source = "import cupy as cp\nfrom gpuport.runtime import device\n"
    exec(source + "K = 1\n@device('x')\ndef f(x):\n    return K\n", names)
    assert names["f"](0) == 1
    names["K"] = 2
    assert names["f"](0) == 2
    del names["K"]
    with pytest.raises(NameError, match="'K' is not defined"):
        names["f"](0)


def test_closures_are_shared(ported):
    program = ported(
        "def make():\n"
        "    import cupy as local\n"
        "    calls = 0\n"
        "    @device('x')\n"
        "    def f(x):\n"
        "        nonlocal calls\n"
        "        calls += 1\n"
        "        return local.sqrt(x), calls\n"
        "    return f\n"
    )
    f = program.make()
    assert f([4.0]) == (np.array([2.0]), 1)
    f(np.ones(1))
    assert f([4.0])[1] == 3


def test_helper_with_global_assignments_keeps_its_module(ported):
    names: dict = {}
    exec(
        "from gpuport.runtime import device\ncount = 0\n"
        "def note():\n    global count\n    count += 1\n"
        "@device('x')\ndef f(x):\n    note()\n    return count\n",
        names,
    )
    assert names["f"](1) == 1
    assert names["f"](1) == 2
    assert names["count"] == 2


def test_recursion(ported):
    program = ported(
        "@device('x')\ndef f(x, n=3):\n    return x if not n else f(cp.add(x, 1), n - 1)"
    )
    assert program.f([0.0]).tolist() == [3.0]
    assert program.f(0) == 3


def test_zero_argument_super(ported):
    program = ported(
        "class A:\n    def f(self, x):\n        return cp.sqrt(x)\n"
        "class B(A):\n    @device('x')\n    def f(self, x):\n"
        "        return cp.sqrt(x), type(super()).__name__\n"
    )
    assert program.B().f(4.0) == (2.0, "super")


def test_asarray_is_numpys_own(ported):
    program = ported("@device('x')\ndef f(x):\n    return cp.asarray(x)\n")
    masked = np.ma.array([1, 2], mask=[0, 1])
    for value in (np.float32(1), 2.0, [1, 2], masked):
        got, expected = program.f(value), np.asarray(value)
        assert type(got) is type(expected)
        assert got.dtype == expected.dtype
        np.testing.assert_array_equal(got, expected)


def test_what_has_no_counterpart_says_so(ported, cp):
    program = ported(
        "@device('x')\ndef f(x):\n    return cp.no_such_function(x)\n"
        "@device('x')\ndef g(x):\n    return cp.cuda.Stream(x)\n"
    )
    with pytest.raises(NoHostCounterpartError, match=r"cupy\.no_such_function has no counterpart"):
        program.f([1])
    with pytest.raises(NoHostCounterpartError, match=r"cupy\.cuda\.Stream has no counterpart"):
        program.g([1])
