import sys
import numpy as np


class L:
    def __init__(self, n):
        self.a = np.linspace(0, 1, n)
        self.b = np.zeros(n)
        self.k = 0.5
        self.a_count = 0

    def go(self, a):
        for i in range(1, len(self.a) - 1):
            self.b[i] = self.a[i + 1] - self.a[i - 1] + a * self.k
        self.a_count += 1
        return self

    def serial(self):
        for i in range(1, len(self.a)):
            self.a[i] = 0.5 * self.a[i] + self.k * np.sin(self.a[i - 1])
            self.k = self.k * 0.99

    def limited(self, hi):
        n = 0
        for i in range(len(self.b)):
            if self.b[i] > hi:
                self.b[i] = hi
        return self.b.max()


def smooth(obj, n):
    for _ in range(n):
        for i in range(1, len(obj.a) - 1):
            obj.b[i] = 0.25 * obj.a[i - 1] + 0.5 * obj.a[i] + 0.25 * obj.a[i + 1]
        obj.a, obj.b = obj.b, obj.a


def main(path):
    l = L(300)
    l.go(0.25).go(0.125)
    l.serial()
    m = l.limited(0.3)
    smooth(l, 3)
    np.savez(path, a=l.a, b=l.b, m=m, k=l.k, c=l.a_count)


if __name__ == "__main__":
    main(sys.argv[1])
