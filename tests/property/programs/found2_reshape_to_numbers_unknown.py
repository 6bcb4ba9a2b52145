# BAD-PORT (far too cautious, hits most real programs): `np.arange(20.0).reshape(4, 5)` -> "GP901 unknown type: what ... gives
# back is not known", and everything after it stays on the host. Same: zeros(12).reshape(3, -1), linspace(0, 1, n*n).reshape(n, n),
# random((6, 4)).reshape(2, 3, 4), np.stack(...).reshape(-1, 2). The probe's prime-sized stand-ins cannot be reshaped to constants.
# Should: dtype of the base, rank = number of arguments (or length of the tuple); when rank/size unknown still Array.
# Cause: analysis/probing.py: a probe that raises gives "unknown". (Message also unhelpful: no help line; nothing the user can do.)
import sys

import numpy as np

a = np.arange(20.0).reshape(4, 5)
b = np.sin(a) + a
n = 4
c = np.exp(np.linspace(0, 1, n * n).reshape(n, n))
np.savez(sys.argv[1], b=b, c=c)
