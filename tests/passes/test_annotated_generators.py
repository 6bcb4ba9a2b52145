"""A parameter that is annotated as a generator of random numbers gives arrays of the host."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

TEXT = """\
import numpy as np
from numpy.random import Generator, RandomState


def project(x: np.ndarray, rng{annotation}):
    weights = rng.normal(size=(300, 3))
    return np.exp(np.sin(x) * np.cos(x)) @ weights
"""


@pytest.mark.parametrize(
    "annotation",
    [": np.random.Generator", ": Generator", ": RandomState", ": np.random.RandomState"],
)
def test_draws_are_moved_to_where_they_are_used(annotation: str):
    after = port(TEXT.format(annotation=annotation)).after or ""
    assert "weights = cp.asarray(rng.normal(size=(300, 3)))" in after
    assert '@device("x")' in after


@pytest.mark.parametrize("annotation", ["", ": object", ": Other"])
def test_of_other_parameters_nothing_is_known(annotation: str):
    after = port(TEXT.format(annotation=annotation)).after or ""
    assert "cp.asarray(rng.normal" not in after
