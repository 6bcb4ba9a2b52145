import sys
import numpy as np

a = np.linspace(0.0, 1.0, 6) + 1.5
i = np.cos(np.array([2, 0, 1, 4])).astype(np.int64)
x = a[i[0]]
a += 1.0
i2 = np.sqrt(np.abs(np.sin(i * 2.0)))
np.savez(sys.argv[1], a=a, x=x, i2=i2)
