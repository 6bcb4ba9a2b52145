"""Inner functions in loops."""
import numpy as np

SCALE = 3.0


def relax(n, sweeps, weight):
    grid = np.zeros((n, n))
    source = np.ones((n, n))
    h = 1.0 / n

    def sweep(u):
        new = u.copy()
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                new[i, j] = (1 - weight) * u[i, j] + weight * 0.25 * (
                    u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] + h * h * source[i, j] * SCALE
                )
        return new

    def residual(u):
        total = 0.0
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                total += abs(4 * u[i, j] - u[i - 1, j] - u[i + 1, j] - u[i, j - 1] - u[i, j + 1] - h * h * source[i, j])
        return total

    for _ in range(sweeps):
        grid = sweep(grid)
    return grid, residual(grid)


def main():
    grid, r = relax(20, 10, 0.8)
    print(f"{grid.sum():.8f} {r:.8f}")


main()
