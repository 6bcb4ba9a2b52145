"""What is taken to be known of a parameter, and on what grounds."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gpuport.analysis.functions.evidence import ASSUMED
from gpuport.analysis.values.lattice import (
    UNKNOWN,
    Array,
    Either,
    Instance,
    Mapping,
    Number,
    Scalar,
    Sequence,
    Tuple,
    Unknown,
    Value,
    record,
)

Parameters = Callable[..., dict[str, Value]]
Kind = Callable[[Value], str]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("x.shape", "array"),
        ("x.mean(axis=0)", "array"),
        ("x[1, 2]", "array"),
        ("x[:, None]", "array"),
        ("x @ y", "array"),
        ("x[::2]", "either"),
        ("x + 1", "assumed"),
        ("-x * 2", "assumed"),
        ("x > 3", "assumed"),
        ("np.sort(x)", "array"),
        ("np.sort(2 * x)", "either"),
        ("np.sin(x)", "either"),
        ("int(np.ceil(x / 2))", "int"),
        ("np.sin(2 * -x)", "either"),
        ("np.sin(x) if x > 0 else y", "assumed"),
        ("np.sin(x) + max(0, min(abs(x), 3))", "assumed"),
        ("np.sin(x) if np.any(x > 0) else y", "either"),
        ("np.sort(x) if x > 0 else y", "array"),
        ("np.concatenate([x, y])", "either"),
        ("np.cumsum(y, axis=x)", "int"),
        ("np.sum(y, axis=x)", "plain"),
        ("np.zeros((3, 3), dtype=x)", "plain"),
        ("np.zeros(3, x)", "plain"),
        ("np.zeros((x, 3), dtype=x)", "int"),
        ("np.clip(y, x)", "either"),
        ("(x / y).astype(int)", "either"),
        ("(2 * x)[:, None]", "either"),
        ("(x + y).real", "assumed"),
        ("('%d' % x).size", "assumed"),
        ("x[x > 0]", "array"),
        ("x[y > 0]", "unknown"),
        ("x[~y]", "array"),
        ("x[(y > 0) & (y < 1)]", "array"),
        ("x[np.argsort(y)[::-1]]", "array"),
        ("x[np.argmax(y)]", "unknown"),
        ("x[0]", "unknown"),
        ("x['key']", "unknown"),
        ("x.items()", "unknown"),
        ("x.append(3)", "unknown"),
        ("x is None", "unknown"),
        ("x == 'linear'", "unknown"),
        ("x in names", "unknown"),
        ("[i for i in x]", "unknown"),
        ("range(x)", "int"),
        ("y[:x]", "int"),
        ("y[1:x + 1]", "int"),
        ("math.sqrt(x)", "int"),
        ("g(x)", "unknown"),
        ("x", "unknown"),
        ("lambda: x.shape", "unknown"),
    ],
)
def test_use(parameters: Parameters, kind: Kind, body: str, expected: str):
    assert kind(parameters(f"def f(x, y): {body}")["x"]) == expected


@pytest.mark.parametrize(
    "body", ["y - x if np.any(np.ma.getmask(x)) else y", "x.sum() + np.ma.getdata(x)"]
)
def test_what_is_asked_for_its_mask_is_no_plain_array(parameters: Parameters, body: str):
    passed = {"x": Array("float64", 1)}
    given = parameters(f"def f(x, y): {body}", passed)
    assert given["x"] == Instance("numpy.ma.MaskedArray")
    annotated = parameters(f"def f(x: np.ndarray, y): {body}", passed)
    assert isinstance(annotated["x"], Array)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("x = np.ones_like(y) if x is None else x", "either"),
        ("x = x if x is not None else 1 / np.diagonal(y)", "either"),
        ("if x is None: x = np.ones(len(y))", "either"),
        ("if x is not None: pass\n    else: x = np.sqrt(np.ones(3))", "either"),
        ("x = len(y) if x is None else x", "plain"),
        ("x = np.sqrt(2.0) if x is None else x", "plain"),
        ("x = 2 * np.pi if x is None else x", "plain"),
        ("z = np.ones_like(y) if x is None else y", "plain"),
        ("z = np.ones_like(y) if x is y else x", "plain"),
    ],
)
def test_what_stands_for_a_parameter_tells_of_it(
    parameters: Parameters, kind: Kind, body: str, expected: str
):
    assert kind(parameters(f"def f(y, x=None):\n    {body}")["x"]) == expected


@pytest.mark.parametrize(
    ("bound", "expected"),
    [
        ("i, j = np.triu_indices(9)", "array"),
        ("i = y.argsort()", "array"),
        ("i = np.nonzero(y)[0]", "array"),
        ("i = np.argmax(y)", "unknown"),
        ("i = pick(y)", "unknown"),
    ],
)
def test_what_indices_tell_of_what_they_index(
    parameters: Parameters, kind: Kind, bound: str, expected: str
):
    assert kind(parameters(f"def f(x, y):\n    {bound}\n    return x[i]")["x"]) == expected


def test_a_loop_over_a_parameter_and_work_on_it_leave_it_open(parameters: Parameters, kind: Kind):
    assert kind(parameters("def f(x):\n    for i in x: pass\n    x + 1")["x"]) == "unknown"


@pytest.mark.parametrize(
    ("default", "expected"),
    [
        ("3", "int"), ("2.5", "float"), ("-1", "int"), ("True", "bool"), ("'same'", "str"),
        ("0.022**2", "float"), ("-5 / 2", "float"), ("2 * CONSTANT", "unknown"),
        ("None", "plain"), ("()", "unknown"), ("[]", "unknown"), ("CONSTANT", "unknown"),
    ],
)  # fmt: skip
def test_defaults(parameters: Parameters, kind: Kind, default: str, expected: str):
    assert kind(parameters(f"def f(x={default}): pass")["x"]) == expected
    assert kind(parameters(f"def f(*, x={default}): pass")["x"]) == expected


def test_an_optional_array(parameters: Parameters):
    value = parameters("def f(x=None): return x.shape")["x"]
    assert value == Array(sources=frozenset("x"), optional=True)


def test_an_annotation_weighs_more_than_use_default_and_call_sites(parameters: Parameters):
    value = parameters("def f(x: int = 3): return x.shape", {"x": Array()})["x"]
    assert value == Scalar("int")


SOURCE = frozenset("x")


@pytest.mark.parametrize(
    ("seen", "body", "expected"),
    [
        (Array("float64", 2), "x", Array(None, None, SOURCE)),
        (Array(optional=True), "x", Array(None, None, SOURCE, optional=True)),
        (Either("float64"), "x", Either(None, SOURCE, python=True, seen=True)),
        (Number("float64"), "x", Either(None, SOURCE, python=True)),
        (Scalar("int", 3), "x", Scalar("int")),
        (Scalar("int"), "x.shape", Array(None, None, SOURCE)),
        (Instance("h5py.File"), "x", Instance("h5py.File")),
        (Sequence(Array("float64")), "x", Sequence(Array(None, None, SOURCE))),
        (Mapping(Array()), "x", Mapping(Array(None, None, SOURCE))),
        (
            record({"n": Scalar("int", 3), "of": Mapping(Array())}),
            "x",
            record({"n": Scalar("int"), "of": Mapping(Array(None, None, SOURCE))}),
        ),
        (Tuple((Array(), Scalar("int"))), "x", Tuple((Array(None, None, SOURCE), Scalar("int")))),
        (UNKNOWN, "x + 1", ASSUMED),
    ],
)
def test_call_sites(parameters: Parameters, seen: Value, body: str, expected: Value):
    assert parameters(f"def f(x): {body}", {"x": seen})["x"] == expected


def test_self_and_starred_parameters_are_not_known(parameters: Parameters, kind: Kind):
    found = parameters("class A:\n    def f(self, x: int, *more, **rest): self.y + more.shape")
    assert {name: kind(value) for name, value in found.items()} == {
        "self": "unknown", "x": "int", "more": "unknown", "rest": "unknown",
    }  # fmt: skip


def test_a_static_method_has_no_self(parameters: Parameters, kind: Kind):
    found = parameters("class A:\n    @staticmethod\n    def f(x): return x.shape")
    assert kind(found["x"]) == "array"


def test_what_is_not_known_says_of_what(parameters: Parameters):
    value = parameters("def f(x): pass")["x"]
    assert isinstance(value, Unknown)
    assert value.why == "`x`"


def test_work_of_an_inner_function_says_nothing(parameters: Parameters, kind: Kind):
    assert kind(parameters("def f(x):\n    def g(x): return x.shape")["x"]) == "unknown"


@pytest.mark.parametrize(
    "body",
    [
        "return x.T",
        "return x[:, 0]",
        "return x[i, 1:]",
        "n, m = x.shape",
        "return x.shape[1]",
        "return x.sum(axis=1)",
        "return np.sum(x, axis=1)",
    ],
)
@pytest.mark.parametrize("parameter", ["x", "x: np.ndarray"])
def test_what_is_treated_as_a_matrix(parameters: Parameters, body, parameter):
    assert _matrix(parameters, body, parameter)


@pytest.mark.parametrize(
    "body",
    [
        "return x[0]",
        "return x[None, :]",
        "return x[..., 0]",
        "(n,) = x.shape",
        "n, *rest = x.shape",
        "return x.shape[0]",
        "return x.sum(axis=0)",
        "return x @ y",
        "return y.T @ x",
    ],
)
def test_what_may_as_well_be_a_vector(parameters: Parameters, body):
    assert not _matrix(parameters, body, "x")


def _matrix(parameters: Parameters, body: str, parameter: str) -> bool:
    value = parameters(f"def f({parameter}, y, i):\n    {body}\n")["x"]
    return isinstance(value, Array) and bool(value.matrices)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("np.zeros(n)", "plain"),
        ("y.sum(axis=n) + np.sum(y, axis=n)", "plain"),
        ("np.zeros(n)[range(n)]", "int"),
        ("np.eye(n)", "int"),
        ("y * n", "int"),
    ],
)
def test_a_default_of_an_axis_or_a_shape_may_be_several(
    parameters: Parameters, kind: Kind, body: str, expected: str
):
    """Of one integer that others may replace with a tuple nothing follows for the axes."""
    assert kind(parameters(f"def f(y, n=3): return {body}")["n"]) == expected
