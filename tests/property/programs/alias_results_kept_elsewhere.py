"""What a function hands back is also kept somewhere else."""
import numpy as np

KEPT = []
LAST = {}


class Log:
    def __init__(self):
        self.items = []

    def add(self, u):
        v = np.convolve(u, np.ones(5), "same")
        self.items.append(v)
        return v


def f(a, items):
    b = np.convolve(a, np.ones(5), "same")
    items["b"] = b
    return b


def g(a, items):
    b = np.convolve(a, np.ones(5), "same")
    items.append(b)
    return items, b


def h(a):
    b = np.convolve(a, np.ones(5), "same")
    KEPT.append(b)
    return b


def k(a):
    b = np.convolve(a, np.ones(5), "same")
    LAST["b"] = b
    return b, b.sum()


def both(a):
    b = np.convolve(a, np.ones(5), "same")
    return b, b[:100]


def views(a):
    b = np.convolve(a, np.ones(5), "same")
    return b.reshape(2, -1), b


def heavy(u):
    return np.abs(np.fft.fft(np.convolve(u, u[:50], "same"))).sum()


def main():
    x = np.sin(np.arange(2000.0))
    store, items = {}, []
    b = f(x, store)
    b *= 2
    print(f"{heavy(b):.4f} {store['b'].sum():.6f}")
    got, c = g(x, items)
    c *= 2
    c[3] = 50
    print(f"{heavy(c):.4f} {items[0].sum():.6f}", got is items)
    d = h(x)
    d += 1
    print(f"{heavy(d):.4f} {KEPT[0].sum():.6f}")
    e, s = k(x)
    e += 1
    print(f"{heavy(e):.4f} {LAST['b'].sum():.6f} {s:.6f}")
    p, q = both(x)
    q += 5
    print(f"{heavy(p):.4f} {heavy(q):.4f}")
    p[:50] = 0
    print(f"{heavy(q):.4f}")
    m, v = views(x)
    m[0] = 3
    print(f"{heavy(v):.4f}")
    v[1000:] *= 2
    print(f"{m.sum():.6f}")
    log = Log()
    w = log.add(x)
    w -= 4
    print(f"{heavy(w):.4f} {log.items[0].sum():.6f}")


main()
