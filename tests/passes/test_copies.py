"""What copies is no view: what is done to the copy is not done to the argument."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

BODY = """\
import numpy as np


def unit(q: np.ndarray, keep=None):
    v = {made}
    v[1:] *= -1.0
    return v / np.dot(v, v)
"""


@pytest.mark.parametrize(
    "made", ["np.array(q)", "np.array(q, dtype=float, copy=True)", "q.astype(float)"]
)
def test_a_copy_that_is_changed_is_not_written_back(made: str):
    assert '@device("q")\n' in (port(BODY.format(made=made)).after or "")


@pytest.mark.parametrize(
    "made",
    ["np.array(q, copy=None)", "np.array(q, float, copy=keep)", "q.astype(float, copy=False)"],
)
def test_what_may_be_a_view_is_written_back(made: str):
    assert 'writes="q")\n' in (port(BODY.format(made=made)).after or "")
