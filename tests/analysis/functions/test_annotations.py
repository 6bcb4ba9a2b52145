"""What annotations say of parameters."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace

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


FLOATS = Array("float64", sources=frozenset("x"))


@pytest.mark.parametrize(
    ("annotation", "dtype", "rank"),
    [
        ("np.ndarray[tuple[int, int], np.dtype[np.float32]]", "float32", 2),
        ("np.ndarray[Any, np.dtype[np.int64]]", "int64", None),
        ("np.ndarray[tuple[int, ...], np.dtype[np.float64]]", "float64", None),
        ("np.ndarray[tuple[int, int], np.dtype[Any]]", None, 2),
        ("Float64[np.ndarray, 'rows columns']", "float64", 2),
        ("Float[np.ndarray, '3']", None, 1),
        ("Int32[np.ndarray, '']", "int32", 0),
        ("UInt8[np.ndarray, '*batch n']", "uint8", None),
        ("Bool[np.ndarray, '... n']", "bool", None),
        ("NDArray[np.double]", "float64", None),
        ("Annotated[NDArray[np.float32], 'metres']", "float32", None),
    ],
)
def test_an_annotation_names_dtype_and_axes(
    parameters: Parameters, annotation: str, dtype: str | None, rank: int | None
):
    found = parameters(f"def f(x: {annotation}): pass")["x"]
    assert found == Array(dtype, rank, frozenset("x"))


def test_arrays_of_other_libraries_are_not_numpys(parameters: Parameters):
    assert not isinstance(parameters("def f(x: Float64[Array, 'n']): pass")["x"], Array)


@pytest.mark.parametrize(
    ("written", "annotation", "expected"),
    [
        ("Matrix = NDArray[np.float64]", "Matrix", FLOATS),
        ("Matrix: TypeAlias = npt.NDArray[np.float64]", "'Matrix'", FLOATS),
        ("Matrix = NDArray[np.float64]\nRows = list[Matrix]", "Rows", Sequence(FLOATS)),
        ("if TYPE_CHECKING:\n    Matrix = NDArray[np.float64]", "Matrix", FLOATS),
        ("Matrix = np.ndarray", "Matrix", Array(sources=frozenset("x"))),
        ("Matrix = NDArray[np.float64] | None", "Matrix", replace(FLOATS, optional=True)),
    ],
)  # fmt: skip
def test_aliases_are_what_they_stand_for(
    parameters: Parameters, written: str, annotation: str, expected: Value
):
    assert parameters(f"{written}\ndef f(x: {annotation}): pass")["x"] == expected


@pytest.mark.parametrize(
    "written",
    [
        "Matrix = NDArray[np.float64]\nMatrix = list[int]",
        "if fast:\n    Matrix = NDArray[np.float64]\nelse:\n    Matrix = list[int]",
        "Matrix = NDArray[np.float64]\nclass Matrix: pass",
        "Matrix = NDArray[np.float64]\nfrom matrices import Matrix",
        "Matrix = Other[0]\nOther = list[Matrix]",
    ],
)
def test_names_that_are_bound_otherwise_too_are_no_aliases(parameters: Parameters, written: str):
    assert not isinstance(parameters(f"{written}\ndef f(x: Matrix): pass")["x"], Array)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the statement `type` is new in Python 3.12")
def test_statements_name_aliases_too(parameters: Parameters):
    text = "type Matrix = NDArray[np.float64]\ndef f(x: Matrix): pass"
    assert parameters(text)["x"] == FLOATS
    assert not isinstance(parameters(f"{text}\nMatrix = 3")["x"], Array)
