import cupy as cp

x = cp.array([1.0, 2.0, 3.0])
print(cp.asnumpy(cp.sum(x)))
