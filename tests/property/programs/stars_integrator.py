import numpy as np


def rk4(f, y, t, dt, *args):
    k1 = f(t, y, *args)
    k2 = f(t + dt / 2, y + dt / 2 * k1, *args)
    k3 = f(t + dt / 2, y + dt / 2 * k2, *args)
    k4 = f(t + dt, y + dt * k3, *args)
    return y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def burgers(t, u, nu, dx):
    d = np.zeros_like(u)
    d[1:-1] = -u[1:-1] * (u[2:] - u[:-2]) / (2 * dx) + nu * (u[2:] - 2 * u[1:-1] + u[:-2]) / dx**2
    return d


def decay(t, u, rate):
    return -rate * u + np.sin(t) * np.exp(-u)


def main():
    x = np.linspace(0.0, 2 * np.pi, 2000)
    u = np.sin(x)
    v = np.cos(x)
    for n in range(50):
        u = rk4(burgers, u, n * 1e-6, 1e-6, 0.01, x[1] - x[0])
        v = rk4(decay, v, n * 0.01, 0.01, 0.5)
    print(f"{u.sum():.8f} {v.sum():.8f} {np.abs(u).max():.8f}")


if __name__ == "__main__":
    main()
