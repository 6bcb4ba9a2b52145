"""Values taken before a later change: numbers, rows, masks, indices, shapes."""
import numpy as np


def before_after(x):
    m = x.max()
    s = x[3]
    r = x[5:9]
    mask = x > m / 2
    idx = np.argsort(x)
    big = x[mask]
    n = len(big)
    x *= 0.5
    x[mask] = 0
    t = np.convolve(x, x[:9], "same")
    return t * m + s + r.sum() + n + big.sum() + x[idx[:4]].sum()


def kept_scalars(x):
    best = []
    low = x[0]
    for k in range(6):
        v = x[k]
        if v < low:
            low = v
        best.append(v)
        x[k] = -5.0
        x[k + 1] += low
    return np.convolve(x, x[:9], "same") * low + sum(best)


def tuple_state(x):
    state = (x[0], x[1:3], x.copy(), x)
    x[:4] = 9.0
    a, b, c, d = state
    return np.convolve(x, c[:9], "same") + a + b.sum() + d[0]


def dict_state(x):
    st = {"first": x[0], "head": x[:3], "all": x, "sum": x.sum()}
    x += 1.0
    y = np.convolve(st["all"], x[:9], "same")
    return y * st["first"] + st["head"].sum() + st["sum"]


def chained(x):
    a = b = x[4]
    c = d = x[:4]
    x[4] = 100.0
    c += 1
    return np.convolve(x, d, "same") + a + b


def ternary(x, flag):
    v = x[0] if flag else 0.0
    w = x[:5] if flag else x
    x[0] = 77.0
    w *= 2
    return np.convolve(x, x[:9], "same") + v


def walrus(x):
    if (v := x[2]) < 5 and (w := x[1:4]).sum() > -1e9:
        x[2] = 50.0
        w[0] = 3
    return np.convolve(x, x[:9], "same") + v + w.sum()


def popped(x):
    stack = [x[0], x[1], x[2:5]]
    x[0:5] = 1.0
    c = stack.pop()
    b = stack.pop()
    return np.convolve(x, c, "same") + b + stack[0]


def lam(x):
    v = x[0]
    f = lambda y, s=x[1]: y * v + s
    x[:2] = 10.0
    return f(np.convolve(x, x[:9], "same"))


def flat_iter(x):
    total = 0.0
    vals = [v for v in x[:5]]
    firsts = list(x[:3])
    m = max(x[:5])
    k = sorted(x[:4])[0]
    x[:5] = 2
    return np.convolve(x, x[:9], "same") + sum(vals) + firsts[0] + m + k


def main():
    base = np.sin(np.arange(2000.0))
    x = base.copy()
    print(f"{before_after(x).sum():.6f} {x.sum():.6f}")
    x = base.copy()
    print(f"{kept_scalars(x).sum():.6f} {x.sum():.6f}")
    x = base.copy()
    print(f"{tuple_state(x).sum():.6f}")
    x = base.copy()
    print(f"{dict_state(x).sum():.6f}")
    x = base.copy()
    print(f"{chained(x).sum():.6f}")
    x = base.copy()
    print(f"{ternary(x, True).sum():.6f} {x.sum():.6f}")
    print(f"{ternary(x, False).sum():.6f} {x.sum():.6f}")
    x = base.copy()
    print(f"{walrus(x).sum():.6f}")
    x = base.copy()
    print(f"{popped(x).sum():.6f}")
    x = base.copy()
    print(f"{lam(x).sum():.6f}")
    x = base.copy()
    print(f"{flat_iter(x).sum():.6f}")


main()
