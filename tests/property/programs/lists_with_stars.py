import numpy as np

def rows(a):
    for i in range(a.shape[0]):
        yield a[i]

def grow(u, n):
    history = []
    for k in range(n):
        u = np.cos(u) + 0.1 * k
        history = [*history, u]
    return history

def main():
    a = np.arange(12.0).reshape(3, 4)
    h = grow(np.linspace(0.0, 1.0, 5), 4)
    print(len(h), np.stack(h).sum(axis=1).round(8))
    both = [*rows(a), *rows(a * 2), np.exp(a[0])]
    print(np.mean(both, axis=0).round(8), len(both))
    pair = (a, a + 1)
    more = [*pair, a.T.copy().T]
    print(sum(float(m.sum()) for m in more))
    mixed = [*h, 3.0, *[1, 2]]
    print([float(np.sum(m)) for m in mixed][-3:], mixed[0].shape)
    first, *rest = [*h, a[0]]
    print(np.tanh(first).sum().round(8), len(rest))
    d = {**{"a": a}, "b": a * 2}
    keys = [*d]
    vals = [*d.values()]
    print(keys, np.max(vals))
    nums = [*a[0], 5.0]
    print(nums, np.array(nums).sum())
    t = (*h, a[1])
    print(len(t), np.linalg.norm(t[-1]))
    s = [*range(3), *"ab"]
    print(s)
    h2 = [*h]
    h2.append(np.ones(5))
    h2[0] += 100.0
    print(len(h), len(h2), h[0].sum().round(8))

main()
