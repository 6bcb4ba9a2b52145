"""Cross products of vectors of two and of three elements: the former are numbers."""

import sys
import numpy as np

def areas(points, faces):
    found = []
    for face in faces:
        a, b = points[face[1]] - points[face[0]], points[face[2]] - points[face[0]]
        found.append(0.5 * np.linalg.norm(np.cross(a, b)))
    return np.array(found)

def boris(x, v, b):
    for p in range(len(x)):
        v[p] = v[p] + np.cross(v[p], b)
        x[p] += v[p]
    return x

if __name__ == "__main__":
    rng = np.random.default_rng(0)
    f = rng.integers(0, 9, (20, 3))
    print(areas(rng.normal(size=(9, 2)), f).round(6))
    print(boris(rng.normal(size=(2, 2)), rng.normal(size=(2, 2)), rng.normal(size=2)).round(6))
    print(boris(rng.normal(size=(2, 3)), rng.normal(size=(2, 3)), rng.normal(size=3)).round(6))
