"""Lid-driven square cavity with a D2Q9 BGK lattice Boltzmann scheme.

Walls are halfway bounce-back, the lid moves in +x.  Start-up phase only: the
transient of the primary vortex is compared with the particle images.
"""
import sys

import numpy as np

CX = (0, 1, 0, -1, 0, 1, -1, -1, 1)
CY = (0, 0, 1, 0, -1, 1, 1, -1, -1)
WEIGHT = (4 / 9, 1 / 9, 1 / 9, 1 / 9, 1 / 9, 1 / 36, 1 / 36, 1 / 36, 1 / 36)


def viscosity(u_lid, n, reynolds):
    return u_lid * n / reynolds


class Cavity:
    """State of one run: populations f[k, x, y] and the fields derived from them."""

    def __init__(self, n=72, reynolds=120.0, u_lid=0.08):
        self.n = n
        self.u_lid = u_lid
        self.omega = 1.0 / (3.0 * viscosity(u_lid, n, reynolds) + 0.5)
        self.rho = np.ones((n, n))
        self.ux = np.zeros((n, n))
        self.uy = np.zeros((n, n))
        self.f = np.empty((9, n, n))
        for k in range(9):
            self.f[k] = WEIGHT[k]
        self.post = np.empty_like(self.f)
        self.steps_done = 0
        self.history = []

    def macroscopic(self):
        f = self.f
        self.rho = f.sum(axis=0)
        self.ux = (f[1] + f[5] + f[8] - f[3] - f[6] - f[7]) / self.rho
        self.uy = (f[2] + f[5] + f[6] - f[4] - f[7] - f[8]) / self.rho

    def collide(self):
        usq = 1.5 * (self.ux ** 2 + self.uy ** 2)
        for k in range(9):
            cu = 3.0 * (CX[k] * self.ux + CY[k] * self.uy)
            feq = WEIGHT[k] * self.rho * (1.0 + cu + 0.5 * cu * cu - usq)
            self.post[k] = self.f[k] + self.omega * (feq - self.f[k])

    def stream(self):
        for k in range(9):
            self.f[k] = np.roll(np.roll(self.post[k], CX[k], axis=0), CY[k], axis=1)

    def walls(self):
        f, p = self.f, self.post
        # left and right
        f[1, 0, :] = p[3, 0, :]
        f[5, 0, :] = p[7, 0, :]
        f[8, 0, :] = p[6, 0, :]
        f[3, -1, :] = p[1, -1, :]
        f[7, -1, :] = p[5, -1, :]
        f[6, -1, :] = p[8, -1, :]
        # floor
        f[2, :, 0] = p[4, :, 0]
        f[5, :, 0] = p[7, :, 0]
        f[6, :, 0] = p[8, :, 0]
        # lid, with the momentum it puts in
        push = 6.0 * WEIGHT[5] * self.u_lid
        f[4, :, -1] = p[2, :, -1]
        f[7, :, -1] = p[5, :, -1] - push
        f[8, :, -1] = p[6, :, -1] + push

    def step(self):
        self.macroscopic()
        self.collide()
        self.stream()
        self.walls()
        self.steps_done += 1

    def run(self, steps, check_every=10):
        before = self.ux.copy()
        for _ in range(steps):
            self.step()
            if self.steps_done % check_every == 0:
                change = np.sqrt(np.mean((self.ux - before) ** 2)) / self.u_lid
                self.history.append(float(change))
                before = self.ux.copy()
                if change < 1e-7:
                    break

    def vorticity(self):
        w = np.zeros_like(self.ux)
        w[1:-1, 1:-1] = 0.5 * (self.uy[2:, 1:-1] - self.uy[:-2, 1:-1]
                               - self.ux[1:-1, 2:] + self.ux[1:-1, :-2])
        return w

    def stream_function(self):
        """Integrate ux from the floor upwards."""
        psi = np.cumsum(self.ux, axis=1)
        return psi - 0.5 * self.ux


def wall_shear(ux, u_lid, nu):
    """Mean and largest shear stress along the lid (first-order one-sided)."""
    tau = np.abs(nu * (u_lid - ux[:, -1]) * 2.0)
    mean = 0.0
    top = tau[0]
    for i in range(tau.shape[0]):
        mean += tau[i]
        if tau[i] > top:
            top = tau[i]
    return mean / tau.shape[0], top


def main(path):
    box = Cavity()
    box.run(50)
    box.macroscopic()
    psi = box.stream_function()
    w = box.vorticity()
    where = np.unravel_index(np.argmin(psi), psi.shape)
    nu = viscosity(box.u_lid, box.n, 120.0)
    mean, top = wall_shear(box.ux, box.u_lid, nu)
    mass = float(box.rho.sum())
    energy = 0.5 * float((box.rho * (box.ux ** 2 + box.uy ** 2)).sum())
    print(f"steps {box.steps_done}  mass {mass:.8f}  energy {energy:.8f}")
    print(f"vortex at {int(where[0])}, {int(where[1])}")
    print(f"lid shear mean {mean:.8f} max {top:.8f}")
    np.savez(path, ux=box.ux, uy=box.uy, rho=box.rho, psi=psi, w=w,
             history=np.array(box.history), shear=np.array([mean, top]),
             mid=box.ux[box.n // 2])


if __name__ == "__main__":
    main(sys.argv[1])
