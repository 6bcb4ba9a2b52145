from functools import partial, reduce
import numpy as np

def rhs(t, u, k, source):
    return k * (np.roll(u, 1) - 2 * u + np.roll(u, -1)) + source * np.cos(t)

def rk4(f, t, u, dt):
    k1 = f(t, u)
    k2 = f(t + dt / 2, u + dt / 2 * k1)
    k3 = f(t + dt / 2, u + dt / 2 * k2)
    k4 = f(t + dt, u + dt * k3)
    return u + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)

def main():
    x = np.linspace(0, 2 * np.pi, 200, endpoint=False)
    u = np.sin(x)
    source = np.exp(-(x - np.pi) ** 2)
    f = partial(rhs, k=0.3, source=source)
    t = 0.0
    for _ in range(10):
        u = rk4(f, t, u, 0.1)
        t += 0.1
    print(u.mean().round(10), np.abs(u).max().round(10))

main()
