"""Linear algebra in inner functions."""
import numpy as np


def study(count, n):
    rng = np.random.default_rng(1)
    stack = rng.normal(size=(count, n, n))
    rhs = rng.normal(size=n)

    def whiten(m):
        return np.linalg.inv(m @ m.T + np.eye(n)) @ rhs

    spectra = lambda ms: [np.linalg.svd(m, compute_uv=False) for m in ms]

    def solve_all(ms):
        out = []
        for m in ms:
            out.append(np.linalg.solve(m @ m.T + np.eye(n), rhs))
        return np.array(out)

    first = np.array([whiten(m) for m in stack])
    return first, np.array(spectra(stack)), solve_all(stack)


def main():
    a, b, c = study(30, 5)
    print(f"{a.sum():.8f} {b.sum():.8f} {c.sum():.8f}")


main()
