import sys
import numpy as np

a = np.sin(np.linspace(0.0, 1.0, 6))
x = np.asarray(a[0])
a *= 3.0
np.savez(sys.argv[1], r=x * np.exp(a))
