import sys

import numpy as np

x = np.sort(np.random.default_rng(0).random(50))
y = 3 * x + 1
best = None
for k in range(1, 4):
    c = np.polyfit(x, y, k)
    r = np.sum((np.polyval(c, x) - y) ** 2)
    if best is None or r < best[0]:
        best = (r, c)
print("array:", isinstance(best[1], np.ndarray), type(best[0]).__name__)
w = np.ones(len(best[1]))
np.savez(sys.argv[1], c=best[1] * w)
