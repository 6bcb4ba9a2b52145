import cupy as cp


def grid(n: int):
    x, y = cp.meshgrid(cp.linspace(0, 1, n), cp.arange(n))
    field = cp.exp(-(x**2) - y**2)
    return cp.asnumpy(cp.linalg.inv(field + cp.eye(n)))
