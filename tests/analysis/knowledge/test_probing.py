"""What probing claims of a result is true of what NumPy really returns."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from gpuport.analysis.knowledge import asked, probing
from gpuport.analysis.knowledge.readings import limit_of_dtype
from gpuport.analysis.knowledge.tables import knowledge
from gpuport.analysis.values.lattice import (
    UNKNOWN,
    Array,
    Either,
    Number,
    Scalar,
    Sequence,
    Tuple,
    Unknown,
    Value,
)
from gpuport.probing.functions import OPERATORS

Covers = Callable[[Value, Any], bool]
# NumPy takes few of all combinations.
MANY = settings(
    max_examples=400, deadline=None, suppress_health_check=[HealthCheck.filter_too_much]
)
DTYPES = st.sampled_from(["float64", "float32", "int64", "bool", "uint8", "complex128"])
COMMON = st.sampled_from(["float64", "float32", "int64", "bool"])
# What they return depends on the values or the lengths of their arguments.
VALUES_DECIDE = frozenset(
    f"numpy.{name}"
    for name in (
        *(
            "cov",
            "corrcoef",
        ),  # of one variable: left out of account, and said so where they are named
        *("linalg.eig", "linalg.eigvals", "roots", "cross", "histogramdd"),
        *("zeros", "ones", "empty", "full", "indices", "resize", "tile", "broadcast_shapes"),
    )
)


@cache
def functions() -> list[str]:
    """NumPy functions that have a counterpart on the device."""
    tables = knowledge().tables
    found = []
    for module, prefix in (np, "numpy."), (np.linalg, "numpy.linalg."), (np.fft, "numpy.fft."):
        for name in dir(module):
            path = prefix + name
            function = getattr(module, name)
            if name.startswith("_") or not callable(function) or isinstance(function, type):
                continue
            if tables.entry(path) is not None and tables.counterpart(path).target_name:
                found.append(path)
    return found


PATHS = st.deferred(lambda: st.sampled_from([p for p in functions() if p not in VALUES_DECIDE]))


def function_at(path: str) -> Callable[..., Any]:
    found: Any = np
    for part in path.split(".")[1:]:
        found = getattr(found, part)
    return found  # type: ignore[no-any-return]


def real(run: Callable[[], Any]) -> Any:
    """What NumPy returns; an example that it does not take is no example."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return run()
        except Exception:
            assume(False)


def make(rank: int, dtype: str, side: int = 3) -> Any:
    """A well-conditioned array."""
    array = np.arange(1.0, side**rank + 1).reshape((side,) * rank) % 7 + 1
    if rank >= 2:
        array = array + 20 * np.eye(side)
    return array.astype(dtype)


@st.composite
def arrays(draw: st.DrawFn, dtypes: st.SearchStrategy[str] = DTYPES) -> Any:
    return make(draw(st.integers(1, 3)), draw(dtypes), draw(st.sampled_from([1, 2, 3, 4])))


@st.composite
def extras(draw: st.DrawFn) -> tuple[list[tuple[Any, Value]], dict[str, tuple[Any, Value]]]:
    """Further arguments, each with its exact claim."""
    kind = draw(st.sampled_from(["none", "number", "axis", "keepdims", "float"]))
    if kind == "number":
        number = draw(st.sampled_from([0, 1, 2, 3]))
        return [(number, Scalar("int", number))], {}
    if kind == "float":
        return [(1.5, Scalar("float", 1.5))], {}
    if kind in ("axis", "keepdims"):
        axis = draw(st.sampled_from([0, 1, -1]))
        keywords: dict[str, tuple[Any, Value]] = {"axis": (axis, Scalar("int", axis))}
        if kind == "keepdims":
            keywords["keepdims"] = (True, Scalar("bool", True))
        return [], keywords
    return [], {}


def exact(array: Any) -> Value:
    return Array(array.dtype.name, array.ndim)


