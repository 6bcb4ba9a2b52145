"""Cross products of items: of vectors of two elements they are numbers."""

from __future__ import annotations

import numpy as np
import pytest

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

LOOP = """import numpy as np

def areas(points: np.ndarray, faces: np.ndarray):
    found = []
    for face in faces:
        a, b = points[face[1]] - points[face[0]], points[face[2]] - points[face[0]]
        found.append(0.5 * np.linalg.norm(np.cross(a, b)))
    return np.array(found)
"""


@pytest.mark.parametrize("axes", [2, 3])
@pytest.mark.filterwarnings("ignore")
def test_vectors_of_two_and_of_three_elements(cp, run, axes: int) -> None:
    after = port_module(parse("program.py", LOOP), Config()).after or ""
    assert "_areas_loop(faces, points, found)" in after
    points = np.random.default_rng(0).normal(size=(7, axes))
    faces = np.array([[0, 1, 2], [2, 3, 4], [4, 5, 6]])
    np.testing.assert_allclose(
        run(after).areas(points, faces), run(LOOP).areas(points, faces), rtol=1e-12
    )
