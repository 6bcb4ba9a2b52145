"""What is taken to be known of a parameter, and on what grounds."""

from __future__ import annotations

import ast
import textwrap

import pytest

from gpuport.analysis.evidence import ASSUMED, Takes, Uses, open_uses, parameter_values
from gpuport.analysis.values import (
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
)
from gpuport.source.names import FunctionNode, Scope, build_scopes, walk_scopes


def parameters(text: str, sites: dict[str, Value] | None = None) -> dict[str, Value]:
    """Values of the parameters of the function ``f``."""
    tree = ast.parse("import numpy as np\nimport math\n" + textwrap.dedent(text))
    scopes = list(walk_scopes(build_scopes(tree)))
    known: dict[str, Uses] = {}

    def uses_of(scope: Scope) -> Uses:
        if scope.name not in known:
            uses = known[scope.name] = open_uses(scope, function_of(scope), takes, called)
            for statement in function_of(scope).body:
                uses.collect(statement)
        return known[scope.name]

    def called(_: Scope, function: ast.expr) -> tuple[FunctionNode, Uses] | None:
        name = function.id if isinstance(function, ast.Name) else ""
        found = next((s for s in scopes if s.name == name), None)
        return None if found is None else (function_of(found), uses_of(found))

    scope = next(s for s in scopes if s.name.endswith("f"))
    return parameter_values(scope, function_of(scope), sites or {}, uses_of(scope))


def takes(path: str, position: int | None, keyword: str | None) -> Takes:
    """Positions of the calls below: arrays or numbers first, then numbers."""
    if position == 0:
        return Takes.ARRAY if path == "numpy.sort" else Takes.ELEMENTS
    return Takes.NUMBER if keyword == "axis" else Takes.ANYTHING


def function_of(scope: Scope) -> FunctionNode:
    assert isinstance(scope.node, (ast.FunctionDef, ast.AsyncFunctionDef))
    return scope.node


def kind(value: Value) -> str:
    """The claim in one word."""
    if isinstance(value, Scalar):
        return value.type or "plain"
    return type(value).__name__.lower()


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        ("int", "int"),
        ("float", "float"),
        ("bool", "bool"),
        ("complex", "complex"),
        ("str", "str"),
        ("np.ndarray", "array"),
        ("ndarray", "array"),
        ("'np.ndarray'", "array"),
        ("NDArray", "array"),
        ("npt.NDArray[np.float64]", "array"),
        ("np.ndarray | None", "array"),
        ("None | np.ndarray", "array"),
        ("Optional[np.ndarray]", "array"),
        ("Optional[int]", "plain"),
        ("int | None", "plain"),
        ("np.ndarray | float", "either"),
        ("int | float", "plain"),
        ("list", "unknown"),
        ("SomeClass", "unknown"),
        ("'not an expression ['", "unknown"),
        ("np.ndarray | SomeClass", "unknown"),
    ],
)
def test_annotations(annotation: str, expected: str):
    assert kind(parameters(f"def f(x: {annotation}): pass")["x"]) == expected


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        ("list[np.ndarray]", Sequence(Array(sources=frozenset("x")))),
        ("List[NDArray[np.float64]]", Sequence(Array("float64", sources=frozenset("x")))),
        ("'list[np.ndarray]'", Sequence(Array(sources=frozenset("x")))),
        ("Sequence[np.ndarray]", Sequence(Array(sources=frozenset("x")), list=False)),
        ("tuple[np.ndarray, ...]", Sequence(Array(sources=frozenset("x")), list=False)),
        ("tuple[np.ndarray, int]", Tuple((Array(sources=frozenset("x")), Scalar("int")))),
        ("dict[str, np.ndarray]", Mapping(Array(sources=frozenset("x")))),
        ("list[list[np.ndarray]]", Sequence(Sequence(Array(sources=frozenset("x"))))),
    ],
)
def test_an_annotation_names_what_a_container_holds(annotation: str, expected: Value):
    assert parameters(f"def f(x: {annotation}): pass")["x"] == expected


@pytest.mark.parametrize(
    "annotation",
    [
        "list", "list[float]", "list[list[float]]", "dict[str, float]", "Iterable[np.ndarray]",
        "tuple[int, ...]", "list[np.ndarray | None]", "set[np.ndarray]", "list[Any]",
    ],
)  # fmt: skip
def test_other_containers_are_not_known_by_their_annotation(annotation: str):
    assert not isinstance(parameters(f"def f(x: {annotation}): pass")["x"], Sequence | Mapping)


