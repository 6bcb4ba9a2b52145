"""Arrays that are more than plain ones are not made plain without a word on the host path."""

from __future__ import annotations

import numpy as np
import pytest

from gpuport.runtime import reset_stats, stats
from gpuport.runtime.visits import refuse_unclear, visiting

MIXED = """
@device("y", host="x")
def scaled(x, y):
    return cp.exp(y) + cp.asarray(np.cumsum(x))
"""
OWN = """
@device("x")
def total(x):
    x = cp.asarray(x)
    return cp.exp(x)
"""
MASKED = np.ma.masked_less(np.arange(5.0), 2)


@pytest.fixture(autouse=True)
def _fresh_stats():
    reset_stats()


@pytest.mark.parametrize("x", [MASKED, np.matrix([[1.0, 2.0]])])
def test_what_a_host_operation_gave_is_not_made_plain(ported, x):
    with pytest.raises(TypeError, match="the original may have kept it"):
        ported(MIXED).scaled(x, np.ones(x.shape))


def test_plain_arrays_go_to_the_device(ported):
    function = ported(MIXED).scaled
    x = np.arange(5.0)
    np.testing.assert_allclose(function(x, np.ones(5)), np.exp(1) + np.cumsum(x))
    assert stats()["program.scaled"].device == 1


def test_the_programs_own_asarray_makes_a_plain_array(ported):
    result = ported(OWN).total(MASKED)
    assert type(result) is np.ndarray
    np.testing.assert_allclose(result, np.exp(np.arange(5.0)))


def test_only_what_is_no_argument_is_unclear():
    refuse_unclear(MASKED)  # no call is on the host path
    with visiting([{"a": [MASKED]}]):
        refuse_unclear(MASKED)
        refuse_unclear(np.ones(3))
        refuse_unclear([1, 2])
        with visiting([]), pytest.raises(TypeError):
            refuse_unclear(MASKED)
        refuse_unclear(MASKED)