@MANY
@given(PATHS, arrays(), extras(), st.booleans())
def test_of_known_arrays_the_claim_is_true(covers, path, array, more, twice):  # type: ignore[no-untyped-def]
    positional, keywords = more
    given_arrays = [array, array] if twice else [array]
    actual = real(
        lambda: function_at(path)(
            *given_arrays, *(a for a, _ in positional), **{k: a for k, (a, _) in keywords.items()}
        )
    )
    claim = probing.probe_call(
        path,
        (*(exact(a) for a in given_arrays), *(v for _, v in positional)),
        tuple((k, v) for k, (_, v) in keywords.items()),
    )
    assert covers(claim, actual), (claim, type(actual))


@MANY
@given(PATHS, arrays(COMMON), extras(), st.sampled_from(["dtype", "rank", "both"]))
def test_of_unknown_arrays_the_kind_is_true(covers, path, array, more, hidden):  # type: ignore[no-untyped-def]
    """Whether it is an array, a number, a tuple: copies and transfers rest on it."""
    positional, keywords = more
    actual = real(
        lambda: function_at(path)(
            array, *(a for a, _ in positional), **{k: a for k, (a, _) in keywords.items()}
        )
    )
    value = Array(
        None if hidden != "rank" else array.dtype.name, None if hidden != "dtype" else array.ndim
    )
    claim = probing.probe_call(
        path,
        (value, *(v for _, v in positional)),
        tuple((k, v) for k, (_, v) in keywords.items()),
    )
    assert covers(kind(claim), actual), (claim, type(actual))


def kind(claim: Value) -> Value:
    """A claim without its dtypes and ranks."""
    if isinstance(claim, Array):
        return Array(optional=claim.optional, least=claim.fewest)
    if isinstance(claim, Number):
        return Number(numpy_scalar=claim.numpy_scalar)
    if isinstance(claim, Either):
        return Either(python=claim.python, optional=claim.optional)
    if isinstance(claim, Tuple):
        return Tuple(tuple(kind(item) for item in claim.items))
    if isinstance(claim, Sequence):
        return Sequence(kind(claim.of), claim.list, least=claim.least)
    return claim


OPERANDS = st.one_of(
    arrays().map(lambda a: (a, exact(a))),
    st.sampled_from([2, 2.5, True, 1j]).map(lambda n: (n, Scalar(type(n).__name__))),
    DTYPES.map(lambda d: (np.ones((), d)[()], Number(d))),
)


@MANY
@given(st.sampled_from(sorted(OPERATORS)), OPERANDS, OPERANDS)
def test_operators(covers, name, left, right):  # type: ignore[no-untyped-def]
    operands = [left] if name in ("USub", "UAdd", "Invert") else [left, right]
    assume(any(not isinstance(value, Scalar) for _, value in operands))
    actual = real(lambda: OPERATORS[name](*(a for a, _ in operands)))
    claim = probing.probe_operator(name, tuple(v for _, v in operands))
    assert covers(claim, actual), (claim, actual)


ENTRIES: list[tuple[Any, Value | str]] = [
    (0, Scalar("int", 0)),
    (1, Scalar("int")),
    (slice(None), ":"),
    (slice(0, 2), Scalar("slice")),
    (..., "..."),
    (None, "None"),
    (np.int64(1), Number("int64")),
    (np.array([0, 1]), Array("int64", 1)),
    (np.array([[0], [1]]), Array("int64", 2)),
    ([0, 1], Sequence(Scalar("int"))),
]


@MANY
@given(arrays(), st.lists(st.sampled_from(ENTRIES), min_size=1, max_size=3), st.booleans())
def test_indices(covers, array, entries, unknown_rank):  # type: ignore[no-untyped-def]
    key = tuple(actual for actual, _ in entries)
    actual = real(lambda: array[key if len(key) > 1 else key[0]])
    value = Array(array.dtype.name) if unknown_rank else exact(array)
    claim = probing.probe_index(value, tuple(v for _, v in entries))
    if unknown_rank:
        claim = kind(claim)
    assert covers(claim, actual), (claim, type(actual))


@settings(max_examples=200, deadline=None)
@given(arrays(), st.integers(1, 2))
def test_masks(covers, array, rank):  # type: ignore[no-untyped-def]
    assume(rank <= array.ndim)
    mask = np.ones(array.shape[:rank], bool)
    claim = probing.probe_index(exact(array), (Array("bool", rank),))
    assert covers(claim, array[mask])


