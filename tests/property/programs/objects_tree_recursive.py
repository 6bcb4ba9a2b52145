# recursion, mutual calls, keyword args, *args, state passed around, early return, alias through list
import sys
import numpy as np


class Tree:
    def __init__(self, depth, data):
        self.data = data
        self.kids = []
        if depth > 0:
            self.kids.append(Tree(depth - 1, data * 0.5))
            self.kids.append(Tree(depth - 1, data[::2].copy()))

    def total(self):
        t = np.sum(np.exp(-self.data) * np.sqrt(np.abs(self.data)))
        for k in self.kids:
            t = t + k.total()
        return t

    def scale(self, f, offset=0.0):
        self.data *= f
        self.data += offset
        for k in self.kids:
            k.scale(f, offset=offset)


def main(path):
    base = np.linspace(0, 3, 64)
    t = Tree(2, base)
    before = t.total()
    t.scale(0.5, offset=0.1)
    after = t.total()
    print(f"{before:.10f} {after:.10f}", len(t.kids))
    np.savez(path, base=base, leaf=t.kids[0].kids[1].data, after=after)


if __name__ == "__main__":
    main(sys.argv[1])
