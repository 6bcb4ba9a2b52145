"""What annotations say of parameters."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gpuport.analysis.values.lattice import Array, Mapping, Scalar, Sequence, Tuple, Value

Parameters = Callable[..., dict[str, Value]]
Kind = Callable[[Value], str]


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
def test_annotations(parameters: Parameters, kind: Kind, annotation: str, expected: str):
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
def test_an_annotation_names_what_a_container_holds(
    parameters: Parameters, annotation: str, expected: Value
):
    assert parameters(f"def f(x: {annotation}): pass")["x"] == expected


@pytest.mark.parametrize(
    "annotation",
    [
        "list", "list[float]", "list[list[float]]", "dict[str, float]", "Iterable[np.ndarray]",
        "tuple[int, ...]", "list[np.ndarray | None]", "set[np.ndarray]", "list[Any]",
    ],
)  # fmt: skip
def test_other_containers_are_not_known_by_their_annotation(
    parameters: Parameters, annotation: str
):
    assert not isinstance(parameters(f"def f(x: {annotation}): pass")["x"], Sequence | Mapping)


def test_an_annotation_names_the_dtype(parameters: Parameters):
    value = parameters("def f(x: npt.NDArray[np.float32]): pass")["x"]
    assert value == Array("float32", sources=frozenset("x"))
    assert parameters("def f(x: npt.NDArray[np.floating]): pass")["x"] == Array(
        sources=frozenset("x")
    )


@pytest.mark.parametrize(
    "annotation", ["np.ndarray | None", "Optional[np.ndarray]", "'np.ndarray | None'"]
)
def test_what_may_be_none_is_optional(parameters: Parameters, annotation: str):
    value = parameters(f"def f(x: {annotation} = None): pass")["x"]
    assert isinstance(value, Array)
    assert value.optional