@pytest.mark.parametrize(
    ("text", "actual"),
    [
        ("0:1:10j", np.mgrid[0:1:10j]),
        ("0:n, 0:n", np.mgrid[0:4, 0:4]),
        ("-1:1:n, a:b:c, 0:3", np.mgrid[-1:1:1, 0:3:1, 0:3]),
    ],
)
def test_index_objects(covers: Covers, text: str, actual: Any):
    index = ast.parse(f"x[{text}]", mode="eval").body
    assert isinstance(index, ast.Subscript)
    claim = probing.probe_object("numpy.mgrid", index.slice, {})
    assert isinstance(claim, Array)
    assert claim.rank == actual.ndim


@pytest.mark.parametrize(("kind", "dtype"), [("int", "int64"), ("float", "float64"), (None, None)])
def test_the_dtype_of_an_index_object_is_that_of_its_bounds(kind: str | None, dtype: str | None):
    index = ast.parse("x[0:n]", mode="eval").body
    assert isinstance(index, ast.Subscript)
    assert isinstance(index.slice, ast.Slice)
    claim = probing.probe_object("numpy.mgrid", index.slice, {id(index.slice.upper): kind})
    assert claim == Array(dtype, 1)


def test_what_is_no_name_of_numpy_is_not_known():
    assert probing.probe_call("numpy.no_such_name", (Array(),), ()) == UNKNOWN


def test_what_numpy_refuses_is_not_known():
    claim = probing.probe_operator("Sub", (Array("bool", 1), Array("bool", 1)))
    assert isinstance(claim, Unknown)


def test_an_array_is_made_for_the_shape_that_it_is_spread_over():
    shape = Tuple((Scalar("int", 5), Scalar("int", 8)), "(5, 8)")
    claim = probing.probe_call("numpy.broadcast_to", (Array("float64", 1), shape), ())
    assert claim == Array("float64", 2)


@pytest.mark.parametrize(
    ("path", "arguments", "rank"),
    [
        ("numpy.ndarray.reshape", (Scalar("int", 300), Scalar("int", 200)), 2),
        ("numpy.ndarray.reshape", (Scalar("int", 30), Scalar("int", 40), Scalar("int", 50)), 3),
        ("numpy.reshape", (Tuple((Scalar("int", 512), Scalar("int", 512)), "(512, 512)"),), 2),
        ("numpy.ndarray.reshape", (Scalar("int", 20_000), Scalar("int", -1)), 2),
    ],
)
def test_sizes_that_no_small_array_has_do_not_hide_the_rank(path, arguments, rank):
    claim = probing.probe_call(path, (Array("float32", 1), *arguments), ())
    assert claim == Array("float32", rank)


@pytest.mark.parametrize(
    ("path", "arguments", "claim"),
    [
        ("numpy.sum", (Array("float32", 2),), Number("float32")),
        ("numpy.mean", (Array("int64", 2),), Number("float64")),
        ("numpy.sqrt", (Array("float64"),), Array("float64")),
        ("numpy.sin", (Either(sources=frozenset("x")),), Either(sources=frozenset("x"))),
        ("numpy.shape", (Array("float64", 2),), Tuple((Scalar("int"), Scalar("int")))),
        ("numpy.ndarray.sum", (Array("float64", 3),), Number("float64")),
    ],
)
def test_some_claims(path: str, arguments: tuple[Value, ...], claim: Value):
    assert probing.probe_call(path, arguments, ()) == claim


def test_a_claim_rests_on_the_parameters_behind_it():
    x, y = Array(None, 1, frozenset("x")), Array(None, 1, frozenset("y"))
    claim = probing.probe_operator("Add", (x, y))
    assert isinstance(claim, Array)
    assert claim.sources == {"x", "y"}
    proven = probing.probe_operator("Add", (x, Array("float64", 1)))
    assert isinstance(proven, Array)
    assert proven.sources == frozenset()


