import numpy as np


def minimise(fun, jac, x0, args=(), steps=200, rate=0.05, callback=None):
    x = np.array(x0, dtype=float)
    for k in range(steps):
        g = jac(x, *args)
        x = x - rate * g
        if callback is not None:
            callback(k, x)
    return x, fun(x, *args)


def loss(w, A, b):
    r = A @ w - b
    return 0.5 * r @ r / len(b)


def gradient(w, A, b):
    return A.T @ (A @ w - b) / len(b)


def main():
    rng = np.random.default_rng(0)
    A = rng.normal(size=(2000, 50))
    w = rng.normal(size=50)
    b = A @ w
    trace = []
    x, value = minimise(loss, gradient, np.zeros(50), args=(A, b), callback=lambda k, x: trace.append(loss(x, A, b)))
    print(f"{value:.10f} {np.abs(x - w).max():.6f} {trace[0]:.6f} {trace[-1]:.8f}")


if __name__ == "__main__":
    main()
