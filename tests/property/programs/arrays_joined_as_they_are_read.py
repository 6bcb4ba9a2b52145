import numpy as np


def joined(y: np.ndarray):
    a = np.sqrt(y) / 2
    a += 3
    return np.concatenate([y, a])


def drawn(y: np.ndarray, seed: int):
    rng = np.random.default_rng(seed)
    z = rng.random(len(y))
    a = np.sqrt(np.exp(y))
    return np.hstack((a, z))


def in_loop(y: np.ndarray, n: int):
    out = y * 1.0
    for k in range(n):
        tail = np.exp(out[-2:])
        tail *= 0.5
        out = np.concatenate([out, tail])
    out[0] = 7.0
    return out


def shared(y: np.ndarray):
    rows = [y, np.exp(y)]
    rows[0][0] = 4.0
    return np.stack(rows)


def viewed(y: np.ndarray):
    head = y[:3]
    made = np.concatenate((head, np.exp(head)))
    made[0] = 5.0
    return made, y.sum()


def main():
    y = np.linspace(0.0, 1.0, 200)
    for f in (joined, shared, viewed):
        print(f.__name__, [float(np.sum(v)) for v in np.atleast_1d(f(y)[0])][:2], y[0])
    print(drawn(y, 3).sum(), in_loop(y, 4).sum(), y.sum())


main()