def test_probing_draws_from_a_stream_of_its_own():
    before = np.random.get_state()[1].tolist()
    probing.probe_call("numpy.random.normal", (), (("size", Scalar("int", 3)),))
    probing.probe_call("numpy.random.shuffle", (Array("float64", 1),), ())
    assert np.random.get_state()[1].tolist() == before


@pytest.mark.parametrize(
    ("path", "arguments"),
    [
        # The length of an array of integers is a rank.
        ("numpy.zeros", [(np.array([2, 3]), Array("int64", 1))]),
        ("numpy.tile", [(np.ones(2), Array("float64", 1)), (np.array([1, 2]), Array("int64", 1))]),
        # The values decide between real and complex.
        ("numpy.linalg.eigvals", [(np.array([[0.0, -1], [1, 0]]), Array("float64", 2))]),
        ("numpy.roots", [(np.array([2.0, 3.0]), Array("float64", 1))]),
        # The cross product of vectors in the plane is a number.
        ("numpy.cross", [(np.ones(2), Array("float64", 1)), (np.ones(2), Array("float64", 1))]),
        # No complex numbers and no unsigned integers among the stand-ins.
        ("numpy.cov", [(np.ones(3, complex), Array(None, 1))]),
        ("numpy.float_power", [(np.ones(3, complex), Array(None, 1)), (2.0, Scalar("float"))]),
        ("numpy.gcd", [(np.ones(3, "uint8"), Array(None, 1))] * 2),
        # Ranks 1 and 2 are refused, rank 3 is the first that is not.
        ("numpy.max", [(np.ones((2, 2, 2, 2)), Array("float64")), (2, Scalar("int", 2))]),
        ("numpy.atleast_3d", [(np.ones((2, 2, 2, 2)), Array("float64"))]),
        ("numpy.column_stack", [(np.ones((2, 2, 2, 2)), Array("float64"))]),
    ],
)
def test_stand_ins_differ_in_what_decides(
    covers: Covers, path: str, arguments: list[tuple[Any, Value]]
):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        actual = function_at(path)(*(a for a, _ in arguments))
    assert covers(probing.probe_call(path, tuple(v for _, v in arguments), ()), actual)


def test_an_index_that_may_be_a_number(covers: Covers):
    claim = probing.probe_index(Array(), (Either(),))
    assert covers(claim, np.ones(3)[np.int64(1)])


WORDS = [
    ("numpy.pad", (np.ones((2, 3)), 1), (Array("float64", 2), Scalar()), "mode", ["edge", "wrap"]),
    ("numpy.pad", (np.ones(3), 1), (Array(), Scalar()), "mode", ["constant", "empty"]),
    ("numpy.convolve", (np.ones(5), np.ones(3)), (Array(), Array()), "mode", ["same", "full"]),
    ("numpy.linalg.qr", (np.eye(3),), (Array("float64", 2),), "mode", ["reduced", "r", "raw"]),
]


@pytest.mark.parametrize("known", [Scalar(), Scalar("str")])
@pytest.mark.parametrize(("path", "actual", "values", "name", "words"), WORDS)
def test_a_parameter_that_takes_one_of_some_words(covers, path, actual, values, name, words, known):
    """Which word it is is not known: what is claimed holds for all of them."""
    claim = probing.probe_call(path, values, ((name, known),))
    for word in words:
        assert covers(claim, function_at(path)(*actual, **{name: word}))


@pytest.mark.parametrize("rank", [1, 2])
def test_subscripts_that_are_not_known_decide(rank):
    for subscripts in (Scalar("str"), Scalar(), UNKNOWN):
        claim = probing.probe_call("numpy.einsum", (subscripts, Array("float64", rank)), ())
        assert claim == UNKNOWN


def test_the_rank_of_what_is_padded_is_kept():
    """Whatever the widths and the mode."""
    for widths in (Scalar(), Tuple((Tuple((Scalar(), Scalar())), Tuple((Scalar(), Scalar()))))):
        claim = probing.probe_call(
            "numpy.pad", (Array("float64", 2), widths), (("mode", Scalar()),)
        )
        assert claim == Array("float64", 2)


