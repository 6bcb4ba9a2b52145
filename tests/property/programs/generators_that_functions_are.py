import numpy as np
GRID = np.linspace(0, 1, 400)
class Sim:
    def __init__(self, n):
        self.u = np.sin(np.linspace(0, 3, n))
    def run(self, steps):
        for k in range(steps):
            self.u = self.u + 0.1 * (np.roll(self.u, 1) - self.u)
            yield k, self.u
def lazily(x, n):
    for k in range(n):
        yield np.exp(x) * k
def windows(x, size):
    for s in range(0, len(x) - size + 1, size):
        w = x[s:s + size]
        yield w
def nested(x):
    yield from windows(x, 100)
def both(x):
    got = yield x * 2
    yield x + 1
def on_grid(n):
    for k in range(n):
        yield np.cos(k * GRID)
def empty(x):
    return
    yield x
def pairs(a, b):
    try:
        for x, y in zip(a, b):
            yield x @ y, x
    finally:
        print("closed")
def mixed(x):
    yield x.sum()
    yield x
def records(x, n):
    for k in range(n):
        yield {"name": f"r{k}", "x": x + k, "m": (x * k).mean()}
def main():
    x = np.sin(np.linspace(0, 9, 400))
    s = Sim(400)
    for k, u in s.run(4):
        s.u *= 2
        print(k, np.exp(u).sum().round(6))
    for e in lazily(x, 3):
        x += 1
        print(np.log1p(e).sum().round(6))
    parts = []
    for w in windows(x, 100):
        w *= 1.5
        parts.append(np.sqrt(np.abs(w)))
    print(x.sum().round(6), np.concatenate(parts).sum().round(6))
    for w in nested(x):
        print(np.tanh(w).sum().round(6))
    for b in both(x):
        print(np.tanh(b).sum().round(6))
    for g in on_grid(3):
        print(np.tanh(g).sum().round(6))
    for g in empty(x):
        print("never")
    a = np.arange(24.0).reshape(4, 3, 2); b = np.arange(24.0).reshape(4, 2, 3)
    for p, q in pairs(a, b):
        print(np.trace(p), np.exp(-q).sum().round(6))
        if p[0, 0] > 20:
            break
    for m in mixed(x):
        print(np.exp(-np.abs(m)).sum().round(6))
    for r in records(x, 3):
        print(r["name"], np.exp(-r["x"] ** 2).sum().round(6), float(r["m"]).__round__(6))
    total = np.zeros(400)
    for i, (e, w) in enumerate(zip(lazily(x, 2), on_grid(2))):
        total += e * w
    print(total.sum().round(6), sum(e.sum() for e in lazily(x, 3)).round(6))
    held = list(lazily(x, 3))
    held[0][:] = 7
    print([h.sum().round(6) for h in held], len(held))
    it = lazily(x, 2)
    print(next(it).sum().round(6), next(it).sum().round(6))
    st = np.stack(list(windows(x, 200)))
    st[0, 0] = 99
    print(x[0].round(6), st.sum().round(6))
    big = max(lazily(x, 3), key=lambda v: v.sum())
    print(big.max().round(6))
main()
