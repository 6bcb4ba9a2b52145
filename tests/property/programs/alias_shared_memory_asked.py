"""Whether arrays share memory is asked of the arrays, not of copies of them."""
import sys

import numpy as np

a = np.sqrt(np.arange(4.0))
print(a.base is None, a[1:].base is a)
print(np.shares_memory(a, a[1:]), np.may_share_memory(a, a.copy()))
b = np.exp(a) * np.sin(a)
c = b[::2]
print(np.shares_memory(b, c), np.shares_memory(c, b[1::2]), np.may_share_memory(b, c))
np.savez(sys.argv[1], a=a, c=c)
