"""Arrays made of numbers of which some can only be computed on the host."""
import numpy as np


def f(x):
    c = np.convolve(x, np.ones(30), "same")
    return np.array([c.max(), np.spacing(c[0]), c.min()]) * 2


def g(x):
    c = np.convolve(x, np.ones(30), "same")
    q = np.nanquantile(c, 0.3)
    s = np.spacing(c)[3]
    d = np.stack([c[0], q, s])
    e = np.hstack([c, q])
    h = np.array([[c[1], s], [q, 1.0]])
    k = np.concatenate([c, [q, s, c[2]]])
    return d, e, h, k, np.where(c > q, s, c), np.maximum(s, c[1]), np.full(3, s) + c[:3]


def h(x):
    c = np.convolve(x, np.ones(30), "same")
    w = np.spacing(c)
    a = np.array([w[1], c[1]])
    b = [w[2], c[2]]
    b.append(c[3])
    c[0] = w[0]
    c[1:3] = [w[1], c[5]]
    t = (w[3], c[4])
    return a, np.array(b), np.asarray(t), c


def main():
    x = np.sin(np.arange(2000.0))
    print(f"{f(x).sum():.6f}")
    print([f"{v.sum():.6f}" for v in g(x)])
    print([f"{v.sum():.6f}" for v in h(x)])


main()
