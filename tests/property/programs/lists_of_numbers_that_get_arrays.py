"""Lists and dicts filled with numbers, which get arrays later."""

import numpy as np


def a1(x, n):
    res = [0] * n
    for i in range(n):
        res[i] = np.fft.fft(x * i).real
    s = np.zeros_like(x)
    for i in range(n):
        s += res[i]
    return s


def a2(x, n):
    res = [None] * n
    for i in range(n):
        res[i] = np.fft.fft(x * i).real
    s = np.fft.fft(x).real
    for r in res:
        s = s + r
    return s, res[2] @ x


def a3(x, n):
    res = [0, 0, 0]
    res[1] = np.fft.fft(x).real
    y = np.fft.ifft(x).imag
    return y * res[1] + res[0]


def a4(x, n):
    res = [0.0 for _ in range(n)]
    for i in range(n):
        res[i] = np.fft.fft(x).real.sum()
    t = np.exp(x) * res[1]
    return t + np.array(res).sum()


def a5(x, n):
    grid = [[0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            grid[i][j] = np.convolve(x, x[: i + 2], "same")
    t = np.convolve(x, x[:50], "same")
    for row in grid:
        for g in row:
            t = t + g
    return t


def a6(x, n):
    d = {"a": 0, "b": None}
    d["a"] = np.convolve(x, x[:40], "same")
    d["c"] = d["a"] * 2
    t = np.convolve(x, x[:50], "same")
    t += d["a"]
    t = t * d.get("c", 1.0)
    d["b"] = t
    return d["b"] + d["c"]


def a7(x, n):
    d = dict(a=0.5, k=3)
    d["a"] = np.convolve(x, x[:40], "same")
    t = np.convolve(x, x[:50], "same") * d["a"]
    return t * d["k"]


def a8(x, n):
    best = [0, None]
    for i in range(n):
        y = np.convolve(x, x[: i + 2], "same")
        if best[1] is None or y.max() > best[0]:
            best = [y.max(), y]
    return best[1] * best[0] + np.convolve(x, x[:30], "same")


def a9(x, n):
    best = [0, x]
    for i in range(n):
        y = np.convolve(x, x[: i + 2], "same")
        if y.max() > best[0]:
            best[0], best[1] = y.max(), y
    best[1][0] = 3
    return best[1] * best[0] + np.convolve(x, x[:30], "same")


def a10(x, n):
    t = 0
    u = [1, 2, 3]
    u[t] = x
    u.append(x * 2)
    u += [x * 3]
    y = np.convolve(x, x[:30], "same")
    for v in u:
        y = y + v
    y *= u[0]
    return y


def main():
    x = np.sin(np.arange(2000.0))
    print(f"{a2(x, 4)[0].sum():.6f} {a2(x, 4)[1]:.6f}")
    print(f"{a1(x, 4).sum():.6f}")
    w = np.convolve(x, x[::-1], "same")
    print(f"{np.abs(np.fft.fft(w)).sum():.5f}")
    print(f"{a3(x, 4).sum():.6f}")
    print(f"{a4(x, 4).sum():.6f}")
    print(f"{a5(x, 4).sum():.6f}")
    print(f"{a6(x, 4).sum():.6f}")
    print(f"{a7(x, 4).sum():.6f}")
    print(f"{a8(x, 4).sum():.6f}")
    print(f"{a9(x, 4).sum():.6f}")
    print(f"{a10(x, 4).sum():.6f}")


main()
