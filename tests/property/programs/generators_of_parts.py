import numpy as np

def rows(a):
    for i in range(a.shape[0]):
        yield a[i]

def accumulate(a):
    total = np.zeros(a.shape[1])
    for r in rows(a):
        total += r
        yield total

def mixed(a, n):
    for k in range(n):
        if k % 2:
            yield None
        else:
            yield a * k

def kinds(a):
    yield a.sum()
    yield a
    yield 3.0

def dicts(a, n):
    state = {"u": a, "t": 0.0}
    for k in range(n):
        state["u"] = np.cos(state["u"])
        state["t"] += 0.5
        yield state

def walk(node):
    yield node["v"]
    for child in node["c"]:
        yield from walk(child)

def talker(a):
    got = yield a
    while got is not None:
        a = a + got
        got = yield a

def held_open(a):
    a = a * 2
    try:
        for k in range(5):
            a = np.sin(a)
            yield a
    finally:
        print("end", a.sum().round(8))

class Grid:
    def __init__(self, n):
        self.cells = np.arange(float(n * n)).reshape(n, n)
    @staticmethod
    def diag(a):
        for i in range(len(a)):
            yield a[i, i]
    def lines(self, *, reverse=False):
        order = range(len(self.cells))
        for i in (reversed(order) if reverse else order):
            yield i, self.cells[i]
    @property
    def columns(self):
        for j in range(self.cells.shape[1]):
            yield self.cells[:, j]

def main():
    a = np.arange(12.0).reshape(3, 4) + 1
    for row in rows(a):
        row *= 2
    print(a.sum())
    for row, other in zip(rows(a), rows(a + 1)):
        other -= row
        print(other, np.dot(row, other))
    held = [t for t in accumulate(a)]
    print([h.tolist() for h in held])
    print([None if v is None else v.sum().round(6) for v in mixed(a, 4)])
    for v in mixed(a, 3):
        if v is not None:
            print(np.linalg.norm(v).round(8))
    for v in kinds(a):
        print(np.sqrt(v).sum().round(8))
    for s in dicts(a, 2):
        print(s["t"], s["u"].mean().round(8))
    tree = {"v": a[0], "c": [{"v": a[1], "c": []}, {"v": a[2], "c": []}]}
    print([float(v.max()) for v in walk(tree)])
    t = talker(np.ones(3))
    print(next(t), t.send(np.arange(3.0)), t.send(1.0))
    for x in held_open(a):
        if x.max() < 0.9:
            break
    del x
    g = Grid(4)
    print(sum(g.diag(g.cells)))
    for i, line in g.lines(reverse=True):
        line[:] = np.sort(line)[::-1] + i
    print(g.cells)
    print([c.sum() for c in g.columns])
    gen = rows(a)
    print(next(gen).sum())
    rest = list(gen)
    print(len(rest), np.vstack(rest).sum())
    both = [*rows(a), *rows(a * 2)]
    print(np.mean(both, axis=0))
    print(max(rows(a), key=lambda r: r.sum()))
    print(np.fromiter((r.max() for r in rows(a)), dtype=float))
    print(any((r > 20).any() for r in rows(a)), all(r.size == 4 for r in rows(a)))

main()
