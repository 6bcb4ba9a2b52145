import sys

import numpy as np

n = 16
dx = 1.0 / n
u = np.zeros(n)
u[4:8] = 1.0
hist = []
for step in range(5):
    un = u.copy()
    for i in range(1, n):
        u[i] = un[i] - 0.5 * (un[i] - un[i - 1])
    hist.append(u.sum() * dx)
    if step % 2 == 0:
        print(f"{step:2d} {u.max():.4f} {hist[-1]:.6f}")
total = sum(hist)
np.savez(sys.argv[1], u=u, hist=hist, total=total)
