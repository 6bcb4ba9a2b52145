"""What CuPy rejects of its arguments, the host backend rejects: type and message."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from gpuport import host
from gpuport.host.argumentchecks import Checks, checks_of, kind_of
from gpuport.rules.argumentkinds import Rejection
from gpuport.rules.survey import arguments, subjects
from gpuport.rules.tables import ApiTables

CODES = {
    "positional_only": "p",
    "positional_or_keyword": "pk",
    "var_positional": "*",
    "keyword_only": "k",
    "var_keyword": "**",
}
# The host backend may refuse more than CuPy does, never less; these it has not learned.
REFUSED_TOO = {
    "allclose", "argsort", "array", "ascontiguousarray", "asfortranarray", "bincount",
    "broadcast_arrays", "choose", "clip", "concat", "concatenate", "fft.fft2", "fft.fftn",
    "fft.ifft2", "fft.ifftn", "fft.rfft2", "fft.rfftn", "fill_diagonal", "linalg.tensorsolve",
    "may_share_memory", "min_scalar_type", "ndarray.argsort", "ndarray.choose", "ndarray.clip",
    "ndarray.compress", "ndarray.partition", "ndarray.put", "ndarray.repeat", "ndarray.sort",
    "ndarray.take", "percentile", "piecewise", "put", "quantile",
    "rot90", "size", "sort", "take",
}  # fmt: skip


class HostDevice:
    """The host backend in the place of a device, for the questions that CuPy was asked."""

    stands_in = stops = False

    def __init__(self, cupy: Any) -> None:
        self.cupy, self.array = cupy, cupy.ndarray

    def on_device(self, value: Any) -> Any:
        if isinstance(value, np.ndarray):
            return self.cupy.asarray(value.copy())
        if isinstance(value, list | tuple):
            return type(value)(self.on_device(part) for part in value)
        if isinstance(value, dict):
            return {name: self.on_device(part) for name, part in value.items()}
        if callable(value):
            return getattr(self.cupy, getattr(value, "__name__", ""), value)
        return value


@pytest.fixture(params=[13, 14])
def backend(request: pytest.FixtureRequest) -> Iterator[tuple[int, Any]]:
    host.install(version=request.param)
    yield request.param, importlib.import_module("cupy")
    host.uninstall()


def find(module: Any, name: str) -> Any:
    for part in name.split("."):
        older = arguments._OLD_NAMES.get(part, part)
        module = getattr(module, part if hasattr(module, part) else older)
    return module


def subject(device: HostDevice, tables: ApiTables, function: str) -> subjects.Subject:
    entry = tables.entry(function)
    assert entry is not None
    rows = [
        [p.name, CODES[p.kind], *([] if p.default is None else [p.default])]
        for p in entry.parameters or ()
    ]
    name = function.removeprefix("cupy.")
    if name.startswith("ndarray."):
        return subjects.Method(device, name, rows)
    return subjects.Subject(device, name, find(device.cupy, name), find(np, name), rows)


@pytest.mark.sampled(8)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("part", range(4))
def test_recorded_outcomes(backend: tuple[int, Any], part: int) -> None:
    version, cupy = backend
    tables = ApiTables.load(f"cupy-{version}")
    device = HostDevice(cupy)
    wrong = []
    refused = set()
    asked = 0
    functions = [f for f in tables.argument_kinds.functions() if f.startswith("cupy.")]
    for function in functions[part::8]:
        entry = tables.entry(function)
        if entry is None or entry.kind == "ufunc":
            continue
        found = arguments.describe(subject(device, tables, function))
        assert isinstance(found, dict), (function, found)
        for parameter, row in tables.argument_kinds.parameters(function).items():
            for kind, outcome in row.items():
                answer = found.get(parameter, {}).get(kind)
                if answer is None:
                    continue
                asked += 1
                if isinstance(outcome, Rejection):
                    if answer != [outcome.exception, outcome.message]:
                        wrong.append((function, parameter, kind, outcome, answer))
                elif isinstance(answer, list):
                    refused.add(function.removeprefix("cupy."))
    assert wrong == []
    assert refused <= REFUSED_TOO
    assert asked > 300


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        ("cp.digitize(x, [0.0, 0.5])", AttributeError, "'list' object has no attribute 'ndim'"),
        ("cp.interp(1.0, x, x)", AttributeError, "'float' object has no attribute 'flags'"),
        (
            "cp.dot(x, 2.0)",
            TypeError,
            "Argument 'b' has incorrect type (expected cupy._core.core._ndarray_base, got float)",
        ),
        (
            "x.dot(2.0)",
            TypeError,
            "Argument 'b' has incorrect type (expected cupy._core.core._ndarray_base, got float)",
        ),
        ("cp.where(x > 1, [1.0], x)", TypeError, "Unsupported type <class 'list'>"),
        ("cp.bincount(i, weights=n)", TypeError, "Unsupported type <class 'numpy.ndarray'>"),
        ("cp.concatenate([x, n])", TypeError, "Unsupported type <class 'numpy.ndarray'>"),
        ("cp.meshgrid(x, [1.0])", AttributeError, "'list' object has no attribute 'ndim'"),
        ("cp.fft.fft([1.0, 2.0])", TypeError, "The input array a must be a cupy.ndarray"),
        ("cp.trapezoid(n)", TypeError, "`y` should be of type cupy.ndarray"),
        ("cp.polyfit(x, n, 1)", np.linalg.LinAlgError, "cupy.linalg only supports cupy.ndarray"),
        ("cp.amax(n, out=x)", TypeError, "Implicit conversion to a NumPy array is not allowed"),
    ],
)
def test_what_is_raised(emulated: Any, call: str, error: type[Exception], message: str) -> None:
    names = {"cp": emulated, "x": emulated.ones(3), "i": emulated.arange(3), "n": np.ones(3)}
    with pytest.raises(error) as caught:
        eval(call, names)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "call",
    [
        "cp.searchsorted(x, 0.5)",
        "cp.take(x, [0, 1])",
        "cp.hstack([x, n])",
        "cp.append(x, [1.0])",
        "cp.where(x > 1, 1.0, 0)",
        "cp.percentile(x, [30.0, 2.0])",
        "cp.isclose(x, [1.0, 1.0, 1.0])",
        "cp.average(n, weights=[1.0, 2.0, 3.0])",
        "cp.full(3, np.float64(1.5))",
        "cp.linspace([0.0], [1.0], 3)",
        "x.take([0, 1])",
        "cp.clip(x, None, 0.5)",
    ],
)
def test_what_is_taken(emulated: Any, call: str) -> None:
    names = {"cp": emulated, "np": np, "x": emulated.ones(3), "n": np.ones(3)}
    assert isinstance(eval(call, names), emulated.ndarray)


@pytest.mark.parametrize("call", ["cp.dot(n, n)", "cp.amax(n)", "cp.clip(n, 0.0, 0.5)"])
def test_what_stays_on_the_host(emulated: Any, call: str) -> None:
    assert isinstance(eval(call, {"cp": emulated, "n": np.ones(3)}), np.ndarray | np.generic)


def test_versions_reject_what_they_reject() -> None:
    for version, fails in ((13, True), (14, False), (13, True)):
        host.install(version=version)
        cupy = importlib.import_module("cupy")
        x = cupy.ones(3)
        for search in (lambda: cupy.searchsorted(x, 0.5), lambda: x.searchsorted(0.5)):  # noqa: B023
            if fails:
                with pytest.raises(NotImplementedError, match="Only int or ndarray"):
                    search()
            else:
                assert search().item() == 0
        host.uninstall()


def test_kinds(emulated: Any) -> None:
    x = emulated.ones(2)
    assert kind_of(x) == "array"
    assert kind_of([x, (x,)]) == "array-list"
    assert kind_of([x, np.ones(2)]) == "numpy-array-list"
    assert kind_of([x, 1.0]) == "list"
    assert kind_of(([x], [1.0])) == "nested-list"
    assert kind_of(()) == "tuple"
    assert kind_of(True) == "bool"
    assert kind_of("text") == ""


def test_a_default_is_never_rejected() -> None:
    checks = Checks({"out": {"None": ("TypeError", "no {type}")}})
    assert checks.verify({"out": None}, {"out": None}) is False
    with pytest.raises(TypeError, match="no NoneType"):
        checks.verify({"out": None}, {"out": 1})


def test_an_unrecorded_function_has_no_checks() -> None:
    assert checks_of("cupy.no_such_function", 14) is None
