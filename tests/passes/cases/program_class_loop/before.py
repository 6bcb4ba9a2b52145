import numpy as np


class Plate:
    def __init__(self, n, limit):
        self.u = np.linspace(0.0, 1.0, n)
        self.flux = np.zeros(n)
        self.limit = limit

    def relax(self, dt):
        for i in range(1, len(self.u) - 1):
            slope = self.u[i + 1] - self.u[i - 1]
            if slope > self.limit:
                slope = self.limit
            self.flux[i] = dt * slope
        self.u += self.flux


def main():
    plate = Plate(1000, 0.1)
    for _ in range(10):
        plate.relax(0.01)
    np.save("plate.npy", plate.u)


main()
