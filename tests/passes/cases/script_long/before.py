"""Wave in a box."""

import numpy as np

n = 400
x, y = np.meshgrid(np.linspace(0, 1, n), np.linspace(0, 1, n))
u = np.exp(-100 * ((x - 0.5) ** 2 + (y - 0.5) ** 2))
v = np.zeros_like(u)

for step in range(200):
    lap = np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1) - 4 * u
    v += 0.1 * lap
    u += v
    if step % 50 == 0:
        print(step, np.sum(u**2), f"{u.max():.3f}")

np.save("wave.npy", u)
