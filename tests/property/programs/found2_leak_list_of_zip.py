import sys

import numpy as np

x = np.sin(np.arange(50.0))
d = np.exp(-x)
v = list(enumerate([d]))
print("enumerate", isinstance(v[0][1], np.ndarray))
e = np.exp(x)
w = list(zip([1], [e]))
print("zip", isinstance(w[0][1], np.ndarray))
k = x.argmax()
print("int64", isinstance(k, np.int64))
np.savez(sys.argv[1], s=1)
