"""Cross products of stacks: of vectors of two elements they are numbers, and the loop runs."""

from __future__ import annotations

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
COLLECTED = """import numpy as np

def turned(a: np.ndarray, b: np.ndarray):
    return np.array([np.linalg.norm(np.cross(a[i], b[i])) for i in range(len(a))])
"""


def ported(text: str) -> str:
    return port_module(parse("program.py", text), Config()).after or ""


def test_the_loop_is_kept_for_vectors_of_two() -> None:
    text = ported(LOOP)
    assert "batched.cross(a, b)" in text
    assert "LinAlgError" in text


def test_comprehensions_have_no_loop_to_go_back_to() -> None:
    assert "batched.cross(" not in ported(COLLECTED)
