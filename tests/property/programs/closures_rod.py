"""Heat flow in a rod, explicit steps with a right-hand side made on the spot."""
import numpy as np


def rk4(f, y, t, dt, steps):
    for _ in range(steps):
        k1 = f(t, y)
        k2 = f(t + dt / 2, y + dt / 2 * k1)
        k3 = f(t + dt / 2, y + dt / 2 * k2)
        k4 = f(t + dt, y + dt * k3)
        y = y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        t += dt
    return y


def simulate(n, kappa, steps):
    x = np.linspace(0.0, 1.0, n)
    u = np.exp(-100 * (x - 0.5) ** 2)
    dx = x[1] - x[0]

    def rhs(t, u):
        out = np.zeros_like(u)
        out[1:-1] = kappa * (u[2:] - 2 * u[1:-1] + u[:-2]) / dx**2
        return out + 0.01 * np.sin(2 * np.pi * x) * np.cos(t)

    return rk4(rhs, u, 0.0, 1e-5, steps)


def main():
    u = simulate(200, 0.5, 50)
    print(f"{u.sum():.6f} {u.max():.6f}")


if __name__ == "__main__":
    main()
