"""Claims come back from the process that asks libraries as they were sent."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from gpuport.analysis.knowledge.encoding import NotData, decoded, encoded
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
)

CLAIMS: list[Any] = [
    UNKNOWN, Array(), Array("float32", 2), Array(None, None, frozenset("xy"), True, frozenset(), 3),
    Either("int64", python=True), Number(None, False), Scalar("int", 0), Scalar("bool", False),
    Scalar("float", -0.0), Scalar("float", float("inf")), Scalar("complex", 1 - 2j),
    Scalar("int", 1 << 10_000), Scalar("str", "\ud800 \n"), Scalar("dtype", np.float32),
    Scalar("dtype", np.longdouble), Scalar("dtype", bool), Scalar("finfo", np.float64),
    Scalar(None, b"\0"), Scalar(None, ...), Sequence(Number("int8"), False, "(1, 2)", least=2),
    Tuple((Array("bool", 1), Scalar("None")), names=("a", "b")), Instance("numpy.poly1d"),
    Mapping(Array("int64", 1), (("k", Number("int8")),)),
]  # fmt: skip


@pytest.mark.parametrize("claim", CLAIMS, ids=range(len(CLAIMS)))
def test_a_claim_comes_back_as_it_was(claim: Any):
    back = decoded(json.loads(json.dumps(encoded(claim))))
    assert back == claim
    assert str(getattr(back, "constant", None))[:99] == str(getattr(claim, "constant", None))[:99]


@pytest.mark.parametrize("thing", [object(), [1], {1: 2}, np.ones(2), len, Scalar("x", json)])
def test_objects_are_not_sent(thing: object):
    with pytest.raises(NotData):
        encoded(thing)


@pytest.mark.parametrize("data", [{"type": "os.system"}, {"type": "builtins.len"}, {"call": []}])
def test_nothing_else_is_made_of_what_was_kept(data: Any):
    with pytest.raises(NotData):
        decoded(data)
