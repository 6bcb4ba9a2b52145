import numpy as np


class Model:
    def __init__(self, n):
        self.x = np.linspace(0, 1, n)
        self.rate = 0.3

    def energy(self):
        def density(y):
            return 0.5 * self.rate * y**2

        return density(self.x).sum()

    def stepper(self):
        return lambda dt: self.x + dt * self.rate


def main():
    m = Model(5)
    print(f'{m.energy():.6f}')
    step = m.stepper()
    print(step(0.5))


main()