def test_an_annotation_names_the_dtype():
    value = parameters("def f(x: npt.NDArray[np.float32]): pass")["x"]
    assert value == Array("float32", sources=frozenset("x"))
    assert parameters("def f(x: npt.NDArray[np.floating]): pass")["x"] == Array(
        sources=frozenset("x")
    )


@pytest.mark.parametrize(
    "annotation", ["np.ndarray | None", "Optional[np.ndarray]", "'np.ndarray | None'"]
)
def test_what_may_be_none_is_optional(annotation: str):
    value = parameters(f"def f(x: {annotation} = None): pass")["x"]
    assert isinstance(value, Array)
    assert value.optional


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
        ("np.concatenate([x, y])", "either"),
        ("np.sum(y, axis=x)", "int"),
        ("np.clip(y, x)", "unknown"),
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
def test_use(body: str, expected: str):
    assert kind(parameters(f"def f(x, y): {body}")["x"]) == expected


def test_a_loop_over_a_parameter_and_work_on_it_leave_it_open():
    assert kind(parameters("def f(x):\n    for i in x: pass\n    x + 1")["x"]) == "unknown"


@pytest.mark.parametrize(
    ("default", "expected"),
    [
        ("3", "int"), ("2.5", "float"), ("-1", "int"), ("True", "bool"), ("'same'", "str"),
        ("None", "plain"), ("()", "unknown"), ("[]", "unknown"), ("CONSTANT", "unknown"),
    ],
)  # fmt: skip
def test_defaults(default: str, expected: str):
    assert kind(parameters(f"def f(x={default}): pass")["x"]) == expected
    assert kind(parameters(f"def f(*, x={default}): pass")["x"]) == expected


def test_an_optional_array():
    value = parameters("def f(x=None): return x.shape")["x"]
    assert value == Array(sources=frozenset("x"), optional=True)


def test_an_annotation_weighs_more_than_use_default_and_call_sites():
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
        (Tuple((Array(), Scalar("int"))), "x", Tuple((Array(None, None, SOURCE), Scalar("int")))),
        (UNKNOWN, "x + 1", ASSUMED),
    ],
)
def test_call_sites(seen: Value, body: str, expected: Value):
    assert parameters(f"def f(x): {body}", {"x": seen})["x"] == expected


def test_self_and_starred_parameters_are_not_known():
    found = parameters("class A:\n    def f(self, x: int, *more, **rest): self.y + more.shape")
    assert {name: kind(value) for name, value in found.items()} == {
        "self": "unknown", "x": "int", "more": "unknown", "rest": "unknown",
    }  # fmt: skip


def test_a_static_method_has_no_self():
    found = parameters("class A:\n    @staticmethod\n    def f(x): return x.shape")
    assert kind(found["x"]) == "array"


def test_what_is_not_known_says_of_what():
    value = parameters("def f(x): pass")["x"]
    assert isinstance(value, Unknown)
    assert value.why == "`x`"


def test_work_of_an_inner_function_says_nothing():
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
def test_what_is_treated_as_a_matrix(body, parameter):
    assert _matrix(body, parameter)


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
def test_what_may_as_well_be_a_vector(body):
    assert not _matrix(body, "x")


def _matrix(body: str, parameter: str) -> bool:
    value = parameters(f"def f({parameter}, y, i):\n    {body}\n")["x"]
    return isinstance(value, Array) and bool(value.matrices)


@pytest.mark.parametrize(
    ("called", "expected"),
    [
        ("def g(a, k): return np.sort(a) * k", "array unknown"),
        ("def g(a, *, k): return a.sum(axis=0) + k", "array unknown"),
        ("def g(a: np.ndarray, k: float): return k", "array unknown"),
        ("def g(a, k): return a * k", "unknown unknown"),
        ("def g(a=None, k=2.0): return a if a is None else np.sort(a)", "unknown unknown"),
        ("def g(a, k): return np.sort(a) if k > 0 else g(a, k - 1)", "array unknown"),
        ("def g(a, k): return h(a)\ndef h(z): return np.sort(z)", "array unknown"),
    ],
)
def test_what_is_handed_to_a_function_that_takes_arrays_is_an_array(called, expected):
    found = parameters(f"def f(x, n): return g(x, k=n)\n{called}\n")
    assert f"{kind(found['x'])} {kind(found['n'])}" == expected


def test_nothing_is_told_by_calls_that_spread_their_arguments():
    text = "def f(x, y): return g(*y, x)\ndef g(a, b): return np.sort(a) + np.sort(b)"
    assert kind(parameters(text)["x"]) == "unknown"
