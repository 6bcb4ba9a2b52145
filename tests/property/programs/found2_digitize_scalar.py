import sys

import numpy as np

edges = np.sort(np.cos(np.arange(50.0)))
k = np.digitize(0.3, edges)
print(k)
np.savez(sys.argv[1], k=k)
