import sys

import numpy as np

rng = np.random.default_rng(0)
n = 50
x = rng.random(n)
y = 3 * x + 1 + rng.normal(0, 0.1, n)
order = np.argsort(x)
x, y = x[order], y[order]
A = np.c_[x, np.ones_like(x)]
for i, (xi, yi) in enumerate(zip(x[:3], y[:3])):
    print(i, round(xi, 3), f"{yi:.3f}", "hi" if yi > 1.5 else "lo")
rmse = np.sqrt(np.mean((3 * x + 1 - y) ** 2))
if rmse < 0.2:
    print("good")
best = None
for k in range(1, 4):
    c = np.polyfit(x, y, k)
    r = np.sum((np.polyval(c, x) - y) ** 2)
    aic = n * np.log(r / n) + 2 * k
    if best is None or aic < best[0]:
        best = (aic, k, c)
total = 0
for v in x:
    total += v
np.savez(sys.argv[1], c=best[2], total=total, A=A)
