import sys
import numpy as np

def gen(n):
    x = np.sin(np.linspace(0.0, 3.0, n)) + 2
    y = np.sqrt(x) * np.exp(x) + np.cos(x)
    text = ";".join(f"{v:.5f}" for v in y)
    more = [*(v * 2 for v in y), *(w for w in [1.0, 2.0])]
    g = (v + 1 for v in y)
    y += 1
    rest = list(g)
    print(text, "%.3f" % more[0], *(f"{v:.2f}" for v in rest[:3]), sep="|")
    late = []
    for h in [(v for v in x)]:
        x *= 2
        late.append(sum(h))
    return np.array(more), np.array(rest), np.array(late), x

def numbers(n):
    k = np.array([0, 1, -1, 2])
    w = np.array([0.5, 0.25, 0.125, 0.125], dtype=np.float32)
    f = np.ones((n, 4))
    f[0] = 3.0
    total = np.zeros(n)
    for _ in range(3):
        for i, c, v in zip(range(4), k, w):
            f[:, i] = np.roll(f[:, i], c)
            total = total + f[:, i] * v * c + np.sqrt(f[:, i]) * v - c
        k[0] += 1
    return total, f

a, b, c, d = gen(7)
e, f = numbers(6)
np.savez(sys.argv[1], a=a, b=b, c=c, d=d, e=e, f=f)
