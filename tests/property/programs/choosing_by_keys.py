"""Choosing by keys of all kinds."""
import numpy as np
from dataclasses import dataclass

@dataclass
class Run:
    name: str
    x: np.ndarray
    loss: float = 0.0
    def norm(self):
        return np.sqrt((self.x ** 2).sum())

def fit(name, seed, n=300):
    rng = np.random.default_rng(seed)
    a = rng.normal(size=(n, n)) + n * np.eye(n)
    b = rng.normal(size=n)
    x = np.linalg.solve(a, b)
    return Run(name, x, float(np.abs(a @ x - b).max()))

def main():
    k = 2
    runs = [fit(f"r{i}", i) for i in range(5)]
    best = min(runs, key=lambda r: r.norm())
    worst = max(runs, key=lambda r: (r.x ** k).sum())
    print(best.name, worst.name, [r.name for r in sorted(runs, key=lambda r: r.x.max(), reverse=True)])
    arrays = {r.name: r.x for r in runs}
    top = max(arrays.items(), key=lambda kv: kv[1].sum())
    print(top[0], np.exp(top[1]).sum().round(6))
    names = sorted(arrays, key=lambda n: float(arrays[n].min()))
    print(names)
    big = max([r.x for r in runs], key=lambda v: np.abs(v).max())
    big += 1
    print([round(float(r.x.sum()), 5) for r in runs], big.shape)
    runs.sort(key=lambda r: r.x[0])
    print([r.name for r in runs])
    order = sorted(range(len(runs)), key=lambda i: runs[i].x[1])
    print(order, max(runs, key=lambda r: len(r.name)).name, max(3, k, key=lambda v: -v))
    print(max((r.x for r in runs), key=lambda v: v[0])[:2].round(5))
    try:
        min([], key=lambda r: r.x)
    except ValueError as e:
        print(e)
    for i, r in enumerate(sorted(runs, key=lambda q: q.x.mean())):
        r.x *= 2
    print([r.x.sum().round(5) for r in runs])
main()
