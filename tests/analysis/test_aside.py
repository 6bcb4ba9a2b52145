"""What nothing is known of is a value of the host, and keeps no array beside it there."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

from gpuport.analysis.values.lasting import lasting
from gpuport.analysis.values.lattice import (
    ASIDE,
    EMPTY,
    UNKNOWN,
    Array,
    Scalar,
    Tuple,
    Unknown,
    aside,
    join,
)

ARRAY = Array("float64", 1)

PROGRAM = """\
import json

import numpy as np

meta = json.loads("[1, 2]")


def build(x, meta):
    return {made}


def main():
    x = np.linspace(0, 3, 64)
    held = build(x, meta)
    for _ in range(4):
        x = np.sin(x) * {array} + np.sqrt(np.abs(x))
    {read}
    print(x.sum())


main()
"""


@pytest.mark.parametrize(
    ("made", "array", "read", "stays_on_device"),
    [
        ('{"y": np.cos(x), "meta": meta}', 'held["y"]', 'print(held["meta"])', True),
        ("np.cos(x), meta", "held[0]", "print(held[1])", True),
        ("np.cos(x), meta", "held[0]", "y, more = held; print(more)", True),
        ('{"y": np.cos(x), "meta": meta}', 'held["y"]', 'held["meta"] = 3', True),
        # which of them it is, is not known
        ('{"y": np.cos(x), "meta": meta}', 'held["y"]', "print(list(held.values()))", False),
        ('{"y": np.cos(x), "meta": meta}', 'held["y"]', "for key in held: print(held[key])", False),
        ("[np.cos(x), meta]", "held[0]", "print(held[1])", False),
    ],
)
def test_an_array_beside_it(made, array, read, stays_on_device):
    after = port(PROGRAM.format(made=made, array=array, read=read)).after or ""
    assert ("_main_x(x, held" in after) is stays_on_device


def test_claims():
    assert aside(Unknown("`x`")) == ASIDE
    assert aside(EMPTY) == EMPTY
    assert aside(ARRAY) == ARRAY
    assert join(ASIDE, Scalar("int")) == ASIDE
    assert join(ARRAY, ASIDE) == UNKNOWN
    assert lasting(Tuple((ARRAY, ASIDE))) == Tuple((ARRAY, ASIDE))
