import numpy as np


class Matrix:
    """Conditions ask for its length, which is worked out."""

    def __init__(self, a):
        self.a = a

    def __len__(self):
        return int(np.linalg.inv(self.a).shape[0])


def named(m):
    try:
        if m:
            return "regular"
        return "empty"
    except np.linalg.LinAlgError:
        return "singular"


def main():
    for a in (np.eye(2) * 2, np.ones((2, 2))):
        print(named(Matrix(a)))


main()