@pytest.mark.parametrize(
    ("path", "arguments", "rank"),
    [
        ("numpy.ones", (Tuple((Scalar("int", 3001),) * 3, "(3001, 3001, 3001)"),), 3),
        ("numpy.eye", (Scalar("int", 200_001),), 2),
        ("numpy.full", (Sequence(Scalar("int", 3002), list=False), Scalar("float")), None),
        ("numpy.linspace", (Scalar("int"), Scalar("int"), Scalar("int", 2**30)), 1),
    ],
)
def test_nothing_large_is_made_to_see_what_it_is(path, arguments, rank, monkeypatch):
    sizes = []
    maker = getattr(np, path.partition(".")[2])

    def watched(*values, **named):
        made = maker(*values, **named)
        sizes.append(made.size)
        return made

    monkeypatch.setattr(asked, "function_of", lambda _: watched)
    monkeypatch.setattr(probing, "ask", lambda one: asked.answer(one.data))
    for known in (probing._probe, probing._rested):  # other tests may have asked the same
        known.cache_clear()
    found = probing.probe_call(path, arguments, ())
    assert sizes
    assert max(sizes) < 10_000
    assert rank is None or (isinstance(found, Array) and found.rank == rank)
    for known in (probing._probe, probing._rested):  # other tests may have asked the same
        known.cache_clear()


@pytest.mark.parametrize("attribute", ["eps", "tiny", "max", "bits", "min", "resolution"])
@pytest.mark.parametrize("path", ["finfo", "iinfo"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int8, np.int64, None])
def test_limits_of_a_dtype(covers: Covers, path: str, dtype: type | None, attribute: str):
    limits = probing.probe_call(f"numpy.{path}", (Scalar("dtype", dtype),), ())
    of = dtype or {"finfo": np.float32, "iinfo": np.int8}[path]
    if (np.dtype(of).kind == "f") is not (path == "finfo"):
        assert limits == UNKNOWN
        return
    actual = getattr(getattr(np, path)(of), attribute, None)
    assert isinstance(limits, Scalar)
    assert covers(limit_of_dtype(limits, attribute), actual)


@pytest.mark.parametrize("path", ["numpy.concatenate", "numpy.stack", "numpy.hstack", "numpy.mean"])
@pytest.mark.parametrize("make", [lambda of: Sequence(of, list=True), lambda of: Tuple((of, of))])
def test_of_items_that_are_not_known_no_dtype_is_claimed(path: str, make: Callable[[Value], Value]):
    made = probing.probe_call(path, (make(UNKNOWN),), ())
    assert getattr(made, "dtype", None) is None


def test_the_only_element_of_an_array_is_of_its_dtype(covers: Covers):
    claim = probing.probe_call("numpy.ndarray.item", (Array(),), ())
    assert covers(claim, 1.5)
    assert covers(claim, 1)


SECONDS: dict[str, tuple[Value, list[Any]]] = {
    "unknown": (UNKNOWN, [None, 0, 1, 2, (0, 1), (1,), [0, 1], 1.5, np.ones((3, 3)), np.float32]),
    "python": (Scalar(), [None, 0, 1, (0, 1), (1, 0), 1.5, np.float32]),
    "int": (Scalar("int"), [0, 1, 2, -1, 3]),
    "either": (Either(None), [np.ones(3), np.float64(2), np.int64(1), np.ones((3, 3), "float32")]),
    "several": (Sequence(Scalar("int"), list=False), [(0,), (0, 1), (3, 3), (9,), (2, 1, 0)]),
}
FEW_TAKE_THEM = frozenset({"numpy.choose", "numpy.linalg.tensorinv", "numpy.linalg.tensorsolve"})
"""Functions of which hardly anything that stands in for other arguments is taken."""


@MANY
@given(
    PATHS.filter(lambda path: path not in FEW_TAKE_THEM), arrays(), st.sampled_from([*SECONDS]),
    st.sampled_from(["dtype", "rank", "both"]), st.data(),
)  # fmt: skip
def test_beside_what_is_not_known_the_claim_is_true(covers, path, array, kind, hidden, data):  # type: ignore[no-untyped-def]
    """Of whatever dtype and rank, and whatever the other argument is."""
    second, actual = SECONDS[kind]
    chosen = data.draw(st.sampled_from(actual))
    result = real(lambda: function_at(path)(array, chosen))
    dtype = None if hidden != "rank" else array.dtype.name
    rank = None if hidden != "dtype" else array.ndim
    claim = probing.probe_call(path, (Array(dtype, rank), second), ())
    assert covers(claim, result), claim


