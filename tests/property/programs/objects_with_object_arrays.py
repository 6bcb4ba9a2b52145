import sys
import numpy as np


class Big:
    def __init__(self, n):
        self.row = np.array([1] * n, dtype=object)
        self.v = np.arange(n)
        self.s = np.array(["a"] * n)
        self.c = 0

    def up(self):
        self.row[1:] = self.row[1:] + self.row[:-1]
        self.v = self.v * 3 + np.roll(self.v, 1)
        self.c += int(self.v.sum()) ** 9


def main(path):
    b = Big(40)
    for _ in range(40):
        b.up()
    print(b.c, b.s[0])
    np.savez(path, r=np.array([str(x) for x in b.row]), v=b.v)


if __name__ == "__main__":
    main(sys.argv[1])
