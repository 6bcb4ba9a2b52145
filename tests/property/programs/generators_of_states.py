import itertools
import numpy as np

class Sim:
    def __init__(self, n):
        self.u = np.linspace(0.0, 1.0, n)
        self.t = 0.0
    def run(self, steps):
        for k in range(steps):
            self.u[1:-1] += 0.1 * (self.u[2:] - 2 * self.u[1:-1] + self.u[:-2]) + 0.01
            self.t += 0.1
            yield self.t, self.u
    def snapshots(self, steps, every):
        for k, (t, u) in enumerate(self.run(steps)):
            if k % every == 0:
                yield t, u.copy()

def decay(a):
    while True:
        a = a * 0.9
        yield a

def partial_sums(rows):
    total = np.zeros(rows.shape[1])
    for row in rows:
        total += row
        yield total

def numbers(a):
    for k in range(3):
        yield a[k]
        yield float(a[k]) * 2

def early(a, limit):
    for k in range(10):
        a = np.sqrt(a + k)
        if a.max() > limit:
            return
        yield a

def windows(x, n):
    for i in range(0, len(x) - n, n):
        yield x[i:i + n]

def mutated_meanwhile(x):
    out = []
    for w in windows(x, 3):
        out.append(float(w.sum()))
        x[:] = x * 1.1
    return out

def main():
    s = Sim(12)
    kept = []
    for t, u in s.run(4):
        kept.append(u)
    print(len(kept), round(t, 6), kept[0] is kept[-1], round(float(kept[0].sum()), 8))
    snaps = list(s.snapshots(6, 2))
    for t, u in snaps:
        print(round(t, 6), round(float(np.exp(u).sum()), 8))
    for k, a in zip(range(4), decay(np.ones(5))):
        print(k, a.sum().round(8))
    for a in itertools.islice(decay(np.arange(4.0)), 3):
        print(np.tanh(a).sum().round(8))
    rows = np.arange(12.0).reshape(4, 3)
    print([p.copy().tolist() for p in partial_sums(rows)])
    print([float(p.sum()) for p in list(partial_sums(rows))])
    print([float(v) for v in numbers(rows[1])])
    print(sum(float(a.sum()) for a in early(np.ones(3) * 2, 2.5)))
    print(mutated_meanwhile(np.arange(10.0)))
    g = decay(np.ones(3))
    first = next(g)
    second = next(g)
    print(first, second)
    stacked = np.array(list(itertools.islice(decay(np.ones(3)), 4)))
    print(stacked.shape, stacked.sum().round(8))
    st = np.stack([w * 2 for w in windows(np.arange(10.0), 3)])
    print(st.sum(axis=0))
    a, b, c = windows(np.arange(10.0), 3)
    print(a, (b + c).sum())
    print(max(float(w.max()) for w in windows(np.arange(10.0), 3)))
    d = {i: w for i, w in enumerate(windows(np.arange(10.0), 3))}
    print(d[1] * 2.0)

main()
