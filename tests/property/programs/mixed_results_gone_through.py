import numpy as np


def norm(a):
    return np.sqrt((a * a).sum())


def main(c):
    c = np.exp(c) * 0.1 + np.sin(c)
    k = norm(c)
    return k, (c, norm(c)), c * 2, [norm(c), k], {"a": norm(c)}


for r in main(np.arange(4.0)):
    print(r)
a, b, *rest = main(np.arange(3.0))
print(a, b, rest)
print(main(np.ones(2)))
t = main(np.ones(2))
print(t[1], t[3], t)
print(f"{t[1]} {t[0]}", str(t[3]), repr(t[4]))
