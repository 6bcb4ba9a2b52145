"""One loop makes a solver of each class."""
import numpy as np


class Jacobi:
    name = "jacobi"

    def __init__(self, n, omega=0.8):
        self.n = n
        self.omega = omega
        self.u = np.zeros((n, n))

    def sweep(self, f, h):
        u = self.u
        new = u.copy()
        new[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] + h * h * f[1:-1, 1:-1])
        self.u = u + self.omega * (new - u)

    def residual(self, f, h):
        u = self.u
        r = np.zeros_like(u)
        r[1:-1, 1:-1] = f[1:-1, 1:-1] + (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * u[1:-1, 1:-1]) / (h * h)
        return np.sqrt(np.mean(r * r))


class RedBlack(Jacobi):
    name = "red-black"

    def sweep(self, f, h):
        for color in (0, 1):
            u = self.u
            new = 0.25 * (np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1) + h * h * f)
            i, j = np.indices(u.shape)
            mask = ((i + j) % 2 == color) & (i > 0) & (j > 0) & (i < self.n - 1) & (j < self.n - 1)
            self.u = np.where(mask, new, u)


def main():
    n = 65
    h = 1.0 / (n - 1)
    x = np.linspace(0, 1, n)
    f = np.outer(np.sin(np.pi * x), np.sin(np.pi * x))
    for make in (Jacobi, RedBlack):
        solver = make(n)
        for k in range(40):
            solver.sweep(f, h)
        print(make.name, solver.residual(f, h), solver.u.max())


if __name__ == "__main__":
    main()
