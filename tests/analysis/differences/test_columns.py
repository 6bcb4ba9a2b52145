"""Columns of arrays of more than two axes are an error in CuPy alone."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

PROGRAM = """import numpy as np

def columns(a, b):
    b = np.sin(a){shape}
    return np.column_stack({given})
"""


@pytest.mark.parametrize(
    ("shape", "given", "code"),
    [
        (".reshape(2, 3, -1)", "(b, b)", "GP515"),
        (".reshape(2, 3, -1)", "[b for _ in range(3)]", "GP515"),
        ("", "(b, b)", "GP520"),
        (".ravel()", "(b, b)", None),
        (".reshape(2, -1)", "(b, b)", None),
    ],
)
def test_told(shape: str, given: str, code: str | None) -> None:
    report = port(PROGRAM.format(shape=shape, given=given))
    assert {f.code for f in report.findings} & {"GP515", "GP520"} == ({code} if code else set())
