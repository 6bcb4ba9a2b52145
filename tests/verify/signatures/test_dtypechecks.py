"""Which types of elements a function's own checks ask for."""

from __future__ import annotations

import ast

import pytest

from gpuport.verify.signatures.dtypechecks import asked_dtypes
from gpuport.verify.signatures.signatures import signatures_of

REFUSES = "    if {}:\n        raise TypeError('other')\n"


@pytest.mark.parametrize(
    ("check", "expected"),
    [
        (REFUSES.format("x.dtype.kind != 'i'"), ("int64",)),
        (REFUSES.format("x.dtype.kind not in 'iu'"), ("int64", "uint8")),
        (REFUSES.format("x.dtype.kind not in ('f', 'c')"), ("float64", "complex128")),
        (REFUSES.format("x.dtype != np.float32 or x.ndim != 2"), ("float32",)),
        (REFUSES.format("not np.issubdtype(x.dtype, np.integer)"), ("int64",)),
        (REFUSES.format("not (x.dtype == 'bool' and x.size)"), ("bool",)),
        ("    assert x.dtype in (np.int16, int)\n", ("int16", "int64")),
        (REFUSES.format("x.dtype.kind == 'c'"), ()),
        (REFUSES.format("x.dtype != np.int8 and x.size"), ()),
        (REFUSES.format("y.dtype.kind != 'i'"), ()),
        ("    if x.dtype.kind != 'i':\n        x = x * 2\n", ()),
    ],
)
def test_what_checks_ask_for(check: str, expected: tuple[str, ...]) -> None:
    node = ast.parse(f"def f(x, y):\n{check}    return x + y\n")
    assert asked_dtypes("x", node) == expected


def test_arrays_of_that_type_are_tried_first() -> None:
    text = "def f(x: np.ndarray):\n" + REFUSES.format("x.dtype.kind != 'u'") + "    return x + x\n"
    (signature,) = signatures_of(ast.parse(text))
    assert signature.parameters[0].candidates[0].dtype == "uint8"
