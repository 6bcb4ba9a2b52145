"""A solver that holds a mesh and a limiter, whose methods its loops call; snapshots, a callback."""

import sys
import numpy as np
from numpy.typing import NDArray


class Mesh1D:
    def __init__(self, n: int, length: float = 1.0) -> None:
        self.n = n
        self.dx = length / (n - 1)
        self.x: NDArray[np.float64] = np.linspace(0, length, n)
        self.area = np.ones(n) * 0.5

    def centre(self, i: int) -> float:
        return 0.5 * (self.x[i] + self.x[i + 1])

    def volume(self, i: int) -> float:
        return self.area[i] * self.dx


class Limiter:
    def __init__(self, kind: str):
        self.kind = kind
        self.eps = 1e-12

    def phi(self, r: float) -> float:
        if r <= 0:
            return 0.0
        return min(r, 1.0)


class Advection:
    def __init__(self, mesh: Mesh1D, speed: float, limiter: Limiter):
        self.mesh = mesh
        self.speed = speed
        self.limiter = limiter
        self.u = np.exp(-200 * (mesh.x - 0.3) ** 2)
        self.snapshots = []

    def slope(self, i):
        return (self.u[i + 1] - self.u[i]) / self.mesh.dx

    def fluxes(self):
        f = np.zeros(self.mesh.n + 1)
        u = self.u
        n = self.mesh.n
        limiter = self.limiter
        for i in range(1, n):
            if 1 < i < n - 1:
                d = u[i] - u[i - 1]
                r = (u[i - 1] - u[i - 2]) / (d + limiter.eps)
                f[i] = self.speed * (u[i - 1] + 0.5 * limiter.phi(r) * d)
            else:
                f[i] = self.speed * u[i - 1]
        return f

    def step(self, dt):
        f = self.fluxes()
        new = self.u.copy()
        mesh = self.mesh
        for i in range(mesh.n):
            new[i] -= dt / mesh.dx * (f[i + 1] - f[i])
        self.u = new

    def moment(self, k):
        total = 0.0
        mesh = self.mesh
        for i in range(mesh.n - 1):
            total += self.u[i] * mesh.centre(i) ** k * mesh.volume(i)
        return total

    def run(self, steps, dt, every=5, callback=None):
        for s in range(steps):
            self.step(dt)
            if s % every == 0:
                self.snapshots.append(self.u.copy())
                if callback is not None:
                    callback(s, self)


def main():
    mesh = Mesh1D(200)
    solver = Advection(mesh, 1.0, Limiter("minmod"))
    log = []
    solver.run(
        30, 0.4 * mesh.dx, callback=lambda s, sol: log.append((s, float(sol.u.max())))
    )
    moments = [solver.moment(k) for k in range(3)]
    print(log, np.round(moments, 9))
    np.savez(sys.argv[1], u=solver.u, snaps=np.array(solver.snapshots), moments=moments)


if __name__ == "__main__":
    main()
