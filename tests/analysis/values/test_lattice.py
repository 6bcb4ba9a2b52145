"""The join of two claims holds wherever one of them does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuport.analysis.values.lattice import (
    EMPTY,
    NONE,
    PLACE,
    UNKNOWN,
    Array,
    Either,
    Mapping,
    Number,
    Scalar,
    Sequence,
    Tuple,
    Unknown,
    Value,
    describe,
    elements,
    is_arraylike,
    is_container,
    is_number,
    join,
    join_all,
    on_device_possible,
)

Covers = Callable[[Value, Any], bool]

DTYPES = st.sampled_from([None, "float64", "int64"])
SOURCES = st.frozensets(st.sampled_from("xy"), max_size=2)
PLAIN = st.one_of(
    st.builds(Scalar, st.sampled_from([None, "int", "float", "bool", "str", "None"])),
    st.builds(Array, DTYPES, st.sampled_from([None, 1, 2]), SOURCES, st.booleans()),
    st.builds(Number, DTYPES, st.booleans()),
    st.builds(Either, DTYPES, SOURCES, st.booleans(), st.booleans(), st.booleans()),
    st.just(UNKNOWN),
)
CLAIMS: st.SearchStrategy[Value] = st.recursive(
    PLAIN,
    lambda inner: st.one_of(
        st.builds(Sequence, inner, st.booleans()),
        st.builds(Tuple, st.lists(inner, max_size=3).map(tuple)),
        st.builds(Mapping, inner),
    ),
    max_leaves=4,
)
OBJECTS: list[Any] = [
    None, 3, 2.5, True, "text", np.float64(1.5), np.int64(2),
    np.zeros(3), np.zeros((2, 3)), np.zeros(3, "int64"), np.array(1.0),
]  # fmt: skip
HELD: list[Any] = [
    *OBJECTS,
    *([x] for x in OBJECTS),
    *((x,) for x in OBJECTS),
    *((x, np.zeros(3)) for x in OBJECTS),
    *({"key": x} for x in OBJECTS),
    [], (), {},
]  # fmt: skip


@given(CLAIMS)
def test_join_is_idempotent(claim: Value):
    assert join(claim, claim) == claim


@given(CLAIMS, CLAIMS)
def test_join_is_commutative(a: Value, b: Value):
    assert join(a, b) == join(b, a)


@given(CLAIMS, CLAIMS)
def test_what_either_claim_allows_the_join_allows(covers: Covers, a: Value, b: Value):
    joined = join(a, b)
    for actual in HELD:
        if covers(a, actual) or covers(b, actual):
            assert covers(joined, actual), actual


@given(st.lists(CLAIMS, max_size=4), st.randoms())
def test_the_order_of_a_join_never_makes_it_stronger_than_its_parts(covers, claims, random):  # type: ignore[no-untyped-def]
    random.shuffle(claims)
    joined = join_all(claims)
    for actual in HELD:
        if any(covers(claim, actual) for claim in claims):
            assert covers(joined, actual), actual


@given(CLAIMS)
def test_joining_with_what_is_not_known_is_not_known(claim: Value):
    assert isinstance(join(claim, UNKNOWN), Unknown)


@pytest.mark.parametrize(
    ("a", "b", "joined"),
    [
        (Array("float64", 2), Array("float64", 2), Array("float64", 2)),
        (Array("float64", 2), Array("int64", 2), Array(None, 2)),
        (Array("float64", 2), Array("float64", 1), Array("float64", None)),
        (Array(), NONE, Array(optional=True)),
        (Array("float64"), Number("float64"), Either("float64")),
        (Array("float64"), Scalar("int"), Either(python=True)),
        (Number("float64"), Scalar("float"), Number(None, numpy_scalar=False, real=True)),
        (Number("float64"), Number("float64", numpy_scalar=False), Number("float64", False)),
        (Scalar("int", 3), Scalar("int", 4), Scalar("int")),
        (Scalar("int"), Scalar("str"), Scalar()),
        (Array(), Scalar("str"), UNKNOWN),
        (Array(sources=frozenset("x")), Array(sources=frozenset("y")),
         Array(sources=frozenset("xy"))),
        (Tuple((Array(), Scalar("int"))), Tuple((Array(), Scalar("int", 1))),
         Tuple((Array(), Scalar("int")))),
        (Tuple((Array(),)), Tuple((Array(), Array())), Sequence(Array(), list=False, least=1)),
        (Array("float64", 3), Array("float64", 2), Array("float64", least=2)),
        (Array("float64", least=2), Array("float64", 1), Array("float64")),
        (Array("float64", 0), Array("float64", 1), Array("float64", least=0)),
        (Sequence(Array()), Sequence(EMPTY), Sequence(Array())),
        (Sequence(Array()), Array(), UNKNOWN),
        (Scalar("slice"), Tuple((Scalar("slice"), Scalar("int"))), PLACE),
        (PLACE, Tuple((Scalar("slice"), Scalar("slice"))), PLACE),
        (Scalar("slice"), Tuple((Scalar("slice"), Array("bool"))), UNKNOWN),
        (Scalar("int"), Tuple((Scalar("int"), Scalar("int"))), UNKNOWN),
        (Mapping(Array("float64")), Mapping(Array("int64")), Mapping(Array())),
    ],
)  # fmt: skip
def test_joins(a: Value, b: Value, joined: Value):
    assert join(a, b) == joined
    assert join(b, a) == joined


def test_the_join_of_nothing_is_not_known():
    assert join_all([]) == UNKNOWN


@pytest.mark.parametrize(
    ("claim", "number", "container", "arraylike", "device"),
    [
        (Scalar("int"), True, False, False, False),
        (Scalar("str"), False, False, False, False),
        (Number(), True, False, True, True),
        (Array(), False, False, True, True),
        (Either(), False, False, True, True),
        (Tuple((Scalar("int"), Array())), False, True, False, True),
        (Tuple((Scalar("int"),)), False, True, False, False),
        (Sequence(EMPTY), False, True, False, True),
        (Sequence(Scalar("int")), False, True, False, False),
        (Mapping(Array()), False, True, False, True),
        (UNKNOWN, False, False, False, False),
    ],
)
def test_kinds(claim: Value, number: bool, container: bool, arraylike: bool, device: bool):
    assert is_number(claim) is number
    assert is_container(claim) is container
    assert is_arraylike(claim) is arraylike
    assert on_device_possible(claim) is device
    assert describe(claim)


@given(CLAIMS)
def test_iterating_a_container_gives_what_is_in_it(covers: Covers, claim: Value):
    inner = elements(claim)
    for actual in HELD:
        if isinstance(actual, (list, tuple)) and covers(claim, actual) and actual:
            assert inner is None or all(covers(inner, item) for item in actual)


def test_covers_tells_claims_apart(covers: Covers):
    truths = {
        Array(): np.zeros(2), Number(): np.float64(1), Scalar("int"): 1, NONE: None,
    }  # fmt: skip
    for claim in truths:
        assert [covers(claim, actual) for actual in truths.values()].count(True) == 1


@pytest.mark.parametrize(
    ("one", "other", "joined"),
    [
        ("int", "float", "number"), ("number", "int", "number"), ("float", "number", "number"),
        ("number", "number", "number"), ("bool", "int", None), ("number", "complex", None),
        ("number", "str", None), ("float", "None", None),
    ],
)  # fmt: skip
def test_numbers_of_python_are_numbers_together(one: str, other: str, joined: str | None):
    assert join(Scalar(one), Scalar(other)) == Scalar(joined)
    assert is_number(Scalar("number"))
