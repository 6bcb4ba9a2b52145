from common import *


class Field:
    def __init__(self, count):
        self.x = np.linspace(0.0, 1.0, count)
        self.u = bump(self.x, 0.3) + bump(self.x, 0.7)

    def smooth(self, steps):
        for _ in range(steps):
            self.u[1:-1] = 0.25 * (self.u[:-2] + 2.0 * self.u[1:-1] + self.u[2:])

    def size(self):
        return length(self.u)
