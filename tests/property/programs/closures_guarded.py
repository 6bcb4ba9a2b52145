import numpy as np


def guarded(x):
    def solve(a, b):
        try:
            return np.linalg.solve(a, b)
        except np.linalg.LinAlgError:
            return np.zeros_like(b)

    return solve(np.zeros((3, 3)), x), solve(np.eye(3), x)


def main():
    a, b = guarded(np.ones(3))
    print(a, b)


main()
