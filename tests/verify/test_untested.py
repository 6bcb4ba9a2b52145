"""Where little or nothing was compared the verdict is UNTESTED, and says why."""

from __future__ import annotations

from typing import Any

import pytest

from gpuport.verify.records import Verdict

CASES = {
    "the original always raises": (
        "def f(x: np.ndarray):\n    return np.linalg.inv(x.reshape(3, 3, 3, 7)) * 2",
        "def f(x: np.ndarray):\n    return cp.linalg.inv(x.reshape(3, 3, 3, 7)) / 2",
        "accepts too few",
    ),
    "the output is constant": (
        "def f(x: np.ndarray) -> float:\n    return 1.0 + 0.0",
        "def f(x: np.ndarray) -> float:\n    return 1.0",
        "the same for all",
    ),
    "nothing comes out": (
        "def f(x: np.ndarray) -> None:\n    y = x * 2",
        "def f(x: np.ndarray) -> None:\n    y = x * 3",
        "",
    ),
    "a lambda that nothing calls": (
        "def f(x: np.ndarray):\n    g = lambda v: v * 2\n    return x * 3",
        "def f(x: np.ndarray):\n    g = lambda v: v * 4\n    return 3 * x",
        "not reached: line 4",
    ),
    "one value, in arrays of all sizes": (
        "def f(x: 'NDArray[np.float64]'):\n    return np.clip(np.exp(-np.abs(x)), 5.0, 6.0)",
        "def f(x: 'NDArray[np.float64]'):\n    return np.clip(np.exp(np.abs(x)), 5.0, 5.0)",
        "the same, whatever",
    ),
    "one value in each part of the result": (
        "def f(x: 'NDArray[np.float64]'):\n    return np.fmax(np.sin(x), 4.0), {'n': x * 0 == 9}",
        "def f(x: 'NDArray[np.float64]'):\n    return np.fmax(np.cos(x), 4.0), {'n': x * 0 == 9}",
        "the same, whatever",
    ),
    "one value, of a choice that is never taken": (
        "def f(x: 'NDArray[np.float64]'):\n    return np.where(np.tanh(x) > 3.0, np.exp(x), 0.0)",
        "def f(x: 'NDArray[np.float64]'):\n    return np.where(np.tanh(x) > 3.0, np.sin(x), 0.0)",
        "the same, whatever",
    ),
    "one value, stored into an argument": (
        "def f(x: 'NDArray[np.float64]'):\n    x[...] = np.minimum(np.sqrt(np.abs(x)), -1.0)",
        "def f(x: 'NDArray[np.float64]'):\n    x[...] = np.minimum(np.abs(x), -1.0)",
        "the same, whatever",
    ),
    "a mask without an element": (
        "def f(x: 'NDArray[np.float64]'):\n    return np.cos(x)[np.cos(x) > 2.0]",
        "def f(x: 'NDArray[np.float64]'):\n    return np.sin(x)[np.cos(x) > 2.0]",
        "finite",
    ),
    "a choice of np.where that is never taken, beside another that is": (
        "def f(x: 'NDArray[np.float64]'):\n    return np.where(np.tanh(x) > 3.0, np.exp(x), x)",
        "def f(x: 'NDArray[np.float64]'):\n    return np.where(np.tanh(x) > 3.0, np.sin(x), x)",
        "the mask in line 4 was never true",
    ),
    "a choice of np.where that is always taken": (
        "def f(x: 'NDArray[np.float64]'):\n    return np.where(~(np.tanh(x) > 3.0), x, 2 * x)",
        "def f(x: 'NDArray[np.float64]'):\n    return np.where(~(np.tanh(x) > 3.0), x, 3 * x)",
        "the mask in line 4 was never false",
    ),
    "a mask of a store that is never true": (
        "def f(x: 'NDArray[np.float64]'):\n    y = x * 2\n    y[np.tanh(x) > 3.0] = 4.0\n"
        "    return y",
        "def f(x: 'NDArray[np.float64]'):\n    y = x * 2\n    y[np.tanh(x) > 3.0] = 5.0\n"
        "    return y",
        "the mask in line 5 was never true",
    ),
    "a condition of np.select that is never true": (
        "def f(x: 'NDArray[np.float64]'):\n    return np.select([x > 0, np.tanh(x) > 3.0],"
        " [x, x + 4.0], 2 * x)",
        "def f(x: 'NDArray[np.float64]'):\n    return np.select([x > 0, np.tanh(x) > 3.0],"
        " [x, x + 5.0], 2 * x)",
        "the mask in line 4 was never true",
    ),
    "a keyword that lets nothing through": (
        "def f(x: 'NDArray[np.float64]'):\n    return x + np.sum(x, where=np.tanh(x) > 3.0)",
        "def f(x: 'NDArray[np.float64]'):\n    return x - np.sum(x, where=np.tanh(x) > 3.0)",
        "the mask in line 4 was never true",
    ),
    "a count of nothing": (
        "def f(x: 'NDArray[np.float64]'):\n    return int(np.sum(np.abs(np.sin(x)) > 2.0))",
        "def f(x: 'NDArray[np.float64]'):\n    return int(np.sum(np.abs(np.cos(x)) > 3.0))",
        "the same for all",
    ),
    "a branch is not reached": (
        "def f(x: np.ndarray):\n    if x.size == 123457:\n        y = x + 1\n        y = y * 2\n"
        "        y = y - 4\n        return y\n    return x * 2",
        "def f(x: np.ndarray):\n    if x.size == 123457:\n        return None\n    return x + x",
        "lines ran",
    ),
    "only NaN comes out": (
        "def f(x: np.ndarray):\n    return x * np.nan * 2",
        "def f(x: np.ndarray):\n    return x * np.nan * 3",
        "finite",
    ),
    "an optional argument that nothing fits": (
        "def f(x: np.ndarray, code=None):\n    return x * {None: 2.0}[code]",
        "def f(x: np.ndarray, code=None):\n    return {None: 2.0}[code] * x",
        "nothing but the default was accepted for code",
    ),
    "a value that cannot be made": (
        "def f(path):\n    return path.read_text() + 'a'",
        "def f(path):\n    return path.read_text() + 'b'",
        "read_text",
    ),
    "an unseeded random number": (
        "def f(x: np.ndarray):\n    return x + np.random.default_rng().random()",
        "def f(x: np.ndarray):\n    return x + np.random.default_rng().random() + 0",
        "different results",
    ),
    "uninitialised memory": (
        "def f(x: np.ndarray):\n    return np.empty(x.shape)",
        "@device('x')\ndef f(x: np.ndarray):\n    return cp.empty(x.shape)",
        "uninitialised",
    ),
    "a coroutine": (
        "async def f(x: np.ndarray):\n    return x",
        "async def f(x: np.ndarray):\n    return x + 0",
        "coroutine",
    ),
    "the original always refuses": (
        "def f(x: np.ndarray):\n    raise ValueError('no')\n    return x",
        "def f(x: np.ndarray):\n    raise ValueError('no')\n    return x + 1",
        "accepts too few",
    ),
    "only nothing is taken": (
        "def f(x: np.ndarray):\n    return x[:0].sum()",
        "def f(x: np.ndarray):\n    return x[x.size:].sum()",
        "the same for all",
    ),
    "a generator of nothing": (
        "def f(x: np.ndarray):\n    for _ in ():\n        yield x\n",
        "def f(x: np.ndarray):\n    for _ in ():\n        yield x + 1\n",
        "",
    ),
    "a callback of five arguments": (
        "def f(x: np.ndarray, g):\n    return g(x, x, x, x, x) * 2.0",
        "def f(x: np.ndarray, g):\n    return 2.0 * g(x, x, x, x, x)",
        "not callable",
    ),
    "the clock": (
        "def f(x: np.ndarray):\n    import time\n    return x + time.perf_counter()",
        "def f(x: np.ndarray):\n    import time\n    return time.perf_counter() + x",
        "different results",
    ),
    "a counter between calls": (
        "import itertools\nn = itertools.count()\ndef f(x: np.ndarray):\n    return x + next(n)",
        "import itertools\nn = itertools.count()\ndef f(x: np.ndarray):\n    return next(n) + x",
        "different results",
    ),
    "a closure beside a value": (
        "def f(x: np.ndarray):\n    return x + 1.0, [lambda y, k=k: x + y for k in range(2)]",
        "def f(x: np.ndarray):\n    return 1.0 + x, [lambda y, k=k: y - x for k in range(2)]",
        "cannot be compared: function",
    ),
    "an object of another class": (
        "def f(model):\n    with model.session() as s:\n        return s.sum() * 2.0",
        "def f(model):\n    with model.session() as s:\n        return 2.0 * s.sum()",
        "session",
    ),
    "text of a certain form": (
        "def f(x: np.ndarray, spec: str):\n    return x * int(spec.split(':')[1])",
        "def f(x: np.ndarray, spec: str):\n    return int(spec.split(':')[1]) * x",
        "accepts too few",
    ),
    "an operand that is never chosen": (
        "def f(x: np.ndarray):\n    return x * (3.0 if x.ndim == 9 else 2.0)",
        "def f(x: np.ndarray):\n    return x * (4.0 if x.ndim == 9 else 2.0)",
        "never true",
    ),
    "a value behind `and` that is never made": (
        "def f(x: np.ndarray):\n    y = x.ndim > 9 and x * 2\n    return -x if y is False else y",
        "def f(x: np.ndarray):\n    y = x.ndim > 9 and x * 3\n    return -x if y is False else y",
        "never true",
    ),
    "a value behind `or` that is never made": (
        "def f(x: np.ndarray):\n    y = [x] or x.sum()\n    return y[0] * 2",
        "def f(x: np.ndarray):\n    y = [x] or x.mean()\n    return y[0] * 2",
        "never false",
    ),
    "a filter that lets nothing through": (
        "def f(x: np.ndarray):\n    return x.sum() + sum(v * 2 for v in x.shape if v > 10**7)",
        "def f(x: np.ndarray):\n    return x.sum() + sum(v * 3 for v in x.shape if v > 10**7)",
        "never true",
    ),
    "zeros of both signs": (
        "def f(x: 'NDArray[np.float64]'):\n    return 0.0 * np.sin(x)",
        "def f(x: 'NDArray[np.float64]'):\n    return cp.asnumpy(0.0 * cp.cos(cp.asarray(x)))",
        "the same, whatever",
    ),
    "what stands behind an environment variable": (
        "import os\ndef f(x: np.ndarray):\n    if os.environ.get('NO_SUCH_ONE'):\n"
        "        return x * 2\n    return x + 1",
        "import os\ndef f(x: np.ndarray):\n    if os.environ.get('NO_SUCH_ONE'):\n"
        "        return x * 3\n    return 1 + x",
        "lines ran",
    ),
    "what is done about an error that never comes": (
        "def f(x: np.ndarray):\n    try:\n        return x + 1\n    except MemoryError:\n"
        "        return x * 2",
        "def f(x: np.ndarray):\n    try:\n        return 1 + x\n    except MemoryError:\n"
        "        return x * 3",
        "lines ran",
    ),
    "a loop that never begins": (
        "def f(x: np.ndarray):\n    n = x.ndim\n    while n < 0:\n        x = x * 2\n"
        "    return x + 1",
        "def f(x: np.ndarray):\n    n = x.ndim\n    while n < 0:\n        x = x * 3\n"
        "    return 1 + x",
        "lines ran",
    ),
    "shapes alone": (
        "def f(x: np.ndarray):\n    return np.zeros(3)",
        "def f(x: np.ndarray):\n    return np.zeros(3) + 0 * len(x.shape)",
        "the same",
    ),
    "a constant that is set elsewhere": (
        "LIMIT = None\ndef f(x: np.ndarray):\n    return x * LIMIT",
        "LIMIT = None\ndef f(x: np.ndarray):\n    return LIMIT * x * 2",
        "accepts too few",
    ),
    "an empty part of what goes in": (
        "def f(x: np.ndarray):\n    return x[:0]",
        "def f(x: np.ndarray):\n    return x[:0][::-1]",
        "",
    ),
    "a condition that is never true": (
        "def f(x: np.ndarray):\n    y = 2.0\n    if x.ndim == 9: y = 3.0\n    return x * y",
        "def f(x: np.ndarray):\n    y = 2.0\n    if x.ndim == 9: y = 4.0\n    return x * y",
        "never true",
    ),
    "a file that is not there": (
        "def f(x: np.ndarray):\n    return np.load('weights.npy') @ x",
        "def f(x: np.ndarray):\n    return np.load('weights.npy') * x",
        "FileNotFoundError",
    ),
    "what only the port has": (
        "def f(x: np.ndarray):\n    return x * 2.0",
        "def f(x: np.ndarray):\n    if x.ndim == 9:\n        return x * 3.0\n    return 2.0 * x",
        "never ran",
    ),
    "the device is never used": (
        "def f(x: list[int]):\n    return np.sum(x)",
        "@device('x')\ndef f(x: list[int]):\n    return cp.sum(x)",
        "host path",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_untested_with_a_reason(name: str, verify: Any) -> None:
    original, port, reason = CASES[name]
    verdict = verify(original, port)["f"]
    assert verdict.verdict is Verdict.UNTESTED, verdict
    assert reason in verdict.reason


def test_unchanged_functions_are_not_run(verify: Any) -> None:
    text = "def g(x):\n    return x\n\ndef f(x: np.ndarray):\n    return g(x)\n"
    verdicts = verify(text, text)
    assert {v.verdict for v in verdicts.values()} == {Verdict.UNCHANGED}
    assert all(v.evidence.drawn == 0 for v in verdicts.values())


def test_a_changed_callee_makes_its_caller_changed(verify: Any) -> None:
    original = "def g(x):\n    return x\n\ndef f(x: np.ndarray):\n    return g(x) * 2\n"
    verdicts = verify(original, original.replace("return x\n", "return x + 1\n"))
    assert verdicts["f"].verdict is Verdict.DIFFERS


def test_a_function_that_is_gone_is_an_error(verify: Any) -> None:
    verdict = verify("def f(x: np.ndarray):\n    return x\n", "g = 1\n")["f"]
    assert verdict.verdict is Verdict.ERROR


def test_a_helper_may_take_device_arrays(verify: Any) -> None:
    original = (
        "def _double(x):\n    return np.multiply(x, 2.0)\n"
        "def f(x: np.ndarray):\n    return _double(x) + 1\n"
    )
    port = (
        "def _double(x):\n    return cp.multiply(x, 2.0)\n"
        "@device('x')\ndef f(x: np.ndarray):\n    return _double(x) + 1\n"
    )
    verdicts = verify(original, port)
    assert verdicts["_double"].verdict is Verdict.EQUIVALENT, verdicts["_double"]
    assert "guessed" in verdicts["_double"].evidence.inputs
    assert any("CuPy arrays across" in name for name, _ in verdicts["_double"].evidence.notes)


def test_a_public_function_that_answers_with_device_arrays_differs(verify: Any) -> None:
    original = "def f(x: np.ndarray):\n    return x * 2\n"
    verdict = verify(original, "def f(x: np.ndarray):\n    return cp.asarray(x) * 2\n")["f"]
    assert verdict.verdict is Verdict.DIFFERS
    assert "CuPy array" in verdict.reason


def test_methods_are_called_on_equal_instances(verify: Any) -> None:
    original = """
    class Filter:
        def __init__(self, width: float):
            self.width = width
            self.total = 0.0

        def push(self, x: np.ndarray):
            self.total += np.sum(x) * self.width
            return x * self.width
    """
    port = original.replace("np.sum(x) *", "1 + np.sum(x) *")
    verdict = verify(original, port)["Filter.push"]
    assert verdict.verdict is Verdict.DIFFERS
    assert "self.total" in verdict.reason
    same = verify(original, original.replace("np.sum(x)", "x.sum()"))["Filter.push"]
    assert same.verdict is Verdict.EQUIVALENT, same


def test_one_irreproducible_example_does_not_hide_a_fault(verify: Any) -> None:
    original = """
    def f(x: np.ndarray):
        made = np.empty(max(x.size, 3))
        made[: x.size] = x.real.ravel() * 2.0
        return made
    """
    wrong = verify(original, original.replace("x.real.ravel() * 2.0", "x.real.ravel() * 3.0"))["f"]
    assert wrong.verdict is Verdict.DIFFERS, wrong


def test_what_the_port_runs_to_refuse_as_the_original_does_has_run(verify: Any) -> None:
    original = """
    def count(k: "NDArray[np.int64]"):
        found = np.zeros(4)
        for one in k.ravel():
            found[one] += 1
        return found
    """
    port = """
    @device("k")
    def count(k: "NDArray[np.int64]"):
        found = cp.zeros(4)
        if bool(((k < -4) | (k >= 4)).any()):
            found = found + float("0")
        host = cp.asnumpy(found)
        for one in cp.asnumpy(k.ravel()):
            host[one] += 1
        return cp.asarray(host)
    """
    found = verify(original, port)["count"]
    assert found.verdict is Verdict.EQUIVALENT, found
    other = verify(original, port.replace('"0"', '"no number"'))["count"]
    assert other.verdict is Verdict.UNTESTED, other
