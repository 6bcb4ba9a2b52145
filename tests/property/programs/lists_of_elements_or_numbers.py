import numpy as np


def waits(rng, n):
    found = []
    for _ in range(n):
        found.append(0.0 if rng.random() < 0.3 else rng.exponential(2.0))
    return np.array(found)


def autocorrelation(x, lags):
    x = x - x.mean()
    v = np.dot(x, x)
    return np.array([1.0 if k == 0 else np.dot(x[:-k], x[k:]) / v for k in range(lags)])


def structure(x, lags):
    rows = []
    for k in range(lags):
        rows.append(0.0 if k == 0 else np.mean((x[k:] - x[:-k]) ** 2))
    return np.array(rows), np.array([0 if k < 1 else np.sum(x[k:]) for k in range(lags)])


def ends(x, flag):
    first = 0.0 if flag else np.dot(x, x)
    return np.array([first, np.dot(x[1:], x[:-1])])


def scaled(x, lags):
    v = np.dot(x, x)
    r = np.array([1.0 if k == 0 else np.dot(x[:-k], x[k:]) / v for k in range(lags)])
    return r * v + np.sum(r * x[:1])


def joined(x, n):
    first = 0.5 if n == 0 else np.dot(x[:n], x[:n])
    last = 0.25
    for k in range(n):
        last = last + np.dot(x[k:], x[k:])
    return np.stack([first, np.dot(x, x)]), np.hstack([last, x[:2]]), np.stack([last, last])


def of_numbers(x, n):
    top = max([0.0] + [np.dot(x, x[::-1]) for k in range(n)])
    return np.stack([top, top])


def main():
    rng = np.random.default_rng(4)
    w = waits(rng, 400)
    print(autocorrelation(w, 5).round(8), autocorrelation(w[:200], 1))
    print(*structure(w, 4))
    print(scaled(w, 5).round(8), scaled(w, 1).round(8), scaled(w, 0))
    print(scaled(w.astype(">f8"), 1).round(8), scaled(w.astype(">f8"), 0))
    print(of_numbers(w, 0), of_numbers(w, 2).round(8))
    print(*joined(w, 0), *joined(w, 2))
    print(ends(w, True), ends(w, False), ends(w, True).dtype)


if __name__ == "__main__":
    main()
