import numpy as np


def normalise(x, axis=-1, *, eps=1e-8, inplace=False):
    if not inplace:
        x = x.copy()
    x -= x.mean(axis=axis, keepdims=True)
    x /= np.sqrt(x.var(axis=axis, keepdims=True)) + eps
    return x


def shuffle_pairs(a, b):
    a[:], b[:] = b.copy(), a.copy()
    a[0], a[1] = a[1].copy(), a[0].copy()


def sort_desc(a):
    a.sort()
    a[:] = a[::-1]


def push(buf, v):
    buf[:-1] = buf[1:]
    buf[-1] = v


def fill(out, f, *xs):
    for k, x in enumerate(xs):
        out[k] = f(x)
    return out


def accumulate(d, k, v):
    if k in d:
        d[k] += v
    else:
        d[k] = v
    return d[k]


def outer(a):
    sort_desc(a[1:])
    push(a, a.sum())
    return a


x = np.array([[3.0, 1.0, 2.0], [9.0, 8.0, 1.0]])
y = normalise(x)
print(x, y.round(4))
z = normalise(x, 0, inplace=True)
print(z is x, x)
a, b = np.arange(3.0), np.ones(3)
shuffle_pairs(a, b)
print(a, b)
sort_desc(b)
push(a, 7)
print(a, b, outer(b))
print(
    fill(np.zeros((2, 3)), np.cumsum, a, b),
    fill([0, 0], np.sum, a, b),
    fill({}, len, a),
)
d = {}
base = np.ones(2)
accumulate(d, "p", base)
accumulate(d, "p", np.array([1.0, 2.0]))
print(d, base)
v = x[0]
v[...] = 4
x[:, 1] *= 3
x.T[0] -= 1
x.ravel()[5] = 99
x.reshape(-1)[0] = -5
x.flatten()[1] = 1000
print(x, v)
np.copyto(x, 1.0, where=x > 5)
np.put(x, [1], 7)
np.place(x, x < 0, [3])
np.putmask(x, x == 7, 8)
print(x)
w = np.array([1, 2, 3])
w[w > 1] += 5
w[[0, 0]] += 1
np.add.at(w, [0, 0], 1)
print(w)
w = w.astype(float)
w /= 2
w **= 2
w %= 3
w //= 1
print(w)
