import numpy as np


def weigh(x, n):
    a = 0
    for k in range(n):
        a = a + np.dot(x[: k + 1], x[-k - 1 :])
    return np.dot(a, np.sin(x))


def look(x, y, n):
    total = 0.0
    for k in range(n):
        total += x[k] * y[k]
    return np.interp(total / n, x, np.exp(y)), np.outer(total, np.exp(y)), np.interp(total, x, np.exp(y))


def main():
    rows = []
    for v in range(6):
        rows.append(0.3 * v + 0.1)
    x = np.array(rows)
    print(weigh(x, 0).round(8), weigh(x, 2).round(8))
    for result in look(x, x / 2, 4):
        print(result.round(8))


if __name__ == "__main__":
    main()
