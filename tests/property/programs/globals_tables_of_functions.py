import numpy as np

def gaussian(r, h):
    return np.exp(-(r / h) ** 2)

def epanechnikov(r, h):
    q = r / h
    return np.where(q < 1, 0.75 * (1 - q ** 2), 0.0)

def tricube(r, h):
    q = np.minimum(r / h, 1.0)
    return (1 - q ** 3) ** 3

KERNELS = {"gaussian": gaussian, "epanechnikov": epanechnikov, "tricube": tricube}

def smooth(x, y, grid, kernel="gaussian", h=0.3):
    weigh = KERNELS[kernel]
    r = np.abs(grid[:, None] - x[None, :])
    w = weigh(r, h)
    return (w @ y) / np.sum(w, axis=1)

def main():
    rng = np.random.default_rng(1)
    x = np.sort(rng.random(400)) * 6
    y = np.sin(x) + 0.1 * rng.standard_normal(400)
    grid = np.linspace(0.5, 5.5, 200)
    for name in sorted(KERNELS):
        fit = smooth(x, y, grid, kernel=name)
        err = np.sqrt(np.mean((fit - np.sin(grid)) ** 2))
        print(f"{name}: {err:.6f}")

main()
