"""Gray-Scott reaction-diffusion on a torus."""

import sys

import numpy as np


def laplacian_step(u, v, u_next, v_next, feed, kill, du=0.16, dv=0.08):
    """Write one explicit step of both fields into the *_next buffers."""
    n, m = u.shape
    for i in range(n):
        for j in range(m):
            up, down = (i - 1) % n, (i + 1) % n
            left, right = (j - 1) % m, (j + 1) % m
            lap_u = u[up, j] + u[down, j] + u[i, left] + u[i, right] - 4.0 * u[i, j]
            lap_v = v[up, j] + v[down, j] + v[i, left] + v[i, right] - 4.0 * v[i, j]
            react = u[i, j] * v[i, j] * v[i, j]
            u_next[i, j] = u[i, j] + du * lap_u - react + feed * (1.0 - u[i, j])
            v_next[i, j] = v[i, j] + dv * lap_v + react - (feed + kill) * v[i, j]


def simulate(u, v, steps, feed=0.035, kill=0.062):
    """Run the model without touching the caller's arrays."""
    u, v = u.copy(), v.copy()
    u_next = np.empty_like(u)
    v_next = np.empty_like(v)
    for _ in range(steps):
        laplacian_step(u, v, u_next, v_next, feed, kill)
        u, u_next = u_next, u
        v, v_next = v_next, v
    return u, v


def main(path):
    rng = np.random.default_rng(88)
    u = np.ones((32, 36))
    v = np.zeros((32, 36))
    u[12:20, 14:22] = 0.5
    v[12:20, 14:22] = 0.25 + 0.05 * rng.random((8, 8))
    u1, v1 = simulate(u, v, 20)
    np.savez(path, u=u1, v=v1, u0=u, v0=v)


if __name__ == "__main__":
    main(sys.argv[1])