def test_elements_may_be_what_unknown_indices_give(covers: Covers):
    claim = probing.probe_index(Array(None, 2), (UNKNOWN, UNKNOWN))
    assert covers(claim, np.float64(1))
    assert covers(claim, np.ones((2, 2), bool))


SEVERAL: list[Value] = [
    UNKNOWN, Scalar(), Sequence(Scalar("int")), Sequence(Scalar("int"), list=False),
    Sequence(Scalar("int", 2), list=False), Tuple((Scalar("int"), Scalar("int"))),
]  # fmt: skip


@pytest.mark.parametrize("rank", [None, 2])
@pytest.mark.parametrize("given", SEVERAL)
@pytest.mark.parametrize(
    ("path", "actual", "argument"),
    [
        ("numpy.transpose", np.ones((2, 3)), (1, 0)),
        ("numpy.reshape", np.ones((2, 2)), (2, 2)),
        ("numpy.reshape", np.ones((2, 4)), (2, 2, 2)),
        ("numpy.reshape", np.ones((1, 2)), (2,)),
        ("numpy.sum", np.ones((2, 3)), (0, 1)),
        ("numpy.expand_dims", np.ones((2, 3)), (0, 1)),
        ("numpy.flip", np.ones((2, 3)), (0, 1)),
        ("numpy.linalg.norm", np.ones((2, 3)), (0, 1)),
        ("numpy.tile", np.ones((2, 3)), (2, 2)),
    ],
)
def test_of_axes_and_shapes_that_are_not_known_the_claim_is_true(
    covers: Covers,
    path: str,
    actual: Any,
    argument: tuple[int, ...],
    given: Value,
    rank: int | None,
):
    """A function takes few of the axes and shapes that stand in for all that there may be."""
    if isinstance(given, Tuple) and len(argument) != len(given.items):
        return
    word = {"numpy.linalg.norm": "axis"}.get(path)
    keywords = ((word, given),) if word else ()
    claim = probing.probe_call(
        path, (Array("float64", rank),) if word else (Array("float64", rank), given), keywords
    )
    function = function_at(path)
    real = function(actual, **{word: argument}) if word else function(actual, argument)
    assert covers(claim, real), claim


def test_what_ends_the_process_is_not_called() -> None:
    vector = Array(dtype="float64", rank=1)
    mode = (("mode", Scalar("str", "reflect")),)
    assert probing.probe_call("scipy.signal.upfirdn", (vector, vector), mode) is UNKNOWN


@pytest.mark.parametrize("name", ["add", "fmax", "logaddexp"])
def test_what_gives_nothing_is_not_called(name) -> None:
    """`np.fmax.at` reads outside of values that have more axes than what they are for."""
    cube = Array(dtype="float64", rank=3)
    matrix, places = Array(dtype="float64", rank=2), Array(dtype="int64", rank=1)
    for values in ((matrix, places, cube), (UNKNOWN, UNKNOWN, UNKNOWN)):
        assert probing.probe_call(f"numpy.{name}.at", values, ()) == Scalar("None")


def test_as_many_indices_as_stand_ins_have_axes_may_name_a_row() -> None:
    """Of an array of five axes, three indices leave a matrix."""
    whole = Scalar("int")
    assert probing.probe_index(Array("float64"), (whole, whole, whole)) == Either("float64")
    assert probing.probe_index(Array("float64", 3), (whole, whole, whole)) == Number(
        "float64", True
    )


def test_numbers_of_no_known_dtype_in_a_list_leave_open_what_is_made_of_it() -> None:
    """Few of the things that stand in for them go together, and those may all be whole numbers."""
    row = Tuple((Scalar("int"), Number("int64", True), Either(None), Either(None)))
    made = probing.probe_call("numpy.array", (Sequence(row),), ())
    assert isinstance(made, Array)
    assert made.dtype is None
