"""Linear operators."""
import numpy as np


class Operator:
    calls = 0

    def apply(self, v):
        raise NotImplementedError

    def __call__(self, v):
        Operator.calls += 1
        return self.apply(v)


class Stiffness(Operator):
    def __init__(self, mesh):
        p = mesh.points[mesh.cells]
        e0 = p[:, 2] - p[:, 1]
        e1 = p[:, 0] - p[:, 2]
        e2 = p[:, 1] - p[:, 0]
        area = 0.5 * np.abs(e1[:, 0] * e2[:, 1] - e1[:, 1] * e2[:, 0])
        grads = np.stack([e0, e1, e2], axis=1)
        self.local = np.einsum("cik,cjk->cij", grads, grads) / (4.0 * area)[:, None, None]
        self.cells = mesh.cells
        self.area = area
        self.free = ~mesh.boundary
        self.size = mesh.size

    def apply(self, v):
        gathered = v[self.cells]
        contributions = np.einsum("cij,cj->ci", self.local, gathered)
        out = np.zeros(self.size)
        np.add.at(out, self.cells.ravel(), contributions.ravel())
        return np.where(self.free, out, v)

    def diagonal(self):
        d = np.zeros(self.size)
        np.add.at(d, self.cells.ravel(), np.einsum("cii->ci", self.local).ravel())
        return np.where(self.free, d, 1.0)


class Jacobi(Operator):
    def __init__(self, diagonal):
        self.inverse = 1.0 / diagonal

    def apply(self, v):
        return self.inverse * v
