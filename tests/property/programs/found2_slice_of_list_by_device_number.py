import sys

import numpy as np

a = np.cos(np.arange(50.0))
steps = list(range(60))[np.argmin(a) :]
names = [f"n{i}" for i in range(60)]
print(names[np.argmin(a) :][0])
np.savez(sys.argv[1], s=steps)
